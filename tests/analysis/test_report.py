"""Text and JSON: the digits, the columns, and what every table must say."""

import json
import math

import pytest
from make_run import make_run

from analysis import report
from analysis.bottom import bottom_odds
from analysis.estimate import UNKNOWN, Estimate
from analysis.levels import level_distribution
from analysis.load import open_runs
from analysis.scoring import compare_scorings, scorings
from analysis.tables import decimals, interval_column, number, percent, plain, table


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    return open_runs(make_run(tmp_path_factory.mktemp("report") / "run", 3000)[0])


def frames(run):
    both = scorings(run, ["menghuan", "bianfeng"], ["linear", "power/winner"])
    return {
        "levels": level_distribution(run),
        "levels by level": level_distribution(run, "level"),
        "compare": compare_scorings(run, both),
        "bottom": bottom_odds(run),
        "bottom by trumps": bottom_odds(run, "trumps"),
    }


@pytest.mark.parametrize(
    ("value", "low", "high", "shown"),
    [
        (40.912, 40.69, 41.131, ("40.91", "[40.69, 41.13]")),
        (44.9, 39.7, 50.4, ("45", "[40, 50]")),
        (0.0123, 0.007, 0.018, ("0.012", "[0.007, 0.018]")),
        (0.0, -0.0014, 0.0014, ("0.0000", "[-0.0014, 0.0014]")),
        (-0.00001, -0.2, 0.2, ("0.00", "[-0.20, 0.20]")),
        (7.0, 7.0, 7.0, ("7.00", "[7.00, 7.00]")),
        (3.0, math.nan, math.nan, ("3.00", "unknown")),
        (*UNKNOWN[:3], ("-", "no deals")),
    ],
)
def test_digits_follow_the_interval(value, low, high, shown):
    assert plain(Estimate(value, low, high, 9)) == shown


def test_percent():
    assert percent(Estimate(0.5, 0.25, 0.75, 4)) == ("50", "[25, 75]")


def test_rounding_never_hides_a_tenth_of_the_interval():
    for half in (0.00123, 0.0299, 0.0301, 0.5, 2.9, 3.1, 80):
        digits = decimals(Estimate(1, 1 - half, 1 + half, 9))
        assert 0.5 * 10**-digits <= half / 6 + 1e-12 or digits == 0


def test_number_has_no_negative_zero():
    assert number(-0.0004, 3) == "0.000"
    assert number(-0.0006, 3) == "-0.001"


def test_decimal_points_stand_below_each_other():
    cells = [("1.61", "[1, 2]"), ("40.9", "[40, 41]"), ("5", "[3, 7]")]
    title, lines = interval_column("rate", cells)
    assert title == "rate"
    assert lines == [" 1.61 [1, 2]  ", "40.9  [40, 41]", " 5    [3, 7]  "]


def test_table():
    columns = [("name", ["a", "long"]), ("n", ["1,000", "2"])]
    assert table(columns) == "name      n\na     1,000\nlong      2"
    assert table([("", ["a"]), ("", ["b"])]) == "a  b"


def test_json_has_one_shape(run):
    for name, frame in frames(run).items():
        rows = json.loads(report.as_json(frame))
        assert len(rows) == len(frame)
        for row in rows:
            assert list(row) == ["name", "by", "value", "low", "high", "n"]
            assert isinstance(row["n"], int)
            assert row["by"] is None or row["by"]
        assert (rows[0]["by"] is None) == (name == "levels"), name
    assert rows[0]["by"] == {"declarer_trumps": "0-7", "buried_points": 0}


def test_json_writes_the_unknown_as_null(tmp_path):
    run = open_runs(make_run(tmp_path / "run", 40)[0])
    told = json.loads(report.as_json(bottom_odds(run)))
    empty = [row for row in told if row["n"] == 0]
    assert empty  # somewhere nobody captured the richest bottoms
    assert all(row["value"] is row["low"] is row["high"] is None for row in empty)


def test_every_table_says_under_what_it_holds(run):
    found = frames(run)
    for text in (
        report.levels_text(run, found["levels"]),
        report.levels_text(run, found["levels by level"]),
        report.compare_text(run, found["compare"]),
        report.bottom_text(run, found["bottom"]),
        report.bottom_text(run, found["bottom by trumps"]),
    ):
        for word in ("menghuan", "all levels", "later deals", "textbook", "seed 1"):
            assert word in text.splitlines()[1]
        assert "3,000 deals" in text.splitlines()[1]
        assert "95 % intervals" in text
        assert "nan" not in text
        assert max(map(len, text.splitlines())) <= 125
        assert text == "\n".join(line.rstrip() for line in text.splitlines())


def test_bottom_says_what_it_is_not(run):
    text = report.bottom_text(run, bottom_odds(run))
    assert "not the effect\nof burying" in text


def test_levels_text_shows_each_result_and_its_deals(run):
    frame = level_distribution(run)
    lines = report.levels_text(run, frame).splitlines()
    (one,) = [line for line in lines if line.startswith("declarers +1")]
    share = frame.set_index("name").loc["declarers +1", "value"]
    assert one.split()[2] == f"{100 * share:.1f}"
    assert one.split()[-1] == f"{round(3000 * share):,}"


def test_groups_are_told_in_words(run):
    text = report.levels_text(run, level_distribution(run, "lead_kinds"))
    assert {"single", "pair", "tractor"} <= {
        line.split()[0] for line in text.splitlines() if line
    }
    assert "single + pair" in text
    assert "mean declarers' levels" in text
    text = report.levels_text(run, level_distribution(run, "trumps"))
    assert "\ndeclarer's trumps" in text
    assert "\ncall " in report.levels_text(run, level_distribution(run, "call"))
    text = report.bottom_text(run, bottom_odds(run, "jokers"))
    assert "% of deals: of the group's deals" in text
    assert "group's deals" not in report.bottom_text(run, bottom_odds(run))


def test_compare_text_names_what_is_kept(run):
    tables = scorings(run, ["menghuan", "bianfeng"])
    text = report.compare_text(run, compare_scorings(run, tables))
    assert "The same for all: multiplier linear/trick." in text
    assert text.count("minus menghuan") == 5
    alone = report.compare_text(run, compare_scorings(run, tables[:1]))
    assert "minus" not in alone


def test_print_level_distribution(run, capsys):
    report.print_level_distribution(run.folders[0])
    printed = capsys.readouterr().out
    assert printed == report.levels_text(run, level_distribution(run)) + "\n"
