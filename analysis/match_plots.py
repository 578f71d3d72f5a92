"""Plots of whole matches, as `analysis.plots` draws. Nothing is computed here."""

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from analysis.labels import (
    DEALS_A_MATCH,
    DEALS_AT_LEVEL,
    DIFFERENCE,
    LENGTH_SHARE,
    MOVES,
)
from analysis.match_report import COMPARED, SHARES, TITLES
from analysis.matches import SIDES
from analysis.plots import BLUE, ORANGE, WHISKERS, dots, figure_of, whiskers_of

DARK = 45.0  # % from which a number stands white on its cell


def plot_matches(run: Any, frame: pd.DataFrame, path: Path) -> None:
    """Draw the lengths of matches, the deals spent at each level, and the moves."""
    note = "Moves: % of the deals begun at a level; the match is the unit."
    with figure_of(run, "Whole matches", path, (11, 9.6), note) as figure:
        (lengths, levels), heat = figure.subplots(2, 2, height_ratios=(1, 1.5))
        _plot_lengths(lengths, frame)
        _plot_levels(levels, frame)
        for axes, side, shades in zip(heat, SIDES, ("Blues", "Oranges"), strict=True):
            _plot_moves(axes, frame, side, shades)


def _plot_lengths(axes: Axes, frame: pd.DataFrame) -> None:
    rows = frame[frame["name"] == LENGTH_SHARE]
    deals = rows["deals"].astype(int).to_numpy()
    axes.bar(deals, 100 * rows["value"], width=0.85, color=BLUE)
    axes.errorbar(deals, 100 * rows["value"], yerr=whiskers_of(rows, 100), **WHISKERS)
    mean = frame[frame["name"] == DEALS_A_MATCH].iloc[0]
    axes.axvline(mean["value"], color=ORANGE, linestyle="--", linewidth=1.2)
    axes.set_title(f"Deals a match: {mean['value']:.1f} on average", loc="left")
    axes.set_xlabel("deals a match")
    axes.set_ylabel("share of matches, %")
    axes.set_ylim(bottom=0)


def _plot_levels(axes: Axes, frame: pd.DataFrame) -> None:
    rows = frame[frame["name"] == DEALS_AT_LEVEL]
    places = np.arange(len(rows))
    axes.bar(places, rows["value"], width=0.7, color=BLUE)
    axes.errorbar(places, rows["value"], yerr=whiskers_of(rows, 1), **WHISKERS)
    axes.set_xticks(places, [str(level) for level in rows["level"]])
    axes.set_title("Where the deals are spent", loc="left")
    axes.set_xlabel("level of the deal")
    axes.set_ylabel("deals a match")
    axes.grid(axis="x", visible=False)
    axes.set_ylim(bottom=0)


def _plot_moves(axes: Axes, frame: pd.DataFrame, side: str, shades: str) -> None:
    rows = frame[(frame["name"] == MOVES) & (frame["side"] == side)]
    levels = list(dict.fromkeys(rows["level"]))
    ends = [*levels, *(to for to in dict.fromkeys(rows["to"]) if to not in levels)]
    cells = np.full((len(levels), len(ends)), np.nan)
    for row in rows.to_dict("records"):
        cells[levels.index(row["level"]), ends.index(row["to"])] = 100 * row["value"]
    axes.imshow(np.nan_to_num(cells), cmap=shades, vmin=0, vmax=70, aspect="auto")
    for (down, across), value in np.ndenumerate(cells):
        if not np.isnan(value):
            axes.text(
                across,
                down,
                f"{value:.0f}" if value >= 0.5 else "·",
                ha="center",
                va="center",
                fontsize=7.5,
                color="#FFFFFF" if value > DARK else "#000000",
            )
    axes.set_xticks(range(len(ends)), ends)
    axes.set_yticks(range(len(levels)), levels)
    axes.set_title(f"Moves of the {side}, % of deals", loc="left")
    axes.set_xlabel("level after the deal")
    axes.set_ylabel("level before")
    axes.grid(visible=False)


def plot_compared_matches(run: Any, frame: pd.DataFrame, path: Path) -> None:
    """Draw each measure of matches under several tables, and the differences."""
    names = list(dict.fromkeys(frame["table"]))
    size = (8.5, 1.0 + len(COMPARED) * (0.75 + 0.22 * len(names)))
    title = "Whole matches under each table"
    number = int(frame["n"].max())
    with figure_of(run, title, path, size, number=number) as figure:
        grid = figure.subplots(len(COMPARED), 2, sharey=True, squeeze=False)
        for (left, right), measure in zip(grid, COMPARED, strict=True):
            scale = 100 if measure in SHARES else 1
            dots(left, frame[frame["name"] == measure], scale, 0)
            right.axvline(0, color="#555555", linewidth=0.8)
            gaps = frame[frame["name"] == measure + DIFFERENCE]
            dots(right, gaps, scale, 1, first=1)
            left.set_title(TITLES[measure], loc="left")
            right.set_title(f"minus {names[0]}, paired by match", loc="left")
            left.set_yticks(range(len(names)), names)
            left.set_ylim(len(names) - 0.5, -0.5)
            for axes in (left, right):
                axes.margins(x=0.12)
                axes.locator_params(axis="x", nbins=4)
