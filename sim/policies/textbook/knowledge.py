"""What can be told from what has been seen: who may still beat a card, or ruff it.

`unseen` cards lie in other hands, or in a bottom that this seat does not know
(`sim.policies.view.unseen`). Sets of seats are masks, bit 5 * s for seat s, as in the
View's `void`: all seats are asked at once, without a jump.
"""

import numpy as np

from kernels.bits import U0, U1, choose, highest, highest_index, lowest
from kernels.jit import jit_inline
from kernels.layout import TRUMP, fold, slots_above, slots_from, slots_over
from kernels.planes import at_least, count_cards, within
from kernels.shape import run_starts
from sim.policies.view import seats_out_of, spread_seats

# With fewer cards of a suit unseen, even a seat that has not shown out of it is feared.
SHORT = 3


@jit_inline
def enemies_behind(view):
    """Enemies who have yet to play to the trick: a mask of seats."""
    behind = 15 >> (view.position + 1) << (view.seat + 1)
    return spread_seats((behind | behind >> 4) & ~view.mates)


@jit_inline
def may_ruff(view, seats):
    """Those of some seats that may hold trumps, if not trumps are led."""
    live = seats & ~seats_out_of(view, TRUMP)
    return choose(view.lead.suit == TRUMP, U0, live)


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
        return tuples & slots_above(view.best_strength, layout) != U0
    starts = run_starts(fold(tuples, layout), length)
    return highest_index(starts) + length - 1 > view.best_strength


@jit_inline
def partner_holds(view, enemies, out, thresholds, layout):
    """Whether the partner's play, the best so far, will surely keep the trick.

    Parameters
    ----------
    view : VIEW record
    enemies : uint64
        Those behind, a mask of seats.
    out : planes
        Unseen cards, of all suits.
    thresholds : THRESHOLDS record
    layout : LAYOUT record

    Returns
    -------
    bool
    """
    lead = view.lead
    void = enemies & seats_out_of(view, lead.suit)
    live = may_ruff(view, enemies)
    best = U1 << np.uint64(view.best_strength)
    ruffed = (lead.suit != TRUMP) & (best >= lowest(layout.trumps))
    higher_trumps = out[0] & layout.trumps & slots_above(view.best_strength, layout)
    # Of a single ruff it is known which trumps are over it.
    over_ruff = (not ruffed) | (lead.cards > 1) | (higher_trumps != U0)
    by_trump = (void & live != U0) & over_ruff
    left = count_cards(within(out, layout.suit[lead.suit]))
    feared = choose(left < min(thresholds.ruff_fear, SHORT), live, U0)
    in_suit = enemies & ~void
    by_suit = (in_suit != U0) & unseen_may_beat(view, out, layout)
    by_suit = (not ruffed) & (by_suit | (in_suit & feared != U0))
    return not (by_trump | by_suit)


@jit_inline
def stays_best(view, enemies, won, held, out, layout):
    """Whether no enemy behind is likely to beat a winning play of this seat.

    Parameters
    ----------
    view : VIEW record
    enemies : uint64
        Those behind, a mask of seats.
    won : uint64
        Slots of the winning cards.
    held : int64
        Cards of the led suit in hand; 0 means that the win is a ruff.
    out : planes
        Unseen cards, of all suits.
    layout : LAYOUT record

    Returns
    -------
    bool
    """
    lead = view.lead
    void = seats_out_of(view, lead.suit)
    live = may_ruff(view, enemies)
    over = slots_over(highest(won), layout)
    if held == 0:
        higher = (lead.cards == 1) & (out[0] & layout.trumps & over != U0)
        return not (higher & (live & void != U0))
    lane = layout.suit[lead.suit]
    left = count_cards(within(out, lane))
    feared = choose(left < SHORT, live, live & void)
    higher = (enemies & ~void != U0) & (at_least(out, lead.width) & lane & over != U0)
    return not (higher | (feared != U0))


@jit_inline
def winners_to_keep(lane, out_one, layout):
    """Slots of a suit that are worth keeping: unbeaten tops, jokers, level cards.

    A low card that nothing out beats is no top: the next lead of its suit is ruffed.
    """
    keep = layout.level_cards | layout.jokers
    return keep | slots_from(out_one & lane, layout) & lane & layout.tops
