"""Deal records: their form, that they are the simulator's deals, and how they are kept.

That they keep the rules is for `tests/contract/test_deals.py`.
"""

import json

import numpy as np
import pytest

from sim.deal_flow import play_block
from sim.policies.catalog import setting_codes
from sim.record import Recorder, RecordError, record_deal, save_lines, write_record
from sim.rules import PRESETS, preset
from sim.schema import DEAL_DTYPE
from sim.task import make_task

# In the order of RECORDS.md.
KEYS = """format variant rules seed index stream_version match deal policies
policy_parameters levels laps declarer_before drawn bottom redeals calls turned level
trump declarer buries called_card friend tricks attackers trick_points bottom_points
captured multiplier penalty_points total failed_throws overcalls coin_factor result
levels_after laps_after next_declarer match_won""".split()


def test_form():
    record = record_deal(make_task("bianfeng", policy="random", seed=7), 41)
    assert list(record) == KEYS
    assert list(record["tricks"][0]) == ["leader", "tried", "plays", "winner", "points"]
    assert list(record["buries"][0]) == ["seat", "took", "buried"]
    assert (record["seed"], record["index"]) == (7, 41)
    assert record["variant"] == "bianfeng"
    assert record["policies"] == ["random"] * 4
    line = write_record(record)
    assert "\n" not in line
    assert json.loads(line) == record


@pytest.mark.parametrize("first_deal", [False, True], ids=["later", "first"])
def test_a_deal_is_a_function_of_seed_and_index(first_deal):
    """Whatever was recorded before it, and whichever policies sit elsewhere."""
    task = make_task("menghuan", level="all", policy="random", first_deal=first_deal)
    recorder = Recorder(task)
    told = {index: write_record(recorder.deal(index)) for index in (5, 3, 8, 5)}
    for index, line in told.items():
        assert write_record(record_deal(task, index)) == line
    other = record_deal(make_task("menghuan", policy="textbook"), 5)
    if not first_deal:  # there a shuffle may be thrown away, by policies that pass
        assert other["drawn"] == json.loads(told[5])["drawn"]


@pytest.mark.parametrize("variant", PRESETS)
def test_the_run_plays_the_same_deals(variant):
    task = make_task(variant, level="all", policy="random,textbook", seed=5)
    rows = np.zeros(50, DEAL_DTYPE)
    codes = task.rules.codes()
    play_block(codes, *setting_codes(task.policies), 0, False, np.uint64(5), 0, rows)
    recorder = Recorder(task)
    for index, row in enumerate(rows):
        recorder.deal(index)
        assert recorder.rows[0] == row


def test_levels_and_laps():
    """At A a win of the declarers completes the only lap; nobody else moves."""
    recorder = Recorder(make_task("menghuan", level="A", policy="random"))
    seen = set()
    for index in range(200):
        record = recorder.deal(index)
        side, levels = record["result"]["side"], record["result"]["levels"]
        winners = [0, 2] if side == "declarers" else [1, 3]
        seen.add((side, levels > 0))
        for seat in range(4):
            climbs = seat in winners and levels > 0
            assert record["laps_after"][seat] == climbs
            assert (record["levels_after"][seat] == 14) == (not climbs)
        assert record["match_won"] == (winners if levels else None)
    assert seen == {("declarers", True), ("attackers", True), ("attackers", False)}


def test_nobody_bids():
    recorder = Recorder(make_task("menghuan", level="joker", policy="random"))
    assert recorder.task.rules.match.after_ace == "loop"
    record = recorder.deal(0)
    assert (record["trump"], record["turned"], record["calls"]) == ("NT", None, [])
    recorder = Recorder(make_task("bianfeng", policy="random"))
    turned = [
        record["turned"] == record["bottom"][2]
        for record in map(recorder.deal, range(400))
        if not record["calls"]
    ]
    assert len(turned) > 1
    assert all(turned)


def test_the_log_has_room():
    """Random players call, rebury and throw the most; the bound says why it holds."""
    for variant in PRESETS:
        for decks in preset(variant).decks:
            task = make_task(variant, level="all", policy="random", decks=decks)
            recorder = Recorder(task)
            most = 0
            for index in range(100):
                recorder.play(index)
                most = max(most, int(recorder.table[0]["entries"]))
            assert 60 * decks < most <= len(recorder.table[0]["log"])


def test_save_lines(tmp_path):
    path = tmp_path / "deals.jsonl"
    save_lines(path, ["a", "b"])
    assert path.read_text("utf-8") == "a\nb\n"

    def broken():
        yield "c"
        raise RecordError("no")

    with pytest.raises(RecordError):
        save_lines(path, broken())
    assert path.read_text("utf-8") == "a\nb\n"
    assert list(tmp_path.iterdir()) == [path]
    with pytest.raises(RecordError, match="cannot be written"):
        save_lines(tmp_path / "nowhere" / "x", ["a"])
