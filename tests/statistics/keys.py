"""Streams to test: those of the game's keys, and of keys that are wrong on purpose."""

import numpy as np
from dealing import STATE

from kernels.jit import jit
from kernels.rng import GOLDEN, POLICY, below, deal_key, draw, mix, stream_key

# Faults, each of a kind that generators in the world have had.
(
    RIGHT,
    SUMMED,  # the numbers of the key are added up
    STEPPED,  # one generator: each key starts a few numbers further on
    FORGOTTEN,  # the last digit of each number of the key has no part in it
    BARE,  # the numbers are not mixed after they went in
    MODULO,  # a draw is one byte modulo the bound
    ROUNDED,  # a draw is a fraction times the largest, rounded: half for either end
) = range(7)
# The numbers a key is made of.
AXES = ("seed", "index", "deal", "redeal", "stream", "seat")
# Bits of each that are tried: what a run may take.
BITS = (64, 40, 14, 14, 2, 2)


@jit
def state_of(how, key):
    """The state of a stream from the six numbers of its key (uint64)."""
    if how == RIGHT or how >= MODULO:
        its = deal_key(key[0], np.int64(key[1]), np.int64(key[2]), np.int64(key[3]))
        return stream_key(its, np.int64(key[4]), np.int64(key[5]))
    if how == FORGOTTEN:
        one = np.uint64(1)
        its = deal_key(
            key[0] >> one,
            np.int64(key[1] >> one),
            np.int64(key[2] >> one),
            np.int64(key[3] >> one),
        )
        return stream_key(its, np.int64(key[4] >> one), np.int64(key[5] >> one))
    numbers = key[0]
    if how == SUMMED:
        for axis in range(1, 6):
            numbers += key[axis]
        return mix(numbers)
    # A digit of a large number to each.
    place = np.uint64(1)
    for axis in range(1, 6):
        place *= np.uint64(1000)
        numbers += key[axis] * place
    return numbers * GOLDEN if how == STEPPED else numbers


@jit
def fill_words(how, keys, states, words):
    """The first numbers of each key's stream."""
    state = states[0]
    for place in range(len(keys)):
        state.random = state_of(how, keys[place])
        for number in range(words.shape[1]):
            if how == BARE:
                state.random += GOLDEN
                words[place, number] = state.random
            else:
                words[place, number] = draw(state)


@jit
def fill_draws(how, keys, bound, states, draws):
    """The first bounded draw of each key's stream."""
    state = states[0]
    for place in range(len(keys)):
        state.random = state_of(how, keys[place])
        if how == MODULO:
            draws[place] = np.int64(draw(state) >> np.uint64(56)) % bound
        elif how == ROUNDED:
            high = np.int64(draw(state) >> np.uint64(32))
            draws[place] = (high * (bound - 1) + 2**31) >> 32
        else:
            draws[place] = below(state, bound)


@jit
def fill_states(how, keys, states):
    """The state of each key's stream."""
    for place in range(len(keys)):
        states[place] = state_of(how, keys[place])


def states_of(keys: np.ndarray, how: int = RIGHT) -> np.ndarray:
    """The states from which the streams of keys uint64[n, 6] start."""
    states = np.empty(len(keys), np.uint64)
    fill_states(how, keys, states)
    return states


def words_of(keys: np.ndarray, how: int = RIGHT, words: int = 1) -> np.ndarray:
    """The first numbers of streams: uint64[n, words]."""
    found = np.empty((len(keys), words), np.uint64)
    fill_words(how, keys, np.zeros(1, STATE), found)
    return found


def draws_of(keys: np.ndarray, bound: int, how: int = RIGHT) -> np.ndarray:
    """The first draw below a bound of each stream."""
    found = np.empty(len(keys), np.int64)
    fill_draws(how, keys, bound, np.zeros(1, STATE), found)
    return found


def row_of_keys(axis: int, number: int) -> np.ndarray:
    """Keys that follow each other: one of their numbers counts up (uint64[n, 6]).

    Streams and seats are few: there the deal counts up beside them.
    """
    keys = np.zeros((number, len(AXES)), np.uint64)
    keys[:, 0], keys[:, 1], keys[:, 2], keys[:, 4] = 1, 7, 3, POLICY
    count = np.arange(number, dtype=np.uint64)
    if AXES[axis] == "stream":
        keys[:, axis], keys[:, 1] = count % 3, count // 3
    elif AXES[axis] == "seat":
        keys[:, axis], keys[:, 1] = count % 4, count // 4
    else:
        keys[:, axis] = count
    return keys


def all_kinds(number: int) -> np.ndarray:
    """Different keys from all over: small numbers and large ones, every axis."""
    keys = np.concatenate(
        [row_of_keys(axis, number // 8)[1:] for axis in range(4)]
        + [row_of_keys(axis, number // 8) for axis in (4, 5)]
    )
    rng = np.random.default_rng(9)
    scattered = np.stack(
        [
            rng.integers(0, 2**bits, number // 4, dtype=np.uint64, endpoint=False)
            if bits < 64
            else rng.integers(0, 2**64, number // 4, dtype=np.uint64)
            for bits in BITS
        ],
        axis=1,
    )
    return np.unique(np.concatenate([keys, scattered]), axis=0)
