"""`shengji check`: says what is whole; with --repair makes the rest whole, no more."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner, Result
from stand_in import Game, rows_of

from cli import cli
from sim import driver
from sim import parts as sim_parts
from sim import task as sim_task
from sim.schema import DEALS
from sim.store import locked
from sim.task import make_task

TASK = make_task(policy="random")
PARTS = [f"part-{n:012d}-{n + 100:012d}.parquet" for n in (0, 100, 200)]
LAST = "part-000000000300-000000000350.parquet"


@pytest.fixture(autouse=True)
def game(monkeypatch) -> Game:
    """Parts of a hundred deals, played by the stand-in."""
    kind = DEALS._replace(part_size=100, group_size=40)
    monkeypatch.setattr(sim_task, "DEALS", kind)
    monkeypatch.setattr(sim_parts, "DEALS", kind)
    game = Game()
    monkeypatch.setattr(driver, "compiled_player", lambda task: game)
    monkeypatch.setattr(driver, "compiled_mark", lambda task: Path(__file__))
    return game


@pytest.fixture(scope="module")
def played(tmp_path_factory) -> Path:
    """A whole run, of which each test has a copy."""
    folder = tmp_path_factory.mktemp("played") / "run"
    kind = DEALS._replace(part_size=100, group_size=40)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sim_task, "DEALS", kind)
        driver.play(TASK, folder, 350, player=Game())
    return folder


@pytest.fixture
def run(played, tmp_path) -> Path:
    folder = tmp_path / "run"
    shutil.copytree(played, folder)
    return folder


def call(*words: object) -> Result:
    return CliRunner().invoke(cli, ["check", *map(str, words)])


def found(run: Path) -> dict[str, str]:
    """What check says of what is not whole, by name; and of missing deals."""
    result = call(run, "--json")
    told = json.loads(result.stdout)
    bad = {
        it["name"] or f"{it['start']}-{it['stop']}": it["state"]
        for it in told["found"]
        if it["state"] != "whole"
    }
    wrong = [state for state in bad.values() if state != "other"]
    assert result.exit_code == bool(wrong), result.output
    assert told["whole"] == (not wrong)
    return bad


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def mended(run: Path, played: Path, *, besides: tuple[str, ...] = ()) -> Result:
    """Repair; then the parts are to the byte what they were, and so are others."""
    before = contents(run)
    result = call(run, "--repair")
    now, want = contents(run), contents(played)
    for name in set(want) - {"task.json"}:
        assert now[name] == want[name], name
    for name in besides:
        assert now[name] == before[name], name
    assert set(now) == {*want, *besides}
    told, was = (json.loads(it["task.json"]) for it in (now, want))
    assert (told["task"], told["deals"]) == (was["task"], was["deals"])
    return result


def edit(path: Path, change: Callable[[bytearray], object]) -> None:
    data = bytearray(path.read_bytes())
    changed = change(data)
    path.write_bytes(data if changed is None else changed)


def test_a_whole_run(run):
    result = call(run)
    assert result.exit_code == 0, result.output
    assert result.stdout.splitlines() == [
        "whole           deals 0 to 349",
        f"{run} is whole: 350 of 350 deals are whole, in 4 parts.",
    ]
    before = contents(run)
    assert call(run, "--repair").exit_code == 0
    assert contents(run) == before


def test_repair_touches_no_byte_of_what_is_whole(run, game):
    """Not even a time stamp, and nothing is played."""
    stamps = {path: path.stat().st_mtime_ns for path in run.iterdir()}
    assert call(run, "--repair").exit_code == 0
    assert stamps == {path: path.stat().st_mtime_ns for path in run.iterdir()}
    assert game.asked == []


def regions(path: Path) -> dict[str, range]:
    """The places of a file, by what stands there."""
    size = path.stat().st_size
    footer = pq.read_metadata(path).serialized_size
    return {
        "magic": range(0, 4),
        "pages": range(4, size - footer - 8 - 80),
        "seal": range(size - footer - 8 - 80, size - footer - 8),
        "footer": range(size - footer - 8, size - 8),
        "length of the footer": range(size - 8, size - 4),
        "last magic": range(size - 4, size),
    }


REGIONS = ("magic", "pages", "seal", "footer", "length of the footer", "last magic")


@pytest.mark.parametrize("region", REGIONS)
@pytest.mark.parametrize("name", [PARTS[1], LAST], ids=["middle", "last"])
def test_a_changed_bit_anywhere(run, played, region, name):
    chance = np.random.default_rng(7)
    places = regions(run / name)[region]
    for place in chance.choice(places, min(6, len(places)), replace=False):
        bit = 1 << int(chance.integers(8))
        edit(
            run / name,
            lambda data, at=place, by=bit: data.__setitem__(at, data[at] ^ by),
        )
        assert found(run)[name] in ("changed", "truncated"), place
        (run / name).write_bytes((played / name).read_bytes())
    edit(run / name, lambda data: data.__setitem__(places[0], data[places[0]] ^ 1))
    result = mended(run, played)
    assert result.exit_code == 0, result.output
    assert "is whole" in result.stdout


def test_a_part_cut_off_anywhere(run, played):
    size = (run / PARTS[0]).stat().st_size
    for length in (0, 3, 4, size // 2, size - 9, size - 8, size - 4, size - 1):
        edit(run / PARTS[0], lambda data, length=length: data[:length])
        assert found(run) == {PARTS[0]: "truncated"}, length
        (run / PARTS[0]).write_bytes((played / PARTS[0]).read_bytes())
    edit(run / PARTS[0], lambda data: data[: size // 2])
    assert "--repair plays again what it can" in call(run).stdout
    assert mended(run, played).exit_code == 0


def test_what_is_missing(run, played, game):
    (run / PARTS[1]).unlink()
    (run / LAST).unlink()
    assert found(run) == {"100-200": "missing", "300-350": "missing"}
    result = mended(run, played)
    assert result.exit_code == 0
    assert "played deals 100 to 199" in result.stderr
    # The first deals, to compare; then those that were missing, and no others.
    assert game.asked[1:] == [
        (0, 40),
        (100, 40),
        (140, 40),
        (180, 20),
        (300, 40),
        (340, 10),
    ]


def test_a_short_part_in_the_middle(run, played):
    """As a run leaves it whose end was lost: the longer part takes its rows over."""
    short = "part-000000000100-000000000130.parquet"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sim_task, "DEALS", DEALS._replace(part_size=100, group_size=40))
        driver.play(TASK, run.parent / "other", 130, player=Game())
    (run / PARTS[1]).unlink()
    shutil.copy(run.parent / "other" / short, run)
    assert found(run) == {"130-200": "missing"}
    assert mended(run, played).exit_code == 0


def test_a_short_part_beside_the_longer(run, played):
    short = "part-000000000100-000000000130.parquet"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sim_task, "DEALS", DEALS._replace(part_size=100, group_size=40))
        driver.play(TASK, run.parent / "other", 130, player=Game())
    shutil.copy(run.parent / "other" / short, run)
    assert found(run) == {short: "leftover"}
    # Where the longer one is bad, the short one is what counts.
    edit(run / PARTS[1], lambda data: data[:-1])
    assert found(run) == {PARTS[1]: "truncated"}
    assert mended(run, played).exit_code == 0


def test_leftovers_and_what_others_put_there(run, played):
    unfinished = "part-000000000100-0123456789abcdef.parquet.tmp"
    for name in (unfinished, "task.json.tmp", "plot.png", "letter.tmp"):
        (run / name).write_bytes(b"half")
    assert found(run) == {
        unfinished: "leftover",
        "task.json.tmp": "leftover",
        "plot.png": "other",
        "letter.tmp": "other",
    }
    assert mended(run, played, besides=("plot.png", "letter.tmp")).exit_code == 0


def test_foreign_parts_are_named_and_left(run, played, tmp_path):
    other = tmp_path / "other"
    driver.play(make_task(policy="random", seed=2), other, 100, player=Game(seed=2))
    shutil.copy(other / PARTS[0], run / "part-000000000400-000000000500.parquet")
    (run / "mine.parquet").write_bytes(b"mine")
    names = ("part-000000000400-000000000500.parquet", "mine.parquet")
    assert found(run) == dict.fromkeys(names, "foreign")
    assert mended(run, played, besides=names).exit_code == 1
    assert found(run) == dict.fromkeys(names, "foreign")


def test_a_foreign_part_in_the_place_of_one(run, tmp_path):
    """Nothing is written over it, though its name is wanted."""
    other = tmp_path / "other"
    driver.play(make_task(policy="random", seed=2), other, 100, player=Game(seed=2))
    shutil.copy(other / PARTS[0], run)
    assert found(run) == {PARTS[0]: "foreign", "0-100": "missing"}
    before = contents(run)
    result = call(run, "--repair")
    assert result.exit_code == 1
    assert f"left {PARTS[0]}, which is in the way" in result.stderr
    assert {**contents(run), "task.json": b""} == {**before, "task.json": b""}


def test_a_part_under_another_name(run, played):
    (run / PARTS[1]).rename(run / "part-000000000500-000000000600.parquet")
    assert found(run) == {
        "part-000000000500-000000000600.parquet": "misnamed",
        "100-200": "missing",
    }
    result = mended(run, played)
    assert result.exit_code == 0
    assert "renamed part-000000000500-000000000600.parquet" in result.stderr


def test_overlapping_parts_are_named_and_left(run, played):
    """Which of them is one too many is not ours to say."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sim_task, "DEALS", DEALS._replace(part_size=150, group_size=40))
        driver.play(TASK, run.parent / "other", 300, player=Game())
    name = "part-000000000150-000000000300.parquet"
    shutil.copy(run.parent / "other" / name, run)
    bad = found(run)
    assert bad[name] == "overlapping"
    before = contents(run)
    assert call(run, "--repair").exit_code == 1
    assert contents(run)[name] == before[name]
    for part in PARTS:
        assert contents(run)[part] == before[part]


