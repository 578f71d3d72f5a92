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
from sim.referee.replay import verify_record
from sim.schema import DEAL_DTYPE
from sim.task import make_task

MODES = {"later": False, "first": True}
CHUNK = 500  # deals that a process plays at a time


class Kind(NamedTuple):
    """What is played: every deal of a kind comes from one task."""

    variant: str
    decks: int
    policy: str
    mode: str  # one of MODES
    seed: int = 20


class Played(NamedTuple):
    """What some deals held, and what was wrong with them."""

    deals: int
    events: Counter[str]
    faults: list[str]


@cache
def recorder_of(kind: Kind) -> Recorder:
    """The recorder of a kind's task, made once in each process."""
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
        row = {name: int(recorder.rows[0][name]) for name in DEAL_DTYPE.names}
        why = why_wrong(record, row)
        played += 1
        if why is not None:
            faults.append(f"{' '.join(map(str, kind))}: deal {index}: {why}")
        else:
            events += census(record)
    return Played(played, events, faults)


def chunks(count: int) -> Iterator[range]:
    """Deals 0 to count in ranges of a chunk."""
    for start in range(0, count, CHUNK):
        yield range(start, min(start + CHUNK, count))


def run(kinds: Iterable[Kind], count: int, processes: int) -> dict[Kind, Played]:
    """Play `count` deals of each kind in so many processes."""
    jobs = [(kind, part) for kind in kinds for part in chunks(count)]
    found: dict[Kind, Played] = {}
    context = get_context("spawn")
    with ProcessPoolExecutor(processes, mp_context=context) as pool:
        futures = [(kind, pool.submit(play_deals, kind, part)) for kind, part in jobs]
        for kind, future in futures:
            deals, events, faults = future.result()
            before = found.get(kind, Played(0, Counter(), []))
            found[kind] = Played(
                before.deals + deals, before.events + events, before.faults + faults
            )
    return found
