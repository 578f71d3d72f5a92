"""Deal records: one simulated deal written down whole, for a stranger to replay.

The facts are the simulator's: the order of the deck, the log of the table and the row.
Nothing is worked out anew here but the levels after the deal, by the kernel that a
match uses. RECORDS.md section 1 is the format; `sim.referee` checks it.
"""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from kernels.calls import (
    CALLS_DTYPE,
    NO_CALL,
    call_cards,
    clear_calls,
    make_call,
    reinforces,
)
from kernels.codes import (
    ATTACKERS,
    DRAWN,
    SIDE_NAMES,
    TRUMP_NAMES,
)
from kernels.layout import LAYOUTS
from kernels.score import STANDING_DTYPE, end_deal
from sim.cards import CARD_NAMES, card_names
from sim.deal_flow import GIVEN_UP, given_up_words, play_deal, play_rows
from sim.match_flow import (
    MOST_DEALS,
    NEVER_DEALT,
    TOO_LONG,
    begin_match,
    problem_words,
)
from sim.places import whole_or_absent
from sim.planes import sorted_faces
from sim.policies.catalog import setting_codes
from sim.schema import DEAL_DTYPE
from sim.table import (
    LOG_BURY,
    LOG_CALL,
    LOG_PASS,
    LOG_PLAY,
    LOG_TARGET,
    LOG_TRICK,
    LOG_TRIED,
    LOG_TURNED,
    lay_table,
    set_game,
)
from sim.task import STREAM_VERSION, Task

FORMAT = "shengji-deal/1"
LARGEST_INDEX = 2**63 - 1

Record = dict[str, Any]


class RecordError(ValueError):
    """A deal that cannot be recorded: one sentence that says why."""


class Recorder:
    """Plays single deals of a task on a table of its own and writes them down."""

    def __init__(self, task: Task) -> None:
        self.task = task
        self.codes = task.rules.codes()
        self.game = set_game(self.codes, *setting_codes(task.policies))
        self.table = lay_table(task.rules.decks, logging=True)
        self.rows = np.zeros(1, DEAL_DTYPE)
        # Each record carries these; they are the same in all.
        self.rules = task.rules.to_dict()
        self.variant = task.rules.name

    def deal(self, index: int) -> Record:
        """The record of deal `index`, its keys in the order of RECORDS.md."""
        self.play(index)
        return self.written(self.table[0]["standing"], index, None, None)

    def match(self, number: int) -> Iterator[Record]:
        """The records of a match's deals, from the first to the one that ends it."""
        if not 0 <= number <= LARGEST_INDEX:
            raise RecordError(f"match {number} is not allowed: 0..{LARGEST_INDEX}")
        standing = np.zeros(1, STANDING_DTYPE)[0]
        begin_match(standing)
        row, seed = self.rows[0], np.uint64(self.task.seed)
        for deal in range(MOST_DEALS):
            before = standing.copy()
            play_deal(
                seed,
                np.int64(number),
                np.int64(deal),
                standing,
                row,
                self.game[0],
                self.table[0],
            )
            if row["redeals"] == GIVEN_UP:
                raise RecordError(problem_words(NEVER_DEALT, number))
            yield self.written(before, None, number, deal)
            facts = (
                int(row[name]) for name in ("side", "levels", "declarer", "friend")
            )
            if end_deal(standing, *facts, self.codes):
                return
        raise RecordError(problem_words(TOO_LONG, number))

    def written(
        self, before: np.void, index: int | None, match: int | None, deal: int | None
    ) -> Record:
        """The record of the deal that the table and the row hold.

        `before` is the STANDING record that it began from; either an index names the
        deal, or its match and its number in it.
        """
        row = {name: int(self.rows[0][name]) for name in DEAL_DTYPE.names}
        level, declarer = row["level"], row["declarer"]
        given = int(before["declarer"])
        layout = LAYOUTS[level, row["trump"]]
        deck = [CARD_NAMES[face] for face in self.table[0]["deck"]]
        first = int(self.table[0]["first"])
        drawn = DRAWN[self.task.rules.decks]
        bottom = deck[drawn:]
        log = self.entries()
        tricks = list(read_tricks(log, layout))
        called = row["called_card"]
        called_card = CARD_NAMES[called] if called >= 0 else None
        declarers = int(self.table[0]["declarers"])
        failed = [0, 0, 0, 0]
        for trick in tricks:
            failed[trick["leader"]] += trick["tried"] is not None
        return {
            "format": FORMAT,
            "variant": self.variant,
            "rules": self.rules,
            "seed": self.task.seed,
            "index": index,
            "stream_version": STREAM_VERSION,
            "match": match,
            "deal": deal,
            "policies": [setting.policy.name for setting in self.task.policies],
            "policy_parameters": [
                dict(setting.values) for setting in self.task.policies
            ],
            "levels": before["levels"].tolist(),
            "laps": before["laps"].tolist(),
            "declarer_before": None if given < 0 else given,
            "drawn": [deck[(seat - first) % 4 : drawn : 4] for seat in range(4)],
            "bottom": bottom,
            "redeals": row["redeals"],
            "calls": list(read_calls(log, level, self.codes.with_joker)),
            "turned": read_turned(log),
            "level": level,
            "trump": TRUMP_NAMES[row["trump"]],
            "declarer": declarer,
            "buries": list(read_buries(log, bottom, layout)),
            "called_card": called_card,
            "friend": row["friend"] if row["friend"] >= 0 else None,
            "tricks": tricks,
            "attackers": [seat for seat in range(4) if not declarers >> seat & 1],
            "trick_points": row["trick_points"],
            "bottom_points": row["buried_points"],
            "captured": bool(row["captured"]),
            "multiplier": row["multiplier"] if row["captured"] else None,
            "penalty_points": row["penalty_points"],
            "total": row["total"],
            "failed_throws": failed,
            "overcalls": row["overcalls"],
            "coin_factor": row["coin_factor"],
            **self.outcome(row, before),
        }

    def play(self, index: int) -> None:
        """Play the deal: the table and the row then hold it."""
        if not 0 <= index <= LARGEST_INDEX:
            raise RecordError(f"deal index {index} is not allowed: 0..{LARGEST_INDEX}")
        play_rows(
            self.game,
            np.int64(self.task.level_code),
            bool(self.task.first_deal),
            np.uint64(self.task.seed),
            np.int64(index),
            self.rows,
            self.table,
        )
        if self.rows[0]["redeals"] == GIVEN_UP:
            raise RecordError(f"deal {index}: {given_up_words(self.task.first_deal)}")

    def entries(self) -> list[tuple[int, ...]]:
        """The table's log: (tag, and the three numbers that go with it)."""
        table = self.table[0]
        return [tuple(entry) for entry in table["log"][: table["entries"]].tolist()]

    def outcome(self, row: dict[str, int], before: np.void) -> Record:
        """What the level table says, and where that leaves everyone."""
        side, levels = row["side"], row["levels"]
        attackers_won = side == ATTACKERS
        after = before.copy()
        ended = end_deal(
            after, side, levels, row["declarer"], row["friend"], self.codes
        )
        return {
            "result": {
                "side": SIDE_NAMES[side],
                "levels": levels,
                "takes_over": attackers_won,
            },
            "levels_after": after["levels"].tolist(),
            "laps_after": after["laps"].tolist(),
            "next_declarer": int(after["declarer"]),
            "match_won": [seat for seat in range(4) if ended >> seat & 1] or None,
        }


