"""How often the intervals of `analysis` contain the long-run value: the tool.

A pool is many deals, or matches, that were really played. What a command would say of
the whole pool is the long-run value; then the pool is cut into samples one after the
other, and of each it is asked whether its interval holds that value.
"""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

import numpy as np

from analysis import estimate
from analysis.estimate import Estimate
from analysis.matches import LEVELS, QUANTILES, length_of, matches_of
from analysis.ranges import MOST_BURIED, level_ranges, most_levels, most_multiplier
from analysis.scoring import score, with_table
from kernels.codes import ATTACKERS, DECLARERS, LOWEST_LEVEL
from sim.driver import columns_of, compiled_player
from sim.match_flow import play_block
from sim.policies.catalog import setting_codes
from sim.rules import Rules, load_rules, resolve_rules
from sim.schema import DEAL_DTYPE
from sim.task import make_task

BLOCK = 250_000
SEED = 4_040
# What the bottom command tells apart; 35 points are buried in one deal of 200,000.
BURIED = (0, 5, 20, 30)

Columns = dict[str, np.ndarray]
Estimates = dict[str, Estimate]


class Scored(NamedTuple):
    """What a scoring makes of a deal; its most levels for either side."""

    take_over: str
    up: str
    down: str
    total: str
    most: tuple[int, int]


@dataclass
class Deals:
    """Later deals of textbook under menghuan, with two other scorings of them."""

    columns: Columns
    rules: dict[str, Rules]

    def __len__(self) -> int:
        return len(self.columns["total"])

    def of(self, part: slice) -> Estimates:
        """What `levels`, `compare` and `bottom` would say of some deals."""
        its = {name: column[part] for name, column in self.columns.items()}
        return {
            **levels_told(its, self.rules["own"]),
            **comparison_told(its, self.rules),
            **bottom_told(its, self.rules["own"]),
        }


def play_deals(deals: int, variant: str = "menghuan") -> Deals:
    """Play a pool of deals and score it three times."""
    task = make_task(variant, level="all", policy="textbook", seed=SEED)
    own = task.rules
    by_cards = resolve_rules({"base": variant, "bottom": {"scheme": "by_cards"}})
    rules = {"own": own, "table": with_table("bianfeng", own)[1], "by cards": by_cards}
    player = compiled_player(task)
    parts = []
    for start in range(0, deals, BLOCK):
        rows = np.empty(min(BLOCK, deals - start), DEAL_DTYPE)
        player(start, rows)
        parts.append(columns_kept(rows, rules))
    joined = {name: np.concatenate([it[name] for it in parts]) for name in parts[0]}
    return Deals(joined, rules)


def columns_kept(rows: np.ndarray, rules: dict[str, Rules]) -> Columns:
    """What the estimates need of some rows, as small as it goes."""
    kept = {
        name: rows[name].copy()
        for name in (
            *("side", "levels", "total", "trick_points", "penalty_points"),
            *("buried_points", "captured", "multiplier"),
        )
    }
    for name, its in rules.items():
        scores = score(rows, its)
        kept[f"{name} up"] = scores.declarers.astype(np.int8)
        kept[f"{name} down"] = scores.attackers.astype(np.int8)
        kept[f"{name} won"] = scores.take_over
        kept[f"{name} shut"] = scores.shut_out
    lost = rows.copy()
    lost["captured"] = 0
    without = score(lost, rules["own"])
    kept["winner changed"] = without.sides != rows["side"]
    kept["result changed"] = kept["winner changed"] | (without.levels != rows["levels"])
    return kept


@cache
def once(n: int) -> np.ndarray:
    """Each value seen once."""
    return np.ones(n, np.int64)


def share(hits: np.ndarray) -> Estimate:
    """A proportion of deals or matches."""
    return estimate.proportion(int(np.count_nonzero(hits)), len(hits))


def mean_of(values: np.ndarray, within: tuple[float, float]) -> Estimate:
    """A mean over deals."""
    return estimate.mean(values, once(len(values)), within)


