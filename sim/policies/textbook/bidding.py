"""Calling: trumps by length and honours, for the cards drawn; no trump on tops."""

import numpy as np

from kernels.bits import U0, U1, popcount
from kernels.calls import BJ_PAIR, LJ_PAIR, call_trump, callable_cards
from kernels.codes import ACE_LEVEL, BIG_JOKER, JOKER_LEVEL, LITTLE_JOKER, NO_TRUMP
from kernels.four import four, set_flags
from kernels.jit import jit, jit_inline
from kernels.layout import RANKS
from kernels.planes import count_cards, within
from sim.policies.view import is_partner

# Thresholds are for the hands of two decks; of more cards so much more is wanted.
FULL_HAND = 25
# A trump's worth: worths are in tenths of a trump, to stay whole numbers.
TRUMP_WORTH = 10
# What a card, or a pair, adds to a trump suit's worth besides; tops are ace and king.
BIG_JOKER_EXTRA, LITTLE_JOKER_EXTRA, LEVEL_EXTRA, PAIR_EXTRA, TOP_EXTRA = 10, 7, 4, 5, 2
# And what cards are worth at no trump.
JOKER_AT_NO_TRUMP, LEVEL_AT_NO_TRUMP, ACE_AT_NO_TRUMP, PAIR_AT_NO_TRUMP = 20, 12, 10, 6

# Faces of each printed suit.
PRINTED_SUITS = tuple(np.uint64(0x1FFF << RANKS * suit) for suit in range(4))


@jit
def trumps_of(suit, level):
    """Face mask of the trumps that a suit makes."""
    _, levels_and_jokers = callable_cards(level)
    return levels_and_jokers | np.uint64(0x1FFF) << np.uint64(RANKS * suit)


@jit
def count_trumps(cards, suit, level):
    """Trumps in a hand with a suit as trumps."""
    trumps = trumps_of(suit, level)
    return count_cards(within(cards, trumps))


@jit
def count_tuples(cards, mask):
    """Pairs among some cards; a triple counts as two, a quad as three."""
    number = 0
    for plane in cards[1:]:
        number += popcount(plane & mask)
    return number


@jit
def suit_worth(cards, suit, level):
    """What a hand is worth with a suit as trumps, in tenths of a trump."""
    levels, _ = callable_cards(level)
    big = U1 << np.uint64(BIG_JOKER)
    little = U1 << np.uint64(LITTLE_JOKER)
    tops = (np.uint64(0x1800) << np.uint64(RANKS * suit)) & ~levels
    worth = TRUMP_WORTH * count_trumps(cards, suit, level)
    worth += PAIR_EXTRA * count_tuples(cards, trumps_of(suit, level))
    worth += BIG_JOKER_EXTRA * (count_cards(within(cards, big)))
    worth += LITTLE_JOKER_EXTRA * (count_cards(within(cards, little)))
    worth += LEVEL_EXTRA * (count_cards(within(cards, levels)))
    return worth + TOP_EXTRA * (count_cards(within(cards, tops)))


@jit
def no_trump_worth(cards, level):
    """What a hand is worth without a trump suit, in tenths of a trump."""
    levels, _ = callable_cards(level)
    jokers = np.uint64(3) << np.uint64(LITTLE_JOKER)
    aces = callable_cards(ACE_LEVEL)[0] & ~levels
    side = ~levels & ~jokers
    worth = JOKER_AT_NO_TRUMP * (count_cards(within(cards, jokers)))
    worth += LEVEL_AT_NO_TRUMP * (count_cards(within(cards, levels)))
    worth += ACE_AT_NO_TRUMP * (count_cards(within(cards, aces)))
    return worth + PAIR_AT_NO_TRUMP * count_tuples(cards, side)


@jit
def standing_worth(view, cards, level):
    """What the hand is worth under the trump that stands."""
    if call_trump(view.call) == NO_TRUMP:
        return no_trump_worth(cards, level)
    return suit_worth(cards, call_trump(view.call), level)


@jit
def best_suit(legal, cards, level, fewest):
    """The call of a suit that is worth most, and its worth; -1 and -1 of none.

    Parameters
    ----------
    legal : int64
        Mask of legal calls.
    cards : planes
        Face planes of the cards drawn so far.
    level : int64
    fewest : int64
        Suits that make fewer trumps are left out.
    """
    best, best_worth = -1, -1
    for suit in range(4):
        if legal >> suit & 0x11 and count_trumps(cards, suit, level) >= fewest:
            worth = suit_worth(cards, suit, level)
            if worth > best_worth:
                best_worth = worth
                # A pair is shown at once where it may be: less can stand over it.
                best = suit + 4 if legal >> (suit + 4) & 1 else suit
    return best, best_worth


