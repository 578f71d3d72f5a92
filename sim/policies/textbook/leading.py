"""Leading: cash what cannot be beaten, throw what must stand, draw trumps when long."""

from kernels.bits import U0, U1, highest, lowest, popcount
from kernels.jit import jit, jit_inline
from kernels.layout import TRUMP, fold
from kernels.planes import (
    at_least,
    copies,
    count_cards,
    exactly,
    load,
    no_cards,
    within,
)
from kernels.shape import longest_run, run_mask, run_starts, tuples_on
from sim.policies.textbook.giving import SAVING, spend
from sim.policies.textbook.knowledge import unbeaten
from sim.policies.view import (
    has_shown,
    is_declarers,
    is_partner,
    shown_suits,
    unseen,
)

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


@jit
def certain(cards, out, layout):
    """Cards of one suit that no unseen card beats, tuple against tuple: planes.

    Thrown together they stand: each tuple is no lower than any unseen one as wide.
    """
    sure = exactly(cards, 1) & unbeaten(out[0], layout)
    sure |= exactly(cards, 2) & unbeaten(out[1], layout)
    for width in range(3, len(cards) + 1):
        sure |= exactly(cards, width) & unbeaten(at_least(out, width), layout)
    return within(cards, sure)


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
    suits, any_ruffs = 0, False
    if out_trumps == 0:
        return suits, any_ruffs
    for step in range(1, 4):
        seat = (view.seat + step) & 3
        shown = shown_suits(view.void, seat)
        if not is_partner(view, seat) and shown >> TRUMP == 0:
            suits |= shown
            any_ruffs = True
    return suits, any_ruffs


@jit_inline
def mate_ruffs(view, suit):
    """Whether a seat of this side has shown out of a suit, and may hold trumps."""
    for step in range(1, 4):
        seat = (view.seat + step) & 3
        shown = shown_suits(view.void, seat)
        if is_partner(view, seat) and shown >> suit & 1 and shown >> TRUMP == 0:
            return True
    return False


@jit_inline
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
    if tuples & (tuples >> U1) == U0:
        return U0
    length, start = longest_run(tuples)  # in a side suit, slots are places
    above = out & ~(start | (start - U1))
    if popcount(run_starts(above, length)) > risk:
        return U0
    return run_mask(start, length)


@jit
def lead_side(view, suit, out, out_trumps, ruffed, any_ruffs, thresholds, layout):
    """The best lead of one side suit: (merit, planes); no cards for a low one.

    Parameters
    ----------
    view : VIEW record
    suit : int64
        0..3, of which this seat holds cards.
    out : planes
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
    cards, out_here = within(load(view.hand), lane), within(out, lane)
    unseen_cards = count_cards(out_here)
    less = RUFF_MAYBE if any_ruffs and unseen_cards < thresholds.ruff_fear else 0
    sure = certain(cards, out_here, layout)
    sure_cards = count_cards(sure)
    # A throw gains over single leads when there are cards left to fall on it.
    if sure_cards > 2 or popcount(sure[0]) == 2:
        if sure_cards > out_trumps:  # too few trumps are out to ruff it
            return STANDING_THROW + sure_cards, sure
        if not ruffed:
            return STANDING_THROW - less + sure_cards, sure
    if not ruffed:
        for width in range(len(cards), 1, -1):
            tuples = at_least(cards, width)
            if not tuples:
                continue
            out_tuples = at_least(out_here, width)
            run = best_run(tuples, out_tuples, thresholds.tractor_risk)
            wider = EACH_WIDER * (width - 2)
            if run:
                merit = TRACTOR - less + popcount(run) + wider
                return merit, copies(run, width, cards)
            top = highest(tuples)
            higher = popcount(out_tuples & ~(top | (top - U1)))
            # A pair that may be beaten waits for the ace above it.
            waits = higher > 0 and sure[0] != U0
            enough = unseen_cards > TOO_FEW_OUT
            if higher <= thresholds.pair_risk and enough and not waits:
                merit = TOP_PAIR - less - EACH_HIGHER_PAIR * higher + wider
                return merit, copies(top, width, cards)
        if sure[0]:
            return TOP_SINGLE - less, within(sure, highest(sure[0]))
    merit = PARTNER_RUFF if mate_ruffs(view, suit) and not ruffed else LOW_CARD
    if not cards[0] & ~layout.points & ~unbeaten(out_here[0], layout):
        merit -= NOTHING_LOW
    if ruffed:
        merit -= RUFFED
    # Short suits first: a void is worth a ruff. The card itself is chosen at the end.
    return merit - count_cards(cards) // 2, no_cards(cards)


@jit_inline
def enemies_out_of_trumps(view):
    """Whether every enemy has shown out of trumps."""
    for step in range(1, 4):
        seat = (view.seat + step) & 3
        if not is_partner(view, seat) and not has_shown(view.void, seat, TRUMP):
            return False
    return True


@jit
def lead_trump(view, out, thresholds, layout):
    """The best lead of trumps: (merit, planes).

    Parameters
    ----------
    view : VIEW record
        Of a hand that holds trumps.
    out : planes
        Unseen cards, of all suits.
    thresholds : THRESHOLDS record
    layout : LAYOUT record
    """
    hand = load(view.hand)
    cards, out_here = within(hand, layout.trumps), within(out, layout.trumps)
    trumps = count_cards(cards)
    all_trumps = trumps == count_cards(hand)
    if all_trumps and count_cards(certain(cards, out_here, layout)) == trumps:
        return THE_REST, cards
    merit = LOW_TRUMP
    drawing = (
        is_declarers(view, view.seat)
        and trumps >= thresholds.draw_trumps
        and out_here[0] != U0
        and not enemies_out_of_trumps(view)
    )
    if drawing:
        merit = DRAW_TRUMPS
    keep = layout.level_cards | layout.jokers | cards[0] & unbeaten(out_here[0], layout)
    if cards[1] and (drawing or all_trumps):
        width = len(cards)
        while not at_least(cards, width):
            width -= 1
        tuples = at_least(cards, width)
        wider = EACH_WIDER * (width - 2)
        length, start = longest_run(fold(tuples, layout))
        if length >= 2:
            slots = tuples_on(run_mask(start, length), cards, width, layout)
            return merit + TRUMP_TRACTOR + wider, copies(slots, width, cards)
        plain = tuples & ~layout.points
        pair = lowest(plain) if plain else lowest(tuples)
        return merit + TRUMP_PAIR + wider, copies(pair, width, cards)
    card = spend(cards, 1, SAVING, keep, layout)
    if card[0] & layout.points:
        merit = min(merit, TRUMP_POINTS)
    return merit, card


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
    out_trumps = count_cards(within(out, layout.trumps))
    suits, any_ruffs = suits_ruffed(view, out_trumps)
    best_merit, best_suit, best = NO_MERIT, -1, no_cards(hand)
    for suit in range(4):
        if hand[0] & layout.suit[suit]:
            merit, cards = lead_side(
                view,
                suit,
                out,
                out_trumps,
                suits >> suit & 1 == 1,
                any_ruffs,
                thresholds,
                layout,
            )
            if merit > best_merit:
                best_merit, best_suit, best = merit, suit, cards
    if hand[0] & layout.trumps:
        merit, cards = lead_trump(view, out, thresholds, layout)
        if merit > best_merit:
            return cards
    if not best[0]:
        lane = layout.suit[best_suit]
        keep = hand[0] & lane & unbeaten(out[0] & lane, layout)
        return spend(within(hand, lane), 1, SAVING, keep, layout)
    return best
