"""Whole matches measured: against sums made by hand; how often intervals hold."""

import json
import math
from functools import reduce
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner

from analysis.estimate import (
    Sums,
    paired_ratio,
    quantile,
    ratio,
    ratio_of,
    student_quantile,
    sums_of,
)
from analysis.labels import (
    ATTACKERS_LEVELS,
    CAPTURE_RATE,
    DEALS_A_MATCH,
    DEALS_AT_LEVEL,
    DIFFERENCE,
    FIRST_DECLARER_WINS,
    LENGTH_SHARE,
    MOVES,
    SHARE_AT_LEVEL,
    TAKE_OVER_RATE,
    level_label,
)
from analysis.load import AnalysisError, open_runs
from analysis.match_scoring import compare_matches, survey, table_rules
from analysis.matches import match_distribution
from cli import cli
from sim.driver import play
from sim.task import make_task, match_task

MATCHES = 120


@pytest.fixture(scope="module", params=["menghuan", "bianfeng-friend"])
def made(request, tmp_path_factory):
    """A run of matches in two parts, and its tables as they lie on the disk."""
    folder = tmp_path_factory.mktemp("matches") / request.param
    task = match_task(request.param, seed=5)
    play(task, folder, 50)
    play(task, folder, MATCHES)
    tables = [
        pd.concat(pd.read_parquet(it) for it in sorted(folder.glob(f"{name}-*")))
        for name in ("deals", "matches")
    ]
    return open_runs(folder), *tables


def one(frame: pd.DataFrame, name: str, **where: object) -> pd.Series:
    rows = frame[frame["name"] == name]
    for key in ("deals", "seat", "level", "to", "side"):
        wanted = where.get(key)
        rows = rows[rows[key].isna() if wanted is None else rows[key] == wanted]
    assert len(rows) == 1, (name, where)
    return rows.iloc[0]


def test_values(made):
    run, deals, matches = made
    frame = match_distribution(run)
    assert one(frame, DEALS_A_MATCH)["value"] == matches["deals"].mean()
    assert one(frame, TAKE_OVER_RATE)["value"] == pytest.approx(deals["side"].mean())
    assert one(frame, CAPTURE_RATE)["value"] == pytest.approx(deals["captured"].mean())
    gained = deals["levels"].where(deals["side"] == 1, 0)
    assert one(frame, ATTACKERS_LEVELS)["value"] == pytest.approx(gained.mean())
    won = matches["winners"] // 2 ** matches["first_declarer"] % 2
    assert one(frame, FIRST_DECLARER_WINS)["value"] == won.mean()
    assert set(frame["n"]) <= set(range(1, MATCHES + 1))
    lengths = frame[frame["name"] == LENGTH_SHARE]
    assert lengths["value"].sum() == pytest.approx(1)
    for level, spent in deals.groupby("level"):
        word = level_label(level)
        row = one(frame, DEALS_AT_LEVEL, level=word)
        assert row["value"] == len(spent) / MATCHES
        share = one(frame, SHARE_AT_LEVEL, level=word)
        assert share["value"] == pytest.approx(len(spent) / len(deals))


def test_moves(made):
    """By going through the deals one by one."""
    run, deals, _ = made
    frame = match_distribution(run)
    called = run.rules.partners == "called"
    counts: dict[tuple, int] = {}
    for deal in deals.to_dict("records"):
        attacker = (deal["declarer"] + 1) % 4
        if called and attacker == deal["friend"]:
            attacker = (attacker + 1) % 4
        for side, seat in (("declarers", deal["declarer"]), ("attackers", attacker)):
            move = (side, deal[f"level_{seat}"], deal[f"level_after_{seat}"])
            counts[move] = counts.get(move, 0) + 1
    moves = frame[frame["name"] == MOVES]
    assert len(moves) == len(counts)
    for (side, begin, end), number in counts.items():
        begun = sum(n for (s, b, _), n in counts.items() if (s, b) == (side, begin))
        row = one(
            frame, MOVES, side=side, level=level_label(begin), to=level_label(end)
        )
        assert row["value"] == pytest.approx(number / begun)
        assert 0 <= row["low"] <= row["value"] <= row["high"] <= 1


def test_single_deals_are_refused(tmp_path):
    play(make_task(policy="random"), tmp_path / "deals", 10)
    with pytest.raises(AnalysisError, match="holds single deals, not whole matches"):
        match_distribution(open_runs(tmp_path / "deals"))


