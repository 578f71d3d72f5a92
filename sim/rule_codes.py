"""Rule options in the kernels' numbers (`kernels.codes`)."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from kernels import codes
from sim.option_values import (
    AfterAce,
    BidWhen,
    BottomScheme,
    BottomTable,
    NobodyBids,
    OpensWith,
    OvercallOrder,
    OvercallSelf,
    OvercallWhen,
    Partners,
    ReadFrom,
    ThrowFollow,
)

# The kernels' number for each value.
CODES: Mapping[str, Mapping[Any, int]] = {
    "partners": {Partners.FIXED: codes.FIXED, Partners.CALLED: codes.CALLED},
    "bid.when": {
        BidWhen.DRAW: codes.BID_DRAW,
        BidWhen.AFTER_DEAL: codes.BID_AFTER_DEAL,
        BidWhen.AUCTION: codes.BID_AUCTION,
    },
    "bid.opens_with": {
        OpensWith.SINGLE: codes.OPENS_SINGLE,
        OpensWith.PAIR: codes.OPENS_PAIR,
        OpensWith.EITHER: codes.OPENS_EITHER,
        None: codes.OPENS_EITHER,
    },
    "overcall.when": {
        OvercallWhen.DRAW: codes.OVERCALL_DRAW,
        OvercallWhen.AFTER_DEAL: codes.OVERCALL_AFTER_DEAL,
        OvercallWhen.AFTER_BURY: codes.OVERCALL_AFTER_BURY,
        OvercallWhen.NONE: codes.OVERCALL_NONE,
    },
    # In an auction and without overcalls some are never asked for: any code will do.
    "overcall.order": {
        OvercallOrder.KINDS: codes.ORDER_KINDS,
        OvercallOrder.SUITS: codes.ORDER_SUITS,
        OvercallOrder.LATEST: codes.ORDER_LATEST,
        None: codes.ORDER_KINDS,
    },
    "overcall.self": {
        OvercallSelf.NEVER: codes.SELF_NEVER,
        OvercallSelf.AFTER_OTHER: codes.SELF_AFTER_OTHER,
        OvercallSelf.ALWAYS: codes.SELF_ALWAYS,
        None: codes.SELF_NEVER,
    },
    "nobody_bids": {
        NobodyBids.THIRD_CARD: codes.NOBODY_THIRD_CARD,
        NobodyBids.RANDOM_CARD: codes.NOBODY_RANDOM_CARD,
        NobodyBids.NO_TRUMP: codes.NOBODY_NO_TRUMP,
        None: codes.NOBODY_NO_TRUMP,
    },
    "throw_follow": {
        ThrowFollow.SHAPE: codes.FOLLOW_SHAPE,
        ThrowFollow.SUIT: codes.FOLLOW_SUIT,
    },
    "bottom.read_from": {
        ReadFrom.TRICK: codes.READ_TRICK,
        ReadFrom.WINNER: codes.READ_WINNER,
    },
    "match.after_ace": {
        AfterAce.LOOP: codes.AFTER_ACE_LOOP,
        AfterAce.JOKERS: codes.AFTER_ACE_JOKERS,
        AfterAce.END: codes.AFTER_ACE_END,
    },
}
SIDE_CODES = {name: code for code, name in enumerate(codes.SIDE_NAMES)}


def bottom_count(scheme: BottomScheme, own: BottomTable | None) -> int:
    """How the components of the last trick are counted."""
    if own is not None:
        return codes.COUNT_HIGHEST
    if scheme == BottomScheme.POWER:
        return codes.COUNT_WIDEST_FIRST
    if scheme == BottomScheme.BY_CARDS:
        return codes.COUNT_BY_CARDS
    return codes.COUNT_HIGHEST


def bottom_table(scheme: BottomScheme, own: BottomTable | None) -> np.ndarray:
    """int64[4, LONGEST_RUN]: the multiplier at [width - 1, run - 1]."""
    width = np.arange(1, 5)[:, None]
    run = np.arange(1, codes.LONGEST_RUN + 1)[None, :]
    if own is not None:
        table = np.empty((4, codes.LONGEST_RUN), np.int64)
        table[0] = own.single
        for row, lone, runs in (
            (1, own.pair, own.tractor),
            (2, own.triple, own.titanic),
            (3, own.quad, own.quad_run),
        ):
            table[row] = runs[-1]  # past a list's end its last value holds
            table[row, 0] = lone
            table[row, 1 : 1 + len(runs)] = runs
    elif scheme == BottomScheme.LINEAR:
        table = 2 * width * run
        table[0] = 2
    elif scheme == BottomScheme.POWER:
        table = np.where(run == 1, 2 * width, 2 * width**run)
        table[0] = 2
    elif scheme == BottomScheme.FLAT:
        table = np.full((4, codes.LONGEST_RUN), 2)
    else:  # by_cards asks for no component
        table = np.zeros((4, codes.LONGEST_RUN))
    return np.ascontiguousarray(table, np.int64)


def level_rows(table: Sequence[tuple[int, str, int]]) -> np.ndarray:
    """int64[MOST_LEVEL_ROWS, 3]: lower bound, side and levels of a table's rows."""
    rows = np.zeros((codes.MOST_LEVEL_ROWS, 3), np.int64)
    for place, (bound, side, levels) in enumerate(table):
        rows[place] = bound, SIDE_CODES[side], levels
    return rows
