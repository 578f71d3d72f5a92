"""A run lies on any filesystem: whole or absent there too, and each trouble told."""

import pickle
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from click.testing import CliRunner
from object_storage import storage  # noqa: F401  (a fixture)
from stand_in import Game, rows_of

from analysis.load import open_runs
from cli import cli
from sim import driver
from sim.driver import play
from sim.parts import open_parquet
from sim.places import FarPath, StoreError, place_of, write_whole
from sim.store import Span, Store
from sim.task import make_task

TASK = make_task(policy="random")


@pytest.fixture
def folder(storage, request):  # noqa: F811
    return place_of(storage.uri(f"bucket/{request.node.name}"))


@pytest.fixture
def game(monkeypatch):
    game = Game()
    monkeypatch.setattr(driver, "compiled_player", lambda task: game)
    monkeypatch.setattr(driver, "compiled_mark", lambda task: Path(__file__))
    return game


def names(folder: FarPath) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def check(folder: FarPath, deals: int) -> None:
    """The folder holds exactly the task's first deals."""
    paths = sorted(folder.glob("*.parquet"))
    table = pa.concat_tables(open_parquet(path).read() for path in paths)
    want = rows_of(1, deals)
    for name in table.column_names:
        assert np.array_equal(table[name].to_numpy(), want[name]), name


def test_paths_and_uris():
    for text in ("results/a", "/x/y", "a:b", r"C:\runs"):
        assert place_of(text) == Path(text)
    assert place_of("file:///tmp/a%20b") == Path("/tmp/a b")
    place = place_of("s3://who:secret@bucket/some/run?region=here")
    assert isinstance(place, FarPath)
    assert str(place) == "s3://bucket/some/run"
    assert str(place / "part") == "s3://bucket/some/run/part"
    assert (place / "part").with_name("other") == place / "other"
    assert (place / "a.tmp").suffix == ".tmp"
    again = pickle.loads(pickle.dumps(place / "part"))
    assert again == place / "part"
    assert again.uri == place.uri


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("s4://bucket/run", "s4:// is unknown; allowed are s3://"),
        ("http://host/run", "http:// is unknown"),
        ("s3://", "names no folder"),
        ("s3://me:hidden@bucket/x?bogus=hidden", "cannot be used"),
        ("s3://a b/run", "cannot be used"),
        ("file://host/run", "names another machine's folder"),
    ],
)
def test_uris_that_name_nothing(text, told):
    for words in (("run", "-n", 10, "-o", text), ("levels", text)):
        result = CliRunner().invoke(cli, [str(word) for word in words])
        assert result.exit_code == 2
        assert told in result.stderr
        assert "hidden" not in result.stderr


def test_a_run_far_away_holds_what_one_here_holds(folder, tmp_path):
    play(TASK, folder, 1500, player=Game())
    assert play(TASK, folder, 1500, player=Game()).deals == 0
    game = Game()
    assert play(TASK, folder, 2500, player=game).deals == 1000
    assert game.asked == [(1500, 1000)]
    play(TASK, tmp_path / "here", 2500, player=Game())
    assert names(folder) == sorted(it.name for it in (tmp_path / "here").iterdir())
    (part,) = folder.glob("*.parquet")
    assert part.read_bytes() == (tmp_path / "here" / part.name).read_bytes()
    assert open_runs(folder.uri).deals == 2500


def test_nothing_is_there_until_it_is_whole(folder):
    with Store(folder, TASK).opened() as store:
        part = store.part(0)
        rows = rows_of(1, 100)
        part.write((driver.columns_of(rows),), 100)
        assert names(folder) == ["task.json"]
        part.discard()
        assert names(folder) == ["task.json"]
        with pytest.raises(RuntimeError, match="asked to fail"):
            play(TASK, folder, 1000, block=100, player=Game(fail_at=950))
        assert store.spans() == []


def test_two_runs_at_once_do_no_harm(folder):
    def other(start: int, rows: np.ndarray) -> None:
        if start == 500:
            play(TASK, folder, 1000, player=Game())
        Game()(start, rows)

    play(TASK, folder, 1000, block=250, player=other)
    check(folder, 1000)
    assert Store(folder, TASK).spans() == [Span(0, 1000)]


def test_a_damaged_part_far_away(folder):
    play(TASK, folder, 1000, player=Game())
    (part,) = folder.glob("*.parquet")
    part.write_bytes(part.read_bytes()[:-50])
    with pytest.raises(StoreError, match="is truncated or damaged; delete it"):
        play(TASK, folder, 2000, player=Game())


@pytest.mark.usefixtures("game")
def test_the_commands(folder):
    def call(*words: str) -> str:
        result = CliRunner().invoke(cli, words)
        assert result.exit_code == 0, result.output
        return result.stdout

    run = ("run", "--policy", "random", "-n", "300", "-o", folder.uri)
    told = call(*run)
    assert "300 deals" in told
    assert call(*run) == call("levels", folder.uri) == told
    assert "bianfeng" in call("compare", folder.uri, "--tables", "bianfeng")
    assert "buried" in call("bottom", folder.uri)


def refused(*words: str) -> str:
    result = CliRunner().invoke(cli, words)
    assert result.exit_code == 2, result.output
    assert len(result.stderr.strip().splitlines()) == 1
    return result.stderr


@pytest.mark.usefixtures("game")
def test_trouble_is_told_in_a_sentence(storage):  # noqa: F811
    lost, run = storage.uri("lost/run"), ("run", "-n", "10", "--policy", "random")
    assert "s3://lost/run: there is no bucket 'lost'" in refused(*run, "-o", lost)
    assert "there is no bucket 'lost'" in refused("levels", lost)
    empty = storage.uri("bucket/empty")
    assert "there is no folder s3://bucket/empty" in refused("levels", empty)
    with storage.refusing():
        told = refused(*run, "-o", storage.uri("bucket/closed"))
        assert "s3://bucket/closed: the storage refuses these credentials" in told


@pytest.mark.slow
@pytest.mark.usefixtures("game", "storage")
def test_an_endpoint_that_does_not_answer():
    uri = "s3://bucket/run?endpoint_override=127.0.0.1:1&scheme=http"
    told = refused("run", "-n", "10", "--policy", "random", "-o", uri)
    assert "s3://bucket/run: the storage cannot be reached" in told


def test_a_text_is_replaced_whole(folder):
    for text in ("one", "another"):
        write_whole(folder / "task.json", text)
        assert (folder / "task.json").read_text() == text
    (folder / "task.json").unlink()
    (folder / "task.json").unlink(missing_ok=True)
    with pytest.raises(FileNotFoundError):
        (folder / "task.json").unlink()
