"""The distribution of results against plain loops over the rows."""

from statistics import fmean

import numpy as np
import pytest
from make_run import make_rows, make_run, write_rows

from analysis.estimate import proportion
from analysis.labels import GROUP_COLUMNS, is_outcome, label, result_label
from analysis.levels import level_distribution
from analysis.load import AnalysisError, open_runs
from analysis.ranges import total_range
from sim.task import make_task


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    folder, rows = make_run(tmp_path_factory.mktemp("levels") / "run", 4000)
    return open_runs(folder), [
        dict(zip(rows.dtype.names, row, strict=True)) for row in rows.tolist()
    ]


def naive(rows):
    """name -> value, from the rows one by one."""
    told = {}
    for row in rows:
        side = "declarers" if row["side"] == 0 else "attackers"
        name = f"{side} +{row['levels']}"
        name = "take over +0" if name == "attackers +0" else name
        told[name] = told.get(name, 0) + 1 / len(rows)
    told["take-over rate"] = fmean(row["side"] == 1 for row in rows)
    told["mean total"] = fmean(row["total"] for row in rows)
    told["mean trick points"] = fmean(row["trick_points"] for row in rows)
    told["mean bottom points"] = fmean(
        row["buried_points"] * row["multiplier"] for row in rows
    )
    for side, name in enumerate(("declarers", "attackers")):
        told[f"mean levels gained by the {name}"] = fmean(
            row["levels"] if row["side"] == side else 0 for row in rows
        )
    return told


def check(frame, rows):
    want = naive(rows)
    got = frame.set_index("name")
    assert set(want) <= set(got.index)
    for name, row in got.iterrows():
        assert row["value"] == pytest.approx(want.get(name, 0)), name
        assert row["low"] <= row["value"] <= row["high"]
        assert row["n"] == len(rows)


def test_whole_run(made):
    run, rows = made
    frame = level_distribution(run)
    assert list(frame.columns) == ["name", "value", "low", "high", "n"]
    check(frame, rows)
    shares = frame[frame["name"].map(is_outcome)]
    assert shares["value"].sum() == pytest.approx(1)
    for row in shares.itertuples():
        hits = round(row.value * len(rows))
        assert (row.low, row.high) == proportion(hits, len(rows))[1:3]


@pytest.mark.parametrize("by", ["level", "trump", "bid_kind", "captured", "bidder"])
def test_apart_for_a_column(made, by):
    run, rows = made
    frame = level_distribution(run, by)
    values = sorted({row[by] for row in rows})
    assert list(dict.fromkeys(frame[by])) == [label(by, value) for value in values]
    for value in values:
        part = frame[frame[by] == label(by, value)].drop(columns=by)
        check(part, [row for row in rows if row[by] == value])
        assert list(part["name"]) == list(frame["name"].unique())


def test_every_column_that_may_split_does(made):
    for column in GROUP_COLUMNS:
        frame = level_distribution(made[0], column)
        total = frame[frame["name"] == "take-over rate"]["n"].sum()
        assert total == made[0].deals, column


def test_short_names(made):
    for short, column in (("jokers", "declarer_jokers"), ("bid", "bid_kind")):
        assert column in level_distribution(made[0], short).columns


@pytest.mark.parametrize("by", ["total", "deal_index", "side", "colour", ""])
def test_columns_that_cannot_split(made, by):
    with pytest.raises(AnalysisError, match=r"cannot split by .*allowed: bid, call"):
        level_distribution(made[0], by)


def test_results_of_the_table_stand_even_where_they_did_not_occur(tmp_path):
    task = make_task("menghuan", level="2")
    rows = make_rows(task, 3)
    run = open_runs(write_rows(tmp_path / "few", task, rows))
    frame = level_distribution(run).set_index("name")
    names = [name for name in frame.index if is_outcome(name)]
    assert names == [
        *(f"declarers +{n}" for n in range(6, 0, -1)),
        "take over +0",
        *(f"attackers +{n}" for n in range(1, 7)),
    ]
    absent = frame.loc["attackers +6"]
    assert (absent["value"], absent["low"]) == (0, 0)
    assert absent["high"] == pytest.approx(0.5615, abs=1e-4)


def test_an_uncapped_table_is_listed_as_far_as_it_went(tmp_path):
    task = make_task("bianfeng", level="2")
    rows = make_rows(task, 50)
    rows["side"][0], rows["levels"][0], rows["total"][0] = 1, 9, 450
    run = open_runs(write_rows(tmp_path / "far", task, rows))
    names = set(level_distribution(run)["name"])
    assert {f"attackers +{n}" for n in range(1, 10)} <= names
    assert "attackers +10" not in names


def test_labels():
    assert [label("level", n) for n in (2, 10, 11, 14, 15)] == "2 10 J A joker".split()
    assert label("trump", 4) == "NT"
    assert label("bid_kind", 0) == "none"
    assert label("bidder", -1) == "nobody"
    assert label("tricks", np.int64(19)) == 19
    assert result_label(0, 3) == "declarers +3"
    assert result_label(1, 0) == "take over +0"
    assert result_label(1, 2) == "attackers +2"
    with pytest.raises(ValueError, match="level 16"):
        label("level", 16)


def test_what_a_few_deals_have_not_shown_stays_open(tmp_path):
    """Five deals that the declarers won do not say that attackers never gain."""
    task = make_task("menghuan", level="2")
    rows = make_rows(task, 5)
    rows["side"], rows["levels"], rows["total"] = 0, 1, 50
    run = open_runs(write_rows(tmp_path / "few", task, rows))
    frame = level_distribution(run).set_index("name")
    attackers = frame.loc["mean levels gained by the attackers"]
    assert (attackers["value"], attackers["low"]) == (0, 0)
    assert attackers["high"] == pytest.approx(6 * proportion(0, 5).high)
    total = frame.loc["mean total"]
    assert total["low"] < 50 < total["high"] < total_range(run.rules)[1]
