"""What becomes of the bottom, against plain loops over the rows."""

from statistics import fmean

import pytest
from make_run import make_rows, make_run, write_rows

from analysis.bottom import bottom_odds, trump_groups
from analysis.labels import ANY, multiplier_names
from analysis.load import AnalysisError, open_runs
from analysis.ranges import most_multiplier
from kernels.codes import HAND_CARDS
from sim.referee.score import read_level_table
from sim.task import make_task


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    folder, rows = make_run(tmp_path_factory.mktemp("bottom") / "run", 4000)
    names = rows.dtype.names
    return open_runs(folder), [
        dict(zip(names, row, strict=True)) for row in rows.tolist()
    ]


def naive(rows, of, rules):
    """name -> value for the deals of one row of the table, one by one."""
    captured = [row for row in rows if row["captured"]]
    told = {
        "share of deals": len(rows) / of,
        "capture rate": len(captured) / len(rows),
        "mean points given away": fmean(
            row["buried_points"] * row["multiplier"] if row["captured"] else 0
            for row in rows
        ),
    }
    winner = result = 0
    for row in rows:
        lost = read_level_table(rules, row["trick_points"] + row["penalty_points"])
        side = "attackers" if row["side"] else "declarers"
        winner += lost.side != side
        result += (lost.side, lost.levels) != (side, row["levels"])
    told["winner changed"] = winner / len(rows)
    told["result changed"] = result / len(rows)
    for factor in {row["multiplier"] for row in captured}:
        hits = sum(row["multiplier"] == factor for row in captured)
        told[f"multiplier {factor}"] = hits / len(captured)
    return told


def check(frame, rows, rules):
    for points in {row["buried_points"] for row in rows} | {ANY}:
        mine = [row for row in rows if points in (ANY, row["buried_points"])]
        got = frame[frame["buried_points"] == points].set_index("name")
        want = naive(mine, len(rows), rules)
        if points == ANY:
            del want["share of deals"]
        assert set(want) <= set(got.index)
        captured = sum(row["captured"] for row in mine)
        for name, it in got.iterrows():
            if name.startswith("multiplier"):
                assert it["n"] == captured
                if not captured:
                    continue
            else:
                assert it["n"] == (len(rows) if name.startswith("share") else len(mine))
            assert it["value"] == pytest.approx(want.get(name, 0)), (points, name)
            assert it["low"] <= it["value"] <= it["high"]


def test_whole_run(made):
    run, rows = made
    frame = bottom_odds(run)
    check(frame, rows, run.rules.to_dict())
    assert list(frame.columns) == [
        *("name", "buried_points", "value", "low", "high", "n")
    ]
    shares = frame[frame["name"] == "share of deals"]
    assert shares["value"].sum() == pytest.approx(1)
    multipliers = frame[frame["name"].isin(multiplier_names(frame["name"]))]
    for _, part in multipliers.groupby(multipliers["buried_points"].astype(str)):
        if part["n"].iloc[0]:
            assert part["value"].sum() == pytest.approx(1)


def test_apart_for_jokers(made):
    run, rows = made
    frame = bottom_odds(run, "jokers")
    assert set(frame["declarer_jokers"]) == {row["declarer_jokers"] for row in rows}
    for jokers in set(frame["declarer_jokers"]):
        part = frame[frame["declarer_jokers"] == jokers]
        mine = [row for row in rows if row["declarer_jokers"] == jokers]
        check(part, mine, run.rules.to_dict())


def test_apart_for_trumps(made):
    run, rows = made
    frame = bottom_odds(run, "trumps")
    deals = 0
    for low, high in trump_groups(2):
        part = frame[frame["declarer_trumps"] == f"{low}-{high}"]
        mine = [row for row in rows if low <= row["declarer_trumps"] <= high]
        check(part, mine, run.rules.to_dict())
        deals += len(mine)
    assert deals == len(rows)


@pytest.mark.parametrize("decks", HAND_CARDS)
def test_trump_groups_leave_no_hand_out(decks):
    covered = [n for low, high in trump_groups(decks) for n in range(low, high + 1)]
    assert covered == list(range(HAND_CARDS[decks] + 1))


def test_other_splits_are_refused(made):
    with pytest.raises(AnalysisError, match="allowed: trumps, jokers"):
        bottom_odds(made[0], "level")


def test_few_deals_carry_wide_intervals(tmp_path):
    task = make_task(level="2")
    rows = make_rows(task, 12)
    rows["captured"], rows["multiplier"], rows["buried_points"] = 0, 0, 10
    rows["captured"][0], rows["multiplier"][0] = 1, 4
    rows["buried_points"][:2] = 0
    run = open_runs(write_rows(tmp_path / "few", task, rows))
    frame = bottom_odds(run)
    tens = frame[frame["buried_points"] == 10].set_index("name")
    assert tens.loc["capture rate", "value"] == 0
    assert tens.loc["capture rate", "high"] > 0.25
    assert tens.loc["mean points given away", "high"] == pytest.approx(
        10 * most_multiplier(run.rules) * tens.loc["capture rate", "high"]
    )
    # Nothing buried gives nothing away, whoever wins.
    none = frame[frame["buried_points"] == 0].set_index("name")
    assert tuple(none.loc["mean points given away"][["low", "high"]]) == (0, 0)


def test_no_bottom_captured(tmp_path):
    task = make_task(level="2")
    rows = make_rows(task, 8)
    rows["captured"], rows["multiplier"] = 0, 0
    frame = bottom_odds(open_runs(write_rows(tmp_path / "none", task, rows)))
    assert multiplier_names(frame["name"]) == []
    assert (frame[frame["name"] == "capture rate"]["value"] == 0).all()
    # That may be luck: points given away are 0 so far, not for certain.
    given = frame[frame["name"] == "mean points given away"].iloc[-1]
    assert given["value"] == 0
    assert given["high"] > 0
