"""Counts out of a summary: what `analysis.load` counts from rows, read instead."""

from collections.abc import Callable, Sequence

import numpy as np
import pyarrow as pa

from sim.histograms import DEALS_COLUMN, holding, read_histogram
from sim.parts import Part, StoreError, damaged, open_parquet
from sim.places import Place, trouble
from sim.schema import DEAL_SCHEMA

Check = Callable[[Place, pa.Table], None]


def count_summary(part: Part, columns: Sequence[str], check: Check) -> pa.Table:
    """How often combinations occurred in the deals of a summary.

    Answered from the smallest histogram that tells these columns apart; `check` refuses
    values that stand for nothing.
    """
    names = holding(columns)
    if not names:
        raise StoreError(
            f"{part.path.parent} keeps a summary, which does not tell "
            f"{', '.join(columns)} apart together: only rows (--keep rows) do"
        )
    try:
        with open_parquet(part.path) as file:
            table = read_histogram(file, names[0], columns)
    except FileNotFoundError as error:
        raise StoreError(
            f"{part.path} was there and is gone: a run that goes on has made a larger "
            "one of it, or somebody deleted it; repeat the command"
        ) from error
    except (pa.ArrowException, OSError) as error:
        raise trouble(part.path, error) or damaged(part.path, "deals") from error
    check(part.path, table)
    if np.sum(table[DEALS_COLUMN].to_numpy()) != part.span.deals:
        raise damaged(part.path, "deals")
    # It may tell more apart than was asked for.
    counted = table.group_by(list(columns), use_threads=False)
    counted = counted.aggregate([(DEALS_COLUMN, "sum")])
    as_of_rows = [DEAL_SCHEMA.field(name) for name in columns]
    as_of_rows.append(pa.field(DEALS_COLUMN, pa.int64()))
    counted = counted.rename_columns([*columns, DEALS_COLUMN])
    return counted.cast(pa.schema(as_of_rows))
