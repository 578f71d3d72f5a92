"""Leading: cash what cannot be beaten, throw what must stand, draw trumps when long.

Which suit is led is as good as drawn by lot, so a processor that guesses is mostly
wrong: the merits of the side suits are worked out without a jump.
"""

import numpy as np

from kernels.bits import U0, U1, choose, highest_each, lowest, popcount
from kernels.four import four, load_four, set_flags, with_word, word_of
from kernels.jit import jit, jit_inline
from kernels.layout import fold, outranked
from kernels.planes import (
    at_least,
    cards_of,
    choose_cards,
    copies,
    count_cards,
    exactly,
    load,
    no_cards,
    with_cards,
    within,
)
from kernels.shape import longest_run, run_mask, run_starts, tuples_on
from sim.policies.textbook.giving import SAVING, lowest_to_go
from sim.policies.view import is_declarers, suits_shown_by, unseen, with_trumps

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
EACH_WIDER = 3  # added to a triple or a quad: seldom beaten, dearly followed
NO_MERIT = -1000  # less than any lead's
TOO_FEW_OUT = 2  # cards of a suit unseen: a pair led would surely be ruffed


@jit_inline
def certain(cards, out, layout):
    """Cards that no unseen card of their suit beats, tuple against tuple: planes.

    Those of one suit, thrown together, stand: each tuple is no lower than any unseen
    one as wide.
    """
    sure = exactly(cards, 1) & ~outranked(out[0], layout)
    sure |= exactly(cards, 2) & ~outranked(out[1], layout)
    for width in range(3, len(cards) + 1):
        sure |= exactly(cards, width) & ~outranked(at_least(out, width), layout)
    return within(cards, sure)


@jit_inline
def first_highest(merits):
    """The highest of four merits, and the first place (0..3) where it stands."""
    best, place = np.int64(word_of(merits, 0)), 0
    for suit in range(1, 4):
        merit = np.int64(word_of(merits, suit))
        better = merit > best
        best, place = choose(better, merit, best), choose(better, suit, place)
    return best, place


@jit
def best_run(tuples, out, risk):
    """The longest run of a side suit's tuples, if few unseen ones beat it.

    Parameters
    ----------
    tuples, out : uint64
        Tuples of one width and side suit: this seat's, and the unseen ones.
    risk : int64
        Most unseen runs that may be higher.

    Returns
    -------
    uint64
        Its slots, or none.
    """
    length, start = longest_run(tuples)  # in a side suit, slots are places
    above = out & ~(start | (start - U1))
    if popcount(run_starts(above, length)) > risk:
        return U0
    return run_mask(start, length)


@jit_inline
def lead_sides(
    hand, out, sure, lanes, less, safe, mate_ruffs, out_trumps, low, thresholds
):
    """The best lead of each side suit, all suits at once: (merits, planes of Fours).

    Parameters
    ----------
    hand, out, sure : planes
        This seat's cards, the unseen ones, and those of this seat that are certain.
    lanes : Four
        The suits' slots.
    less : int64
        What the danger of a ruff takes off.
    safe : Flags
        No enemy will surely ruff the suit.
    mate_ruffs : Flags
        A seat of this side is out of the suit, and may hold trumps.
    out_trumps : int64
        Trumps in other hands.
    low : uint64
        Cards of the hand that may be led low.
    thresholds : THRESHOLDS record

    Returns
    -------
    Four, planes of Fours
        A suit whose merit is that of a low card has no cards here.
    """
    cards, out_here = within(hand, lanes), within(out, lanes)
    number, unseen_cards = count_cards(cards), count_cards(out_here)
    less = choose(unseen_cards < thresholds.ruff_fear, less, 0)
    # Short suits first: a void is worth a ruff. The card itself is chosen at the end.
    merit = choose(mate_ruffs & safe, PARTNER_RUFF, LOW_CARD)
    merit -= choose(low & lanes == U0, NOTHING_LOW, 0) + choose(safe, 0, RUFFED)
    merit -= number >> U1
    merit = choose(number == U0, NO_MERIT, merit)
    best = no_cards(cards)

    tops = within(sure, lanes)
    single = safe & (tops[0] != U0)
    merit = choose(single, TOP_SINGLE - less, merit)
    best = choose_cards(single, within(tops, highest_each(tops[0])), best)
    for width in range(2, len(cards) + 1):
        if width > 2 and at_least(hand, width) == U0:
            continue  # seldom there are any: this jump is well guessed
        tuples, out_tuples = at_least(cards, width), at_least(out_here, width)
        wider = EACH_WIDER * (width - 2)
        top = highest_each(tuples)
        higher = popcount(out_tuples & ~(top | (top - U1)))
        # A pair that may be beaten waits for the ace above it.
        waits = (higher > 0) & (tops[0] != U0)
        pair = safe & (tuples != U0) & (higher <= thresholds.pair_risk)
        pair &= (unseen_cards > TOO_FEW_OUT) & ~waits
        merit = choose(pair, TOP_PAIR + wider - less - higher * EACH_HIGHER_PAIR, merit)
        best = choose_cards(pair, copies(top, width, cards), best)
        runs = set_flags(safe & (tuples & (tuples >> U1) != U0))
        for suit in range(4):
            if runs >> suit & 1 == 0:
                continue
            run = best_run(
                word_of(tuples, suit),
                word_of(out_tuples, suit),
                thresholds.tractor_risk,
            )
            if run:
                worth = TRACTOR - np.int64(word_of(less, suit)) + popcount(run) + wider
                merit = with_word(merit, suit, worth)
                best = with_cards(best, suit, copies(run, width, hand))

    # A throw gains over single leads when there are cards left to fall on it; where too
    # few trumps are out to ruff it, nothing is feared.
    thrown = count_cards(tops)
    enough = thrown > out_trumps
    throw = ((thrown > 2) | (popcount(tops[0]) == 2)) & (enough | safe)
    merit = choose(throw, STANDING_THROW + thrown - choose(enough, 0, less), merit)
    return merit, choose_cards(throw, tops, best)


