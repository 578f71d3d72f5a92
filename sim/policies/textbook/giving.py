"""Giving: which cards to part with, the ones worth least or the ones with points.

Every function builds a play that is legal by construction; whether it is wise is for
the files of leading and following to say.
"""

import numpy as np

from kernels.bits import U0, choose, lowest
from kernels.follow import LIKED
from kernels.jit import jit, jit_inline
from kernels.layout import fold
from kernels.planes import (
    add_cards,
    copies,
    copies_of,
    count_cards,
    join,
    no_cards,
    remove_cards,
    within,
)
from sim.policies.paying import pay_duty

# Styles of giving: the enemy the least, a partner who wins the points.
SAVING, FEEDING = range(2)


@jit
def take_lowest(cards, tier, need):
    """Up to `need` cards of a tier (a mask), the weakest first: planes."""
    took = no_cards(cards)
    left = cards[0] & tier
    if len(cards) == 2:  # the same, quicker
        one, two = took
        while need > 0 and left:
            slot = lowest(left)
            left ^= slot
            one |= slot
            need -= 1
            if need > 0 and cards[1] & slot:
                two |= slot
                need -= 1
        return one, two
    while need > 0 and left:
        slot = lowest(left)
        left ^= slot
        number = min(need, copies_of(slot, cards))
        took = join(took, copies(slot, number, cards))
        need -= number
    return took


@jit_inline
def first_of(first, second, third, fourth):
    """The first mask that is not empty, without a branch; the fourth if none is."""
    third = choose(third != U0, third, fourth)
    second = choose(second != U0, second, third)
    return choose(first != U0, first, second)


@jit_inline
def first_to_go(cards, style, keep, layout):
    """The cards of a suit that go first, all of one worth: a mask, empty of no cards.

    SAVING gives the least: no points, no pair broken, nothing of `keep`, before it
    gives any of these. FEEDING gives the most points first.
    """
    one, two = cards[0], cards[1]
    plain = one & ~layout.points & ~keep
    fives = one & layout.fives & ~keep
    tens = one & layout.tens & ~keep
    kept = one & keep & ~layout.points & ~layout.trumps
    trumps = one & ~layout.points & ~layout.level_cards & ~layout.jokers
    last = first_of(fives, kept, tens, first_of(trumps, one, one, one))
    saved = first_of(plain & ~two, plain, last, last)
    feeding = style == FEEDING
    fed = choose(feeding, tens, U0), choose(feeding, fives, U0)
    return first_of(fed[0], fed[1], saved, saved)


@jit_inline
def lowest_to_go(cards, style, keep, layout):
    """The one card of a suit that is given up: planes."""
    return copies(lowest(first_to_go(cards, style, keep, layout)), 1, cards)


@jit_inline
def pair_to_go(cards, style, keep, layout):
    """The pair of a suit that is given up to a pair led, of two decks: planes."""
    pairs = cards[1]
    loose = pairs & ~keep
    points, others = loose & layout.points, loose & ~layout.points
    fed = choose(style == FEEDING, points, U0)
    return copies(lowest(first_of(fed, others, pairs, pairs)), 2, cards)


@jit
def spend(cards, need, style, keep, layout):
    """Give up `need` cards of one suit: planes.

    Parameters
    ----------
    cards : planes
        The cards to choose among, at least `need`.
    need : int64
    style : int64
        SAVING or FEEDING, see `first_to_go`.
    keep : uint64
        Slots worth keeping: winners, honours, and when a partner wins what would take
        the trick over from him.
    layout : LAYOUT record
    """
    took, left = no_cards(cards), cards
    for _ in range(need):
        card = lowest_to_go(left, style, keep, layout)
        took, left = add_cards(took, card), remove_cards(left, card)
    return took


@jit
def give_in_suit(cards, style, keep, view, layout):
    """Follow with more cards of the led suit than were led: pay the duty, then spend.

    Parameters
    ----------
    cards : planes
        The hand's cards of the led suit.
    style, keep
        As in `spend`.
    """
    need, paid, left = view.lead.cards, no_cards(cards), cards
    if view.lead.owes_shape and cards[1]:
        points = fold(cards[1] & layout.points & ~keep, layout)
        others = fold(cards[1] & ~layout.points & ~keep, layout)
        liked = points if style == FEEDING and points else others
        paid = pay_duty(cards, LIKED, liked, view, layout)
        left = remove_cards(cards, paid)
        need -= count_cards(paid)
    if need == 0:
        return paid
    return add_cards(paid, spend(left, need, style, keep, layout))


@jit
def shortest_suit(cards, wanted, layout):
    """The side suit with fewest cards among those that hold a wanted one; or -1."""
    best, fewest = -1, 0
    for suit in range(4):
        lane = layout.suit[suit]
        if cards[0] & lane & wanted:
            number = count_cards(within(cards, lane))
            if best < 0 or number < fewest:
                best, fewest = suit, number
    return best


@jit_inline
def lowest_discard(cards, style, keep, layout):
    """The one card of other suits than the one led that is thrown off: planes."""
    one, two, side = cards[0], cards[1], ~layout.trumps
    plain = one & ~layout.points & ~keep
    loose = plain & side
    feeding = style == FEEDING
    tens, fives = one & layout.tens & side, one & layout.fives & side
    kept = one & keep & side & ~layout.points
    any_side, trumps = one & side, one & layout.trumps & ~keep
    fed = first_of((tens | fives) & side, any_side, trumps, one)
    saved = first_of(plain & layout.trumps, kept, fives, any_side)
    saved = first_of(saved, trumps, one, one)
    tier = first_of(loose & ~two, loose, choose(feeding, fed, saved), one)
    fed = first_of(tens & ~keep, fives & ~keep, tier, tier)
    tier = choose(feeding, fed, tier)
    # A void is made one suit at a time, the shortest first.
    chosen, fewest = tier, np.int64(1000)
    for suit in range(4):
        lane = layout.suit[suit]
        number = count_cards(within(cards, lane))
        shorter = (tier & lane != U0) & (number < fewest)
        fewest = choose(shorter, number, fewest)
        chosen = choose(shorter, tier & lane, chosen)
    return copies(lowest(chosen), 1, cards)


@jit
def discard(cards, need, style, keep, layout):
    """Throw off `need` cards of other suits than the one led: planes.

    Parameters
    ----------
    cards : planes
        The hand's cards outside the led suit, at least `need`.
    style, keep
        As in `spend`. FEEDING gives the points of side suits, trumps last: a trump
        would take the trick over.
    """
    took, left = no_cards(cards), cards
    for _ in range(need):
        card = lowest_discard(left, style, keep, layout)
        took, left = add_cards(took, card), remove_cards(left, card)
    return took
