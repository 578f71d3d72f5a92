"""The play: leads, throws and their check, follows, and what the last trick decides."""

from kernels.bits import U0, popcount
from kernels.jit import jit, jit_inline
from kernels.layout import count_cards, count_points, remove_cards, to_faces, to_slots
from kernels.shape import count_components, describe
from kernels.throw import smallest_failing
from sim.policies.dispatch import decide_follow, decide_lead
from sim.policies.view import see_burying_over, see_follow, see_lead, see_trick_end
from sim.table import (
    FOLLOW_PART,
    LEAD_PART,
    LOG_PLAY,
    LOG_TRICK,
    LOG_TRIED,
    TRICK_PART,
    end_part,
    write_log,
)


@jit
def lead_trick(leader, layout, row, game, table):
    """Let the leader lead, check a throw, and put the lead on the table.

    Returns
    -------
    one, two : uint64
        The cards led; of a throw that fails, the component that it is forced down to.
    """
    view, hands = table.seen, table.hands
    view.seat, view.position = leader, 0
    one, two = decide_lead(
        game.seats[leader].policy, game.seats[leader].thresholds, view, layout
    )
    end_part(LEAD_PART, table)
    throw = 0
    if count_cards(one, two) > 1 and (two != one or popcount(one) > 1):
        throw = 1 if count_components(one, two, layout) > 1 else 0
    if throw:
        declarers = (leader ^ view.declarer) & 1 == 0
        length, slots = smallest_failing(one, two, hands, leader, layout)
        if declarers:
            row.throws_declarers += 1
        else:
            row.throws_attackers += 1
        if length >= 0:
            write_log(
                table, LOG_TRIED, leader, to_faces(one, layout), to_faces(two, layout)
            )
            one, two = slots, slots if length else U0
            throw = 0
            if declarers:
                row.failed_declarers += 1
                row.penalty_points += game.codes.failed_throw_points
            else:
                row.failed_attackers += 1
                row.penalty_points -= game.codes.failed_throw_points
    see_lead(leader, one, two, throw, layout, game.codes, view)
    take_from_hand(leader, one, two, layout, table)
    return one, two


@jit_inline
def take_from_hand(seat, one, two, layout, table):
    """A play leaves the seat's hand."""
    hands = table.hands
    hands[seat, 0], hands[seat, 1] = remove_cards(
        hands[seat, 0], hands[seat, 1], one, two
    )
    if table.logging:
        write_log(table, LOG_PLAY, seat, to_faces(one, layout), to_faces(two, layout))


@jit_inline
def set_hand(seat, burier, bottom_one, bottom_two, view, table):
    """Show the view one seat's own cards, and only those."""
    view.seat = seat
    view.hand_one, view.hand_two = table.hands[seat, 0], table.hands[seat, 1]
    view.random = table.random[seat]
    own = seat == burier
    view.buried_one = bottom_one if own else U0
    view.buried_two = bottom_two if own else U0


@jit
def play_tricks(declarer, burier, layout, row, game, table):
    """Play all tricks and fill in what they decide.

    Parameters
    ----------
    declarer, burier : int64
        Who leads first, and who buried last and so knows the bottom.
    layout : LAYOUT record
    row : DEAL_DTYPE record
    game : GAME record
    table : TABLE record
    """
    view, hands = table.seen, table.hands
    bottom_one = to_slots(table.faces[4, 0], layout)
    bottom_two = to_slots(table.faces[4, 1], layout)
    for seat in range(4):
        hands[seat, 0] = to_slots(table.faces[seat, 0], layout)
        hands[seat, 1] = to_slots(table.faces[seat, 1], layout)
    see_burying_over(declarer, table.calls, view)
    row.declarer_trumps = popcount(hands[declarer, 0] & layout.trumps) + popcount(
        hands[declarer, 1] & layout.trumps
    )
    row.declarer_jokers = popcount(hands[declarer, 0] & layout.jokers) + popcount(
        hands[declarer, 1] & layout.jokers
    )
    row.buried_points = count_points(bottom_one, bottom_two, layout)
    row.tricks = 0
    leader = declarer
    end_part(TRICK_PART, table)
    while hands[leader, 0]:
        set_hand(leader, burier, bottom_one, bottom_two, view, table)
        led_one, led_two = lead_trick(leader, layout, row, game, table)
        table.random[leader] = view.random
        best_one, best_two = led_one, led_two
        for position in range(1, 4):
            seat = (leader + position) & 3
            set_hand(seat, burier, bottom_one, bottom_two, view, table)
            view.position = position
            end_part(TRICK_PART, table)
            one, two = decide_follow(
                game.seats[seat].policy, game.seats[seat].thresholds, view, layout
            )
            end_part(FOLLOW_PART, table)
            table.random[seat] = view.random
            if see_follow(seat, one, two, layout, view):
                best_one, best_two = one, two
            take_from_hand(seat, one, two, layout, table)
        row.tricks += 1
        winner = see_trick_end(view)
        write_log(table, LOG_TRICK, winner, view.trick_points, 0)
        if hands[leader, 0] == U0:
            row.last_winner = winner
            row.lead_cards = view.lead_cards
            row.lead_kinds, row.lead_run = describe(led_one, led_two, layout)
            row.win_kinds, row.win_run = describe(best_one, best_two, layout)
        leader = winner
        end_part(TRICK_PART, table)
    row.trick_points = view.attackers_points