def test_a_missing_task_file_is_restored_from_a_part(run, played):
    (run / "task.json").unlink()
    assert found(run) == {"task.json": "missing"}
    assert mended(run, played).exit_code == 0
    levels = CliRunner().invoke(cli, ["levels", str(run)])
    assert levels.exit_code == 0, levels.output


@pytest.mark.parametrize("text", ["", "{", "[]", '{"id": 1}'])
def test_a_damaged_task_file_is_restored(run, played, text):
    (run / "task.json").write_text(text)
    assert found(run) == {"task.json": "changed"}
    assert mended(run, played).exit_code == 0


def test_an_edited_task_file_is_restored_with_its_sessions(run, played):
    document = json.loads((run / "task.json").read_text("utf-8"))
    document["task"]["seed"] = 7
    (run / "task.json").write_text(json.dumps(document), "utf-8")
    assert found(run) == {"task.json": "changed"}
    assert mended(run, played).exit_code == 0
    restored = json.loads((run / "task.json").read_text("utf-8"))
    assert restored["sessions"] == document["sessions"]


def test_a_task_file_of_another_version_is_left(run):
    document = json.loads((run / "task.json").read_text("utf-8"))
    document["format"] = "shengji-task/9"
    (run / "task.json").write_text(json.dumps(document), "utf-8")
    before = contents(run)
    assert found(run) == {"task.json": "another version"}
    result = call(run, "--repair")
    assert result.exit_code == 2
    assert "'shengji-task/9'; move it elsewhere" in result.stderr
    assert contents(run) == before


