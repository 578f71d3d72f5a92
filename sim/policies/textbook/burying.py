"""Burying: empty short side suits, keep what wins, bury points behind long trumps."""

import numpy as np

from kernels.bits import ALL, U0, U1, highest, lowest
from kernels.jit import jit
from kernels.layout import count_points
from kernels.planes import (
    add_cards,
    bottom_cards,
    count_cards,
    join,
    load,
    no_cards,
    remove_cards,
    within,
)
from kernels.shape import run_starts
from sim.policies.textbook.giving import shortest_suit, take_lowest


@jit
def side_winners(one, two, suit, thresholds, layout):
    """Slots of a side suit to keep: aces, kings under both, high pairs, tractors."""
    lane = layout.suit[suit]
    if not one & lane:
        return U0
    top = highest(lane)
    keep = one & top
    if two & top:
        keep |= one & (top >> U1)
    pairs = two & lane
    first_kept = lowest(lane) << np.uint64(thresholds.bury_pair_rank)
    keep |= pairs & ~(first_kept - U1)
    runs = run_starts(pairs, 2)  # in a side suit, slots are places
    return keep | runs | (runs << U1)


@jit
def bury(view, layout, thresholds):
    """Bury as many cards of the hand as the bottom has: planes.

    Parameters
    ----------
    view : VIEW record
    layout : LAYOUT record
    thresholds : THRESHOLDS record
    """
    left = load(view.hand)
    side = ~layout.trumps
    keep = U0
    for suit in range(4):
        keep |= side_winners(left[0], left[1], suit, thresholds, layout)
    trumps = count_cards(within(left, layout.trumps))
    allowance = 0
    if trumps >= long_trumps(left, thresholds):
        allowance = thresholds.bury_points_most
    put = no_cards(left)
    need = bottom_cards(left)

    # First the suits that can be emptied, the shortest first.
    plain = side & ~layout.points & ~keep
    tried = U0
    while need > 0:
        suit = shortest_suit(left, side & ~tried, layout)
        if suit < 0:
            break
        lane = layout.suit[suit]
        tried |= lane
        here = within(left, lane)
        points = count_points(here, layout)
        if here[0] & keep or points > allowance:
            continue
        if count_cards(here) > need:
            continue
        allowance -= points
        put, left = join(put, here), within(left, ~lane)
        need -= count_cards(here)

    # Then low cards, from the suit that they leave shortest; single ones before pairs.
    tier = 0
    while need > 0 and tier < 7:
        if tier == 0:
            mask = plain & ~left[1]
        elif tier == 1:
            mask = plain
        elif tier == 2:
            mask = side & layout.fives & ~keep
        elif tier == 3:
            mask = side & ~layout.points
        elif tier == 4:
            mask = layout.trumps & ~layout.points & ~layout.level_cards & ~layout.jokers
        elif tier == 5:
            mask = side
        else:
            mask = ALL
        if tier < 2:
            suit = shortest_suit(left, mask, layout)
            mask &= layout.suit[suit] if suit >= 0 else U0
        if not left[0] & mask:
            tier += 1
            continue
        more = take_lowest(left, mask, need)
        need -= count_cards(more)
        put, left = add_cards(put, more), remove_cards(left, more)
    return put


@jit
def long_trumps(cards, thresholds):
    """Trumps that keep the last trick: the threshold is for two decks' hands of 25."""
    if len(cards) == 2:
        return thresholds.bury_points_trumps
    return thresholds.bury_points_trumps * len(cards) // 2
