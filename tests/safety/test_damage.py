"""What befalls a run's folder is named in one sentence by every command that uses it.

Nothing good is deleted or overwritten on the way, and no number is printed that is not
that of the run.
"""

import errno
import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner, Result
from stand_in import Game, rows_of

from cli import cli
from sim import driver, places, store
from sim import task as sim_task
from sim.driver import play
from sim.schema import DEALS, MATCHES
from sim.seal import SEAL
from sim.store import Store, locked
from sim.task import make_task, match_task

SMALL = {
    "DEALS": DEALS._replace(part_size=100, group_size=40),
    "MATCHES": MATCHES._replace(part_size=8, group_size=4),
}
TASK, MATCH_TASK = make_task(policy="random"), match_task(policy="random")
NUMBER = {"deals": 250, "matches": 20}  # two full parts and a short one


@pytest.fixture(autouse=True)
def game(monkeypatch) -> Game:
    """Small parts; single deals are played by the stand-in."""
    for name, kind in SMALL.items():
        monkeypatch.setattr(sim_task, name, kind)
    game = Game()
    monkeypatch.setattr(driver, "compiled_player", lambda task: game)
    monkeypatch.setattr(driver, "compiled_mark", lambda task: Path(__file__))
    return game


@pytest.fixture(scope="module")
def whole(tmp_path_factory) -> dict[str, Path]:
    """A run of deals and one of matches, of which each test has a copy."""
    folders = {name: tmp_path_factory.mktemp(name) / "run" for name in NUMBER}
    with pytest.MonkeyPatch.context() as patch:
        for name, kind in SMALL.items():
            patch.setattr(sim_task, name, kind)
        play(TASK, folders["deals"], NUMBER["deals"], player=Game())
        play(MATCH_TASK, folders["matches"], NUMBER["matches"])
    return folders


def run_of(whole: dict[str, Path], what: str, folder: Path) -> Path:
    shutil.copytree(whole[what], folder)
    return folder


# Every command that reads a run, or goes on with it: its words, {} the folder's.
READING = {
    "run": ("deals", "run --policy random --threads 1 -n 250 -o {}"),
    "levels": ("deals", "levels {} --json"),
    "compare": ("deals", "compare {} --tables menghuan,bianfeng --json"),
    "bottom": ("deals", "bottom {} --json"),
    "matches": ("matches", "matches --policy random --threads 1 -n 20 -o {}"),
    "levels --matches": ("matches", "levels --matches {} --json"),
}
WRITING = {
    "run": ("deals", "run --policy random --threads 1 -n 450 -o {}"),
    "matches": ("matches", "matches --policy random --threads 1 -n 30 -o {}"),
    "check --repair": ("deals", "check --repair {}"),
}
reading = pytest.mark.parametrize(
    ("what", "words"), READING.values(), ids=list(READING)
)
writing = pytest.mark.parametrize(
    ("what", "words"), WRITING.values(), ids=list(WRITING)
)


def call(words: str, folder: Path) -> Result:
    return CliRunner().invoke(cli, words.format(folder).split())


