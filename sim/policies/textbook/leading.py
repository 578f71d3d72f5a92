"""Leading: cash what cannot be beaten, throw what must stand, draw trumps when long."""

import numpy as np

from kernels.bits import U0, highest, lowest, popcount
from kernels.jit import jit, jit_inline
from kernels.layout import TRUMP, count_cards, fold
from kernels.shape import longest_run, pairs_on, run_mask, run_starts
from sim.policies.textbook.giving import SAVING, spend
from sim.policies.textbook.knowledge import unbeaten
from sim.policies.view import has_shown, is_declarers, shown_suits, unseen

# The merit of a kind of lead; the lead with most is made. Numbers in between leave room
# for what is added and taken off below.
STANDING_THROW, TRACTOR, TOP_PAIR, TOP_SINGLE = 90, 80, 70, 69
PARTNER_RUFF, DRAW_TRUMPS, LOW_CARD, LOW_TRUMP = 40, 50, 20, 10
THE_REST = 200  # everything in hand stands: lead it all
TRUMP_TRACTOR, TRUMP_PAIR = 10, 5  # more than a lone trump
TRUMP_POINTS = 15  # no trump but point cards to lead low
# What is taken off: for the danger of a ruff, for its certainty, and where there is
# nothing to lead low but points and winners.
RUFF_MAYBE, RUFFED, NOTHING_LOW = 35, 6, 15
EACH_HIGHER_PAIR = 3  # taken off a pair for each that may beat it
NO_MERIT = -1000  # less than any lead's
TOO_FEW_OUT = 2  # cards of a suit unseen: a pair led would surely be ruffed


@jit
def certain(one, two, out_one, out_two, layout):
    """Cards of one suit that no unseen card beats, pair against pair: (one, two).

    Thrown together they stand: each component is a single no lower than any unseen
    card, or holds a pair no lower than any unseen pair.
    """
    singles = one & unbeaten(out_one, layout)
    pairs = two & unbeaten(out_two, layout)
    return singles | pairs, pairs | (two & singles)


@jit_inline
def suits_ruffed(view, out_trumps):
    """Which suits an enemy ruffs, and whether one may ruff at all.

    Parameters
    ----------
    out_trumps : int64
        Trumps in other hands.

    Returns
    -------
    suits : int64
        Bit s: an enemy who may hold trumps has shown out of suit s.
    any_ruffs : bool
    """
    if out_trumps == 0:
        return 0, False
    left = shown_suits(view.void, (view.seat + 1) & 3)
    right = shown_suits(view.void, (view.seat + 3) & 3)
    left_ruffs, right_ruffs = left >> TRUMP == 0, right >> TRUMP == 0
    suits = (left if left_ruffs else 0) | (right if right_ruffs else 0)
    return suits, left_ruffs or right_ruffs


@jit_inline
def best_tractor(two, out_two, risk):
    """The longest side tractor, if few unseen ones beat it.

    Parameters
    ----------
    two, out_two : uint64
        Pairs of one side suit: this seat's, and the unseen ones.
    risk : int64
        Most unseen tractors that may be higher.

    Returns
    -------
    uint64
        Its slots, or none.
    """
    if two & (two >> np.uint64(1)) == U0:
        return U0
    length, start = longest_run(two)  # in a side suit, slots are places
    above = out_two & ~(start | (start - np.uint64(1)))
    higher = run_starts(above, length)
    if popcount(higher) > risk:
        return U0
    return run_mask(start, length)


