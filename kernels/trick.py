"""Who wins a trick.

The strength of a play is the index of its deciding place: trump lies above the side
suits in the layout, so a ruff outranks them by itself; -1 says that it cannot win.
"""

import numpy as np

from kernels.bits import U0, highest, highest_index, lowest, popcount
from kernels.jit import jit, jit_inline
from kernels.layout import TRUMP, fold, top_place
from kernels.shape import (
    NIBBLE,
    NIBBLE_MASK,
    is_tractor,
    run_starts,
    spare_pairs,
    without_run,
)


@jit
def runs_fit(places, spare, runs, off_place):
    """Whether tractors of given lengths can be taken from places, disjointly.

    Parameters
    ----------
    places : uint64
        Place plane of pairs.
    spare : int64
        Further pairs on the shared place of the equal level cards.
    runs : uint64
        Lengths, a nibble each.
    off_place : uint64
    """
    if runs == U0:
        return True
    length = np.int64(runs & NIBBLE_MASK)
    starts = run_starts(places, length)
    while starts:
        start = lowest(starts)
        starts ^= start
        left, left_spare = without_run(places, spare, start, length, off_place)
        if runs_fit(left, left_spare, runs >> NIBBLE, off_place):
            return True
    return False


@jit
def match_throw(one, two, lead_runs, lead_pairs, layout):
    """Highest place at which cards match a throw's largest component, or -1.

    Of all ways to take the throw's components from the cards, the one that shows its
    largest component highest counts (RULES.md section 6).
    """
    if popcount(two) < lead_pairs:
        return -1
    if lead_pairs == 0:
        return top_place(one, layout)
    places = fold(two, layout)
    if lead_runs == U0:
        return highest_index(places)
    spare = spare_pairs(two, layout)
    length = np.int64(lead_runs & NIBBLE_MASK)
    starts = run_starts(places, length)
    while starts:
        start = highest(starts)
        starts ^= start
        left, left_spare = without_run(places, spare, start, length, layout.off_place)
        if runs_fit(left, left_spare, lead_runs >> NIBBLE, layout.off_place):
            return highest_index(start) + length - 1
    return -1


@jit_inline
def strength(one, two, suit, cards, runs, pairs, is_throw, layout):
    """Strength of a follow against a lead: index of its deciding place, or -1.

    Parameters
    ----------
    one, two : uint64
        The play, as many cards as were led.
    suit, cards, runs, pairs, is_throw
        The lead: effective suit, number of cards, tractors, pairs, more than one
        component.
    layout : LAYOUT record
    """
    if one & ~layout.suit[suit] and one & ~layout.trumps:
        return -1
    if cards == 1:
        return top_place(one, layout)
    if not is_throw:
        if cards == 2:
            return top_place(one, layout) if two == one else -1
        return top_place(one, layout) if is_tractor(one, two, pairs, layout) else -1
    if suit == TRUMP or one & ~layout.trumps:
        return -1
    return match_throw(one, two, runs, pairs, layout)


@jit
def lead_strength(one, layout):
    """Strength of a lead: of a throw it only needs to lose to ruffs."""
    return top_place(one, layout)
