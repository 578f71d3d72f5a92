"""Following: feed a partner who wins, win cheaply what is worth it, else give least."""

import numpy as np

from kernels.bits import ALL, U0, highest, popcount
from kernels.jit import jit, jit_inline
from kernels.layout import TRUMP, count_cards, count_points, slots_above, top_place
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
from sim.policies.view import has_shown, is_declarers, is_partner, unseen

STRAY_POINTS = 5  # what a seat behind is reckoned to add to a trick
TOPS = 3  # places of a side suit, from its highest down, whose cards may be winners


@jit
def wants_last_trick(view, thresholds, layout):
    """Whether the last trick is worth a sacrifice: the bottom is rich, or may be."""
    if is_declarers(view, view.seat):
        points = count_points(view.buried_one, view.buried_two, layout)
        return points >= thresholds.rich_bottom
    return view.attackers_points >= thresholds.hope_points


@jit_inline
def guard_card(view, thresholds, layout):
    """The trump that is kept for the last trick: a mask of one slot, or none."""
    cards = count_cards(view.hand_one, view.hand_two)
    if cards <= view.lead_cards or not wants_last_trick(view, thresholds, layout):
        return U0
    return highest(view.hand_one & layout.trumps)


@jit_inline
def worth_winning(view, won_one, won_two, held, safe, thresholds, layout):
    """Whether a win is worth its cards.

    Parameters
    ----------
    won_one, won_two : uint64
        The cheapest winning cards.
    held : int64
        Cards of the led suit in hand; 0 means that the win is a ruff.
    safe : bool
        No enemy behind is likely to beat it.
    """
    points = view.trick_points
    if safe:
        points += count_points(won_one, won_two, layout)
    elif view.position == 1:
        points += STRAY_POINTS  # the next enemy will feed his partner, if he wins
    honours = layout.level_cards | layout.jokers
    if won_one & layout.trumps and points < thresholds.guard_points:
        if won_one & guard_card(view, thresholds, layout):
            return False
    if won_one & honours and points < thresholds.honour_points:
        return False
    if not safe and points < thresholds.second_hand_points:
        return False
    if held == 0:
        return points >= thresholds.ruff_points
    if view.lead_suit == TRUMP or view.lead_cards > 1:
        return points > 0 or won_one & honours == U0
    return True


@jit_inline
def stays_best(view, won_one, held, out_one, out_two, layout):
    """Whether no enemy behind is likely to beat a winning play of this seat.

    Parameters
    ----------
    view : VIEW record
    won_one : uint64
        Slots of the winning cards.
    held : int64
        Cards of the led suit in hand; 0 means that the win is a ruff.
    out_one, out_two : uint64
        Unseen cards, of all suits.
    layout : LAYOUT record

    Returns
    -------
    bool
    """
    if view.position == 3:
        return True
    enemy = (view.seat + 1) & 3  # at position 2 the one behind; at 1 the next
    top = top_place(won_one, layout)
    lane = layout.suit[view.lead_suit]
    ruffed = held == 0
    void = has_shown(view.void, enemy, view.lead_suit)
    if ruffed:
        if not void:
            return True
        if has_shown(view.void, enemy, TRUMP):
            return True
        if view.lead_cards > 1:
            return True
        return top_place(out_one & layout.trumps, layout) <= top
    left = popcount(out_one & lane) + popcount(out_two & lane)
    if may_ruff(view, enemy, view.lead_suit, left, SHORT):
        return False
    if void:
        return True
    if view.lead_pairs == 0:
        return top_place(out_one & lane, layout) <= top
    return top_place(out_two & lane, layout) <= top


@jit_inline
def winners_to_keep(lane, out_one, layout):
    """Slots of a suit that are worth keeping: unbeaten tops, jokers, level cards.

    A low card that nothing out beats is no top: the next lead of its suit is ruffed.
    """
    tops = lane if lane == layout.trumps else lane & ~(lane >> np.uint64(TOPS))
    keep = layout.level_cards | layout.jokers
    return keep | unbeaten(out_one & lane, layout) & tops


