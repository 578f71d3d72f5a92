"""Following: the duty a hand owes to a lead, and whether a follow pays it.

RULES.md section 6 for two decks: owe the longest tractors you can up to the lead's,
then as many pairs as the lead has, then any cards of the suit.
"""

import numpy as np

from kernels.bits import U0, popcount
from kernels.codes import FOLLOW_SUIT
from kernels.jit import jit
from kernels.layout import count_cards, fold
from kernels.shape import (
    NIBBLE,
    NIBBLE_MASK,
    count_runs,
    longest_run,
    spare_pairs,
    without_run,
)

# A duty is a list of nibbles, its first entry highest, so that it compares as a number.
LIST_TOP = 60


@jit
def duty(pairs, lead_runs, lead_pairs, layout):
    """What cards of the led suit owe to a lead, or what they pay.

    Parameters
    ----------
    pairs : uint64
        Slot plane `two` of cards of the led suit.
    lead_runs : uint64
        The lead's tractors (shape.read_runs).
    lead_pairs : int64
        All pairs of the lead, those in tractors included.
    layout : LAYOUT record

    Returns
    -------
    uint64
        The duty list: a nibble an entry, in pairs, the first highest. Greater is more.
    """
    places = fold(pairs, layout)
    spare = spare_pairs(pairs, layout)
    entries = U0
    shift = LIST_TOP
    _, in_runs = count_runs(lead_runs)
    lone = lead_pairs - in_runs
    while lead_runs:
        owed = np.int64(lead_runs & NIBBLE_MASK)
        lead_runs >>= NIBBLE
        while owed >= 2:
            length, start = longest_run(places)
            if length < 2:
                break
            paid = min(owed, length)
            entries |= np.uint64(paid) << np.uint64(shift)
            shift -= 4
            start <<= np.uint64(length - paid)
            places, spare = without_run(places, spare, start, paid, layout.off_place)
            owed -= paid
        lone += owed
    for _ in range(min(lone, popcount(places) + spare)):
        entries |= np.uint64(1) << np.uint64(shift)
        shift -= 4
    return entries


@jit
def owes_shape(lead_pairs, is_throw, codes):
    """Whether a follower must answer pairs with pairs at all."""
    return lead_pairs > 0 and not (is_throw and codes.throw_follow == FOLLOW_SUIT)


LEGAL, WRONG_COUNT, WRONG_SUIT, DUTY_NOT_MET = range(4)


@jit
def judge_follow(hand_one, hand_two, one, two, suit, cards, runs, pairs, shape, layout):
    """Whether a follow is legal, and if not why.

    Parameters
    ----------
    hand_one, hand_two : uint64
        The whole hand, the play included.
    one, two : uint64
        The play, part of the hand.
    suit, cards, runs, pairs
        The lead: effective suit, number of cards, tractors, pairs.
    shape : bool
        owes_shape(...) of this lead and variant.
    layout : LAYOUT record

    Returns
    -------
    int64
        LEGAL, WRONG_COUNT, WRONG_SUIT or DUTY_NOT_MET.
    """
    if count_cards(one, two) != cards:
        return WRONG_COUNT
    lane = layout.suit[suit]
    held = count_cards(hand_one & lane, hand_two & lane)
    given = count_cards(one & lane, two & lane)
    if given < min(held, cards):
        return WRONG_SUIT
    if held <= cards or not shape:
        return LEGAL
    owed = duty(hand_two & lane, runs, pairs, layout)
    if duty(two & lane, runs, pairs, layout) < owed:
        return DUTY_NOT_MET
    return LEGAL
