"""The same deals scored under several level tables and bottom multipliers.

A row holds what happened on the table, so reading it under another table plays nothing
again. What is kept is how often each combination of facts occurred: each is scored once
under every table, and two tables are compared deal by deal.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

import numpy as np
import pandas as pd

from analysis.estimate import (
    Estimate,
    mean,
    paired_mean,
    paired_proportion,
    paired_spread,
    proportion,
    spread,
)
from analysis.labels import (
    ATTACKERS_LEVELS,
    DECLARERS_LEVELS,
    DIFFERENCE,
    SCORING_MEASURES,
    SHUT_OUTS,
    SPREAD,
    TAKE_OVER_RATE,
)
from analysis.load import AnalysisError, Run, count
from analysis.ranges import most_levels
from kernels.codes import ATTACKERS, DECLARERS
from kernels.score import score_rows
from sim.level_tables import LEVEL_TABLES
from sim.rules import (
    PRESETS,
    Bottom,
    BottomScheme,
    ReadFrom,
    Rules,
    RulesError,
    load_rules,
    resolve_rules,
)
from sim.schema import DEAL_DTYPE

# Everything that `score_rows` reads.
FACTS = (
    "trick_points",
    "buried_points",
    "penalty_points",
    "captured",
    "target",
    "lead_cards",
    "lead_kinds",
    "lead_run",
    "lead_triples",
    "lead_quads",
    "win_kinds",
    "win_run",
    "win_triples",
    "win_quads",
)


@dataclass(frozen=True)
class Scoring:
    """A level table and a bottom multiplier, each with the name it is listed by."""

    table: str
    multiplier: str
    rules: Rules


@dataclass(frozen=True)
class Scores:
    """What each combination of facts comes to under one scoring; int64[combinations].

    `signed` is in levels: positive for the declarers, negative for the attackers.
    `most` is the most that a deal can give each side, the declarers first.
    """

    totals: np.ndarray
    sides: np.ndarray
    levels: np.ndarray
    rules: Rules

    @property
    def most(self) -> tuple[int, int]:
        return most_levels(self.rules)

    @cached_property
    def take_over(self) -> np.ndarray:
        return self.sides == ATTACKERS

    @cached_property
    def shut_out(self) -> np.ndarray:
        return self.totals <= 0  # a total below 0 reads as 0

    @cached_property
    def declarers(self) -> np.ndarray:
        return np.where(self.sides == DECLARERS, self.levels, 0)

    @cached_property
    def attackers(self) -> np.ndarray:
        return np.where(self.sides == ATTACKERS, self.levels, 0)

    @cached_property
    def signed(self) -> np.ndarray:
        return self.declarers - self.attackers


def scorings(
    run: Run,
    tables: Sequence[str] = (),
    multipliers: Sequence[str] = (),
) -> list[Scoring]:
    """The scorings that words name; both axes given, every pair of them.

    A single one is set against the run's own, which then comes first.

    Parameters
    ----------
    run : Run
        Its own table and multiplier stand where an axis is not given.
    tables : names of level tables or variants, or paths of TOML variants
    multipliers : `scheme`, `scheme/read_from`, names or paths of variants
        A scheme alone (`power`) is read from the same cards as the run's own.
    """
    tried_tables = [with_table(name, run.rules) for name in tables]
    tried_multipliers = [_multiplier(name, run.rules) for name in multipliers]
    for axis, named in (("table", tried_tables), ("multiplier", tried_multipliers)):
        names = [name for name, _ in named]
        for name in names:
            if names.count(name) > 1:
                raise AnalysisError(f"{axis} {name} is named twice")
    own = own_scoring(run)
    own_table = [(own.table, run.rules)]
    own_multiplier = [(own.multiplier, run.rules.bottom)]
    if not tried_tables and not tried_multipliers:
        raise AnalysisError("name at least one level table or multiplier to compare")
    tried = [
        Scoring(table, multiplier, replace(rules, bottom=bottom))
        for table, rules in tried_tables or own_table
        for multiplier, bottom in tried_multipliers or own_multiplier
    ]
    if len(tried) == 1 and tried[0].rules != run.rules:
        tried.insert(0, own)
    return tried


def own_scoring(run: Run) -> Scoring:
    """The run's own table and multiplier."""
    table, multiplier = _own_table_name(run.rules), _bottom_name(run.rules.bottom)
    return Scoring(table, multiplier, run.rules)


def compare_scorings(run: Run, tried: Sequence[Scoring]) -> pd.DataFrame:
    """Each scoring of the same deals, and its difference to the first one.

    Returns
    -------
    DataFrame
        `name`, `table`, `multiplier`, `value`, `low`, `high`, `n`: for each of
        `SCORING_MEASURES` one row a scoring. Take-over rate and shut-outs (total 0) are
        shares of deals; mean levels are a deal's (0 for the side that does not win);
        spread is the standard deviation of levels, the attackers' taken as negative.
        Names ending in `DIFFERENCE` hold value minus the first scoring's, over the same
        deals.
    """
    facts = count(run, facts_of(run.rules))
    deals = facts["deals"].to_numpy()
    rows = structured(facts)
    scores = [score(rows, scoring.rules) for scoring in tried]
    estimates = [_measure(it, deals) for it in scores]
    differences = [_differences(scores[0], it, deals) for it in scores[1:]]
    told = []
    for measure in SCORING_MEASURES:
        for scoring, found in zip(tried, estimates, strict=True):
            told.append(_row(measure, scoring, found[measure]))
        for scoring, found in zip(tried[1:], differences, strict=True):
            told.append(_row(measure + DIFFERENCE, scoring, found[measure]))
    return pd.DataFrame(told)


