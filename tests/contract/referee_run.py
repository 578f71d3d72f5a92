"""Many deals past the referee, in several processes: what the slow tests play.

A job is some deals of one kind. Each is recorded, written and read as JSON, held
against the simulator's own row and replayed by the referee; the census and the
faults come back.
"""

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from multiprocessing import get_context
from typing import NamedTuple

from contract.facts import row_of

from sim.record import Record, Recorder, write_record
from sim.referee.census import census
from sim.referee.replay import verify_each, verify_record
from sim.schema import DEAL_DTYPE
from sim.task import make_task, match_task

MODES = {"later": False, "first": True}
MATCH = "match"
CHUNK = {"later": 500, "first": 500, MATCH: 10}  # what a process plays at a time


class Kind(NamedTuple):
    """What is played: every deal of a kind comes from one task."""

    variant: str
    decks: int
    policy: str
    mode: str  # one of MODES, or MATCH: whole matches
    seed: int = 20


class Played(NamedTuple):
    """What some deals held, and what was wrong with them."""

    deals: int
    events: Counter[str]
    faults: list[str]


@cache
def recorder_of(kind: Kind) -> Recorder:
    """The recorder of a kind's task, made once in each process."""
    if kind.mode == MATCH:
        task = match_task(
            kind.variant, decks=kind.decks, policy=kind.policy, seed=kind.seed
        )
        return Recorder(task)
    return Recorder(
        make_task(
            kind.variant,
            decks=kind.decks,
            level="all",
            policy=kind.policy,
            first_deal=MODES[kind.mode],
            seed=kind.seed,
        )
    )


def row_told(recorder: Recorder) -> dict[str, int]:
    """The simulator's own row of the deal just recorded."""
    return {name: int(recorder.rows[0][name]) for name in DEAL_DTYPE.names}


def why_wrong(record: Record, row: dict[str, int] | None) -> str | None:
    """What the referee or the row has against a record, None if nothing."""
    fault = verify_record(record)
    if fault is not None:
        return str(fault)
    points = sum(trick["points"] for trick in record["tricks"])
    if points + record["bottom_points"] != 100 * record["rules"]["decks"]:
        return f"{points} points in tricks, {record['bottom_points']} in the bottom"
    if row is None:
        return None
    told = row_of(record)
    if list(told) != list(row):
        return f"row has {list(row)}, record tells {list(told)}"
    for name in row:
        if row[name] != told[name]:
            return f"{name} is {row[name]} in the row, {told[name]} in the record"
    return None


def play_deals(kind: Kind, deals: Iterable[int]) -> Played:
    """Play and check some deals of a kind, by their indices."""
    recorder = recorder_of(kind)
    played, events, faults = 0, Counter(), []
    for index in deals:
        record = json.loads(write_record(recorder.deal(index)))
        why = why_wrong(record, row_told(recorder))
        played += 1
        if why is not None:
            faults.append(f"{' '.join(map(str, kind))}: deal {index}: {why}")
        else:
            events += census(record)
    return Played(played, events, faults)


def play_matches(kind: Kind, matches: Iterable[int]) -> Played:
    """Play and check some matches of a kind, each deal and how the deals join."""
    recorder = recorder_of(kind)
    played, events, faults = 0, Counter(), []
    for match in matches:
        where = f"{' '.join(map(str, kind))}: match {match}"
        lines, rows = [], []
        for record in recorder.match(match):
            lines.append(write_record(record))
            rows.append(row_told(recorder))
        checked = list(verify_each(lines))
        for (_, record, fault), row in zip(checked, rows, strict=True):
            played += 1
            why = str(fault) if fault else why_wrong(record, row)
            if why is not None:
                faults.append(f"{where}: {why}")
            else:
                events += census(record)
        events["matches"] += 1
        if any(record["match_won"] for _, record, _ in checked[:-1]):
            faults.append(f"{where}: it goes on after it has been won")
        if not checked[-1][1]["match_won"]:
            faults.append(f"{where}: it ends before it has been won")
    return Played(played, events, faults)


def chunks(count: int, size: int) -> Iterator[range]:
    """Numbers from 0 to count in ranges of one size."""
    for start in range(0, count, size):
        yield range(start, min(start + size, count))


def run(kinds: Iterable[Kind], count: int, processes: int) -> dict[Kind, Played]:
    """Play `count` deals, or matches, of each kind in so many processes."""
    jobs = [
        (play_matches if kind.mode == MATCH else play_deals, kind, part)
        for kind in kinds
        for part in chunks(count, CHUNK[kind.mode])
    ]
    found: dict[Kind, Played] = {}
    context = get_context("spawn")
    with ProcessPoolExecutor(processes, mp_context=context) as pool:
        futures = [(kind, pool.submit(play, kind, part)) for play, kind, part in jobs]
        for kind, future in futures:
            deals, events, faults = future.result()
            before = found.get(kind, Played(0, Counter(), []))
            found[kind] = Played(
                before.deals + deals, before.events + events, before.faults + faults
            )
    return found
