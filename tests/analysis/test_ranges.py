"""What the rules leave possible bounds every interval, whatever else the run met."""

import numpy as np
import pytest
from make_run import make_rows, write_rows

from analysis import estimate, ranges
from analysis.bottom import bottom_odds
from analysis.labels import by_columns
from analysis.levels import level_distribution
from analysis.load import open_runs
from sim.rules import PRESETS, load_rules
from sim.task import make_task


def test_ranges_of_a_known_variant():
    rules = load_rules("menghuan")  # linear: 2 x 2 x 12 pairs
    assert ranges.most_multiplier(rules) == 48
    assert ranges.most_levels(rules) == (6, 6)
    assert ranges.total_range(rules)[1] >= 200 + 80 * 47


@pytest.mark.parametrize("variant", PRESETS)
def test_every_variant_has_ranges(variant):
    rules = load_rules(variant)
    for low, high in ranges.level_ranges(rules).values():
        assert low <= 0 < high
    assert not rules.level_step or ranges.most_levels(rules)[1] > 6


def test_a_mean_cannot_leave_its_range():
    it = estimate.mean(np.array([0, 6]), np.array([1, 1]), within=(0, 6))
    assert (it.value, it.low, it.high) == (3, 0, 6)
    gap = estimate.paired_mean(np.array([0, 6]), np.array([6, 0]), [1, 1], (-6, 6))
    assert (gap.value, gap.low, gap.high) == (0, -6, 6)
    # Half the deals at either end: no larger deviation is possible.
    apart = estimate.spread(np.array([-6, 6, 0]), np.array([2, 2, 1]), within=(-6, 6))
    assert 0 <= apart.low <= apart.value <= apart.high <= max(6, apart.value)


def rarer(tmp_path, deals: int):
    """Three deals on a jack, alike, among `deals` on a two which are all over."""
    task = make_task(level="all")
    rows = make_rows(task, deals)
    rows["level"] = 2
    rows[1:4] = make_rows(task, 20)[1]
    rows["level"][1:4] = 11
    rows["deal_index"] = np.arange(deals)
    return open_runs(write_rows(tmp_path / str(deals), task, rows))


def test_a_group_of_deals_that_agree_does_not_depend_on_the_others(tmp_path):
    first, second = (
        level_distribution(rarer(tmp_path, deals), "level") for deals in (20, 4000)
    )
    first, second = (
        it[it["level"] == "J"].set_index("name")[["value", "low", "high", "n"]]
        for it in (first, second)
    )
    means = [name for name in first.index if name.startswith("mean")]
    assert first.loc[means].equals(second.loc[means])
    assert (first["low"] < first["high"]).all()


def test_tiny_groups_stay_within_what_is_possible(tmp_path):
    task = make_task(level="all")
    run = open_runs(write_rows(tmp_path / "run", task, make_rows(task, 30)))
    frame = level_distribution(run, "level")
    assert by_columns(frame) == ["level"]
    for name, (low, high) in ranges.level_ranges(run.rules).items():
        rows = frame[frame["name"] == name]
        assert (rows["low"] >= low).all()
        assert (rows["high"] <= high).all()
    odds = bottom_odds(run)
    given = odds[odds["name"] == "mean points given away"]
    assert (given["low"] >= 0).all()
    for row in given[given["buried_points"] != "any"].itertuples():
        assert row.high <= row.buried_points * ranges.most_multiplier(run.rules)
