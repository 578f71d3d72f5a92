"""Winning: the cheapest cards that beat the best play so far, if there are any."""

import numpy as np

from kernels.bits import U0, choose, lowest
from kernels.jit import jit, jit_inline
from kernels.layout import TRUMP, fold, slots_above
from kernels.planes import (
    add_cards,
    at_least,
    copies,
    count_cards,
    load,
    no_cards,
    remove_cards,
)
from kernels.shape import (
    LENGTH,
    LENGTH_MASK,
    RUNS_MASK,
    run_mask,
    run_starts,
    tuples_in,
    tuples_on,
)
from kernels.trick import strength
from sim.policies.textbook.giving import FEEDING, SAVING, first_of, spend


@jit
def cheapest_single(winners, two, rich, layout):
    """The winning single to play: one bit.

    Parameters
    ----------
    winners : uint64
        Slots that win; of none, none is played.
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
    return lowest(choose(rich, first_of(tens, fives, cheap, cheap), cheap))


@jit
def cheapest_throw_ruff(cards, rich, view, layout):
    """Trumps that ruff a throw above the best play: planes, empty if they cannot."""
    over = slots_above(view.best_strength, layout)
    shape = load(view.lead.shape)
    nothing = no_cards(cards)
    left, took = cards, nothing
    need = view.lead.cards
    largest = True
    for width in range(len(cards), 1, -1):
        form = shape[width - 2]
        lone = tuples_in(form)
        runs = form & RUNS_MASK
        while runs:
            length = np.int64(runs & LENGTH_MASK)
            runs >>= LENGTH
            lone -= length
            starts = run_starts(fold(at_least(left, width), layout), length)
            if largest:
                starts &= fold(over & layout.trumps, layout) >> np.uint64(length - 1)
            if not starts:
                return nothing
            slots = tuples_on(run_mask(lowest(starts), length), left, width, layout)
            part = copies(slots, width, cards)
            took, left = add_cards(took, part), remove_cards(left, part)
            need -= width * length
            largest = False
        for _ in range(lone):
            choice = at_least(left, width)
            if largest:
                choice &= over
            if not choice:
                return nothing
            part = copies(lowest(choice), width, cards)
            took, left = add_cards(took, part), remove_cards(left, part)
            need -= width
            largest = False
    if largest:
        choice = left[0] & over
        if not choice:
            return nothing
        part = copies(lowest(choice), 1, cards)
        took, left = add_cards(took, part), remove_cards(left, part)
        need -= 1
    style = FEEDING if rich else SAVING
    honours = layout.level_cards | layout.jokers
    return add_cards(took, spend(left, need, style, honours, layout))


@jit
def cheapest_group(cards, rich, prefer, view, layout):
    """`cheapest_win` of more than one card, of which there are enough."""
    nothing = no_cards(cards)
    over = slots_above(view.best_strength, layout)
    lead = view.lead
    if lead.throw:
        if lead.suit == TRUMP or cards[0] & ~layout.trumps:
            return nothing
        won = cheapest_throw_ruff(cards, rich, view, layout)
        if won[0] == U0 or strength(won, lead, layout) <= view.best_strength:
            return nothing
        return won
    width, length = lead.width, lead.length
    tuples = at_least(cards, width)
    if length == 1:
        winners = tuples & over
        if not winners:
            return nothing
        winners = winners & prefer if winners & prefer else winners
        return copies(cheapest_single(winners, U0, rich, layout), width, cards)
    starts = run_starts(fold(tuples, layout), length)
    starts &= fold(over & tuples, layout) >> np.uint64(length - 1)
    if not starts:
        return nothing
    slots = tuples_on(run_mask(lowest(starts), length), cards, width, layout)
    return copies(slots, width, cards)


@jit_inline
def cheapest_win(cards, rich, prefer, view, layout):
    """The cheapest cards, two or more, of one suit that beat the best play: planes.

    Parameters
    ----------
    cards : planes
        The hand's cards of the led suit; or its trumps, if it has none of that suit.
    rich : bool
        As in `cheapest_single`.
    prefer : uint64
        Slots to win with one tuple of, if that can be: those no unseen card beats, or
        all.

    Returns
    -------
    planes
        Empty if the trick cannot be won.
    """
    if count_cards(cards) < view.lead.cards:
        return no_cards(cards)
    return cheapest_group(cards, rich, prefer, view, layout)
