"""The opening of a deal: the draw with its calls, the bottom, the buries.

Hands are face planes here, since trumps are not made for good before play begins.
"""

import numpy as np

from kernels.bits import U0, U1
from kernels.calls import (
    NO_CALL,
    STAGE_AFTER_BURY,
    STAGE_AFTER_DEAL,
    STAGE_DRAW,
    call_cards,
    call_trump,
    calls_in_hand,
    legal_calls,
    make_call,
)
from kernels.codes import (
    BID_DRAW,
    CARDS,
    JOKER_LEVEL,
    LITTLE_JOKER,
    NO_TRUMP,
    NOBODY_NO_TRUMP,
    OVERCALL_AFTER_BURY,
)
from kernels.jit import jit, jit_inline
from kernels.layout import RANKS, add_cards, remove_cards, to_faces, to_slots
from sim.policies.dispatch import decide_bury, decide_call
from sim.table import DRAWN, LOG_BURY, LOG_CALL, THIRD_CARD, write_log


@jit_inline
def ask_for_call(seat, stage, drawn, level, declarer, game, table):
    """Ask one seat for a call; returns whether it called.

    Parameters
    ----------
    seat, stage, level : int64
    drawn : int64
        Cards drawn by all seats.
    declarer : int64
        -1 in a match's first deal.
    game : GAME record
    table : TABLE record
    """
    calls = table.calls
    faces = table.faces
    held = calls_in_hand(faces[seat, 0], faces[seat, 1], level)
    if held == 0:
        return False
    legal = legal_calls(held, seat, stage, declarer < 0, calls, game.codes)
    if legal == 0:
        return False
    view = table.seen
    view.seat, view.declarer = seat, declarer
    view.call, view.caller = calls.call, calls.seat
    view.random = table.random[seat]
    call = decide_call(
        game.seats[seat].policy,
        game.seats[seat].thresholds,
        view,
        legal,
        faces[seat, 0],
        faces[seat, 1],
        level,
        (drawn + 3 - (seat - table.first & 3)) >> 2,
        stage,
    )
    table.random[seat] = view.random
    if call < 0:
        return False
    make_call(call, seat, calls)
    write_log(table, LOG_CALL, seat, call, drawn)
    return True


@jit
def draw_cards(level, declarer, game, table):
    """Draw all cards one at a time, with the calls made meanwhile.

    A seat is asked when it has drawn a card and whenever somebody has called since it
    last passed: nothing else that it knows can have changed. After the last card the
    round of `finish_calls` asks everyone.
    """
    deck, faces = table.deck, table.faces
    faces[:] = U0
    asking = game.codes.bid_when == BID_DRAW and level < JOKER_LEVEL
    singles, pairs = call_cards(level)
    for place in range(CARDS):
        seat = table.first + place & 3 if place < DRAWN else 4
        face = U1 << np.uint64(deck[place])
        faces[seat, 1] |= faces[seat, 0] & face
        faces[seat, 0] |= face
        if asking and place < DRAWN - 1:
            # Most seats hold nothing to call with: a bid takes a level card, whatever
            # may stand over it a pair.
            if table.calls.call == NO_CALL:
                if faces[seat, 0] & singles == U0:
                    continue
            elif faces[seat, 1] & pairs == U0:
                continue
            drawn = place + 1
            asked = seat
            if ask_for_call(asked, STAGE_DRAW, drawn, level, declarer, game, table):
                passes = 0
                while passes < 4:
                    asked = (asked + 1) & 3
                    passes += 1
                    if ask_for_call(
                        asked, STAGE_DRAW, drawn, level, declarer, game, table
                    ):
                        passes = 0


@jit
def call_round(first, stage, level, declarer, game, table):
    """Ask round and round, from a seat on, until everyone but the caller passes."""
    calls = table.calls
    seat = first
    passes = 0
    while passes < (4 if calls.call == NO_CALL else 3):
        if seat != calls.seat:
            passes += 1
            if ask_for_call(seat, stage, DRAWN, level, declarer, game, table):
                passes = 0
        seat = (seat + 1) & 3


@jit
def finish_calls(level, declarer, game, table):
    """The calls between the draw and the taking of the bottom."""
    calls = table.calls
    stage = STAGE_AFTER_DEAL
    if game.codes.overcall_when == OVERCALL_AFTER_BURY:
        # The bid and its reinforcement first; in a match's first deal overcalls follow.
        for turn in range(4):
            if calls.call == NO_CALL:
                seat = (table.first + turn) & 3
                ask_for_call(seat, stage, DRAWN, level, declarer, game, table)
        if calls.call == NO_CALL:
            return
        ask_for_call(calls.seat, stage, DRAWN, level, declarer, game, table)
        if declarer < 0:
            call_round((calls.seat + 1) & 3, stage, level, declarer, game, table)
        return
    call_round(table.first, stage, level, declarer, game, table)
    if calls.call != NO_CALL and game.codes.bid_when == BID_DRAW:
        # The caller may still reinforce, or overcall himself, once.
        ask_for_call(calls.seat, stage, DRAWN, level, declarer, game, table)


@jit
def turned_trump(deck, codes):
    """Trump (0..4) when nobody bids: the third card of the bottom, or none."""
    face = np.int64(deck[THIRD_CARD])
    if codes.nobody_bids == NOBODY_NO_TRUMP or face >= LITTLE_JOKER:
        return NO_TRUMP
    return face // RANKS


@jit
def bury(seat, declarer, trump, level, game, table):
    """A seat takes the bottom into its hand and puts as many cards back."""
    layout = game.layouts[level, trump]
    faces = table.faces
    one, two = add_cards(faces[seat, 0], faces[seat, 1], faces[4, 0], faces[4, 1])
    view = table.seen
    view.seat, view.declarer = seat, declarer
    view.call, view.caller = table.calls.call, table.calls.seat
    view.random = table.random[seat]
    view.hand_one, view.hand_two = to_slots(one, layout), to_slots(two, layout)
    put_one, put_two = decide_bury(
        game.seats[seat].policy, game.seats[seat].thresholds, view, layout
    )
    table.random[seat] = view.random
    view.hand_one, view.hand_two = U0, U0  # the next seat to decide is another one
    faces[4, 0], faces[4, 1] = to_faces(put_one, layout), to_faces(put_two, layout)
    faces[seat, 0], faces[seat, 1] = remove_cards(one, two, faces[4, 0], faces[4, 1])
    write_log(table, LOG_BURY, seat, faces[4, 0], faces[4, 1])


@jit
def next_overcaller(first, level, declarer, game, table):
    """Ask round for an overcall with rebury: the seat that makes one, or -1."""
    calls = table.calls
    for step in range(4):
        seat = (first + step) & 3
        if seat != calls.seat and ask_for_call(
            seat, STAGE_AFTER_BURY, DRAWN, level, declarer, game, table
        ):
            return seat
    return -1


@jit
def bury_and_overcall(declarer, trump, level, first_deal, game, table):
    """The declarer's bury, and the overcalls with rebury that may follow.

    Returns
    -------
    trump, burier : int64
        As they stand when play begins.
    """
    calls = table.calls
    overcalls = (
        game.codes.overcall_when == OVERCALL_AFTER_BURY
        and not first_deal
        and calls.call != NO_CALL
    )
    burier = declarer
    while True:
        bury(burier, declarer, trump, level, game, table)
        overcaller = -1
        if overcalls:
            overcaller = next_overcaller((burier + 1) & 3, level, declarer, game, table)
        if overcaller < 0:
            return trump, burier
        burier, trump = overcaller, call_trump(calls.call)
