"""What can be told from what has been seen: who may still beat a card, or ruff it.

`unseen` cards lie in other hands, or in a bottom that this seat does not know
(`sim.policies.view.unseen`).
"""

import numpy as np

from kernels.bits import U1, highest_index
from kernels.jit import jit, jit_inline
from kernels.layout import TRUMP, fold, top_place
from kernels.planes import at_least, count_cards, within
from kernels.shape import run_starts
from sim.policies.view import has_shown, is_partner

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
def unseen_may_beat(view, out, layout):
    """Whether unseen cards of the led suit might beat the best play so far.

    Parameters
    ----------
    view : VIEW record
    out : planes
        Unseen cards, of all suits.
    layout : LAYOUT record

    Returns
    -------
    bool
        False of a throw: only ruffs beat one that stands.
    """
    if view.lead.throw:
        return False
    tuples = at_least(out, view.lead.width) & layout.suit[view.lead.suit]
    length = view.lead.length
    if length == 1:
        return top_place(tuples, layout) > view.best_strength
    starts = run_starts(fold(tuples, layout), length)
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
def partner_holds(view, out, thresholds, layout):
    """Whether the partner's play, the best so far, will surely keep the trick.

    Parameters
    ----------
    view : VIEW record
    out : planes
        Unseen cards, of all suits.
    thresholds : THRESHOLDS record
    layout : LAYOUT record

    Returns
    -------
    bool
    """
    for step in range(1, 4 - view.position):
        seat = (view.seat + step) & 3
        if not is_partner(view, seat) and may_beat(view, seat, out, thresholds, layout):
            return False
    return True


@jit_inline
def may_beat(view, enemy, out, thresholds, layout):
    """Whether a seat behind might beat the best play so far, by its suit or a ruff."""
    lead = view.lead
    ruffed = lead.suit != TRUMP and bool(
        (U1 << np.uint64(view.best_strength)) & fold(layout.trumps, layout)
    )
    if has_shown(view.void, enemy, lead.suit):
        if lead.suit == TRUMP or has_shown(view.void, enemy, TRUMP):
            return False
        if ruffed and lead.cards == 1:
            return top_place(out[0] & layout.trumps, layout) > view.best_strength
        return True
    if ruffed:
        return False
    if unseen_may_beat(view, out, layout):
        return True
    left = count_cards(within(out, layout.suit[lead.suit]))
    fear = min(thresholds.ruff_fear, SHORT)
    return may_ruff(view, enemy, lead.suit, left, fear)
