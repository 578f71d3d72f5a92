"""Same rows whatever the threads, blocks and interruptions; nothing played twice."""

import io
import json
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from stand_in import Game, rows_of

from sim import driver, store
from sim import task as sim_task
from sim.driver import play
from sim.progress import ProgressLine, duration
from sim.schema import DEALS
from sim.store import Span, Store, StoreError
from sim.task import make_task

TASK = make_task(policy="random")
ROOT = Path(driver.__file__).resolve().parent.parent


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "run"


@pytest.fixture
def small_parts(monkeypatch):
    small = DEALS._replace(part_size=1000, group_size=400)
    monkeypatch.setattr(sim_task, "DEALS", small)


def saved(folder: Path) -> pa.Table:
    return pa.concat_tables(
        pq.read_table(path) for path in sorted(folder.glob("*.parquet"))
    )


def check(folder: Path, deals: int) -> None:
    """The folder holds exactly the task's first deals."""
    table, want = saved(folder), rows_of(1, deals)
    assert table.num_rows == deals
    for name in table.column_names:
        assert np.array_equal(table[name].to_numpy(), want[name]), name
    assert not list(folder.glob("*.tmp"))


def spans(folder: Path) -> list[Span]:
    return Store(folder, TASK).spans()


@pytest.mark.usefixtures("small_parts")
@pytest.mark.parametrize("threads", [1, 2, 5])
@pytest.mark.parametrize("block", [1, 7, 300, 1000, 50_000])
def test_same_rows(folder, threads, block):
    deals = 1234 if block == 1 else 3456
    played = play(TASK, folder, deals, threads=threads, block=block, player=Game())
    assert played.deals == deals
    check(folder, deals)
    assert len(spans(folder)) == -(-deals // 1000)


@pytest.mark.usefixtures("small_parts")
def test_repeating_does_nothing_and_a_larger_n_extends(folder):
    play(TASK, folder, 1500, player=Game())
    again = Game()
    assert play(TASK, folder, 1500, player=again).deals == 0
    assert play(TASK, folder, 700, player=again).deals == 0
    assert again.asked == []
    assert play(TASK, folder, 2500, player=again, block=600).deals == 1000
    assert again.asked == [(1500, 500), (2000, 500)]
    check(folder, 2500)
    assert spans(folder) == [Span(0, 1000), Span(1000, 2000), Span(2000, 2500)]


@pytest.mark.usefixtures("small_parts")
def test_files_do_not_tell_how_often_a_run_was_extended(folder, tmp_path):
    play(TASK, folder, 2345, player=Game())
    for wanted, block in ((10, 3), (999, 100), (1001, 77), (1500, 300), (2345, 1)):
        play(TASK, tmp_path / "b", wanted, threads=2, block=block, player=Game())
        check(tmp_path / "b", wanted)
    files = [sorted(it.glob("*.parquet")) for it in (folder, tmp_path / "b")]
    for one, other in zip(*files, strict=True):
        assert one.name == other.name
        assert one.read_bytes() == other.read_bytes()


@pytest.mark.usefixtures("small_parts")
def test_a_lost_part_is_played_again(folder):
    play(TASK, folder, 3000, player=Game())
    (folder / store.part_name(Span(1000, 2000))).unlink()
    game = Game()
    assert play(TASK, folder, 3000, player=game, block=1000).deals == 1000
    assert game.asked == [(1000, 1000)]
    check(folder, 3000)
    assert json.loads((folder / "task.json").read_text())["deals"] == 3000


@pytest.mark.usefixtures("small_parts")
def test_a_failing_game_leaves_whole_parts_only(folder):
    with pytest.raises(RuntimeError, match="asked to fail"):
        play(TASK, folder, 3000, block=100, player=Game(fail_at=1550))
    assert spans(folder) == [Span(0, 1000)]
    check(folder, 1000)
    play(TASK, folder, 3000, player=Game())
    check(folder, 3000)


def test_a_folder_that_was_made_for_nothing_goes_again(folder):
    with pytest.raises(RuntimeError, match="asked to fail"):
        play(TASK, folder, 100, player=Game(fail_at=0))
    assert not folder.exists()
    folder.mkdir()  # made by somebody else: it stays
    with pytest.raises(RuntimeError, match="asked to fail"):
        play(TASK, folder, 100, player=Game(fail_at=0))
    assert (folder / "task.json").exists()
    play(TASK, folder, 100, player=Game())
    check(folder, 100)


@pytest.mark.usefixtures("small_parts")
def test_a_full_disk(folder, monkeypatch):
    fsync, calls = os.fsync, []

    def refuse_the_second_part(handle):
        calls.append(handle)
        if len(calls) == 4:  # after task.json, the first part, task.json again
            raise OSError(28, "No space left on device")
        fsync(handle)

    monkeypatch.setattr(os, "fsync", refuse_the_second_part)
    with pytest.raises(StoreError, match="no room on the disk"):
        play(TASK, folder, 3000, player=Game())
    check(folder, 1000)
    play(TASK, folder, 3000, player=Game())
    check(folder, 3000)


def test_memory_is_bounded(folder, monkeypatch):
    """The game never runs far ahead of the writing."""
    game, ahead = Game(), []
    write = store.PartWriter.write

    def slow_write(self, tables, units):
        time.sleep(0.002)
        write(self, tables, units)
        ahead.append(len(game.asked) * 10 - self.span.stop)

    monkeypatch.setattr(store.PartWriter, "write", slow_write)
    play(TASK, folder, 1000, threads=2, block=10, player=game)
    assert max(ahead) <= 10 * 6


def test_task_json_says_how_it_came_about(folder):
    play(TASK, folder, 10, player=Game(), threads=2)
    play(TASK, folder, 30, player=Game())
    document = json.loads((folder / "task.json").read_text("utf-8"))
    assert document["id"] == TASK.id()
    assert document["task"] == TASK.to_dict()
    assert document["deals"] == 30
    first, second = document["sessions"]
    assert (first["deals"], first["threads"]) == (10, 2)
    assert (second["deals"], second["threads"]) == (20, 1)
    for key in ("started", "seconds", "python", "numba", "numpy", "platform", "cpu"):
        assert first[key] is not None, key


def test_another_task_is_refused_before_anything_is_played(folder):
    play(TASK, folder, 10, player=Game())
    game = Game(seed=2)
    with pytest.raises(StoreError, match="seed 1 there, 2 here"):
        play(make_task(policy="random", seed=2), folder, 10, player=game)
    assert game.asked == []
    check(folder, 10)


def test_it_also_plays_outside_the_main_thread(folder):
    thread = threading.Thread(
        target=play, args=(TASK, folder, 100), kwargs={"player": Game()}
    )
    thread.start()
    thread.join()
    check(folder, 100)


PLAY_SLOWLY = """
import sys
from pathlib import Path
from stand_in import Game
from sim.driver import play
from sim.progress import ProgressLine
from sim.task import make_task

class Told(ProgressLine):
    def played(self, deals, of, seconds, unit):
        print(deals, flush=True)

try:
    play(
        make_task(policy="random"), Path(sys.argv[1]), 1_000_000, block=100, threads=2,
        player=Game(seconds=0.02), progress=Told(sys.stderr),
    )
except KeyboardInterrupt:
    sys.exit(130)
"""


def start_slow_run(folder: Path) -> subprocess.Popen:
    path = os.pathsep.join([str(ROOT), str(ROOT / "tests")])
    process = subprocess.Popen(
        [sys.executable, "-c", PLAY_SLOWLY, str(folder)],
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": path},
        text=True,
    )
    for _ in range(5):
        assert process.stdout.readline()
    return process


@pytest.mark.skipif(os.name == "nt", reason="signals of Unix")
def test_interrupted_and_resumed(folder):
    process = start_slow_run(folder)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=30)
    assert process.returncode == 130
    (span,) = spans(folder)
    assert span.start == 0
    assert 500 <= span.stop < 1_000_000
    check(folder, span.stop)
    game = Game()
    play(TASK, folder, span.stop + 250, player=game)
    assert game.asked == [(span.stop, 250)]
    check(folder, span.stop + 250)


