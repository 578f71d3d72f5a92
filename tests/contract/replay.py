"""A deal's log held against the rules by the kernels themselves: fast, so many deals.

Whether the kernels know the rules is not asked here (tests/kernels does): only whether
every policy keeps to them, and whether cards and points are all there.
"""

import numpy as np

from kernels.bits import U0, U1, popcount
from kernels.calls import (
    STAGE_AFTER_BURY,
    STAGE_AFTER_DEAL,
    STAGE_DRAW,
    calls_in_hand,
    clear_calls,
    legal_calls,
    make_call,
)
from kernels.codes import CARDS
from kernels.follow import LEGAL, judge_follow, owes_shape
from kernels.jit import jit
from kernels.layout import (
    add_cards,
    count_cards,
    count_points,
    remove_cards,
    to_slots,
)
from kernels.shape import count_components, in_one_suit, read_runs
from kernels.throw import smallest_failing
from kernels.trick import lead_strength, strength
from sim.deal_flow import play_rows
from sim.table import DRAWN, LOG_BURY, LOG_CALL, LOG_TRICK, LOG_TRIED

FAULTS = (
    "",
    "the pack is not two decks",
    "an illegal call",
    "other cards buried than held, or not 8",
    "cards played that are not held",
    "a lead of several suits",
    "a throw that is none",
    "a throw that stands or falls wrongly",
    "an illegal follow",
    "a wrong winner",
    "a trick's points",
    "cards left at the end",
    "points lost or made",
    "a row that tells another story",
)
(
    FINE,
    PACK,
    CALL,
    BURY,
    NOT_HELD,
    MIXED_LEAD,
    NO_THROW,
    THROW,
    FOLLOW,
    WINNER,
    TRICK_POINTS,
    LEFT,
    POINTS,
    ROW,
) = range(len(FAULTS))


@jit
def draw(deck, drawn, hands):
    """Face planes of the seats and the bottom once so many cards are drawn."""
    hands[:] = U0
    for place in range(CARDS):
        if place >= drawn and place < DRAWN:
            continue
        seat = place & 3 if place < DRAWN else 4
        face = U1 << np.uint64(deck[place])
        hands[seat, 1] |= hands[seat, 0] & face
        hands[seat, 0] |= face


@jit
def is_part(one, two, hand_one, hand_two):
    """Whether a hand holds some cards."""
    return (one & ~hand_one) | (two & ~hand_two) | (two & ~one) == U0


@jit
def opening_fault(row, first_deal, game, table, calls, hands):
    """Replay calls and buries; hands are face planes when it returns.

    Returns
    -------
    fault, entry : int64
        Where the play begins in the log.
    """
    draw(table.deck, DRAWN, hands)
    every = (U1 << np.uint64(54)) - U1
    one, two = U0, U0
    for seat in range(5):
        one, two = add_cards(one, two, hands[seat, 0], hands[seat, 1])
    if one != every or two != every:  # and there are 108 cards
        return PACK, 0
    clear_calls(calls)
    buries = 0
    early = np.zeros((5, 2), np.uint64)
    for place in range(table.entries):
        entry = table.log[place]
        tag, seat = entry[0], np.int64(entry[1])
        if tag == LOG_CALL:
            call, drawn = np.int64(entry[2]), np.int64(entry[3])
            stage = STAGE_DRAW if drawn < DRAWN else STAGE_AFTER_DEAL
            if buries:
                stage = STAGE_AFTER_BURY
            draw(table.deck, drawn, early)
            held = early[seat] if stage == STAGE_DRAW else hands[seat]
            showable = calls_in_hand(held[0], held[1], np.int64(row.level))
            legal = legal_calls(showable, seat, stage, first_deal, calls, game.codes)
            if legal >> call & 1 == 0:
                return CALL, place
            make_call(call, seat, calls)
        elif tag == LOG_BURY:
            one, two = add_cards(
                hands[seat, 0], hands[seat, 1], hands[4, 0], hands[4, 1]
            )
            if not is_part(entry[2], entry[3], one, two):
                return BURY, place
            if count_cards(entry[2], entry[3]) != CARDS - DRAWN:
                return BURY, place
            hands[seat, 0], hands[seat, 1] = remove_cards(one, two, entry[2], entry[3])
            hands[4, 0], hands[4, 1] = entry[2], entry[3]
            buries += 1
        else:
            return FINE, place
    return LEFT, table.entries


