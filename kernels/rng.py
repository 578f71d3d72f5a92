"""Random numbers that are a function of their key, and the shuffle.

A key is made of (seed, deal index or match, deal in the match, redeal, stream, seat);
the numbers that follow it are splitmix64's. Steele, Lea, Flood, "Fast splittable
pseudorandom number generators", OOPSLA 2014.
"""

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from kernels.bits import U1
from kernels.codes import FACES
from kernels.jit import jit

# Whatever changes a key's numbers, or their use, raises sim.task.STREAM_VERSION.

# Streams: one purpose each, so that rules and policies meet the same cards.
SHUFFLE, POLICY, TURNED_CARD = range(3)

GOLDEN = np.uint64(0x9E3779B97F4A7C15)
MIX1, MIX2 = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
S27, S30, S31, S32 = np.uint64(27), np.uint64(30), np.uint64(31), np.uint64(32)


@intrinsic
def high_product(typing_context, a, b):
    """Upper 64 bits of the 128-bit product of two uint64."""

    def build(context, builder, signature, args):
        wide = ir.IntType(128)
        product = builder.mul(builder.zext(args[0], wide), builder.zext(args[1], wide))
        shifted = builder.lshr(product, ir.Constant(wide, 64))
        return builder.trunc(shifted, ir.IntType(64))

    return types.uint64(types.uint64, types.uint64), build


@jit
def mix(state):
    """splitmix64's finaliser: a bijection that scatters one uint64."""
    state = (state ^ (state >> S30)) * MIX1
    state = (state ^ (state >> S27)) * MIX2
    return state ^ (state >> S31)


@jit
def deal_key(seed, index, deal, redeal):
    """Key of one shuffle: the seed, its place and how many were thrown away before.

    Parameters
    ----------
    seed : uint64
    index, deal, redeal : int64
        Deal index and 0; in a match its number and the deal's number in it.

    Returns
    -------
    uint64
    """
    key = mix(seed + GOLDEN)
    key = mix((key ^ np.uint64(index)) + GOLDEN)
    key = mix((key ^ np.uint64(deal)) + GOLDEN)
    return mix((key ^ np.uint64(redeal)) + GOLDEN)


@jit
def stream_key(key, stream, seat):
    """State from which one seat's numbers for one purpose start."""
    return mix((key ^ np.uint64(stream * 8 + seat)) + GOLDEN)


@jit
def draw(state):
    """Next 64 random bits of a stream.

    Parameters
    ----------
    state : record with a field `random`, uint64
        Moved on.
    """
    state.random += GOLDEN
    return mix(state.random)


@jit
def below(state, bound):
    """Unbiased integer (int64) in 0..bound-1, for 1 <= bound < 2**32.

    Lemire, "Fast random integer generation in an interval", 2019, on 32 bits.
    """
    wide = np.uint64(bound)
    while True:
        product = (draw(state) >> S32) * wide
        low = product & np.uint64(0xFFFFFFFF)
        if low >= wide or low >= (np.uint64(0x100000000) - wide) % wide:
            return np.int64(product >> S32)


def _batches(cards: int) -> np.ndarray:
    """Cut a shuffle's bounds cards .. 2 into runs whose product fits 64 bits."""
    batches = []
    bound = cards
    while bound > 1:
        first, product = bound, 1
        while bound > 1 and product * bound < 2**64:
            product *= bound
            bound -= 1
        batches.append((first, bound, product, 2**64 % product))
    return np.array(batches, np.uint64)


SORTED_2, SORTED_3, SORTED_4 = (
    np.repeat(np.arange(FACES, dtype=np.int8), decks) for decks in (2, 3, 4)
)
BATCHES_2, BATCHES_3, BATCHES_4 = (_batches(FACES * decks) for decks in (2, 3, 4))


@jit
def shuffle(key, deck):
    """Shuffle two to four decks, every order equally likely (Fisher and Yates).

    Several bounded draws are taken from one 64-bit number: the high word of number x
    bound is a draw and the low word is what randomness is left. It is exact when the
    whole batch is thrown away if the last low word is below 2**64 mod the product of
    its bounds. Brackett-Rozinsky and Lemire, "Batched ranged random integer
    generation", 2024.

    Parameters
    ----------
    key : uint64
        A stream_key of SHUFFLE.
    deck : int8[108], [162] or [216]
        Written: faces 0..53, once for each deck; place 0 is drawn first.
    """
    decks = len(deck) // FACES
    batches, sorted_deck = BATCHES_2, SORTED_2
    if decks == 3:
        batches, sorted_deck = BATCHES_3, SORTED_3
    elif decks == 4:
        batches, sorted_deck = BATCHES_4, SORTED_4
    for card in range(len(deck)):
        deck[card] = sorted_deck[card]
    state = key
    for batch in range(len(batches)):
        bound, last = batches[batch, 0], batches[batch, 1]
        product, reject = batches[batch, 2], batches[batch, 3]
        state += GOLDEN
        number = mix(state)
        # The low word that is left of `number` once it has been drawn from.
        while number * product < reject:
            state += GOLDEN
            number = mix(state)
        # Unsigned places: a signed one would be asked whether it counts from the end.
        while bound > last:
            other = high_product(number, bound)
            number *= bound
            bound -= U1
            deck[bound], deck[other] = deck[other], deck[bound]
