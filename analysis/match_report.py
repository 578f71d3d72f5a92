"""What is printed of whole matches: their lengths, winners, levels and moves."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click
import pandas as pd

from analysis.estimate import Estimate
from analysis.labels import (
    ATTACKERS_LEVELS,
    CAPTURE_RATE,
    DEALS_A_MATCH,
    DEALS_AT_LEVEL,
    DECLARERS_LEVELS,
    DIFFERENCE,
    FIRST_DECLARER_WINS,
    MEAN_TOTAL,
    MOVES,
    QUANTILE,
    SHARE_AT_LEVEL,
    TAKE_OVER_RATE,
)
from analysis.load import open_runs
from analysis.matches import SIDES, match_distribution
from analysis.report import estimates, heading
from analysis.tables import Columns, interval_column, percent, plain, stacked, table

TITLES = {
    TAKE_OVER_RATE: "take-over rate, %",
    CAPTURE_RATE: "bottom captured, % of deals",
    MEAN_TOTAL: "mean total, points",
    DECLARERS_LEVELS: "levels a deal, declarers",
    ATTACKERS_LEVELS: "levels a deal, attackers",
    DEALS_A_MATCH: "deals a match",
    FIRST_DECLARER_WINS: "first declarer's side wins, %",
}
SHARES = (TAKE_OVER_RATE, CAPTURE_RATE, FIRST_DECLARER_WINS)
RATES = (TAKE_OVER_RATE, DECLARERS_LEVELS, ATTACKERS_LEVELS, CAPTURE_RATE, MEAN_TOTAL)
# What variants and tables are told apart by, side by side.
COMPARED = (
    TAKE_OVER_RATE,
    DECLARERS_LEVELS,
    ATTACKERS_LEVELS,
    CAPTURE_RATE,
    DEALS_A_MATCH,
    FIRST_DECLARER_WINS,
)

NOTE = (
    "In brackets: 95 % intervals; the match is the unit of all of them. Levels a deal\n"
    "are over all deals, 0 for the side that does not win. A move is what a side's\n"
    "level becomes by a deal that it began at a level: % of those deals."
)
COMPARE_NOTE = (
    "In brackets: 95 % intervals; the match is the unit. Each table plays its own\n"
    "matches, with the same cards for match and deal: differences are paired by match."
)
SURVEY_NOTE = (
    "In brackets: 95 % intervals; the match is the unit. Levels a deal are over all\n"
    "deals, 0 for the side that does not win."
)


def print_match_distribution(folder: Path) -> None:
    """Print what the matches in one run's folder came to."""
    run = open_runs(folder)
    click.echo(matches_text(run, match_distribution(run)))


def matches_text(run: Any, frame: pd.DataFrame) -> str:
    """What `shengji levels --matches` prints."""
    plain_rows = frame[frame[["deals", "seat", "level"]].isna().all(axis=1)]
    found = estimates(plain_rows, ["name"])
    quantiles = [name for name in found if name.startswith(QUANTILE)]
    measures = [
        ("", ["deals a match, mean", *(f"  {_quantile(it)}" for it in quantiles)]),
        interval_column(
            "", [plain(found[name]) for name in (DEALS_A_MATCH, *quantiles)]
        ),
    ]
    names = (FIRST_DECLARER_WINS, *RATES)
    rates = [
        ("", [TITLES[name] for name in names]),
        interval_column("", [shown(name, found[name]) for name in names]),
    ]
    blocks = [table(measures), table(rates), table(_level_columns(frame))]
    blocks += [block for side in SIDES for block in _moves_text(frame, side)]
    return "\n\n".join([heading("Whole matches", run), *blocks, NOTE])


def _quantile(name: str) -> str:
    share = name.removeprefix(QUANTILE)
    return "median" if share == "50%" else f"{share.removesuffix('%')} % of matches"


def _level_columns(frame: pd.DataFrame) -> Columns:
    rows = frame[frame["name"].isin((DEALS_AT_LEVEL, SHARE_AT_LEVEL))]
    found = estimates(rows, ["name", "level"])
    levels = list(dict.fromkeys(rows["level"]))
    return [
        ("level", [str(level) for level in levels]),
        interval_column(
            "deals a match", [plain(found[DEALS_AT_LEVEL, it]) for it in levels]
        ),
        interval_column(
            "% of deals", [percent(found[SHARE_AT_LEVEL, it]) for it in levels]
        ),
    ]


def _moves_text(frame: pd.DataFrame, side: str) -> list[str]:
    """The transition matrix of one side: what its level becomes by a deal."""
    moves = frame[(frame["name"] == MOVES) & (frame["side"] == side)]
    found = estimates(moves, ["level", "to"])
    begun = list(dict.fromkeys(moves["level"]))
    ends = sorted(set(moves["to"]), key=lambda it: (it not in begun, _place(it, begun)))
    columns: Columns = [("from", begun)]
    columns.append(
        ("matches", [f"{_matches(moves, level):,}" for level in begun]),
    )
    for to in ends:
        cells = [
            f"{100 * found[level, to].value:.1f}±{_half(found[level, to]):.1f}"
            if (level, to) in found
            else "."
            for level in begun
        ]
        columns.append((f"to {to}", cells))
    return [f"Moves of the {side}, % of the deals begun at a level", table(columns)]


def _place(level: str, order: Sequence[str]) -> int:
    return list(order).index(level) if level in order else len(order)


def _matches(moves: pd.DataFrame, level: str) -> int:
    return int(moves[moves["level"] == level]["n"].max())


def _half(it: Estimate) -> float:
    """Half an interval's width, in %."""
    return 50 * (it.high - it.low)


def shown(name: str, it: Estimate) -> tuple[str, str]:
    """An estimate as text: shares in %, anything else in its own unit."""
    return percent(it) if name in SHARES else plain(it)


def compare_matches_text(head: str, frame: pd.DataFrame) -> str:
    """What `shengji compare --matches` prints."""
    found = estimates(frame, ["name", "table"])
    names = list(dict.fromkeys(frame["table"]))
    blocks = []
    for measure in COMPARED:
        gaps = [shown(measure, found[measure + DIFFERENCE, name]) for name in names[1:]]
        columns: Columns = [
            (TITLES[measure], [f"  {name}" for name in names]),
            interval_column("", [shown(measure, found[measure, it]) for it in names]),
        ]
        if gaps:
            columns.append(interval_column(f"minus {names[0]}", [("", ""), *gaps]))
        blocks.append(columns)
    return "\n\n".join([head, *stacked(blocks), COMPARE_NOTE])


def survey_text(head: str, frame: pd.DataFrame) -> str:
    """What `shengji survey` prints: a line a variant, its measures side by side."""
    found = estimates(frame, ["name", "variant", "decks"])
    keys = list(dict.fromkeys(zip(frame["variant"], frame["decks"], strict=True)))
    matches = [f"{found[DEALS_A_MATCH, *key].n:,}" for key in keys]
    columns: Columns = [
        ("variant", [variant for variant, _ in keys]),
        ("decks", [str(decks) for _, decks in keys]),
        ("matches", matches),
    ]
    tables = []
    for some in (COMPARED[:3], COMPARED[3:]):
        tables.append(
            table(
                [
                    *columns,
                    *(
                        interval_column(
                            TITLES[name],
                            [shown(name, found[name, *key]) for key in keys],
                        )
                        for name in some
                    ),
                ]
            )
        )
    return "\n\n".join([head, *tables, SURVEY_NOTE])
