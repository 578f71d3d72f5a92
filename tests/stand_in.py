"""A game in place of the compiled one, for tests of what surrounds it.

Its rows depend on (seed, deal index) only, as real ones do, and mean nothing.
"""

import time

import numpy as np

from analysis.load import CODES
from sim.schema import COLUMNS, DEAL_DTYPE


def fill(seed: int, start: int, rows: np.ndarray) -> None:
    """Fill rows with deals start, start + 1, ..."""
    index = np.arange(start, start + len(rows), dtype=np.uint64)
    rows["deal_index"] = index
    for number, column in enumerate(COLUMNS[1:], 1):
        mixed = (index + np.uint64(seed + number)) * np.uint64(0x9E3779B97F4A7C15)
        lowest, highest = CODES.get(column.name, (0, 15))
        small = (mixed >> np.uint64(60)).astype(np.int64) % (highest - lowest + 1)
        rows[column.name] = lowest + small


def rows_of(seed: int, deals: int) -> np.ndarray:
    """The first rows of a task with this seed."""
    rows = np.empty(deals, DEAL_DTYPE)
    fill(seed, 0, rows)
    return rows


class Game:
    """A player that counts what it is asked, and may take its time or fail."""

    def __init__(self, seed: int = 1, seconds: float = 0.0, fail_at: int = -1):
        self.seed, self.seconds, self.fail_at = seed, seconds, fail_at
        self.asked: list[tuple[int, int]] = []

    def __call__(self, start: int, rows: np.ndarray) -> None:
        self.asked.append((start, len(rows)))
        time.sleep(self.seconds)
        if start <= self.fail_at < start + len(rows):
            raise RuntimeError("the stand-in was asked to fail")
        fill(self.seed, start, rows)
