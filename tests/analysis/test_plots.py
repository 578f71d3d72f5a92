"""Plots: written whole, in the format of their name, saying under what they hold."""

import errno
import os
from pathlib import Path

import pytest
from make_run import make_rows, make_run, write_rows
from matplotlib.figure import Figure

from analysis import plots
from analysis.bottom import bottom_odds
from analysis.levels import level_distribution
from analysis.load import AnalysisError, open_runs
from analysis.plot_file import SUFFIXES
from analysis.scoring import compare_scorings, scorings
from sim.task import make_task

FIRST_BYTES = {".png": b"\x89PNG", ".svg": b"<?xml", ".pdf": b"%PDF"}


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    return open_runs(make_run(tmp_path_factory.mktemp("plots") / "run", 3000)[0])


def drawings(run):
    tables = ["menghuan", "bianfeng"]
    multipliers = ["linear", "power/winner"]
    return {
        "levels": (plots.plot_levels, level_distribution(run)),
        "levels-by": (plots.plot_levels, level_distribution(run, "level")),
        "tables": (plots.plot_scorings, compare_scorings(run, scorings(run, tables))),
        "cross": (
            plots.plot_scorings,
            compare_scorings(run, scorings(run, tables, multipliers)),
        ),
        "alone": (
            plots.plot_scorings,
            compare_scorings(run, scorings(run, ["menghuan"])),
        ),
        "bottom": (plots.plot_bottom, bottom_odds(run)),
        "bottom-by": (plots.plot_bottom, bottom_odds(run, "jokers")),
    }


def test_every_plot_is_drawn_and_says_what_it_holds(run, tmp_path):
    for name, (draw, frame) in drawings(run).items():
        path = tmp_path / f"{name}.svg"
        draw(run, frame, path)
        text = path.read_text("utf-8")
        assert "menghuan · all levels · later deals · policy textbook" in text, name
        assert "seed 1 · 3,000 deals" in text
        assert "95 % intervals" in text
    assert sorted(path.suffix for path in tmp_path.iterdir()) == [".svg"] * 7


def test_a_long_description_stays_on_the_plot(tmp_path, monkeypatch):
    variant = tmp_path / "mine.toml"
    variant.write_text(
        'base = "menghuan"\nthrow_follow = "shape"\nlevel_table = "bianfeng"\n'
        "[failed_throw]\ncoins = 2\npoints = 20\n"
    )
    task = make_task(str(variant), level="all", policy="textbook,random")
    run = open_runs(write_rows(tmp_path / "run", task, make_rows(task, 1500)))
    assert len(run.describe()) > 150
    widest = []

    def measure(figure, place):
        figure.draw_without_rendering()
        for text in figure.texts:
            box = text.get_window_extent()
            widest.append(box.x1 / figure.bbox.x1)
            assert all(box.y0 > axes.get_tightbbox().y1 for axes in figure.axes)

    monkeypatch.setattr(plots, "save_figure", measure)
    plots.plot_levels(run, level_distribution(run), tmp_path / "levels.png")
    assert 0.7 < max(widest) <= 1


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_formats(run, tmp_path, suffix):
    path = tmp_path / f"levels{suffix}"
    plots.plot_levels(run, level_distribution(run), path)
    first = path.read_bytes()
    assert first.startswith(FIRST_BYTES[suffix])
    plots.plot_levels(run, level_distribution(run), path)
    assert path.read_bytes() == first  # the same numbers, the same file


@pytest.mark.parametrize("name", ["x.gif", "x", "x.png.txt", "nowhere/x.png"])
def test_files_that_cannot_be_drawn(run, tmp_path, name):
    with pytest.raises(AnalysisError):
        plots.plot_levels(run, level_distribution(run), tmp_path / name)
    assert not list(tmp_path.iterdir())


def test_a_failing_disk_leaves_the_old_plot(run, tmp_path, monkeypatch):
    path = tmp_path / "levels.png"
    path.write_bytes(b"old")

    def fail(figure, place, **_):
        Path(place).write_bytes(b"half")
        raise OSError("the disk is full")

    monkeypatch.setattr(Figure, "savefig", fail)
    with pytest.raises(OSError, match="full"):
        plots.plot_levels(run, level_distribution(run), path)
    assert path.read_bytes() == b"old"
    assert len(list(tmp_path.iterdir())) == 1


def test_a_place_that_takes_no_files_is_told(run, tmp_path, monkeypatch):
    """The unfinished file cannot be removed there either: that hides nothing."""
    path = tmp_path / "levels.png"

    def refuse(*_, **__):
        raise OSError(errno.EROFS, os.strerror(errno.EROFS), "x.tmp")

    monkeypatch.setattr(Figure, "savefig", refuse)
    monkeypatch.setattr(Path, "unlink", refuse)
    with pytest.raises(AnalysisError, match="png cannot be written: Read-only file"):
        plots.plot_levels(run, level_distribution(run), path)


def test_groups_of_few_deals_are_left_out_and_counted(run, tmp_path):
    odds = bottom_odds(run, "jokers")
    sizes = odds[(odds["name"] == "capture rate") & (odds["buried_points"] != "any")]
    few = int((sizes["n"] < plots.FEW_DEALS).sum())
    assert few > 1
    path = tmp_path / "x.svg"
    plots.plot_bottom(run, odds, path)
    assert f"{few} groups are not drawn: fewer than 100 deals" in path.read_text()


def test_a_rare_group_does_not_stretch_the_others(run, tmp_path):
    whole = level_distribution(run, "level")
    rare = whole["level"] == "J"
    whole.loc[rare, "n"] = 3
    whole.loc[rare, ["low", "high"]] = [0.0, 900.0]
    figure = Figure()
    axes = figure.subplots()
    rows = whole[whole["name"] == "mean total"]
    plots._scale_across(axes, rows, 1)
    assert axes.get_xlim()[1] < 200
    plots.plot_levels(run, whole, tmp_path / "x.svg")
    assert "J (3)" in (tmp_path / "x.svg").read_text()
    assert "Pale: fewer than 100" in (tmp_path / "x.svg").read_text()


def test_small_runs_draw_too(tmp_path):
    run = open_runs(make_run(tmp_path / "run", 8)[0])
    for name, (draw, frame) in drawings(run).items():
        draw(run, frame, tmp_path / f"{name}.png")