@jit_inline
def may_bid(cards, level, drawn, first_deal, thresholds):
    """Whether `call` may bid on some cards at all: it passes where this is False.

    Parameters
    ----------
    cards : planes
        Face planes of the cards drawn so far.
    level, drawn : int64
        As in `call`.
    first_deal : bool
        Of a match.
    thresholds : THRESHOLDS record
    """
    fewest = thresholds.first_deal_trumps if first_deal else thresholds.bid_trumps
    if drawn < fewest:
        return False
    levels, levels_and_jokers = callable_cards(level)
    suits = four(*PRINTED_SUITS)
    trumps = count_cards(within(cards, suits | levels_and_jokers))
    callable = cards[0] & levels & suits != U0
    return set_flags(callable & (trumps >= fewest)) != 0


@jit
def call(view, legal, cards, level, drawn, thresholds):
    """Bid, reinforce, overcall or pass.

    Parameters
    ----------
    view : VIEW record
        seat, declarer (-1 in a first deal), call and caller are read.
    legal : int64
        Mask of legal calls, not 0.
    cards : planes
        Face planes of the cards drawn so far.
    level, drawn : int64
        Level of the calls; cards this seat has drawn.
    thresholds : THRESHOLDS record

    Returns
    -------
    int64
        A call of `legal`, or -1.
    """
    if view.call < 0:
        wanted, fewest = thresholds.bid_score, thresholds.bid_trumps
        if view.declarer < 0:
            wanted -= thresholds.first_deal_discount
            fewest = thresholds.first_deal_trumps
        if drawn < fewest:
            return -1
        best, best_worth = best_suit(legal, cards, level, fewest)
        return best if best_worth * FULL_HAND >= wanted * drawn else -1
    best, best_worth = best_suit(legal, cards, level, 0)
    if view.caller == view.seat:
        reinforcement = view.call + 4
        if view.call < 4 and legal >> reinforcement & 1:
            return reinforcement
    now = standing_worth(view, cards, level)
    partner = is_partner(view, view.caller)
    gain = thresholds.partner_gain if partner else thresholds.overcall_gain
    if legal >> LJ_PAIR & 3:
        worth = no_trump_worth(cards, level)
        good = worth * FULL_HAND >= thresholds.no_trump_score * drawn
        if good and worth > best_worth and worth >= now + gain:
            return LJ_PAIR if legal >> LJ_PAIR & 1 else BJ_PAIR
    if best >= 0 and best_worth >= now + gain:
        if best_worth * FULL_HAND >= thresholds.bid_score * drawn:
            return best
    return -1


@jit
def best_worth(cards, level):
    """The suit that is worth most as trumps, and its worth, in tenths of a trump."""
    best, most = 0, -1
    for suit in range(4):
        worth = suit_worth(cards, suit, level)
        if worth > most:
            best, most = suit, worth
    return best, most


@jit
def trump(cards, level):
    """The trump suit to pick: 0..3."""
    return best_worth(cards, level)[0]


@jit
def target(highest, take_over, cards, level, thresholds):
    """Call the highest target allowed if the hand is worth it: points, or -1.

    A hand of `auction_worth` may call the take-over bound; each `auction_step` more is
    worth a target lower by 5. Cards of more decks are worth less each.

    Parameters
    ----------
    highest, take_over : int64
        Points.
    cards : planes
        Face planes of the hand.
    level : int64
    thresholds : THRESHOLDS record
    """
    worth = no_trump_worth(cards, level)
    if level < JOKER_LEVEL:
        worth = best_worth(cards, level)[1]
    over = worth * FULL_HAND // count_cards(cards) - thresholds.auction_worth
    if over < 0:
        return -1
    lowest = take_over - 5 * (over // thresholds.auction_step)
    return highest if highest >= lowest else -1


@jit
def redeal(cards, level, trump, thresholds):
    """Whether a hand with few points is weak otherwise too."""
    worth = no_trump_worth(cards, level)
    if trump < NO_TRUMP:
        worth = suit_worth(cards, trump, level)
    return worth * FULL_HAND < thresholds.redeal_worth * count_cards(cards)
