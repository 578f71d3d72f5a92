"""The shape of a set of cards of one suit: runs, components, the reading.

A component is a tuple of some width (single, pair, triple, quad) or a run of tuples on
neighbouring places (tractor, titanic, quad run); a lone tuple is a run of length 1. The
reading (RULES.md section 3) takes every card of a face into one tuple, as wide as the
copies are many: so the components of width w stand on the faces held exactly w times.
Every run is found on a place plane (kernels.layout), where neighbours are neighbouring
bits.
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
from kernels.jit import jit, jit_inline
from kernels.layout import fold, unfold
from kernels.planes import at_least, copies, exactly, remove_cards

# The components of one width as one number, a form: the lengths of the runs, a byte
# each, the longest lowest, and in the top byte the number of all tuples, those in runs
# included. A suit's sixteen places have room for five runs.
LENGTH = np.uint64(8)
LENGTH_MASK = np.uint64(0xFF)
RUNS_MASK = np.uint64(0xFFFFFFFFFFFF)
TUPLES = np.uint64(56)


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
        In places: 0 for an empty plane.
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
def spare_tuples(slots, layout):
    """Tuples of equal level cards beyond the one that their place shows: 0, 1 or 2."""
    return max(0, popcount(slots & layout.off) - 1)


@jit
def without_run(places, spare, start, length, off_place):
    """Places and spare tuples that are left when a run is taken: (places, spare).

    Parameters
    ----------
    places : uint64
        Place plane of tuples.
    spare : int64
        spare_tuples(...): while there is one, the shared place stays.
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
def form_of(tuples, layout):
    """The form of the components on some slots, all of one width.

    Parameters
    ----------
    tuples : uint64
        Slots of one suit, each of which holds one tuple.
    layout : LAYOUT record

    Returns
    -------
    uint64
        A form; 0 for none.
    """
    places = fold(tuples, layout)
    places &= (places >> U1) | (places << U1)
    form = np.uint64(popcount(tuples)) << TUPLES
    shift = U0
    while places:
        length, start = longest_run(places)
        form |= np.uint64(length) << shift
        shift += LENGTH
        places &= ~run_mask(start, length)
    return form


@jit_inline
def tuples_in(form):
    """Number (int64) of a form's tuples, those in runs included."""
    return np.int64(form >> TUPLES)


@jit_inline
def longest_in(form):
    """Length of a form's longest component: 0 of none, 1 of lone tuples."""
    if form == U0:
        return 0
    return max(1, np.int64(form & LENGTH_MASK))


@jit
def count_runs(form):
    """Number of a form's runs, and the tuples they hold together."""
    count, tuples = 0, 0
    runs = form & RUNS_MASK
    while runs:
        count += 1
        tuples += np.int64(runs & LENGTH_MASK)
        runs >>= LENGTH
    return count, tuples


@jit
def read_shape(cards, layout):
    """The forms of cards of one suit, from width 2 up: a tuple, one shorter than cards.

    Parameters
    ----------
    cards : planes
        Slot planes of cards of one suit.
    layout : LAYOUT record
    """
    if len(cards) == 2:
        return (form_of(cards[1], layout),)
    pairs = form_of(cards[1] & ~cards[2], layout)
    if len(cards) == 3:
        return pairs, form_of(cards[2], layout)
    triples = form_of(cards[2] & ~cards[3], layout)
    return pairs, triples, form_of(cards[3], layout)


@jit_inline
def no_shape(cards):
    """The forms of single cards: none."""
    if len(cards) == 2:
        return (U0,)
    if len(cards) == 3:
        return U0, U0
    return U0, U0, U0


@jit_inline
def widest_in(shape):
    """Width and length (int64) of a shape's largest component: 1 and 1 of singles."""
    width, length = 1, 1
    for place in range(len(shape)):
        if shape[place]:
            width, length = place + 2, longest_in(shape[place])
    return width, length


