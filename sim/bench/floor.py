"""The floor: the fixed piece of work that all times are told in ratios to."""

import time
from collections.abc import Callable
from statistics import median
from typing import NamedTuple

import numba
import numpy as np

from kernels.code_cache import CodeCache

FLOOR_DEALS = 100_000

# The floor's own words: whatever becomes of the kernels, these stay.
ONE, HALF, LOW_HALF = np.uint64(1), np.uint64(32), np.uint64(0xFFFFFFFF)
STEP = np.uint64(0x9E3779B97F4A7C15)
FACTOR_1, FACTOR_2 = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
SHIFT_1, SHIFT_2, SHIFT_3 = np.uint64(30), np.uint64(27), np.uint64(31)


# Numba's own decorator: how the project's compiles may change, the floor may not.
@numba.njit
def floor(seed, deals):
    """Shuffle two decks and deal them to bit planes, over and over: the yardstick.

    Frozen for ever: ratios to it are compared over years and machines, so nothing in
    it may change, not even to make it faster. It calls no kernel, which might change.

    Parameters
    ----------
    seed, deals : int64

    Returns
    -------
    uint64
        A checksum of all hands dealt, which proves the work done.
    """
    state = np.uint64(seed)
    pack = np.empty(108, np.int8)
    once = np.zeros(5, np.uint64)
    twice = np.zeros(5, np.uint64)
    checksum = np.uint64(0)
    for _ in range(deals):
        for card in range(108):
            pack[card] = card >> 1
        for last in range(107, 0, -1):  # Fisher and Yates
            bound = np.uint64(last + 1)
            while True:  # Lemire's draw below a bound, from splitmix64's upper half
                state += STEP
                word = (state ^ (state >> SHIFT_1)) * FACTOR_1
                word = (word ^ (word >> SHIFT_2)) * FACTOR_2
                product = ((word ^ (word >> SHIFT_3)) >> HALF) * bound
                if (product & LOW_HALF) >= (LOW_HALF + ONE - bound) % bound:
                    break
            other = np.int64(product >> HALF)
            pack[last], pack[other] = pack[other], pack[last]
        once[:] = np.uint64(0)
        twice[:] = np.uint64(0)
        for place in range(108):
            owner = place & 3 if place < 100 else 4
            face = ONE << np.uint64(pack[place])
            twice[owner] |= once[owner] & face
            once[owner] |= face
        for owner in range(5):
            checksum ^= once[owner] * STEP ^ twice[owner]
    return checksum


floor._cache = CodeCache(floor.py_func)


def floor_ns(
    deals: int | None = None, clock: Callable[[], float] = time.perf_counter
) -> float:
    """The floor's time now, in ns a deal."""
    deals = deals or FLOOR_DEALS
    began = clock()
    floor(1, deals)
    return (clock() - began) / deals * 1e9


class Figure(NamedTuple):
    """One piece of work's times: medians of rounds, with the least and the most."""

    name: str
    unit: str
    count: int  # units of work in a round
    checksum: str  # of the work: who compares times wants to know it the same
    ns: float  # a unit
    times_floor: float
    spread: list[float]  # of that


def figure(
    name: str,
    unit: str,
    work: Callable[[], object],
    count: int,
    checksum: str,
    rounds: int,
    floor_deals: int | None = None,
    clock: Callable[[], float] = time.perf_counter,
) -> Figure:
    """Time some work, each round between two runs of the floor.

    Parameters
    ----------
    name, unit : str
    work : function
        Does it once.
    count : int
        Units that this is.
    checksum : str
    rounds : int
    floor_deals : int, optional
        Deals of each run of the floor.
    clock : function
        Of work on this thread `time.thread_time`: what else the machine does does not
        count, then.
    """
    times, ratios = [], []
    floor(1, 1)
    before = floor_ns(floor_deals, clock)
    for _ in range(rounds):
        began = clock()
        work()
        ns = (clock() - began) / count * 1e9
        after = floor_ns(floor_deals, clock)
        times.append(ns)
        ratios.append(ns / ((before + after) / 2))
        before = after
    return Figure(
        name,
        unit,
        count,
        checksum,
        median(times),
        median(ratios),
        [min(ratios), max(ratios)],
    )
