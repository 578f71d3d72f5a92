"""Whether streams know of each other: what is compared, and its chances."""

import numpy as np
from chance import (
    Chances,
    of_chi_square,
    of_largest,
    of_normal,
    of_poisson,
)
from keys import AXES, BITS, RIGHT, draws_of, row_of_keys, states_of, words_of

# A turned card, a face, a seat's random card; a power of two takes no rejection.
BOUNDS = (8, 54, 33)
GOLDEN_INVERSE = np.uint64(pow(0x9E3779B97F4A7C15, -1, 2**64))
LONGEST = 1_000  # numbers that a stream of a deal may use


def bits_of(words: np.ndarray) -> np.ndarray:
    """Bits of words as -1 and 1, the lowest first: float32[n, 64]."""
    octets = words.astype("<u8").view(np.uint8).reshape(len(words), 8)
    return np.unpackbits(octets, axis=1, bitorder="little") * np.float32(2) - 1


def agreeing(name: str, first: np.ndarray, second: np.ndarray) -> Chances:
    """Whether any bit of one word goes with any bit of another."""
    z = (first.T @ second).astype(np.float64) / np.sqrt(len(first))
    return {
        name: of_chi_square(float((z * z).sum()), z.size),
        f"{name}, worst": of_largest(z),
    }


def neighbours(axis: int, number: int, how: int = RIGHT) -> Chances:
    """Streams whose keys follow each other along one of the key's numbers."""
    keys, name = row_of_keys(axis, number), AXES[axis]
    words = words_of(keys, how, 2)
    first = bits_of(np.ascontiguousarray(words[:, 0]))
    second = bits_of(np.ascontiguousarray(words[:, 1]))
    told = agreeing(f"{name}: bits of neighbours", first[:-1], first[1:])
    told |= agreeing(f"{name}: first and second words", first, second)
    # A bit with itself never varies.
    z = (first.T @ first).astype(np.float64)[np.triu_indices(64, 1)]
    z /= np.sqrt(number)
    told[f"{name}: bits of a word"] = of_chi_square(float(z @ z), len(z))
    z = first.sum(axis=0, dtype=np.float64) / np.sqrt(number)
    told[f"{name}: each bit"] = of_chi_square(float(z @ z), len(z))
    told[f"{name}: words"] = correlation(words[:-1, 0], words[1:, 0])
    for bound in BOUNDS:
        draws = draws_of(keys, bound, how)
        told[f"{name}: draws below {bound}"] = even(draws, bound)
        told[f"{name}: pairs of draws below {bound}"] = even(
            draws[:-1:2] * bound + draws[1::2], bound * bound
        )
    return told


def correlation(first: np.ndarray, second: np.ndarray) -> float:
    """Chance of how words, as fractions, go together."""
    first, second = (its / 2.0**64 - 0.5 for its in (first, second))
    return of_normal(float(first @ second) * 12 / np.sqrt(len(first)))


def even(drawn: np.ndarray, bound: int) -> float:
    """Whether all of 0..bound-1 are drawn alike."""
    counts = np.bincount(drawn, minlength=bound)
    each = len(drawn) / bound
    return of_chi_square(float(((counts - each) ** 2).sum() / each), bound - 1)


def avalanche(number: int, how: int = RIGHT) -> Chances:
    """Keys that differ in one bit: how often each bit of the first word changes."""
    rng = np.random.default_rng(5)
    told = {}
    for axis, bits in enumerate(BITS):
        keys = np.stack(
            [rng.integers(0, 2**it - 1, number, dtype=np.uint64) for it in BITS], axis=1
        )
        word = words_of(keys, how)[:, 0]
        changed = np.empty((bits, 64))
        for bit in range(bits):
            other = keys.copy()
            other[:, axis] ^= np.uint64(1 << bit)
            changed[bit] = bits_of(word ^ words_of(other, how)[:, 0]).sum(axis=0)
        z = changed / np.sqrt(number)
        name = f"{AXES[axis]}: one bit differs"
        told[name] = of_chi_square(float((z * z).sum()), z.size)
        told[f"{name}, worst"] = of_largest(z)
    return told


def collisions(keys: np.ndarray, how: int = RIGHT) -> Chances:
    """Words, and states, that meet: as many as birthdays do."""
    number = len(keys)
    pairs = number * (number - 1) / 2
    words, states = words_of(keys, how)[:, 0], states_of(keys, how)
    told = {}
    for name, its in (("words", words), ("states", states)):
        told[f"equal {name}"] = of_poisson(equal(its), pairs / 2.0**64)
        for shift in (0, 16, 32):
            part = its >> np.uint64(shift) & np.uint64(0xFFFFFFFF)
            told[f"{name} with equal bits from {shift}"] = of_poisson(
                equal(part), pairs / 2.0**32
            )
    # A stream's numbers are those of states that go up by steps of GOLDEN: counted in
    # such steps, streams that share numbers are close together.
    steps = np.sort(states * GOLDEN_INVERSE)
    gaps = np.diff(steps, append=steps[:1])
    told["streams that share numbers"] = of_poisson(
        int((gaps < LONGEST).sum()), number * number * LONGEST / 2.0**64
    )
    # The same at a distance at which some hundred are to be expected.
    reach = int(100 * 2.0**64 / number / number)
    told["streams near each other"] = of_poisson(
        int((gaps < reach).sum()), number * -np.expm1(-number * reach / 2.0**64)
    )
    return told


def equal(words: np.ndarray) -> int:
    """How many pairs of neighbours, sorted, are equal."""
    ordered = np.sort(words)
    return int((ordered[1:] == ordered[:-1]).sum())
