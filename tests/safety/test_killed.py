"""kill -9 at any moment: after resuming, the rows are those of an uninterrupted run.

None is doubled, missing or left over, whatever was being done when the run was killed.
"""

import json
import os
import random
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from itertools import pairwise
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from stand_in import rows_of

import cli as cli_module

ROOT = Path(cli_module.__file__).resolve().parent
HERE = Path(__file__).parent

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="forks processes")

# Of whole runs here: three full parts and a short one; several blocks a part.
DEALS = {"wanted": 350}
MATCHES = {"wanted": 14, "matches": True, "part_size": 4, "block": 3}
SUMMARIES = {"wanted": 430, "keep": "summary"}  # parts of 100, merged by twos
SHORTER = {350: 130, 14: 6, 430: 230}  # what is there before, where a run is extended

Ask = Callable[..., dict]


def asking(*words: str) -> Iterator[Ask]:
    """Runs are asked of a process that forks for each."""
    path = os.pathsep.join(map(str, (ROOT, ROOT / "tests")))
    process = subprocess.Popen(
        [sys.executable, str(HERE / "forked_runs.py"), *words],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": path},
    )

    def ask(folder: Path, **order: object) -> dict:
        line = json.dumps({"folder": str(folder), **order})
        print(line, file=process.stdin, flush=True)
        return json.loads(process.stdout.readline())

    yield ask
    process.communicate(timeout=60)


@pytest.fixture(scope="module")
def deals() -> Iterator[Ask]:
    yield from asking()


@pytest.fixture(scope="module")
def matches() -> Iterator[Ask]:
    yield from asking("matches")


@pytest.fixture(scope="module")
def summaries() -> Iterator[Ask]:
    yield from asking("summaries")


