"""Combinations of columns, numbered and counted, against a dictionary."""

import numpy as np
import pytest

from kernels import tally
from kernels.tally import add_up, refine, refine_by_hash

I4 = np.iinfo(np.int32)


def numbered(numbers: np.ndarray, values: np.ndarray) -> tuple[list[int], list[int]]:
    """The number of each pair, and the first place of each number: the slow way."""
    known: dict[tuple[int, int], int] = {}
    first, out = [], []
    for place, pair in enumerate(zip(numbers.tolist(), values.tolist(), strict=True)):
        if pair not in known:
            known[pair] = len(known)
            first.append(place)
        out.append(known[pair])
    return out, first


@pytest.mark.parametrize("by_hash", [False, True])
@pytest.mark.parametrize(
    ("count", "low", "high"),
    [(1, 0, 0), (1, 7, 7), (3, -1, 3), (50, -40, 400), (9, I4.min, I4.max)],
)
def test_pairs_are_numbered_as_they_come(count, low, high, by_hash):
    rng = np.random.default_rng([count, high])
    numbers = rng.integers(0, count, 5000).astype(np.int32)
    values = rng.integers(low, high, 5000, endpoint=True).astype(np.int32)
    first, out = np.zeros(5000, np.int32), np.zeros(5000, np.int32)
    if by_hash:
        found = refine_by_hash(numbers, values, first, out)
    else:
        found = refine(numbers, count, values, first, out)
    want, places = numbered(numbers, values)
    assert out.tolist() == want
    assert first[:found].tolist() == places


def test_both_ways_of_looking_up_agree_at_their_border():
    """As many places as the table may have, and one more."""
    assert tally.MOST_PLACES % 64 == 0
    for width in (tally.MOST_PLACES // 64, tally.MOST_PLACES // 64 + 1):
        rng = np.random.default_rng(width)
        numbers = rng.integers(0, 64, 20_000).astype(np.int32)
        values = rng.integers(0, width, 20_000).astype(np.int32)
        values[:2] = 0, width - 1
        first, out = np.zeros(20_000, np.int32), np.zeros(20_000, np.int32)
        refine(numbers, 64, values, first, out)
        assert out.tolist() == numbered(numbers, values)[0]


def test_numbers_may_be_refined_in_place():
    rng = np.random.default_rng(1)
    columns = rng.integers(0, 5, (3, 2000)).astype(np.int32)
    numbers, first = np.zeros(2000, np.int32), np.zeros(2000, np.int32)
    count = 1
    for values in columns:
        count = refine(numbers, count, values, first, numbers)
    assert count == len(set(map(tuple, columns.T.tolist())))
    told = np.zeros(count, np.int64)
    add_up(numbers, np.full(2000, 10**12), told)
    for number in range(count):
        same = (columns == columns[:, [first[number]]]).all(axis=0)
        assert told[number] == 10**12 * same.sum()


def test_nothing_to_number():
    none = np.zeros(0, np.int32)
    assert refine(none, 0, none, none, none) == 0
