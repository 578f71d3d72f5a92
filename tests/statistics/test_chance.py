"""The probabilities that the suite judges by, against closed forms and tables."""

import math

import numpy as np
import pytest
from chance import (
    BATCHES,
    LIMIT,
    Table,
    alarms,
    of_chi_square,
    of_largest,
    of_mean,
    of_normal,
    of_poisson,
    upper_tail,
)


@pytest.mark.parametrize(
    ("squares", "freedom", "tail"),
    [  # any table of chi-square, and exp(-x / 2) for two degrees
        (3.841459, 1, 0.05),
        (5.991465, 2, 0.05),
        (70.0, 2, math.exp(-35)),
        (18.307038, 10, 0.05),
        (67.504807, 50, 0.05),
        (1.610308, 5, 0.9),
        (124.342113, 100, 0.05),
        (0.0, 7, 1.0),
    ],
)
def test_chi_square_tails(squares, freedom, tail):
    assert upper_tail(squares, freedom) == pytest.approx(tail, rel=1e-5)


def test_many_degrees_are_nearly_normal():
    freedom = 5_724
    for z in (-4, -2, 0, 2, 4):
        # Wilson and Hilferty's cube root.
        root = 1 - 2 / (9 * freedom) + z * math.sqrt(2 / (9 * freedom))
        tail = upper_tail(freedom * root**3, freedom)
        assert tail == pytest.approx(math.erfc(z / math.sqrt(2)) / 2, rel=0.01)


def test_normal_and_poisson():
    assert of_normal(1.959964) == pytest.approx(0.05, rel=1e-5)
    assert of_largest(np.array([0.1, -5.0, 2.0])) == pytest.approx(3 * of_normal(5))
    # Five or more of 1.5: 1 - e^-1.5 (1 + 1.5 + 1.125 + 0.5625 + 0.2109375).
    more = 1 - math.exp(-1.5) * 4.3984375
    assert of_poisson(5, 1.5) == pytest.approx(2 * more)
    assert of_poisson(0, 9.0) == pytest.approx(2 * math.exp(-9))
    assert of_poisson(0, 0.01) == 1.0


def test_too_good_is_strange_too():
    assert of_chi_square(100, 100) > 0.5
    assert of_chi_square(20, 100) < LIMIT
    assert of_chi_square(220, 100) < LIMIT


def test_nothing_known_is_an_alarm():
    assert alarms({"fine": 0.2, "rare": LIMIT / 2, "broken": math.nan}).keys() == {
        "rare",
        "broken",
    }


def test_the_chances_of_fair_counts_are_even():
    """Whatever binds the cells: here each deal fills half of them."""
    rng = np.random.default_rng(1)
    found = []
    for _ in range(200):
        first = rng.binomial(500, 0.5, (BATCHES, 12))
        counts = np.concatenate([first, 500 - first], axis=1).astype(float)
        found.append(Table(counts, 500, 0.5, 0.25).fit())
    found = np.sort(found)
    # Kolmogorov and Smirnov: at most 1.95 / sqrt(200) off in all but one of a thousand.
    assert np.abs(found - (np.arange(200) + 0.5) / 200).max() < 0.138
    wrong = np.full((BATCHES, 24), 250.0) + rng.normal(0, 11, (BATCHES, 24))
    wrong[:, 3] += 8
    assert Table(wrong, 500, 0.5, 0.25).largest() < LIMIT


def test_means():
    values = np.random.default_rng(2).normal(3, 2, 10_000)
    assert of_mean(values, 3) > 0.001
    assert of_mean(values, 3.2) < LIMIT
    assert of_mean(np.ones(5), 1) == 1
    assert of_mean(np.ones(5), 2) == 0
