"""Intervals against published values, closed forms, and how often they cover."""

import math
from fractions import Fraction
from statistics import NormalDist, mean, stdev

import numpy as np
import pytest

from analysis import estimate
from analysis.skewness import third_moment

ONE = np.ones(1, np.int64)


@pytest.mark.parametrize(
    ("hits", "n", "low", "high"),
    [  # R. G. Newcombe, Statistics in Medicine 17 (1998), table I, method 3
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
    ],
)
def test_wilson_published(hits, n, low, high):
    it = estimate.proportion(hits, n)
    assert it.value == hits / n
    assert it.n == n
    assert (round(it.low, 4), round(it.high, 4)) == (low, high)


def test_wilson_ends_solve_the_score_equation():
    """Its ends are the shares p at which (value - p) is z standard errors of p."""
    z = NormalDist().inv_cdf(0.975)
    for n in range(1, 30):
        for hits in range(n + 1):
            it = estimate.proportion(hits, n)
            assert 0 <= it.low <= it.value <= it.high <= 1
            seldom = 0 < hits < 4, 0 < n - hits < 4
            for end, rare in zip((it.low, it.high), seldom, strict=True):
                if rare:  # it reaches further
                    continue
                error = math.sqrt(end * (1 - end) / n)
                if error:
                    assert abs(it.value - end) == pytest.approx(z * error)


@pytest.mark.parametrize(
    ("hits", "mean"),
    [(1, 0.0513), (2, 0.3554), (3, 0.8177)],  # F. Garwood, Biometrika 28 (1936): 5 %
)
def test_rates_met_seldom_begin_at_poisson_limits(hits, mean):
    it = estimate.proportion(hits, 1_000)
    assert it.low == pytest.approx(mean / 1_000, abs=1e-7)
    other = estimate.proportion(1_000 - hits, 1_000)
    assert other.high == pytest.approx(1 - it.low)
    # Of five no three are few.
    assert estimate.proportion(3, 5).low == pytest.approx(0.2307, abs=1e-4)


@pytest.mark.parametrize(
    ("freedom", "quantile"),
    [  # any table of Student's t, two-sided 95 %
        (1, 12.706),
        (2, 4.303),
        (3, 3.182),
        (4, 2.776),
        (9, 2.262),
        (29, 2.045),
        (120, 1.980),
        (10**7, 1.960),
    ],
)
def test_student_quantiles(freedom, quantile):
    assert estimate.student_quantile(freedom) == pytest.approx(quantile, abs=6e-4)


def test_student_quantiles_at_other_confidences():
    assert estimate.student_quantile(9, 0.9) == pytest.approx(1.833, abs=6e-4)
    assert estimate.student_quantile(9, 0.99) == pytest.approx(3.250, abs=6e-4)
    assert estimate.student_quantile(3, 0.999) == pytest.approx(12.924, abs=6e-4)


def steps(deals: list[float], end: float) -> float:
    """How many standard errors the mean is above an end, without the skewness.

    Hall's cubic, the way he writes it.
    """
    n, middle, deviation = len(deals), mean(deals), stdev(deals)
    lean = mean([(it - middle) ** 3 for it in deals]) / deviation**3 / math.sqrt(n)
    t = (middle - end) / deviation * math.sqrt(n)
    return t + lean * t**2 / 3 + lean**2 * t**3 / 27 + lean / 6


@pytest.mark.parametrize(
    ("deals", "quantile"),
    [
        ([-1] * 3 + [2] * 4 + [7], 2.3646),  # t with 7 degrees of freedom
        ([-1] * 3 + [0] * 3, 2.5706),  # not skewed
        ([0.25] * 2 + [1.5] * 5 + [-3.125], 2.3646),  # the other way
        ([0] * 99 + [40], 1.9842),
        ([0] * 5_000 + [1] * 5_001, 1.9602),  # hardly
    ],
)
def test_mean_is_that_of_the_deals_written_out(deals, quantile):
    values, counts = np.unique(deals, return_counts=True)
    it = estimate.mean(values, counts)
    assert it.value == pytest.approx(mean(deals))
    assert steps(deals, it.low) == pytest.approx(quantile, rel=1e-4)
    assert steps(deals, it.high) == pytest.approx(-quantile, rel=1e-4)
    assert it.n == len(deals)