@jit
def lead_side(
    view, suit, out_one, out_two, out_trumps, ruffed, any_ruffs, thresholds, layout
):
    """The best lead of one side suit: (merit, one, two); no cards for a low one.

    Parameters
    ----------
    view : VIEW record
    suit : int64
        0..3, of which this seat holds cards.
    out_one, out_two : uint64
        Unseen cards, of all suits.
    out_trumps : int64
        How many of them are trumps.
    ruffed : bool
        An enemy will surely ruff this suit.
    any_ruffs : bool
        An enemy may hold trumps.
    thresholds : THRESHOLDS record
    layout : LAYOUT record
    """
    lane = layout.suit[suit]
    one, two = view.hand_one & lane, view.hand_two & lane
    out_one_here, out_two_here = out_one & lane, out_two & lane
    unseen_cards = count_cards(out_one_here, out_two_here)
    less = RUFF_MAYBE if any_ruffs and unseen_cards < thresholds.ruff_fear else 0
    sure_one, sure_two = certain(one, two, out_one_here, out_two_here, layout)
    sure_cards = count_cards(sure_one, sure_two)
    # A throw gains over single leads when there are cards left to fall on it.
    if sure_cards > 2 or popcount(sure_one) == 2:
        if sure_cards > out_trumps:  # too few trumps are out to ruff it
            return STANDING_THROW + sure_cards, sure_one, sure_two
        if not ruffed:
            return STANDING_THROW - less + sure_cards, sure_one, sure_two
    if not ruffed:
        if two:
            tractor = best_tractor(two, out_two_here, thresholds.tractor_risk)
            if tractor:
                return TRACTOR - less + popcount(tractor), tractor, tractor
            pair = highest(two)
            higher = popcount(out_two_here & ~(pair | (pair - np.uint64(1))))
            # A pair that may be beaten waits for the ace above it.
            waits = higher > 0 and sure_one != U0
            enough = unseen_cards > TOO_FEW_OUT
            if higher <= thresholds.pair_risk and enough and not waits:
                return TOP_PAIR - less - EACH_HIGHER_PAIR * higher, pair, pair
        if sure_one:
            slot = highest(sure_one)
            return TOP_SINGLE - less, slot, sure_two & slot
    partner = shown_suits(view.void, (view.seat + 2) & 3)
    partner_ruffs = partner >> suit & 1 and partner >> TRUMP == 0
    merit = PARTNER_RUFF if partner_ruffs and not ruffed else LOW_CARD
    if not one & ~layout.points & ~unbeaten(out_one_here, layout):
        merit -= NOTHING_LOW
    if ruffed:
        merit -= RUFFED
    # Short suits first: a void is worth a ruff. The card itself is chosen at the end.
    return merit - count_cards(one, two) // 2, U0, U0


@jit
def lead_trump(view, out_one, out_two, thresholds, layout):
    """The best lead of trumps: (merit, one, two).

    Parameters
    ----------
    view : VIEW record
        Of a hand that holds trumps.
    out_one, out_two : uint64
        Unseen cards, of all suits.
    thresholds : THRESHOLDS record
    layout : LAYOUT record
    """
    one, two = view.hand_one & layout.trumps, view.hand_two & layout.trumps
    trumps = count_cards(one, two)
    cards = count_cards(view.hand_one, view.hand_two)
    enemies_out = has_shown(view.void, (view.seat + 1) & 3, TRUMP) and has_shown(
        view.void, (view.seat + 3) & 3, TRUMP
    )
    out_one_here, out_two_here = out_one & layout.trumps, out_two & layout.trumps
    all_certain_one, all_certain_two = certain(
        one, two, out_one_here, out_two_here, layout
    )
    if trumps == cards and count_cards(all_certain_one, all_certain_two) == cards:
        return THE_REST, one, two
    merit = LOW_TRUMP
    drawing = (
        is_declarers(view, view.seat)
        and trumps >= thresholds.draw_trumps
        and out_one_here != U0
        and not enemies_out
    )
    if drawing:
        merit = DRAW_TRUMPS
    keep = layout.level_cards | layout.jokers | (one & unbeaten(out_one_here, layout))
    if two and (drawing or trumps == cards):
        length, start = longest_run(fold(two, layout))
        if length >= 2:
            slots = pairs_on(run_mask(start, length), two, layout)
            return merit + TRUMP_TRACTOR, slots, slots
        pair = lowest(two & ~layout.points) if two & ~layout.points else lowest(two)
        return merit + TRUMP_PAIR, pair, pair
    slot_one, slot_two = spend(one, two, 1, SAVING, keep, layout)
    if slot_one & layout.points:
        merit = min(merit, TRUMP_POINTS)
    return merit, slot_one, slot_two


@jit
def lead(view, layout, thresholds):
    """Lead the best of all suits: planes (one, two).

    Parameters
    ----------
    view : VIEW record
    layout : LAYOUT record
    thresholds : THRESHOLDS record
    """
    out_one, out_two = unseen(view, layout)
    out_trumps = count_cards(out_one & layout.trumps, out_two & layout.trumps)
    suits, any_ruffs = suits_ruffed(view, out_trumps)
    best_merit, best_suit = NO_MERIT, -1
    best_one, best_two = U0, U0
    for suit in range(4):
        if view.hand_one & layout.suit[suit]:
            merit, one, two = lead_side(
                view,
                suit,
                out_one,
                out_two,
                out_trumps,
                suits >> suit & 1 == 1,
                any_ruffs,
                thresholds,
                layout,
            )
            if merit > best_merit:
                best_merit, best_one, best_two = merit, one, two
                best_suit = suit
    if view.hand_one & layout.trumps:
        merit, one, two = lead_trump(view, out_one, out_two, thresholds, layout)
        if merit > best_merit:
            return one, two
    if not best_one:
        lane = layout.suit[best_suit]
        one, two = view.hand_one & lane, view.hand_two & lane
        keep = one & unbeaten(out_one & lane, layout)
        return spend(one, two, 1, SAVING, keep, layout)
    return best_one, best_two
