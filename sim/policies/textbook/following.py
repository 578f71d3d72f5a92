"""Following: feed a partner who wins, win cheaply what is worth it, else give least."""

import numpy as np

from kernels.bits import ALL, U0, highest
from kernels.jit import jit, jit_inline
from kernels.layout import TRUMP, count_points, slots_above, top_place
from kernels.planes import at_least, count_cards, join, load, within
from sim.policies.textbook.giving import (
    FEEDING,
    SAVING,
    discard,
    give_in_suit,
)
from sim.policies.textbook.knowledge import (
    SHORT,
    may_ruff,
    partner_holds,
    unbeaten,
    unseen_may_beat,
)
from sim.policies.textbook.winning import cheapest_win
from sim.policies.view import has_shown, is_declarers, is_partner, points_won, unseen

STRAY_POINTS = 5  # what a seat behind is reckoned to add to a trick
TOPS = 3  # places of a side suit, from its highest down, whose cards may be winners


@jit
def wants_last_trick(view, thresholds, layout):
    """Whether the last trick is worth a sacrifice: the bottom is rich, or may be."""
    if is_declarers(view, view.seat):
        points = count_points(load(view.buried), layout)
        return points >= thresholds.rich_bottom
    return points_won(view.declarers, view.won) >= thresholds.hope_points


@jit_inline
def guard_card(view, thresholds, layout):
    """The trump that is kept for the last trick: a mask of one slot, or none."""
    hand = load(view.hand)
    if count_cards(hand) <= view.lead.cards:
        return U0
    if not wants_last_trick(view, thresholds, layout):
        return U0
    return highest(hand[0] & layout.trumps)


@jit_inline
def worth_winning(view, won, held, safe, thresholds, layout):
    """Whether a win is worth its cards.

    Parameters
    ----------
    won : planes
        The cheapest winning cards.
    held : int64
        Cards of the led suit in hand; 0 means that the win is a ruff.
    safe : bool
        No enemy behind is likely to beat it.
    """
    points = view.trick_points
    if safe:
        points += count_points(won, layout)
    elif view.position == 1:
        points += STRAY_POINTS  # the next enemy will feed his partner, if he wins
    honours = layout.level_cards | layout.jokers
    if won[0] & layout.trumps and points < thresholds.guard_points:
        if won[0] & guard_card(view, thresholds, layout):
            return False
    if won[0] & honours and points < thresholds.honour_points:
        return False
    if not safe and points < thresholds.second_hand_points:
        return False
    if held == 0:
        return points >= thresholds.ruff_points
    if view.lead.suit == TRUMP or view.lead.cards > 1:
        return points > 0 or won[0] & honours == U0
    return True


@jit_inline
def stays_best(view, won, held, out, layout):
    """Whether no enemy behind is likely to beat a winning play of this seat.

    Parameters
    ----------
    view : VIEW record
    won : planes
        The winning cards.
    held : int64
        Cards of the led suit in hand; 0 means that the win is a ruff.
    out : planes
        Unseen cards, of all suits.
    layout : LAYOUT record

    Returns
    -------
    bool
    """
    top = top_place(won[0], layout)
    for step in range(1, 4 - view.position):
        seat = (view.seat + step) & 3
        if not is_partner(view, seat) and beats(view, seat, top, held, out, layout):
            return False
    return True


@jit_inline
def beats(view, enemy, top, held, out, layout):
    """Whether a seat behind is likely to beat a winning play with a top place."""
    lead = view.lead
    void = has_shown(view.void, enemy, lead.suit)
    if held == 0:
        if not void or has_shown(view.void, enemy, TRUMP) or lead.cards > 1:
            return False
        return top_place(out[0] & layout.trumps, layout) > top
    lane = layout.suit[lead.suit]
    left = count_cards(within(out, lane))
    if may_ruff(view, enemy, lead.suit, left, SHORT):
        return True
    if void:
        return False
    return top_place(at_least(out, lead.width) & lane, layout) > top


