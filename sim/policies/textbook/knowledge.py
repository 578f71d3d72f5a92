"""What can be told from what has been seen: who may still beat a card, or ruff it."""

import numpy as np

from kernels.bits import U1, highest_index, popcount
from kernels.jit import jit, jit_inline
from kernels.layout import TRUMP, fold, top_place
from kernels.shape import run_bottoms
from sim.policies.view import has_shown

# With fewer cards of a suit unseen, even a seat that has shown none void is feared.
SHORT = 3


@jit
def unbeaten(unseen, layout):
    """Slots no lower than the highest unseen one: those that no card out beats.

    Parameters
    ----------
    unseen : uint64
        One suit's unseen slots: plane one for singles, plane two for pairs.
    """
    return layout.above[max(0, top_place(unseen, layout))]


@jit_inline
def beats_lead(view, one, two, layout):
    """Whether unseen cards of the led suit might beat the best play so far.

    Parameters
    ----------
    one, two : uint64
        Unseen cards (sim.policies.view.unseen).
    """
    if view.lead_throw:
        return False
    lane = layout.suit[view.lead_suit]
    if view.lead_pairs == 0:
        return top_place(one & lane, layout) > view.best_strength
    length = view.lead_pairs
    bottoms = run_bottoms(fold(two & lane, layout), length)
    return highest_index(bottoms) + length - 1 > view.best_strength


@jit
def may_ruff(view, seat, suit, unseen_cards, fear):
    """How likely a seat ruffs a lead of a side suit: 0 hardly, 1 maybe, 2 surely.

    Parameters
    ----------
    unseen_cards : int64
        Cards of the suit that lie in other hands.
    fear : int64
        Fewer than this make a void likely.
    """
    if suit == TRUMP or has_shown(view.void, seat, TRUMP):
        return 0
    if has_shown(view.void, seat, suit):
        return 2
    return 1 if unseen_cards < fear else 0


@jit_inline
def partner_holds(view, one, two, thresholds, layout):
    """Whether the partner's best play will surely keep the trick.

    Parameters
    ----------
    one, two : uint64
        Unseen cards.
    """
    if view.position == 3:
        return True
    enemy = (view.seat + 1) & 3  # third to play, so one enemy is behind
    lane = layout.suit[view.lead_suit]
    void = has_shown(view.void, enemy, view.lead_suit)
    ruffed = view.lead_suit != TRUMP and bool(
        (U1 << np.uint64(view.best_strength)) & fold(layout.trumps, layout)
    )
    if void:
        if view.lead_suit == TRUMP or has_shown(view.void, enemy, TRUMP):
            return True
        if ruffed and view.lead_cards == 1:
            return top_place(one & layout.trumps, layout) <= view.best_strength
        return False
    if ruffed:
        return True
    if beats_lead(view, one, two, layout):
        return False
    left = popcount(one & lane) + popcount(two & lane)
    fear = min(thresholds.ruff_fear, SHORT)
    return may_ruff(view, enemy, view.lead_suit, left, fear) == 0