@jit_inline
def follow_partner(view, one, two, held, out_one, out_two, thresholds, layout):
    """Follow when the partner's play is the best: planes (one, two)."""
    lane = layout.suit[view.lead_suit]
    over = slots_above(view.best_strength, layout)
    sure = partner_holds(view, out_one, out_two, thresholds, layout)
    if held > view.lead_cards:
        keep = winners_to_keep(lane, out_one, layout)
        if sure:
            return give_in_suit(one, two, FEEDING, keep | over, view, layout)
        # Third hand plays high: a sure winner over a partner's card that may lose.
        if unseen_may_beat(view, out_one, out_two, layout):
            beaters = out_one if view.lead_pairs == 0 else out_two
            sure_slots = unbeaten(beaters & lane, layout)
            won_one, won_two = cheapest_win(
                one & sure_slots, two & sure_slots, False, ALL, view, layout
            )
            if won_one and stays_best(view, won_one, held, out_one, out_two, layout):
                honours = layout.level_cards | layout.jokers
                points = view.trick_points
                if not won_one & honours or points >= thresholds.honour_points:
                    return won_one, won_two
        return give_in_suit(one, two, SAVING, keep | over, view, layout)
    if held == 0 and not sure and view.lead_suit != TRUMP:
        # The enemy behind may beat the partner: ruff before he does, for little.
        trumps_one, trumps_two = (
            view.hand_one & layout.trumps,
            view.hand_two & layout.trumps,
        )
        won_one, won_two = cheapest_win(
            trumps_one, trumps_two, False, ALL, view, layout
        )
        if won_one and worth_winning(
            view,
            won_one,
            won_two,
            0,
            stays_best(view, won_one, 0, out_one, out_two, layout),
            thresholds,
            layout,
        ):
            return won_one, won_two
    style = FEEDING if sure else SAVING
    return fill_up(view, one, two, held, style, out_one, layout)


@jit_inline
def fill_up(view, one, two, held, style, out_one, layout):
    """Give all cards of the led suit and discard for the rest: planes (one, two)."""
    need = view.lead_cards - held
    if need == 0:
        return one, two
    lane = layout.suit[view.lead_suit]
    keep = layout.level_cards | layout.jokers
    for suit in range(4):
        keep |= winners_to_keep(layout.suit[suit], out_one, layout)
    rest_one, rest_two = view.hand_one & ~lane, view.hand_two & ~lane
    more_one, more_two = discard(rest_one, rest_two, need, style, keep, layout)
    return one | more_one, two | more_two


@jit_inline
def follow_enemy(view, one, two, held, out_one, out_two, thresholds, layout):
    """Follow when an enemy's play is the best: planes (one, two)."""
    lane = layout.suit[view.lead_suit]
    ruffing = held == 0 and view.lead_suit != TRUMP
    if held >= view.lead_cards or ruffing:
        from_one = view.hand_one & layout.trumps if ruffing else one
        from_two = view.hand_two & layout.trumps if ruffing else two
        last = view.position == 3
        # Second or third to play: a card that no unseen one beats, if there is.
        beaters = out_one if view.lead_pairs == 0 else out_two
        sure = last or ruffing
        prefer = ALL if sure else unbeaten(beaters & lane, layout)
        won_one, won_two = cheapest_win(from_one, from_two, last, prefer, view, layout)
        if won_one:
            safe = stays_best(view, won_one, held, out_one, out_two, layout)
            if worth_winning(view, won_one, won_two, held, safe, thresholds, layout):
                return won_one, won_two
    if held > view.lead_cards:
        keep = winners_to_keep(lane, out_one, layout)
        return give_in_suit(one, two, SAVING, keep, view, layout)
    return fill_up(view, one, two, held, SAVING, out_one, layout)


@jit
def follow(view, layout, thresholds):
    """Follow the lead: planes (one, two).

    Parameters
    ----------
    view : VIEW record
    layout : LAYOUT record
    thresholds : THRESHOLDS record
    """
    lane = layout.suit[view.lead_suit]
    one, two = view.hand_one & lane, view.hand_two & lane
    held = count_cards(one, two)
    if held == view.lead_cards:
        return one, two
    out_one, out_two = unseen(view, layout)
    if is_partner(view, view.best_seat):
        return follow_partner(
            view, one, two, held, out_one, out_two, thresholds, layout
        )
    return follow_enemy(view, one, two, held, out_one, out_two, thresholds, layout)