def refused(result: Result, *parts: str) -> None:
    """Exit code 2, one sentence on stderr, nothing on stdout."""
    assert result.exit_code == 2, (result.output, result.exception)
    assert result.stdout == ""
    told = result.stderr.strip().splitlines()[-1]
    assert told.startswith("Error: ")
    for part in parts:
        assert part in told, told


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def parts(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.parquet"))


# --- parts --------------------------------------------------------------------------


def regions(path: Path) -> dict[str, range]:
    """The places of a file, by what stands there."""
    size = path.stat().st_size
    footer = size - pq.read_metadata(path).serialized_size - 8
    return {
        "magic": range(0, 4),
        "pages": range(4, footer - SEAL),
        "seal": range(footer - SEAL, footer),
        "footer": range(footer, size - 8),
        "length of the footer": range(size - 8, size - 4),
        "last magic": range(size - 4, size),
    }


@reading
def test_a_changed_bit_is_named_or_changes_nothing(whole, tmp_path, what, words):
    """In every region of every file. Pages that a command does not need it never
    reads, and prints what it printed before."""
    folder = run_of(whole, what, tmp_path / "run")
    before = call(words, folder)
    assert before.exit_code == 0, before.output
    chance = np.random.default_rng(11)
    named = set()
    for path in parts(folder)[::3]:
        data = path.read_bytes()
        for region, places_there in regions(path).items():
            for place in chance.choice(places_there, 1 + (region == "pages")):
                changed = bytearray(data)
                changed[place] ^= 1 << int(chance.integers(8))
                path.write_bytes(changed)
                result = call(words, folder)
                if result.exit_code == 0:
                    assert result.stdout == before.stdout, (region, place)
                    assert region in ("magic", "pages", "seal"), (region, place)
                else:
                    refused(result, str(path), "damaged")
                    named.add(region)
                assert path.read_bytes() == bytes(changed)
        path.write_bytes(data)
    assert {"footer", "length of the footer", "last magic"} <= named


@reading
def test_a_part_cut_off(whole, tmp_path, what, words):
    folder = run_of(whole, what, tmp_path / "run")
    path = parts(folder)[-1]
    data = path.read_bytes()
    for length in (0, 8, len(data) // 2, len(data) - 8, len(data) - 1):
        path.write_bytes(data[:length])
        before = contents(folder)
        refused(call(words, folder), str(path), "is truncated or damaged")
        assert contents(folder) == before


@reading
def test_a_foreign_part(whole, tmp_path, what, words):
    folder = run_of(whole, what, tmp_path / "run")
    path = folder / "mine.parquet"
    path.write_bytes(parts(folder)[0].read_bytes())
    before = contents(folder)
    refused(call(words, folder), str(path), "is not a part of this run")
    assert contents(folder) == before


@reading
def test_a_part_of_another_task(whole, tmp_path, what, words):
    folder = run_of(whole, what, tmp_path / "run")
    kind = SMALL[what.upper()]
    task = make_task(policy="random", seed=2)
    if what == "matches":
        task = match_task(policy="random", seed=2)
    with Store(tmp_path / "other", task).opened() as other:
        write_part(other, whole[what], kind)
    for path in parts(tmp_path / "other"):
        shutil.copy(path, folder)
    before = contents(folder)
    refused(call(words, folder), "belongs to another task; move it elsewhere")
    assert contents(folder) == before


def write_part(store: Store, like: Path, kind) -> None:
    """A part of a task with another's rows, as that has them first."""
    tables = []
    for table in kind.tables:
        rows = pq.read_table(min(like.glob(f"{table.prefix}-*.parquet")))
        tables.append({name: rows[name].to_numpy() for name in rows.column_names})
    part = store.part(0)
    part.write(tables, kind.part_size)
    part.finish()


@pytest.mark.parametrize("words", ["matches", "levels --matches"])
def test_a_foreign_file_without_its_other_half(whole, tmp_path, words):
    """It takes a name that the run wants; a run's own half is written anew."""
    folder = run_of(whole, "matches", tmp_path / "run")
    with Store(tmp_path / "other", match_task(policy="random", seed=2)).opened() as it:
        write_part(it, whole["matches"], SMALL["MATCHES"])
    deals, matches = parts(folder)[0], parts(folder)[3]
    own = deals.read_bytes()
    matches.unlink()
    assert call(READING["matches"][1], folder).exit_code == 0
    assert deals.read_bytes() == own
    matches.unlink()
    shutil.copy(parts(tmp_path / "other")[0], folder)
    before = contents(folder)
    refused(call(READING[words][1], folder), str(deals), "belongs to another task")
    assert contents(folder) == before


@reading
def test_what_others_put_there_is_left(whole, tmp_path, what, words):
    folder = run_of(whole, what, tmp_path / "run")
    for name in ("plot.png", "letter.tmp", "notes"):
        (folder / name).write_bytes(b"dear")
    before = contents(folder)
    result = call(words, folder)
    assert result.exit_code == 0, result.output
    assert contents(folder) == before


# --- the task -----------------------------------------------------------------------


def edited(folder: Path, **changes: object) -> None:
    document = json.loads((folder / "task.json").read_text("utf-8"))
    (folder / "task.json").write_text(json.dumps({**document, **changes}), "utf-8")


@reading
def test_no_task(whole, tmp_path, what, words):
    folder = run_of(whole, what, tmp_path / "run")
    (folder / "task.json").unlink()
    before = contents(folder)
    refused(call(words, folder), str(folder), "no task.json")
    assert contents(folder) == before


@reading
@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"format": "shengji-task/9"}, "'shengji-task/9'; this program reads"),
        ({"task": {"schema_version": 9}}, "columns of version 9; this program reads"),
        ({"id": "0" * 64}, "was edited"),
        ({"sessions": None}, "is not a task that shengji wrote"),
    ],
    ids=["format", "columns", "id", "sessions"],
)
def test_another_task_file(whole, tmp_path, what, words, changes, told):
    folder = run_of(whole, what, tmp_path / "run")
    edited(folder, **changes)
    before = contents(folder)
    refused(call(words, folder), str(folder / "task.json"), told)
    assert contents(folder) == before


# --- the folder ---------------------------------------------------------------------


def without_a_part(whole: dict[str, Path], what: str, folder: Path) -> Path:
    """A run that lacks its second part: there is something to be written."""
    run_of(whole, what, folder)
    for path in parts(folder):
        if "-000000000100-" in path.name or "-000000000008-" in path.name:
            path.unlink()
    return folder


