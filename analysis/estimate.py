"""Estimates: a value, its interval, and the number of deals behind both.

Everything is reckoned from counts: `values[i]` was seen in `counts[i]` deals. The deal
is the sampling unit. Two readings of the *same* deals are compared deal by deal, so
that the luck of the cards, which both share, cancels.
"""

import math
from statistics import NormalDist
from typing import NamedTuple

import numpy as np

from analysis.moments import moments
from analysis.skewness import leaning_steps, rare_low, third_moment

CONFIDENCE = 0.95

Range = tuple[float, float]


class Estimate(NamedTuple):
    """A value with its interval (NaN where unknown) and its number of deals."""

    value: float
    low: float
    high: float
    n: int


UNKNOWN = Estimate(math.nan, math.nan, math.nan, 0)


def normal_quantile(confidence: float = CONFIDENCE) -> float:
    """How many standard errors a two-sided normal interval reaches."""
    return NormalDist().inv_cdf((1 + confidence) / 2)


def student_quantile(freedom: int, confidence: float = CONFIDENCE) -> float:
    """The same for Student's t with `freedom` degrees of freedom.

    Exact for 1 and 2; from 3 on G. W. Hill's Algorithm 396 (CACM 13, 1970), good to
    five digits. From a sample of five deals a normal interval would miss too often.
    """
    tail = 1 - confidence
    if freedom == 1:
        return 1 / math.tan(tail * math.pi / 2)
    if freedom == 2:
        return math.sqrt(2 / (tail * (2 - tail)) - 2)
    a = 1 / (freedom - 0.5)
    b = 48 / (a * a)
    c = ((20700 * a / b - 98) * a - 16) * a + 96.36
    d = ((94.5 / (b + c) - 3) / b + 1) * math.sqrt(a * math.pi / 2) * freedom
    y = (d * tail) ** (2 / freedom)
    if y > 0.05 + a:
        x = -normal_quantile(confidence)
        y = x * x
        if freedom < 5:
            c += 0.3 * (freedom - 4.5) * (x + 0.6)
        c = (((0.05 * d * x - 5) * x - 7) * x - 2) * x + b + c
        y = (((((0.4 * y + 6.3) * y + 36) * y + 94.5) / c - y - 3) / b + 1) * x
        y = math.expm1(a * y * y)
    else:
        slope = 1 / (
            ((freedom + 6) / (freedom * y) - 0.089 * d - 0.822) * (freedom + 2) * 3
        )
        slope += 0.5 / (freedom + 4)
        y = (slope * y - 1) * (freedom + 1) / (freedom + 2) + 1 / y
    return math.sqrt(freedom * y)


def proportion(hits: int, n: int, confidence: float = CONFIDENCE) -> Estimate:
    """Share of `n` deals in which something happened, with Wilson's score interval.

    Unlike the plain normal interval it stays in [0, 1], and 0 of 12 is not "never".
    Where all but three or fewer agree it reaches further (`analysis.skewness`).
    """
    hits, n = int(hits), int(n)
    if n == 0:
        return UNKNOWN
    z = normal_quantile(confidence)
    share = hits / n
    middle = (hits + z * z / 2) / (n + z * z)
    # Not n x share x (1 - share): of a share near 1 that loses digits.
    half = z / (n + z * z) * math.sqrt(hits * (n - hits) / n + z * z / 4)
    low = 0.0 if hits == 0 else min(middle - half, rare_low(hits, n, confidence))
    lost = n - hits
    high = 1.0 if lost == 0 else max(middle + half, 1 - rare_low(lost, n, confidence))
    return Estimate(share, low, high, n)


