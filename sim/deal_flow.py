"""One deal, from the shuffle to the result row; and blocks of them.

draw -> calls -> the declarer takes the bottom -> buries -> (overcalls with rebury) ->
tricks -> score. Hands are face planes until trumps are made for good, then slot planes.
Nothing is allocated inside a deal: one table is laid and used for every deal.
"""

import numpy as np

from kernels.bits import U0, U1, popcount
from kernels.calls import (
    CALLS_DTYPE,
    NO_CALL,
    STAGE_AFTER_BURY,
    STAGE_AFTER_DEAL,
    STAGE_DRAW,
    call_kind,
    call_trump,
    calls_in_hand,
    clear_calls,
    legal_calls,
    make_call,
)
from kernels.codes import (
    BID_DRAW,
    JOKER_LEVEL,
    LITTLE_JOKER,
    LOWEST_LEVEL,
    NO_TRUMP,
    NOBODY_NO_TRUMP,
    OPTIONS_DTYPE,
    OVERCALL_AFTER_BURY,
    READ_TRICK,
    RuleCodes,
)
from kernels.jit import jit
from kernels.layout import (
    LAYOUT_DTYPE,
    LAYOUTS,
    RANKS,
    add_cards,
    count_cards,
    count_points,
    remove_cards,
    to_faces,
    to_slots,
)
from kernels.rng import CARDS, POLICY, SHUFFLE, deal_key, shuffle, stream_key
from kernels.score import bottom_multiplier, next_declarer, read_level_table
from kernels.shape import count_components, describe
from kernels.throw import smallest_failing
from sim.policies.dispatch import decide_bury, decide_call, decide_follow, decide_lead
from sim.policies.textbook.parameters import THRESHOLDS_DTYPE
from sim.policies.view import (
    VIEW_DTYPE,
    clear_view,
    see_burying_over,
    see_follow,
    see_lead,
    see_trick_end,
)

DRAWN = 100  # cards drawn by all seats; the rest is the bottom
THIRD_CARD = DRAWN + 2
LEVELS_IN_TURN = 13  # level plan `all`: 2 + deal index mod 13
ALL_LEVELS = 0
# A match's first deal that nobody bids is dealt again; policies that never bid would
# deal for ever, so such a deal is given up and its row says so.
MOST_REDEALS = 10_000
GIVEN_UP = -1

# Entries of a log (see `record`): what a deal record cannot derive.
LOG_CALL, LOG_BURY, LOG_TRIED, LOG_PLAY, LOG_TRICK = range(1, 6)
LOG_WIDTH = 4
LOG_ROOM = 600


# Everything a deal is played on; laid once a block, overwritten by each deal. Records
# are handed on as one pointer, where a tuple of arrays would be copied at every call.
TABLE_DTYPE = np.dtype(
    [
        ("deck", "i1", (CARDS,)),  # faces in the order drawn, the bottom last
        ("faces", "u8", (5, 2)),  # face planes of the seats and of the bottom
        ("hands", "u8", (4, 2)),  # slot planes of the seats, once trumps are made
        ("random", "u8", (4,)),  # each seat's stream
        ("calls", CALLS_DTYPE),
        ("seen", VIEW_DTYPE),  # the View that policies are shown
        ("logging", "i8"),  # 1: keep a log of this deal
        ("entries", "i8"),  # entries in the log
        ("log", "u8", (LOG_ROOM, LOG_WIDTH)),
    ]
)

# What stays the same over a block of deals: the rules and who plays by what.
GAME_DTYPE = np.dtype(
    [
        ("codes", OPTIONS_DTYPE),
        ("seats", [("policy", "i8"), ("thresholds", THRESHOLDS_DTYPE)], (4,)),
        ("layouts", LAYOUT_DTYPE, LAYOUTS.shape),
    ]
)


def set_game(
    codes: RuleCodes, policies: np.ndarray, parameters: np.ndarray
) -> np.ndarray:
    """The GAME record (an array of one) of a variant and four policies."""
    game = np.zeros(1, GAME_DTYPE)
    for name in OPTIONS_DTYPE.names:
        game["codes"][name] = getattr(codes, name)
    game["layouts"] = LAYOUTS
    game["seats"]["policy"] = policies
    for place, name in enumerate(THRESHOLDS_DTYPE.names):
        game["seats"]["thresholds"][name] = parameters[:, place]
    return game


def lay_table(logging: bool = False) -> np.ndarray:
    """A fresh TABLE record (an array of one)."""
    table = np.zeros(1, TABLE_DTYPE)
    table["logging"] = logging
    return table


@jit
def write_log(table, tag, first, second, third):
    """Add an entry to the table's log, if one is kept."""
    if table.logging:
        entry = table.log[table.entries]
        entry[0], entry[1] = np.uint64(tag), np.uint64(first)
        entry[2], entry[3] = np.uint64(second), np.uint64(third)
        table.entries += 1