@writing
def test_two_at_once(whole, tmp_path, what, words):
    pytest.importorskip("fcntl")
    folder = without_a_part(whole, what, tmp_path / "run")
    before = contents(folder)
    with locked(folder):
        refused(call(words, folder), f"another run is writing to {folder}")
    assert contents(folder) == before
    assert call(words, folder).exit_code == 0


def test_another_run_was_quicker(tmp_path, monkeypatch):
    """It made the folder its own after this one had looked, and ended at once."""
    folder = tmp_path / "run"
    other = make_task(policy="random", seed=2)
    enter = store.locked

    def quicker(place: Path):
        monkeypatch.setattr(store, "locked", enter)
        with Store(place, other).opened():
            pass
        return enter(place)

    monkeypatch.setattr(store, "locked", quicker)
    refused(call(WRITING["run"][1], folder), f"{folder} holds another task (seed 2")
    task = json.loads((folder / "task.json").read_text("utf-8"))
    assert task["id"] == other.id()
    assert list(contents(folder)) == ["task.json"]


@writing
@pytest.mark.parametrize("file", [1, 2])
def test_a_full_disk(whole, tmp_path, monkeypatch, what, words, file):
    """When the first file, and when the second, is to be on the disk."""
    folder = without_a_part(whole, what, tmp_path / "run")
    before, calls = contents(folder), []

    def full(draft: places.Draft) -> None:
        calls.append(draft)
        if len(calls) == file:
            raise OSError(errno.ENOSPC, "No space left on device")
        close(draft)

    close = places.Draft.close
    monkeypatch.setattr(places.Draft, "close", full)
    refused(call(words, folder), f"no room on the disk to write in {folder}")
    now = contents(folder)
    assert {name: now[name] for name in before} == before
    assert not list(folder.glob("*.tmp"))
    monkeypatch.setattr(places.Draft, "close", close)
    assert call(words, folder).exit_code == 0
    assert CliRunner().invoke(cli, ["check", str(folder)]).exit_code == 0


@contextmanager
def unwritable(folder: Path) -> Iterator[None]:
    """A folder that is only there to be read; for root, too, where that can be had."""
    if os.geteuid() != 0:
        folder.chmod(0o555)
        try:
            yield
        finally:
            folder.chmod(0o755)
        return
    bind = ["mount", "--bind", str(folder), str(folder)]
    if subprocess.run(bind, capture_output=True).returncode != 0:
        pytest.skip("root may write anywhere, and cannot mount here")
    try:
        subprocess.run(["mount", "-o", "remount,bind,ro", str(folder)], check=True)
        yield
    finally:
        subprocess.run(["umount", str(folder)], check=True)


@pytest.mark.skipif(os.name == "nt", reason="rights of Unix")
@writing
def test_a_folder_that_cannot_be_written(whole, tmp_path, what, words):
    folder = without_a_part(whole, what, tmp_path / "run")
    before = contents(folder)
    with unwritable(folder):
        refused(call(words, folder), str(folder))
        assert contents(folder) == before


@pytest.mark.skipif(os.name == "nt", reason="rights of Unix")
@reading
def test_a_folder_that_cannot_be_written_is_read(whole, tmp_path, what, words):
    folder = run_of(whole, what, tmp_path / "run")
    before = call(words, folder).stdout
    with unwritable(folder):
        result = call(words, folder)
        assert result.exit_code == 0, result.output
        assert result.stdout == before
        checked = CliRunner().invoke(cli, ["check", str(folder)])
        assert checked.exit_code == 0, checked.output


@pytest.mark.skipif(os.name == "nt", reason="a folder in use stays on Windows")
@pytest.mark.parametrize("new", [False, True], ids=["there before", "made for it"])
def test_a_folder_removed_while_a_run_goes(whole, tmp_path, monkeypatch, new):
    folder = tmp_path / "run"
    if not new:
        run_of(whole, "deals", folder)

    def remove(start: int, rows: np.ndarray) -> None:
        if start >= 300 and folder.exists():
            # At once: while it goes file by file, a part may be missed first.
            shutil.rmtree(folder.rename(tmp_path / "removed"))
        rows[:] = rows_of(1, start + len(rows))[start:]

    monkeypatch.setattr(driver, "compiled_player", lambda task: remove)
    result = call("run --policy random --threads 1 -n 900 -o {}", folder)
    refused(result, f"{folder} was removed")
    assert not folder.exists()


@pytest.mark.parametrize("words", [words for _, words in READING.values()])
def test_a_file_in_place_of_the_folder(tmp_path, words):
    path = tmp_path / "run"
    path.write_text("dear")
    result = call(words, path)
    assert result.exit_code == 2
    assert str(path) in result.stderr
    assert path.read_text() == "dear"