def mean(
    values: np.ndarray,
    counts: np.ndarray,
    within: Range | None = None,
    confidence: float = CONFIDENCE,
) -> Estimate:
    """Mean of a quantity over deals, with Student's interval, leaning as the deals do.

    From 50 deals on it holds a long-run mean that textbook's deals have as often as it
    says; of 10 deals, where most are alike, less (tests/statistics).

    Parameters
    ----------
    values, counts : arrays of one length
        `values[i]` was seen in `counts[i]` deals.
    within : (lowest, highest), optional
        Where the quantity can lie, by the rules and not by what was met. The interval
        is cut off there; and when all deals agree it tells what they leave open (see
        `_unseen`).
    """
    values = np.asarray(values, dtype=np.float64)
    counts = np.asarray(counts, dtype=np.int64)
    n = int(counts.sum())
    if n == 0:
        return UNKNOWN
    value, squares = moments(values, counts)
    seen = values[counts > 0]
    if seen.min() == seen.max():  # exactly: the sum of squares may hold rounding
        value = float(seen[0])
        if within is None:
            return Estimate(value, math.nan, math.nan, n)
        share = _unseen(n, confidence)
        low = value - share * (value - within[0])
        return Estimate(value, low, value + share * (within[1] - value), n)
    deviation = math.sqrt(squares / (n - 1))
    down, up = leaning_steps(
        third_moment(values, counts, value) / deviation**3,
        n,
        student_quantile(n - 1, confidence),
    )
    error = deviation / math.sqrt(n)
    return Estimate(
        value, *_cut(value, value - down * error, value + up * error, within), n
    )


class Sums(NamedTuple):
    """All that a ratio and its interval need of any number of clusters: they add up.

    Scalars, or arrays of one shape for as many ratios at a time. Sums of whole numbers
    are exact to 2 ** 53.
    """

    n: np.ndarray  # clusters
    hits: np.ndarray
    of: np.ndarray
    hits_hits: np.ndarray
    hits_of: np.ndarray
    of_of: np.ndarray
    lowest: np.ndarray  # of a cluster's hits
    beyond: np.ndarray  # most that a cluster's hits are above its `of`

    def plus(self, more: "Sums") -> "Sums":
        """The sums over the clusters of both."""
        added = [a + b for a, b in zip(self[:6], more[:6], strict=True)]
        return Sums(
            *added,
            np.minimum(self.lowest, more.lowest),
            np.maximum(self.beyond, more.beyond),
        )

    def at(self, place: int) -> "Sums":
        """Those of one of several ratios."""
        return Sums(*(sums[place] for sums in self))


def sums_of(hits: np.ndarray, of: np.ndarray) -> Sums:
    """The sums over clusters, which are the first axis; `of` as `hits`, or wider.

    A cluster with none in `of` is none.
    """
    hits = np.asarray(hits, np.float64)
    of = np.broadcast_to(np.asarray(of, np.float64), hits.shape)
    used = of > 0
    kept = np.where(used, hits, 0.0)
    return Sums(
        used.sum(axis=0),
        kept.sum(axis=0),
        np.where(used, of, 0.0).sum(axis=0),
        (kept * kept).sum(axis=0),
        (kept * of).sum(axis=0),
        np.where(used, of * of, 0.0).sum(axis=0),
        kept.min(axis=0, initial=0.0),
        np.where(used, hits - of, 0.0).max(axis=0, initial=-np.inf),
    )


def ratio(hits: np.ndarray, of: np.ndarray, confidence: float = CONFIDENCE) -> Estimate:
    """Ratio of two sums over clusters, `hits` of `of`; the cluster is the unit.

    Parameters
    ----------
    hits, of : arrays of one length, one entry a cluster
        What was counted in it, and of how many; a cluster with none of these is none.
    """
    return ratio_of(sums_of(hits, of), confidence)


def ratio_of(sums: Sums, confidence: float = CONFIDENCE) -> Estimate:
    """The ratio that sums over clusters come to.

    The error is the delta method's (Cochran, Sampling Techniques, 3rd ed., section
    6.3): what each cluster has beyond the ratio times its size is averaged. A share has
    Wilson's interval of so many independent trials as would have that error (Dean and
    Pagano, J. Surv. Stat. Methodol. 3, 2015), else the interval is Student's, and what
    no cluster has less than none of stays above 0. From 20 clusters on.
    """
    n = int(sums.n)
    if n == 0:
        return UNKNOWN
    value = float(sums.hits / sums.of)
    counts = bool(sums.lowest >= 0)
    share = counts and bool(sums.beyond <= 0)
    if n == 1:
        return Estimate(value, *((0.0, 1.0) if share else (math.nan, math.nan)), n)
    if share and value in (0.0, 1.0):  # never varied: what so many clusters leave open
        open_end = _unseen(n, confidence)
        return Estimate(
            value, *((0.0, open_end) if value == 0.0 else (1 - open_end, 1.0)), n
        )
    squares = sums.hits_hits - 2 * value * sums.hits_of + value * value * sums.of_of
    error = math.sqrt(max(0.0, float(squares)) / (n - 1) * n) / float(sums.of)
    reach = student_quantile(n - 1, confidence)
    middle, half = value, reach * error
    if share:
        per_trial = error * error / (value * (1 - value))  # 1 / so many trials
        pull = reach * reach * per_trial
        middle = (value + pull / 2) / (1 + pull)
        half = math.sqrt(half * half + pull * pull / 4) / (1 + pull)
    low, high = middle - half, middle + half
    return Estimate(
        value, max(0.0, low) if counts else low, min(1.0, high) if share else high, n
    )