@jit
def lead_fault(one, two, tried_one, tried_two, leader, hands, layout):
    """What is wrong with a lead, and with what a throw was forced down to."""
    whole_one, whole_two = one, two
    if tried_one:
        whole_one, whole_two = tried_one, tried_two
        if not is_part(one, two, tried_one, tried_two):
            return THROW
    if not is_part(whole_one, whole_two, hands[leader, 0], hands[leader, 1]):
        return NOT_HELD
    if in_one_suit(whole_one, layout) < 0:
        return MIXED_LEAD
    if count_components(whole_one, whole_two, layout) == 1:
        return NO_THROW if tried_one else FINE
    length, slots = smallest_failing(whole_one, whole_two, hands, leader, layout)
    if tried_one:
        right = length >= 0 and one == slots and two == (slots if length else U0)
        return FINE if right else THROW
    return FINE if length < 0 else THROW


@jit
def deal_fault(row, first_deal, game, table, calls, hands):
    """Replay a deal's log.

    Parameters
    ----------
    row : DEAL_DTYPE record
    first_deal : bool
    game : GAME record
    table : TABLE record
        With the log of that deal.
    calls : CALLS record
    hands : uint64[5, 2]
        Written over.

    Returns
    -------
    fault, entry : int64
        FAULTS, and the entry of the log that has it.
    """
    fault, start = opening_fault(row, first_deal, game, table, calls, hands)
    if fault != FINE:
        return fault, start
    layout = game.layouts[np.int64(row.level), np.int64(row.trump)]
    for seat in range(5):
        hands[seat, 0] = to_slots(hands[seat, 0], layout)
        hands[seat, 1] = to_slots(hands[seat, 1], layout)
    buried = count_points(hands[4, 0], hands[4, 1], layout)
    won = np.zeros(2, np.int64)  # points of the sides of seats 0 and 1
    leader, tricks, position, points = np.int64(row.declarer), 0, 0, 0
    tried_one, tried_two = U0, U0
    suit, cards, pairs, runs, throw = 0, 0, 0, U0, False
    best, winner = -1, -1
    for place in range(start, table.entries):
        entry = table.log[place]
        tag, seat = entry[0], np.int64(entry[1])
        if tag == LOG_TRICK:
            if position != 4 or seat != winner:
                return WINNER, place
            if np.int64(entry[2]) != points:
                return TRICK_POINTS, place
            won[winner & 1] += points
            tricks += 1
            leader, position, points = winner, 0, 0
            continue
        one, two = to_slots(entry[2], layout), to_slots(entry[3], layout)
        if seat != (leader + position) & 3:
            return WINNER, place
        if tag == LOG_TRIED:
            tried_one, tried_two = one, two
            continue
        if position == 0:
            fault = lead_fault(one, two, tried_one, tried_two, seat, hands, layout)
            if fault != FINE:
                return fault, place
            tried_one, tried_two = U0, U0
            suit, cards = in_one_suit(one, layout), count_cards(one, two)
            pairs, runs = popcount(two), read_runs(two, layout)
            throw = count_components(one, two, layout) > 1
            best, winner = lead_strength(one, layout), seat
        else:
            if not is_part(one, two, hands[seat, 0], hands[seat, 1]):
                return NOT_HELD, place
            verdict = judge_follow(
                hands[seat, 0],
                hands[seat, 1],
                one,
                two,
                suit,
                cards,
                runs,
                pairs,
                owes_shape(pairs, throw, game.codes),
                layout,
            )
            if verdict != LEGAL:
                return FOLLOW, place
            power = strength(one, two, suit, cards, runs, pairs, throw, layout)
            if power > best:
                best, winner = power, seat
        hands[seat, 0], hands[seat, 1] = remove_cards(
            hands[seat, 0], hands[seat, 1], one, two
        )
        points += count_points(one, two, layout)
        position += 1
    for seat in range(4):
        if hands[seat, 0] or position:
            return LEFT, table.entries
    if won[0] + won[1] + buried != 200:
        return POINTS, table.entries
    attackers = won[(row.declarer + 1) & 1]
    if row.trick_points != attackers or row.buried_points != buried:
        return ROW, table.entries
    if row.tricks != tricks or row.last_winner != winner:
        return ROW, table.entries
    return FINE, 0


@jit
def first_fault(
    codes, game, level, first_deal, seed, deals, row, table, calls, hands, entries
):
    """Play deals 0 .. deals - 1 and replay each: (deal, fault, entry) of the first.

    The entries of all logs are counted in `entries`, by what they are.
    """
    for index in range(deals):
        play_rows(codes, game, level, first_deal, seed, index, row, table)
        fault, place = deal_fault(row[0], first_deal, game[0], table[0], calls, hands)
        if fault != FINE:
            return index, fault, place
        for place in range(table[0].entries):
            entries[table[0].log[place, 0]] += 1
    return -1, FINE, 0
