"""`check --repair` of whole matches, far away, and after any mixture of damages."""

import json
import random
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner
from object_storage import storage  # noqa: F401  (a fixture)
from stand_in import Game

from cli import cli
from sim import driver
from sim import parts as sim_parts
from sim import store as sim_store
from sim import summary as sim_summary
from sim import task as sim_task
from sim.check import check
from sim.driver import play
from sim.histograms import SUMMARIES
from sim.parts import Span, State
from sim.places import place_of
from sim.repair import repair
from sim.schema import DEALS, MATCHES
from sim.store import Store
from sim.task import make_task, match_task

SMALL = {
    "DEALS": DEALS._replace(part_size=100, group_size=40),
    "MATCHES": MATCHES._replace(part_size=4, group_size=3),
}
TASK, MATCH_TASK = make_task(policy="random"), match_task(policy="random")


@pytest.fixture(autouse=True, scope="module")
def small_parts():
    with pytest.MonkeyPatch.context() as patch:
        for name, kind in SMALL.items():
            patch.setattr(sim_task, name, kind)
        summaries = SUMMARIES._replace(part_size=100, group_size=40, merged=2)
        for module in (sim_parts, sim_store, sim_summary):
            patch.setattr(module, "SUMMARIES", summaries)
        yield


@pytest.fixture(scope="module")
def deals(tmp_path_factory, small_parts) -> Path:
    folder = tmp_path_factory.mktemp("deals") / "run"
    play(TASK, folder, 550, player=Game())
    return folder


@pytest.fixture(scope="module")
def matches(tmp_path_factory, small_parts) -> Path:
    folder = tmp_path_factory.mktemp("matches") / "run"
    play(MATCH_TASK, folder, 10)
    return folder


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def states(folder: Path) -> dict[str, str]:
    """What is not whole, by name; of missing deals by their span."""
    bad = check(folder).bad
    return {it.name or f"{it.span.start}-{it.span.stop}": it.state for it in bad}


def mended(folder: Path, whole: Path, besides: set[str] = frozenset()) -> None:
    """Repaired to the byte, but for how `task.json` tells that it came about."""
    before = contents(folder)
    repair(folder, player=None if "matches" in str(whole) else Game())
    assert not states(folder)
    now, want = contents(folder), contents(whole)
    assert set(now) == set(want) | besides
    for name in set(want) - {"task.json"}:
        assert now[name] == want[name], name
    for name in besides:
        assert now[name] == before[name], name
    told, was = (json.loads(it["task.json"]) for it in (now, want))
    for document in (told, was):
        document.pop("sessions")
    assert told == was


# --- whole matches ------------------------------------------------------------------

FIRST, SECOND = (
    {kind: f"{kind}-{n:012d}-{n + 4:012d}.parquet" for kind in ("deals", "matches")}
    for n in (0, 4)
)


def test_a_whole_run_of_matches(matches):
    assert not states(matches)
    result = CliRunner().invoke(cli, ["check", str(matches)])
    assert result.exit_code == 0
    assert "10 of 10 matches are whole, in 3 parts" in result.stdout