def test_matches_are_refused_where_deals_are_wanted(made):
    run = made[0]
    for words in (
        ("levels", run.folders[0]),
        ("bottom", run.folders[0]),
        ("compare", run.folders[0], "--tables", "menghuan,bianfeng"),
    ):
        result = CliRunner().invoke(cli, list(map(str, words)))
        assert result.exit_code == 2
        assert "measure it with `shengji levels --matches`" in result.output


def test_a_changed_number_of_deals_is_noticed(tmp_path):
    folder = tmp_path / "run"
    play(match_task("casual"), folder, 5)
    run = open_runs(folder)
    path = next(folder.glob("matches-*"))
    table = pq.read_table(path)
    metadata = pq.read_metadata(path).metadata
    deals = table["deals"].to_numpy().copy()
    deals[2] += 1
    place = table.schema.get_field_index("deals")
    field = table.schema.field("deals")
    table = table.set_column(place, field, [deals.astype(np.int32)])
    table = table.replace_schema_metadata(metadata)
    pq.write_table(table, path, write_statistics=True)
    with pytest.raises(AnalysisError, match="its matches have other deals than"):
        match_distribution(run)


def test_tables_side_by_side(tmp_path):
    found = table_rules("menghuan", ["menghuan", "bianfeng"])
    runs = []
    for name, rules in found:
        play(match_task(rules), tmp_path / name, 80)
        runs.append((name, open_runs(tmp_path / name)))
    frame = compare_matches(runs)
    value = frame.set_index(["name", "table"])["value"]
    for name in (TAKE_OVER_RATE, DEALS_A_MATCH, FIRST_DECLARER_WINS):
        gap = value[name, "bianfeng"] - value[name, "menghuan"]
        assert value[name + DIFFERENCE, "bianfeng"] == pytest.approx(gap)
    assert set(frame["n"]) == {80}
    name, rules = found[1]
    play(match_task(rules), tmp_path / name, 95)
    more = compare_matches([runs[0], (name, open_runs(tmp_path / name))])
    pd.testing.assert_frame_equal(more, frame)  # what only one of them has is left out
    with pytest.raises(AnalysisError, match="bianfeng is named twice"):
        table_rules("menghuan", ["bianfeng", "bianfeng"])
    with pytest.raises(AnalysisError, match="was there and is gone: a run"):
        survey([run for _, run in runs])
    told = survey([open_runs(tmp_path / name) for name, _ in runs])
    assert set(told["variant"]) == {"menghuan", "custom"}


def seen(values: np.ndarray, share: float) -> tuple[np.ndarray, float, np.ndarray]:
    """A sample as `quantile` takes it."""
    found, counts = np.unique(values, return_counts=True)
    return found, share, counts


def test_quantiles_are_those_of_the_sample():
    chance = np.random.default_rng(4)
    for size in (1, 2, 7, 100, 1001):
        sample = chance.integers(0, 40, size)
        for share in (0.1, 0.5, 0.9):
            it = quantile(*seen(sample, share))
            want = np.quantile(sample, share, method="inverted_cdf")
            assert it.value == want
            assert it.low <= it.value <= it.high
            assert it.n == size


def test_sums_of_clusters_add_up():
    """Parts of a run, several ratios at a time: as all clusters at once, one by one."""
    chance = np.random.default_rng(5)
    of = chance.integers(0, 9, (90, 4))
    hits = chance.binomial(of[:, :, np.newaxis], 0.3, (90, 4, 3))
    whole = sums_of(hits, of[:, :, np.newaxis])
    parts = [slice(0, 1), slice(1, 50), slice(50, 90)]
    added = reduce(
        Sums.plus, (sums_of(hits[it], of[it][:, :, np.newaxis]) for it in parts)
    )
    for one, other in zip(whole, added, strict=True):
        assert np.array_equal(one, other)
    for place in range(4):
        for kind in range(3):
            alone = ratio(hits[:, place, kind], of[:, place])
            assert ratio_of(added.at(place).at(kind)) == alone
            used = of[:, place] > 0
            assert alone.n == used.sum()
            beyond = hits[used, place, kind] - alone.value * of[used, place]
            error = beyond.std(ddof=1) / np.sqrt(alone.n) / of[used, place].mean()
            reach = student_quantile(alone.n - 1)
            # Wilson's ends of independent trials of that error solve his equation.
            trials = alone.value * (1 - alone.value) / error**2
            for end in (alone.low, alone.high):
                off = reach * math.sqrt(end * (1 - end) / trials)
                assert abs(alone.value - end) == pytest.approx(off)
            levels = ratio(4 * hits[:, place, kind], of[:, place])
            assert levels.high - levels.value == pytest.approx(4 * reach * error)
            assert levels.value - levels.low == pytest.approx(4 * reach * error)


