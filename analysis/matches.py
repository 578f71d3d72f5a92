"""Whole matches: how long they are, who wins them, where their deals are spent.

The match is the unit of every interval: the deals of one match are not independent of
each other. A rate over deals is therefore a ratio of two sums over matches (how often
it happened, of how many), and its interval comes from how the matches differ.
"""

import math
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import reduce

import numpy as np
import pandas as pd
import pyarrow as pa

from analysis.estimate import (
    Estimate,
    Sums,
    mean,
    proportion,
    quantile,
    ratio,
    ratio_of,
    sums_of,
)
from analysis.labels import (
    ATTACKERS_LEVELS,
    CAPTURE_RATE,
    DEALS_A_MATCH,
    DEALS_AT_LEVEL,
    DECLARERS_LEVELS,
    FIRST_DECLARER_WINS,
    LENGTH_SHARE,
    MEAN_TOTAL,
    MOVES,
    QUANTILE,
    SHARE_AT_LEVEL,
    TAKE_OVER_RATE,
    level_label,
)
from analysis.load import CODES, AnalysisError, Run, check_codes, part_gone, unreadable
from kernels.codes import ATTACKERS, DECLARERS, JOKER_LEVEL, LOWEST_LEVEL
from sim.parts import MATCH_MODE, beside, open_parquet
from sim.places import Place
from sim.schema import MATCHES

QUANTILES = (0.1, 0.25, 0.5, 0.75, 0.9)
LEVELS = range(LOWEST_LEVEL, JOKER_LEVEL + 1)
SIDES = ("declarers", "attackers")
WHERE = ("deals", "seat", "level", "to", "side")  # what an estimate may be apart for
DEAL_COLUMNS = (
    *("match", "declarer", "friend", "level", "side", "levels", "captured", "total"),
    *(f"level_{seat}" for seat in range(4)),
    *(f"level_after_{seat}" for seat in range(4)),
)
# Lowest and highest of what is looked up in tables.
MATCH_CODES = {
    **CODES,
    **dict.fromkeys(
        [name for name in DEAL_COLUMNS if name.startswith("level_")],
        (LOWEST_LEVEL, JOKER_LEVEL),
    ),
    "first_declarer": (0, 3),
    "deals": (1, 2**31 - 1),
}
# Rates over deals: (name, what is counted in each deal); all of them, all deals.
RATES = (TAKE_OVER_RATE, DECLARERS_LEVELS, ATTACKERS_LEVELS, CAPTURE_RATE, MEAN_TOTAL)


@dataclass(frozen=True)
class Matches:
    """What each match came to; arrays of one length, in order of the matches."""

    numbers: np.ndarray  # int64: the match
    deals: np.ndarray  # int64
    first_side_won: np.ndarray  # bool: who declared the first deal is a winner
    first_declarer: np.ndarray  # int64: seat
    sums: dict[str, np.ndarray]  # by RATES: float64, summed over the match's deals

    @property
    def number(self) -> int:
        return len(self.numbers)

    def among(self, numbers: np.ndarray) -> "Matches":
        """Those of some numbers only."""
        kept = np.isin(self.numbers, numbers)
        return Matches(
            *(its[kept] for its in (self.numbers, self.deals)),
            *(its[kept] for its in (self.first_side_won, self.first_declarer)),
            {name: its[kept] for name, its in self.sums.items()},
        )


@dataclass(frozen=True)
class Tally:
    """What some matches came to together: as large for a million as for one."""

    lengths: np.ndarray  # int64: matches of 0, 1, 2, … deals
    winners: np.ndarray  # int64[4, 2]: by first declarer: matches, won by his side
    rates: dict[str, Sums]  # by RATES
    at_level: Sums  # [levels]: deals played at each level, of one match
    share_at_level: Sums  # [levels]: the same, of all its deals
    moves: dict[str, list[Sums]]  # by SIDES, by level before: [levels] after

    def plus(self, more: "Tally") -> "Tally":
        """Both together."""
        size = max(len(self.lengths), len(more.lengths))
        lengths = np.zeros(size, np.int64)
        for its in (self.lengths, more.lengths):
            lengths[: len(its)] += its
        return Tally(
            lengths,
            self.winners + more.winners,
            {name: its.plus(more.rates[name]) for name, its in self.rates.items()},
            self.at_level.plus(more.at_level),
            self.share_at_level.plus(more.share_at_level),
            {
                side: list(map(Sums.plus, its, more.moves[side]))
                for side, its in self.moves.items()
            },
        )


