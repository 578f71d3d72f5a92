"""The table a deal is played on: its cards, its calls, what is seen, and its log.

`sim.opening` makes trump and buries on it, `sim.tricks` plays the tricks, and
`sim.deal_flow` runs whole deals.
"""

import numpy as np

from kernels.calls import CALLS_DTYPE
from kernels.clock import cycles
from kernels.codes import (
    CARDS,
    HAND_CARDS,
    HIGHEST_TARGET,
    OPTIONS_DTYPE,
    RuleCodes,
    plain_options,
)
from kernels.jit import jit
from kernels.layout import LAYOUT_DTYPE, LAYOUTS
from kernels.planes import PLANES_DTYPE
from kernels.score import STANDING_DTYPE
from sim.policies.textbook.parameters import THRESHOLDS_DTYPE
from sim.policies.view import VIEW_DTYPE

# Entries of a log: what a deal record cannot derive.
(
    LOG_CALL,
    LOG_TARGET,
    LOG_PASS,
    LOG_TURNED,
    LOG_BURY,
    LOG_CALLED_CARD,
    LOG_TRIED,
    LOG_PLAY,
    LOG_TRICK,
) = range(1, 10)
# Of an entry: the tag, a number, and planes or two numbers.
LOG_HEAD = 2
# The longest log there can be. A seat shows each of the six pairs at most once, and a
# single only bids: 25 calls. Each may be followed by a bury. An auction goes down from
# the highest target in steps of 5, with four passes. A card may be turned, one called.
LOG_OPENING = 25 + 25 + HIGHEST_TARGET // 5 + 4 + 2
LOG_TRICK_ENTRIES = 6  # four plays, a throw tried, and a winner

EVEN_SEATS = 0b0101  # a side, bit s for seat s; shifted by one the other

# Parts of a deal whose time can be measured.
PARTS = ("draw and calls", "bury", "lead", "follow", "trick", "score")
DRAW_PART, BURY_PART, LEAD_PART, FOLLOW_PART, TRICK_PART, SCORE_PART = range(len(PARTS))


# Everything a deal is played on is a TABLE record: laid once a block, overwritten by
# each deal. It is handed on as one pointer, where a tuple of arrays would be copied at
# every call; its type tells kernels how many decks there are.
def table_dtype(decks: int) -> np.dtype:
    """The TABLE record for a number of decks."""
    planes = PLANES_DTYPE[decks]
    room = LOG_OPENING + LOG_TRICK_ENTRIES * HAND_CARDS[decks]
    return np.dtype(
        [
            ("deck", "i1", (CARDS[decks],)),  # faces in the order drawn, bottom last
            ("first", "i8"),  # the seat that draws the first card
            ("faces", planes, (5,)),  # face planes of the seats and of the bottom
            ("hands", planes, (4,)),  # slot planes of the seats, once trumps are made
            ("random", "u8", (4,)),  # each seat's stream
            ("calls", CALLS_DTYPE),
            # What comes of the draw and the calls.
            ("given", "i8"),  # the given declarer; -1 in a match's first deal
            ("declarer", "i8"),
            ("level", "i8"),
            ("trump", "i8"),
            ("target", "i8"),  # points called in the auction; -1 no auction
            ("side_could_bid", "i8"),  # 1: the declarer's side could after the draw
            ("standing", STANDING_DTYPE),  # how the match stands before the deal
            # Sides, bit s for seat s: the declarer's; what each seat knows of it; and
            # each seat with those it knows to be on its side.
            ("declarers", "i8"),
            ("known", "i8", (4,)),
            ("mates", "i8", (4,)),
            ("friend", "i8"),  # called partners: his seat; -1 none
            ("called", "u8"),  # slot of the called card until he plays it
            ("seen", VIEW_DTYPE[decks]),  # the View that policies are shown
            ("timing", "i8"),  # 1: add up the ticks that each part takes
            ("since", "u8"),  # kernels.clock, when the last part ended
            ("ticks", "u8", (len(PARTS),)),
            ("logging", "i8"),  # 1: keep a log of this deal
            ("entries", "i8"),  # entries in the log
            ("log", "u8", (room, LOG_HEAD + decks)),
        ],
        align=True,
    )


# What stays the same over a block of deals: the rules and who plays by what.
GAME_DTYPE = np.dtype(
    [
        ("codes", OPTIONS_DTYPE),
        ("seats", [("policy", "i8"), ("thresholds", THRESHOLDS_DTYPE)], (4,)),
        ("layouts", LAYOUT_DTYPE, LAYOUTS.shape),
    ],
    align=True,
)


def set_game(
    codes: RuleCodes, policies: np.ndarray, parameters: np.ndarray
) -> np.ndarray:
    """The GAME record (an array of one) of a variant and four policies."""
    game = np.zeros(1, GAME_DTYPE)
    game["codes"] = plain_options(codes)
    game["layouts"] = LAYOUTS
    game["seats"]["policy"] = policies
    for place, name in enumerate(THRESHOLDS_DTYPE.names):
        game["seats"]["thresholds"][name] = parameters[:, place]
    return game


def lay_table(
    decks: int = 2, logging: bool = False, timing: bool = False
) -> np.ndarray:
    """A fresh TABLE record (an array of one)."""
    table = np.zeros(1, table_dtype(decks))
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
    """Add an entry of numbers to the table's log, if one is kept."""
    if table.logging:
        entry = table.log[table.entries]
        entry[0], entry[1] = np.uint64(tag), np.uint64(first)
        entry[2], entry[3] = np.uint64(second), np.uint64(third)
        table.entries += 1


@jit
def log_cards(table, tag, seat, cards):
    """Add an entry of cards, as face planes, to the table's log, if one is kept."""
    if table.logging:
        entry = table.log[table.entries]
        entry[0], entry[1] = np.uint64(tag), np.uint64(seat)
        entry[2], entry[3] = cards[0], cards[1]
        if len(cards) > 2:
            entry[4] = cards[2]
        if len(cards) > 3:
            entry[5] = cards[3]
        table.entries += 1
