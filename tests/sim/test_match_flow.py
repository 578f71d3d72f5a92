"""Whole matches: a function of seed and number, from the first deal to the last."""

import json
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from sim.deal_flow import PlayError
from sim.driver import play
from sim.match_flow import play_block
from sim.policies.catalog import setting_codes
from sim.record import Recorder, write_record
from sim.referee.replay import verify_lines
from sim.rules import PRESETS, preset, resolve_rules
from sim.schema import DEAL_DTYPE, MATCHES, STEP_DTYPE
from sim.store import Span, Store, StoreError
from sim.task import match_task

TABLES = [(name, decks) for name in PRESETS for decks in preset(name).decks]


def played(task, matches: int, start: int = 0):
    return play_block(
        task.rules.codes(), *setting_codes(task.policies), task.seed, start, matches
    )


def saved(folder: Path, table: int) -> pa.Table:
    prefix = MATCHES.tables[table].prefix
    paths = sorted(folder.glob(f"{prefix}-*.parquet"))
    return pa.concat_tables(pq.read_table(path) for path in paths)


@pytest.mark.parametrize("policy", ["textbook", "random"])
@pytest.mark.parametrize(("variant", "decks"), TABLES)
def test_a_match_is_its_records(variant, decks, policy):
    """Rows and records tell the same, and the referee follows every match."""
    task = match_task(variant, policy=policy, seed=4, decks=decks)
    told, rows, steps = played(task, 2)
    recorder = Recorder(task)
    place = 0
    for match in range(2):
        records = [json.loads(write_record(it)) for it in recorder.match(match)]
        assert list(verify_lines(map(json.dumps, records))) == []
        assert told["deals"][match] == len(records)
        for deal, record in enumerate(records):
            row, step = rows[place], steps[place]
            place += 1
            assert (step["match"], step["deal"]) == (match, deal)
            assert (record["match"], record["deal"]) == (match, deal)
            for name, key in (
                ("level", "levels"),
                ("laps", "laps"),
                ("level_after", "levels_after"),
                ("laps_after", "laps_after"),
            ):
                assert [step[f"{name}_{seat}"] for seat in range(4)] == record[key]
            assert row["total"] == record["total"]
            assert row["declarer"] == record["declarer"]
        won = [seat for seat in range(4) if told["winners"][match] >> seat & 1]
        assert won == records[-1]["match_won"]
        assert told["first_declarer"][match] == records[0]["declarer"]
        assert [told[f"level_{s}"][match] for s in range(4)] == record["levels_after"]
    assert place == len(rows) == len(steps)


def test_same_matches_on_any_threads_and_blocks(tmp_path):
    task = match_task("bianfeng-friend", seed=9)
    want = played(task, 60)
    for threads, block in ((1, 60), (2, 7), (3, 1)):
        folder = tmp_path / f"{threads}-{block}"
        assert play(task, folder, 25, threads=threads, block=block).matches == 25
        assert play(task, folder, 60, threads=threads, block=block).matches == 35
        assert play(task, folder, 60).deals == 0
        document = json.loads((folder / "task.json").read_text("utf-8"))
        assert (document["matches"], document["deals"]) == (60, len(want.rows))
        sessions = document["sessions"]
        assert [it["matches"] for it in sessions] == [25, 35]
        assert sum(it["deals"] for it in sessions) == len(want.rows)
        deals, matches = saved(folder, 0), saved(folder, 1)
        for name in matches.column_names:
            assert np.array_equal(matches[name].to_numpy(), want.told[name]), name
        for name in deals.column_names:
            rows = want.steps if name in STEP_DTYPE.names else want.rows
            assert np.array_equal(deals[name].to_numpy(), rows[name]), name
        assert len(deals) == len(want.rows)
    assert set(DEAL_DTYPE.names) - {"deal_index"} <= set(deals.column_names)