def facts_of(rules: Rules) -> list[str]:
    """Those of `FACTS` that are not 0 in every deal: fewer decks hold no triples."""
    absent = ("triples", "quads")[rules.decks - 2 :]
    return [name for name in FACTS if not name.endswith(absent)]


def structured(facts: pd.DataFrame) -> np.ndarray:
    """Combinations of facts as the rows (DEAL_DTYPE) that `score_rows` reads."""
    rows = np.zeros(len(facts), DEAL_DTYPE)
    for name in facts.columns.intersection(DEAL_DTYPE.names):
        rows[name] = facts[name]
    return rows


def score(rows: np.ndarray, rules: Rules) -> Scores:
    """Score rows of facts (DEAL_DTYPE) under any rules."""
    totals, sides, levels = (np.empty(len(rows), np.int64) for _ in range(3))
    score_rows(rows, rules.codes(), totals, sides, levels)
    return Scores(totals, sides, levels, rules)


def _row(name: str, scoring: Scoring, estimate: Estimate) -> dict:
    where = {"table": scoring.table, "multiplier": scoring.multiplier}
    return {"name": name, **where, **estimate._asdict()}


def _measure(scores: Scores, deals: np.ndarray) -> dict[str, Estimate]:
    n = int(deals.sum())
    most_up, most_down = scores.most
    return {
        TAKE_OVER_RATE: proportion(deals[scores.take_over].sum(), n),
        DECLARERS_LEVELS: mean(scores.declarers, deals, (0, most_up)),
        ATTACKERS_LEVELS: mean(scores.attackers, deals, (0, most_down)),
        SPREAD: spread(scores.signed, deals, (-most_down, most_up)),
        SHUT_OUTS: proportion(deals[scores.shut_out].sum(), n),
    }


def _differences(
    first: Scores, second: Scores, deals: np.ndarray
) -> dict[str, Estimate]:
    (up, down), (new_up, new_down) = first.most, second.most
    reach = max(up, down, new_up, new_down)
    return {
        TAKE_OVER_RATE: paired_proportion(first.take_over, second.take_over, deals),
        DECLARERS_LEVELS: paired_mean(
            first.declarers, second.declarers, deals, (-up, new_up)
        ),
        ATTACKERS_LEVELS: paired_mean(
            first.attackers, second.attackers, deals, (-down, new_down)
        ),
        SPREAD: paired_spread(first.signed, second.signed, deals, (-reach, reach)),
        SHUT_OUTS: paired_proportion(first.shut_out, second.shut_out, deals),
    }


def with_table(name: str, own: Rules) -> tuple[str, Rules]:
    """The run's rules with another level table."""
    if name.endswith(".toml") or name in PRESETS:
        other = load_rules(name, own.decks)
    elif name in LEVEL_TABLES:
        named = {"base": "menghuan", "level_table": name}
        other = resolve_rules(named, own.decks)
    else:
        known = ", ".join(dict.fromkeys([*LEVEL_TABLES, *PRESETS]))
        raise AnalysisError(
            f"unknown level table {name!r}: name one of {known}, or the path of a "
            ".toml variant"
        )
    level_table, level_step = other.level_table, other.level_step
    return _short(name), replace(own, level_table=level_table, level_step=level_step)


def _multiplier(name: str, own: Rules) -> tuple[str, Bottom]:
    scheme, _, read_from = name.partition("/")
    if scheme in list(BottomScheme):
        if read_from and read_from not in list(ReadFrom):
            raise AnalysisError(
                f"multiplier {name!r}: after / must stand {' or '.join(ReadFrom)}"
            )
        bottom = Bottom(
            scheme=BottomScheme(scheme),
            read_from=ReadFrom(read_from) if read_from else own.bottom.read_from,
            table=None,
        )
        return _bottom_name(bottom), bottom
    if name.endswith(".toml") or name in PRESETS:
        return _short(name), load_rules(name, own.decks).bottom
    raise AnalysisError(
        f"unknown multiplier {name!r}: name one of {', '.join(BottomScheme)} (with "
        "/trick or /winner after it, or as in the run), a variant, or the path of a "
        ".toml variant"
    )


def _short(name: str) -> str:
    return Path(name).name if name.endswith(".toml") else name


def _bottom_name(bottom: Bottom) -> str:
    if bottom.table is not None:
        return f"own table/{bottom.read_from}"
    if bottom.scheme == BottomScheme.BY_CARDS:
        return str(bottom.scheme)  # counts the cards led, wherever it is read from
    return f"{bottom.scheme}/{bottom.read_from}"


def _own_table_name(rules: Rules) -> str:
    """The name of the run's level table, where it has one."""
    for name in LEVEL_TABLES:
        try:
            named = with_table(name, rules)[1]
        except RulesError:
            continue  # a number of decks which that variant cannot be played with
        if (named.level_table, named.level_step) == (
            rules.level_table,
            rules.level_step,
        ):
            return name
    return "the run's own"
