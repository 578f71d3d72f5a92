"""The shape of a set of cards of one suit: runs of pairs, components, the reading.

Two decks: a component is a single, a pair or a tractor. Every run is found on a place
plane (kernels.layout), where neighbours are neighbouring bits.
"""

import numpy as np

from kernels.bits import (
    U0,
    U1,
    highest,
    lowest,
    lowest_index,
    popcount,
)
from kernels.codes import HAS_PAIR, HAS_SINGLE, HAS_TRACTOR
from kernels.jit import jit
from kernels.layout import fold, unfold

NIBBLE = np.uint64(4)
NIBBLE_MASK = np.uint64(15)


@jit
def run_starts(places, length):
    """Places on which a run of `length` starts, going up: a mask."""
    starts = places
    for step in range(1, length):
        starts &= places >> np.uint64(step)
    return starts


@jit
def longest_run(places):
    """Length and lowest place of the longest run, the highest among equals.

    Parameters
    ----------
    places : uint64
        Place plane; a gap bit parts the suits.

    Returns
    -------
    length : int64
        In pairs: 0 for an empty plane.
    start : uint64
        The run's lowest place, one bit; 0 for an empty plane.

    Notes
    -----
    Each step keeps the places from which a run one longer starts.
    """
    length = 0
    starts = U0
    while places:
        starts = places
        places &= places >> U1
        length += 1
    return length, highest(starts)


@jit
def run_mask(start, length):
    """The `length` places from a lowest one upwards."""
    return start * ((U1 << np.uint64(length)) - U1)


@jit
def spare_pairs(pairs, layout):
    """Pairs of equal level cards beyond the one that their place shows: 0, 1 or 2."""
    return max(0, popcount(pairs & layout.off) - 1)


@jit
def without_run(places, spare, start, length, off_place):
    """Places and spare pairs that are left when a run is taken: (places, spare).

    Parameters
    ----------
    places : uint64
        Place plane of pairs.
    spare : int64
        spare_pairs(...): while there is one, the shared place stays.
    start : uint64
        The run's lowest place, one bit.
    length : int64
    off_place : uint64
        The place that the equal level cards share; 0 for none.
    """
    taken = run_mask(start, length)
    left = places & ~taken
    if taken & off_place and spare > 0:
        return left | off_place, spare - 1
    return left, spare


@jit
def read_runs(pairs, layout):
    """Lengths of the tractors in a reading, longest first.

    Parameters
    ----------
    pairs : uint64
        Slot plane `two` of cards of one suit.
    layout : LAYOUT record

    Returns
    -------
    uint64
        One nibble a tractor, the longest lowest; 0 for none. No hand has room for a run
        of more than 12 pairs.
    """
    places = fold(pairs, layout)
    places &= (places >> U1) | (places << U1)
    runs = U0
    shift = U0
    while places:
        length, start = longest_run(places)
        runs |= np.uint64(length) << shift
        shift += NIBBLE
        places &= ~run_mask(start, length)
    return runs


@jit
def count_runs(runs):
    """Number of tractors in a list of runs, and the pairs they hold together."""
    count, pairs = 0, 0
    while runs:
        count += 1
        pairs += np.int64(runs & NIBBLE_MASK)
        runs >>= NIBBLE
    return count, pairs


@jit
def count_components(one, two, layout):
    """Number of components in the reading of cards of one suit."""
    runs, in_runs = count_runs(read_runs(two, layout))
    pairs = popcount(two)
    return runs + pairs - in_runs + popcount(one) - pairs


@jit
def describe(one, two, layout):
    """Kinds present and the longest run, as a result row stores them.

    Returns
    -------
    kinds, run : int64
        Bits HAS_SINGLE, HAS_PAIR, HAS_TRACTOR; pairs in the longest run.
    """
    kinds = 0
    if one & ~two:
        kinds |= HAS_SINGLE
    if two == U0:
        return kinds, 0
    runs = read_runs(two, layout)
    if runs:
        kinds |= HAS_TRACTOR
    _, in_runs = count_runs(runs)
    if popcount(two) > in_runs:
        kinds |= HAS_PAIR
    return kinds, max(1, np.int64(runs & NIBBLE_MASK))


@jit
def pairs_on(places, pairs, layout):
    """One pair's slot on each of some places: the narrowest kind, then S H C D."""
    slots = U0
    while places:
        place = lowest(places)
        places ^= place
        slots |= lowest(unfold(place, layout) & pairs)
    return slots


@jit
def next_component(one, two, layout):
    """First component of the reading of cards of one suit (RULES.md section 3).

    Returns
    -------
    length : int64
        0 a single, 1 a pair, n >= 2 a tractor of n pairs.
    slots : uint64
        The slots it stands on, each once.
    """
    if two == U0:
        place = highest(fold(one, layout))
        return 0, lowest(unfold(place, layout) & one)
    length, start = longest_run(fold(two, layout))
    return length, pairs_on(run_mask(start, length), two, layout)


@jit
def without_component(one, two, length, slots):
    """Cards left when next_component's answer is taken away: (one, two)."""
    if length:
        return one & ~slots, two & ~slots
    return one & ~slots, two


@jit
def is_tractor(one, two, length, layout):
    """Whether cards are exactly a tractor of `length` pairs."""
    if one != two or popcount(two) != length:
        return False
    places = fold(two, layout)
    return run_mask(lowest(places), length) == places


@jit
def in_one_suit(one, layout):
    """Effective suit (int64) of a non-empty set of cards; -1 when it holds several."""
    suit = np.int64(layout.suit_of[lowest_index(one)])
    if one & ~layout.suit[suit]:
        return -1
    return suit
