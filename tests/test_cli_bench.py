"""`shengji bench`: what it tells, and of what; never how fast it was."""

import json
import re

import numpy as np
import pytest
from click.testing import CliRunner

from cli import cli
from sim.bench import deals as bench
from sim.bench import floor, kernels, report, saved
from sim.bench.kernels import SETTINGS
from sim.table import PARTS
from sim.task import make_task

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
    quick(monkeypatch)


def quick(monkeypatch):
    """Few deals and rounds."""
    monkeypatch.setattr(floor, "FLOOR_DEALS", 100)
    monkeypatch.setattr(kernels, "FLOOR_DEALS", 100)
    monkeypatch.setattr(kernels, "ROUND_UNITS", 100)
    monkeypatch.setattr(kernels, "LEAST_UNITS", 1)
    monkeypatch.setattr(report, "DEALS", 4)
    monkeypatch.setattr(report, "KERNEL_ROUNDS", 2)
    monkeypatch.setattr(report, "ROUNDS", 2)
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
        *("policies", "kernels"),
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

    runs = bench.Runs(make_task(policy="random"), player, tmp_path)
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
    assert floor.floor(1, 1) == 6714166075307500200
    assert floor.floor(7, 1000) == 112594022700192728


def test_ticks_are_those_of_the_parts():
    """Every part takes time, and reading the clock is none of theirs."""
    task = make_task(**SETTINGS, policy="random")
    ticks = bench.part_ticks(task, DEALS, 0.0)
    assert (ticks > 0).all()
    assert (bench.part_ticks(task, DEALS, 1e12) == 0).all()


# --- what a change did --------------------------------------------------------------


@pytest.fixture(scope="module")
def before(tmp_path_factory):
    """Figures saved once, of few deals."""
    path = tmp_path_factory.mktemp("bench") / "before.json"
    with pytest.MonkeyPatch.context() as monkeypatch:
        quick(monkeypatch)
        shengji("--save", str(path), "--json")
    return path


def test_saved_figures_are_read_again(before):
    document = saved.read(before)
    assert document["format"] == saved.FORMAT
    names = set(saved.figures(document))
    assert {"textbook: a deal", "random: a deal more in a run"} <= names
    assert {"shuffle and draw", "judge_follow", "follow (textbook)"} <= names


def test_against_itself_nothing_has_changed(before):
    document = saved.read(before)
    compared = saved.compare(document, document)
    assert [it for it in compared["warnings"] if "too few" not in it] == []
    for change in compared["changes"]:
        assert change["ratio"] == 1
        assert change["shown"] is None
        assert change["same_work"]


@pytest.mark.parametrize(("factor", "shown"), [(3, "slower"), (1 / 3, "faster")])
def test_a_change_beyond_the_spread_is_shown(before, factor, shown):
    document, later = saved.read(before), saved.read(before)
    for each in (document, later):
        each["kernels"][0] |= {"times_floor": 2.0, "spread": [1.5, 2.5]}
    later["kernels"][0] |= {
        "times_floor": 2.0 * factor,
        "spread": [1.5 * factor, 2.5 * factor],
    }
    name = document["kernels"][0]["name"]
    (change,) = [
        it for it in saved.compare(document, later)["changes"] if it["name"] == name
    ]
    assert change["ratio"] == pytest.approx(factor)
    assert change["shown"] == shown
    least, most = change["spread"]
    assert (least, most) == pytest.approx((1.5 * factor / 2.5, 2.5 * factor / 1.5))


def test_a_time_below_nothing_has_no_ratio(before):
    document, later = saved.read(before), saved.read(before)
    name = document["kernels"][1]["name"]
    document["kernels"][1] |= {"times_floor": 0.1, "spread": [-0.1, 0.3]}
    compared = saved.compare(document, later)
    assert name not in [change["name"] for change in compared["changes"]]
    assert any("too few" in it and name in it for it in compared["warnings"])


