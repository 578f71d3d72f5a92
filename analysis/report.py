"""What the analysis commands print: text tables for people, JSON for programs.

Every table is headed by under what its numbers hold, and every number stands with its
95 % interval, in brackets, and with the number of deals behind it.
"""

import json
import math
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import click
import pandas as pd

from analysis.estimate import Estimate
from analysis.labels import (
    ATTACKERS_LEVELS,
    BY_TITLES,
    CAPTURE_RATE,
    DECLARERS_LEVELS,
    DIFFERENCE,
    FACTS,
    GIVEN_AWAY,
    LEVEL_MEANS,
    MEAN_TOTAL,
    MULTIPLIER,
    RESULT_CHANGED,
    SCORING_MEASURES,
    SHARE,
    SHUT_OUTS,
    SPREAD,
    TAKE_OVER_RATE,
    WINNER_CHANGED,
    by_columns,
    is_outcome,
    kept_axis,
    multiplier_names,
    scoring_names,
)
from analysis.levels import level_distribution
from analysis.load import Run, open_runs
from analysis.tables import Columns, interval_column, percent, plain, stacked, table

# Estimates side by side: what a line of about 100 letters holds.
COLUMNS_ACROSS, FACTORS_ACROSS = 4, 5

LEVELS_NOTE = (
    "In brackets: 95 % intervals. The attackers win when they take over, at +0 or\n"
    "more; mean levels are over all deals, 0 for the side that does not win."
)
COMPARE_NOTE = (
    "In brackets: 95 % intervals; those of differences are paired, over the same\n"
    "deals. Mean levels are over all deals, 0 for the side that does not win. Spread:\n"
    "standard deviation of levels, the attackers' taken as negative. Shut-out: total 0."
)
CAVEAT = (
    "These are the odds under the burying of the policies that played, not the effect\n"
    "of burying: a policy may bury points when its hand promises the last trick."
)
BOTTOM_NOTE = (
    "In brackets: 95 % intervals. Buried: points in the bottom as buried last. Points\n"
    "given away: buried x multiplier, 0 when not captured. Winner (result) changed:\n"
    "another side would have won (or other levels been gained) had the captured\n"
    "bottom counted nothing."
)
MEASURE_TITLES = {
    TAKE_OVER_RATE: "take-over rate, %",
    MEAN_TOTAL: "mean total, points",
    SPREAD: "spread of levels",
    SHUT_OUTS: "shut-out rate, %",
    SHARE: "% of deals",
    CAPTURE_RATE: "captured, %",
    GIVEN_AWAY: "points given away",
    WINNER_CHANGED: "winner changed, %",
    RESULT_CHANGED: "result changed, %",
}
HEADINGS = {
    "bid_kind": "bid",
    "call_kind": "call",
    "declarer_trumps": "declarer's trumps",
    "declarer_jokers": "declarer's jokers",
}
SHARES = (
    TAKE_OVER_RATE,
    SHUT_OUTS,
    SHARE,
    CAPTURE_RATE,
    WINNER_CHANGED,
    RESULT_CHANGED,
)


def print_level_distribution(folder: Path) -> None:
    """Print the distribution of the results in one run's folder."""
    run = open_runs(folder)
    click.echo(levels_text(run, level_distribution(run)))


def as_json(frame: pd.DataFrame) -> str:
    """A list of {name, by, value, low, high, n}, one object a line.

    `by` tells what a row is apart for, null when for nothing; unknown numbers are null.
    """
    columns = by_columns(frame)
    objects = []
    for row in frame.to_dict("records"):
        told = {key: None if _unknown(row[key]) else row[key] for key in FACTS}
        by = {key: row[key] for key in columns if not _missing(row[key])} or None
        objects.append({"name": row["name"], "by": by, **told})
    lines = (json.dumps(it, ensure_ascii=False, allow_nan=False) for it in objects)
    return "[\n" + ",\n".join(lines) + "\n]"


def levels_text(run: Run, frame: pd.DataFrame) -> str:
    """What `shengji levels` prints."""
    head = heading("Who gains how many levels", run)
    outcomes = list(dict.fromkeys(filter(is_outcome, frame["name"])))
    by = by_columns(frame)
    if by:
        blocks = _levels_apart(frame, outcomes, by[0])
    else:
        found = estimates(frame, ["name"])
        shares = [found[name] for name in outcomes]
        hits = [f"{round(it.value * it.n):,}" for it in shares]
        distribution = [
            ("result", outcomes),
            interval_column("% of deals", map(percent, shares)),
            ("deals", hits),
        ]
        means = [
            ("", [title(name) for name in (TAKE_OVER_RATE, *LEVEL_MEANS)]),
            interval_column(
                "",
                [shown(name, found[name]) for name in (TAKE_OVER_RATE, *LEVEL_MEANS)],
            ),
        ]
        blocks = [table(distribution), table(means)]
    return "\n\n".join([head, *blocks, LEVELS_NOTE])


