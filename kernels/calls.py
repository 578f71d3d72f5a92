"""Making trump: which calls a seat may make now (RULES.md section 4).

A call is one number: 0..3 the single level card of suits S H C D, 4..7 the pair of
them, 8 the LJ pair, 9 the BJ pair; sets of calls are masks of those ten bits (int64).
Hands are face planes here, since trumps are not made yet.
"""

import numpy as np

from kernels.bits import U0, U1
from kernels.codes import (
    BID_AFTER_DEAL,
    BIG_JOKER,
    CALL_BJ_PAIR,
    CALL_LJ_PAIR,
    CALL_NONE,
    CALL_PAIR,
    CALL_SINGLE,
    JOKER_LEVEL,
    LITTLE_JOKER,
    LOWEST_LEVEL,
    NO_TRUMP,
    OPENS_PAIR,
    OPENS_SINGLE,
    ORDER_LATEST,
    ORDER_SUITS,
    OVERCALL_AFTER_BURY,
    OVERCALL_AFTER_DEAL,
    OVERCALL_NONE,
    SELF_ALWAYS,
    SELF_NEVER,
)
from kernels.jit import jit, jit_inline
from kernels.layout import RANKS

NO_CALL = -1
LJ_PAIR, BJ_PAIR = 8, 9
SINGLES, PAIRS = 0x00F, 0x3F0
# Calls of level cards by colour: S and C, H and D.
BLACK_CALLS, RED_CALLS = 0x055, 0x0AA

# One bit a printed suit in a face plane, and the factor that gathers them.
EVERY_SUIT = np.uint64(1 | 1 << RANKS | 1 << 2 * RANKS | 1 << 3 * RANKS)
GATHER = np.uint64(1 << 39 | 1 << 27 | 1 << 15 | 1 << 3)

# When a seat is asked.
STAGE_DRAW, STAGE_AFTER_DEAL, STAGE_AFTER_BURY = range(3)

# Strength of a pair of suit S H C D in the order `suits`: above a single's 1, below the
# LJ pair's 6.
PAIR_IN_SUITS_ORDER = np.array([5, 4, 3, 2])

# What has been called, as the calls of one deal are made.
CALLS_DTYPE = np.dtype(
    [
        ("call", "i8"),  # the standing call; NO_CALL none
        ("seat", "i8"),  # its seat; -1 none
        ("bidder", "i8"),  # seat of the first call; -1 none
        ("bid", "i8"),  # the first call
        ("overcalls", "i8"),
        ("reinforced", "i8"),  # reinforcements made
        ("callers", "i8"),  # bit s: seat s has called
        ("shown", "i8", (4,)),  # pairs each seat has shown: bits of calls
    ]
)


@jit
def clear_calls(calls):
    """Nobody has called yet."""
    calls.call, calls.seat = NO_CALL, -1
    calls.bidder, calls.bid = -1, NO_CALL
    calls.overcalls, calls.reinforced, calls.callers = 0, 0, 0
    for seat in range(4):
        calls.shown[seat] = 0


@jit
def call_kind(call):
    """CALL_SINGLE, CALL_PAIR, CALL_LJ_PAIR, CALL_BJ_PAIR; CALL_NONE of NO_CALL."""
    if call < 0:
        return CALL_NONE
    if call < 4:
        return CALL_SINGLE
    if call < LJ_PAIR:
        return CALL_PAIR
    return CALL_LJ_PAIR if call == LJ_PAIR else CALL_BJ_PAIR


@jit
def call_trump(call):
    """The trump suit (0..4) that a call makes."""
    return call & 3 if call < LJ_PAIR else NO_TRUMP


@jit
def callable_cards(level):
    """Face masks of the cards that can be called with: (level cards, those and jokers).

    A single or a pair of the first can bid; only pairs of the second stand over a call.
    """
    if level == JOKER_LEVEL:
        return U0, U0
    low = U1 << np.uint64(level - LOWEST_LEVEL)
    levels = low | low << np.uint64(RANKS)
    levels |= levels << np.uint64(2 * RANKS)
    return levels, levels | np.uint64(3) << np.uint64(LITTLE_JOKER)


@jit
def suits_with(plane, rank):
    """Which printed suits hold a rank in a face plane: bit s for suit s, int64.

    The four bits, 13 apart, are brought together by one product: bit 13s goes to bit
    39 + s, and no two of the product's other bits meet.
    """
    found = (plane >> rank) & EVERY_SUIT
    return np.int64((found * GATHER) >> np.uint64(39)) & 15


@jit
def calls_in_hand(one, two, level, with_joker):
    """Every call that a hand's cards could show, whatever was called before: a mask.

    Parameters
    ----------
    one, two : uint64
        Face planes: cards held at least once, at least twice.
    level : int64
        That of the cards to show.
    with_joker : int64
        1: each call of level cards shows a joker of matching colour besides.
    """
    if level == JOKER_LEVEL:
        return 0
    rank = np.uint64(level - LOWEST_LEVEL)
    jokers = np.int64((two >> np.uint64(LITTLE_JOKER)) & np.uint64(3))
    level_cards = suits_with(one, rank) | suits_with(two, rank) << 4
    if with_joker:
        held = np.int64((one >> np.uint64(LITTLE_JOKER)) & np.uint64(3))
        black = BLACK_CALLS if held & 1 else 0
        level_cards &= black | (RED_CALLS if held & 2 else 0)
    return level_cards | jokers << LJ_PAIR


