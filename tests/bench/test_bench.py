"""The benchmarks do the work that they say; how fast it is, no test says."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from bench_works import SMOKE, command_works, deal_works

from sim.bench.kernels import works

CHECKSUMS = Path(__file__).with_name("checksums.json")


@pytest.fixture(scope="module")
def checksums(tmp_path_factory):
    """Of each work, a little of it."""
    folder = tmp_path_factory.mktemp("bench")
    return {
        work.name: work.checksum()
        for kinds in (
            works(SMOKE.positions, SMOKE.least),
            deal_works(SMOKE),
            command_works(folder, SMOKE),
        )
        for work in kinds
    }


def test_the_work_is_the_same(checksums, request):
    if request.config.getoption("--regen-golden"):
        text = json.dumps(checksums, indent=1)
        CHECKSUMS.write_text(text + "\n", "utf-8")
    assert checksums == json.loads(CHECKSUMS.read_text("utf-8"))


def test_different_work_has_different_checksums(checksums):
    assert len(set(checksums.values())) == len(checksums)


def test_positions_are_those_of_played_deals():
    """Legal follows, of as many cards as each lead had; every seat has its turn."""
    from sim.bench.positions import played_positions
    from sim.task import make_task

    at = played_positions(make_task(level="all"), 3)
    assert len(at.buries) == 3
    assert len(at.follows) == 3 * len(at.leads) == 3 * int(at.rows["tricks"].sum())
    assert len(at.draws) == 300
    assert set(at.draws["seat"]) == {0, 1, 2, 3}
    seats = at.follows["seen"]["seat"]
    shown = at.follows["hands"][range(len(seats)), seats]
    assert (shown == at.follows["seen"]["hand"]).all()
    assert (at.follows["cards"]["one"] & ~at.follows["seen"]["hand"]["one"] == 0).all()


def test_one_line_of_json_for_each():
    told = subprocess.run(
        [sys.executable, str(Path(__file__).parent), "kernels", "judge_follow"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    (line,) = told.splitlines()
    figure = json.loads(line)
    assert figure["name"] == "judge_follow"
    assert figure["ns"] > 0 < figure["times_floor"]
    assert figure["count"] > 1000
    assert len(figure["checksum"]) == 16
