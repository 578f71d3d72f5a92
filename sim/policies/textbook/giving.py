"""Giving: which cards to part with, the ones worth least or the ones with points.

Every function builds a play that is legal by construction; whether it is wise is for
the files of leading and following to say.
"""

from kernels.bits import ALL, U0, lowest, popcount
from kernels.jit import jit
from kernels.layout import count_cards, fold, remove_cards
from sim.policies.paying import LIKED, pay_duty

# Styles of giving: the enemy the least, a partner who wins the points.
SAVING, FEEDING = range(2)


@jit
def take_lowest(one, two, tier, need):
    """Up to `need` cards of a tier (a mask), the weakest first: planes (one, two)."""
    took_one, took_two = U0, U0
    left = one & tier
    while need > 0 and left:
        slot = lowest(left)
        left ^= slot
        took_one |= slot
        need -= 1
        if need > 0 and two & slot:
            took_two |= slot
            need -= 1
    return took_one, took_two


@jit
def first_of(first, second, third, fourth):
    """The first mask that is not empty, without a branch; the fourth if none is."""
    third = third if third else fourth
    second = second if second else third
    return first if first else second


@jit
def first_to_go(one, two, style, keep, layout):
    """The cards of a suit that go first, all of one worth: a mask, empty of no cards.

    SAVING gives the least: no points, no pair broken, nothing of `keep`, before it
    gives any of these. FEEDING gives the most points first.
    """
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
def spend(one, two, need, style, keep, layout):
    """Give up `need` cards of one suit.

    Parameters
    ----------
    one, two : uint64
        The cards to choose among, at least `need`.
    need : int64
    style : int64
        SAVING or FEEDING, see `first_to_go`.
    keep : uint64
        Slots worth keeping: winners, honours, and when a partner wins what would take
        the trick over from him.
    layout : LAYOUT record

    Returns
    -------
    one, two : uint64
    """
    if need == 1:
        return lowest(first_to_go(one, two, style, keep, layout)), U0
    took_one, took_two = U0, U0
    while need > 0:
        tier = first_to_go(one, two, style, keep, layout)
        more_one, more_two = take_lowest(one, two, tier, need)
        need -= count_cards(more_one, more_two)
        took_two |= more_two | (took_one & more_one)
        took_one |= more_one
        one, two = remove_cards(one, two, more_one, more_two)
    return took_one, took_two


@jit
def give_in_suit(one, two, style, keep, view, layout):
    """Follow with more cards of the led suit than were led: pay the duty, then spend.

    Parameters
    ----------
    one, two : uint64
        The hand's cards of the led suit.
    style, keep
        As in `spend`.
    """
    paid = U0
    if view.lead_shape and two:
        points = fold(two & layout.points & ~keep, layout)
        others = fold(two & ~layout.points & ~keep, layout)
        liked = points if style == FEEDING and points else others
        paid = pay_duty(two, LIKED, liked, view, layout)
        one, two = remove_cards(one, two, paid, paid)
    need = view.lead_cards - 2 * popcount(paid)
    if need == 0:
        return paid, paid
    more_one, more_two = spend(one, two, need, style, keep, layout)
    return paid | more_one, paid | more_two


@jit
def shortest_suit(one, two, wanted, layout):
    """The side suit with fewest cards among those that hold a wanted one; or -1."""
    best, fewest = -1, 0
    for suit in range(4):
        lane = layout.suit[suit]
        if one & lane & wanted:
            cards = count_cards(one & lane, two & lane)
            if best < 0 or cards < fewest:
                best, fewest = suit, cards
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
def discard(one, two, need, style, keep, layout):
    """Throw off `need` cards of other suits than the one led.

    Parameters
    ----------
    one, two : uint64
        The hand's cards outside the led suit, at least `need`.
    style, keep
        As in `spend`. FEEDING gives the points of side suits, trumps last: a trump
        would take the trick over.

    Returns
    -------
    one, two : uint64
    """
    took_one, took_two = U0, U0
    tier = 0
    while need > 0:
        mask = discard_tier(tier, style, two, keep, layout) & one
        if not mask:
            tier += 1
            continue
        # A void is made one suit at a time, the shortest first.
        suit = shortest_suit(one, two, mask, layout)
        if suit >= 0:
            mask &= layout.suit[suit]
        more_one, more_two = take_lowest(one, two, mask, need)
        need -= count_cards(more_one, more_two)
        took_two |= more_two | (took_one & more_one)
        took_one |= more_one
        one, two = remove_cards(one, two, more_one, more_two)
    return took_one, took_two
