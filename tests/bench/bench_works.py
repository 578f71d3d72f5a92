"""What `python tests/bench` measures: each hot kernel, deals, a match, each command.

Each piece of work is a `Work`: what it does once, of how many units, and a checksum of
what came out. Kernels get the positions of played deals (`sim.bench.positions`), the
commands a run that was played for them.
"""

import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pyarrow.parquet as pq

from sim.bench.kernels import Work, works
from sim.driver import Silent, ready_blocks, ready_player
from sim.schema import DEAL_DTYPE
from sim.store import Span
from sim.task import make_task, match_task

ROOT = Path(__file__).resolve().parents[2]
CASES = ROOT / "tests" / "cases" / "random.jsonl"


class Size(NamedTuple):
    """How much of everything is done."""

    positions: int  # deals whose positions the kernels get
    least: int  # units of a kernel's pass
    deals: int
    matches: int
    run: int  # deals of the runs that commands play or read
    records: int
    cases: int


FULL = Size(200, 20_000, 20_000, 500, 200_000, 300, 400)
SMOKE = Size(4, 1, 50, 2, 200, 3, 20)


def number(content: bytes) -> int:
    """The beginning of a hash."""
    return int.from_bytes(hashlib.sha256(content).digest()[:8])


def deal_works(size: Size) -> Iterator[Work]:
    """Whole deals of each policy and number of decks, and whole matches."""
    for decks in (2, 3, 4):
        for policy in ("random", "textbook"):
            task = make_task("bianfeng", decks=decks, policy=policy, seed=1)
            player = ready_player(task, Silent())
            rows = np.zeros(size.deals, DEAL_DTYPE)
            name = f"deal ({policy}, {decks} decks)"
            yield Work(name, "deal", size.deals, partial(play_rows, player, rows))
    play_span = ready_blocks(match_task("menghuan", seed=1), Silent())
    yield Work("match", "match", size.matches, partial(play_matches, play_span, size))


def play_rows(player: Callable, rows: np.ndarray) -> int:
    player(0, rows)
    return number(rows.tobytes())


def play_matches(play_span: Callable, size: Size) -> int:
    told = hashlib.sha256()
    for table in play_span(Span(0, size.matches)).tables:
        for name, column in table.items():
            told.update(name.encode() + column.tobytes())
    return number(told.digest())


def shengji(folder: Path, *words: object, status: int = 0) -> str:
    """What a command prints, in a process of its own."""
    done = subprocess.run(
        [sys.executable, str(ROOT / "cli.py"), *map(str, words)],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == status, done.stderr
    return done.stdout


def command_works(folder: Path, size: Size) -> Iterator[Work]:
    """Each command, from the outside: its start is part of it."""
    kept, records = folder / "kept", folder / "records.jsonl"
    shengji(folder, "run", "-n", size.run, "--level", "all", "-o", kept)
    shengji(folder, "record", "-n", size.records, "-o", records)
    asked = folder / "asked.jsonl"
    lines = questions()[: size.cases]
    asked.write_text("".join(f"{line}\n" for line in lines), "utf-8")
    said = partial(command, folder)
    runs = iter(range(10**9))
    yield Work("--help", "call", 1, partial(said, 1, "--help"))
    yield Work("run", "deal", size.run, partial(played, folder, runs, "run", size.run))
    yield Work(
        "matches",
        "match",
        size.matches,
        partial(played, folder, runs, "matches", size.matches),
    )
    for name in ("levels", "bottom"):
        yield Work(name, "deal", size.run, partial(said, None, name, kept, "--json"))
    tables = ("compare", kept, "--tables", "menghuan,bianfeng", "--json")
    yield Work("compare", "deal", size.run, partial(said, None, *tables))
    yield Work(
        "record",
        "deal",
        size.records,
        partial(said, None, "record", "-n", size.records),
    )
    yield Work("verify", "deal", size.records, partial(said, None, "verify", records))
    yield Work("judge", "question", len(lines), partial(said, None, "judge", asked))


def questions() -> list[str]:
    """The questions of cases that have an answer: else judge exits with 1."""
    cases = map(json.loads, CASES.read_text("utf-8").splitlines())
    return [json.dumps(it["question"]) for it in cases if "error" not in it["expected"]]


def command(folder: Path, lines: int | None, *words: object) -> int:
    """A hash of what a command prints, or of its first lines.

    The last digits of an estimate are no part of the work.
    """
    told = "\n".join(shengji(folder, *words).splitlines()[:lines])
    assert told
    if "--json" in words:
        told = repr(json.loads(told, parse_float=lambda it: f"{float(it):.9g}"))
    return number(told.replace(str(folder), "").encode())


def played(folder: Path, runs: Iterator[int], name: str, wanted: int) -> int:
    """A hash of the rows that a new run holds."""
    place = folder / f"{name}-{next(runs)}"
    shengji(folder, name, "-n", wanted, "-o", place)
    told = hashlib.sha256()
    for path in sorted(place.glob("*.parquet")):
        table = pq.read_table(path)
        for column in table.column_names:
            told.update(column.encode())
            told.update(table[column].to_numpy().tobytes())
    return number(told.digest())


def every_work(folder: Path, size: Size) -> Iterator[Work]:
    """All that is measured, one after the other."""
    yield from works(size.positions, size.least)
    yield from deal_works(size)
    yield from command_works(folder, size)