def call_cards(call: int, level: int, with_joker: int) -> list[int]:
    """The faces that a call shows, jokers last; see calls_in_hand."""
    if call >= LJ_PAIR:
        return [LITTLE_JOKER if call == LJ_PAIR else BIG_JOKER] * 2
    face = RANKS * (call & 3) + level - LOWEST_LEVEL
    joker = LITTLE_JOKER if 1 << call & BLACK_CALLS else BIG_JOKER
    return [face] * (1 if call < 4 else 2) + [joker] * bool(with_joker)


@jit
def bids_among(calls, codes):
    """Those of some calls that may open: a mask."""
    bids = calls & (SINGLES | SINGLES << 4)
    if codes.opens_with == OPENS_SINGLE:
        return bids & SINGLES
    return bids & PAIRS if codes.opens_with == OPENS_PAIR else bids


@jit
def strength_of_call(call, codes):
    """A call's strength; a later call must be strictly stronger."""
    kind = call_kind(call)
    if codes.overcall_order == ORDER_SUITS:
        if kind == CALL_PAIR:
            return PAIR_IN_SUITS_ORDER[call & 3]
        if kind >= CALL_LJ_PAIR:
            return kind + 3
    return kind


@jit
def stronger_calls(call, codes):
    """Mask of the calls that may stand over a call."""
    bar = strength_of_call(call, codes)
    stronger = 0
    for other in range(10):
        strength = strength_of_call(other, codes)
        again = (
            codes.overcall_order == ORDER_LATEST and 4 <= other < 8 and 4 <= call < 8
        )
        if strength > bar or again:
            stronger |= 1 << other
    if not codes.joker_pairs:
        stronger &= ~(1 << LJ_PAIR | 1 << BJ_PAIR)
    return stronger


@jit_inline
def legal_calls(held, seat, stage, declarer, side_could_bid, calls, codes):
    """Calls that a seat may make now: a mask of calls.

    Parameters
    ----------
    held : int64
        calls_in_hand(...) of the seat's cards, with its side's level.
    seat, stage : int64
        STAGE_DRAW, STAGE_AFTER_DEAL (all drawn, the bottom not taken) or
        STAGE_AFTER_BURY.
    declarer : int64
        The given one; -1 in a match's first deal, where overcalls with rebury happen
        before the bottom is taken.
    side_could_bid : bool
        With `declarer_side_first`, once all cards are drawn: the declarer's side holds
        the cards of a bid, so the attackers have none.
    calls : CALLS record
        What has been called so far.
    codes : RuleCodes or OPTIONS record
    """
    if calls.call == NO_CALL:
        if stage == STAGE_AFTER_BURY:
            return 0
        if codes.bid_when == BID_AFTER_DEAL and stage == STAGE_DRAW:
            return 0
        if codes.declarer_side_first and declarer >= 0 and seat != declarer:
            if stage == STAGE_DRAW or (seat ^ declarer) & 1 == 0 or side_could_bid:
                return 0
        return bids_among(held, codes)
    if held & PAIRS == 0:
        return 0  # nothing but a pair stands over a call
    fresh = held & ~calls.shown[seat]
    legal = 0
    if calls.seat == seat and stage != STAGE_AFTER_BURY and codes.reinforce:
        if calls.call < 4:
            legal |= fresh & 1 << (calls.call + 4)
    if codes.overcall_when == OVERCALL_NONE:
        return legal
    # Overcalls made in rounds leave the caller no turn while his call stands.
    rounds = codes.overcall_when >= OVERCALL_AFTER_DEAL
    if codes.overcall_when == OVERCALL_AFTER_DEAL and stage != STAGE_AFTER_DEAL:
        return legal
    if codes.overcall_when == OVERCALL_AFTER_BURY:
        wanted = STAGE_AFTER_DEAL if declarer < 0 else STAGE_AFTER_BURY
        if stage != wanted:
            return legal
    elif stage == STAGE_AFTER_BURY:
        return legal
    over = fresh & PAIRS & stronger_calls(calls.call, codes)
    if calls.seat == seat:
        if rounds or codes.overcall_self != SELF_ALWAYS:
            return legal
        # In another suit: no joker pair over one's own, which is no trump as well.
        if call_trump(calls.call) < NO_TRUMP:
            over &= ~(1 << (call_trump(calls.call) + 4))
        else:
            over &= SINGLES << 4
    elif calls.callers >> seat & 1 and codes.overcall_self == SELF_NEVER:
        return legal
    return legal | over


@jit
def reinforces(call, seat, calls):
    """Whether a call is the pair of the seat's own standing single."""
    return calls.seat == seat and 0 <= calls.call < 4 and call == calls.call + 4


@jit
def make_call(call, seat, calls):
    """Let a legal call stand; returns whether it is an overcall."""
    overcall = calls.call != NO_CALL
    if not overcall:
        calls.bidder, calls.bid = seat, call
    elif reinforces(call, seat, calls):
        calls.reinforced += 1
        overcall = False
    else:
        calls.overcalls += 1
    calls.call, calls.seat = call, seat
    calls.callers |= 1 << seat
    if call >= 4:
        calls.shown[seat] |= 1 << call
    return overcall
