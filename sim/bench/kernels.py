"""How fast each hot kernel is, on the positions that played deals came to.

Every work here goes through all its positions once and returns a checksum of what the
kernel answered: equal checksums, equal work.
"""

import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import NamedTuple

import numpy as np

from kernels.codes import plain_options
from kernels.layout import LAYOUTS
from sim.bench.floor import Figure, figure
from sim.bench.loops import (
    check_throws,
    decide_buries,
    decide_follows,
    decide_leads,
    draw_deals,
    find_calls,
    find_duties,
    find_multipliers,
    find_strengths,
    judge_follows,
    lay_out,
    read_shapes,
    read_tables,
)
from sim.bench.positions import Positions, played_positions
from sim.policies.catalog import setting_codes
from sim.table import lay_table, set_game
from sim.task import make_task

SETTINGS = {"variant": "menghuan", "level": "all", "seed": 1}
DEALS = 200  # whose positions are taken: too many for a processor to learn by heart
LEAST_UNITS = 20_000  # of a pass: what calling a kernel takes must not count


class Work(NamedTuple):
    """A kernel's work: called, it goes through all positions."""

    name: str
    unit: str
    count: int
    run: Callable[[], object]

    def checksum(self) -> str:
        return f"{int(self.run()) & (1 << 64) - 1:016x}"


def works(deals: int = DEALS, least: int = LEAST_UNITS) -> Iterator[Work]:
    """The work of every hot kernel, on the positions of some deals.

    Parameters
    ----------
    deals : int
    least : int
        Units of a pass at least: the positions are repeated as often as that takes.
    """
    task = make_task(**SETTINGS, policy="textbook")
    codes = task.rules.codes()
    options = plain_options(codes)
    at = Positions(*(repeated(it, least) for it in played_positions(task, deals)))
    game, table = set_game(codes, *setting_codes(task.policies)), lay_table()
    drawn = max(deals, least // 100)

    yield Work(
        "shuffle and draw",
        "deal",
        drawn,
        partial(draw_deals, game[0], table[0], drawn),
    )
    for name, unit, spots, kernel, given in (
        ("layout", "hand", at.draws, lay_out, LAYOUTS),
        ("calls", "card drawn", at.draws, find_calls, options),
        ("read_shape", "lead", at.leads, read_shapes, LAYOUTS),
        ("duty", "follow", at.follows, find_duties, LAYOUTS),
        ("judge_follow", "follow", at.follows, judge_follows, LAYOUTS),
        ("throw", "throw", at.throws, check_throws, LAYOUTS),
        ("strength", "follow", at.follows, find_strengths, LAYOUTS),
        ("bottom multiplier", "deal", at.rows, find_multipliers, codes),
        ("level table", "deal", at.rows, read_tables, codes),
    ):
        yield Work(name, unit, len(spots), partial(kernel, spots, given))
    for policy in ("random", "textbook"):
        settings = make_task(**SETTINGS, policy=policy).policies
        seat = set_game(codes, *setting_codes(settings))[0]["seats"][0]
        asked = (LAYOUTS, int(seat["policy"]), seat["thresholds"])
        for name, spots, kernel in (
            ("bury", at.buries, decide_buries),
            ("lead", at.leads, decide_leads),
            ("follow", at.follows, decide_follows),
        ):
            work = partial(kernel, spots, *asked)
            yield Work(f"{name} ({policy})", name, len(spots), work)


def repeated(spots: np.ndarray, least: int) -> np.ndarray:
    """Positions over and over, until there are enough."""
    return np.tile(spots, max(1, -(-least // len(spots))))


ROUND_UNITS = 200_000  # about, so that the clock's own time does not count
FLOOR_DEALS = 20_000


def measure_kernels(
    deals: int, rounds: int, doing: Callable[[str], object]
) -> list[Figure]:
    """A figure for each hot kernel.

    Parameters
    ----------
    deals : int
        Whose positions are taken.
    rounds : int
    doing : function
        Told what is being measured.
    """
    figures = []
    for work in works(deals):
        doing(f"kernels: {work.name}")
        checksum = work.checksum()  # warms up, too
        passes = max(1, ROUND_UNITS // (work.count))
        figures.append(
            figure(
                work.name,
                work.unit,
                partial(repeat, work, passes),
                work.count * passes,
                checksum,
                rounds,
                FLOOR_DEALS,
                clock=time.thread_time,
            )
        )
    return figures


def repeat(work: Work, passes: int) -> None:
    for _ in range(passes):
        work.run()
