"""Counting rows, and refusing what must not be counted."""

import json

import numpy as np
import pandas as pd
import pyarrow.parquet as pq
import pytest
from make_run import make_rows, make_run, write_rows

from analysis import counts, load
from analysis.load import AnalysisError, batches, count, frame, open_runs
from sim import parts
from sim.seal import SEAL
from sim.task import make_task

COLUMNS = ["side", "levels", "captured"]


def first_part(folder):
    return min(folder.glob("part-*.parquet"))


def test_counts_are_those_of_the_rows(tmp_path):
    folder, rows = make_run(tmp_path / "run", 3000)
    got = count(open_runs(folder), COLUMNS)
    want = pd.DataFrame({name: rows[name].astype(np.int64) for name in COLUMNS})
    want = want.value_counts(sort=False).sort_index().rename("deals").reset_index()
    pd.testing.assert_frame_equal(got, want)
    assert got["deals"].sum() == 3000


def test_batches_and_folding_change_nothing(tmp_path, monkeypatch):
    run = open_runs(make_run(tmp_path / "run", 2000, parts=3)[0])
    whole = count(run, ["total", "buried_points"])
    monkeypatch.setattr(load, "BATCH_ROWS", 70)
    monkeypatch.setattr(counts, "FOLD_ROWS", 100)
    pd.testing.assert_frame_equal(count(run, ["total", "buried_points"]), whole)
    assert max(len(batch) for batch in batches(run, ["side"])) <= 70


def test_frame_holds_the_rows(tmp_path):
    folder, rows = make_run(tmp_path / "run", 500)
    run = open_runs(folder)
    whole = frame(run)
    assert list(whole.columns) == list(rows.dtype.names)
    for name in rows.dtype.names:
        assert (whole[name].to_numpy() == rows[name]).all(), name
    assert list(frame(run, ["total"]).columns) == ["total"]


def test_folders_of_one_task_count_together(tmp_path):
    folder, _ = make_run(tmp_path / "a", 400)
    more, _ = make_run(tmp_path / "b", 300, start=400)
    run = open_runs([more, folder])
    assert run.deals == 700
    assert [part.span.start for part in run.parts] == [0, 200, 400, 550]
    assert run.describe().endswith("seed 1 · 700 deals")


def test_deals_never_count_twice(tmp_path):
    folder, _ = make_run(tmp_path / "a", 400)
    more, _ = make_run(tmp_path / "b", 300, start=399)
    with pytest.raises(AnalysisError, match=r"deals 399 to 399 would count twice"):
        open_runs([folder, more])
    with pytest.raises(AnalysisError, match="a is named twice"):
        open_runs([folder, folder])


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ({"seed": 2}, "seed 1 and 2"),
        ({"level": "J"}, "level all and 11"),
        ({"first_deal": True}, "mode later and first"),
        ({"policy": "random"}, "policies "),
        ({"variant": "bianfeng"}, "variant menghuan and bianfeng; rules.bid.when"),
    ],
)
def test_different_tasks_are_told_apart(tmp_path, settings, told):
    folder, _ = make_run(tmp_path / "a", 20)
    other, _ = make_run(tmp_path / "b", 20, start=20, **settings)
    with pytest.raises(AnalysisError, match="different tasks") as caught:
        open_runs([folder, other])
    assert told in str(caught.value)
    assert len(str(caught.value)) < 600


def test_a_cut_off_part(tmp_path):
    folder, _ = make_run(tmp_path / "run", 200)
    path = first_part(folder)
    path.write_bytes(path.read_bytes()[:-100])
    with pytest.raises(AnalysisError, match="is truncated or damaged"):
        open_runs(folder)


def test_a_part_of_another_run(tmp_path):
    folder, _ = make_run(tmp_path / "a", 200)
    other, _ = make_run(tmp_path / "b", 200, seed=2)
    path = first_part(folder)
    path.write_bytes(first_part(other).read_bytes())
    with pytest.raises(AnalysisError, match="belongs to another task"):
        open_runs(folder)


def test_a_foreign_parquet_file(tmp_path):
    folder, _ = make_run(tmp_path / "run", 200)
    pd.DataFrame({"x": [1]}).to_parquet(folder / "mine.parquet")
    with pytest.raises(AnalysisError, match="is not a part of this run"):
        open_runs(folder)
    (folder / "mine.parquet").rename(first_part(folder))
    with pytest.raises(AnalysisError, match="belongs to another task"):
        open_runs(folder)


@pytest.mark.parametrize("stop", ["000000000200", "000000000300"])
def test_a_renamed_part(tmp_path, stop):
    folder, _ = make_run(tmp_path / "run", 200, parts=1)
    first_part(folder).rename(folder / f"part-000000000100-{stop}.parquet")
    with pytest.raises(AnalysisError, match="does not hold the deals that its name"):
        open_runs(folder)


def test_rows_out_of_order(tmp_path):
    """The footer, which is all that opening a run reads, says nothing of it."""
    task = make_task(level="all")
    rows = make_rows(task, 200)
    rows[100:102] = rows[[101, 100]]
    folder = write_rows(tmp_path / "run", task, rows)
    with pytest.raises(AnalysisError, match="each of the deals 0 to 199 once"):
        count(open_runs(folder), COLUMNS)


def test_another_version_of_the_columns(tmp_path, monkeypatch):
    folder, _ = make_run(tmp_path / "run", 20)
    monkeypatch.setattr(parts, "SCHEMA_VERSION", 999)
    with pytest.raises(AnalysisError, match="this program reads version 999"):
        open_runs(folder)