def levels_told(its: Columns, rules: Rules) -> Estimates:
    """As analysis.levels: shares of results, and means."""
    side, levels = its["side"], its["levels"]
    within = level_ranges(rules)
    up, down = its["own up"], its["own down"]
    gained = its["total"] - its["trick_points"] - its["penalty_points"]
    means = (its["total"], its["trick_points"], gained, up, down)
    told = {"levels: take-over rate": share(its["own won"])}
    for name, values in zip(within, means, strict=True):
        told[f"levels: {name}"] = mean_of(values, within[name])
    for winner, most in ((DECLARERS, 6), (ATTACKERS, 6)):
        word = "declarers" if winner == DECLARERS else "attackers"
        for number in range(most + 1):
            hits = (side == winner) & (levels == number)
            if winner == ATTACKERS or number:
                told[f"levels: {word} +{number}"] = share(hits)
    return told


def comparison_told(its: Columns, rules: dict[str, Rules]) -> Estimates:
    """As analysis.scoring: each scoring, and each one's difference to the first."""
    told = {}
    n = once(len(its["side"]))
    first_up, first_down = most_levels(rules["own"])
    first = its["own up"].astype(np.int64) - its["own down"]
    for name in rules:
        up, down = most_levels(rules[name])
        signed = its[f"{name} up"].astype(np.int64) - its[f"{name} down"]
        told[f"compare: {name}: spread"] = estimate.spread(signed, n, (-down, up))
        told[f"compare: {name}: shut-outs"] = share(its[f"{name} shut"])
        if name == "own":
            continue
        gap = f"compare: {name} minus own: "
        for what, reach in (
            ("up", (-first_up, up)),
            ("down", (-first_down, down)),
        ):
            told[f"{gap}{what}"] = estimate.paired_mean(
                its[f"own {what}"], its[f"{name} {what}"], n, reach
            )
        most = max(up, down, first_up, first_down)
        told[f"{gap}spread"] = estimate.paired_spread(first, signed, n, (-most, most))
        for what in ("won", "shut"):
            told[f"{gap}{what}"] = estimate.paired_proportion(
                its[f"own {what}"], its[f"{name} {what}"], n
            )
    return told


def bottom_told(its: Columns, rules: Rules) -> Estimates:
    """As analysis.bottom: what becomes of so many buried points."""
    told = {}
    for points in (*BURIED, "any"):
        part = slice(None) if points == "any" else its["buried_points"] == points
        buried, captured = its["buried_points"][part], its["captured"][part]
        richest = (MOST_BURIED if points == "any" else int(points)) * most_multiplier(
            rules
        )
        given = buried.astype(np.int64) * its["multiplier"][part]
        name = f"bottom: {points} buried: "
        if points != "any":
            told[f"{name}share"] = share(its["buried_points"] == points)
        told[f"{name}captured"] = share(captured)
        told[f"{name}given away"] = mean_of(given, (0, richest))
        told[f"{name}winner changed"] = share(its["winner changed"][part])
        told[f"{name}result changed"] = share(its["result changed"][part])
    return told


@dataclass
class Matches:
    """Whole matches, and the same played again under another table."""

    columns: Columns  # one entry a match
    rates: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.columns["deals"])

    def of(self, part: slice) -> Estimates:
        """What `levels --matches` and `compare --matches` would say of some matches."""
        its = {name: column[part] for name, column in self.columns.items()}
        n = once(len(its["deals"]))
        told = {"matches: deals": length_of(its["deals"])}
        values, counts = np.unique(its["deals"], return_counts=True)
        for portion in QUANTILES:
            told[f"matches: quantile {portion:.0%}"] = estimate.quantile(
                values, portion, counts
            )
        for length in (1, 2, 3, 5, 10, 20, 40):
            told[f"matches: share of {length} deals"] = share(its["deals"] == length)
        told["matches: first side wins"] = share(its["won"])
        for name in self.rates:
            told[f"matches: {name}"] = estimate.ratio(its[name], its["deals"])
            told[f"matches: {name}, tables"] = estimate.paired_ratio(
                (its[name], its["deals"]), (its[f"other {name}"], its["other deals"])
            )
        told["matches: deals, tables"] = estimate.paired_mean(
            its["deals"], its["other deals"], n
        )
        told["matches: first side wins, tables"] = estimate.paired_proportion(
            its["won"], its["other won"], n
        )
        for level in LEVELS:
            at = its.get(f"at {level}")
            if at is None:
                continue
            told[f"matches: deals at {level}"] = estimate.ratio(at, n)
            told[f"matches: share at {level}"] = estimate.ratio(at, its["deals"])
            for step in range(4):
                moved = its[f"from {level} by {step}"]
                told[f"matches: from {level} by {step}"] = estimate.ratio(moved, at)
        return told


