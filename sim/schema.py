"""The columns of a result row: the one list that the player, the store, the analysis
and `shengji columns` all read.

A row holds facts: what happened on the table, and what the run's own rules decided.
Any other scoring table is a function of these facts (`kernels.score`).
"""

from typing import NamedTuple

import numpy as np
import pyarrow as pa

SCHEMA_VERSION = 2


class Column(NamedTuple):
    name: str
    dtype: str
    unit: str
    meaning: str


COLUMNS = (
    Column("deal_index", "i8", "", "0-based place in the task's stream; unique in it"),
    Column("level", "i1", "", "级: 2..14 (11 J, 12 Q, 13 K, 14 A), 15 joker level"),
    Column("trump", "i1", "", "主花色: 0 S, 1 H, 2 C, 3 D, 4 no trump (无主)"),
    Column("declarer", "i1", "seat", "庄家: 0..3 in play order"),
    Column("target", "i2", "points", "叫分: target of the auction; -1 no auction"),
    Column("called_card", "i1", "face", "找朋友: card called, 13 * suit + rank"),
    Column("friend", "i1", "seat", "找朋友: who is; -1 fixed partners, or alone"),
    Column("friend_trick", "i1", "", "trick, from 1, that made him known; 0 none"),
    Column("bidder", "i1", "seat", "亮主: who made the first call; -1 nobody"),
    Column("bid_kind", "i1", "", "how: 0 nobody bid, 1 single, 2 pair"),
    Column("caller", "i1", "seat", "whose call stands at the end; -1 nobody called"),
    Column("call_kind", "i1", "", "0 none, 1 single, 2 pair, 3 LJ pair, 4 BJ pair"),
    Column("overcalls", "i1", "calls", "反主: overcalls made, reburies included"),
    Column("redeals", "i2", "deals", "shuffles thrown away before this one"),
    Column("burier", "i1", "seat", "who buried last (反主炒底 may change him)"),
    Column("declarer_trumps", "i1", "cards", "trumps in the declarer's hand at lead"),
    Column("declarer_jokers", "i1", "cards", "jokers among those"),
    Column("dealt_points", "i1", "points", "points in the bottom as dealt"),
    Column(
        "buried_points", "i1", "points", "埋底: points in the bottom as buried last"
    ),
    Column("trick_points", "i2", "points", "捡分: points attackers won in tricks"),
    Column("tricks", "i1", "tricks", "tricks played"),
    Column("last_winner", "i1", "seat", "who won the last trick"),
    Column("lead_cards", "i1", "cards", "cards led in the last trick"),
    Column(
        "lead_kinds",
        "i1",
        "bits",
        "its components: 1 single, 2 pair, 4 tractor, 8 triple, 16 titanic, 32 quad, "
        "64 quad run",
    ),
    Column("lead_run", "i1", "pairs", "its longest run of pairs; 0 none, 1 lone pairs"),
    Column("lead_triples", "i1", "triples", "likewise of triples (3 and 4 decks)"),
    Column("lead_quads", "i1", "quads", "likewise of quads (4 decks)"),
    Column("win_kinds", "i1", "bits", "components of the last trick's winning cards"),
    Column("win_run", "i1", "pairs", "longest run of pairs in the winning cards"),
    Column("win_triples", "i1", "triples", "likewise of triples"),
    Column("win_quads", "i1", "quads", "likewise of quads"),
    Column("captured", "i1", "0/1", "抠底: the attackers won the last trick"),
    Column("multiplier", "i4", "", "of the captured bottom; 0 not captured"),
    Column("penalty_points", "i2", "points", "for failed throws, net to the attackers"),
    Column("total", "i4", "points", "trick + buried x multiplier + penalty points"),
    Column("side", "i1", "", "who goes up or takes over: 0 declarers, 1 attackers"),
    Column("levels", "i4", "levels", "levels that side gains by the run's own table"),
    Column("next_declarer", "i1", "seat", "who declares the next deal"),
    Column(
        "throws_declarers", "i1", "throws", "甩牌: by the declarers, failed included"
    ),
    Column(
        "throws_attackers", "i1", "throws", "甩牌: by the attackers, failed included"
    ),
    Column("failed_declarers", "i1", "throws", "throws of the declarers that failed"),
    Column("failed_attackers", "i1", "throws", "throws of the attackers that failed"),
    Column("coin_factor", "i4", "", "2 ** overcalls"),
)