@jit
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
        (drawn + 3 - seat) >> 2,
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
    last passed: nothing else that it knows can have changed.
    """
    deck, faces = table.deck, table.faces
    faces[:] = U0
    asking = game.codes.bid_when == BID_DRAW and level < JOKER_LEVEL
    for place in range(CARDS):
        seat = place & 3 if place < DRAWN else 4
        face = U1 << np.uint64(deck[place])
        faces[seat, 1] |= faces[seat, 0] & face
        faces[seat, 0] |= face
        if asking and place < DRAWN:
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
    first = 0
    rebury = game.codes.overcall_when == OVERCALL_AFTER_BURY
    if rebury and declarer < 0 and calls.call != NO_CALL:
        first = (calls.seat + 1) & 3
    call_round(first, STAGE_AFTER_DEAL, level, declarer, game, table)
    if calls.call != NO_CALL and game.codes.bid_when == BID_DRAW:
        # The caller may still reinforce, or overcall himself, once.
        ask_for_call(calls.seat, STAGE_AFTER_DEAL, DRAWN, level, declarer, game, table)


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
    view.seat, view.declarer, view.burier = seat, declarer, seat
    view.call, view.caller = table.calls.call, table.calls.seat
    view.random = table.random[seat]
    view.hand_one, view.hand_two = to_slots(one, layout), to_slots(two, layout)
    put_one, put_two = decide_bury(
        game.seats[seat].policy, game.seats[seat].thresholds, view, layout
    )
    table.random[seat] = view.random
    faces[4, 0], faces[4, 1] = to_faces(put_one, layout), to_faces(put_two, layout)
    faces[seat, 0], faces[seat, 1] = remove_cards(one, two, faces[4, 0], faces[4, 1])
    write_log(table, LOG_BURY, seat, faces[4, 0], faces[4, 1])


@jit
def bury_and_overcall(declarer, trump, level, first_deal, game, table):
    """The declarer's bury, and the overcalls with rebury that may follow.

    Returns
    -------
    trump, burier : int64
        As they stand when play begins.
    """
    bury(declarer, declarer, trump, level, game, table)
    calls = table.calls
    burier = declarer
    if (
        game.codes.overcall_when != OVERCALL_AFTER_BURY
        or first_deal
        or calls.call == NO_CALL
    ):
        return trump, burier
    seat = (declarer + 1) & 3
    passes = 0
    while passes < 3:
        if seat != calls.seat:
            passes += 1
            if ask_for_call(
                seat, STAGE_AFTER_BURY, DRAWN, level, declarer, game, table
            ):
                passes = 0
                trump = call_trump(calls.call)
                burier = seat
                bury(seat, declarer, trump, level, game, table)
        seat = (seat + 1) & 3
    return trump, burier


@jit
def lead_trick(leader, layout, row, game, table):
    """Let the leader lead, check a throw, and put the lead on the table."""
    view, hands = table.seen, table.hands
    view.seat, view.leader, view.position = leader, leader, 0
    one, two = decide_lead(
        game.seats[leader].policy, game.seats[leader].thresholds, view, layout
    )
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


@jit
def take_from_hand(seat, one, two, layout, table):
    """A play leaves the seat's hand."""
    hands = table.hands
    hands[seat, 0], hands[seat, 1] = remove_cards(
        hands[seat, 0], hands[seat, 1], one, two
    )
    write_log(table, LOG_PLAY, seat, to_faces(one, layout), to_faces(two, layout))


@jit
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
    """Play all tricks and fill in what they decide."""
    view, hands = table.seen, table.hands
    bottom_one = to_slots(table.faces[4, 0], layout)
    bottom_two = to_slots(table.faces[4, 1], layout)
    for seat in range(4):
        hands[seat, 0] = to_slots(table.faces[seat, 0], layout)
        hands[seat, 1] = to_slots(table.faces[seat, 1], layout)
    see_burying_over(declarer, burier, table.calls, game.codes.throw_follow, view)
    row.declarer_trumps = popcount(hands[declarer, 0] & layout.trumps) + popcount(
        hands[declarer, 1] & layout.trumps
    )
    row.declarer_jokers = popcount(hands[declarer, 0] & layout.jokers) + popcount(
        hands[declarer, 1] & layout.jokers
    )
    row.buried_points = count_points(bottom_one, bottom_two, layout)
    row.tricks = 0
    leader = declarer
    while hands[leader, 0]:
        set_hand(leader, burier, bottom_one, bottom_two, view, table)
        led_one, led_two = lead_trick(leader, layout, row, game, table)
        table.random[leader] = view.random
        best_one, best_two = led_one, led_two
        for position in range(1, 4):
            seat = (leader + position) & 3
            set_hand(seat, burier, bottom_one, bottom_two, view, table)
            view.position = position
            one, two = decide_follow(
                game.seats[seat].policy, game.seats[seat].thresholds, view, layout
            )
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
    row.trick_points = view.attackers_points


