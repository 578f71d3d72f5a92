"""The bottom: how often it is captured, and what that gives away.

These are odds under the burying of the policy that played. A policy buries points when
its cards promise the last trick, so they do not tell what burying points would do to a
given hand.
"""

from collections.abc import Iterator
from itertools import pairwise

import pandas as pd

from analysis.estimate import Estimate, mean, proportion
from analysis.labels import (
    ANY,
    CAPTURE_RATE,
    GIVEN_AWAY,
    MULTIPLIER,
    RESULT_CHANGED,
    SHARE,
    WINNER_CHANGED,
)
from analysis.load import AnalysisError, Run, count
from analysis.ranges import MOST_BURIED, most_multiplier
from analysis.scoring import score, structured
from kernels.codes import HAND_CARDS

# Trumps in the declarer's hand of 25, the most of each group: that many hold enough
# deals each. Larger hands are cut at the same shares.
MOST_TRUMPS = (7, 10, 13, 16, 25)
BY = {"trumps": "declarer_trumps", "jokers": "declarer_jokers"}


def bottom_odds(run: Run, by: str | None = None) -> pd.DataFrame:
    """For each number of buried points: what becomes of the bottom.

    Parameters
    ----------
    run : Run
    by : "trumps" or "jokers", optional
        Apart for the declarer's number of trumps (in groups) or jokers at the lead.

    Returns
    -------
    DataFrame
        `name`, the column of `by`, `buried_points` (`any`: all together), `value`,
        `low`, `high`, `n`. Of all deals of the run or group: `share of deals`. Of
        those with so many points buried: `capture rate`; `mean points given away`
        (buried points x multiplier; 0 when not captured); `winner changed` and `result
        changed`, the shares in which the side that won, or side or levels, were other
        than if the bottom had not counted. Of those captured: `multiplier 2`, ...
    """
    if by is not None and by not in BY:
        raise AnalysisError(f"cannot split by {by!r}; allowed: {', '.join(BY)}")
    counts = _facts(run, None if by is None else BY[by])
    most = most_multiplier(run.rules)
    multipliers = sorted(set(counts["multiplier"][counts["captured"] == 1]))
    rows = []
    for where, group in _groups(counts, by, run.rules.decks):
        deals = int(group["deals"].sum())
        buried = [(int(points), it) for points, it in group.groupby("buried_points")]
        for points, part in [*buried, (ANY, group)]:
            richest = MOST_BURIED if points == ANY else points
            measures = _measures(part, richest, most, multipliers)
            if points != ANY:
                measures.insert(0, (SHARE, proportion(part["deals"].sum(), deals)))
            for name, estimate in measures:
                rows.append(
                    {
                        "name": name,
                        **where,
                        "buried_points": points,
                        **estimate._asdict(),
                    }
                )
    return pd.DataFrame(rows)


def trump_groups(decks: int) -> list[tuple[int, int]]:
    """The fewest and the most trumps of each group."""
    most = [it * HAND_CARDS[decks] // MOST_TRUMPS[-1] for it in MOST_TRUMPS]
    return [(below + 1, high) for below, high in pairwise([-1, *most])]


def _facts(run: Run, column: str | None) -> pd.DataFrame:
    """Counts of what matters, and whether the captured bottom changed the result."""
    facts = ["buried_points", "captured", "multiplier", "side", "levels"]
    needed = ["trick_points", "penalty_points", "target"]
    counts = count(run, [*([column] if column else []), *facts, *needed])
    without = structured(counts)
    without["captured"] = 0
    lost = score(without, run.rules)
    counts["winner_changed"] = lost.sides != counts["side"]
    counts["result_changed"] = counts["winner_changed"] | (
        lost.levels != counts["levels"]
    )
    return counts


def _groups(
    counts: pd.DataFrame, by: str | None, decks: int
) -> Iterator[tuple[dict[str, str | int], pd.DataFrame]]:
    if by is None:
        yield {}, counts
    elif by == "jokers":
        for jokers, group in counts.groupby("declarer_jokers"):
            yield {"declarer_jokers": int(jokers)}, group
    else:
        for low, high in trump_groups(decks):
            group = counts[counts["declarer_trumps"].between(low, high)]
            if len(group):
                yield {"declarer_trumps": f"{low}-{high}"}, group


def _measures(
    part: pd.DataFrame, richest: int, most: int, multipliers: list[int]
) -> list[tuple[str, Estimate]]:
    """Estimates of one row; `richest` bounds points buried, `most` the multiplier."""
    deals = part["deals"].to_numpy()
    n = int(deals.sum())
    captured = part["captured"].to_numpy() == 1
    hits = int(deals[captured].sum())
    given = (part["buried_points"] * part["multiplier"]).to_numpy()

    def share(column: str) -> Estimate:
        return proportion(deals[part[column].to_numpy()].sum(), n)

    measures = [
        (CAPTURE_RATE, proportion(hits, n)),
        (GIVEN_AWAY, mean(given, deals, (0, richest * most))),
        (WINNER_CHANGED, share("winner_changed")),
        (RESULT_CHANGED, share("result_changed")),
    ]
    factors = part["multiplier"].to_numpy()
    for factor in multipliers:
        found = deals[captured & (factors == factor)].sum()
        measures.append((f"{MULTIPLIER}{factor}", proportion(found, hits)))
    return measures