@jit
def components_in(form):
    """Number of components that a form tells of."""
    runs, in_runs = count_runs(form)
    return runs + tuples_in(form) - in_runs


@jit
def count_components(cards, layout):
    """Number of components in the reading of cards of one suit."""
    shape = read_shape(cards, layout)
    number = popcount(exactly(cards, 1))
    for form in shape:
        number += components_in(form)
    return number


@jit
def kinds_in(form):
    """Bits HAS_PAIR and HAS_TRACTOR of a form, were it one of pairs."""
    runs, in_runs = count_runs(form)
    kinds = HAS_TRACTOR if runs else 0
    return kinds | HAS_PAIR if tuples_in(form) > in_runs else kinds


@jit
def describe(cards, layout):
    """Kinds present and the longest run at each width, as a result row stores them.

    Returns
    -------
    kinds : int64
        Bits of kernels.codes.HAS_...
    pairs, triples, quads : int64
        Tuples of that width in the longest run; 1 lone ones, 0 none.
    """
    shape = read_shape(cards, layout)
    kinds = HAS_SINGLE if exactly(cards, 1) else 0
    for place in range(len(shape)):
        kinds |= kinds_in(shape[place]) << (2 * place)
    pairs = longest_in(shape[0])
    if len(cards) == 2:
        return kinds, pairs, 0, 0
    if len(cards) == 3:
        return kinds, pairs, longest_in(shape[1]), 0
    return kinds, pairs, longest_in(shape[1]), longest_in(shape[2])


@jit
def slots_on(places, slots, layout):
    """One of some slots on each of some places, the first of S H C D: a mask."""
    chosen = U0
    while places:
        place = lowest(places)
        places ^= place
        chosen |= lowest(unfold(place, layout) & slots)
    return chosen


@jit
def tuples_on(places, cards, width, layout):
    """A slot on each of some places that holds a tuple: the narrowest, then S H C D.

    Parameters
    ----------
    places : uint64
        Places, on each of which some card is held at least `width` times.
    cards : planes
    width : int64
    layout : LAYOUT record
    """
    wide = at_least(cards, width)
    if len(cards) == 2:
        return slots_on(places, wide, layout)
    slots = U0
    while places:
        place = lowest(places)
        places ^= place
        here = unfold(place, layout) & wide
        narrow = here
        # Of several kinds on one place the narrowest that suffices is used.
        if here & (here - U1):
            for more in range(len(cards), width, -1):
                kinds = here & ~at_least(cards, more)
                if kinds:
                    narrow = kinds
        slots |= lowest(narrow)
    return slots


@jit
def next_component(cards, layout):
    """First component of the reading of cards of one suit (RULES.md section 3).

    Returns
    -------
    width, length : int64
        Copies of each card; places it stands on.
    slots : uint64
        The slots it stands on, each once.
    """
    width = len(cards)
    while width > 1 and at_least(cards, width) == U0:
        width -= 1
    tuples = at_least(cards, width)
    if width == 1:
        place = highest(fold(tuples, layout))
        return 1, 1, lowest(unfold(place, layout) & tuples)
    length, start = longest_run(fold(tuples, layout))
    return width, length, tuples_on(run_mask(start, length), cards, width, layout)


@jit
def without_component(cards, width, slots):
    """Cards left when a component is taken: `width` copies on each of its slots."""
    return remove_cards(cards, copies(slots, width, cards))


@jit
def is_run(cards, width, length, layout):
    """Whether cards, `width` times `length` of them, are one such component."""
    tuples = at_least(cards, width)
    if tuples != cards[0] or popcount(tuples) != length:
        return False
    if length == 1:
        return True
    places = fold(tuples, layout)
    return run_mask(lowest(places), length) == places


@jit
def in_one_suit(mask, layout):
    """Effective suit (int64) of a non-empty set of slots; -1 when it holds several."""
    suit = np.int64(layout.suit_of[lowest_index(mask)])
    if mask & ~layout.suit[suit]:
        return -1
    return suit