@jit
def score_deal(row, codes):
    """Fill in what the run's own rules make of the facts."""
    row.captured = (row.last_winner ^ row.declarer) & 1
    row.multiplier = 0
    if row.captured:
        from_lead = codes.read_from == READ_TRICK
        kinds = row.lead_kinds if from_lead else row.win_kinds
        run = row.lead_run if from_lead else row.win_run
        row.multiplier = bottom_multiplier(
            np.int64(row.lead_cards), np.int64(kinds), np.int64(run), codes
        )
    row.total = row.trick_points + row.buried_points * row.multiplier
    row.total += row.penalty_points
    side, levels = read_level_table(np.int64(row.total), codes)
    row.side, row.levels = side, levels
    row.next_declarer = next_declarer(np.int64(row.declarer), side)


@jit
def play_deal(seed, index, level, first_deal, row, codes, game, table):
    """Play deal `index` of a seed and fill its row.

    Parameters
    ----------
    seed : uint64
    index, level : int64
        The level is 2..14, or 15 in later deals.
    first_deal : bool
        A match's first deal; else a later one with declarer seat 0.
    row : DEAL_DTYPE record
        Written whole. `redeals` is GIVEN_UP if nobody ever bid.
    codes : RuleCodes
    game : GAME record
    table : TABLE record
    """
    row.deal_index, row.level = index, level
    row.throws_declarers, row.throws_attackers = 0, 0
    row.failed_declarers, row.failed_attackers = 0, 0
    row.penalty_points = 0
    calls = table.calls
    declarer = -1 if first_deal else 0
    for redeal in range(MOST_REDEALS):
        key = deal_key(seed, index, 0, redeal)
        table.entries = 0
        shuffle(stream_key(key, SHUFFLE, 0), table.deck)
        for seat in range(4):
            table.random[seat] = stream_key(key, POLICY, seat)
        clear_calls(calls)
        clear_view(table.seen)
        draw_cards(level, declarer, game, table)
        if level < JOKER_LEVEL:
            finish_calls(level, declarer, game, table)
        row.redeals = redeal
        if calls.call != NO_CALL or not first_deal:
            break
    else:
        row.redeals = GIVEN_UP
        return
    if first_deal:
        declarer = calls.seat
    if calls.call != NO_CALL:
        trump = call_trump(calls.call)
    elif level == JOKER_LEVEL:
        trump = NO_TRUMP
    else:
        trump = turned_trump(table.deck, game.codes)
    row.declarer = declarer
    dealt_layout = game.layouts[LOWEST_LEVEL, NO_TRUMP]
    row.dealt_points = count_points(
        to_slots(table.faces[4, 0], dealt_layout),
        to_slots(table.faces[4, 1], dealt_layout),
        dealt_layout,
    )
    trump, burier = bury_and_overcall(declarer, trump, level, first_deal, game, table)
    row.trump, row.burier = trump, burier
    row.bidder, row.bid_kind = calls.bidder, call_kind(calls.bid)
    row.caller, row.call_kind = calls.seat, call_kind(calls.call)
    row.overcalls, row.coin_factor = calls.overcalls, 1 << calls.overcalls
    play_tricks(declarer, burier, game.layouts[level, trump], row, game, table)
    score_deal(row, codes)


@jit
def play_rows(codes, game, level, first_deal, seed, start, rows, table):
    """Play deals start, start + 1, … of a seed, one a row."""
    for place in range(len(rows)):
        index = start + place
        played = level
        if level == ALL_LEVELS:
            played = LOWEST_LEVEL + index % LEVELS_IN_TURN
        play_deal(
            seed, index, played, first_deal, rows[place], codes, game[0], table[0]
        )


def play_block(
    codes: RuleCodes,
    policies: np.ndarray,
    parameters: np.ndarray,
    level: int,
    first_deal: bool,
    seed: int,
    start: int,
    rows: np.ndarray,
) -> None:
    """Play a block of deals; the result is a function of the arguments alone.

    Parameters
    ----------
    codes : RuleCodes
    policies : int64[4]
    parameters : int64[4, P]
    level : int
        2..15, or ALL_LEVELS.
    first_deal : bool
    seed : int
        0 .. 2**64 - 1.
    start : int
        Deal index of the first row.
    rows : DEAL_DTYPE[n]
        Filled in place.

    Raises
    ------
    ValueError
        If under these policies nobody ever bids in a match's first deal.
    """
    game = set_game(codes, policies, parameters)
    play_rows(codes, game, level, first_deal, np.uint64(seed), start, rows, lay_table())
    if first_deal and (rows["redeals"] == GIVEN_UP).any():
        raise ValueError(
            f"nobody bids in {MOST_REDEALS} shuffles in a row under these policies; "
            "let them bid on less"
        )