def paired_ratio(
    first: tuple[np.ndarray, np.ndarray],
    second: tuple[np.ndarray, np.ndarray],
    confidence: float = CONFIDENCE,
) -> Estimate:
    """Difference of two ratios, second minus first, over the same clusters.

    Parameters
    ----------
    first, second : (hits, of), each an array of one entry a cluster
        As in `ratio`; entry i of both belongs to the same cluster.
    """
    n = len(first[0])
    if n == 0:
        return UNKNOWN
    pulls, values = [], []
    for hits, of in (first, second):
        hits, of = np.asarray(hits, np.float64), np.asarray(of, np.float64)
        if of.sum() == 0:
            return UNKNOWN
        values.append(float(hits.sum() / of.sum()))
        pulls.append((hits - values[-1] * of) / of.mean())
    gap = pulls[1] - pulls[0]
    value = values[1] - values[0]
    if n == 1:
        return Estimate(value, math.nan, math.nan, n)
    error = math.sqrt(float(gap @ gap) / (n - 1) / n)
    half = student_quantile(n - 1, confidence) * error
    return Estimate(value, value - half, value + half, n)


def quantile(
    values: np.ndarray,
    share: float,
    counts: np.ndarray,
    confidence: float = CONFIDENCE,
) -> Estimate:
    """A quantile of a sample, with the interval between two of its order statistics.

    How many of n values lie below the true quantile is binomial: the interval ends at
    the values whose places are that many standard deviations from n x share. It cannot
    reach past what was met: it holds the long-run value as often as it says where all
    being on one side of it is rare, from 35 on for a share of 10 or 90 %.

    Parameters
    ----------
    values, counts : arrays of one length, the values ascending
        `values[i]` was seen `counts[i]` times.
    """
    upto = np.cumsum(np.asarray(counts, np.int64))
    n = int(upto[-1]) if len(upto) else 0
    if n == 0:
        return UNKNOWN
    reach = normal_quantile(confidence) * math.sqrt(n * share * (1 - share))
    middle = min(n - 1, math.ceil(n * share) - 1)
    low = max(0, math.floor(n * share - reach) - 1)
    high = min(n - 1, math.ceil(n * share + reach))
    places = np.searchsorted(upto, (max(0, middle), low, high), side="right")
    return Estimate(*(float(values[place]) for place in places), n)


def _cut(value: float, low: float, high: float, within: Range | None) -> Range:
    """An interval's part within a range; the value itself always stays inside."""
    if within is None:
        return low, high
    return min(value, max(low, within[0])), max(value, min(high, within[1]))


def spread(
    values: np.ndarray,
    counts: np.ndarray,
    within: Range | None = None,
    confidence: float = CONFIDENCE,
) -> Estimate:
    """Standard deviation over deals, the root of a mean; so is its interval."""
    values = np.asarray(values, dtype=np.float64)
    counts = np.asarray(counts, dtype=np.int64)
    n = int(counts.sum())
    if n == 0:
        return UNKNOWN
    value = _deviation(values, counts)
    if value == 0.0:
        if within is None:
            return Estimate(0.0, math.nan, math.nan, n)
        share = min(0.5, _unseen(n, confidence))
        high = (within[1] - within[0]) * math.sqrt(share * (1 - share))
        return Estimate(0.0, 0.0, high, n)
    # Of the mean square, which is a mean over deals.
    middle = moments(values, counts)[0]
    squared = mean((values - middle) ** 2, counts, confidence=confidence)
    low = high = value
    # All deals equally far from the mean: their spread itself never varied.
    if not math.isnan(squared.low):
        low, high = (
            math.sqrt(max(0.0, it) * n / (n - 1)) for it in (squared.low, squared.high)
        )
    # Nothing is spread further than half at either end of the range.
    possible = (0.0, math.inf if within is None else (within[1] - within[0]) / 2)
    return Estimate(value, *_cut(value, low, high, possible), n)


