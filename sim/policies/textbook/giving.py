"""Giving: which cards to part with, the ones worth least or the ones with points.

Every function builds a play that is legal by construction; whether it is wise is for
the files of leading and following to say.
"""

from kernels.bits import ALL, lowest
from kernels.follow import LIKED
from kernels.jit import jit
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


@jit
def first_of(first, second, third, fourth):
    """The first mask that is not empty, without a branch; the fourth if none is."""
    third = third if third else fourth
    second = second if second else third
    return first if first else second


@jit
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
    last = first_of(kept, tens, trumps, one)
    last = fives if fives else last
    saved = first_of(plain & ~two, plain, last, last)
    if style == FEEDING:
        return first_of(tens, fives, saved, saved)
    return saved


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
    if need == 1:
        return copies(lowest(first_to_go(cards, style, keep, layout)), 1, cards)
    took, left = no_cards(cards), cards
    while need > 0:
        tier = first_to_go(left, style, keep, layout)
        more = take_lowest(left, tier, need)
        need -= count_cards(more)
        took, left = add_cards(took, more), remove_cards(left, more)
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


@jit
def discard_tier(tier, style, two, keep, layout):
    """Slots that are given up in the given turn, 0 first, when discarding."""
    side = ~layout.trumps
    plain = ~layout.points & ~keep
    if style == FEEDING:
        if tier == 0:
            return layout.tens & side & ~keep
        if tier == 1:
            return layout.fives & side & ~keep
        if tier == 2:
            return plain & side & ~two
        if tier == 3:
            return plain & side
        if tier == 4:
            return layout.points & side
        if tier == 5:
            return side
        return layout.trumps & ~keep if tier == 6 else ALL
    if tier == 0:
        return plain & side & ~two
    if tier == 1:
        return plain & side
    if tier == 2:
        return plain & layout.trumps
    if tier == 3:
        return keep & side & ~layout.points
    if tier == 4:
        return layout.fives & side
    if tier == 5:
        return side
    return layout.trumps & ~keep if tier == 6 else ALL


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
    tier = 0
    while need > 0:
        mask = discard_tier(tier, style, left[1], keep, layout) & left[0]
        if not mask:
            tier += 1
            continue
        # A void is made one suit at a time, the shortest first.
        suit = shortest_suit(left, mask, layout)
        if suit >= 0:
            mask &= layout.suit[suit]
        more = take_lowest(left, mask, need)
        need -= count_cards(more)
        took, left = add_cards(took, more), remove_cards(left, more)
    return took
