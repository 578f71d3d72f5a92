"""Bits of a uint64 against Python's own integers."""

import random

import numpy as np
import pytest

from kernels import bits
from kernels.jit import jit

EDGES = [0, 2**64 - 1, 2**63, 2**63 - 1, 0xAAAAAAAAAAAAAAAA, 0x5555555555555555]


def masks(seed: int, count: int = 2000) -> list[int]:
    """Edges, every single bit, its neighbours, and masks of every density."""
    chance = random.Random(seed)
    single = [1 << place for place in range(64)]
    dense = [
        sum((chance.random() < share) << place for place in range(64))
        for share in (0.03, 0.2, 0.5, 0.9)
        for _ in range(count // 4)
    ]
    return [*EDGES, *single, *(mask - 1 for mask in single), *dense]


@jit
def numbers(mask):
    """Everything that counts, less 100: a result without a sign would show."""
    return (
        bits.popcount(mask) - 100,
        bits.lowest_index(mask) - 100,
        bits.leading_zeros(mask) - 100,
        bits.highest_index(mask) - 100,
    )


@jit
def parts(mask):
    return bits.lowest(mask), bits.highest(mask)


@pytest.mark.parametrize("seed", [1])
def test_counts_and_indices(seed):
    for mask in masks(seed):
        lowest = (mask & -mask).bit_length() - 1 if mask else 64
        assert numbers(np.uint64(mask)) == (
            mask.bit_count() - 100,
            lowest - 100,
            64 - mask.bit_length() - 100,
            mask.bit_length() - 1 - 100,
        ), hex(mask)


@pytest.mark.parametrize("seed", [2])
def test_lowest_and_highest(seed):
    for mask in masks(seed):
        lowest = mask & -mask
        highest = 1 << mask.bit_length() - 1 if mask else 0
        assert parts(np.uint64(mask)) == (lowest, highest), hex(mask)


def test_bit():
    assert [bits.bit(index) for index in range(64)] == [1 << n for n in range(64)]


@pytest.mark.parametrize("seed", [3])
def test_every_nth_bit(seed):
    for mask in masks(seed, 200):
        places = [place for place in range(64) if mask >> place & 1]
        for nth_bit in (bits.nth_bit, bits.nth_bit_by_steps):
            found = [nth_bit(np.uint64(mask), n) for n in range(len(places))]
            assert found == [1 << place for place in places], hex(mask)


@jit
def choices(condition, first, second):
    return bits.choose(condition, first, second), bits.choose(condition, -1, 1)


def test_choose():
    assert choices(True, bits.ALL, bits.U0) == (2**64 - 1, -1)
    assert choices(False, bits.ALL, bits.U0) == (0, 1)
