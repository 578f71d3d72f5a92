"""Who wins a trick.

The strength of a play is the index of its deciding place: trump lies above the side
suits in the layout, so a ruff outranks them by itself; -1 says that it cannot win.
"""

import numpy as np

from kernels.bits import U0, U1, choose, highest, highest_index, lowest, popcount
from kernels.jit import jit, jit_inline
from kernels.layout import TRUMP, fold, top_place, unfold
from kernels.planes import at_least, copies, exactly, load, remove_cards
from kernels.shape import (
    LENGTH,
    LENGTH_MASK,
    RUNS_MASK,
    TUPLES,
    count_runs,
    is_run,
    run_mask,
    run_starts,
    spare_tuples,
    tuples_in,
    without_run,
)


@jit
def runs_fit(places, spare, runs, off_place):
    """Whether runs of given lengths can be taken from places, disjointly.

    Parameters
    ----------
    places : uint64
        Place plane of pairs.
    spare : int64
        Further pairs on the shared place of the equal level cards.
    runs : uint64
        Lengths, a byte each.
    off_place : uint64
    """
    if runs == U0:
        return True
    length = np.int64(runs & LENGTH_MASK)
    starts = run_starts(places, length)
    while starts:
        start = lowest(starts)
        starts ^= start
        left, left_spare = without_run(places, spare, start, length, off_place)
        if runs_fit(left, left_spare, runs >> LENGTH, off_place):
            return True
    return False


@jit
def match_pairs(cards, form, layout):
    """`match_throw` with two decks, where all tuples are pairs."""
    pairs = cards[1]
    if popcount(pairs) < tuples_in(form):
        return -1
    if form == U0:
        return top_place(cards[0], layout)
    places = fold(pairs, layout)
    runs = form & RUNS_MASK
    if runs == U0:
        return highest_index(places)
    spare = spare_tuples(pairs, layout)
    length = np.int64(runs & LENGTH_MASK)
    starts = run_starts(places, length)
    while starts:
        start = highest(starts)
        starts ^= start
        left, left_spare = without_run(places, spare, start, length, layout.off_place)
        if runs_fit(left, left_spare, runs >> LENGTH, layout.off_place):
            return highest_index(start) + length - 1
    return -1


@jit
def lone_fit(cards, lone):
    """Whether lone tuples can be taken from cards, disjointly.

    Parameters
    ----------
    cards : planes
    lone : tuple of int64
        How many of each width, from 2 up.

    Notes
    -----
    A quad comes out of four copies, and a triple rather out of three than out of four:
    three copies would give one pair instead, four give two.
    """
    threes = popcount(exactly(cards, 3))
    fours = popcount(cards[3]) if len(cards) == 4 else 0
    if len(cards) == 4:
        fours -= lone[2]
        if fours < 0:
            return False
    threes -= lone[1]
    if threes < 0:
        fours += threes
        threes = 0
        if fours < 0:
            return False
    return popcount(exactly(cards, 2)) + threes + 2 * fours >= lone[0]


@jit
def lone_in(shape):
    """How many lone tuples a lead has of each width, from 2 up."""
    pairs = tuples_in(shape[0]) - count_runs(shape[0])[1]
    triples = tuples_in(shape[1]) - count_runs(shape[1])[1]
    if len(shape) == 2:
        return pairs, triples
    return pairs, triples, tuples_in(shape[2]) - count_runs(shape[2])[1]


@jit
def without_longest(shape, width):
    """A shape whose first run of a width is struck off, with its tuples."""
    form = shape[width - 2]
    length = np.int64(form & LENGTH_MASK)
    number = np.uint64(tuples_in(form) - length)
    left = (form & RUNS_MASK) >> LENGTH | number << TUPLES
    return with_form(shape, width, left)


@jit
def with_form(shape, width, form):
    """A shape with another form at one width."""
    pairs = form if width == 2 else shape[0]
    triples = form if width == 3 else shape[1]
    if len(shape) == 2:
        return pairs, triples
    return pairs, triples, form if width == 4 else shape[2]


@jit
def widest_run(shape):
    """Width of the widest form that has a run; 0 of none."""
    width = 0
    for place in range(len(shape)):
        if shape[place] & RUNS_MASK:
            width = place + 2
    return width


@jit
def kinds_on(places, cards, width, layout):
    """The equal level cards, any of which a run over some places may use: a mask.

    Empty where the run does not pass over their place.
    """
    if places & layout.off_place:
        return at_least(cards, width) & layout.off
    return U0


@jit
def without_tuples(cards, places, kind, width, layout):
    """Cards left when a run is taken; of the equal level cards it takes `kind`."""
    slots = kind
    places &= ~layout.off_place
    while places:
        place = lowest(places)
        places ^= place
        slots |= unfold(place, layout)
    return remove_cards(cards, copies(slots, width, cards))


@jit
def fit(cards, shape, layout):
    """Top place of a shape's widest, longest run if all its components fit, or -1.

    Every component is taken from the cards, disjointly. Runs are tried in all ways,
    from the highest down, also in which of the equal level cards they take. Without
    runs there is no such place: 0 if the lone tuples fit.
    """
    width = widest_run(shape)
    if width == 0:
        return 0 if lone_fit(cards, lone_in(shape)) else -1
    length = np.int64(shape[width - 2] & LENGTH_MASK)
    rest = without_longest(shape, width)
    starts = run_starts(fold(at_least(cards, width), layout), length)
    while starts:
        start = highest(starts)
        starts ^= start
        places = run_mask(start, length)
        kinds = kinds_on(places, cards, width, layout)
        while True:
            kind = lowest(kinds)
            kinds ^= kind
            left = without_tuples(cards, places, kind, width, layout)
            if fit(left, rest, layout) >= 0:
                return highest_index(start) + length - 1
            if kinds == U0:
                break
    return -1


@jit
def match_throw(cards, lead, layout):
    """Highest place at which cards match a throw's largest component, or -1.

    Of all ways to take the throw's components from the cards, the one that shows its
    largest component highest counts (RULES.md section 6).

    Parameters
    ----------
    cards : planes
    lead : LEAD record
    layout : LAYOUT record
    """
    shape = load(lead.shape)
    if len(cards) == 2:
        return match_pairs(cards, shape[0], layout)
    width = lead.width
    if width == 1:
        return top_place(cards[0], layout)
    if lead.length > 1:
        return fit(cards, shape, layout)
    # The widest tuples are lone: each of them in turn is the one that decides.
    rest = with_form(shape, width, shape[width - 2] - (U1 << TUPLES))
    slots = at_least(cards, width)
    while slots:
        slot = highest(slots)
        slots ^= slot
        left = remove_cards(cards, copies(slot, width, cards))
        if fit(left, rest, layout) >= 0:
            return top_place(slot, layout)
    return -1


@jit_inline
def strength(cards, lead, layout):
    """Strength of a follow against a lead: index of its deciding place, or -1.

    Parameters
    ----------
    cards : planes
        As many cards as were led.
    lead : LEAD record
    layout : LAYOUT record
    """
    one = cards[0]
    if lead.cards == 1:
        counts = one & (layout.suit[lead.suit] | layout.trumps) != U0
        return choose(counts, np.int64(layout.place_of[highest_index(one)]), -1)
    if one & ~layout.suit[lead.suit] and one & ~layout.trumps:
        return -1
    if not lead.throw:
        if not is_run(cards, lead.width, lead.length, layout):
            return -1
        return top_place(one, layout)
    if lead.suit == TRUMP or one & ~layout.trumps:
        return -1
    return match_throw(cards, lead, layout)