def read_matches(run: Run) -> Matches:
    """What each match of a run came to."""
    parts = [matches_of(*told) for told in _parts(run)]
    return Matches(
        **{
            name: np.concatenate([getattr(part, name) for part in parts])
            for name in ("numbers", "deals", "first_side_won", "first_declarer")
        },
        sums={
            name: np.concatenate([part.sums[name] for part in parts]) for name in RATES
        },
    )


def tally_matches(run: Run) -> Tally:
    """What the matches of a run came to together, a part in memory at a time."""
    called = called_partners(run)
    tallies = (tally_of(*told, called) for told in _parts(run))
    return reduce(Tally.plus, tallies)


def called_partners(run: Run) -> bool:
    """Whether levels are kept by seat."""
    return run.task["rules"]["partners"] == "called"


Rows = dict[str, np.ndarray]


def _parts(run: Run) -> Iterator[tuple[Rows, Rows]]:
    """The rows of each part: its matches, and their deals; `place` is the match of a
    deal, counted from the part's first."""
    if run.task["mode"] != MATCH_MODE:
        raise AnalysisError(
            f"{run.folders[0]} holds single deals, not whole matches: measure it "
            "without --matches, or play matches with `shengji matches`"
        )
    deals_table, match_table = MATCHES.tables
    matches, done, began = run.deals, 0, time.perf_counter()
    for part in run.parts:
        told = _read(part.path, match_table.schema.names)
        deals = _read(beside(part, deals_table), DEAL_COLUMNS)
        deals["place"] = deals["match"] - part.span.start
        wanted = np.repeat(np.arange(part.span.deals), told["deals"])
        if not np.array_equal(deals["place"], wanted):
            raise AnalysisError(
                f"{part.path} is damaged: its matches have other deals than "
                f"{beside(part, deals_table).name}; delete both and repeat the run"
            )
        yield told, deals
        done += part.span.deals
        run.progress(done, matches, time.perf_counter() - began)


def _read(path: Place, columns: Sequence[str]) -> Rows:
    """Columns of a file as int64 arrays."""
    try:
        with open_parquet(path) as file:
            table = file.read(columns=list(columns))
    except FileNotFoundError as error:
        raise part_gone(path) from error
    except (pa.ArrowException, OSError) as error:
        raise unreadable(path, error, "delete its part", "matches") from error
    check_codes(path, table, MATCH_CODES)
    return {name: table[name].to_numpy().astype(np.int64) for name in columns}


def matches_of(told: Rows, deals: Rows) -> Matches:
    """What each match of a part came to."""
    number = len(told["match"])

    def per_match(values: np.ndarray) -> np.ndarray:
        return np.bincount(deals["place"], weights=values, minlength=number)

    side, levels = deals["side"], deals["levels"]
    return Matches(
        numbers=told["match"],
        deals=told["deals"],
        first_side_won=(told["winners"] >> told["first_declarer"] & 1) == 1,
        first_declarer=told["first_declarer"],
        sums={
            TAKE_OVER_RATE: per_match(side == ATTACKERS),
            DECLARERS_LEVELS: per_match(np.where(side == DECLARERS, levels, 0)),
            ATTACKERS_LEVELS: per_match(np.where(side == ATTACKERS, levels, 0)),
            CAPTURE_RATE: per_match(deals["captured"]),
            MEAN_TOTAL: per_match(deals["total"]),
        },
    )


