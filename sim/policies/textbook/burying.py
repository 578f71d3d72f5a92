"""Burying: empty short side suits, keep what wins, bury points behind long trumps."""

import numpy as np

from kernels.bits import ALL, U0, U1, highest, lowest
from kernels.codes import BOTTOM_CARDS
from kernels.jit import jit
from kernels.layout import add_cards, count_cards, count_points, remove_cards
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
    """Bury 8 of the hand's 33 cards: planes (one, two).

    Parameters
    ----------
    view : VIEW record
    layout : LAYOUT record
    thresholds : THRESHOLDS record
    """
    one, two = view.hand_one, view.hand_two
    side = ~layout.trumps
    keep = U0
    for suit in range(4):
        keep |= side_winners(one, two, suit, thresholds, layout)
    trumps = count_cards(one & layout.trumps, two & layout.trumps)
    allowance = 0
    if trumps >= thresholds.bury_points_trumps:
        allowance = thresholds.bury_points_most
    put_one, put_two = U0, U0
    need = BOTTOM_CARDS

    # First the suits that can be emptied, the shortest first.
    plain = side & ~layout.points & ~keep
    tried = U0
    while need > 0:
        suit = shortest_suit(one, two, side & ~tried, layout)
        if suit < 0:
            break
        lane = layout.suit[suit]
        tried |= lane
        here_one, here_two = one & lane, two & lane
        points = count_points(here_one, here_two, layout)
        if here_one & keep or points > allowance:
            continue
        if count_cards(here_one, here_two) > need:
            continue
        allowance -= points
        put_one, put_two = put_one | here_one, put_two | here_two
        need -= count_cards(here_one, here_two)
        one, two = one & ~lane, two & ~lane

    # Then low cards, from the suit that they leave shortest; single ones before pairs.
    tier = 0
    while need > 0 and tier < 7:
        if tier == 0:
            mask = plain & ~two
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
            suit = shortest_suit(one, two, mask, layout)
            mask &= layout.suit[suit] if suit >= 0 else U0
        if not one & mask:
            tier += 1
            continue
        more_one, more_two = take_lowest(one, two, mask, need)
        need -= count_cards(more_one, more_two)
        put_one, put_two = add_cards(put_one, put_two, more_one, more_two)
        one, two = remove_cards(one, two, more_one, more_two)
    return put_one, put_two
