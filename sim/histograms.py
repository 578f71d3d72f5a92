"""A summary: instead of rows, how often each combination of some columns occurred.

A run with `--keep summary` stores these counts, exact whatever the number of deals. One
histogram for each set of columns that `analysis` asks for together: what it reckons
from rows it reckons from them, to the last digit. On disk a summary is one Parquet
file, `summary-<start>-<stop>.parquet`: a row is one combination of one histogram, with
the number of deals; columns that its histogram does not tell apart are null.
`sim.summary` counts, adds up and writes them; `analysis` reads them.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from sim.schema import COLUMNS, DEALS, SCHEMA_VERSION, Table

# What a deal's result is made of.
RESULT = ("side", "levels", "trick_points", "penalty_points", "total")
# And what becomes of the bottom.
BOTTOM = (*RESULT, "buried_points", "captured", "multiplier", "target")
LAST_TRICK = (
    *("lead_cards", "lead_kinds", "lead_run", "lead_triples", "lead_quads"),
    *("win_kinds", "win_run", "win_triples", "win_quads"),
)
# Each of these with the result alone: all else that results are told apart by.
GROUPS = (
    *("level", "trump", "declarer", "called_card", "friend", "friend_trick"),
    *("bidder", "bid_kind", "caller", "call_kind", "redeals", "burier"),
    *("dealt_points", "tricks", "last_winner"),
    *("throws_declarers", "throws_attackers", "failed_declarers", "failed_attackers"),
)
# Each one goes on from the columns of an earlier one, and is counted from its numbers.
HISTOGRAMS: dict[str, tuple[str, ...]] = {
    "scoring": (*BOTTOM, *LAST_TRICK),  # all that any scoring reads
    "trumps": (*BOTTOM, "declarer_trumps"),
    "jokers": (*BOTTOM, "declarer_jokers"),
    **{name: (*RESULT, name) for name in GROUPS},
    "overcalls": (*RESULT, "overcalls", "coin_factor"),  # one decides the other
}
COUNTED = tuple(
    column.name
    for column in COLUMNS
    if any(column.name in columns for columns in HISTOGRAMS.values())
)
NAME, DEALS_COLUMN = "histogram", "deals"
SPAN_KEY = b"span"  # in a file's metadata: its deals

SUMMARY_SCHEMA = pa.schema(
    [
        pa.field(NAME, pa.string(), nullable=False),
        *(
            pa.field(
                column.name,
                pa.int32(),
                metadata={"unit": column.unit, "meaning": column.meaning},
            )
            for column in COLUMNS
            if column.name in COUNTED
        ),
        pa.field(DEALS_COLUMN, pa.int64(), nullable=False),
    ],
    metadata={"schema_version": str(SCHEMA_VERSION)},
)
SUMMARY_TABLE = Table("summary", SUMMARY_SCHEMA, DEALS_COLUMN, False)
# Cut and played as rows are; but ten parts become one, and ten of those again.
SUMMARIES = DEALS._replace(tables=(SUMMARY_TABLE,), merged=10)


class Histogram(NamedTuple):
    """Combinations of some columns, each once, and the deals that had them."""

    values: np.ndarray  # int32[columns, combinations]
    deals: np.ndarray  # int64[combinations]


def holding(columns: Sequence[str]) -> list[str]:
    """The histograms that tell all of some columns apart, the smallest first."""
    names = [name for name, told in HISTOGRAMS.items() if set(columns) <= set(told)]
    return sorted(names, key=lambda name: len(HISTOGRAMS[name]))


def span_words(start: int, stop: int) -> bytes:
    """A span as a file's metadata have it."""
    return f"{start}-{stop}".encode()


def is_whole(metadata: pq.FileMetaData, start: int, stop: int) -> bool:
    """Whether a file says that these are the deals it counts."""
    return (metadata.metadata or {}).get(SPAN_KEY) == span_words(start, stop)


def read_histogram(file: pq.ParquetFile, name: str, columns: Sequence[str]) -> pa.Table:
    """Some columns of one histogram of a file, and `deals`.

    Combinations of these columns alone may occur several times.
    """
    return one_of(file.read(columns=[NAME, *columns, DEALS_COLUMN]), name)


def one_of(table: pa.Table, name: str) -> pa.Table:
    """The rows of one histogram."""
    return table.filter(pc.equal(table[NAME], name))