def tally_of(told: Rows, deals: Rows, called: bool) -> Tally:
    """What the matches of a part came to together."""
    number, span = len(told["match"]), len(LEVELS)

    def counts(*columns: np.ndarray) -> np.ndarray:
        """How often each match has each combination of levels."""
        index = deals["place"]
        for column in columns:
            index = index * span + column - LOWEST_LEVEL
        found = np.bincount(index, minlength=number * span ** len(columns))
        return found.reshape(number, *(span,) * len(columns))

    before = np.stack([deals[f"level_{seat}"] for seat in range(4)])
    after = np.stack([deals[f"level_after_{seat}"] for seat in range(4)])
    declarer = deals["declarer"]
    # The attackers' nearest to the declarer stands for them, where levels are by seat.
    attacker = (declarer + 1) % 4
    if called:
        attacker = np.where(attacker == deals["friend"], (declarer + 2) % 4, attacker)
    rows = np.arange(len(declarer))
    moves = {}
    for name, seats in zip(SIDES, (declarer, attacker), strict=True):
        moved = counts(before[seats, rows], after[seats, rows])
        begun = moved.sum(axis=2, keepdims=True)
        moves[name] = [sums_of(moved[:, it], begun[:, it]) for it in range(span)]
    read = matches_of(told, deals)
    winners = np.zeros((4, 2), np.int64)
    np.add.at(winners[:, 0], read.first_declarer, 1)
    np.add.at(winners[:, 1], read.first_declarer, read.first_side_won)
    at_level = counts(deals["level"])
    return Tally(
        lengths=np.bincount(read.deals),
        winners=winners,
        rates={name: sums_of(its, read.deals) for name, its in read.sums.items()},
        at_level=sums_of(at_level, np.ones((number, 1))),
        share_at_level=sums_of(at_level, read.deals[:, np.newaxis]),
        moves=moves,
    )


def match_distribution(run: Run) -> pd.DataFrame:
    """What `shengji levels --matches` tells.

    Returns
    -------
    DataFrame
        `name`, `deals`, `seat`, `level`, `to`, `side` (None where they do not apply),
        `value`, `low`, `high`, `n`; n counts matches. Deals a match: mean and
        quantiles; `share of matches` with so many `deals`. The share of matches that
        the side which declared first wins, of all and by its seat. Take-over rate,
        levels a deal,
        captured bottoms, mean total: ratios over the deals of all matches. Deals a
        match spent at each level, and their share of all deals. Moves: of the deals
        that a side began at a level, the share after which it stood at another.
    """
    tally = tally_matches(run)
    rows = [
        _row(name, estimate, **where)
        for name, where, estimate in (
            *_lengths(tally.lengths),
            *_winners(tally.winners),
            *((name, {}, ratio_of(tally.rates[name])) for name in RATES),
            *_levels(tally),
            *_moves(tally),
        )
    ]
    frame = pd.DataFrame(rows)
    return frame.astype({name: object for name in WHERE}).where(frame.notna(), None)


Named = tuple[str, dict[str, str | int], Estimate]


def _row(name: str, estimate: Estimate, **where: str | int) -> dict:
    return {"name": name, **where, **estimate._asdict()}


def rate_of(read: Matches, name: str) -> Estimate:
    """A rate over the deals of all matches, by RATES."""
    return ratio(read.sums[name], read.deals)


def length_of(deals: np.ndarray, counts: np.ndarray | None = None) -> Estimate:
    """Mean deals a match (each of so many matches); at least one is played."""
    once = np.ones(len(deals), np.int64) if counts is None else counts
    it = mean(deals, once)
    return it if math.isnan(it.low) else it._replace(low=max(1.0, it.low))


def _lengths(lengths: np.ndarray) -> Iterator[Named]:
    deals, number = np.arange(len(lengths)), int(lengths.sum())
    yield DEALS_A_MATCH, {}, length_of(deals, lengths)
    for share in QUANTILES:
        yield f"{QUANTILE}{share:.0%}", {}, quantile(deals, share, lengths)
    for length in np.flatnonzero(lengths):
        where = {"deals": int(length)}
        yield LENGTH_SHARE, where, proportion(lengths[length], number)


def _winners(winners: np.ndarray) -> Iterator[Named]:
    matches, won = winners.sum(axis=0)
    yield FIRST_DECLARER_WINS, {}, proportion(won, matches)
    for seat, (matches, won) in enumerate(winners):
        yield FIRST_DECLARER_WINS, {"seat": seat}, proportion(won, matches)


def _levels(tally: Tally) -> Iterator[Named]:
    for place, level in enumerate(LEVELS):
        deals = tally.at_level.at(place)
        if deals.hits:
            where = {"level": level_label(level)}
            yield DEALS_AT_LEVEL, where, ratio_of(deals)
            yield SHARE_AT_LEVEL, where, ratio_of(tally.share_at_level.at(place))


def _moves(tally: Tally) -> Iterator[Named]:
    for side in SIDES:
        for begin, level in enumerate(LEVELS):
            for end, after in enumerate(LEVELS):
                moved = tally.moves[side][begin].at(end)
                if moved.hits:
                    where = {"level": level_label(level), "to": level_label(after)}
                    yield MOVES, {**where, "side": side}, ratio_of(moved)
