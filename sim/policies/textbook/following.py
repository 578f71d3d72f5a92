"""Following: feed a partner who wins, win cheaply what is worth it, else give least."""

from kernels.bits import ALL, U0, choose, highest
from kernels.jit import jit, jit_inline
from kernels.layout import TRUMP, count_points, outranked, slots_above, slots_from
from kernels.planes import (
    at_least,
    choose_cards,
    copies,
    count_cards,
    join,
    load,
    within,
)
from sim.policies.textbook.giving import (
    FEEDING,
    SAVING,
    discard,
    give_in_suit,
    lowest_discard,
    lowest_to_go,
    pair_to_go,
)
from sim.policies.textbook.knowledge import (
    enemies_behind,
    partner_holds,
    stays_best,
    unseen_may_beat,
    winners_to_keep,
)
from sim.policies.textbook.winning import cheapest_single, cheapest_win
from sim.policies.view import is_declarers, is_partner, points_won, unseen

STRAY_POINTS = 5  # what a seat behind is reckoned to add to a trick


@jit
def wants_last_trick(view, thresholds, layout):
    """Whether the last trick is worth a sacrifice: the bottom is rich, or may be."""
    if is_declarers(view, view.seat):
        points = count_points(load(view.buried), layout)
        return points >= thresholds.rich_bottom
    return points_won(view.declarers, view.won) >= thresholds.hope_points


@jit
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
    # The next enemy will feed his partner, if he wins.
    stray = choose(view.position == 1, STRAY_POINTS, 0)
    points = view.trick_points + choose(safe, count_points(won, layout), stray)
    if won[0] & layout.trumps and points < thresholds.guard_points:
        if won[0] & guard_card(view, thresholds, layout):
            return False
    honour = won[0] & (layout.level_cards | layout.jokers) != U0
    paid = (not honour) | (points >= thresholds.honour_points)
    paid &= safe | (points >= thresholds.second_hand_points)
    if held == 0:
        return paid & (points >= thresholds.ruff_points)
    dear = (view.lead.suit == TRUMP) | (view.lead.cards > 1)
    return paid & ((not dear) | (points > 0) | (not honour))


@jit_inline
def worth_topping(view, won, safe, thresholds, layout):
    """Whether a partner's card that may lose is worth a sure winner over it."""
    honour = won & (layout.level_cards | layout.jokers) != U0
    return safe & ((not honour) | (view.trick_points >= thresholds.honour_points))


@jit_inline
def follow_tuple(width, view, hand, suited, held, out, partner, thresholds, layout):
    """Follow a single card or a lone tuple; not with just as many cards: planes.

    What is won with and what is given are both worked out, then one is chosen: which it
    will be is as good as drawn by lot.

    Parameters
    ----------
    width : int64
        Cards led.
    """
    lane = layout.suit[view.lead.suit]
    enemies = enemies_behind(view)
    over = slots_above(view.best_strength, layout)
    sure, safe = partner, True
    if view.position < 3:
        sure &= partner_holds(view, enemies, out, thresholds, layout)
    last = (view.position == 3) & (not partner)
    style = choose(sure, FEEDING, SAVING)
    if held > width:
        keep = winners_to_keep(lane, out[0], layout) | choose(partner, over, U0)
        tuples = at_least(suited, width)
        if tuples == U0:
            return give_in_suit(suited, style, keep, view, layout)
        beaters = at_least(out, width) & lane
        winners = tuples & over
        # Second or third to play: a card that no unseen one beats, if there is. Third
        # hand plays high: a sure winner over a partner's card that may lose.
        best = winners & slots_from(beaters, layout)
        topping = (not sure) & (beaters & over != U0)
        among = choose((best != U0) & (not last), best, winners)
        winners = choose(partner, choose(topping, best, U0), among)
        pairs = suited[1] if width == 1 else U0
        won = copies(cheapest_single(winners, pairs, last, layout), width, hand)
        if view.position < 3:
            safe = stays_best(view, enemies, won[0], held, out, layout)
        wins = worth_winning(view, won, held, safe, thresholds, layout)
        tops = worth_topping(view, won[0], safe, thresholds, layout)
        wins = (partner & tops) | ((not partner) & wins)
        wins &= won[0] != U0
        if width == 1:
            return choose_cards(wins, won, lowest_to_go(suited, style, keep, layout))
        if len(hand) == 2:
            return choose_cards(wins, won, pair_to_go(suited, style, keep, layout))
        return won if wins else give_in_suit(suited, style, keep, view, layout)
    if held == 0:
        # The enemy behind may beat the partner: ruff before he does, for little.
        trumps = within(hand, layout.trumps)
        winners = choose(sure, U0, at_least(trumps, width) & over)
        if winners:
            pairs = trumps[1] if width == 1 else U0
            won = copies(cheapest_single(winners, pairs, last, layout), width, hand)
            safe = stays_best(view, enemies, won[0], 0, out, layout)
            if worth_winning(view, won, 0, safe, thresholds, layout):
                return won
    return fill_up(view, hand, suited, held, style, out[0], layout)


