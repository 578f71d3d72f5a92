"""The draw and its calls: bids, reinforcements, overcalls (亮主, 反主)."""

import numpy as np

from kernels.bits import U0, U1
from kernels.calls import (
    NO_CALL,
    STAGE_AFTER_BURY,
    STAGE_AFTER_DEAL,
    STAGE_DRAW,
    bids_among,
    callable_cards,
    calls_in_hand,
    legal_calls,
    make_call,
)
from kernels.codes import BID_DRAW, CALLED, JOKER_LEVEL, OVERCALL_AFTER_BURY
from kernels.jit import jit, jit_inline
from kernels.planes import add_cards, bottom_cards, copies, load, no_cards, store
from sim.policies.dispatch import decide_call, may_bid
from sim.table import EVEN_SEATS, LOG_CALL, write_log


@jit
def drawn_of(table):
    """Cards that all seats together draw; the rest is the bottom."""
    return len(table.deck) - bottom_cards(load(table.faces[4]))


@jit_inline
def show_bidder(seat, game, table):
    """Show the View what a seat knows before trumps are made, but for its cards."""
    view = table.seen
    view.seat, view.declarer = seat, table.declarer
    view.call, view.caller = table.calls.call, table.calls.seat
    view.random = table.random[seat]
    view.mates = (
        1 << seat if game.codes.partners == CALLED else EVEN_SEATS << (seat & 1)
    )


@jit_inline
def ask_for_call(seat, stage, drawn, game, table):
    """Ask one seat for a call; returns whether it called.

    Parameters
    ----------
    seat, stage : int64
    drawn : int64
        Cards drawn by all seats.
    game : GAME record
    table : TABLE record
    """
    calls, codes = table.calls, game.codes
    cards = load(table.faces[seat])
    level = table.level
    attacks = bids_for_attackers(seat, game, table)
    if attacks:
        level = table.standing.levels[seat]
    held = calls_in_hand(cards[0], cards[1], level, codes.with_joker)
    if held == 0:
        return False
    legal = legal_calls(
        held, seat, stage, table.given, table.side_could_bid, calls, codes
    )
    if legal == 0:
        return False
    show_bidder(seat, game, table)
    call = decide_call(
        game.seats[seat].policy,
        game.seats[seat].thresholds,
        table.seen,
        legal,
        cards,
        level,
        (drawn + 3 - (seat - table.first & 3)) >> 2,
        stage,
    )
    table.random[seat] = table.seen.random
    if call < 0:
        return False
    make_call(call, seat, calls)
    write_log(table, LOG_CALL, seat, call, drawn)
    if attacks:
        table.declarer, table.level = seat, level
    return True


@jit_inline
def bids_for_attackers(seat, game, table):
    """Whether a seat's call would be an attacker's bid, which makes it declarer."""
    return (
        game.codes.declarer_side_first
        and table.given >= 0
        and table.calls.call == NO_CALL
        and (seat ^ table.given) & 1 == 1
    )


@jit_inline
def put_card(face, seat, faces):
    """Add a card to those of a seat, or of the bottom: faces is PLANES_DTYPE[5]."""
    held = load(faces[seat])
    store(faces[seat], add_cards(held, copies(U1 << np.uint64(face), 1, held)))


@jit
def draw_cards(game, table):
    """Draw all cards one at a time, with the calls made meanwhile.

    A seat is asked when it has drawn a card and whenever somebody has called since it
    last passed: nothing else that it knows can have changed. After the last card the
    round of `finish_calls` asks everyone.
    """
    deck, faces, first = table.deck, table.faces, table.first
    nothing = no_cards(load(faces[0]))
    for seat in range(5):
        store(faces[seat], nothing)
    asking = game.codes.bid_when == BID_DRAW and table.level < JOKER_LEVEL
    pairs = callable_cards(table.level)[1]
    drawn_in_all = len(deck) - bottom_cards(nothing)
    for place in range(drawn_in_all, len(deck)):
        put_card(deck[place], 4, faces)
    for place in range(drawn_in_all):
        seat = first + place & 3
        put_card(deck[place], seat, faces)
        if asking and place < drawn_in_all - 1:
            # Most seats hold nothing to call with; what may stand over a bid is a pair.
            if table.calls.call == NO_CALL:
                if not may_bid(
                    game.seats[seat].policy,
                    game.seats[seat].thresholds,
                    load(faces[seat]),
                    table.level,
                    (place >> 2) + 1,
                    table.given < 0,
                ):
                    continue
            elif faces[seat].two & pairs == U0:
                continue
            drawn = place + 1
            asked = seat
            if ask_for_call(asked, STAGE_DRAW, drawn, game, table):
                passes = 0
                while passes < 4:
                    asked = (asked + 1) & 3
                    passes += 1
                    if ask_for_call(asked, STAGE_DRAW, drawn, game, table):
                        passes = 0


@jit
def call_round(start, stage, game, table):
    """Ask round and round, from a seat on, until everyone but the caller passes."""
    calls = table.calls
    seat = start
    passes = 0
    while passes < (4 if calls.call == NO_CALL else 3):
        if seat != calls.seat:
            passes += 1
            if ask_for_call(seat, stage, drawn_of(table), game, table):
                passes = 0
        seat = (seat + 1) & 3


@jit
def see_who_could_bid(game, table):
    """With all cards drawn: note whether the declarer's side holds those of a bid."""
    table.side_could_bid = 0
    if table.given >= 0 and game.codes.declarer_side_first:
        for seat in range(table.given & 1, 4, 2):
            one, two = table.faces[seat].one, table.faces[seat].two
            held = calls_in_hand(one, two, table.level, game.codes.with_joker)
            if bids_among(held, game.codes):
                table.side_could_bid = 1


@jit
def finish_calls(game, table):
    """The calls between the draw and the taking of the bottom."""
    calls = table.calls
    stage = STAGE_AFTER_DEAL
    see_who_could_bid(game, table)
    if game.codes.overcall_when == OVERCALL_AFTER_BURY:
        # The bid and its reinforcement first; in a match's first deal overcalls follow.
        for turn in range(4):
            if calls.call == NO_CALL:
                seat = (table.first + turn) & 3
                ask_for_call(seat, stage, drawn_of(table), game, table)
        if calls.call == NO_CALL:
            return
        ask_for_call(calls.seat, stage, drawn_of(table), game, table)
        if table.given < 0:
            call_round((calls.seat + 1) & 3, stage, game, table)
        return
    call_round(table.first, stage, game, table)
    if calls.call != NO_CALL and game.codes.bid_when == BID_DRAW:
        # The caller may still reinforce, or overcall himself, once.
        ask_for_call(calls.seat, stage, drawn_of(table), game, table)


@jit
def next_overcaller(start, game, table):
    """Ask round for an overcall with rebury: the seat that makes one, or -1."""
    for step in range(4):
        seat = (start + step) & 3
        if seat != table.calls.seat and ask_for_call(
            seat, STAGE_AFTER_BURY, drawn_of(table), game, table
        ):
            return seat
    return -1
