"""Summaries on disk: exact whatever threads, blocks, interruptions and merges did."""

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest
from stand_in import Game, rows_of

from sim import parts as parts_module
from sim import store as store_module
from sim import summary as summary_module
from sim.driver import columns_of, play
from sim.histograms import HISTOGRAMS, SUMMARIES
from sim.parts import SUMMARY, Part, Span, StoreError, read_parts
from sim.store import Store
from sim.summary import added, as_file, merge_parts, read_summary, summary_of
from sim.task import make_task

TASK = make_task(policy="random")
KEYS = Store(Path("here"), TASK).keys()
SMALL = SUMMARIES._replace(part_size=100, group_size=40, merged=2)


@pytest.fixture(autouse=True)
def small_parts(monkeypatch):
    for module in (parts_module, store_module, summary_module):
        monkeypatch.setattr(module, "SUMMARIES", SMALL)


def keep(folder: Path, deals: int, game: Game | None = None, **how: object) -> int:
    return play(TASK, folder, deals, player=game or Game(), keep=SUMMARY, **how).deals


def parts(folder: Path) -> list[Part]:
    return read_parts(folder, TASK.id(), SMALL)


def spans(folder: Path) -> list[tuple[int, int]]:
    return [tuple(part.span) for part in parts(folder)]


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.glob("*.parquet")}


def check(folder: Path, deals: int) -> None:
    """The folder's summaries add up to the one of all deals."""
    total = added([read_summary(part) for part in parts(folder)])
    want = summary_of(columns_of(rows_of(1, deals)))
    span = Span(0, deals)
    assert as_file(total, span, KEYS) == as_file(want, span, KEYS)
    assert not list(folder.glob("*.tmp"))
    assert json.loads((folder / "task.json").read_text())["keep"] == "summary"


def test_each_histogram_counts_every_deal_once():
    rows = rows_of(1, 3000)
    for told, found in zip(
        HISTOGRAMS.values(), summary_of(columns_of(rows)), strict=True
    ):
        values = np.stack([rows[name].astype(np.int32) for name in told])
        want, deals = np.unique(values, axis=1, return_counts=True)
        order = np.lexsort(found.values[::-1])
        assert np.array_equal(found.values[:, order], want), told
        assert np.array_equal(found.deals[order], deals), told


@pytest.mark.parametrize(("threads", "block"), [(1, 7), (5, 40), (2, 1000)])
def test_files_depend_on_the_deals_alone(tmp_path, threads, block):
    keep(tmp_path / "at once", 434)
    assert keep(tmp_path / "run", 434, threads=threads, block=block) == 434
    assert files(tmp_path / "run") == files(tmp_path / "at once")
    assert spans(tmp_path / "run") == [(0, 400), (400, 434)]
    check(tmp_path / "run", 434)


def test_any_executor_writes_the_same(tmp_path):
    keep(tmp_path / "at once", 434)
    with ThreadPoolExecutor(3) as executor:
        keep(tmp_path / "run", 30, executor=executor)
        keep(tmp_path / "run", 434, executor=executor)
    assert files(tmp_path / "run") == files(tmp_path / "at once")
    check(tmp_path / "run", 434)


def test_repeating_does_nothing_and_a_larger_n_extends(tmp_path):
    keep(tmp_path / "at once", 434)
    for wanted in (30, 99, 250, 250, 434):
        before = sum(stop - start for start, stop in spans(tmp_path / "run"))
        assert keep(tmp_path / "run", wanted) == wanted - before
        check(tmp_path / "run", wanted)
    assert files(tmp_path / "run") == files(tmp_path / "at once")


def test_a_run_keeps_one_or_the_other(tmp_path):
    keep(tmp_path / "summary", 100)
    play(TASK, tmp_path / "rows", 100, player=Game())
    with pytest.raises(StoreError, match="keeps a summary of this task, not the rows"):
        play(TASK, tmp_path / "summary", 200, player=Game())
    with pytest.raises(StoreError, match="keeps the rows of this task, not a summary"):
        keep(tmp_path / "rows", 200)
    check(tmp_path / "summary", 100)
    documents = [
        json.loads((tmp_path / name / "task.json").read_text())
        for name in ("summary", "rows")
    ]
    assert documents[0]["id"] == documents[1]["id"]


