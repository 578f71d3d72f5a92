"""How likely so strange a count would be by chance alone.

The whole suite may raise a false alarm once in a thousand choices of its seeds: each of
at most MOST_TESTS probabilities is held against FAMILY_ERROR / MOST_TESTS (Bonferroni;
Holm's procedure rejects something exactly when this does). The seeds are fixed, so a
suite that passes goes on passing.
"""

import math
from typing import NamedTuple

import numpy as np

FAMILY_ERROR = 0.001
MOST_TESTS = 1_000
LIMIT = FAMILY_ERROR / MOST_TESTS

BATCHES = 200  # that the spread of a statistic is taken from

Chances = dict[str, float]  # by what was tested


def alarms(chances: Chances) -> Chances:
    """Those too small for chance."""
    return {name: chance for name, chance in chances.items() if not chance >= LIMIT}


def of_normal(z: float) -> float:
    """Two-sided, of a standard normal value."""
    return math.erfc(abs(z) / math.sqrt(2))


def of_largest(z: np.ndarray) -> float:
    """Of the largest of many normal values, however they depend on each other."""
    return min(1.0, z.size * of_normal(float(np.abs(z).max())))


def of_chi_square(squares: float, freedom: int) -> float:
    """Two-sided, since too good a fit is as strange as too bad a one."""
    upper = upper_tail(squares, freedom)
    return min(1.0, 2 * min(upper, 1 - upper))


def upper_tail(squares: float, freedom: int) -> float:
    """Chance that chi-square with whole degrees of freedom is as large.

    By the recurrence from two degrees to the next (Abramowitz and Stegun, 26.4.8).
    """
    half = squares / 2
    if half <= 0:
        return 1.0
    tail, shape = (
        (math.erfc(math.sqrt(half)), 0.5) if freedom % 2 else (math.exp(-half), 1.0)
    )
    while shape < freedom / 2:
        tail += math.exp(shape * math.log(half) - half - math.lgamma(shape + 1))
        shape += 1
    return min(1.0, tail)


def of_poisson(count: int, mean: float) -> float:
    """Two-sided, of a number of rare events."""
    # So many or more are a chi-square's lower tail with twice as many degrees.
    more = 1 - upper_tail(2 * mean, 2 * count) if count else 1.0
    fewer = upper_tail(2 * mean, 2 * count + 2)
    return min(1.0, 2 * min(more, fewer))


class Table(NamedTuple):
    """Counts in cells, batch by batch, and what chance makes of a single deal's."""

    counts: np.ndarray  # float64[BATCHES, cells]
    deals: int  # in each batch
    mean: np.ndarray | float  # of a cell in one deal, exact
    variance: np.ndarray | float  # likewise

    def squares(self, counts: np.ndarray, deals: int) -> np.ndarray:
        """Sum over cells of squared deviations, each of variance 1."""
        off = counts - deals * self.mean
        return (off * off / (deals * self.variance)).sum(axis=-1)

    def largest(self) -> float:
        """Chance of the cell that is furthest off."""
        batches, _ = self.counts.shape
        deals = self.deals * batches
        off = self.counts.sum(axis=0) - deals * self.mean
        return of_largest(off / np.sqrt(deals * self.variance))

    def fit(self) -> float:
        """Chance of all cells together.

        Cells depend on each other, so their squares have not the spread of chi-square
        with a degree a cell; it is taken from the batches, and the sum is matched to a
        chi-square of the same mean and spread (Satterthwaite, Biometrics Bulletin 2,
        1946).
        """
        batches, cells = self.counts.shape
        spread = float(self.squares(self.counts, self.deals).var(ddof=1))
        freedom = max(1, round(2 * cells * cells / spread))
        total = float(self.squares(self.counts.sum(axis=0), self.deals * batches))
        return of_chi_square(total / cells * freedom, freedom)


def of_mean(values: np.ndarray, mean: float) -> float:
    """Of the mean of independent values, where their true mean is known."""
    error = values.std(ddof=1) / math.sqrt(len(values))
    if error == 0:
        return 1.0 if values[0] == mean else 0.0
    return of_normal((values.mean() - mean) / error)
