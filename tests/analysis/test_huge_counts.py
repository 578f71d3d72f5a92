"""Estimates of a million million deals and more: no digit lost, nothing overflows."""

import math
from fractions import Fraction

import numpy as np
import pytest

from analysis import estimate
from analysis.moments import moments

RNG = np.random.default_rng(4)
HUGE = 10**12


def written_out(values: np.ndarray, counts: np.ndarray) -> tuple[Fraction, Fraction]:
    """Mean and sum of squares about it, in fractions."""
    pairs = list(zip(values.tolist(), counts.tolist(), strict=True))
    n = sum(count for _, count in pairs)
    mean = Fraction(sum(value * count for value, count in pairs), n)
    return mean, sum((value - mean) ** 2 * count for value, count in pairs)


@pytest.mark.parametrize(
    ("values", "most"),
    [
        (5 * np.arange(-10, 120), HUGE),  # totals
        (np.arange(-3, 9), 2**55),
        (80 * 2 ** np.arange(26), HUGE),  # points given away, by power
        (10**9 + np.arange(2), HUGE),  # hardly varies beside its size
        (np.array([7, 7, 7]), HUGE),
    ],
    ids=["totals", "levels", "given away", "far from 0", "alike"],
)
def test_moments_are_the_exact_ones_rounded_once(values, most):
    counts = RNG.integers(most // 2, most, len(values))
    mean, squares = written_out(values, counts)
    assert moments(values, counts) == (float(mean), float(squares))
    # However counts are split, and in whatever order they come.
    order = RNG.permutation(2 * len(values))
    halves = np.concatenate([counts // 3, counts - counts // 3])[order]
    twice = np.concatenate([values, values])[order]
    assert moments(twice, halves) == (float(mean), float(squares))


def test_moments_of_fractions():
    values, counts = np.array([0.5, 1.25, 3.0]), np.array([2, 1, 1])
    assert moments(values, counts) == pytest.approx((1.3125, 4.171875))


def test_the_interval_of_a_mean_narrows_as_the_root_of_the_deals():
    values, counts = np.arange(0, 205, 5), RNG.integers(1, 1000, 41)
    few = estimate.mean(values, 1000 * counts)
    many = estimate.mean(values, 1000 * HUGE // 1000 * counts)
    assert many.n == HUGE * int(counts.sum())
    assert many.value == few.value
    narrowed = (few.high - few.low) / (many.high - many.low)
    assert narrowed == pytest.approx(math.sqrt(HUGE / 1000), rel=1e-6)


def test_the_spread_of_huge_counts():
    values, counts = np.arange(-4, 5), RNG.integers(1, 1000, 9)
    _, squares = written_out(values, counts)
    it = estimate.spread(values, counts * HUGE)
    assert it.value == pytest.approx(math.sqrt(squares / int(counts.sum())), rel=1e-12)
    assert it.low < it.value < it.high
    same = estimate.paired_spread(values, values[::-1], counts * HUGE)
    assert same.value == 0


@pytest.mark.parametrize("misses", [1, 3])
def test_a_share_next_to_none_and_its_mirror_next_to_all(misses):
    """Shares of p and 1 - p have mirrored intervals: 1 - p must not lose digits."""
    low, high = (estimate.proportion(it, HUGE) for it in (misses, HUGE - misses))
    assert high.n == HUGE
    assert 1 - high.low == pytest.approx(low.high, rel=1e-4)  # what a float near 1 has
    assert low.high - low.low == pytest.approx(high.high - high.low, rel=1e-4)
    # Wilson's interval where n is endless: z ** 2 and the number of misses alone.
    z = estimate.normal_quantile()
    half = z * math.sqrt(misses + z * z / 4)
    # Where so few were met Poisson's limit is lower than its end.
    poisson = {1: 0.0512933, 3: 0.8176915}[misses]
    assert low.low * HUGE == pytest.approx(poisson, rel=1e-6)
    assert low.high * HUGE == pytest.approx(misses + z * z / 2 + half, rel=1e-9)


def test_one_disagreement_in_a_million_million():
    counts = np.array([HUGE, 1, HUGE])
    first, second = np.array([0, 0, 1]), np.array([0, 1, 1])
    it = estimate.paired_proportion(first, second, counts)
    assert it.n == 2 * HUGE + 1
    assert it.value == 1 / (2 * HUGE + 1)
    assert -1e-11 < it.low < it.value < it.high < 1e-11


def test_student_of_huge_samples_is_normal():
    for freedom in (10**6, 10**9, HUGE, 10**15):
        quantile = estimate.student_quantile(freedom)
        assert quantile == pytest.approx(estimate.normal_quantile(), rel=1e-5)


def test_a_quantile_of_huge_counts():
    counts = np.array([HUGE - 1, 1, HUGE])
    it = estimate.quantile(np.array([1.0, 2.0, 3.0]), 0.5, counts)
    assert (it.value, it.low, it.high, it.n) == (2.0, 1.0, 3.0, 2 * HUGE)
