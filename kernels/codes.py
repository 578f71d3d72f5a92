"""Integer codes for rule options: what `sim.rules` says in words, for the kernels.

No numba here: anyone may import it cheaply. `RuleCodes` is what a jitted function
receives; `sim.rules.Rules.codes()` makes it.
"""

from typing import NamedTuple

import numpy as np

# Suits in the order that breaks ties everywhere (RULES.md sections 3 and 6).
SPADES, HEARTS, CLUBS, DIAMONDS, NO_TRUMP = range(5)
SUIT_LETTERS = ("S", "H", "C", "D")
TRUMP_NAMES = ("S", "H", "C", "D", "NT")

RANK_LETTERS = "23456789TJQKA"
# A face is a printed card: 13 * suit + rank (rank 0 = two .. 12 = ace), then jokers.
LITTLE_JOKER, BIG_JOKER, FACES = 52, 53, 54
# Cards by the number of decks: all, a seat's hand, the bottom (底牌), and what is drawn
# by all seats together.
CARDS = {2: 108, 3: 162, 4: 216}
HAND_CARDS = {2: 25, 3: 39, 4: 52}
BOTTOM_CARDS = {decks: CARDS[decks] - 4 * HAND_CARDS[decks] for decks in CARDS}
DRAWN = {decks: 4 * HAND_CARDS[decks] for decks in CARDS}
# A level is 2..14 (11 J, 12 Q, 13 K, 14 A) or the joker level.
LOWEST_LEVEL, ACE_LEVEL, JOKER_LEVEL = 2, 14, 15

# partners
FIXED, CALLED = range(2)
# Targets of an auction (叫分) begin at the take-over bound, at most this, in points.
HIGHEST_TARGET = 1000
# bid.when
BID_DRAW, BID_AFTER_DEAL, BID_AUCTION = range(3)
# bid.opens_with
OPENS_SINGLE, OPENS_PAIR, OPENS_EITHER = range(3)
# overcall.when
OVERCALL_DRAW, OVERCALL_AFTER_DEAL, OVERCALL_AFTER_BURY, OVERCALL_NONE = range(4)
# overcall.order
ORDER_KINDS, ORDER_SUITS, ORDER_LATEST = range(3)
# overcall.self
SELF_NEVER, SELF_AFTER_OTHER, SELF_ALWAYS = range(3)
# nobody_bids
NOBODY_THIRD_CARD, NOBODY_NO_TRUMP, NOBODY_RANDOM_CARD = range(3)
# throw_follow
FOLLOW_SHAPE, FOLLOW_SUIT = range(2)
# bottom.read_from
READ_TRICK, READ_WINNER = range(2)
# How a bottom's multiplier is read from the components present.
COUNT_HIGHEST, COUNT_WIDEST_FIRST, COUNT_BY_CARDS = range(3)
# match.after_ace
AFTER_ACE_LOOP, AFTER_ACE_JOKERS, AFTER_ACE_END = range(3)
# Sides of a result.
DECLARERS, ATTACKERS = range(2)
SIDE_NAMES = ("declarers", "attackers")
# Kinds of a call, by what is shown.
CALL_NONE, CALL_SINGLE, CALL_PAIR, CALL_LJ_PAIR, CALL_BJ_PAIR = range(5)
CALL_KIND_NAMES = ("none", "single", "pair", "LJ pair", "BJ pair")
# Kinds of component present in a play, as bits of one number: two bits a width.
HAS_SINGLE, HAS_PAIR, HAS_TRACTOR = 1, 2, 4
HAS_TRIPLE, HAS_TITANIC, HAS_QUAD, HAS_QUAD_RUN = 8, 16, 32, 64

# Longest list a multiplier table needs: a hand of four decks, 52 cards, is 26 pairs.
LONGEST_RUN = 26
# The most rows that a level table may have.
MOST_LEVEL_ROWS = 100


class RuleCodes(NamedTuple):
    """One variant as the kernels see it; every field int64 unless a shape is given."""

    decks: int
    partners: int
    bid_when: int
    with_joker: int  # 0 or 1: level cards are called with a joker
    declarer_side_first: int  # 0 or 1: bid.later_deals
    opens_with: int
    overcall_when: int
    joker_pairs: int  # 0 or 1: may LJ and BJ pairs overcall
    overcall_order: int
    overcall_self: int
    reinforce: int  # 0 or 1
    nobody_bids: int
    weak_points: int  # fewer in an attacker's hand: he may have it dealt again; 0 never
    throw_follow: int
    failed_throw_points: int
    read_from: int
    bottom_count: int  # COUNT_HIGHEST, COUNT_WIDEST_FIRST or COUNT_BY_CARDS
    bottom_table: np.ndarray  # int64[4, LONGEST_RUN]: multiplier at [width-1, run-1]
    level_count: int  # rows of the level table
    # int64[MOST_LEVEL_ROWS, 3]: lower bound in points, side, levels; then nothing
    level_rows: np.ndarray
    take_over: int  # points: the take-over bound, the first row of the attackers
    level_step: int  # points a further level costs past the last row; 0 = capped
    after_ace: int
    laps: int
    stop_levels: int  # bit L set: level L is a stop level


# RuleCodes as one record, which is handed on as one pointer, its tables included.
SHAPES = {"bottom_table": (4, LONGEST_RUN), "level_rows": (MOST_LEVEL_ROWS, 3)}
OPTIONS_DTYPE = np.dtype(
    [(name, "i8", SHAPES.get(name, ())) for name in RuleCodes._fields]
)


def plain_options(codes: RuleCodes) -> np.void:
    """The OPTIONS record of some codes."""
    options = np.zeros(1, OPTIONS_DTYPE)[0]
    for name in OPTIONS_DTYPE.names:
        options[name] = getattr(codes, name)
    return options
