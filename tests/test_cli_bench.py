"""`shengji bench`: what it tells, and of what; never how fast it was."""

import json
import re

import numpy as np
import pytest
from click.testing import CliRunner

from cli import cli
from sim import bench
from sim.table import PARTS

DEALS = 1000
NUMBERS = {
    "ns_per_deal",
    "times_floor",
    "floor_ns_per_deal",
    "ns_per_card_played",
    "deals_per_second_one_core",
    "deals_per_second_all_cores",
    "run_ns_per_deal",
    "run_times_floor",
}


@pytest.fixture(autouse=True)
def _quick(monkeypatch):
    monkeypatch.setattr(bench, "FLOOR_DEALS", 100)
    monkeypatch.setattr(bench, "CLOCK_READINGS", 100)
    monkeypatch.setattr(bench, "ROUNDS", 2)
    (deals,) = (it for it in cli.commands["bench"].params if it.name == "deals")
    monkeypatch.setattr(deals.type, "min", DEALS)


def shengji(*words: str) -> tuple[str, str]:
    result = CliRunner().invoke(cli, ["bench", "-n", str(DEALS), *words])
    assert result.exit_code == 0, result.output
    return result.stdout, result.stderr


def test_json():
    told, progress = shengji("--json")
    measured = json.loads(told)
    assert set(measured) == {
        *("machine", "variant", "level", "mode", "seed", "deals", "rounds"),
        "policies",
    }
    assert (measured["variant"], measured["level"]) == ("menghuan", "all")
    assert (measured["deals"], measured["rounds"]) == (DEALS, 2)
    for key in ("cpu", "cores", "python", "numba", "numpy", "pyarrow", "platform"):
        assert measured["machine"][key], key
    assert [each["policy"] for each in measured["policies"]] == ["random", "textbook"]
    for each in measured["policies"]:
        assert set(each) == {"policy", "share_of_time", "spread", *NUMBERS}
        assert len(each["spread"]) == 6
        for name, (least, most) in each["spread"].items():
            assert least <= each[name] * 1.000001, name
            assert most >= each[name] * 0.999999, name
        assert all(isinstance(each[name], float) for name in NUMBERS)
        shares = each["share_of_time"]
        assert list(shares) == [*PARTS, "writing"]
        assert sum(shares.values()) == pytest.approx(1)
        assert all(0 <= share <= 1 for share in shares.values())
        # A whole is told by its parts.
        writing = shares["writing"] * each["ns_per_deal"]
        assert 0 < 100 * each["ns_per_card_played"] < each["ns_per_deal"] - writing
        assert each["ns_per_deal"] * each["deals_per_second_one_core"] == (
            pytest.approx(1e9)
        )
    assert "textbook: round 2 of 2" in progress


def test_text():
    told, progress = shengji()
    assert "menghuan · level all" in told
    for words in (*PARTS, "writing", "ns a deal", "times the floor", "deals/s"):
        assert words in told
    assert max(map(len, told.splitlines())) <= 88
    assert re.search(r"deals/s on one core +[\d,]+ \[[\d,]+\.\.[\d,]+\] ", told)
    assert "of the rounds" in told
    assert "round 1 of 2" in progress


@pytest.mark.parametrize(("cores", "deals"), [(1, 2000), (2, 2000), (16, 16_000)])
def test_all_cores_have_blocks_to_play(monkeypatch, tmp_path, cores, deals):
    asked = []

    def player(start, rows):
        asked.append(len(rows))
        rows["deal_index"] = np.arange(start, start + len(rows))

    runs = bench.Runs(bench.make_task(policy="random"), player, tmp_path)
    assert bench.all_cores_deals(1000, cores) == deals
    runs.rate(deals, cores)
    assert sum(asked) == deals
    assert len(asked) >= 8 * cores


def test_few_deals_are_refused(monkeypatch):
    monkeypatch.undo()
    result = CliRunner().invoke(cli, ["bench", "-n", "1000"])
    assert result.exit_code == 2
    assert "from 20,000 on" in " ".join(result.output.split())


def test_the_floor_is_frozen():
    """The checksums pin its work: whoever changes them loses every ratio on record."""
    assert bench.floor(1, 1) == 6714166075307500200
    assert bench.floor(7, 1000) == 112594022700192728


def test_ticks_are_those_of_the_parts():
    """Every part takes time, and reading the clock is none of theirs."""
    task = bench.make_task(**bench.SETTINGS, policy="random")
    ticks = bench.part_ticks(task, DEALS, 0.0)
    assert (ticks > 0).all()
    assert (bench.part_ticks(task, DEALS, 1e12) == 0).all()
