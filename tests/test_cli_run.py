"""`shengji run` and the command line's manners: what it prints, where, how it ends."""

import json
import os
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner
from stand_in import Game

import cli as cli_module
from cli import cli
from sim import driver
from sim.schema import COLUMNS, MATCH_COLUMNS, STEP_COLUMNS
from sim.store import StoreError

ROOT = Path(cli_module.__file__).resolve().parent
QUICK = ("--policy", "random", "--threads", "1")


@pytest.fixture
def game(monkeypatch):
    """The stand-in in place of the compiled game; `run` as if it was compiled."""
    game = Game()
    monkeypatch.setattr(driver, "compiled_player", lambda task: game)
    monkeypatch.setattr(driver, "compiled_mark", lambda task: Path(__file__))
    return game


def call(*words: object):
    return CliRunner().invoke(cli, [str(word) for word in words])


def start(*words: object, env: dict | None = None, **how) -> subprocess.Popen:
    """The command itself, in a process of its own."""
    return subprocess.Popen(
        [sys.executable, str(ROOT / "cli.py"), *map(str, words)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONIOENCODING": "utf-8", **(env or {})},
        **how,
    )


def refused(result, *parts: str) -> None:
    """Exit code 2, one sentence on stderr, nothing on stdout."""
    assert result.exit_code == 2, result.output
    assert result.stdout == ""
    told = result.stderr.strip().splitlines()[-1]
    assert told.startswith("Error: ")
    for part in parts:
        assert part in told


def test_columns():
    *lines, words = call("columns").stdout.splitlines()
    assert words == "LJ and BJ: the little and the big joker."
    kinds = (COLUMNS, STEP_COLUMNS, MATCH_COLUMNS)
    told = [line.split()[0] for line in lines if line]
    wanted = [column.name for columns in kinds for column in columns]
    assert [name for name in told if name not in ("A", "More", "column")] == wanted
    assert told.count("column") == len(kinds)
    lists = json.loads(call("columns", "--json").stdout)
    names = [[row["name"] for row in rows] for rows in lists.values()]
    assert names == [[column.name for column in columns] for columns in kinds]


def test_version():
    assert call("--version").stdout.startswith("shengji ")


def test_a_run_prints_the_distribution_and_repeats_quietly(game, tmp_path):
    first = call("run", *QUICK, "-n", "1_000", "-o", tmp_path / "a")
    assert first.exit_code == 0, first.output
    assert "1,000 deals" in first.stdout
    assert "take over" in first.stdout
    assert "1,000 deals played in" in first.stderr
    played = len(game.asked)
    again = call("run", *QUICK, "-n", "1000", "-o", tmp_path / "a")
    assert again.stdout == first.stdout
    assert "Nothing to play" in again.stderr
    assert len(game.asked) == played


@pytest.mark.usefixtures("game")
def test_the_default_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    result = call("run", *QUICK, "-n", "10", "--seed", "7", "--level", "all")
    assert result.exit_code == 0, result.output
    folder = Path("results") / "menghuan-all-random-seed7"
    assert str(folder) in result.stderr
    assert json.loads((folder / "task.json").read_text("utf-8"))["deals"] == 10


@pytest.mark.usefixtures("game")
@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("-n", "0"), ("'-n'", "'0' is not a whole number from 1 to 999,999,999,999")),
        (("-n", "1000000000000"), ("'-n'", "from 1 to 999,999,999,999")),
        (("-n", "99999999999999"), ("'-n'", "from 1 to 999,999,999,999")),
        (("-n", "-5"), ("'-n'",)),
        (("-n", "many"), ("'-n'", "'many' is not a whole number", "1_000_000")),
        (("--level", "1"), ("unknown level '1'", "2..10, J, Q, K, A, joker, all")),
        (("--level", "joker", "--first-deal"), ("joker level",)),
        (("--policy", "textbok"), ("'textbok'", "textbook", "random")),
        (("--policy", "random,random,random"), ("names 3 policies",)),
        (("--policy", "nowhere.toml"), ("nowhere.toml", "cannot be read")),
        (("mengham",), ("'mengham'", 'did you mean "menghuan"?')),
        (("nowhere.toml",), ("nowhere.toml", "cannot be read")),
        (("--decks", "3"), ("menghuan is played with 2 decks, not 3",)),
        (("--decks", "5"), ("'--decks'",)),
        (("--seed", "-1"), ("'--seed'",)),
        (("--seed", 2**64), ("'--seed'",)),
        (("--threads", "0"), ("'--threads'",)),
        (("--threads", "257"), ("'--threads'", "'257'", "from 1 to 256")),
        (("--nonsense",), ("--nonsense",)),
    ],
    ids=str,
)
def test_bad_words_are_refused_and_leave_nothing(words, told, tmp_path):
    refused(call("run", "-n", 10, "-o", tmp_path / "a", *words), *told)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('base = "menghuan"\nthrow_folow = "suit"\n', "throw_folow"),
        ('base = "menghuan"\nthrow_follow = "sut"\n', '"sut"'),
        ("base = ", "not TOML"),
        (
            'base = "menghuan"\n'
            'level_table = [[0, "declarers", 1], [42, "attackers", 0]]\n',
            "42",
        ),
    ],
)
@pytest.mark.usefixtures("game")
def test_a_bad_variant_file(text, told, tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text(text)
    refused(call("run", path, "-n", 10, "-o", tmp_path / "a"), "mine.toml", told)
    assert not (tmp_path / "a").exists()


@pytest.mark.usefixtures("game")
def test_bad_folders(tmp_path):
    folder = tmp_path / "a"
    command = ("run", *QUICK, "-n", 100, "-o", folder)
    assert call(*command).exit_code == 0
    refused(call(*command, "--seed", 2), "holds another task", "seed 1 there, 2 here")
    refused(call(*command, "--level", "A"), "level 2 there, 14 here")
    (path,) = folder.glob("*.parquet")
    whole = path.read_bytes()
    path.write_bytes(whole[:-10])
    refused(call(*command), path.name, "is truncated or damaged; delete it")
    path.write_bytes(whole)
    assert call(*command).exit_code == 0
    (folder / "more.parquet").write_bytes(whole)
    refused(call(*command), "more.parquet is not a part of this run")
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "mine.txt").write_text("dear")
    refused(call("run", *QUICK, "-n", 1, "-o", tmp_path / "b"), "is not empty")