def test_damaged_rows_behind_a_whole_footer(tmp_path):
    folder, _ = make_run(tmp_path / "run", 2000, parts=1)
    path = first_part(folder)
    data = bytearray(path.read_bytes())
    footer = pq.read_metadata(path).serialized_size + 8 + SEAL
    for place in range(4, len(data) - footer):
        data[place] = 0xFF
    path.write_bytes(data)
    with pytest.raises(AnalysisError, match="is damaged"):
        count(open_runs(folder), COLUMNS)


def test_a_changed_byte_never_changes_a_number(tmp_path):
    """Wherever a byte of the rows is damaged: they are refused, or read as they were.

    Without checksums about half of such damages give other numbers, silently.
    """
    folder, _ = make_run(tmp_path / "run", 2000, parts=1)
    path = first_part(folder)
    whole = path.read_bytes()
    want = frame(open_runs(folder))
    rows_end = len(whole) - pq.read_metadata(path).serialized_size - 8
    refused = 0
    places = np.random.default_rng(1).integers(4, rows_end, 150)
    for place in places:
        data = bytearray(whole)
        data[place] ^= 0x10
        path.write_bytes(data)
        try:
            pd.testing.assert_frame_equal(frame(open_runs(folder)), want)
        except AnalysisError:
            refused += 1
    assert refused > 0.9 * len(places)


@pytest.mark.parametrize("name", load.CODES)
def test_values_that_no_deal_has(tmp_path, name):
    task = make_task(level="all")
    rows = make_rows(task, 20)
    value = -9 if name.endswith("_kinds") else 99
    rows[name][7] = value
    folder = write_rows(tmp_path / "run", task, rows)
    with pytest.raises(AnalysisError, match=f"is damaged: {name} {value} is"):
        count(open_runs(folder), [name])


def test_other_columns_than_ours(tmp_path):
    folder, _ = make_run(tmp_path / "run", 20, parts=1)
    path = first_part(folder)
    table = pq.read_table(path)
    keys = pq.read_metadata(path).metadata
    names = ["x" if name == "trump" else name for name in table.column_names]
    renamed = table.rename_columns(names).replace_schema_metadata(keys)
    pq.write_table(renamed, path)
    with pytest.raises(AnalysisError, match="is truncated or damaged"):
        open_runs(folder)


def test_what_is_no_run(tmp_path):
    with pytest.raises(AnalysisError, match="there is no folder"):
        open_runs(tmp_path / "nowhere")
    with pytest.raises(AnalysisError, match=r"has no task\.json"):
        open_runs(tmp_path)
    with pytest.raises(AnalysisError, match="no run folder given"):
        open_runs([])
    (tmp_path / "task.json").write_text("{", "utf-8")
    with pytest.raises(AnalysisError, match="is not a task that shengji wrote"):
        open_runs(tmp_path)


@pytest.mark.parametrize("key", load.IDENTITY)
def test_an_edited_task_is_not_believed(tmp_path, key):
    folder, _ = make_run(tmp_path / "run", 20)
    path = folder / "task.json"
    document = json.loads(path.read_text("utf-8"))
    told = "columns of version 99" if key == "schema_version" else "was edited"
    document["task"][key] = 99
    path.write_text(json.dumps(document), "utf-8")
    if key == "variant":  # a name only, and shown only when it is one
        told = "its variant 99 is no name"
    with pytest.raises(AnalysisError, match=told):
        open_runs(folder)
    del document["task"][key]
    path.write_text(json.dumps(document), "utf-8")
    with pytest.raises(AnalysisError):
        open_runs(folder)


def test_a_run_without_deals(tmp_path):
    folder, _ = make_run(tmp_path / "run", 20, parts=1)
    first_part(folder).unlink()
    with pytest.raises(AnalysisError, match="holds no deals yet"):
        open_runs(folder)


def test_a_part_being_written_is_left_alone(tmp_path):
    folder, _ = make_run(tmp_path / "run", 20)
    (folder / "part-000000000020.parquet.tmp").write_bytes(b"half")
    assert open_runs(folder).deals == 20


def test_the_rules_that_were_played(tmp_path):
    run = open_runs(make_run(tmp_path / "run", 20, variant="bianfeng")[0])
    assert run.rules == make_task("bianfeng").rules


def test_a_run_says_under_what_it_holds(tmp_path):
    task = make_task("bianfeng", level="J", first_deal=True, policy="textbook,random")
    folder = write_rows(tmp_path / "run", task, make_rows(task, 1500))
    assert open_runs(folder).describe() == (
        "bianfeng · level J · first deals · policies textbook (seats 0, 2) against "
        "random · seed 1 · 1,500 deals"
    )


def test_a_run_says_what_is_of_its_own(tmp_path):
    """A variant and a policy of one's own are never headed as if they were not."""
    variant, policy = tmp_path / "mine.toml", tmp_path / "bold.toml"
    variant.write_text('base = "menghuan"\nthrow_follow = "shape"\n')
    policy.write_text('base = "textbook"\nbid_score = 110\n')
    task = make_task(str(variant), policy=str(policy))
    folder = write_rows(tmp_path / "run", task, make_rows(task, 10))
    assert open_runs(folder).describe() == (
        "menghuan with throw_follow shape · level 2 · later deals · "
        "policy textbook with bid_score 110 · seed 1 · 10 deals"
    )


def test_one_deal_is_no_deals(tmp_path):
    folder, _ = make_run(tmp_path / "run", 1, parts=1)
    assert open_runs(folder).describe().endswith("seed 1 · 1 deal")


def test_task_json_is_what_the_store_writes(tmp_path):
    """The keys that the loader reads are there, under the names it reads."""
    folder, _ = make_run(tmp_path / "run", 20)
    document = json.loads((folder / "task.json").read_text("utf-8"))
    assert set(document["task"]) == set(load.IDENTITY)
