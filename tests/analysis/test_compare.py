"""Scoring the same deals again: against plain loops and the referee's level tables."""

import math
from statistics import fmean, stdev

import numpy as np
import pytest
from make_run import make_rows, make_run, write_rows

from analysis.labels import (
    ATTACKERS_LEVELS,
    DECLARERS_LEVELS,
    DIFFERENCE,
    SCORING_MEASURES,
    TAKE_OVER_RATE,
)
from analysis.load import AnalysisError, open_runs
from analysis.scoring import compare_scorings, score, scorings
from kernels.codes import HAS_PAIR, HAS_QUAD_RUN, HAS_SINGLE, HAS_TITANIC, HAS_TRACTOR
from sim.referee.score import read_level_table
from sim.rules import RulesError, load_rules
from sim.task import make_task

OWN = """\
base = "menghuan"
level_table = [
    [0, "declarers", 9], [60, "declarers", 1], [100, "attackers", 0],
    [150, "attackers", 4],
]
[bottom]
read_from = "winner"
[bottom.table]
single = 3
pair = 1
triple = 1
quad = 1
tractor = [10, 20]
titanic = [1]
quad_run = [1]
"""


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    folder, rows = make_run(tmp_path_factory.mktemp("compare") / "run", 2000)
    names = rows.dtype.names
    return open_runs(folder), [
        dict(zip(names, row, strict=True)) for row in rows.tolist()
    ]


@pytest.fixture
def own(tmp_path):
    path = tmp_path / "own.toml"
    path.write_text(OWN, "utf-8")
    return str(path)


def naive_multiplier(multiplier, row):
    """RULES.md section 7 from a row's facts, for each way of telling it."""
    scheme, _, read_from = multiplier.partition("/")
    kinds, run = row["lead_kinds"], row["lead_run"]
    if read_from == "winner" or scheme == "own.toml":
        kinds, run = row["win_kinds"], row["win_run"]
    if scheme == "flat":
        return 2
    if scheme == "by_cards":
        return 2 * row["lead_cards"]
    if scheme == "own.toml":  # the highest present counts
        tractor = 10 if run == 2 else 20
        return max(
            3 if kinds & HAS_SINGLE else 0,
            1 if kinds & HAS_PAIR else 0,
            tractor if kinds & HAS_TRACTOR else 0,
        )
    if kinds & HAS_TRACTOR:
        return 4 * run if scheme == "linear" else 2 * 2**run
    return 4 if kinds & HAS_PAIR else 2


def naive(rows, table, multiplier):
    """(take-overs, declarers' levels, attackers' levels, signed, shut-outs) by deal."""
    rules = load_rules(table).to_dict()
    told = [[], [], [], [], []]
    for row in rows:
        factor = naive_multiplier(multiplier, row) if row["captured"] else 0
        total = row["trick_points"] + row["buried_points"] * factor
        result = read_level_table(rules, total)
        up = 0 if result.takes_over else result.levels
        down = result.levels if result.takes_over else 0
        values = (result.takes_over, up, down, up - down, total == 0)
        for column, value in zip(told, values, strict=True):
            column.append(value)
    return told


def check(frame, rows, table, multiplier, first, tables):
    """Compare the rows of one scoring with loops over the deals."""
    mine = frame[(frame["table"] == table) & (frame["multiplier"] == multiplier)]
    got = mine.set_index("name")["value"]
    want = naive(rows, tables[table], multiplier)
    base = naive(rows, tables[first[0]], first[1])
    for place, name in enumerate(SCORING_MEASURES):
        one, two = (stdev, stdev) if name == "spread of levels" else (fmean, fmean)
        assert got[name] == pytest.approx(one(want[place])), (name, table, multiplier)
        if (table, multiplier) != first:
            gap = one(want[place]) - two(base[place])
            assert got[name + DIFFERENCE] == pytest.approx(gap, abs=1e-12)
    assert (mine["n"] == len(rows)).all()
    assert (mine["low"] <= mine["value"]).all()
    assert (mine["value"] <= mine["high"]).all()


def test_tables(made, own):
    run, rows = made
    tables = {"menghuan": "menghuan", "bianfeng": "bianfeng", "own.toml": own}
    frame = compare_scorings(run, scorings(run, tables.values()))
    assert list(frame.columns) == [
        *("name", "table", "multiplier", "value", "low", "high", "n")
    ]
    for table in tables:
        first = ("menghuan", "linear/trick")
        check(frame, rows, table, "linear/trick", first, tables)


def test_multipliers(made, own):
    run, rows = made
    named = ["power/winner", "linear", "power", "flat", "by_cards", own]
    frame = compare_scorings(run, scorings(run, multipliers=named))
    listed = [
        *("power/winner", "linear/trick", "power/trick", "flat/trick"),
        *("by_cards", "own.toml"),
    ]
    assert list(dict.fromkeys(frame["multiplier"])) == listed
    tables = {"menghuan": "menghuan"}
    for multiplier in listed:
        first = ("menghuan", "power/winner")
        check(frame, rows, "menghuan", multiplier, first, tables)


def test_both_axes(made):
    run, rows = made
    tables = {"bianfeng": "bianfeng", "menghuan": "menghuan"}
    tried = scorings(run, ["bianfeng", "menghuan"], ["power", "linear/winner"])
    pairs = [(it.table, it.multiplier) for it in tried]
    assert pairs == [
        ("bianfeng", "power/trick"),
        ("bianfeng", "linear/winner"),
        ("menghuan", "power/trick"),
        ("menghuan", "linear/winner"),
    ]
    frame = compare_scorings(run, tried)
    for table, multiplier in pairs:
        check(frame, rows, table, multiplier, pairs[0], tables)