def test_ratio_intervals_hold_the_truth():
    """Clusters of very different sizes, whose deals are alike: about 95 of 100."""
    chance = np.random.default_rng(3)
    held = paired = middle = 0
    times = 1500
    for _ in range(times):
        of = chance.integers(5, 60, 80)
        rates = np.clip(chance.normal(0.3, 0.15, (2, 80)), 0, 1)
        hits = chance.binomial(of, rates)
        expected = np.clip(chance.normal(0.3, 0.15, 100_000), 0, 1).mean()
        it = ratio(hits[0], of)
        held += it.low <= expected <= it.high
        gap = paired_ratio((hits[0], of), (hits[1], of))
        paired += gap.low <= 0 <= gap.high
        sample = quantile(*seen(chance.integers(0, 1000, 80), 0.5))
        middle += sample.low <= 499.5 <= sample.high
    for count in (held, paired):
        assert 0.93 < count / times < 0.97, (held, paired)
    assert 0.93 < middle / times < 0.995  # order statistics: at least so often


def test_ratios_at_their_edges():
    assert ratio(np.zeros(5), np.full(5, 8)).low == 0.0
    rare = ratio(np.eye(1, 30)[0] * 3, np.full(30, 2))  # of counts: never below 0
    assert rare.low == 0.0 < rare.value < rare.high
    assert ratio(np.array([-5, 2, 1]), np.full(3, 2)).low < 0
    never = ratio(np.zeros(50), np.full(50, 8))
    assert 0 < never.high < 0.1
    assert ratio(np.array([]), np.array([])).n == 0
    single = ratio(np.array([3]), np.array([4]))
    assert (single.low, single.high) == (0.0, 1.0)


def test_commands(tmp_path):
    """Play, print, draw, and print the same again without playing."""
    folder = tmp_path / "run"
    words = ["matches", "joker-bid", "-n", "30", "-o", str(folder)]
    first = CliRunner().invoke(cli, words)
    assert first.exit_code == 0, first.output
    assert "joker-bid · whole matches" in first.stdout
    plot = tmp_path / "matches.png"
    again = CliRunner().invoke(
        cli, ["levels", "--matches", str(folder), "--plot", str(plot)]
    )
    assert again.stdout == first.stdout
    assert plot.stat().st_size > 10_000
    told = CliRunner().invoke(cli, ["levels", "--matches", str(folder), "--json"])
    objects = json.loads(told.stdout)
    assert {"name", "by", "value", "low", "high", "n"} == set(objects[0])
    assert any(it["by"] == {"level": "2"} for it in objects)
    out = tmp_path / "tables"
    compared = CliRunner().invoke(
        cli,
        [
            *("compare", "--matches", "casual", "--tables", "bianfeng", "-n", "20"),
            *("-o", str(out), "--plot", str(tmp_path / "c.svg")),
        ],
    )
    assert compared.exit_code == 0, compared.output
    assert "minus the variant's own" in compared.stdout
    assert (tmp_path / "c.svg").exists()
    names = sorted(path.name for path in out.iterdir())
    assert names == ["bianfeng", "the_variant_s_own"]


def test_survey_command(tmp_path):
    words = ["survey", "-n", "5", "-o", str(tmp_path)]
    told = CliRunner().invoke(cli, words)
    assert told.exit_code == 0, told.output
    for variant in ("menghuan", "bianfeng-friend", "pick-trump"):
        assert f"\n{variant} " in told.stdout
    objects = json.loads(CliRunner().invoke(cli, [*words, "--json"]).stdout)
    assert {it["by"]["variant"] for it in objects} >= {"casual", "joker-bid"}
    assert {it["n"] for it in objects} == {5}


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("matches", "menghuna"), "unknown variant 'menghuna'"),
        (("matches", "casual", "--decks", "3"), "casual is played with 2 decks, not 3"),
        (("matches", "casual", "-n", "0"), "is not a whole number from 1"),
        (("levels", "--matches", "nowhere"), "there is no folder nowhere"),
        (("levels", "--matches", "x", "--by", "level"), "--by splits deals"),
        (("compare", "--matches", "casual"), "say which --tables"),
        (("compare", "x", "--tables", "bianfeng", "-n", "3"), "-n needs --matches"),
        (("compare", "--matches", "casual", "--tables", "xyz"), "unknown level table"),
        (("record", "casual", "--matches", "--level", "5"), "goes without --level"),
    ],
    ids=str,
)
def test_bad_words(words, told, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(cli, list(words))
    assert result.exit_code == 2
    assert told in result.output
    assert not list(Path(tmp_path).iterdir())
