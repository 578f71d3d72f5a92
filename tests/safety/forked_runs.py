"""Plays runs in processes that may be killed outright, each forked from this one.

A process of its own, which imports everything once: forking it costs a few
milliseconds, where starting Python anew costs a second. It reads a line of JSON a run
(see `Order`) and answers with a line: how the run ended.
"""

import importlib
import json
import os
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple

from stand_in import Game

from sim import driver, summary
from sim import task as sim_task
from sim.histograms import SUMMARIES
from sim.repair import repair
from sim.schema import DEALS, MATCHES
from sim.task import Task, make_task, match_task

# The lines of these are where a run is killed: what touches its folder.
STORING = ("driver", "store", "parts", "part_files", "places", "summary", "repair")
SIM = Path(driver.__file__).parent
FILES = {str(SIM / f"{name}.py") for name in STORING}


class Order(NamedTuple):
    """One run to be played, and how it is killed; never, if nothing says so."""

    folder: str
    wanted: int
    matches: bool = False
    keep: str = "rows"
    repair: bool = False  # instead of playing on
    part_size: int = 100
    block: int = 30  # units a row group, and played at a time
    seconds: float = 0.0  # that each block takes: stand-in only
    # Killed before this line of the store is executed, counted from the beginning.
    line: int | None = None
    # Killed at the n-th call (from 1) of this function, before it or after it.
    call: tuple[str, int, str] | None = None
    after: float | None = None  # killed from outside, this many seconds on


def task_of(matches: bool) -> Task:
    """What all of them play."""
    return match_task(policy="random") if matches else make_task(policy="random")


def die() -> None:
    """As the out-of-memory killer does it: nothing is tidied up."""
    os.kill(os.getpid(), signal.SIGKILL)


class Lines:
    """Counts the lines of the store that the main thread executes, and ends at one."""

    def __init__(self, last: int):
        self.last, self.executed = last, 0

    def trace(self, frame: FrameType, event: str, _: Any) -> Callable | None:
        code = frame.f_code
        if code.co_filename not in FILES or code.co_name.startswith("<"):
            return None  # elsewhere, or within a line
        if event == "line":
            self.executed += 1
            if self.executed == self.last:
                die()
        return self.trace


def end_at_call(name: str, number: int, when: str) -> None:
    """Replace `module:attribute.attribute` by what dies at its n-th call."""
    module, _, path = name.partition(":")
    *owners, last = path.split(".")
    owner = importlib.import_module(module)
    for attribute in owners:
        owner = getattr(owner, attribute)
    function, calls = getattr(owner, last), 0

    def dying(*words: Any, **named: Any) -> Any:
        nonlocal calls
        calls += 1
        if (calls, when) == (number, "before"):
            die()
        result = function(*words, **named)
        if (calls, when) == (number, "after"):
            die()
        return result

    setattr(owner, last, dying)


def play(order: Order) -> int:
    """Play the run in this process; returns how many lines that took, if counted."""
    kind = (MATCHES if order.matches else DEALS)._replace(
        part_size=order.part_size, group_size=order.block
    )
    setattr(sim_task, "MATCHES" if order.matches else "DEALS", kind)
    summaries = kind._replace(tables=SUMMARIES.tables, merged=2)
    for module in ("sim.parts", "sim.store", "sim.summary"):
        importlib.import_module(module).SUMMARIES = summaries
    if order.call is not None:
        end_at_call(*order.call)
    game = None if order.matches else Game(seconds=order.seconds)
    lines = Lines(order.line or 0)
    if order.line is not None:
        sys.settrace(lines.trace)
    folder = Path(order.folder)
    if order.repair:
        repair(folder, player=game)
    else:
        task = task_of(order.matches)
        driver.play(task, folder, order.wanted, player=game, keep=order.keep)
    sys.settrace(None)
    return lines.executed


def forked(order: Order) -> dict[str, int]:
    """Play in a child; what it told, or what ended it."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        try:
            os.write(writer, str(play(order)).encode())
        except BaseException:
            sys.excepthook(*sys.exc_info())
            os._exit(1)
        os._exit(0)
    os.close(writer)
    if order.after is not None:
        time.sleep(order.after)
        os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    told = os.read(reader, 100).decode()
    os.close(reader)
    code = os.waitstatus_to_exitcode(status)
    return {"killed": code == -signal.SIGKILL, "code": code, "lines": int(told or 0)}


def main() -> None:
    # Costs much, and changes nothing here: asking git, and waiting for the disk.
    driver.provenance = dict
    os.fsync = lambda handle: None
    if "matches" in sys.argv:  # load what is compiled: once, for all
        driver.matches_player(task_of(True))(driver.Span(0, 1))
    if "summaries" in sys.argv:
        block = driver.deals_player(Game())(driver.Span(0, 40))
        summary.added([summary.summary_of(block.tables[0])] * 2)
    for line in sys.stdin:
        print(json.dumps(forked(Order(**json.loads(line)))), flush=True)


if __name__ == "__main__":
    main()