@pytest.mark.parametrize("kind", ["deals", "matches"])
def test_one_file_of_a_part_is_bad(matches, tmp_path, kind):
    run = shutil.copytree(matches, tmp_path / "run")
    path = run / SECOND[kind]
    data = bytearray(path.read_bytes())
    data[len(data) // 3] ^= 8
    path.write_bytes(data)
    assert states(run) == {SECOND[kind]: State.CHANGED}
    mended(run, matches)


@pytest.mark.parametrize("kind", ["deals", "matches"])
def test_one_file_of_a_part_is_missing(matches, tmp_path, kind):
    run = shutil.copytree(matches, tmp_path / "run")
    (run / SECOND[kind]).unlink()
    assert states(run) == {SECOND[kind]: State.MISSING}
    mended(run, matches)


def test_a_part_of_matches_is_missing(matches, tmp_path):
    run = shutil.copytree(matches, tmp_path / "run")
    for name in FIRST.values():
        (run / name).unlink()
    assert states(run) == {"0-4": State.MISSING}
    mended(run, matches)


def test_both_files_under_other_names(matches, tmp_path):
    run = shutil.copytree(matches, tmp_path / "run")
    others = [
        name.replace("0004-", "0024-").replace("0008.", "0028.")
        for name in SECOND.values()
    ]
    for name, other in zip(SECOND.values(), others, strict=True):
        (run / name).rename(run / other)
    assert states(run) == {**dict.fromkeys(others, State.MISNAMED), "4-8": "missing"}
    mended(run, matches)


def test_a_single_deal_in_a_run_of_matches(matches, deals, tmp_path):
    run = shutil.copytree(matches, tmp_path / "run")
    name = "part-000000000000-000000000100.parquet"
    shutil.copy(deals / name, run)
    assert states(run) == {name: State.FOREIGN}
    before = contents(run)
    assert repair(run) == []
    assert contents(run) == before


# --- summaries ----------------------------------------------------------------------

MERGED, HUNDRED, LAST = (
    f"summary-{start:012d}-{stop:012d}.parquet"
    for start, stop in ((0, 400), (400, 500), (500, 530))
)


@pytest.fixture(scope="module")
def summary(tmp_path_factory, small_parts) -> Path:
    """Merged by twos: 0-400, 400-500, and a short last part."""
    folder = tmp_path_factory.mktemp("summary") / "run"
    play(TASK, folder, 530, player=Game(), keep="summary")
    assert {MERGED, HUNDRED, LAST} < set(contents(folder))
    return folder


def test_a_whole_run_of_summaries(summary):
    assert not states(summary)
    result = CliRunner().invoke(cli, ["check", str(summary)])
    assert result.exit_code == 0
    assert "530 of 530 deals are whole, in 3 parts" in result.stdout


@pytest.mark.parametrize("name", [MERGED, HUNDRED, LAST])
def test_a_bad_summary(summary, tmp_path, name):
    """A merged one is counted anew from its deals, and merged again."""
    run = shutil.copytree(summary, tmp_path / "run")
    data = bytearray((run / name).read_bytes())
    data[len(data) // 2] ^= 1
    (run / name).write_bytes(data)
    assert states(run) == {name: State.CHANGED}
    mended(run, summary)
    (run / name).unlink()
    (run / "task.json").unlink()
    mended_but_for_the_last(run, summary, name)


def mended_but_for_the_last(run: Path, summary: Path, name: str) -> None:
    """Nothing tells of lost deals after the last that is there, and of no task.json."""
    repair(run, player=Game())
    if name == LAST:
        assert json.loads((run / "task.json").read_text())["deals"] == 500
        play(TASK, run, 530, player=Game(), keep="summary")
    assert not states(run)
    for name, data in contents(summary).items():
        if name != "task.json":
            assert (run / name).read_bytes() == data, name
    assert json.loads((run / "task.json").read_text())["keep"] == "summary"


def test_what_a_merged_summary_stands_for_is_a_leftover(summary, tmp_path):
    run = shutil.copytree(summary, tmp_path / "run")
    play(TASK, tmp_path / "short", 200, player=Game(), keep="summary")
    name = "summary-000000000000-000000000200.parquet"
    shutil.copy(tmp_path / "short" / name, run)
    assert states(run) == {name: State.LEFTOVER}
    mended(run, summary)


def test_a_summary_under_another_name(summary, tmp_path):
    run = shutil.copytree(summary, tmp_path / "run")
    other = "summary-000000000600-000000000700.parquet"
    (run / HUNDRED).rename(run / other)
    assert states(run) == {other: State.MISNAMED, "400-500": State.MISSING}
    mended(run, summary)


# --- far away -----------------------------------------------------------------------


def test_far_away(storage, deals, request):  # noqa: F811
    uri = storage.uri(f"bucket/{request.node.name}")
    folder = place_of(uri)
    play(TASK, folder, 350, player=Game())
    assert not states(folder)
    second = folder / "part-000000000100-000000000200.parquet"
    want = second.read_bytes()
    second.write_bytes(want[:-20])
    third = folder / "part-000000000200-000000000300.parquet"
    (folder / "part-000000000800-000000000900.parquet").write_bytes(third.read_bytes())
    third.unlink()
    (folder / "task.json").unlink()
    result = CliRunner().invoke(cli, ["check", uri])
    assert result.exit_code == 1
    assert "truncated" in result.stdout
    assert storage.endpoint not in result.stdout
    done = repair(folder, player=Game())
    assert not states(folder)
    assert second.read_bytes() == want
    assert third.exists()
    assert any("renamed part-000000000800" in told for told in done)


# --- any mixture --------------------------------------------------------------------


def damages(chance: random.Random, other: Path) -> list[Callable[[Path], str | None]]:
    """What may befall a folder: each returns the name of what is not ours."""

    def part(run: Path) -> Path:
        paths = sorted(run.glob("part-*.parquet"))
        return chance.choice(paths) if paths else run / "part-none"

    def lost(run: Path) -> None:
        part(run).unlink(missing_ok=True)

    def cut_off(run: Path) -> None:
        path = part(run)
        if path.exists():
            data = path.read_bytes()
            path.write_bytes(data[: chance.randrange(len(data) + 1)])

    def changed(run: Path) -> None:
        path = part(run)
        if path.exists() and (data := bytearray(path.read_bytes())):
            data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
            path.write_bytes(data)

    def no_task(run: Path) -> None:
        (run / "task.json").unlink(missing_ok=True)

    def half_a_task(run: Path) -> None:
        path = run / "task.json"
        if path.exists():
            path.write_bytes(path.read_bytes()[: chance.randrange(400)])

    def unfinished(run: Path) -> None:
        (run / "part-000000000100-ab12.parquet.tmp").write_bytes(b"PAR1")

    def shorter(run: Path) -> None:
        start = chance.choice((0, 100, 200, 300, 400, 500))
        for path in other.glob(f"part-{start:012d}-*.parquet"):
            if not (run / path.name).exists():
                shutil.copy(path, run)

    def letter(run: Path) -> str:
        (run / "letter.txt").write_text("dear")
        return "letter.txt"

    return [lost, cut_off, changed, no_task, half_a_task, unfinished, shorter, letter]


def mixture(deals: Path, folder: Path, seed: int) -> None:
    """Some damages of a copy; what is left of it suffices to repair the whole."""
    chance = random.Random(seed)
    run, shorts = folder / "run", folder / "shorts"
    shutil.copytree(deals, run)
    for start in (0, 100, 200, 300, 400):
        with Store(shorts, TASK).opened() as store:
            stop = start + chance.randrange(1, 100)
            part = store.part(start)
            block = driver.deals_player(Game())(Span(start, stop))
            part.write(block.tables, stop - start)
            part.finish()
    besides = set()
    for _ in range(chance.randrange(1, 6)):
        if name := chance.choice(damages(chance, shorts))(run):
            besides.add(name)
    # Somebody must still know the task, and how many deals there were.
    last = "part-000000000500-000000000550.parquet"
    shutil.copy(deals / last, run)
    mended(run, deals, besides)


@pytest.mark.parametrize("seed", range(25))
def test_a_mixture_of_damages(deals, tmp_path, seed):
    mixture(deals, tmp_path, seed)


@pytest.mark.slow
def test_many_mixtures_of_damages(deals, tmp_path):
    for seed in range(1000, 2000):
        mixture(deals, tmp_path / str(seed), seed)
        shutil.rmtree(tmp_path / str(seed))