@pytest.fixture(scope="module")
def whole_summaries(summaries, tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("summaries") / "run"
    assert summaries(folder, **SUMMARIES)["code"] == 0
    names = sorted(path.name for path in folder.glob("*.parquet"))
    assert names == [
        "summary-000000000000-000000000400.parquet",
        "summary-000000000400-000000000430.parquet",
    ]
    return folder


@pytest.fixture(scope="module")
def whole_deals(deals, tmp_path_factory) -> Path:
    """An uninterrupted run."""
    folder = tmp_path_factory.mktemp("deals") / "run"
    assert deals(folder, **DEALS)["code"] == 0
    table, want = rows(folder, "part"), rows_of(1, 350)
    assert table.num_rows == 350
    assert all(
        table[name].to_numpy().tolist() == want[name].tolist()
        for name in want.dtype.names
    )
    return folder


@pytest.fixture(scope="module")
def whole_matches(matches, tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("matches") / "run"
    assert matches(folder, **MATCHES)["code"] == 0
    return folder


def rows(folder: Path, prefix: str) -> pa.Table:
    paths = sorted(folder.glob(f"{prefix}-*.parquet"))
    return pa.concat_tables(map(pq.read_table, paths))


def same(folder: Path, whole: Path) -> None:
    """A folder holds what an uninterrupted run's holds, and nothing else."""
    names = sorted(path.name for path in whole.iterdir())
    assert sorted(path.name for path in folder.iterdir()) == names
    for name in names:
        if name != "task.json":
            assert (folder / name).read_bytes() == (whole / name).read_bytes(), name
    told, want = (
        json.loads((place / "task.json").read_text("utf-8"))
        for place in (folder, whole)
    )
    for document in (told, want):
        document.pop("sessions")
    assert told == want


def resumed(ask: Ask, folder: Path, whole: Path, order: dict) -> None:
    """The same command once more: now the folder is as if it had never been killed."""
    assert ask(folder, **order)["code"] == 0
    same(folder, whole)


# --- at every line ------------------------------------------------------------------


def lines_of(ask: Ask, folder: Path, order: dict) -> int:
    """How many lines of the store an uninterrupted run executes."""
    told = ask(folder, **order, line=0)
    assert told["code"] == 0
    return told["lines"]


def extended(ask: Ask, folder: Path, order: dict) -> None:
    """The beginning of a run, which another order is to extend."""
    first = {**order, "wanted": SHORTER[order["wanted"]]}
    assert ask(folder, **first)["code"] == 0


def killed_at_lines(
    ask: Ask, folder: Path, whole: Path, order: dict, lines: Iterable[int], extend: bool
) -> None:
    for number in lines:
        run = folder / f"at-{number}"
        if extend:
            extended(ask, run, order)
        told = ask(run, **order, line=number)
        assert told["killed"] or told["code"] == 0, number
        resumed(ask, run, whole, order)


def spread(last: int, points: int, seed: int) -> list[int]:
    """Some numbers from 1 to `last`, one in each of as many stretches."""
    chance = random.Random(seed)
    cuts = [1 + last * number // points for number in range(points + 1)]
    return [chance.randrange(*stretch) for stretch in pairwise(cuts)]


EXTENDING = pytest.mark.parametrize("extend", [False, True], ids=["new", "extending"])


@EXTENDING
def test_killed_at_some_lines(deals, whole_deals, tmp_path, extend):
    last = lines_of(deals, tmp_path / "count", DEALS)
    lines = spread(last, 14, 1)
    killed_at_lines(deals, tmp_path, whole_deals, DEALS, lines, extend)


@EXTENDING
def test_matches_killed_at_some_lines(matches, whole_matches, tmp_path, extend):
    last = lines_of(matches, tmp_path / "count", MATCHES)
    lines = spread(last, 8, 2)
    killed_at_lines(matches, tmp_path, whole_matches, MATCHES, lines, extend)


@EXTENDING
def test_summaries_killed_at_some_lines(summaries, whole_summaries, tmp_path, extend):
    last = lines_of(summaries, tmp_path / "count", SUMMARIES)
    lines = spread(last, 4, 5)
    killed_at_lines(summaries, tmp_path, whole_summaries, SUMMARIES, lines, extend)


@pytest.mark.slow
@EXTENDING
def test_killed_at_every_line(deals, whole_deals, tmp_path, extend):
    last = lines_of(deals, tmp_path / "count", DEALS)
    lines = range(1, last + 20)
    killed_at_lines(deals, tmp_path, whole_deals, DEALS, lines, extend)


@pytest.mark.slow
@EXTENDING
def test_matches_killed_at_every_line(matches, whole_matches, tmp_path, extend):
    last = lines_of(matches, tmp_path / "count", MATCHES)
    lines = range(1, last + 20)
    killed_at_lines(matches, tmp_path, whole_matches, MATCHES, lines, extend)


@pytest.mark.slow
@EXTENDING
def test_summaries_killed_at_every_line(summaries, whole_summaries, tmp_path, extend):
    last = lines_of(summaries, tmp_path / "count", SUMMARIES)
    lines = range(1, last + 20)
    killed_at_lines(summaries, tmp_path, whole_summaries, SUMMARIES, lines, extend)


# --- at random moments --------------------------------------------------------------


def killed_at_moments(
    ask: Ask, folder: Path, whole: Path, order: dict, moments: int, seconds: float
) -> None:
    """Killed at so many moments, some of them while an earlier end is made good."""
    chance = random.Random(3)
    ends, runs = 0, 0
    while ends < moments:
        run = folder / str(runs := runs + 1)
        while ask(run, **order, after=chance.uniform(0, seconds))["killed"]:
            ends += 1
            if ends % 5 == 0:
                break
        resumed(ask, run, whole, order)


SLOW_DEALS = {**DEALS, "seconds": 0.002}


def test_killed_at_some_moments(deals, whole_deals, tmp_path):
    killed_at_moments(deals, tmp_path, whole_deals, SLOW_DEALS, 5, 0.1)


@pytest.mark.slow
def test_killed_at_many_moments(deals, whole_deals, tmp_path):
    killed_at_moments(deals, tmp_path, whole_deals, SLOW_DEALS, 50, 0.1)


@pytest.mark.slow
def test_matches_killed_at_many_moments(matches, whole_matches, tmp_path):
    killed_at_moments(matches, tmp_path, whole_matches, MATCHES, 50, 0.05)


# --- at the points that matter most -------------------------------------------------

# The n-th call of a function, and whether the run ends before it or after it. What is
# published first is task.json, then each part, and task.json again after it.
PUBLISH, WRITE = "sim.places:Draft.publish", "sim.part_files:FileWriter.write"
POINTS = {
    "the folder is made, and empty": (PUBLISH, 1, "before"),
    "a part is being written": (WRITE, 6, "before"),
    "a part is complete, not yet renamed": (PUBLISH, 4, "before"),
    "a part is renamed, task.json is not yet told": (PUBLISH, 4, "after"),
    "task.json is being written": ("sim.places:Draft.close", 5, "before"),
    "task.json is complete, not yet renamed": (PUBLISH, 5, "before"),
    "task.json is renamed": (PUBLISH, 5, "after"),
    "the last part is renamed": (PUBLISH, 8, "after"),
}
# Of matches, a part is two files.
MATCH_POINTS = {
    "one of two files is complete": ("sim.places:Draft.close", 5, "after"),
    "both files are complete": (PUBLISH, 5, "before"),
    "between the two files of a part": (PUBLISH, 5, "after"),
    "both files are there, task.json is not yet told": (PUBLISH, 6, "after"),
    "the last part's first file is there": (PUBLISH, 11, "after"),
}
# An extended run makes its short last part longer, and then removes the short one.
DELETE = "sim.part_files:delete_part"
EXTENDING_POINTS = {
    "the short part is being read": ("sim.part_files:stored_rows", 1, "after"),
    "the longer part is complete, not yet renamed": (PUBLISH, 1, "before"),
    "the longer part is there, and the short one": (DELETE, 1, "before"),
    "the short one is gone, task.json is not yet told": (DELETE, 1, "after"),
}
EXTENDED_MATCH_POINTS = {
    "between the two files of the longer part": (PUBLISH, 1, "after"),
    "the longer part is there, and the short one": (DELETE, 1, "before"),
    "one of the short one's two files is gone": ("pathlib:Path.unlink", 1, "after"),
    "the short one is gone": (DELETE, 1, "after"),
}

# Summaries: 0-100, 100-200, and those merged; 200-300, 300-400, those merged; and both.
MERGE, GONE = "sim.summary:write_summary", "sim.summary:delete_part"
SUMMARY_POINTS = {
    "a part's summary is not yet there": (MERGE, 1, "before"),
    "a merged summary is being added up": (MERGE, 3, "before"),
    "a merged summary is there, and both that it stands for": (MERGE, 3, "after"),
    "one of the two is gone": (GONE, 1, "after"),
    "both are gone": (GONE, 2, "after"),
    "a summary of summaries is there, and those": (MERGE, 7, "after"),
    "one of those is gone": (GONE, 5, "after"),
    "all is merged, task.json is not yet told": (
        "sim.store:Store.merge_parts",
        4,
        "after",
    ),
}


def killed_at_point(
    ask: Ask, run: Path, whole: Path, order: dict, point: tuple, extend: bool = False
) -> None:
    if extend:
        extended(ask, run, order)
    told = ask(run, **order, call=point)
    assert told["killed"], "the point was never reached"
    resumed(ask, run, whole, order)


def named(points: dict) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("point", points.values(), ids=points)


@named(POINTS)
def test_killed_when(deals, whole_deals, tmp_path, point):
    killed_at_point(deals, tmp_path / "run", whole_deals, DEALS, point)


@named(MATCH_POINTS)
def test_matches_killed_when(matches, whole_matches, tmp_path, point):
    killed_at_point(matches, tmp_path / "run", whole_matches, MATCHES, point)


@named(EXTENDING_POINTS)
def test_killed_while_extended_when(deals, whole_deals, tmp_path, point):
    killed_at_point(deals, tmp_path / "run", whole_deals, DEALS, point, extend=True)


@named(EXTENDED_MATCH_POINTS)
def test_matches_killed_while_extended_when(matches, whole_matches, tmp_path, point):
    killed_at_point(matches, tmp_path / "run", whole_matches, MATCHES, point, True)


@named(SUMMARY_POINTS)
def test_summaries_killed_when(summaries, whole_summaries, tmp_path, point):
    killed_at_point(summaries, tmp_path / "run", whole_summaries, SUMMARIES, point)


# --- while it is repaired -----------------------------------------------------------


def damage(folder: Path, whole: Path) -> None:
    """Something of each kind that is made good."""
    shutil.copytree(whole, folder)
    (folder / "task.json").unlink()
    first, second, third, _ = sorted(folder.glob("part-*.parquet"))
    first.rename(folder / "part-000000000900-000000001000.parquet")
    second.write_bytes(second.read_bytes()[:-10])
    third.unlink()
    (folder / "part-000000000100-ab.parquet.tmp").write_bytes(b"half")


def test_killed_while_it_is_repaired(deals, whole_deals, tmp_path):
    """And once more, and then not."""
    damage(tmp_path / "count", whole_deals)
    last = deals(tmp_path / "count", **DEALS, repair=True, line=0)["lines"]
    same(tmp_path / "count", whole_deals)
    for first, second in paired(spread(last, 12, 4)):
        folder = tmp_path / f"at-{first}"
        damage(folder, whole_deals)
        for line in (first, second):
            told = deals(folder, **DEALS, repair=True, line=line)
            assert told["killed"] or told["code"] == 0
        assert deals(folder, **DEALS, repair=True)["code"] == 0
        same(folder, whole_deals)


def paired(numbers: list[int]) -> Iterable[tuple[int, int]]:
    """The early ones with the late ones: 1, 2, 3, 4 as (1, 3), (2, 4)."""
    half = len(numbers) // 2
    return zip(numbers[:half], numbers[half:], strict=True)
