"""The throw check: does a throw stand, and what is led when it fails."""

import numpy as np

from kernels.bits import U0, highest_index, lowest_index
from kernels.jit import jit
from kernels.layout import fold, top_place
from kernels.shape import next_component, run_starts, without_component


@jit
def is_beaten(length, slots, one, two, layout):
    """Whether cards of the same suit hold a higher component of the same kind.

    Parameters
    ----------
    length, slots
        The component: 0 a single, 1 a pair, n >= 2 a tractor; its slots.
    one, two : uint64
        Another hand's cards of the suit.
    layout : LAYOUT record
    """
    top = top_place(slots, layout)
    if length == 0:
        return top_place(one, layout) > top
    starts = run_starts(fold(two, layout), length)
    return highest_index(starts) + length - 1 > top


@jit
def smallest_failing(one, two, hands, leader, layout):
    """The component that a failed throw is forced down to (RULES.md section 6).

    Parameters
    ----------
    one, two : uint64
        The throw: two or more components of one suit.
    hands : uint64[4, 2]
        Planes of all seats; the leader's own row is not read.
    leader : int64
    layout : LAYOUT record

    Returns
    -------
    length : int64
        -1 the throw stands; else of the smallest failing component: fewest cards, then
        narrowest, then lowest, then S H C D.
    slots : uint64
    """
    lane = layout.suit[layout.suit_of[lowest_index(one)]]
    forced_length, forced_slots, forced_key = -1, U0, np.int64(1) << 40
    while one:
        length, slots = next_component(one, two, layout)
        one, two = without_component(one, two, length, slots)
        fails = False
        for step in range(1, 4):
            seat = (leader + step) & 3
            fails |= is_beaten(
                length, slots, hands[seat, 0] & lane, hands[seat, 1] & lane, layout
            )
        if fails:
            # A tractor of n has 2n cards, a pair 2, a single 1: the length decides.
            place = top_place(slots, layout)
            key = (length << 16) + (place << 8) + lowest_index(slots)
            if key < forced_key:
                forced_length, forced_slots, forced_key = length, slots, key
    return forced_length, forced_slots