def test_sums_of_large_numbers_are_exact():
    """Also where cubes times deals do not fit a machine word."""
    values, counts = np.array([-1000.0, 3.0, 900.0]), np.array([10**12, 7, 10**13])
    split = estimate.mean(np.repeat(values, 2), np.repeat(counts // 2, 2) + 1)
    counts = counts // 2 * 2 + 2
    assert estimate.mean(values, counts) == pytest.approx(split, rel=1e-12)
    third = third_moment(values, counts, 0)
    n, pairs = int(counts.sum()), list(zip(values, counts.tolist(), strict=True))
    middle = Fraction(sum(int(v) * c for v, c in pairs), n)
    assert third == float(sum((int(v) - middle) ** 3 * c for v, c in pairs) / n)
    assert third == third_moment(values[::-1], counts[::-1], 0)


def test_no_deals_are_unknown():
    none = np.zeros(1, np.int64)
    for it in (
        estimate.proportion(0, 0),
        estimate.mean(ONE, none, (0, 1)),
        estimate.spread(ONE, none),
        estimate.paired_proportion(ONE, ONE, none),
        estimate.paired_mean(ONE, ONE, none),
        estimate.paired_spread(ONE, ONE, none),
    ):
        assert it.n == 0
        assert math.isnan(it.value)
        assert math.isnan(it.low)
        assert math.isnan(it.high)


def test_deals_that_agree_leave_open_what_they_have_not_met():
    """12 deals without a capture do not say that nothing is ever given away."""
    twelve = np.array([12])
    unseen = estimate.proportion(0, 12).high
    it = estimate.mean(np.array([0]), twelve, within=(0, 40))
    assert (it.value, it.low) == (0, 0)
    assert it.high == pytest.approx(40 * unseen)
    assert math.isnan(estimate.mean(np.array([3]), twelve).low)
    # What cannot be otherwise is known.
    assert estimate.mean(np.array([0]), twelve, within=(0, 0))[:3] == (0, 0, 0)
    one = estimate.mean(np.array([2]), ONE, within=(0, 6))
    assert one.low < 2 < one.high
    same = estimate.spread(np.array([2]), twelve, within=(-6, 6))
    assert (same.value, same.low) == (0, 0)
    assert 0 < same.high < 6


def test_mean_is_cut_off_at_the_lowest():
    it = estimate.mean(np.array([0, 90]), np.array([9, 1]), within=(0, 90))
    assert it.low == 0
    assert it.high > it.value


def test_spread_of_normal_values():
    """The standard error of a normal sample's deviation is sigma / sqrt(2n)."""
    values = np.random.default_rng(3).normal(5, 2, 200_000)
    it = estimate.spread(values, np.ones(len(values), np.int64))
    assert it.value == pytest.approx(values.std(ddof=1))
    half = 1.96 * 2 / math.sqrt(2 * len(values))
    assert it.high - it.value == pytest.approx(half, rel=0.02)
    assert it.value - it.low == pytest.approx(half, rel=0.02)


def test_paired_proportion_closed_form():
    """Bonett and Price: 2 x 2 counts with one added to each disagreement."""
    first = np.array([1, 1, 0, 0])
    second = np.array([1, 0, 1, 0])
    counts = np.array([53, 16, 8, 9])
    it = estimate.paired_proportion(first, second, counts)
    up, down = 9 / 88, 17 / 88
    half = 1.959964 * math.sqrt((up + down - (up - down) ** 2) / 88)
    assert it.value == pytest.approx((8 - 16) / 86)
    assert (it.low, it.high) == pytest.approx((up - down - half, up - down + half))


def test_no_disagreement_is_not_certainty():
    it = estimate.paired_proportion(np.array([1]), np.array([1]), np.array([12]))
    assert it.value == 0
    assert it.low < -0.1
    assert it.high > 0.1


def test_paired_is_the_estimate_of_the_differences():
    rng = np.random.default_rng(4)
    first, second = rng.integers(0, 7, (2, 300))
    counts = rng.integers(1, 5, 300)
    gap = estimate.mean(second - first, counts)
    assert estimate.paired_mean(first, second, counts) == gap


def test_pairing_takes_the_shared_luck_away():
    """Two tables agree on most of what a deal is: their difference is far surer."""
    rng = np.random.default_rng(5)
    luck = rng.normal(0, 3, 5000)
    first, second = luck.round(), (luck * 1.1 + rng.normal(0, 0.2, 5000)).round()
    ones = np.ones(5000, np.int64)

    def width(it):
        return it.high - it.low

    apart = math.hypot(*(width(estimate.mean(x, ones)) for x in (first, second)))
    assert width(estimate.paired_mean(first, second, ones)) < apart / 4
    apart = math.hypot(*(width(estimate.spread(x, ones)) for x in (first, second)))
    assert width(estimate.paired_spread(first, second, ones)) < apart / 3
    won = [x > 0 for x in (first, second)]
    apart = math.hypot(*(width(estimate.proportion(x.sum(), 5000)) for x in won))
    assert width(estimate.paired_proportion(*won, ones)) < apart / 2


SAMPLES = 2000
# A nominal 95 % interval of 2,000 samples covers 1,861..1,939 times at z = 4.
FEWEST = 0.93


def covered(estimates, truth) -> float:
    return np.mean([it.low <= truth <= it.high for it in estimates])


@pytest.mark.parametrize("n", [10, 40, 400])
@pytest.mark.parametrize("share", [0.03, 0.3, 0.5])
def test_coverage_of_wilson(n, share):
    hits = np.random.default_rng([n, int(100 * share)]).binomial(n, share, SAMPLES)
    # Wilson's interval covers 95 % on average over shares, not at each of them.
    assert covered([estimate.proportion(h, n) for h in hits], share) > 0.91


@pytest.mark.parametrize("n", [3, 5, 20])
def test_coverage_of_means_of_few_deals(n):
    samples = np.random.default_rng(n).normal(75, 30, (SAMPLES, n))
    ones = np.ones(n, np.int64)
    share = covered([estimate.mean(sample, ones) for sample in samples], 75)
    assert FEWEST < share < 0.97


def joint_samples(n: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Two tables' levels of the same deals, SAMPLES times n deals."""
    rng = np.random.default_rng(seed)
    luck = rng.integers(-3, 4, (SAMPLES, n))
    return luck, luck + (rng.random((SAMPLES, n)) < 0.2) * np.sign(luck)


def test_coverage_of_paired_differences():
    n, ones = 400, np.ones(400, np.int64)
    first, second = joint_samples(n, seed=6)
    pairs = list(zip(first, second, strict=True))
    share = covered([estimate.paired_mean(a, b, ones) for a, b in pairs], 0)
    assert FEWEST < share < 0.97
    # Only a deal at +-2 can cross the line, with probability 0.2.
    wins = [estimate.paired_proportion(abs(a) > 2, abs(b) > 2, ones) for a, b in pairs]
    assert FEWEST < covered(wins, 0.2 * 2 / 7) < 0.97


def test_coverage_of_spreads():
    n, ones = 400, np.ones(400, np.int64)
    first, second = joint_samples(n, seed=7)
    deviation = 2.0  # of a uniform -3..3
    # Each of +-1, +-2, +-3 moves out by one with probability 0.2.
    squares = 2 / 7 * sum(0.8 * k**2 + 0.2 * (k + 1) ** 2 for k in (1, 2, 3))
    shares = [estimate.spread(a, ones) for a in first]
    assert FEWEST < covered(shares, deviation) < 0.97
    pairs = zip(first, second, strict=True)
    gaps = [estimate.paired_spread(a, b, ones) for a, b in pairs]
    assert FEWEST < covered(gaps, math.sqrt(squares) - deviation) < 0.97