def play_matches(
    matches: int, variant: str = "menghuan", block: int = 5_000
) -> Matches:
    """Play a pool of matches under the variant's own table and under another."""
    own = load_rules(variant)
    other = with_table("shuangsheng" if variant != "shuangsheng" else "menghuan", own)[
        1
    ]
    settings = setting_codes(make_task(variant, policy="textbook").policies)
    parts = []
    rates: tuple[str, ...] = ()
    for start in range(0, matches, block):
        kept = {}
        for prefix, rules in (("", own), ("other ", other)):
            told, rows, steps = play_block(
                rules.codes(), *settings, SEED, start, min(block, matches - start)
            )
            deals = {**columns_of(rows), **columns_of(steps)}
            deals["place"] = deals["match"] - start
            read = matches_of(
                {name: its.astype(np.int64) for name, its in columns_of(told).items()},
                {name: its.astype(np.int64) for name, its in deals.items()},
            )
            kept[f"{prefix}deals"] = read.deals
            kept[f"{prefix}won"] = read.first_side_won
            rates = tuple(read.sums)
            for name in rates:
                kept[f"{prefix}{name}"] = read.sums[name]
            if not prefix:
                kept.update(moves_kept(deals, len(told)))
        parts.append(kept)
    joined = {name: np.concatenate([it[name] for it in parts]) for name in parts[0]}
    return Matches(joined, rates)


def moves_kept(deals: Columns, number: int) -> Columns:
    """Of each match: deals at a level, and of these after which the declarer rose."""
    kept = {}
    seats, rows = deals["declarer"], np.arange(len(deals["declarer"]))
    before = np.stack([deals[f"level_{seat}"] for seat in range(4)])[seats, rows]
    after = np.stack([deals[f"level_after_{seat}"] for seat in range(4)])[seats, rows]
    for level in (LOWEST_LEVEL, 5, 9, 14):
        at = before == level
        kept[f"at {level}"] = np.bincount(deals["place"][at], minlength=number)
        for step in range(4):
            moved = deals["place"][at & (after == level + step)]
            kept[f"from {level} by {step}"] = np.bincount(moved, minlength=number)
    return kept


class Coverage(NamedTuple):
    """Of how many samples the interval held the long-run value."""

    truth: float
    samples: int
    held: int
    below: int  # the whole interval lies below the value
    above: int

    @property
    def share(self) -> float:
        return self.held / self.samples

    @property
    def error(self) -> float:
        """Its binomial standard error, were the coverage 95 %."""
        return math.sqrt(0.95 * 0.05 / self.samples)


def cover(
    told: Callable[[slice], Estimates], of: int, n: int, most: int
) -> dict[str, Coverage]:
    """By estimate: coverage by samples of `n`, at most so many, of a pool."""
    truth = {name: it.value for name, it in told(slice(0, of)).items()}
    counts = {name: [0, 0, 0, 0] for name in truth}
    for part in samples(of, n, most):
        for name, it in told(part).items():
            if it.n == 0 or math.isnan(it.low):
                continue  # nothing is said
            slack = 1e-9 * max(1.0, abs(truth[name]))
            place = 1
            if it.high < truth[name] - slack:
                place = 2
            elif it.low > truth[name] + slack:
                place = 3
            counts[name][0] += 1
            counts[name][place] += 1
    return {name: Coverage(truth[name], *its) for name, its in counts.items() if its[0]}


def samples(of: int, n: int, most: int) -> Iterator[slice]:
    """Disjoint samples, one after the other."""
    for number in range(min(most, of // n)):
        yield slice(number * n, number * n + n)
