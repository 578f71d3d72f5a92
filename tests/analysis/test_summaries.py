"""What summaries tell, against the rows of the same deals: equal to the last digit."""

from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from analysis import bottom, levels, report, scoring
from analysis.bottom import BY, bottom_odds
from analysis.labels import GROUP_COLUMNS
from analysis.levels import level_distribution
from analysis.load import AnalysisError, Run, count, frame, open_runs
from analysis.scoring import compare_scorings, scorings
from cli import cli
from sim.driver import play
from sim.histograms import HISTOGRAMS, holding
from sim.parts import SUMMARY, StoreError
from sim.schema import COLUMNS, DEAL_DTYPE
from sim.task import Task, make_task

DEALS = 3000
CASES = {
    "menghuan": {},
    "bianfeng": {"decks": 3},
    "pick-trump": {},  # with targets
    "bianfeng-friend": {},
}
TABLES = {2: ["menghuan", "bianfeng", "competition"], 3: ["bianfeng", "pick-trump"]}
MULTIPLIERS = ["linear", "power/winner", "flat", "by_cards", "power/trick"]


@pytest.fixture(scope="module", params=CASES)
def runs(request, tmp_path_factory) -> tuple[Run, Run]:
    """The same deals as rows and as a summary."""
    task = make_task(
        request.param, level="all", policy="textbook,random", **CASES[request.param]
    )
    return played_both_ways(task, tmp_path_factory.mktemp(request.param))


def played_both_ways(task: Task, folder: Path) -> tuple[Run, Run]:
    play(task, folder / "rows", DEALS, block=1000)
    kept = open_runs(folder / "rows")
    rows = frame(kept)

    def player(start: int, out: np.ndarray) -> None:
        for name in DEAL_DTYPE.names:
            out[name] = rows[name][start : start + len(out)]

    again = folder / "summary"
    play(task, again, DEALS, block=1000, player=player, keep=SUMMARY)
    return kept, open_runs(again)


def test_levels(runs):
    for by in (None, *GROUP_COLUMNS):
        rows, summary = (level_distribution(run, by) for run in runs)
        same(runs, rows, summary, report.levels_text)


def test_compare(runs):
    tables = TABLES[runs[0].rules.decks]
    for named in ((tables, []), ([], MULTIPLIERS), (tables[:2], MULTIPLIERS[:2])):
        rows, summary = (compare_scorings(run, scorings(run, *named)) for run in runs)
        same(runs, rows, summary, report.compare_text)


def test_bottom(runs):
    for by in (None, *BY):
        rows, summary = (bottom_odds(run, by) for run in runs)
        same(runs, rows, summary, report.bottom_text)


def same(runs, rows, summary, text) -> None:
    assert report.as_json(rows) == report.as_json(summary)
    assert text(runs[0], rows) == text(runs[1], summary)


@pytest.fixture(scope="module")
def small(tmp_path_factory) -> tuple[Run, Run]:
    return played_both_ways(make_task(), tmp_path_factory.mktemp("small"))


def test_every_set_of_columns_that_an_analysis_counts_is_held(small, monkeypatch):
    """An analysis that asks for columns which no histogram tells apart fails here."""
    asked = set()

    def noted(run: Run, columns: list[str]):
        asked.add(tuple(columns))
        return count(run, columns)

    for module in (bottom, levels, scoring):
        monkeypatch.setattr(module, "count", noted)
    for by in (None, *GROUP_COLUMNS):
        level_distribution(small[0], by)
    for by in (None, *BY):
        bottom_odds(small[0], by)
    compare_scorings(small[0], scorings(small[0], [], ["flat"]))
    assert len(asked) > len(GROUP_COLUMNS) - 5 + len(BY)  # some are in every set
    lost = [columns for columns in asked if not holding(columns)]
    assert not lost


def test_no_histogram_is_held_by_another():
    """Each costs bytes and time: none that another answers for."""
    for name, told in HISTOGRAMS.items():
        assert holding(told) == [name]


def test_what_only_rows_can_tell_is_refused(small):
    for ask in (
        lambda run: frame(run, ["level"]),
        lambda run: count(run, ["tricks", "level"]),
    ):
        with pytest.raises(ValueError, match=r"keeps a summary.* rows"):
            ask(small[1])


def test_rows_and_summaries_of_a_task_pool(tmp_path):
    """The first deals as a summary, the rest as rows of another folder."""
    task = make_task()
    play(task, tmp_path / "first", 1000, keep=SUMMARY)
    play(task, tmp_path / "all", DEALS, block=1000)
    kept = open_runs(tmp_path / "all")
    rows = frame(kept)
    from make_run import write_rows

    rest = np.zeros(DEALS - 1000, DEAL_DTYPE)
    for name in DEAL_DTYPE.names:
        rest[name] = rows[name][1000:]
    write_rows(tmp_path / "rest", task, rest)
    pooled = open_runs([tmp_path / "first", tmp_path / "rest"])
    same(
        (kept, pooled),
        level_distribution(kept, "level"),
        level_distribution(pooled, "level"),
        report.levels_text,
    )
    with pytest.raises(AnalysisError, match="would count twice"):
        open_runs([tmp_path / "first", tmp_path / "all"])


def test_a_damaged_summary_is_told(small, tmp_path):
    (part,) = small[1].parts
    held = bytearray(part.path.read_bytes())
    for place in range(20, len(held) // 4, 20):  # the footer is as it was
        held[place] ^= 1
    broken = tmp_path / part.path.name
    broken.write_bytes(held)
    (tmp_path / "task.json").write_bytes(part.path.with_name("task.json").read_bytes())
    run = open_runs(tmp_path)
    with pytest.raises(StoreError, match="damaged"):
        level_distribution(run, "level")


def test_the_commands(tmp_path):
    """`run --keep summary` prints what `run` does, and so do the others after it."""
    told = {}
    for keep in ("rows", "summary"):
        out = tmp_path / keep
        words = ["run", "-n", "2000", "--keep", keep, "-o", str(out)]
        told[keep] = [
            CliRunner().invoke(cli, command).stdout
            for command in (
                words,
                ["levels", str(out), "--by", "trumps", "--json"],
                ["compare", str(out), "--tables", "casual"],
                ["bottom", str(out), "--by", "jokers"],
            )
        ]
    assert told["rows"] == told["summary"]
    assert all(told["rows"])
    other = CliRunner().invoke(cli, ["run", "-n", "9", "-o", str(tmp_path / "summary")])
    assert other.exit_code == 2
    assert "give --keep summary" in other.stderr


def test_columns_of_the_schema_that_no_histogram_tells():
    told = {name for columns in HISTOGRAMS.values() for name in columns}
    assert {column.name for column in COLUMNS} - told == {"deal_index", "next_declarer"}