@jit_inline
def winners_to_keep(lane, out_one, layout):
    """Slots of a suit that are worth keeping: unbeaten tops, jokers, level cards.

    A low card that nothing out beats is no top: the next lead of its suit is ruffed.
    """
    tops = lane if lane == layout.trumps else lane & ~(lane >> np.uint64(TOPS))
    keep = layout.level_cards | layout.jokers
    return keep | unbeaten(out_one & lane, layout) & tops


@jit_inline
def follow_partner(view, suited, held, out, thresholds, layout):
    """Follow when the partner's play is the best: planes."""
    lane = layout.suit[view.lead.suit]
    over = slots_above(view.best_strength, layout)
    sure = partner_holds(view, out, thresholds, layout)
    if held > view.lead.cards:
        keep = winners_to_keep(lane, out[0], layout)
        if sure:
            return give_in_suit(suited, FEEDING, keep | over, view, layout)
        # Third hand plays high: a sure winner over a partner's card that may lose.
        if unseen_may_beat(view, out, layout):
            beaters = at_least(out, view.lead.width) & lane
            sure_cards = within(suited, unbeaten(beaters, layout))
            won = cheapest_win(sure_cards, False, ALL, view, layout)
            if won[0] and stays_best(view, won, held, out, layout):
                honours = layout.level_cards | layout.jokers
                points = view.trick_points
                if not won[0] & honours or points >= thresholds.honour_points:
                    return won
        return give_in_suit(suited, SAVING, keep | over, view, layout)
    if held == 0 and not sure and view.lead.suit != TRUMP:
        # The enemy behind may beat the partner: ruff before he does, for little.
        trumps = within(load(view.hand), layout.trumps)
        won = cheapest_win(trumps, False, ALL, view, layout)
        if won[0]:
            safe = stays_best(view, won, 0, out, layout)
            if worth_winning(view, won, 0, safe, thresholds, layout):
                return won
    style = FEEDING if sure else SAVING
    return fill_up(view, suited, held, style, out[0], layout)


@jit_inline
def fill_up(view, suited, held, style, out_one, layout):
    """Give all cards of the led suit and discard for the rest: planes."""
    need = view.lead.cards - held
    if need == 0:
        return suited
    lane = layout.suit[view.lead.suit]
    keep = layout.level_cards | layout.jokers
    for suit in range(4):
        keep |= winners_to_keep(layout.suit[suit], out_one, layout)
    rest = within(load(view.hand), ~lane)
    return join(suited, discard(rest, need, style, keep, layout))


@jit_inline
def follow_enemy(view, suited, held, out, thresholds, layout):
    """Follow when an enemy's play is the best: planes."""
    lane = layout.suit[view.lead.suit]
    ruffing = held == 0 and view.lead.suit != TRUMP
    if held >= view.lead.cards or ruffing:
        source = suited
        if ruffing:
            source = within(load(view.hand), layout.trumps)
        last = view.position == 3
        # Second or third to play: a card that no unseen one beats, if there is.
        beaters = at_least(out, view.lead.width) & lane
        prefer = ALL if last or ruffing else unbeaten(beaters, layout)
        won = cheapest_win(source, last, prefer, view, layout)
        if won[0]:
            safe = stays_best(view, won, held, out, layout)
            if worth_winning(view, won, held, safe, thresholds, layout):
                return won
    if held > view.lead.cards:
        keep = winners_to_keep(lane, out[0], layout)
        return give_in_suit(suited, SAVING, keep, view, layout)
    return fill_up(view, suited, held, SAVING, out[0], layout)


@jit
def follow(view, layout, thresholds):
    """Follow the lead: planes.

    Parameters
    ----------
    view : VIEW record
    layout : LAYOUT record
    thresholds : THRESHOLDS record
    """
    suited = within(load(view.hand), layout.suit[view.lead.suit])
    held = count_cards(suited)
    if held == view.lead.cards:
        return suited
    out = unseen(view, layout)
    if is_partner(view, view.best_seat):
        return follow_partner(view, suited, held, out, thresholds, layout)
    return follow_enemy(view, suited, held, out, thresholds, layout)