def test_other_machines_and_other_work_are_told(before):
    document, later = saved.read(before), saved.read(before)
    for each in (document, later):
        for policy in each["policies"]:
            policy |= {"run_times_floor": 1.0}
            policy["spread"]["run_times_floor"] = [0.5, 1.5]
    later["machine"]["numba"] = "9.9"
    later["deals"] = 7
    later["kernels"][2]["checksum"] = "0"
    del later["kernels"][0]
    compared = saved.compare(document, later)
    words = "; ".join(compared["warnings"])
    assert f"numba was {document['machine']['numba']}, is 9.9" in words
    assert "deals was 1000, is 7" in words
    assert f"not the same work: {document['kernels'][2]['name']}" in words
    assert f"measured only once: {document['kernels'][0]['name']}" in words
    text = saved.comparison_text(compared, before)
    assert text.count("Mind: ") == len(compared["warnings"]) == 4


def test_against_in_words_and_as_json(before):
    told, _ = shengji("--against", str(before))
    assert f"against {before}" in told
    assert re.search(r"duty +[\d.e-]+ +[\d.e-]+ +[\d.]+ \[[\d.]+\.\.[\d.]+\]", told)
    assert max(map(len, told.splitlines())) <= 88 + len(str(before))
    measured = json.loads(shengji("--against", str(before), "--json")[0])
    compared = measured["against"]
    figures = saved.figures(measured)
    blurred = [name for name in figures if name in "".join(compared["warnings"])]
    told = [change["name"] for change in compared["changes"]]
    assert set(told) <= set(figures) <= set(told) | set(blurred)
    assert len(figures) == 4 + len(measured["kernels"])


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda text: "", "no JSON"),
        (lambda text: text[:100], "no JSON"),
        (lambda text: "[" * 100_000, "no JSON"),
        (lambda text: "[]", "of format None"),
        (lambda text: text.replace("bench/1", "bench/9"), "'shengji-bench/9'"),
        (lambda text: text.replace('"kernels"', '"corn"'), "not whole (KeyError"),
        (lambda text: text.replace('"cpu"', '"mpu"'), "not whole (KeyError: 'cpu')"),
        (
            lambda text: re.sub(r'times_floor": \d', 'times_floor": 9', text),
            "no median",
        ),
        (lambda text: text.replace('"spread"', '"bread"'), "not whole"),
        (lambda text: text.replace('"seed"', '"need"'), "not whole (KeyError: 'seed')"),
        (
            lambda text: re.sub(r'"name": "', '"name": 7, "nam": "', text),
            "7 is no name",
        ),
        (lambda text: re.sub(r'"policy": "', '"policy": [], "po": "', text), "no name"),
        (lambda text: re.sub(r'"commit": .*', '"commit": 7,', text), "7 is no name"),
        (
            lambda text: re.sub(r'floor": \d[^,]*', f'floor": {10**400}', text),
            "not whole (OverflowError",
        ),
    ],
)
def test_files_that_cannot_be_used(before, tmp_path, change, words):
    broken = tmp_path / "broken.json"
    broken.write_text(change(before.read_text("utf-8")), "utf-8")
    result = CliRunner().invoke(cli, ["bench", "--against", str(broken)])
    assert result.exit_code == 2
    assert words in " ".join(result.output.split())
    assert len(result.output.strip().splitlines()) == 1
    assert "Traceback" not in result.output


def test_a_file_that_is_not_there(tmp_path):
    missing = str(tmp_path / "none.json")
    result = CliRunner().invoke(cli, ["bench", "--against", missing])
    assert result.exit_code == 2
    assert missing in result.output


def test_a_place_that_cannot_be_written_to_is_told_before_measuring(tmp_path):
    place = str(tmp_path / "none" / "before.json")
    result = CliRunner().invoke(cli, ["bench", "--save", place])
    assert result.exit_code == 2
    assert f"{tmp_path / 'none'} is no folder" in " ".join(result.output.split())
    assert "round 1" not in result.output
