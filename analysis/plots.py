"""Plots of the frames that the analysis returns. Nothing is computed here.

Series differ in marker, line and hatch as well as in colour (Okabe and Ito's palette,
made for the colour-blind), so a plot reads the same in grey print.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from textwrap import wrap

import numpy as np
import pandas as pd
from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from analysis.labels import (
    ANY,
    ATTACKERS_LEVELS,
    BY_TITLES,
    CAPTURE_RATE,
    DECLARERS_LEVELS,
    DIFFERENCE,
    GIVEN_AWAY,
    MEAN_TOTAL,
    SCORING_MEASURES,
    SHARE,
    SHUT_OUTS,
    SPREAD,
    TAKE_OVER_RATE,
    by_columns,
    is_outcome,
    kept_axis,
    scoring_names,
)
from analysis.load import Run
from analysis.plot_file import checked_path, save_figure
from analysis.tables import percent

FEW_DEALS = 100  # fewer: pale or left out, and never what sets the scale
TALLEST_INCHES = 24
HEADER_INCHES, LINE_INCHES = 0.68, 0.14  # of the text above, and a line more of it
LETTERS_AN_INCH = 15  # of that text

BLUE, ORANGE, GREEN, PURPLE, SKY, BLACK, GREY = (
    "#0072B2",
    "#D55E00",
    "#009E73",
    "#CC79A7",
    "#56B4E9",
    "#000000",
    "#999999",
)
COLOURS = (BLUE, ORANGE, GREEN, PURPLE, SKY, BLACK)
MARKERS = ("o", "s", "^", "D", "v", "P")
LINES = ("-", "--", "-.", ":", (0, (5, 1)), (0, (1, 1)))
WHISKERS = {"color": BLACK, "linestyle": "none", "elinewidth": 1, "capsize": 3}
MEASURE_TITLES = {SPREAD: "spread of levels (standard deviation)"}

STYLE = {
    "font.family": "DejaVu Sans",
    "font.size": 9,
    "axes.titlesize": 10,
    "axes.labelsize": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "axes.grid": True,
    "axes.formatter.useoffset": False,
    "axes.formatter.limits": (-9, 9),
    "grid.color": "#DDDDDD",
    "grid.linewidth": 0.6,
    "hatch.linewidth": 0.6,
    "legend.edgecolor": "none",
    "legend.framealpha": 1,
    "legend.fancybox": False,
    "hatch.color": "#FFFFFF",
    "savefig.dpi": 200,
    "svg.fonttype": "none",
    "svg.hashsalt": "shengji",  # the same numbers, the same file
}


def plot_levels(run: Run, frame: pd.DataFrame, path: Path) -> None:
    """Draw the distribution of results; apart for groups, their rates and means."""
    by = by_columns(frame)
    if by:
        _plot_levels_apart(run, frame, by[0], path)
        return
    shares = frame[frame["name"].map(is_outcome)]
    names = list(shares["name"])
    places = np.arange(len(names))
    with figure_of(run, "Who gains how many levels", path, (8, 4)) as figure:
        axes = figure.subplots()
        for start, colour, hatch, words in (
            ("declarers", BLUE, "", "declarers go up"),
            ("take", GREY, "///", "attackers take over"),
            ("attackers", ORANGE, "xxx", "attackers take over and go up"),
        ):
            mine = np.array([name.startswith(start) for name in names])
            axes.bar(
                places[mine],
                100 * shares["value"][mine],
                width=0.72,
                color=colour,
                edgecolor="#FFFFFF",
                hatch=hatch,
                label=words,
            )
        axes.errorbar(
            places, 100 * shares["value"], yerr=whiskers_of(shares, 100), **WHISKERS
        )
        for place, row in zip(places, shares.itertuples(), strict=True):
            axes.annotate(
                percent(row)[0],
                (place, 100 * row.high),
                (0, 3),
                textcoords="offset points",
                ha="center",
                fontsize=8,
            )
        axes.set_xticks(places, [f"+{name.rpartition('+')[2]}" for name in names])
        axes.set_xlabel("levels gained")
        axes.set_ylabel("share of deals, %")
        axes.grid(axis="x", visible=False)
        axes.margins(x=0.02, y=0.1)
        axes.set_ylim(bottom=0)
        axes.legend(loc="upper right")


def _plot_levels_apart(run: Run, frame: pd.DataFrame, by: str, path: Path) -> None:
    rates = frame[frame["name"] == TAKE_OVER_RATE]
    groups = [
        f"{row[by]} ({row['n']:,})" for row in rates[[by, "n"]].to_dict("records")
    ]
    few = (rates["n"] < FEW_DEALS).any()
    note = "In brackets: deals."
    if few:
        note += f" Pale: fewer than {FEW_DEALS}; these may leave the panel."
    size = (8.5, min(TALLEST_INCHES, 1.9 + 0.32 * len(groups)))
    words = BY_TITLES.get(by, by.replace("_", " "))
    with figure_of(run, f"Who gains levels, by {words}", path, size, note) as figure:
        panels = figure.subplots(1, 3, sharey=True)
        for axes, names, scale, unit in (
            (panels[0], (TAKE_OVER_RATE,), 100, "take-over rate, % of deals"),
            (panels[1], (MEAN_TOTAL,), 1, "mean total, points a deal"),
            (panels[2], (DECLARERS_LEVELS, ATTACKERS_LEVELS), 1, "mean levels a deal"),
        ):
            for number, name in enumerate(names):
                rows = frame[frame["name"] == name]
                if len(names) > 1:
                    side = "declarers" if name == DECLARERS_LEVELS else "attackers"
                    aside = 0.3 * (number - 0.5)  # so that neither hides the other
                    dots(axes, rows, scale, number, aside=aside, label=side)
                else:  # in a look that is neither side's
                    dots(axes, rows, scale, len(COLOURS) - 1)
            axes.set_xlabel(unit)
            _scale_across(axes, frame[frame["name"].isin(names)], scale)
        panels[0].set_yticks(range(len(groups)), groups)
        panels[0].set_ylim(len(groups) - 0.5, -0.5)
        panels[0].set_ylabel(words)
        _legend_above(panels[2], 2)


def plot_scorings(run: Run, frame: pd.DataFrame, path: Path) -> None:
    """Draw each measure of the scorings, and its difference to the first."""
    frame = frame.assign(scoring=scoring_names(frame))
    names = list(dict.fromkeys(frame["scoring"]))
    row = min(0.22, (TALLEST_INCHES - 1) / len(SCORING_MEASURES) / (len(names) + 4))
    size = (8.5, 1.0 + len(SCORING_MEASURES) * (0.75 + row * len(names)))
    title = "The same deals under each scoring"
    with figure_of(run, title, path, size, kept_axis(frame)) as figure:
        grid = figure.subplots(len(SCORING_MEASURES), 2, sharey=True, squeeze=False)
        for (left, right), measure in zip(grid, SCORING_MEASURES, strict=True):
            share = measure in (TAKE_OVER_RATE, SHUT_OUTS)
            scale, unit = (100, "% of deals") if share else (1, "levels")
            dots(left, frame[frame["name"] == measure], scale, 0)
            right.axvline(0, color="#555555", linewidth=0.8)
            gaps = frame[frame["name"] == measure + DIFFERENCE]
            dots(right, gaps, scale, 1, first=1)
            left.set_title(MEASURE_TITLES.get(measure, measure), loc="left")
            right.set_title(f"minus {names[0]}, paired", loc="left")
            left.set_xlabel(unit)
            right.set_xlabel("percentage points" if share else unit)
            left.set_yticks(range(len(names)), names, fontsize=min(9, 61 * row))
            left.set_ylim(len(names) - 0.5, -0.5)
            for axes in (left, right):
                axes.margins(x=0.12)
                axes.locator_params(axis="x", nbins=4)
        figure.get_layout_engine().set(wspace=0.08)


def plot_bottom(run: Run, frame: pd.DataFrame, path: Path) -> None:
    """Draw the capture rate and the points given away by the points buried."""
    rows, left_out = _without_the_few(frame[frame["buried_points"] != ANY])
    by = [name for name in by_columns(rows) if name != "buried_points"]
    groups = list(dict.fromkeys(rows[by[0]])) if by else [None]
    title = "What becomes of the buried points"
    caveat = "Odds under these policies' own burying, not the effect of burying."
    if left_out:
        them = "group is" if left_out == 1 else "groups are"
        caveat += f"\n{left_out} {them} not drawn: fewer than {FEW_DEALS} deals."
    measures = (
        (CAPTURE_RATE, 100, "bottom captured,\n% of deals"),
        (GIVEN_AWAY, 1, "mean points given away\n(buried x multiplier)"),
        (SHARE, 100, "share of\nthe group, %" if by else "share of\ndeals, %"),
    )
    with figure_of(run, title, path, (8, 6.8), caveat) as figure:
        panels = figure.subplots(3, 1, sharex=True, height_ratios=(3, 3, 1.7))
        for axes, (name, scale, label) in zip(panels, measures, strict=True):
            told = rows[rows["name"] == name]
            for number, group in enumerate(groups):
                mine = told if group is None else told[told[by[0]] == group]
                # Side by side, so that no interval hides another.
                aside = 0.7 * (number - (len(groups) - 1) / 2)
                _line(axes, mine, scale, aside, number, group)
            axes.set_ylabel(label)
            _scale_by_the_many(axes, told, scale)
        points = sorted(set(rows["buried_points"]))
        panels[-1].set_xticks(points, [str(it) for it in points])
        panels[-1].set_xlabel("points buried")
        if by:
            _legend_above(panels[0], len(groups), BY_TITLES[by[0]])


def _without_the_few(rows: pd.DataFrame) -> tuple[pd.DataFrame, int]:
    """Groups of deals enough, and how many groups are left out; all if none has."""
    keys = [name for name in by_columns(rows)]
    sizes = rows[rows["name"] == CAPTURE_RATE][[*keys, "n"]]
    enough = sizes[sizes["n"] >= FEW_DEALS][keys]
    if enough.empty:
        return rows, 0
    return rows.merge(enough, on=keys), len(sizes) - len(enough)


@contextmanager
def figure_of(
    run: Run,
    title: str,
    path: Path,
    inches: tuple[float, float],
    note: str = "",
    number: int | None = None,
) -> Iterator[Figure]:
    """A figure under its title and under what it holds; saved once it is drawn.

    `number`: of how many deals or matches of the run, where not of all.
    """
    path = checked_path(path)
    width, height = inches
    described = wrap(run.describe(number), int(LETTERS_AN_INCH * width))
    notes = f"Whiskers: 95 % intervals. {note}".strip()
    under = "\n".join([*described, notes])
    header = HEADER_INCHES + LINE_INCHES * (under.count("\n") - 1)
    with rc_context(STYLE):
        figure = Figure(figsize=inches, layout="constrained")
        panels = (0, 0, 1, 1 - header / height)
        figure.get_layout_engine().set(rect=panels, h_pad=0.06)
        at = {"x": 0.1 / width, "ha": "left", "va": "top"}
        figure.text(y=1 - 0.08 / height, s=title, fontsize=12, weight="bold", **at)
        figure.text(y=1 - 0.32 / height, s=under, fontsize=8, color="#444444", **at)
        yield figure
        save_figure(figure, path)


def whiskers_of(rows: pd.DataFrame, scale: float) -> np.ndarray:
    """Lengths of the intervals below and above the values, as `errorbar` takes them."""
    value = rows["value"].to_numpy()
    ends = (value - rows["low"].to_numpy(), rows["high"].to_numpy() - value)
    return scale * np.clip(np.nan_to_num(np.array(ends)), 0, None)


def dots(
    axes: Axes,
    rows: pd.DataFrame,
    scale: float,
    number: int,
    first: int = 0,
    aside: float = 0,
    label: str | None = None,
) -> None:
    """One value a line, from the top, each with its interval across; few deals pale."""
    x = scale * rows["value"].to_numpy()
    y = np.arange(first, first + len(rows)) + aside
    whiskers = whiskers_of(rows, scale)
    few = rows["n"].to_numpy() < FEW_DEALS
    for mine, face, alpha in ((~few, COLOURS[number], 1), (few, "white", 0.4)):
        if mine.any():
            axes.errorbar(
                x[mine],
                y[mine],
                xerr=whiskers[:, mine],
                color=COLOURS[number],
                marker=MARKERS[number],
                markersize=4.5,
                markerfacecolor=face,
                linestyle="none",
                elinewidth=1.2,
                capsize=3,
                alpha=alpha,
                label=label if alpha == 1 or few.all() else None,
            )


def _scale_across(axes: Axes, rows: pd.DataFrame, scale: float) -> None:
    """Let rows of deals enough set the width, so that a rare one does not."""
    many = rows[rows["n"] >= FEW_DEALS]
    told = many if len(many) else rows
    low, high = scale * told["low"].min(), scale * told["high"].max()
    room = 0.1 * (high - low) or 1
    axes.set_xlim(low - room, high + room)


def _line(
    axes: Axes,
    rows: pd.DataFrame,
    scale: float,
    aside: float,
    number: int,
    label: object,
) -> None:
    """Values over the points buried with their intervals; few deals drawn hollow.

    `aside` moves the series sideways, in points buried.
    """
    colour = COLOURS[number]
    x = rows["buried_points"].to_numpy(dtype=float) + aside
    y = scale * rows["value"].to_numpy()
    whiskers = whiskers_of(rows, scale)
    few = rows["n"].to_numpy() < FEW_DEALS
    axes.plot(
        x[~few], y[~few], color=colour, linestyle=LINES[number], linewidth=0.9, zorder=2
    )
    for mine, face, alpha in ((~few, colour, 1), (few, "white", 0.4)):
        axes.errorbar(
            x[mine],
            y[mine],
            yerr=whiskers[:, mine],
            color=colour,
            marker=MARKERS[number],
            markersize=4.5,
            markerfacecolor=face,
            linestyle="none",
            elinewidth=1,
            capsize=2.5,
            alpha=alpha,
            zorder=3,
            label=label if face == colour else None,
        )


def _scale_by_the_many(axes: Axes, rows: pd.DataFrame, scale: float) -> None:
    """Let rows of deals enough set the height, so that a rare one does not."""
    many = rows[rows["n"] >= FEW_DEALS]
    high = scale * float((many if len(many) else rows)["high"].max())
    axes.set_ylim(0, 1.08 * high if high > 0 else 1)


def _legend_above(axes: Axes, columns: int, title: str | None = None) -> None:
    axes.legend(
        loc="lower left",
        bbox_to_anchor=(0, 1.0),
        ncols=columns,
        title=title,
        alignment="left",
        borderaxespad=0.2,
        handletextpad=0.4,
        columnspacing=1.2,
    )
