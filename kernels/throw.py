"""The throw check: does a throw stand, and what is led when it fails."""

import numpy as np

from kernels.bits import U0, highest_index, lowest_index
from kernels.jit import jit
from kernels.layout import fold, top_place
from kernels.planes import at_least, load, within
from kernels.shape import next_component, run_starts, without_component


@jit
def is_beaten(width, length, slots, others, layout):
    """Whether cards of the same suit hold a higher component of the same kind.

    Parameters
    ----------
    width, length, slots
        The component: copies of each card, places, and the slots it stands on.
    others : planes
        Another hand's cards of the suit.
    layout : LAYOUT record
    """
    top = top_place(slots, layout)
    tuples = at_least(others, width)
    if length == 1:
        return top_place(tuples, layout) > top
    starts = run_starts(fold(tuples, layout), length)
    return highest_index(starts) + length - 1 > top


@jit
def smallest_failing(cards, hands, leader, layout):
    """The component that a failed throw is forced down to (RULES.md section 6).

    Parameters
    ----------
    cards : planes
        The throw: two or more components of one suit.
    hands : PLANES_DTYPE[4]
        Slot planes of all seats; the leader's own are not read.
    leader : int64
    layout : LAYOUT record

    Returns
    -------
    width : int64
        0 the throw stands; else of the smallest failing component: fewest cards, then
        narrowest, then lowest, then S H C D.
    slots : uint64
    """
    lane = layout.suit[layout.suit_of[lowest_index(cards[0])]]
    forced_width, forced_slots, forced_key = 0, U0, np.int64(1) << 40
    left = cards
    while left[0]:
        width, length, slots = next_component(left, layout)
        left = without_component(left, width, slots)
        fails = False
        for step in range(1, 4):
            others = within(load(hands[(leader + step) & 3]), lane)
            fails |= is_beaten(width, length, slots, others, layout)
        if fails:
            place = top_place(slots, layout)
            key = (width * length << 20) + (width << 16) + (place << 8)
            key += lowest_index(slots)
            if key < forced_key:
                forced_width, forced_slots, forced_key = width, slots, key
    return forced_width, forced_slots