def test_a_match_does_not_depend_on_the_matches_before_it():
    task = match_task("menghuan", seed=9)
    many, one = played(task, 8), played(task, 1, start=7)
    last = many.steps["match"] == 7
    assert np.array_equal(many.rows[last], one.rows)
    assert many.told[7] == one.told[0]


def test_more_matches_than_there_is_room_for(monkeypatch):
    """The rows grow; what does not fit is played again from its start."""
    task = match_task("pick-trump", seed=2)
    want = played(task, 12)
    monkeypatch.setattr("sim.match_flow.USUAL_DEALS", 3)
    got = played(task, 12)
    for before, after in zip(want, got, strict=True):
        assert np.array_equal(before, after)


def test_deals_without_their_matches_do_not_count(tmp_path):
    """A run killed between the two files of a part."""
    task = match_task("casual", seed=3)
    folder = tmp_path / "run"
    play(task, folder, 10)
    whole = {path.name: path.read_bytes() for path in folder.glob("*.parquet")}
    next(folder.glob("matches-*.parquet")).unlink()
    assert Store(folder, task).spans() == []
    mine = folder / "deals-of-mine.parquet"
    mine.write_text("somebody's own")
    with pytest.raises(StoreError, match="is not a part of this run"):
        play(task, folder, 10)
    assert mine.exists()
    mine.unlink()
    play(task, folder, 10)
    again = {path.name: path.read_bytes() for path in folder.glob("*.parquet")}
    assert again == whole
    assert Store(folder, task).spans() == [Span(0, 10)]


@pytest.mark.parametrize("after_ace", ["loop", "jokers", "end"])
@pytest.mark.parametrize("partners", ["fixed", "called"])
def test_stop_levels_laps_and_what_follows_ace(after_ace, partners):
    laps = 1 if after_ace == "end" else 2
    rules = resolve_rules(
        {
            "base": "bianfeng",
            "partners": partners,
            "match": {"after_ace": after_ace, "laps": laps, "stop_levels": [5, 10, 13]},
        }
    )
    task = match_task(rules, seed=6)
    told, _, steps = played(task, 20)
    won = np.stack([told[f"laps_{seat}"] for seat in range(4)]).max(axis=0)
    assert (won >= laps).all()
    before = np.concatenate([steps[f"level_{seat}"] for seat in range(4)])
    after = np.concatenate([steps[f"level_after_{seat}"] for seat in range(4)])
    assert (after == 15).any() == (after_ace == "jokers")
    for stop in (5, 10, 13):
        jumped = (before < stop) & (after > stop)
        assert not jumped.any()


def test_a_match_without_end_is_told():
    """Random players under rules that nobody wins soon."""
    rules = resolve_rules(
        {
            "base": "bianfeng",
            "level_table": [[0, "declarers", 0], [80, "attackers", 0]],
        }
    )
    with pytest.raises(PlayError, match="match 0 is not over after 10000 deals"):
        played(match_task(rules), 1)


def test_hundreds_of_levels_in_a_deal():
    """A table without a cap, and a bottom that counts thousands of times."""
    many = {"single": 50_000, "pair": 50_000, "triple": 50_000, "quad": 50_000}
    runs = {kind: [50_000] for kind in ("tractor", "titanic", "quad_run")}
    rules = resolve_rules(
        {
            "base": "menghuan",
            "level_table": [[0, "declarers", 1], [80, "attackers", 0]],
            "level_step": 5,
            "bottom": {"table": {**many, **runs}},
        }
    )
    told, rows, steps = played(match_task(rules), 20)
    won = rows["side"] == 1
    gained = (rows["total"][won] - 80) // 5
    assert gained.max() > 32_767
    assert np.array_equal(rows["levels"][won], gained)
    laps = np.stack([told[f"laps_{seat}"] for seat in range(4)])
    assert laps.min() >= 0
    assert laps.max() > 127
    assert (steps["laps_after_0"] >= steps["laps_0"]).all()
