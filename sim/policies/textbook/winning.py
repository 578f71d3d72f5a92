"""Winning: the cheapest cards that beat the best play so far, if there are any."""

import numpy as np

from kernels.bits import U0, lowest, popcount
from kernels.jit import jit, jit_inline
from kernels.layout import TRUMP, count_cards, fold, remove_cards, slots_above
from kernels.shape import NIBBLE, NIBBLE_MASK, pairs_on, run_mask, run_starts
from kernels.trick import strength
from sim.policies.textbook.giving import FEEDING, SAVING, first_of, spend


@jit
def cheapest_single(winners, two, rich, layout):
    """The winning single to play: one bit.

    Parameters
    ----------
    winners : uint64
        Slots that win; not empty.
    two : uint64
        Pairs held, not to be broken while a card of the same worth will do.
    rich : bool
        The trick is safe: win it with the card that brings most points home.
    """
    honours = layout.level_cards | layout.jokers
    low = winners & ~honours
    plain = low & ~layout.points
    cheap = first_of(plain & ~two, plain, low, winners)
    tens, fives = low & layout.tens, low & layout.fives
    return lowest(first_of(tens, fives, cheap, cheap) if rich else cheap)


@jit
def cheapest_throw_ruff(one, two, rich, view, layout):
    """Trumps that ruff a throw above the best play: planes, empty if they cannot."""
    over = slots_above(view.best_strength, layout)
    pairs = two
    took = U0
    largest = True
    runs = view.lead_runs
    while runs:
        length = np.int64(runs & NIBBLE_MASK)
        runs >>= NIBBLE
        starts = run_starts(fold(pairs, layout), length)
        if largest:
            starts &= fold(over & layout.trumps, layout) >> np.uint64(length - 1)
        if not starts:
            return U0, U0
        slots = pairs_on(run_mask(lowest(starts), length), pairs, layout)
        took |= slots
        pairs &= ~slots
        largest = False
    for _ in range(view.lead_pairs - popcount(took)):
        choice = pairs & over if largest else pairs
        if not choice:
            return U0, U0
        slot = lowest(choice)
        took |= slot
        pairs ^= slot
        largest = False
    left_one, left_two = remove_cards(one, two, took, took)
    need = view.lead_cards - 2 * popcount(took)
    took_one, took_two = took, took
    if largest:
        choice = left_one & over
        if not choice:
            return U0, U0
        slot = lowest(choice)
        took_one |= slot
        left_one, left_two = remove_cards(left_one, left_two, slot, U0)
        need -= 1
    style = FEEDING if rich else SAVING
    honours = layout.level_cards | layout.jokers
    more_one, more_two = spend(left_one, left_two, need, style, honours, layout)
    took_two |= more_two | (took_one & more_one)
    return took_one | more_one, took_two


@jit
def cheapest_group(one, two, rich, prefer, view, layout):
    """`cheapest_win` of more than one card, of which there are enough."""
    over = slots_above(view.best_strength, layout)
    if view.lead_throw:
        if view.lead_suit == TRUMP or one & ~layout.trumps:
            return U0, U0
        won_one, won_two = cheapest_throw_ruff(one, two, rich, view, layout)
        if won_one == U0:
            return U0, U0
        power = strength(
            won_one,
            won_two,
            view.lead_suit,
            view.lead_cards,
            view.lead_runs,
            view.lead_pairs,
            1,
            layout,
        )
        if power <= view.best_strength:
            return U0, U0
        return won_one, won_two
    if view.lead_cards == 2:
        winners = two & over
        if not winners:
            return U0, U0
        winners = winners & prefer if winners & prefer else winners
        slot = cheapest_single(winners, U0, rich, layout)
        return slot, slot
    length = view.lead_pairs
    places = fold(two, layout)
    starts = run_starts(places, length)
    starts &= fold(over & two, layout) >> np.uint64(length - 1)
    if not starts:
        return U0, U0
    slots = pairs_on(run_mask(lowest(starts), length), two, layout)
    return slots, slots


@jit_inline
def cheapest_win(one, two, rich, prefer, view, layout):
    """The cheapest cards of one suit that beat the best play so far.

    Parameters
    ----------
    one, two : uint64
        The hand's cards of the led suit; or its trumps, if it has none of that suit.
    rich : bool
        As in `cheapest_single`.
    prefer : uint64
        Slots to win with a single or a pair of, if that can be: those no unseen card
        beats, or all.

    Returns
    -------
    one, two : uint64
        Empty if the trick cannot be won.
    """
    if view.lead_cards == 1:
        winners = one & slots_above(view.best_strength, layout)
        if not winners:
            return U0, U0
        winners = winners & prefer if winners & prefer else winners
        return cheapest_single(winners, two, rich, layout), U0
    if count_cards(one, two) < view.lead_cards:
        return U0, U0
    return cheapest_group(one, two, rich, prefer, view, layout)