@jit_inline
def lead_trump(view, hand, out, sure, live, keep, thresholds, layout):
    """The best lead of trumps: (merit, planes).

    Parameters
    ----------
    view : VIEW record
    hand, out, sure : planes
        This seat's cards, the unseen ones, and those of this seat that are certain.
    live : bool
        An enemy may hold trumps.
    keep : uint64
        Cards that no unseen one beats, and honours.
    thresholds : THRESHOLDS record
    layout : LAYOUT record
    """
    cards = within(hand, layout.trumps)
    trumps = count_cards(cards)
    all_trumps = cards[0] == hand[0]
    drawing = (
        is_declarers(view, view.seat)
        & (trumps >= thresholds.draw_trumps)
        & (out[0] & layout.trumps != U0)
        & live
    )
    merit = choose(drawing, DRAW_TRUMPS, LOW_TRUMP)
    best = lowest_to_go(cards, SAVING, keep, layout)
    if (cards[1] != U0) & (drawing | all_trumps):
        more, best = lead_tuple(cards, layout)
        merit += more
    else:
        pointed = best[0] & layout.points != U0
        merit = choose(pointed, min(merit, TRUMP_POINTS), merit)
    rest = all_trumps & (count_cards(sure) == trumps)
    merit = choose(rest, THE_REST, choose(trumps == 0, NO_MERIT, merit))
    return merit, choose_cards(rest, cards, best)


@jit_inline
def lead_tuple(cards, layout):
    """The longest run of the widest trumps, or a lone tuple: (merit, planes)."""
    width = len(cards)
    while not at_least(cards, width):
        width -= 1
    tuples = at_least(cards, width)
    wider = EACH_WIDER * (width - 2)
    length, start = longest_run(fold(tuples, layout))
    if length >= 2:
        slots = tuples_on(run_mask(start, length), cards, width, layout)
        return TRUMP_TRACTOR + wider, copies(slots, width, cards)
    plain = tuples & ~layout.points
    pair = lowest(choose(plain != U0, plain, tuples))
    return TRUMP_PAIR + wider, copies(pair, width, cards)


@jit
def lead(view, layout, thresholds):
    """Lead the best of all suits: planes.

    Parameters
    ----------
    view : VIEW record
    layout : LAYOUT record
    thresholds : THRESHOLDS record
    """
    hand = load(view.hand)
    out = unseen(view, layout)
    sure = certain(hand, out, layout)
    out_trumps = count_cards(within(out, layout.trumps))
    enemies = with_trumps(view, ~view.mates)
    mates = with_trumps(view, view.mates & ~(1 << view.seat))
    ruffed = choose(out_trumps > 0, suits_shown_by(view, enemies), U0)
    mate_ruffs = suits_shown_by(view, mates)
    less = choose((out_trumps > 0) & (enemies != U0), RUFF_MAYBE, 0)
    unbeaten = hand[0] & ~outranked(out[0], layout)
    low = hand[0] & ~layout.points & ~unbeaten
    bits = four(1, 2, 4, 8)
    merits, leads = lead_sides(
        hand,
        out,
        sure,
        load_four(layout.suit),
        less,
        bits & ruffed == U0,
        bits & mate_ruffs != U0,
        out_trumps,
        low,
        thresholds,
    )
    best_merit, best_suit = first_highest(merits)
    best = cards_of(leads, best_suit)
    low_card = lowest_to_go(
        within(hand, layout.suit[best_suit]), SAVING, unbeaten, layout
    )
    best = choose_cards(best[0] == U0, low_card, best)
    keep = layout.level_cards | layout.jokers | unbeaten
    merit, cards = lead_trump(
        view, hand, out, sure, enemies != U0, keep, thresholds, layout
    )
    return choose_cards(merit > best_merit, cards, best)
