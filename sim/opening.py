"""The opening of a deal: what comes of the calls, the bottom, the buries.

Hands are face planes here, since trumps are not made for good before play begins.
"""

import numpy as np

from kernels.bits import U1
from kernels.calls import NO_CALL, call_trump
from kernels.codes import (
    BID_AUCTION,
    JOKER_LEVEL,
    LITTLE_JOKER,
    NO_TRUMP,
    NOBODY_NO_TRUMP,
    NOBODY_RANDOM_CARD,
    OVERCALL_AFTER_BURY,
)
from kernels.jit import jit
from kernels.layout import RANKS, cards_to_faces, cards_to_slots, count_face_points
from kernels.planes import add_cards, bottom_cards, load, no_cards, remove_cards, store
from kernels.rng import TURNED_CARD, below, stream_key
from sim.auction import hold_auction
from sim.calling import (
    draw_cards,
    drawn_of,
    finish_calls,
    next_overcaller,
    show_bidder,
)
from sim.policies.dispatch import decide_bury, decide_redeal
from sim.table import LOG_BURY, LOG_TURNED, log_cards, write_log


@jit
def make_trump(key, game, table):
    """Draw the cards and make trumps; returns whether this shuffle is played.

    Parameters
    ----------
    key : uint64
        Of the shuffle (kernels.rng.deal_key).
    game : GAME record
    table : TABLE record
        With how the match stands, and the cards shuffled. Written: declarer, level,
        trump, target.
    """
    codes, calls = game.codes, table.calls
    table.declarer = table.given
    table.level = table.standing.levels[table.first]
    table.trump, table.target = NO_TRUMP, -1
    draw_cards(game, table)
    if codes.bid_when == BID_AUCTION:
        hold_auction(game, table)
        return not is_dealt_again(game, table)
    if table.level < JOKER_LEVEL or codes.declarer_side_first:
        finish_calls(game, table)
    if calls.call != NO_CALL:
        table.trump = call_trump(calls.call)
        if table.given < 0:
            table.declarer = calls.seat
    if is_dealt_again(game, table):
        return False
    if calls.call == NO_CALL and table.level < JOKER_LEVEL:
        turn_card(key, game, table)
    return table.declarer >= 0


@jit
def is_dealt_again(game, table):
    """Whether an attacker with few points demands a new deal (暴动)."""
    codes = game.codes
    if codes.weak_points == 0 or table.given < 0:
        return False
    for step in range(1, 4, 2):
        seat = (table.declarer + step) & 3
        cards = load(table.faces[seat])
        if count_face_points(cards) < codes.weak_points:
            show_bidder(seat, game, table)
            demands = decide_redeal(
                game.seats[seat].policy,
                game.seats[seat].thresholds,
                table.seen,
                cards,
                table.level,
                table.trump,
            )
            table.random[seat] = table.seen.random
            if demands:
                return True
    return False


@jit
def turn_card(key, game, table):
    """Nobody has called: a card of the bottom makes trump, and perhaps a declarer."""
    if game.codes.nobody_bids == NOBODY_NO_TRUMP:
        return
    place = 2
    if game.codes.nobody_bids == NOBODY_RANDOM_CARD:
        table.seen.random = stream_key(key, TURNED_CARD, 0)
        place = below(table.seen, bottom_cards(load(table.faces[4])))
    face = np.int64(table.deck[drawn_of(table) + place])
    write_log(table, LOG_TURNED, face, 0, 0)
    table.trump = NO_TRUMP if face >= LITTLE_JOKER else face // RANKS
    if game.codes.nobody_bids != NOBODY_RANDOM_CARD:
        return
    for turn in range(4):
        seat = (table.first + turn) & 3
        if table.faces[seat].one & U1 << np.uint64(face):
            table.declarer = seat
            table.level = table.standing.levels[seat]
            if table.level == JOKER_LEVEL:
                table.trump = NO_TRUMP
            return


@jit
def bury(seat, game, table):
    """A seat takes the bottom into its hand and puts as many cards back."""
    layout = game.layouts[table.level, table.trump]
    faces, view = table.faces, table.seen
    cards = add_cards(load(faces[seat]), load(faces[4]))
    show_bidder(seat, game, table)
    store(view.hand, cards_to_slots(cards, layout))
    put = decide_bury(
        game.seats[seat].policy, game.seats[seat].thresholds, view, layout
    )
    table.random[seat] = view.random
    store(view.hand, no_cards(cards))  # the next seat to decide is another one
    put = cards_to_faces(put, layout)
    store(faces[4], put)
    store(faces[seat], remove_cards(cards, put))
    log_cards(table, LOG_BURY, seat, put)


@jit
def bury_and_overcall(game, table):
    """The declarer's bury, and the overcalls with rebury that may follow (反主炒底).

    Returns who buried last (int64); the table's trump is that of the last call.
    """
    overcalls = (
        game.codes.overcall_when == OVERCALL_AFTER_BURY
        and table.given >= 0
        and table.calls.call != NO_CALL
    )
    burier = table.declarer
    while True:
        bury(burier, game, table)
        overcaller = -1
        if overcalls:
            overcaller = next_overcaller((burier + 1) & 3, game, table)
        if overcaller < 0:
            return burier
        burier, table.trump = overcaller, call_trump(table.calls.call)
