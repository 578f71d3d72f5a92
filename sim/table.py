"""The table a deal is played on: its cards, its calls, what is seen, and its log.

`sim.opening` makes trump and buries on it, `sim.tricks` plays the tricks, and
`sim.deal_flow` runs whole deals.
"""

import numpy as np

from kernels.calls import CALLS_DTYPE
from kernels.clock import cycles
from kernels.codes import BOTTOM_CARDS, CARDS, OPTIONS_DTYPE, RuleCodes
from kernels.jit import jit
from kernels.layout import LAYOUT_DTYPE, LAYOUTS
from kernels.score import STANDING_DTYPE
from sim.policies.textbook.parameters import THRESHOLDS_DTYPE
from sim.policies.view import VIEW_DTYPE

DRAWN = CARDS - BOTTOM_CARDS  # by all seats together; the rest is the bottom
THIRD_CARD = DRAWN + 2

# Entries of a log: what a deal record cannot derive.
LOG_CALL, LOG_BURY, LOG_TRIED, LOG_PLAY, LOG_TRICK = range(1, 6)
LOG_WIDTH = 4
# The longest log there can be. A seat shows each of the six pairs at most once, and a
# single only bids: 25 calls. Each may be followed by a bury. A hand of 25 cards is at
# most 25 tricks of four plays, a throw tried, and a winner.
LOG_ROOM = 25 + 25 + 25 * 6

# Parts of a deal whose time can be measured.
PARTS = ("draw and calls", "bury", "lead", "follow", "trick", "score")
DRAW_PART, BURY_PART, LEAD_PART, FOLLOW_PART, TRICK_PART, SCORE_PART = range(len(PARTS))

# Everything a deal is played on; laid once a block, overwritten by each deal. Records
# are handed on as one pointer, where a tuple of arrays would be copied at every call.
TABLE_DTYPE = np.dtype(
    [
        ("deck", "i1", (CARDS,)),  # faces in the order drawn, the bottom last
        ("first", "i8"),  # the seat that draws the first card
        ("faces", "u8", (5, 2)),  # face planes of the seats and of the bottom
        ("hands", "u8", (4, 2)),  # slot planes of the seats, once trumps are made
        ("random", "u8", (4,)),  # each seat's stream
        ("calls", CALLS_DTYPE),
        ("standing", STANDING_DTYPE),  # that a deal by itself begins from
        ("seen", VIEW_DTYPE),  # the View that policies are shown
        ("timing", "i8"),  # 1: add up the ticks that each part takes
        ("since", "u8"),  # kernels.clock, when the last part ended
        ("ticks", "u8", (len(PARTS),)),
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


def lay_table(logging: bool = False, timing: bool = False) -> np.ndarray:
    """A fresh TABLE record (an array of one)."""
    table = np.zeros(1, TABLE_DTYPE)
    table["logging"], table["timing"] = logging, timing
    return table


@jit
def start_clock(table):
    """A deal begins: what follows is its first part."""
    if table.timing:
        table.since = cycles()


@jit
def end_part(part, table):
    """A part of the deal is over: note its ticks, if they are measured."""
    if table.timing:
        now = cycles()
        table.ticks[part] += now - table.since
        table.since = now


@jit
def read_clock(table, readings):
    """End a part over and over: all that its ticks then hold is the reading itself."""
    start_clock(table)
    for _ in range(readings):
        end_part(SCORE_PART, table)


@jit
def write_log(table, tag, first, second, third):
    """Add an entry to the table's log, if one is kept."""
    if table.logging:
        entry = table.log[table.entries]
        entry[0], entry[1] = np.uint64(tag), np.uint64(first)
        entry[2], entry[3] = np.uint64(second), np.uint64(third)
        table.entries += 1
