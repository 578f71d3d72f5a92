"""The words of the analysis: names of what is estimated, labels of codes and groups.

Light on purpose: what prints and draws needs the words, not the kernels.
"""

from collections.abc import Iterable, Sequence

import pandas as pd

from kernels.codes import (
    ACE_LEVEL,
    CALL_KIND_NAMES,
    DECLARERS,
    JOKER_LEVEL,
    LITTLE_JOKER,
    RANK_LETTERS,
    SUIT_LETTERS,
    TRUMP_NAMES,
)
from sim.schema import COLUMNS

Label = str | int

# --- names of estimates -------------------------------------------------------------

TAKE_OVER_RATE = "take-over rate"
MEAN_TOTAL = "mean total"
MEAN_TRICK_POINTS = "mean trick points"
MEAN_BOTTOM_POINTS = "mean bottom points"
DECLARERS_LEVELS = "mean levels gained by the declarers"
ATTACKERS_LEVELS = "mean levels gained by the attackers"
LEVEL_MEANS = (
    MEAN_TOTAL,
    MEAN_TRICK_POINTS,
    MEAN_BOTTOM_POINTS,
    DECLARERS_LEVELS,
    ATTACKERS_LEVELS,
)

SPREAD = "spread of levels"
SHUT_OUTS = "shut-out rate"
SCORING_MEASURES = (
    TAKE_OVER_RATE,
    DECLARERS_LEVELS,
    ATTACKERS_LEVELS,
    SPREAD,
    SHUT_OUTS,
)
DIFFERENCE = ", difference to the first"

SHARE = "share of deals"
CAPTURE_RATE = "capture rate"
GIVEN_AWAY = "mean points given away"
WINNER_CHANGED = "winner changed"
RESULT_CHANGED = "result changed"
MULTIPLIER = "multiplier "  # + its value: share of the captured bottoms
ANY = "any"  # all numbers of buried points together

# Of whole matches.
DEALS_A_MATCH = "deals a match"
QUANTILE = "deals a match, quantile "  # + which: 50%
LENGTH_SHARE = "share of matches"  # with so many deals
FIRST_DECLARER_WINS = "first declarer's side wins"
DEALS_AT_LEVEL = "deals a match at this level"
SHARE_AT_LEVEL = "share of deals at this level"
MOVES = "moves"

FACTS = ("value", "low", "high", "n")

# --- codes and groups ---------------------------------------------------------------

# What a result is made of cannot also split the results.
NOT_FOR_GROUPS = (
    "deal_index",
    "trick_points",
    "multiplier",
    "total",
    "side",
    "levels",
    "next_declarer",
)
GROUP_COLUMNS = tuple(
    column.name for column in COLUMNS if column.name not in NOT_FOR_GROUPS
)
SHORT_NAMES = {
    "bid": "bid_kind",
    "call": "call_kind",
    "jokers": "declarer_jokers",
    "trumps": "declarer_trumps",
}

BY_TITLES = {
    "bid_kind": "bid",
    "call_kind": "call",
    "declarer_trumps": "declarer's trumps at the first lead",
    "declarer_jokers": "declarer's jokers at the first lead",
}


def level_label(level: int) -> str:
    """2..10, J, Q, K, A or joker."""
    if level == JOKER_LEVEL:
        return "joker"
    if level <= 10:
        return str(level)
    if level <= ACE_LEVEL:
        return RANK_LETTERS[level - 2]
    raise ValueError(f"level {level} is not one of 2..{JOKER_LEVEL}")


def label(column: str, value: int) -> Label:
    """What a column's value means: a word where the column holds a code."""
    if column == "level":
        return level_label(value)
    if column == "trump":
        return TRUMP_NAMES[value]
    if column in ("bid_kind", "call_kind"):
        return CALL_KIND_NAMES[value]
    if column in ("lead_kinds", "win_kinds"):
        return kinds_label(value)
    if column in ("bidder", "caller") and value < 0:
        return "nobody"
    if column == "friend" and value < 0:
        return "none"
    if column == "target" and value < 0:
        return "no auction"
    if column == "called_card":
        return card_label(value)
    if column == "captured":
        return "yes" if value else "no"
    return int(value)


def card_label(face: int) -> str:
    """A card, as `HA`; `none` of no card."""
    if face < 0:
        return "none"
    if face >= LITTLE_JOKER:
        return "LJ" if face == LITTLE_JOKER else "BJ"
    suit, rank = divmod(face, len(RANK_LETTERS))
    return SUIT_LETTERS[suit] + RANK_LETTERS[rank]


def kinds_label(kinds: int) -> str:
    """The components of a play, from the bits that stand for them: `single + pair`."""
    names = ("single", "pair", "tractor", "triple", "titanic", "quad", "quad run")
    words = [(1 << place, name) for place, name in enumerate(names)]
    return " + ".join(word for bit, word in words if kinds & bit) or "none"


def result_label(side: int, levels: int) -> str:
    """A deal's result: `declarers +2`, `take over +0`, `attackers +1`."""
    if side == DECLARERS:
        return f"declarers +{levels}"
    return f"attackers +{levels}" if levels else "take over +0"


def is_outcome(name: str) -> bool:
    """Whether an estimate is the share of one result, as `result_label` names it."""
    return name.rpartition(" ")[2].startswith("+")


def multiplier_names(names: Iterable[str]) -> list[str]:
    """Names of the shares of one multiplier each, ascending."""
    found = {name for name in names if name.startswith(MULTIPLIER)}
    return sorted(found, key=lambda name: int(name.removeprefix(MULTIPLIER)))


def group_column(name: str, allowed: Sequence[str] = GROUP_COLUMNS) -> str | None:
    """The column that `--by` names, short names included; None if there is none."""
    column = SHORT_NAMES.get(name, name).replace("-", "_")
    return column if column in allowed else None


def by_columns(frame: pd.DataFrame) -> list[str]:
    """The columns of a result that are neither its name nor its estimate."""
    return [name for name in frame.columns if name not in ("name", *FACTS)]


def scoring_names(frame: pd.DataFrame) -> pd.Series:
    """What tells the compared scorings apart: the table, the multiplier, or both."""
    tables, multipliers = frame["table"], frame["multiplier"]
    if multipliers.nunique() == 1:
        return tables
    return multipliers if tables.nunique() == 1 else tables + " + " + multipliers


def kept_axis(frame: pd.DataFrame) -> str:
    """What all compared scorings have in common, in words."""
    kept = [
        f"{words} {frame[axis].iloc[0]}"
        for axis, words in (("table", "level table"), ("multiplier", "multiplier"))
        if frame[axis].nunique() == 1
    ]
    if not kept:
        return "Every level table with every multiplier."
    return f"The same for all: {', '.join(kept)}."