@jit_inline
def fill_up(view, hand, suited, held, style, out_one, layout):
    """Give all cards of the led suit and discard for the rest: planes."""
    need = view.lead.cards - held
    keep = layout.level_cards | layout.jokers
    keep |= layout.tops & ~layout.trumps & ~outranked(out_one, layout)
    rest = within(hand, ~layout.suit[view.lead.suit])
    if need == 1:
        return join(suited, lowest_discard(rest, style, keep, layout))
    return join(suited, discard(rest, need, style, keep, layout))


@jit
def follow_partner(view, hand, suited, held, out, thresholds, layout):
    """Follow more than one card when the partner's play is the best: planes."""
    lane = layout.suit[view.lead.suit]
    enemies = enemies_behind(view)
    over = slots_above(view.best_strength, layout)
    sure = partner_holds(view, enemies, out, thresholds, layout)
    if held > view.lead.cards:
        keep = winners_to_keep(lane, out[0], layout)
        if sure:
            return give_in_suit(suited, FEEDING, keep | over, view, layout)
        # Third hand plays high: a sure winner over a partner's card that may lose.
        if unseen_may_beat(view, out, layout):
            beaters = at_least(out, view.lead.width) & lane
            sure_cards = within(suited, slots_from(beaters, layout))
            won = cheapest_win(sure_cards, False, ALL, view, layout)
            if won[0] and stays_best(view, enemies, won[0], held, out, layout):
                if worth_topping(view, won[0], True, thresholds, layout):
                    return won
        return give_in_suit(suited, SAVING, keep | over, view, layout)
    if held == 0 and not sure and view.lead.suit != TRUMP:
        # The enemy behind may beat the partner: ruff before he does, for little.
        trumps = within(hand, layout.trumps)
        won = cheapest_win(trumps, False, ALL, view, layout)
        if won[0]:
            safe = stays_best(view, enemies, won[0], 0, out, layout)
            if worth_winning(view, won, 0, safe, thresholds, layout):
                return won
    style = FEEDING if sure else SAVING
    return fill_up(view, hand, suited, held, style, out[0], layout)


@jit
def follow_enemy(view, hand, suited, held, out, thresholds, layout):
    """Follow more than one card when an enemy's play is the best: planes."""
    lane = layout.suit[view.lead.suit]
    ruffing = held == 0 and view.lead.suit != TRUMP
    if held >= view.lead.cards or ruffing:
        source = suited
        if ruffing:
            source = within(hand, layout.trumps)
        last = view.position == 3
        # Second or third to play: a card that no unseen one beats, if there is.
        beaters = at_least(out, view.lead.width) & lane
        prefer = ALL if last or ruffing else slots_from(beaters, layout)
        won = cheapest_win(source, last, prefer, view, layout)
        if won[0]:
            enemies = enemies_behind(view)
            safe = stays_best(view, enemies, won[0], held, out, layout)
            if worth_winning(view, won, held, safe, thresholds, layout):
                return won
    if held > view.lead.cards:
        keep = winners_to_keep(lane, out[0], layout)
        return give_in_suit(suited, SAVING, keep, view, layout)
    return fill_up(view, hand, suited, held, SAVING, out[0], layout)


@jit
def follow(view, layout, thresholds):
    """Follow the lead: planes.

    Parameters
    ----------
    view : VIEW record
    layout : LAYOUT record
    thresholds : THRESHOLDS record
    """
    hand = load(view.hand)
    suited = within(hand, layout.suit[view.lead.suit])
    held = count_cards(suited)
    if held == view.lead.cards:
        return suited
    out = unseen(view, layout)
    partner = is_partner(view, view.best_seat)
    if view.lead.cards == 1:
        return follow_tuple(
            1, view, hand, suited, held, out, partner, thresholds, layout
        )
    if (view.lead.length == 1) & (view.lead.throw == 0):
        width = 2 if len(hand) == 2 else view.lead.width
        return follow_tuple(
            width, view, hand, suited, held, out, partner, thresholds, layout
        )
    if partner:
        return follow_partner(view, hand, suited, held, out, thresholds, layout)
    return follow_enemy(view, hand, suited, held, out, thresholds, layout)