def test_a_mistake_in_the_program_shows_itself(tmp_path, monkeypatch):
    def wrong(task):
        raise ValueError("a mistake")

    monkeypatch.setattr(driver, "compiled_player", wrong)
    result = call("run", *QUICK, "-n", 10, "-o", tmp_path / "a")
    assert type(result.exception) is ValueError


def test_an_error_of_ours_becomes_a_sentence(tmp_path, monkeypatch):
    def full(task):
        raise StoreError("no room on the disk")

    monkeypatch.setattr(driver, "compiled_player", full)
    refused(call("run", *QUICK, "-n", 10, "-o", tmp_path / "a"), "no room")


def test_a_full_disk_anywhere_becomes_a_sentence(tmp_path, monkeypatch):
    def full(task):
        raise OSError(28, "No space left on device", "some/file")

    monkeypatch.setattr(driver, "compiled_player", full)
    refused(
        call("run", *QUICK, "-n", 10, "-o", tmp_path / "a"), "disk is full", "some/file"
    )


# --- with the compiled game ---------------------------------------------------------


def test_the_compiled_game(tmp_path):
    """Threads, blocks and a stop on the way do not change a row, or a byte printed."""
    told = []
    for name, threads in (("one", 1), ("two", 2)):
        result = call(
            *("run", "--policy", "random", "--threads", threads, "--level", "all"),
            *("-n", 3000, "-o", tmp_path / name),
        )
        assert result.exit_code == 0, result.output
        told.append(result.stdout)
    assert told[0] == told[1]
    one, two = (
        pq.read_table(next((tmp_path / name).glob("*.parquet")))
        for name in ("one", "two")
    )
    assert one.equals(two)
    assert one["level"].to_pylist() == [2 + index % 13 for index in range(3000)]


def test_bytes_a_deal(tmp_path):
    deals = 50_000
    call("run", *QUICK, "--level", "all", "-n", deals, "-o", tmp_path / "a")
    (path,) = (tmp_path / "a").glob("*.parquet")
    assert path.stat().st_size / deals <= 14


@pytest.mark.skipif(os.name == "nt", reason="signals of Unix")
def test_ctrl_c_saves_and_says_how_to_go_on(tmp_path):
    folder = tmp_path / "a"
    # Compiled before, so that the signal comes while deals are played.
    call("run", *QUICK, "-n", 1, "-o", tmp_path / "warm")
    process = start("run", *QUICK, "-n", 100_000_000, "-o", folder)
    deadline = time.monotonic() + 60
    while not list(folder.glob("part-*.tmp")) and time.monotonic() < deadline:
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130, err
    assert out == ""
    assert "Interrupted" in err
    assert "repeat the same command" in err
    assert "Traceback" not in err
    saved = json.loads((folder / "task.json").read_text("utf-8"))["deals"]
    assert 0 < saved < 100_000_000
    result = call("run", *QUICK, "-n", saved + 10, "-o", folder)
    assert "10 deals played" in result.stderr
    assert f"{saved + 10:,} deals" in result.stdout


