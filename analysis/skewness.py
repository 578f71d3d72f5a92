"""Intervals that lean: what a skewed sample does to a mean's, a rare event to a rate's.

Most deals give away nothing and a few give away 60 points: samples that happen to hold
few of those have a small mean and a small spread at once, so that an interval as long
up as down ends below the truth far more often than above it.
"""

import math
from functools import cache

import numpy as np

FEW = 50  # trials up to which 3 events are not rare


def leaning_steps(skewness: float, n: int, reach: float) -> tuple[float, float]:
    """How many standard errors an interval reaches down and up from a mean.

    P. Hall, "On the removal of skewness by transformation", J. R. Statist. Soc. B 54
    (1992): a cubic in Student's t that has no skewness but for terms of order 1 / n,
    and can be inverted. With no skewness both are `reach`.

    Parameters
    ----------
    skewness : of the sample, third central moment / deviation ** 3
    n : number in the sample
    reach : a normal or Student's quantile
    """
    lean = skewness / math.sqrt(n)
    return _inverted(reach, lean), -_inverted(-reach, lean)


def _inverted(quantile: float, lean: float) -> float:
    """Which t Hall's cubic takes to a quantile."""
    moved = quantile - lean / 6
    grown = lean * moved
    if abs(grown) < 1e-4:  # the series of the root, which would lose digits
        return moved * (1 - grown / 3 + 5 * grown * grown / 27)
    return 3 / lean * (math.cbrt(1 + grown) - 1)


def third_moment(values: np.ndarray, counts: np.ndarray, mean: float) -> float:
    """Mean of the third powers of what values are off their mean.

    Of whole numbers it is exact but for one rounding, as the sums of squares are.
    """
    n = int(counts.sum())
    if np.abs(values).max() < 2**53 and (values == np.rint(values)).all():
        ones, twos, threes = _power_sums(values.astype(np.int64), counts)
        whole = n * n * threes - 3 * n * ones * twos + 2 * ones**3
        return whole / n**3
    off = values - mean
    return float(off * off * off @ counts) / n


def _power_sums(values: np.ndarray, counts: np.ndarray) -> tuple[int, int, int]:
    """Exact sums of whole numbers, their squares and their cubes."""
    if int(np.abs(values).max()) ** 3 * int(counts.sum()) < 2**63:
        squares = values * values
        return (
            int(values @ counts),
            int(squares @ counts),
            int(squares * values @ counts),
        )
    pairs = list(zip(values.tolist(), counts.tolist(), strict=True))
    ones, twos, threes = (
        sum(value**power * count for value, count in pairs) for power in (1, 2, 3)
    )
    return ones, twos, threes


def rare_low(events: int, n: int, confidence: float) -> float:
    """Where the interval of a rate begins whose event was met so seldom; else 1.

    Wilson's would begin too high: a rate of 0.14 in n is met once in one sample of
    eight, and none of those would hold it. L. Brown, T. Cai, A. DasGupta, "Interval
    estimation for a binomial proportion", Statistical Science 16 (2001), section 4.1.1.
    """
    most = 2 if n <= FEW else 3
    if 2 * events > n:
        return 1.0
    return _poisson_low(events, confidence) / n if 0 < events <= most else 1.0


@cache
def _poisson_low(events: int, confidence: float) -> float:
    """The Poisson mean at which so many or more have a chance of 1 - confidence."""
    low, high = 0.0, float(events)
    while high - low > 1e-12:
        middle = (low + high) / 2
        term, fewer = math.exp(-middle), 0.0
        for number in range(events):
            fewer += term
            term *= middle / (number + 1)
        low, high = (middle, high) if fewer > confidence else (low, middle)
    return low