def test_paired_interval_is_that_of_the_differences_deal_by_deal(made):
    run, rows = made
    frame = compare_scorings(run, scorings(run, ["menghuan", "bianfeng"]))
    gaps = [
        new - old
        for old, new in zip(
            naive(rows, "menghuan", "linear/trick")[1],
            naive(rows, "bianfeng", "linear/trick")[1],
            strict=True,
        )
    ]
    name = "mean levels gained by the declarers" + DIFFERENCE
    got = frame[frame["name"] == name].iloc[0]
    width = 2 * 1.9612 * stdev(gaps) / math.sqrt(len(gaps))
    assert got["value"] == pytest.approx(fmean(gaps))
    # It leans as the differences do, which hardly changes how wide it is.
    assert got["high"] - got["low"] == pytest.approx(width, rel=0.01)


def test_own_rules_give_back_what_the_run_decided(tmp_path):
    for variant in ("menghuan", "bianfeng", "competition"):
        folder, rows = make_run(tmp_path / variant, 500, variant=variant)
        again = score(rows, open_runs(folder).rules)
        assert (again.totals == rows["total"]).all()
        assert (again.sides == rows["side"]).all()
        assert (again.levels == rows["levels"]).all()


def test_the_other_axis_stays_the_runs_own(tmp_path):
    run = open_runs(make_run(tmp_path / "run", 50, variant="bianfeng")[0])
    (tried, other) = scorings(run, ["menghuan", "bianfeng"])
    assert (tried.multiplier, tried.rules.bottom) == ("power/winner", run.rules.bottom)
    assert other.rules == run.rules
    # A scheme alone is read from the same cards as the run's own.
    (linear, power) = scorings(run, multipliers=["linear", "power"])
    assert (linear.table, linear.multiplier) == ("bianfeng", "linear/winner")
    assert power.rules == run.rules


def test_a_single_one_is_set_against_the_runs_own(made):
    run, _ = made
    tried = scorings(run, ["joker-bid"])
    assert [it.table for it in tried] == ["menghuan", "joker-bid"]
    assert len(scorings(run, ["menghuan"])) == 1
    frame = compare_scorings(run, scorings(run, ["menghuan"]))
    assert list(frame["name"]) == list(SCORING_MEASURES)


def test_identical_scorings_never_differ(made):
    run, _ = made
    # The two tables agree up to a total of 320, which these deals do not pass.
    frame = compare_scorings(run, scorings(run, ["bianfeng", "joker-bid"]))
    gaps = frame[frame["name"].str.endswith(DIFFERENCE)]
    assert (gaps["value"] == 0).all()
    assert (gaps["low"] < 0).all()
    assert (gaps["high"] > 0).all()
    # bianfeng has no cap: one unseen deal could gain as much as the largest total does.
    assert (gaps["high"] < 0.25).all()


@pytest.mark.parametrize(
    ("tables", "multipliers", "told"),
    [
        (["nope"], [], "unknown level table 'nope': name one of menghuan"),
        ([""], [], "unknown level table ''"),
        (["bianfeng", "bianfeng"], [], "table bianfeng is named twice"),
        ([], ["nope"], "unknown multiplier 'nope': name one of linear"),
        ([], ["linear/left"], "after / must stand trick or winner"),
        ([], ["linear", "linear/trick"], "multiplier linear/trick is named twice"),
        ([], [], "name at least one level table or multiplier"),
    ],
)
def test_names_that_mean_nothing(made, tables, multipliers, told):
    with pytest.raises(AnalysisError) as caught:
        scorings(made[0], tables, multipliers)
    assert told in str(caught.value)


def test_a_broken_file_of_ones_own(made, tmp_path):
    path = tmp_path / "bad.toml"
    path.write_text('base = "menghuan"\nlevel_tabel = "bianfeng"\n', "utf-8")
    with pytest.raises(RulesError, match="did you mean"):
        scorings(made[0], [str(path)])
    with pytest.raises(RulesError, match="cannot be read"):
        scorings(made[0], multipliers=[str(tmp_path / "none.toml")])


@pytest.mark.parametrize("decks", [2, 3, 4])
def test_what_fewer_decks_cannot_hold_is_not_counted_and_changes_nothing(
    tmp_path, decks
):
    task = make_task("bianfeng", decks=decks, level="all")
    rows = make_rows(task, 600)
    for wide, name, kind in ((3, "triples", HAS_TITANIC), (4, "quads", HAS_QUAD_RUN)):
        if decks >= wide:
            some = np.arange(600) % wide == 1
            rows[f"win_{name}"][some] = 2
            rows["win_kinds"][some] = kind
    run = open_runs(write_rows(tmp_path / "run", task, rows))
    tried = scorings(run, (), ("flat", "power/winner"))
    got = compare_scorings(run, tried).set_index(["name", "multiplier"])["value"]
    for scoring in tried:
        want = score(rows, scoring.rules)  # of every row, with all its facts
        shares = (want.take_over.mean(), want.declarers.mean(), want.attackers.mean())
        names = (TAKE_OVER_RATE, DECLARERS_LEVELS, ATTACKERS_LEVELS)
        for name, share in zip(names, shares, strict=True):
            assert got[name, scoring.multiplier] == pytest.approx(share, rel=1e-12)
