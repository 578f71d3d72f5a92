"""Whole matches: how long they are, who wins them, where their deals are spent.

The match is the unit of every interval: the deals of one match are not independent of
each other. A rate over deals is therefore a ratio of two sums over matches (how often
it happened, of how many), and its interval comes from how the matches differ.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from analysis.estimate import Estimate, mean, proportion, quantile, ratio
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
from analysis.load import AnalysisError, Run
from kernels.codes import ATTACKERS, DECLARERS, JOKER_LEVEL, LOWEST_LEVEL
from sim.parts import beside
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
# Rates over deals: (name, what is counted in each deal); all of them, all deals.
RATES = (TAKE_OVER_RATE, DECLARERS_LEVELS, ATTACKERS_LEVELS, CAPTURE_RATE, MEAN_TOTAL)


@dataclass(frozen=True)
class Matches:
    """What each match came to; arrays of one length, in order of the matches."""

    numbers: np.ndarray  # int64: the match
    deals: np.ndarray  # int64
    first_side_won: (
        np.ndarray
    )  # bool: who declared the first deal was among the winners
    first_declarer: np.ndarray  # int64: seat
    sums: dict[str, np.ndarray]  # by RATES: float64, summed over the match's deals
    at_level: np.ndarray  # int64[matches, levels]: deals played at each level
    moves: dict[
        str, np.ndarray
    ]  # by SIDES: int64[matches, levels, levels], from and to

    @property
    def number(self) -> int:
        return len(self.numbers)


def read_matches(run: Run) -> Matches:
    """What each match of a run came to, part by part."""
    if run.task["mode"] != "match":
        raise AnalysisError(
            f"{run.folders[0]} holds single deals, not whole matches: measure it "
            "without --matches, or play matches with `shengji matches`"
        )
    parts = list(_parts(run))
    return Matches(
        **{
            name: np.concatenate([getattr(part, name) for part in parts])
            for name in ("numbers", "deals", "first_side_won", "first_declarer")
        },
        sums={
            name: np.concatenate([part.sums[name] for part in parts]) for name in RATES
        },
        at_level=np.concatenate([part.at_level for part in parts]),
        moves={
            side: np.concatenate([part.moves[side] for part in parts]) for side in SIDES
        },
    )


def _parts(run: Run) -> Iterator[Matches]:
    deals_table, match_table = MATCHES.tables
    for part in run.parts:
        told = _read(part.path, match_table.schema.names)
        deals = _read(beside(part, deals_table), DEAL_COLUMNS)
        place = deals["match"] - part.span.start
        number = part.span.deals
        lengths = np.bincount(place, minlength=number)
        if not np.array_equal(lengths, told["deals"]):
            raise AnalysisError(
                f"{part.path} is damaged: its matches have other deals than "
                f"{beside(part, deals_table).name}; delete both and repeat the run"
            )
        yield _summed(told, deals, place, number, called_partners(run))


def called_partners(run: Run) -> bool:
    """Whether levels are kept by seat."""
    return run.task["rules"]["partners"] == "called"


def _read(path: Path, columns: Sequence[str]) -> dict[str, np.ndarray]:
    """Columns of a file as int64 arrays."""
    try:
        with pq.ParquetFile(path, page_checksum_verification=True) as file:
            table = file.read(columns=list(columns))
    except (pa.ArrowException, OSError) as error:
        raise AnalysisError(
            f"{path} is damaged: its rows cannot be read; delete its part and repeat "
            "the run, which plays those matches again"
        ) from error
    return {name: table[name].to_numpy().astype(np.int64) for name in columns}


def _summed(
    told: dict[str, np.ndarray],
    deals: dict[str, np.ndarray],
    place: np.ndarray,
    number: int,
    called: bool,
) -> Matches:
    """Sums over the deals of each match; `place` is the match of each deal, from 0."""

    def per_match(values: np.ndarray) -> np.ndarray:
        return np.bincount(place, weights=values, minlength=number)

    side, levels = deals["side"], deals["levels"]
    sums = {
        TAKE_OVER_RATE: per_match(side == ATTACKERS),
        DECLARERS_LEVELS: per_match(np.where(side == DECLARERS, levels, 0)),
        ATTACKERS_LEVELS: per_match(np.where(side == ATTACKERS, levels, 0)),
        CAPTURE_RATE: per_match(deals["captured"]),
        MEAN_TOTAL: per_match(deals["total"]),
    }
    span = len(LEVELS)

    def table(*columns: np.ndarray) -> np.ndarray:
        index = place
        for column in columns:
            index = index * span + column - LOWEST_LEVEL
        size = number * span ** len(columns)
        counts = np.bincount(index, minlength=size)
        return counts.reshape(number, *(span,) * len(columns))

    before = np.stack([deals[f"level_{seat}"] for seat in range(4)])
    after = np.stack([deals[f"level_after_{seat}"] for seat in range(4)])
    declarer = deals["declarer"]
    # The attackers' nearest to the declarer stands for them, where levels are by seat.
    attacker = (declarer + 1) % 4
    if called:
        attacker = np.where(attacker == deals["friend"], (declarer + 2) % 4, attacker)
    rows = np.arange(len(declarer))
    moves = {
        name: table(before[seats, rows], after[seats, rows])
        for name, seats in zip(SIDES, (declarer, attacker), strict=True)
    }
    return Matches(
        numbers=told["match"],
        deals=told["deals"],
        first_side_won=(told["winners"] >> told["first_declarer"] & 1) == 1,
        first_declarer=told["first_declarer"],
        sums=sums,
        at_level=table(deals["level"]),
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
    read = read_matches(run)
    rows = [
        _row(name, estimate, **where)
        for name, where, estimate in (
            *_lengths(read),
            *_winners(read),
            *((name, {}, rate_of(read, name)) for name in RATES),
            *_levels(read),
            *_moves(read),
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


def length_of(read: Matches) -> Estimate:
    """Mean deals a match; at least one is played."""
    counts = np.ones(read.number, np.int64)
    it = mean(read.deals, counts)
    return it._replace(low=max(1.0, it.low))


def _lengths(read: Matches) -> Iterator[Named]:
    yield DEALS_A_MATCH, {}, length_of(read)
    for share in QUANTILES:
        yield f"{QUANTILE}{share:.0%}", {}, quantile(read.deals, share)
    for length, matches in enumerate(np.bincount(read.deals)):
        if matches:
            yield LENGTH_SHARE, {"deals": length}, proportion(matches, read.number)


def _winners(read: Matches) -> Iterator[Named]:
    won = read.first_side_won
    yield FIRST_DECLARER_WINS, {}, proportion(won.sum(), read.number)
    for seat in range(4):
        mine = read.first_declarer == seat
        yield (
            FIRST_DECLARER_WINS,
            {"seat": seat},
            proportion(won[mine].sum(), mine.sum()),
        )


def _levels(read: Matches) -> Iterator[Named]:
    counts = np.ones(read.number, np.int64)
    for place, level in enumerate(LEVELS):
        deals = read.at_level[:, place]
        if deals.any():
            where = {"level": level_label(level)}
            yield DEALS_AT_LEVEL, where, mean(deals, counts)
            yield SHARE_AT_LEVEL, where, ratio(deals, read.deals)


def _moves(read: Matches) -> Iterator[Named]:
    for side in SIDES:
        for begin, level in enumerate(LEVELS):
            begun = read.moves[side][:, begin, :].sum(axis=1)
            for end, after in enumerate(LEVELS):
                moved = read.moves[side][:, begin, end]
                if moved.any():
                    where = {"level": level_label(level), "to": level_label(after)}
                    yield MOVES, {**where, "side": side}, ratio(moved, begun)