class Killed(BaseException):
    """The process is gone: nothing after this runs but what the test calls."""


@pytest.mark.parametrize("moment", [0, 1, 2, 6, 7])
def test_killed_while_parts_are_merged(tmp_path, monkeypatch, moment):
    """At each deletion and each write of merging 4 parts; then read, then resumed."""
    keep(tmp_path / "at once", 410)
    folder = tmp_path / "run"
    with monkeypatch.context() as unmerged:
        unmerged.setattr(store_module.Store, "merge_parts", lambda store: None)
        keep(folder, 400)
    assert len(parts(folder)) == 4
    steps = 0

    def counted(step):
        def stepping(*words):
            nonlocal steps
            if steps == moment:
                raise Killed
            steps += 1
            return step(*words)

        return stepping

    with monkeypatch.context() as dying:
        for name in ("write_summary", "delete_part"):
            dying.setattr(summary_module, name, counted(getattr(summary_module, name)))
        with pytest.raises(Killed):
            merge_parts(folder, parts(folder), KEYS)
    check(folder, 400)
    keep(folder, 410)
    check(folder, 410)
    assert files(folder) == files(tmp_path / "at once")


def test_an_unfinished_file_of_a_killed_run_goes(tmp_path):
    keep(tmp_path, 250)
    left = tmp_path / "summary-000000000000-000000000400.parquet-1.tmp"
    left.write_bytes(b"PAR1")
    check_left = spans(tmp_path)
    keep(tmp_path, 260)
    assert not left.exists()
    assert check_left == [(0, 200), (200, 250)]
    check(tmp_path, 260)


def test_the_longer_counts_whatever_is_left_of_the_shorter(tmp_path):
    keep(tmp_path, 250)
    old = files(tmp_path)
    keep(tmp_path, 400)
    assert spans(tmp_path) == [(0, 400)]
    for name, held in old.items():
        (tmp_path / name).write_bytes(held)
    assert spans(tmp_path) == [(0, 400)]
    assert keep(tmp_path, 400) == 0
    assert len(files(tmp_path)) == 1


def test_a_file_that_lies_about_its_deals(tmp_path):
    keep(tmp_path, 100)
    (path,) = tmp_path.glob("*.parquet")
    path.rename(path.with_name(path.name.replace("100.", "101.")))
    with pytest.raises(StoreError, match="does not hold the deals that its name says"):
        parts(tmp_path)


def test_a_damaged_summary_is_not_merged(tmp_path):
    keep(tmp_path, 190)
    (path,) = sorted(tmp_path.glob("*.parquet"))[:1]
    held = bytearray(path.read_bytes())
    for place in range(20, len(held) // 4, 20):  # of columns that are null, too
        held[place] ^= 1
    path.write_bytes(held)
    with pytest.raises(StoreError, match=rf"{path.name} is truncated or damaged"):
        keep(tmp_path, 200)
    assert spans(tmp_path) == [(0, 100), (100, 200)]


def test_counts_that_do_not_add_up_are_refused(tmp_path):
    summary = summary_of(columns_of(rows_of(1, 99)))
    path = tmp_path / "summary-000000000000-000000000100.parquet"
    path.write_bytes(as_file(summary, Span(0, 100), KEYS))
    with pytest.raises(StoreError, match="truncated or damaged"):
        read_summary(Part(Span(0, 100), path))


def test_anybody_can_read_a_summary(tmp_path):
    """By a histogram's name, with nothing but Parquet; nulls are not told apart."""
    keep(tmp_path, 100)
    (path,) = tmp_path.glob("*.parquet")
    table = pq.read_table(path, filters=[("histogram", "=", "level")])
    assert table["deals"].to_numpy().sum() == 100
    assert table["trump"].null_count == table.num_rows
    levels = np.repeat(table["level"].to_numpy(), table["deals"].to_numpy())
    assert sorted(levels) == sorted(rows_of(1, 100)["level"])
