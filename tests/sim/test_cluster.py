"""A Dask scheduler and two workers on loopback play into object storage."""

import json
import os
import signal
import subprocess
import sys
import time
from concurrent.futures import CancelledError
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from click.testing import CliRunner
from distributed import KilledWorker
from object_storage import storage  # noqa: F401  (a fixture)
from stand_in import Game, rows_of

import cli as cli_module
from cli import cli
from sim import cluster as cluster_module
from sim.cluster import Cluster, ClusterError, cluster
from sim.driver import play
from sim.jobs import PartJob, fault
from sim.parts import open_parquet
from sim.places import Place, place_of
from sim.schema import DEALS
from sim.store import Span, Store
from sim.task import make_task

ROOT = Path(cli_module.__file__).resolve().parent
TASK = make_task(policy="random")
SMALL = DEALS._replace(part_size=1000)


class Dask:
    """A scheduler and its workers, each a process."""

    def __init__(self, folder: Path):
        self.file = folder / "scheduler.json"
        self.log = (folder / "log").open("w")
        self.processes: list[subprocess.Popen] = []
        self.start("scheduler", "--port", "0", "--host", "127.0.0.1")
        self.workers = [self.worker(), self.worker()]
        while not self.file.exists():
            time.sleep(0.05)
        self.address = json.loads(self.file.read_text())["address"]

    def start(self, what: str, *words: str) -> subprocess.Popen:
        command = (sys.executable, "-m", f"distributed.cli.dask_{what}")
        path = os.pathsep.join([str(ROOT), str(ROOT / "tests")])
        process = subprocess.Popen(
            [*command, "--scheduler-file", str(self.file), "--no-dashboard", *words],
            stdout=self.log,
            stderr=subprocess.STDOUT,
            cwd=self.file.parent,
            env={**os.environ, "PYTHONPATH": path},
        )
        self.processes.append(process)
        return process

    def worker(self) -> subprocess.Popen:
        return self.start("worker", "--nthreads", "1", "--no-nanny")

    def stop(self) -> None:
        for process in self.processes:
            process.kill()
            process.wait()
        self.log.close()


@pytest.fixture(scope="module")
def dask(storage, tmp_path_factory):  # noqa: F811
    running = Dask(tmp_path_factory.mktemp("dask"))
    yield running
    running.stop()


@pytest.fixture
def folder(storage, request):  # noqa: F811
    return place_of(storage.uri(f"bucket/{request.node.name}"))


@pytest.fixture
def small_parts(monkeypatch):
    monkeypatch.setattr("sim.task.DEALS", SMALL)


def check(folder: Place, deals: int) -> None:
    """The folder holds exactly the task's first deals, and nothing else."""
    paths = sorted(folder.glob("*.parquet"))
    table = pa.concat_tables(open_parquet(path).read() for path in paths)
    want = rows_of(1, deals)
    for name in table.column_names:
        assert np.array_equal(table[name].to_numpy(), want[name]), name
    assert len(list(folder.iterdir())) == len(paths) + 1


@pytest.mark.usefixtures("small_parts")
def test_a_worker_dies_and_costs_its_part_only(dask, folder, tmp_path):
    class Killing:
        told = 0

        def compiling(self, seconds): ...

        def played(self, done, of, seconds, unit="deals"):
            if not self.told:
                dask.workers.pop().kill()
            self.told = done

    killing = Killing()
    with cluster(dask.address) as executor:
        executor.client.wait_for_workers(2, timeout=30)
        game = Game(seconds=0.2)
        played = play(
            TASK, folder, 8500, executor=executor, player=game, progress=killing
        )
    assert played.deals == killing.told == 8500
    check(folder, 8500)
    play(TASK, tmp_path / "here", 8500, player=Game())
    for path in (tmp_path / "here").glob("*.parquet"):
        assert (folder / path.name).read_bytes() == path.read_bytes()
    dask.workers.append(dask.worker())