@pytest.mark.skipif(os.name == "nt", reason="signals of Unix")
def test_killed_and_resumed(folder):
    process = start_slow_run(folder)
    process.kill()
    process.communicate(timeout=30)
    assert list(folder.glob("*.tmp"))
    assert spans(folder) == []
    play(TASK, folder, 250, player=Game())
    check(folder, 250)


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_progress_on_a_terminal_rewrites_one_line():
    stream = Terminal()
    line = ProgressLine(stream)
    line.compiling(3.2)
    line.told -= 1
    line.played(250_000, 1_000_000, 1.0)
    line.played(260_000, 1_000_000, 1.0)  # too soon to be shown
    line.played(1_000_000, 1_000_000, 4.0)
    line.close()
    shown = [text.rstrip() for text in stream.getvalue().split("\r")]
    assert shown == [
        "",
        "compiling the game, once only (10 to 20 s): 3 s",
        "250,000 of 1,000,000 deals (25%), 250,000 deals/s, 3 s left",
        "1,000,000 of 1,000,000 deals (100%), 250,000 deals/s, 0 s left",
    ]
    assert stream.getvalue().endswith("\n")
    assert stream.getvalue().count("\n") == 1


def test_progress_in_a_log_is_a_line_now_and_then():
    stream = io.StringIO()
    line = ProgressLine(stream)
    for second in range(8):
        line.compiling(second)
    for deals in range(1, 101):
        line.played(deals, 100, 1.0)
    line.told -= 6
    line.played(50, 100, 10.0)
    line.close()
    assert stream.getvalue().splitlines() == [
        "compiling the game, once only (10 to 20 s): 0 s",
        "compiling the game, once only (10 to 20 s): 5 s",
        "50 of 100 deals (50%), 5 deals/s, 10 s left",
    ]


def test_progress_that_cannot_be_written_is_dropped():
    class Full(Terminal):
        def write(self, text):
            raise OSError(28, "No space left on device")

    line = ProgressLine(Full())
    line.compiling(1.0)
    line.told -= 1
    line.played(1, 2, 1.0)
    line.close()


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0.4, "0 s"),
        (59.4, "59 s"),
        (200, "3 min 20 s"),
        (7500, "2 h 5 min"),
        (86_400, "1 day 0 h"),
        (200_000, "2 days 7 h"),
        (72_905_580, "843 days"),
    ],
)
def test_duration(seconds, words):
    assert duration(seconds) == words
