"""Workers of any executor play whole parts; the rows are those of a local run."""

import threading
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from multiprocessing import get_context

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from stand_in import Game, rows_of

from sim import jobs
from sim.driver import play
from sim.jobs import PartJob, fault, play_part
from sim.schema import DEALS
from sim.store import Span, Store, StoreError
from sim.task import make_task, match_task

TASK = make_task(policy="random")


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "run"


@pytest.fixture
def small_parts(monkeypatch):
    small = DEALS._replace(part_size=1000, group_size=400)
    monkeypatch.setattr("sim.task.DEALS", small)


class Here(Executor):
    """Plays a part when it is asked for, as workers elsewhere would, in turn."""

    def __init__(self, fail_at: int = -1):
        self.jobs: list[PartJob] = []
        self.fail_at = fail_at

    def submit(self, function, /, job):
        future = Future()
        self.jobs.append(job)
        try:
            if len(self.jobs) == self.fail_at:
                raise KeyError("asked to fail")
            future.set_result(function(job))
        except Exception as error:
            future.set_exception(error)
        return future


def check(folder, deals: int) -> None:
    """The folder holds exactly the task's first deals, and nothing else."""
    paths = sorted(folder.glob("*.parquet"))
    table, want = pa.concat_tables(map(pq.read_table, paths)), rows_of(1, deals)
    for name in table.column_names:
        assert np.array_equal(table[name].to_numpy(), want[name]), name
    assert len(list(folder.iterdir())) == len(paths) + 1


def same_files(one, other) -> None:
    names = [sorted(path.name for path in it.glob("*.parquet")) for it in (one, other)]
    assert names[0] == names[1]
    for name in names[0]:
        assert (one / name).read_bytes() == (other / name).read_bytes()


@pytest.mark.usefixtures("small_parts")
def test_parts_are_those_of_a_local_run(folder, tmp_path):
    executor = Here()
    for wanted, parts in ((700, 1), (2345, 3), (2345, 0), (1000, 0), (2346, 1)):
        before = len(executor.jobs)
        played = play(TASK, folder, wanted, executor=executor, player=Game())
        assert len(executor.jobs) - before == parts
        assert (played.deals > 0) == (parts > 0)
    assert played.deals == 1
    assert executor.jobs[1].shorter == Span(0, 700)
    check(folder, 2346)
    play(TASK, tmp_path / "here", 2346, player=Game())
    same_files(folder, tmp_path / "here")
    document = Store(folder, TASK).document()
    assert document["deals"] == 2346
    assert [it["deals"] for it in document["sessions"]] == [700, 1645, 1]
    assert document["sessions"][0]["executor"] == "Here"


@pytest.mark.usefixtures("small_parts")
def test_a_part_that_fails_costs_itself_only(folder):
    with pytest.raises(KeyError, match="asked to fail"):
        play(TASK, folder, 3000, executor=Here(fail_at=2), player=Game())
    assert Span(1000, 2000) not in Store(folder, TASK).spans()
    play(TASK, folder, 3000, executor=Here(), player=Game())
    check(folder, 3000)


@pytest.mark.usefixtures("small_parts")
def test_a_part_that_is_played_twice_does_no_harm(folder, tmp_path):
    executor = Here()
    play(TASK, folder, 700, executor=executor, player=Game())
    play(TASK, folder, 2000, executor=executor, player=Game())
    held = [path.read_bytes() for path in sorted(folder.glob("*.parquet"))]
    with jobs.token_in(folder) as token:
        # A worker was taken for dead, and was not; the shorter part is gone already.
        for job in executor.jobs[1:]:
            assert play_part(job._replace(token=token)).deals == 1000
        (folder / "part-000000000000-000000001000.parquet").unlink()
        assert play_part(executor.jobs[1]._replace(token=token)).deals == 1000
    assert held == [path.read_bytes() for path in sorted(folder.glob("*.parquet"))]
    check(folder, 2000)


@pytest.mark.usefixtures("small_parts")
def test_interrupted_and_resumed(folder, monkeypatch):
    """What runs is waited for, what does not yet run is not begun."""
    flag = threading.Event()

    class Interrupted(Here):
        def submit(self, function, /, job):
            if len(self.jobs) == 2:
                flag.set()
                return Future()  # waits for a worker: can be cancelled
            return super().submit(function, job)

    with Store(folder, TASK).opened() as store:
        missing = [Span(start, start + 1000) for start in range(0, 9000, 1000)]
        executor = Interrupted()
        done = list(jobs.play_parts(store, missing, executor, flag, Game()))
        assert [part.deals for part in done] == [1000, 1000]
        assert store.spans() == missing[:2]
    play(TASK, folder, 3000, executor=Here(), player=Game())
    check(folder, 3000)


@pytest.fixture
def job(folder):
    with Store(folder, TASK).opened() as store, jobs.token_in(folder) as token:
        task = store.task.to_dict()
        yield PartJob(task, store.id, folder, token, Span(0, 10), player=Game())


def test_a_worker_that_does_not_share_the_folder(job, tmp_path):
    assert fault(job) == ""
    elsewhere = job._replace(folder=tmp_path / "elsewhere")
    told = f"does not see what the driver has written to {tmp_path / 'elsewhere'}"
    assert told in fault(elsewhere)
    with pytest.raises(StoreError, match=r"the worker on .* does not see"):
        play_part(elsewhere)
    assert not (tmp_path / "elsewhere").exists()


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"stream_version": 99}, "another version of shengji: stream_version 99"),
        ({"schema_version": 1}, "another version of shengji: schema_version 1"),
        ({"seed": 2}, "its task has another id"),
        ({"rules": {}}, "another version of shengji"),
        ({"policies": ["to come"] * 4}, "another version of shengji"),
    ],
)
def test_a_worker_of_another_version(job, change, told):
    assert told in fault(job._replace(task={**job.task, **change}))


def test_a_pool_of_processes(folder, tmp_path, monkeypatch):
    """With the compiled game; whole matches, which are two files a part."""
    task = match_task(policy="random")
    play(task, tmp_path / "here", 20)  # first: compiled once, not by each process
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as executor:
        played = play(task, folder, 15, executor=executor)
        assert played.matches == 15
        assert play(task, folder, 20, executor=executor).matches == 5
    same_files(folder, tmp_path / "here")
    here, there = (Store(it, task).document() for it in (tmp_path / "here", folder))
    assert here["deals"] == there["deals"]