PLAY_SLOWLY = """
import sys
from sim import task
from sim.cluster import cluster
from sim.driver import play
from sim.places import place_of
from sim.schema import DEALS
from stand_in import Game

task.DEALS = DEALS._replace(part_size=1000)

class Told:
    def played(self, deals, of, seconds, unit):
        print(deals, flush=True)

try:
    with cluster(sys.argv[1]) as executor:
        play(
            task.make_task(policy="random"), place_of(sys.argv[2]), 1_000_000,
            player=Game(seconds=0.1), progress=Told(), executor=executor,
        )
except KeyboardInterrupt:
    sys.exit(130)
"""


@pytest.mark.skipif(os.name == "nt", reason="signals of Unix")
@pytest.mark.usefixtures("small_parts")
def test_interrupted_and_resumed(dask, folder):
    process = subprocess.Popen(
        [sys.executable, "-c", PLAY_SLOWLY, dask.address, folder.uri],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'tests'}"},
        text=True,
    )
    for _ in range(3):
        assert process.stdout.readline()
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 130, err
    assert "Traceback" not in err
    held = Store(folder, TASK).spans()
    assert 3 <= len(held) < 1000
    game = Game()
    with cluster(dask.address) as executor:
        play(TASK, folder, held[-1].stop + 1500, executor=executor, player=game)
    check(folder, held[-1].stop + 1500)


def test_the_command(dask, folder, tmp_path):
    def call(*words: str):
        run = ("run", "--policy", "random", "-n", "3000", "--level", "all")
        return CliRunner().invoke(cli, [*run, *words])

    far = call("-o", folder.uri, "--cluster", dask.address)
    assert far.exit_code == 0, far.output
    assert "3,000 deals played" in far.stderr
    here = call("-o", str(tmp_path / "here"))
    assert far.stdout == here.stdout
    (path,) = (tmp_path / "here").glob("*.parquet")
    assert (folder / path.name).read_bytes() == path.read_bytes()
    both = call("-o", folder.uri, "--cluster", dask.address, "--threads", "2")
    assert both.exit_code == 2
    assert "--threads is of this machine" in both.stderr


def test_workers_that_cannot_play_are_refused(dask, folder):
    """Each worker is asked, before anything is played."""
    job = PartJob(TASK.to_dict(), TASK.id(), folder, "no-such.tmp", Span(0, 10))
    with (
        pytest.raises(ClusterError, match=r"the worker tcp://\S+ does not see"),
        cluster(dask.address) as executor,
    ):
        executor.refuse_unfit(fault, job)


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (KilledWorker("a part", "tcp://a:1", 3), "workers of tcp://.* die of playing"),
        (CancelledError(), "the scheduler at tcp://.* was lost; what was saved"),
    ],
)
def test_trouble_on_the_way_is_told_in_a_sentence(dask, error, told):
    with pytest.raises(ClusterError, match=told), cluster(dask.address):
        raise error


def test_a_worker_without_shengji():
    class Client:
        def get_executor(self, **_): ...

        def run(self, *_, on_error):
            return {"tcp://a:1": "", "tcp://b:2": ModuleNotFoundError("No module")}

    with pytest.raises(ClusterError, match="tcp://b:2 has no shengji"):
        Cluster(Client()).refuse_unfit(fault, None)


def test_no_scheduler_and_no_dask(monkeypatch, tmp_path):
    def refused(address: str) -> str:
        words = ["run", "-n", "10", "-o", str(tmp_path / "a"), "--cluster", address]
        result = CliRunner().invoke(cli, words)
        assert result.exit_code == 2, result.output
        assert len(result.stderr.strip().splitlines()) == 1
        assert not (tmp_path / "a").exists()
        return result.stderr

    monkeypatch.setattr(cluster_module, "PATIENCE", 1)
    for address in ("nowhere", "tcp://127.0.0.1:x", "http://127.0.0.1:8786", ""):
        assert f"'{address}' is no address of a Dask scheduler" in refused(address)
    assert "no Dask scheduler answers at tcp://127.0" in refused("tcp://127.0.0.1:1")
    monkeypatch.setitem(sys.modules, "distributed", None)
    assert "pip install 'shengji[cluster]'" in refused("tcp://127.0.0.1:1")