def record_deal(task: Task, index: int) -> Record:
    """The record of one deal of a task."""
    return Recorder(task).deal(index)


def write_record(record: Record) -> str:
    """A record as its line."""
    return json.dumps(record, ensure_ascii=False)


def save_lines(path: Path, lines: Iterable[str]) -> None:
    """Write lines to a file that is there whole in the end, or not at all."""
    if not path.parent.is_dir():
        raise RecordError(f"{path}: cannot be written: no folder {path.parent}")
    temporary = path.with_name(path.name + ".tmp")
    try:
        with whole_or_absent(temporary):
            with temporary.open("w", encoding="utf-8") as file:
                file.writelines(f"{line}\n" for line in lines)
            temporary.replace(path)
    except OSError as error:
        raise RecordError(f"{path}: cannot be written: {error.strerror}") from None


def read_calls(
    log: Iterable[tuple[int, ...]], level: int, with_joker: int
) -> Iterator[Record]:
    """The calls of a log, or its auction, each with the word for what it does."""
    calls = np.zeros(1, CALLS_DTYPE)[0]
    clear_calls(calls)
    for tag, seat, call, drawn, *_ in log:
        if tag == LOG_PASS:
            yield {"seat": seat, "kind": "pass"}
        elif tag == LOG_TARGET:
            yield {"seat": seat, "kind": "target", "target": call}
        if tag != LOG_CALL:
            continue
        kind = "bid" if calls["call"] == NO_CALL else "overcall"
        if reinforces(call, seat, calls):
            kind = "reinforce"
        make_call(call, seat, calls)
        yield {
            "seat": seat,
            "kind": kind,
            "cards": card_names(call_cards(call, level, with_joker)),
            "after": drawn,
        }


def read_turned(log: Iterable[tuple[int, ...]]) -> str | None:
    """The bottom card of a log that made trump, where nobody called."""
    for tag, face, *_ in log:
        if tag == LOG_TURNED:
            return CARD_NAMES[face]
    return None


def read_buries(
    log: Iterable[tuple[int, ...]], bottom: list[str], layout: np.void
) -> Iterator[Record]:
    """The buries of a log; each takes what the one before has put down."""
    for tag, seat, *planes in log:
        if tag == LOG_BURY:
            buried = card_names(sorted_faces(planes, layout))
            yield {"seat": seat, "took": bottom, "buried": buried}
            bottom = buried


def read_tricks(log: Iterable[tuple[int, ...]], layout: np.void) -> Iterator[Record]:
    """The tricks of a log."""
    tried, plays = None, []
    for tag, first, *planes in log:
        if tag == LOG_TRIED:
            tried = card_names(sorted_faces(planes, layout))
        elif tag == LOG_PLAY:
            plays.append((first, card_names(sorted_faces(planes, layout))))
        elif tag == LOG_TRICK:
            yield {
                "leader": plays[0][0],
                "tried": tried,
                "plays": [cards for _, cards in plays],
                "winner": first,
                "points": planes[0],
            }
            tried, plays = None, []