def test_ctrl_c_before_anything_is_played(tmp_path, monkeypatch):
    def interrupt(task):
        raise KeyboardInterrupt

    monkeypatch.setattr(driver, "compiled_player", interrupt)
    result = call("run", *QUICK, "-n", 10, "-o", tmp_path / "a")
    assert result.exit_code == 130
    assert "Nothing was played yet" in result.stderr
    assert "saved" not in result.stderr
    assert not (tmp_path / "a").exists()


@pytest.mark.skipif(os.name == "nt", reason="a shell of Unix")
@pytest.mark.parametrize("where", ["2>&-", "2>/dev/full"])
def test_what_cannot_be_told_does_not_end_a_run(tmp_path, where):
    if where.endswith("full") and not Path("/dev/full").exists():
        pytest.skip("Linux only")
    words = [sys.executable, ROOT / "cli.py", "run", *QUICK, "-n", 10, "-o", "a"]
    done = subprocess.run(
        f"{shlex.join(map(str, words))} {where}",
        shell=True,
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        encoding="utf-8",
        env={**os.environ, "PYTHONIOENCODING": "utf-8"},
    )
    assert done.returncode == 0
    assert "take over" in done.stdout
    assert json.loads((tmp_path / "a" / "task.json").read_text())["deals"] == 10


def test_letters_that_a_terminal_lacks_are_replaced():
    process = start("--help", env={"PYTHONIOENCODING": "cp1252"})
    out, err = process.communicate(timeout=30)
    assert process.returncode == 0, err
    assert "Shengji (??" in out


def mounted(folder: Path, kilobytes: int) -> bool:
    """Mount a small file system; False where that needs rights we lack."""
    folder.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", f"size={kilobytes}k", "none", str(folder)]
    try:
        return subprocess.run(command, capture_output=True).returncode == 0
    except OSError:
        return False


def test_a_full_disk(tmp_path):
    disk = tmp_path / "disk"
    if not mounted(disk, 300):
        pytest.skip("a small file system needs root to be mounted")
    try:
        command = ("run", *QUICK, "-o", disk / "a")
        assert call(*command, "-n", 1000).exit_code == 0
        before = sorted(path.name for path in (disk / "a").iterdir())
        refused(call(*command, "-n", 200_000), "no room on the disk")
        assert sorted(path.name for path in (disk / "a").iterdir()) == before
        assert call(*command, "-n", 1100).exit_code == 0
    finally:
        subprocess.run(["umount", str(disk)], check=True)


@pytest.mark.skipif(os.name == "nt", reason="limits of Unix")
def test_a_file_that_may_not_grow(tmp_path):
    """As a full disk, without being root."""
    import resource

    def limit() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000))

    call("run", *QUICK, "-n", 1000, "-o", tmp_path / "a")
    before = sorted(path.name for path in (tmp_path / "a").iterdir())
    process = start(
        "run", *QUICK, "-n", 200_000, "-o", tmp_path / "a", preexec_fn=limit
    )
    _, err = process.communicate(timeout=120)
    assert process.returncode == 2
    assert "no room on the disk" in err.splitlines()[-1]
    assert sorted(path.name for path in (tmp_path / "a").iterdir()) == before


@pytest.mark.skipif(os.name == "nt", reason="pipes of Unix")
def test_a_closed_pipe_is_quiet(tmp_path):
    reader, writer = os.pipe()
    os.close(reader)
    process = subprocess.Popen(
        [sys.executable, str(ROOT / "cli.py"), "columns"],
        stdout=writer,
        stderr=subprocess.PIPE,
        text=True,
    )
    os.close(writer)
    _, err = process.communicate(timeout=30)
    assert err == ""
    assert process.returncode == 1


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="signals of Unix")
@pytest.mark.parametrize("seconds", [2, 4, 6, 8])
def test_ctrl_c_while_compiling(tmp_path, seconds):
    process = start(
        *("run", *QUICK, "-n", 1000, "-o", tmp_path / "a"),
        env={"NUMBA_CACHE_DIR": str(tmp_path / "cache")},
    )
    time.sleep(seconds)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=30)
    assert process.returncode in (130, 0)  # 0: it was quicker than that
    assert "Traceback" not in err