def _levels_apart(frame: pd.DataFrame, outcomes: list[str], by: str) -> list[str]:
    """One table of rates and means, then the distribution, a few results a table."""
    found = estimates(frame, ["name", by])
    groups = list(dict.fromkeys(frame[by]))
    deals = [f"{found[TAKE_OVER_RATE, group].n:,}" for group in groups]
    rates = (TAKE_OVER_RATE, MEAN_TOTAL, DECLARERS_LEVELS, ATTACKERS_LEVELS)
    titles = {
        DECLARERS_LEVELS: "mean declarers' levels",
        ATTACKERS_LEVELS: "mean attackers' levels",
        **{name: f"{name}, %" for name in outcomes},
    }
    words = HEADINGS.get(by, by)
    tables = []
    for names in (rates, *_chunks(outcomes, COLUMNS_ACROSS)):
        columns: Columns = [(words, [str(it) for it in groups]), ("deals", deals)]
        for name in names:
            cells = [shown(name, found[name, group]) for group in groups]
            columns.append(interval_column(titles.get(name, title(name)), cells))
        tables.append(table(columns))
    return tables


def compare_text(run: Run, frame: pd.DataFrame) -> str:
    """What `shengji compare` prints."""
    frame = frame.assign(scoring=scoring_names(frame))
    found = estimates(frame, ["name", "scoring"])
    names = list(dict.fromkeys(frame["scoring"]))
    blocks = []
    for measure in SCORING_MEASURES:
        gaps = [shown(measure, found[measure + DIFFERENCE, name]) for name in names[1:]]
        columns: Columns = [
            (title(measure), [f"  {name}" for name in names]),
            interval_column("", [shown(measure, found[measure, it]) for it in names]),
        ]
        if gaps:
            gap_title = f"minus {names[0]}"
            columns.append(interval_column(gap_title, [("", ""), *gaps]))
        blocks.append(columns)
    head = heading("The same deals under each scoring", run)
    head = f"{head}\n{kept_axis(frame)}"
    return "\n\n".join([head, *stacked(blocks), COMPARE_NOTE])


def bottom_text(run: Run, frame: pd.DataFrame) -> str:
    """What `shengji bottom` prints."""
    blocks = [f"{heading('What becomes of the buried points', run)}\n{CAVEAT}"]
    by = [name for name in by_columns(frame) if name != "buried_points"]
    if by:
        for group, part in frame.groupby(by[0], sort=False):
            blocks.append(f"{BY_TITLES[by[0]].capitalize()}: {group}")
            blocks += _bottom_tables(part)
        blocks.append("% of deals: of the group's deals.")
    else:
        blocks += _bottom_tables(frame)
    return "\n\n".join([*blocks, BOTTOM_NOTE])


def _bottom_tables(frame: pd.DataFrame) -> list[str]:
    found = estimates(frame, ["name", "buried_points"])
    points = list(dict.fromkeys(frame["buried_points"]))
    odds = (SHARE, CAPTURE_RATE, GIVEN_AWAY, WINNER_CHANGED, RESULT_CHANGED)
    factors = multiplier_names(frame["name"])
    tables = []
    for of, names in (
        ("deals", odds),
        *(("captured", some) for some in _chunks(factors, FACTORS_ACROSS)),
    ):
        counted = CAPTURE_RATE if of == "deals" else names[0]
        told = [it for it in points if found[counted, it].n]
        if not told:
            continue  # no bottom was captured: there is nothing to distribute
        columns: Columns = [
            ("buried", [str(it) for it in told]),
            (of, [f"{found[counted, it].n:,}" for it in told]),
        ]
        for name in names:
            cells = [
                shown(name, found[name, it]) if (name, it) in found else ("", "")
                for it in told
            ]
            columns.append(interval_column(title(name), cells))
        tables.append(table(columns))
    return tables


def heading(text: str, run: Run) -> str:
    return f"{text}\n{run.describe()}"


def title(name: str) -> str:
    """An estimate's name as a column's title, with its unit."""
    if name.startswith(MULTIPLIER):
        return f"x{name.removeprefix(MULTIPLIER)}, %"
    return MEASURE_TITLES.get(name, name)


def shown(name: str, it: Estimate) -> tuple[str, str]:
    """An estimate as text: shares in %, anything else in its own unit."""
    is_share = name in SHARES or is_outcome(name) or name.startswith(MULTIPLIER)
    return percent(it) if is_share else plain(it)


def estimates(frame: pd.DataFrame, keys: list[str]) -> dict[Any, Estimate]:
    """Estimates by the value of the key column, or the tuple of several."""
    found = {}
    for row in frame.to_dict("records"):
        key = tuple(row[name] for name in keys)
        it = Estimate(*(row[fact] for fact in FACTS))
        found[key if len(keys) > 1 else key[0]] = it
    return found


def _chunks(items: Sequence, size: int) -> Iterable[Sequence]:
    for start in range(0, len(items), size):
        yield items[start : start + size]


def _missing(value: Any) -> bool:
    return value is None or _unknown(value)


def _unknown(value: float) -> bool:
    return isinstance(value, float) and math.isnan(value)