def paired_proportion(
    first: np.ndarray,
    second: np.ndarray,
    counts: np.ndarray,
    confidence: float = CONFIDENCE,
) -> Estimate:
    """Share of deals in `second` minus share in `first`, over the same deals.

    Only deals in which the two disagree matter. The interval is that of Bonett and
    Price (J. Educ. Behav. Stat. 37, 2012): one disagreement added each way, so that
    "never disagreed in 12 deals" is not taken for "never disagrees".
    """
    first, second = np.asarray(first, dtype=bool), np.asarray(second, dtype=bool)
    counts = np.asarray(counts, dtype=np.int64)
    n = int(counts.sum())
    if n == 0:
        return UNKNOWN
    gained = int(counts[second & ~first].sum())
    lost = int(counts[first & ~second].sum())
    up, down = (gained + 1) / (n + 2), (lost + 1) / (n + 2)
    half = normal_quantile(confidence) * math.sqrt(
        (up + down - (up - down) ** 2) / (n + 2)
    )
    middle = up - down
    low, high = max(-1.0, middle - half), min(1.0, middle + half)
    return Estimate((gained - lost) / n, low, high, n)


def paired_mean(
    first: np.ndarray,
    second: np.ndarray,
    counts: np.ndarray,
    within: Range | None = None,
    confidence: float = CONFIDENCE,
) -> Estimate:
    """Mean of `second - first` over the same deals; `within` bounds that difference."""
    gap = np.asarray(second, dtype=np.float64) - np.asarray(first, dtype=np.float64)
    return mean(gap, counts, within, confidence)


def paired_spread(
    first: np.ndarray,
    second: np.ndarray,
    counts: np.ndarray,
    within: Range | None = None,
    confidence: float = CONFIDENCE,
) -> Estimate:
    """Standard deviation of `second` minus that of `first`, over the same deals.

    `within` bounds the difference of a single deal's pulls (see `_pulls`). From 200
    deals on it holds the long-run value as often as it says, of 50 in 90 %.
    """
    first = np.asarray(first, dtype=np.float64)
    second = np.asarray(second, dtype=np.float64)
    counts = np.asarray(counts, dtype=np.int64)
    n = int(counts.sum())
    if n == 0:
        return UNKNOWN
    value = _deviation(second, counts) - _deviation(first, counts)
    pulls = _pulls(second, counts) - _pulls(first, counts)
    pull = mean(pulls, counts, within, confidence)
    low, high = pull.low - pull.value, pull.high - pull.value
    return Estimate(value, value + low, value + high, n)


def _unseen(n: int, confidence: float) -> float:
    """Largest share that deals of a kind not met in `n` deals may well have.

    The upper end of Wilson's interval for 0 of n; about 4 / n at 95 %.
    """
    return proportion(0, n, confidence).high


def _deviation(values: np.ndarray, counts: np.ndarray) -> float:
    """Standard deviation of a sample; 0 of a single deal."""
    n = int(counts.sum())
    seen = values[counts > 0]
    if seen.min() == seen.max():
        return 0.0
    return math.sqrt(moments(values, counts)[1] / (n - 1))


def _pulls(values: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """How far each deal pulls the standard deviation up or down (delta method).

    A sample's standard deviation is, but for terms of order 1/n, the true one plus the
    mean of ((value - mean) ** 2 - variance) / (2 x deviation).
    """
    deviation = _deviation(values, counts)
    if deviation == 0.0:
        return np.zeros(len(values))
    middle = moments(values, counts)[0]
    return ((values - middle) ** 2 - deviation**2) / (2 * deviation)
