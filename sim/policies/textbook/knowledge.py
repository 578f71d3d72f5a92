"""What can be told from what has been seen: who may still beat a card, or ruff it.

`unseen` cards lie in other hands, or in a bottom that this seat does not know
(`sim.policies.view.unseen`).
"""

import numpy as np

from kernels.bits import U1, highest_index, popcount
from kernels.jit import jit, jit_inline
from kernels.layout import TRUMP, fold, top_place
from kernels.shape import run_starts
from sim.policies.view import has_shown

# With fewer cards of a suit unseen, even a seat that has not shown out of it is feared.
SHORT = 3


@jit
def unbeaten(unseen, layout):
    """Slots (a mask) no lower than the highest unseen one: no card out beats them.

    Parameters
    ----------
    unseen : uint64
        One suit's unseen slots: plane one for singles, plane two for pairs.
    """
    return layout.above[max(0, top_place(unseen, layout))]


@jit_inline
def unseen_may_beat(view, one, two, layout):
    """Whether unseen cards of the led suit might beat the best play so far.

    Parameters
    ----------
    view : VIEW record
    one, two : uint64
        Unseen cards, of all suits.
    layout : LAYOUT record

    Returns
    -------
    bool
        False of a throw: only ruffs beat one that stands.
    """
    if view.lead_throw:
        return False
    lane = layout.suit[view.lead_suit]
    if view.lead_pairs == 0:
        return top_place(one & lane, layout) > view.best_strength
    length = view.lead_pairs
    starts = run_starts(fold(two & lane, layout), length)
    return highest_index(starts) + length - 1 > view.best_strength


@jit
def may_ruff(view, seat, suit, unseen_cards, fear):
    """Whether a seat must be feared to ruff a lead of a suit.

    Parameters
    ----------
    view : VIEW record
    seat, suit : int64
    unseen_cards : int64
        Cards of the suit that lie in other hands.
    fear : int64
        Fewer than this make a void likely.

    Returns
    -------
    bool
        False of trumps, and of a seat that has shown out of them.
    """
    if suit == TRUMP or has_shown(view.void, seat, TRUMP):
        return False
    return has_shown(view.void, seat, suit) or unseen_cards < fear


@jit_inline
def partner_holds(view, one, two, thresholds, layout):
    """Whether the partner's play, the best so far, will surely keep the trick.

    Parameters
    ----------
    view : VIEW record
    one, two : uint64
        Unseen cards, of all suits.
    thresholds : THRESHOLDS record
    layout : LAYOUT record

    Returns
    -------
    bool
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
    if unseen_may_beat(view, one, two, layout):
        return False
    left = popcount(one & lane) + popcount(two & lane)
    fear = min(thresholds.ruff_fear, SHORT)
    return not may_ruff(view, enemy, view.lead_suit, left, fear)