def test_no_task_and_parts_of_two(run, tmp_path):
    other = tmp_path / "other"
    driver.play(make_task(policy="random", seed=2), other, 100, player=Game(seed=2))
    shutil.copy(other / PARTS[0], run / "part-000000000400-000000000500.parquet")
    (run / "task.json").unlink()
    before = contents(run)
    assert found(run)["task.json"] == "missing"
    result = call(run, "--repair")
    assert result.exit_code == 2
    assert "the parts are of 2 different tasks" in result.stderr
    assert contents(run) == before


def test_a_count_that_is_behind(run, played):
    document = json.loads((run / "task.json").read_text("utf-8"))
    document["deals"] = 300
    (run / "task.json").write_text(json.dumps(document), "utf-8")
    assert found(run) == {"task.json": "behind"}
    assert mended(run, played).exit_code == 0


def test_a_file_without_a_seal_is_checked_by_its_pages(run):
    """As earlier versions wrote them."""
    table = pq.read_table(run / PARTS[1])
    keys = pq.read_metadata(run / PARTS[1]).metadata
    kept = {key: keys[key] for key in (b"task_id", b"schema_version")}
    options = {"write_page_checksum": True, "write_statistics": ["deal_index"]}
    pq.write_table(table.replace_schema_metadata(kept), run / PARTS[1], **options)
    result = call(run)
    assert result.exit_code == 0, result.output
    assert "1 file of an older version without a seal" in result.stdout
    edit(run / PARTS[1], lambda data: data.__setitem__(300, data[300] ^ 4))
    assert found(run) == {PARTS[1]: "changed"}


