"""How levels are gained: the distribution of a deal's result."""

import numpy as np
import pandas as pd

from analysis.estimate import Estimate, mean, proportion
from analysis.labels import (
    ATTACKERS_LEVELS,
    DECLARERS_LEVELS,
    GROUP_COLUMNS,
    MEAN_BOTTOM_POINTS,
    MEAN_TOTAL,
    MEAN_TRICK_POINTS,
    SHORT_NAMES,
    TAKE_OVER_RATE,
    group_column,
    label,
    result_label,
)
from analysis.load import AnalysisError, Run, count
from analysis.ranges import level_ranges
from kernels.codes import ATTACKERS, DECLARERS

Outcome = tuple[int, int]  # side, levels


def level_distribution(run: Run, by: str | None = None) -> pd.DataFrame:
    """Shares of every result, the take-over rate, and the means.

    Parameters
    ----------
    run : Run
    by : str, optional
        A column (`analysis.labels.GROUP_COLUMNS`, or a short name): one distribution
        for each of its values.

    Returns
    -------
    DataFrame
        `name`, the column of `by`, `value`, `low`, `high`, `n`. Results are named
        `declarers +2`, `take over +0`, `attackers +1`; they and the take-over rate (the
        attackers win, +0 or more) are shares of deals, from 0 to 1. Means are in points
        and levels a deal; a side that does not win gains 0.
    """
    column = None if by is None else _group(by)
    facts = ["side", "levels", "total", "trick_points", "penalty_points"]
    wanted = list(dict.fromkeys([*facts, *([column] if column else [])]))
    counts = count(run, wanted)
    outcomes = possible_outcomes(run, counts)
    within = level_ranges(run.rules)
    groups = [(None, counts)] if column is None else counts.groupby(column)
    rows = []
    for value, group in groups:
        where = {} if column is None else {column: label(column, int(value))}
        for name, estimate in _measures(group, outcomes, within):
            rows.append({"name": name, **where, **estimate._asdict()})
    return pd.DataFrame(rows)


def possible_outcomes(run: Run, counts: pd.DataFrame) -> list[Outcome]:
    """Results that the level table gives, or that occurred: best for declarers first.

    A table that goes on past its last row has no end; it is listed as far as it went.
    """
    codes = run.rules.codes()
    rows = codes.level_rows[: codes.level_count]
    seen = counts[["side", "levels"]].drop_duplicates().itertuples(index=False)
    outcomes = {(int(row[1]), int(row[2])) for row in rows}
    outcomes |= {(int(side), int(levels)) for side, levels in seen}
    highest = max(levels for side, levels in outcomes if side == ATTACKERS)
    last = int(rows[-1][2])
    outcomes |= {(ATTACKERS, levels) for levels in range(last, highest)}
    return sorted(
        outcomes, key=lambda it: (it[0], -it[1] if it[0] == DECLARERS else it[1])
    )


def _group(by: str) -> str:
    column = group_column(by)
    if column is None:
        allowed = ", ".join([*SHORT_NAMES, *GROUP_COLUMNS])
        raise AnalysisError(f"cannot split by {by!r}; allowed: {allowed}")
    return column


def _quantities(counts: pd.DataFrame) -> dict[str, np.ndarray]:
    """The quantities whose means are told, in points and levels."""
    total, tricks = counts["total"], counts["trick_points"]
    levels, side = counts["levels"], counts["side"]
    return {
        MEAN_TOTAL: total.to_numpy(),
        MEAN_TRICK_POINTS: tricks.to_numpy(),
        MEAN_BOTTOM_POINTS: (total - tricks - counts["penalty_points"]).to_numpy(),
        DECLARERS_LEVELS: np.where(side == DECLARERS, levels, 0),
        ATTACKERS_LEVELS: np.where(side == ATTACKERS, levels, 0),
    }


def _measures(
    group: pd.DataFrame,
    outcomes: list[Outcome],
    within: dict[str, tuple[float, float]],
) -> list[tuple[str, Estimate]]:
    deals = group["deals"].to_numpy()
    n = int(deals.sum())
    side, levels = group["side"].to_numpy(), group["levels"].to_numpy()
    measures = []
    for outcome in outcomes:
        hits = deals[(side == outcome[0]) & (levels == outcome[1])].sum()
        measures.append((result_label(*outcome), proportion(hits, n)))
    measures.append((TAKE_OVER_RATE, proportion(deals[side == ATTACKERS].sum(), n)))
    for name, values in _quantities(group).items():
        measures.append((name, mean(values, deals, within[name])))
    return measures
