"""The play: leads, throws and their check, follows, and what the last trick decides."""

from kernels.bits import U0, U1
from kernels.jit import jit, jit_inline
from kernels.layout import cards_to_faces, cards_to_slots, count_points
from kernels.planes import (
    copies,
    count_cards,
    load,
    no_cards,
    remove_cards,
    store,
    within,
)
from kernels.shape import count_components, describe
from kernels.throw import smallest_failing
from sim.friends import see_called_card
from sim.policies.dispatch import decide_follow, decide_lead
from sim.policies.view import (
    points_won,
    see_burying_over,
    see_follow,
    see_lead,
    see_single_lead,
    see_trick_end,
)
from sim.table import (
    FOLLOW_PART,
    LEAD_PART,
    LOG_PLAY,
    LOG_TRICK,
    LOG_TRIED,
    TRICK_PART,
    end_part,
    log_cards,
    write_log,
)


@jit
def lead_trick(leader, layout, row, game, table):
    """Let the leader lead, check a throw, and put the lead on the table.

    Returns
    -------
    planes
        The cards led; of a throw that fails, the component that it is forced down to.
    """
    view = table.seen
    view.seat, view.position = leader, 0
    cards = decide_lead(
        game.seats[leader].policy, game.seats[leader].thresholds, view, layout
    )
    end_part(LEAD_PART, table)
    if cards[0] & (cards[0] - U1) == U0 and cards[1] == U0:
        see_single_lead(leader, cards, layout, view)
        take_from_hand(leader, cards, layout, table)
        return cards
    throw = 0
    if cards[0] & (cards[0] - U1):  # copies of one card are one component
        throw = 1 if count_components(cards, layout) > 1 else 0
    if throw:
        declarers = table.declarers >> leader & 1
        if declarers:
            row.throws_declarers += 1
        else:
            row.throws_attackers += 1
        width, slots = smallest_failing(cards, table.hands, leader, layout)
        if width:
            log_cards(table, LOG_TRIED, leader, cards_to_faces(cards, layout))
            cards = copies(slots, width, cards)
            throw = 0
            if declarers:
                row.failed_declarers += 1
                row.penalty_points += game.codes.failed_throw_points
            else:
                row.failed_attackers += 1
                row.penalty_points -= game.codes.failed_throw_points
    see_lead(leader, cards, throw, layout, game.codes, view)
    take_from_hand(leader, cards, layout, table)
    return cards


@jit_inline
def take_from_hand(seat, cards, layout, table):
    """A play leaves the seat's hand."""
    store(table.hands[seat], remove_cards(load(table.hands[seat]), cards))
    if table.logging:
        log_cards(table, LOG_PLAY, seat, cards_to_faces(cards, layout))


@jit_inline
def set_hand(seat, burier, bottom, view, table):
    """Show the view one seat's own cards and knowledge, and only those."""
    view.seat = seat
    store(view.hand, load(table.hands[seat]))
    view.random = table.random[seat]
    view.mates = table.mates[seat]
    view.declarers = table.known[seat]
    store(view.buried, bottom if seat == burier else no_cards(bottom))


@jit
def sort_hands(layout, table):
    """Trumps are made for good: every hand in the slots of the deal's layout."""
    for seat in range(4):
        store(table.hands[seat], cards_to_slots(load(table.faces[seat]), layout))


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
    bottom = cards_to_slots(load(table.faces[4]), layout)
    see_burying_over(declarer, table.calls, view)
    row.declarer_trumps = count_cards(within(load(hands[declarer]), layout.trumps))
    row.declarer_jokers = count_cards(within(load(hands[declarer]), layout.jokers))
    row.buried_points = count_points(bottom, layout)
    row.tricks = 0
    leader = declarer
    end_part(TRICK_PART, table)
    while hands[leader].one:
        set_hand(leader, burier, bottom, view, table)
        led = lead_trick(leader, layout, row, game, table)
        table.random[leader] = view.random
        best = led
        see_called_card(leader, led, row, table)
        for position in range(1, 4):
            seat = (leader + position) & 3
            set_hand(seat, burier, bottom, view, table)
            view.position = position
            end_part(TRICK_PART, table)
            cards = decide_follow(
                game.seats[seat].policy, game.seats[seat].thresholds, view, layout
            )
            end_part(FOLLOW_PART, table)
            table.random[seat] = view.random
            if see_follow(seat, cards, layout, view):
                best = cards
            take_from_hand(seat, cards, layout, table)
            see_called_card(seat, cards, row, table)
        row.tricks += 1
        winner = see_trick_end(view)
        write_log(table, LOG_TRICK, winner, view.trick_points, 0)
        if hands[leader].one == U0:
            row.last_winner = winner
            row.lead_cards = view.lead.cards
            kinds, pairs, triples, quads = describe(led, layout)
            row.lead_kinds, row.lead_run = kinds, pairs
            row.lead_triples, row.lead_quads = triples, quads
            kinds, pairs, triples, quads = describe(best, layout)
            row.win_kinds, row.win_run = kinds, pairs
            row.win_triples, row.win_quads = triples, quads
        leader = winner
        end_part(TRICK_PART, table)
    row.trick_points = points_won(table.declarers, view.won)