def test_deals_are_never_mixed(run, played, game):
    """A program that plays other deals than those there must not repair them."""
    (run / PARTS[1]).unlink()
    before = contents(run)
    game.seed = 5
    result = call(run, "--repair")
    assert result.exit_code == 2
    assert "plays other deals" in result.stderr
    assert contents(run) == before


def test_a_repair_that_fails_leaves_all_as_it_was(run, game):
    edit(run / PARTS[1], lambda data: data[:-1])
    before = contents(run)
    game.fail_at = 150
    result = call(run, "--repair")
    assert isinstance(result.exception, RuntimeError)
    assert contents(run) == before


def test_a_repair_that_is_interrupted_goes_on_later(run, played, monkeypatch):
    (run / PARTS[0]).unlink()
    edit(run / PARTS[1], lambda data: data[:-1])
    before = contents(run)
    game = Game()

    def interrupted(start: int, rows: np.ndarray) -> None:
        if start == 140:
            raise KeyboardInterrupt
        game(start, rows)

    monkeypatch.setattr(driver, "compiled_player", lambda task: interrupted)
    result = call(run, "--repair")
    assert result.exit_code == 130
    now = contents(run)
    assert now.pop(PARTS[0]) == contents(played)[PARTS[0]]
    assert now == before
    monkeypatch.setattr(driver, "compiled_player", lambda task: game)
    assert mended(run, played).exit_code == 0


def test_while_a_run_is_writing(run):
    (run / "part-000000000300-ab.parquet.tmp").write_bytes(b"half")
    with locked(run):
        told = call(run)
        refused = call(run, "--repair")
    assert told.exit_code == 0
    assert "a run is writing there now" in told.stdout
    assert refused.exit_code == 0  # nothing is bad


def test_repair_waits_for_nobody(run):
    (run / PARTS[1]).unlink()
    with locked(run):
        result = call(run, "--repair")
    assert result.exit_code == 2
    assert "another run is writing" in result.stderr
    assert not (run / PARTS[1]).exists()


@pytest.mark.parametrize("what", ["nothing", "file", "empty", "letters"])
def test_what_is_no_run(tmp_path, what):
    place = tmp_path / "x"
    if what == "file":
        place.write_text("dear")
    elif what != "nothing":
        place.mkdir()
    if what == "letters":
        (place / "letter.txt").write_text("dear")
    for words in ((), ("--repair",), ("--json",)):
        result = call(place, *words)
        assert result.exit_code == 2
        assert len(result.stderr.strip().splitlines()) <= 4
        assert str(place) in result.stderr


def test_rows_of_the_repaired_are_those_of_the_task(run):
    (run / PARTS[1]).unlink()
    assert call(run, "--repair").exit_code == 0
    table = pa.concat_tables(map(pq.read_table, sorted(run.glob("*.parquet"))))
    want = rows_of(1, 350)
    for name in want.dtype.names:
        assert np.array_equal(table[name].to_numpy(), want[name]), name
