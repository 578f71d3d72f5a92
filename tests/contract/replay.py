"""A deal's log held against the rules by the kernels themselves: fast, so many deals.

Whether the kernels know the rules is not asked here (tests/kernels does): only whether
every policy keeps to them, and whether cards and points are all there.
"""

import numpy as np

from kernels.bits import U1
from kernels.calls import (
    STAGE_AFTER_BURY,
    STAGE_AFTER_DEAL,
    STAGE_DRAW,
    bids_among,
    calls_in_hand,
    clear_calls,
    legal_calls,
    make_call,
)
from kernels.follow import LEGAL, judge_follow
from kernels.jit import jit
from kernels.layout import cards_to_slots, count_points
from kernels.lead import lead_strength, read_lead
from kernels.planes import (
    add_cards,
    bottom_cards,
    copies,
    count_cards,
    hold,
    load,
    no_cards,
    remove_cards,
    store,
)
from kernels.shape import count_components, in_one_suit
from kernels.throw import smallest_failing
from kernels.trick import strength
from sim.calling import drawn_of
from sim.deal_flow import play_rows
from sim.table import (
    EVEN_SEATS,
    LOG_BURY,
    LOG_CALL,
    LOG_CALLED_CARD,
    LOG_PASS,
    LOG_TARGET,
    LOG_TRICK,
    LOG_TRIED,
    LOG_TURNED,
)

FAULTS = (
    "",
    "the pack is not so many decks",
    "an illegal call",
    "other cards buried than held, or too many",
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
    "an illegal target",
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
    TARGET,
) = range(len(FAULTS))


@jit
def draw(table, drawn, hands):
    """Face planes of the seats and the bottom once so many cards are drawn."""
    nothing = no_cards(load(hands[0]))
    for seat in range(5):
        store(hands[seat], nothing)
    in_all = drawn_of(table)
    for place in range(len(table.deck)):
        if place >= drawn and place < in_all:
            continue
        seat = table.first + place & 3 if place < in_all else 4
        card = copies(U1 << np.uint64(table.deck[place]), 1, nothing)
        store(hands[seat], add_cards(load(hands[seat]), card))


@jit
def planes_at(table, place):
    """The planes that an entry of the log holds."""
    entry = table.log[place]
    like = load(table.faces[0])
    return planes_of(entry, like)


@jit
def planes_of(entry, like):
    """As many planes of an entry as a set of cards has."""
    if len(like) == 2:
        return entry[2], entry[3]
    if len(like) == 3:
        return entry[2], entry[3], entry[4]
    return entry[2], entry[3], entry[4], entry[5]


@jit
def call_is_legal(entry, buries, game, table, calls, early, hands):
    """Whether a call of the log may be made; it is, in `calls`."""
    call, drawn, seat = np.int64(entry[2]), np.int64(entry[3]), np.int64(entry[1])
    stage = STAGE_DRAW if drawn < drawn_of(table) else STAGE_AFTER_DEAL
    if buries:
        stage = STAGE_AFTER_BURY
    draw(table, drawn, early)
    held = load(early[seat]) if stage == STAGE_DRAW else load(hands[seat])
    codes, given = game.codes, table.given
    could = False
    for side in range(given & 1, 4, 2):
        its = load(hands[side])
        level = table.standing.levels[side]
        showable = calls_in_hand(its[0], its[1], level, codes.with_joker)
        could |= given >= 0 and bids_among(showable, codes) != 0
    showable = calls_in_hand(held[0], held[1], table.level, codes.with_joker)
    legal = legal_calls(showable, seat, stage, given, could, calls, codes)
    make_call(call, seat, calls)
    return legal >> call & 1 == 1


@jit
def opening_fault(game, table, calls, early, hands):
    """Replay calls and buries; hands are face planes when it returns.

    Returns
    -------
    fault, entry : int64
        Where the play begins in the log.
    """
    draw(table, drawn_of(table), hands)
    every = (U1 << np.uint64(54)) - U1
    nothing = no_cards(load(hands[0]))
    cards = nothing
    for seat in range(5):
        cards = add_cards(cards, load(hands[seat]))
    if cards != copies(every, len(cards), cards):  # and there are as many cards
        return PACK, 0
    clear_calls(calls)
    buries, highest = 0, game.codes.take_over
    for place in range(table.entries):
        entry = table.log[place]
        tag, seat = entry[0], np.int64(entry[1])
        if tag == LOG_CALL:
            if not call_is_legal(entry, buries, game, table, calls, early, hands):
                return CALL, place
        elif tag == LOG_TARGET:
            target = np.int64(entry[2])
            if target > highest or target < 5 or target % 5:
                return TARGET, place
            highest = target - 5
        elif tag == LOG_BURY:
            cards = add_cards(load(hands[seat]), load(hands[4]))
            put = planes_at(table, place)
            if not hold(cards, put) or count_cards(put) != bottom_cards(put):
                return BURY, place
            store(hands[seat], remove_cards(cards, put))
            store(hands[4], put)
            buries += 1
        elif tag != LOG_PASS and tag != LOG_TURNED and tag != LOG_CALLED_CARD:
            return FINE, place
    return LEFT, table.entries


