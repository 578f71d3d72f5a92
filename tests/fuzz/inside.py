"""A `shengji` command run inside this process, as a shell would see it.

Everything goes through `cli.main`, the real way out, where errors become sentences. An
exception that it lets through is one that a user would see as a traceback.
"""

import faulthandler
import io
import os
import sys
import threading
import time
from collections import Counter
from pathlib import Path
from typing import NamedTuple
from unittest import mock

import cli

HANGS_AFTER = 300  # seconds; then the stacks are shown and the process ended
LONGEST_SENTENCE = 1_200  # characters: what is allowed may be a long list


class Outcome(NamedTuple):
    code: int
    out: str
    err: str


class Tally:
    """What was run: how many commands ended how, and the slowest of each kind."""

    def __init__(self) -> None:
        self.codes: Counter[tuple[str, int]] = Counter()
        self.slowest: dict[str, tuple[float, str]] = {}

    def add(self, kind: str, code: int, seconds: float, told: str) -> None:
        self.codes[kind, code] += 1
        if seconds > self.slowest.get(kind, (0.0, ""))[0]:
            self.slowest[kind] = seconds, told


TALLY = Tally()


class Watch(threading.Thread):
    """Ends the process, showing its stacks, when a command hangs."""

    began: float | None = None

    def run(self) -> None:
        while True:
            time.sleep(HANGS_AFTER / 10)
            began = self.began
            if began is not None and time.perf_counter() - began > HANGS_AFTER:
                faulthandler.dump_traceback(file=sys.__stderr__)
                os._exit(70)


WATCH = Watch(daemon=True)
WATCH.start()


def shengji(*arguments: str, stdin: bytes = b"") -> Outcome:
    """Run a command; nothing of it reaches the streams of this process."""
    streams = {
        name: io.TextIOWrapper(io.BytesIO(held), encoding="utf-8", newline="\n")
        for name, held in (("stdin", stdin), ("stdout", b""), ("stderr", b""))
    }
    code: object = 0
    began = time.perf_counter()
    WATCH.began = began
    try:
        with mock.patch.multiple(sys, argv=["shengji", *arguments], **streams):
            cli.main()
    except SystemExit as end:
        code = end.code
    finally:
        WATCH.began = None
    assert isinstance(code, int), code
    TALLY.add(
        arguments[0] if arguments else "",
        code,
        time.perf_counter() - began,
        repr((arguments, stdin[:200])),
    )
    out, err = (read(streams[name]) for name in ("stdout", "stderr"))
    return Outcome(code, out, err)


def read(stream: io.TextIOWrapper) -> str:
    stream.flush()
    return stream.buffer.getvalue().decode("utf-8")


def check_outcome(outcome: Outcome, codes: tuple[int, ...] = (0, 2)) -> None:
    """The command ended as it may; where it refused, by one clear sentence."""
    assert outcome.code in codes, outcome
    assert "Traceback" not in outcome.err, outcome
    if outcome.code == 2:
        assert outcome.out == "", outcome
        *_, last = lines = outcome.err.rstrip("\n").split("\n")
        assert [line for line in lines if line.startswith("Error: ")] == [last], outcome
        assert 20 < len(last) < LONGEST_SENTENCE, outcome
        assert last.isprintable(), outcome


Files = dict[str, bytes | None]


def files_in(folder: Path) -> Files:
    """Every file below a folder with its bytes; None for a folder."""
    return {
        str(path.relative_to(folder)): None if path.is_dir() else path.read_bytes()
        for path in folder.rglob("*")
    }


def restore(folder: Path, files: Files) -> None:
    """Make a folder what it was before a command."""
    now = files_in(folder)
    for name in sorted(now.keys() - files.keys(), reverse=True):
        path = folder / name
        path.rmdir() if path.is_dir() else path.unlink()
    for name, held in files.items():
        if held is not None and now.get(name) != held:
            (folder / name).write_bytes(held)
