"""Whole matches side by side: under several tables, or of several variants.

A table changes what a match plays next, so matches are played again under each; match
and deal have the same cards, so they are compared match by match.
"""

from collections.abc import Sequence
from functools import reduce

import numpy as np
import pandas as pd

from analysis.estimate import (
    Estimate,
    paired_mean,
    paired_proportion,
    paired_ratio,
    proportion,
)
from analysis.labels import (
    ATTACKERS_LEVELS,
    CAPTURE_RATE,
    DEALS_A_MATCH,
    DECLARERS_LEVELS,
    DIFFERENCE,
    FIRST_DECLARER_WINS,
    TAKE_OVER_RATE,
)
from analysis.load import AnalysisError, Run
from analysis.matches import Matches, length_of, rate_of, read_matches
from analysis.scoring import with_table
from sim.rules import Rules, load_rules

RATES = (TAKE_OVER_RATE, DECLARERS_LEVELS, ATTACKERS_LEVELS, CAPTURE_RATE)
MEASURES = (*RATES, DEALS_A_MATCH, FIRST_DECLARER_WINS)


def table_rules(
    variant: str, tables: Sequence[str], decks: int | None = None
) -> list[tuple[str, Rules]]:
    """A variant under each of some level tables: (name of the table, rules).

    Parameters
    ----------
    variant : name or path of a TOML file
    tables : names of level tables or variants, or paths of TOML variants
        A single one is set against the variant's own, which then comes first.
    decks : the number of decks, where it is not the variant's own
    """
    own = load_rules(variant, decks)
    found = [with_table(name, own) for name in tables]
    names = [name for name, _ in found]
    for name in names:
        if names.count(name) > 1:
            raise AnalysisError(f"table {name} is named twice")
    if len(found) == 1 and found[0][1] != own:
        found.insert(0, ("the variant's own", own))
    return found


def measures(read: Matches) -> dict[str, Estimate]:
    """By MEASURES, of one run's matches."""
    return {
        **{name: rate_of(read, name) for name in RATES},
        DEALS_A_MATCH: length_of(read.deals),
        FIRST_DECLARER_WINS: proportion(read.first_side_won.sum(), read.number),
    }


def differences(first: Matches, second: Matches) -> dict[str, Estimate]:
    """By MEASURES, second minus first, match by match."""
    once = np.ones(first.number, np.int64)
    return {
        **{
            name: paired_ratio(
                (first.sums[name], first.deals), (second.sums[name], second.deals)
            )
            for name in RATES
        },
        DEALS_A_MATCH: paired_mean(first.deals, second.deals, once),
        FIRST_DECLARER_WINS: paired_proportion(
            first.first_side_won, second.first_side_won, once
        ),
    }


def compare_matches(runs: Sequence[tuple[str, Run]]) -> pd.DataFrame:
    """Runs of matches under several tables, and each one's difference to the first.

    Parameters
    ----------
    runs : (name of the table, run)
        Of one seed. What one has more of than another is left out.

    Returns
    -------
    DataFrame
        `name`, `table`, `value`, `low`, `high`, `n`; n counts matches. Names ending in
        `DIFFERENCE` hold value minus the first table's.
    """
    held = [(name, read_matches(run)) for name, run in runs]
    common = reduce(np.intersect1d, (its.numbers for _, its in held))
    if not len(common):
        raise AnalysisError("no match is held under each table: play some of each")
    read = [(name, its.among(common)) for name, its in held]
    first = read[0][1]
    found = [measures(it) for _, it in read]
    gaps = [differences(first, it) for _, it in read[1:]]
    rows = []
    for measure in MEASURES:
        for (name, _), its in zip(read, found, strict=True):
            rows.append({"name": measure, "table": name, **its[measure]._asdict()})
        for (name, _), its in zip(read[1:], gaps, strict=True):
            told = {"name": measure + DIFFERENCE, "table": name}
            rows.append({**told, **its[measure]._asdict()})
    return pd.DataFrame(rows)


def survey(runs: Sequence[Run]) -> pd.DataFrame:
    """Runs of matches of several variants, below each other.

    Returns
    -------
    DataFrame
        `name`, `variant`, `decks`, `value`, `low`, `high`, `n`; n counts matches.
    """
    rows = []
    for run in runs:
        where = {"variant": run.variant, "decks": run.rules.decks}
        for name, estimate in measures(read_matches(run)).items():
            rows.append({"name": name, **where, **estimate._asdict()})
    return pd.DataFrame(rows)