# One row as `sim.deal_flow` fills it.
DEAL_DTYPE = np.dtype([(column.name, column.dtype) for column in COLUMNS])

# What a match adds to each of its deals: how it stood before and after.
STANDING_COLUMNS = tuple(
    Column(f"{name}_{seat}", dtype, unit, f"{what} of seat {seat} {when} the deal")
    for name, dtype, unit, what, when in (
        ("level", "i1", "", "级: level", "before"),
        ("laps", "i4", "laps", "圈数: laps completed", "before"),
        ("level_after", "i1", "", "level", "after"),
        ("laps_after", "i4", "laps", "laps completed", "after"),
    )
    for seat in range(4)
)
STEP_COLUMNS = (
    Column("match", "i8", "", "0-based number of the match; unique in a task"),
    Column("deal", "i4", "", "0-based number of the deal in its match"),
    *STANDING_COLUMNS,
)
STEP_DTYPE = np.dtype([(column.name, column.dtype) for column in STEP_COLUMNS])
MATCH_DEAL_COLUMNS = (*STEP_COLUMNS[:2], *COLUMNS[1:], *STANDING_COLUMNS)

MATCH_COLUMNS = (
    STEP_COLUMNS[0],
    Column("deals", "i4", "deals", "deals played until it was won"),
    Column("winners", "i1", "bits", "seats that completed their laps: 1 << seat"),
    Column("first_declarer", "i1", "seat", "who declared its first deal"),
    Column("redeals", "i4", "deals", "shuffles thrown away in all"),
    *(
        Column(f"{name}_{seat}", dtype, unit, f"{what} of seat {seat} in the end")
        for name, dtype, unit, what in (
            ("level", "i1", "", "level"),
            ("laps", "i4", "laps", "laps completed"),
        )
        for seat in range(4)
    ),
)
MATCH_DTYPE = np.dtype([(column.name, column.dtype) for column in MATCH_COLUMNS])


def schema_of(columns: tuple[Column, ...]) -> pa.Schema:
    """Columns as Parquet stores them."""
    return pa.schema(
        [
            pa.field(
                column.name,
                pa.from_numpy_dtype(np.dtype(column.dtype)),
                nullable=False,
                metadata={"unit": column.unit, "meaning": column.meaning},
            )
            for column in columns
        ],
        metadata={"schema_version": str(SCHEMA_VERSION)},
    )


DEAL_SCHEMA = schema_of(COLUMNS)


class Table(NamedTuple):
    """One kind of Parquet file in a run's folder."""

    prefix: str  # of its files' names
    schema: pa.Schema
    index: str  # the column by which the files are cut
    dense: bool  # one row for each index; else one or more


class Kind(NamedTuple):
    """What a run plays: single deals, or whole matches."""

    unit: str  # of its index, as people are told: `deals`, `matches`
    tables: tuple[Table, ...]  # a part holds one file of each; the last makes it count
    part_size: int  # units a part
    group_size: int  # units a row group of a part: also, what is played at a time
    merged: int = 1  # so many parts become one, and so many of those again


# A million deals a part: ten million deals make ten files. A row group is played in a
# quarter of a second of one core.
DEALS = Kind(
    "deals", (Table("part", DEAL_SCHEMA, "deal_index", True),), 1_000_000, 50_000
)
MATCHES = Kind(
    "matches",
    (
        Table("deals", schema_of(MATCH_DEAL_COLUMNS), "match", False),
        Table("matches", schema_of(MATCH_COLUMNS), "match", True),
    ),
    20_000,
    1_000,
)