@jit
def lead_fault(cards, tried, leader, hands, layout):
    """What is wrong with a lead, and with what a throw was forced down to."""
    whole = cards
    if tried[0]:
        whole = tried
        if not hold(tried, cards):
            return THROW
    if not hold(load(hands[leader]), whole):
        return NOT_HELD
    if in_one_suit(whole[0], layout) < 0:
        return MIXED_LEAD
    if count_components(whole, layout) == 1:
        return NO_THROW if tried[0] else FINE
    width, slots = smallest_failing(whole, hands, leader, layout)
    if tried[0]:
        return FINE if width and cards == copies(slots, width, cards) else THROW
    return FINE if width == 0 else THROW


@jit
def deal_fault(row, game, table, lead, calls, early, hands):
    """Replay a deal's log.

    Parameters
    ----------
    row : DEAL_DTYPE record
    game : GAME record
    table : TABLE record
        With the log of that deal.
    lead : LEAD record
    calls : CALLS record
    early, hands : PLANES_DTYPE[5]
        These four are written over.

    Returns
    -------
    fault, entry : int64
        FAULTS, and the entry of the log that has it.
    """
    fault, start = opening_fault(game, table, calls, early, hands)
    if fault != FINE:
        return fault, start
    layout = game.layouts[np.int64(row.level), np.int64(row.trump)]
    for seat in range(5):
        store(hands[seat], cards_to_slots(load(hands[seat]), layout))
    nothing = no_cards(load(hands[0]))
    buried = count_points(load(hands[4]), layout)
    won = np.zeros(4, np.int64)  # points of the seats
    leader, tricks, position, points = np.int64(row.declarer), 0, 0, 0
    tried = nothing
    best, winner = -1, -1
    for place in range(start, table.entries):
        entry = table.log[place]
        tag, seat = entry[0], np.int64(entry[1])
        if tag == LOG_TRICK:
            if position != 4 or seat != winner:
                return WINNER, place
            if np.int64(entry[2]) != points:
                return TRICK_POINTS, place
            won[winner] += points
            tricks += 1
            leader, position, points = winner, 0, 0
            continue
        cards = cards_to_slots(planes_at(table, place), layout)
        if seat != (leader + position) & 3:
            return WINNER, place
        if tag == LOG_TRIED:
            tried = cards
            continue
        if position == 0:
            fault = lead_fault(cards, tried, seat, hands, layout)
            if fault != FINE:
                return fault, place
            tried = nothing
            throw = 1 if count_components(cards, layout) > 1 else 0
            read_lead(cards, throw, lead, layout, game.codes)
            best, winner = lead_strength(cards, layout), seat
        else:
            if not hold(load(hands[seat]), cards):
                return NOT_HELD, place
            if judge_follow(load(hands[seat]), cards, lead, layout) != LEGAL:
                return FOLLOW, place
            power = strength(cards, lead, layout)
            if power > best:
                best, winner = power, seat
        store(hands[seat], remove_cards(load(hands[seat]), cards))
        points += count_points(cards, layout)
        position += 1
    for seat in range(4):
        if hands[seat].one or position:
            return LEFT, table.entries
    if won.sum() + buried != 100 * len(nothing):
        return POINTS, table.entries
    declarers = EVEN_SEATS << (row.declarer & 1)
    if row.called_card >= 0:
        declarers = 1 << row.declarer
        if row.friend >= 0:
            declarers |= 1 << row.friend
    attackers = 0
    for seat in range(4):
        attackers += won[seat] if declarers >> seat & 1 == 0 else 0
    if row.trick_points != attackers or row.buried_points != buried:
        return ROW, table.entries
    if row.tricks != tricks or row.last_winner != winner:
        return ROW, table.entries
    return FINE, 0


@jit
def first_fault(
    game,
    level,
    first_deal,
    seed,
    deals,
    row,
    table,
    lead,
    calls,
    early,
    hands,
    entries,
):
    """Play deals 0 .. deals - 1 and replay each: (deal, fault, entry) of the first.

    The entries of all logs are counted in `entries`, by what they are.
    """
    for index in range(deals):
        play_rows(game, level, first_deal, seed, index, row, table)
        fault, place = deal_fault(row[0], game[0], table[0], lead, calls, early, hands)
        if fault != FINE:
            return index, fault, place
        for place in range(table[0].entries):
            entries[table[0].log[place, 0]] += 1
    return -1, FINE, 0
