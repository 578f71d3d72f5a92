"""How fast deals are played, measured so that a busy machine matters little.

Times of one machine at one moment say little to anyone else. So every measurement
stands between two runs of a fixed piece of work, the floor, and the ratio to it is
told; and what is told is the median of several rounds, with the least and the most of
them.
"""

import os
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import NamedTuple

import numpy as np

from sim.bench.floor import floor, floor_ns
from sim.deal_flow import play_rows
from sim.driver import (
    BLOCK_DEALS,
    Block,
    Player,
    deals_player,
    play,
    ready_player,
    write_parts,
)
from sim.policies.catalog import setting_codes
from sim.progress import ProgressLine
from sim.schema import DEAL_DTYPE, DEALS
from sim.store import Span, Store, gaps
from sim.table import (
    BURY_PART,
    DRAW_PART,
    FOLLOW_PART,
    LEAD_PART,
    PARTS,
    SCORE_PART,
    TRICK_PART,
    lay_table,
    read_clock,
    set_game,
)
from sim.task import Task

WRITING = "writing"  # rows into Parquet: what follows the parts of a deal
CARDS_PLAYED = 100  # in the tricks of a deal
ROUNDS = 5
CLOCK_READINGS = 100_000


def measure(policy: str, task: Task, deals: int, line: ProgressLine) -> dict:
    """One policy's figures."""
    player = ready_player(task, line)
    floor(1, 1)
    with TemporaryDirectory(prefix="shengji-bench-") as folder:
        runs = Runs(task, player, Path(folder))
        runs.inside(min(deals, BLOCK_DEALS))  # warms up
        a_reading = reading_ticks()
        rounds, outside, rates, ticks = [], [], [], []
        for number in range(1, ROUNDS + 1):
            line.doing(f"{policy}: round {number} of {ROUNDS}")
            before = floor_ns()
            play_ns, writing_ns = runs.inside(deals)
            between = floor_ns()
            rounds.append(Round(play_ns, writing_ns, (before + between) / 2))
            run_ns = runs.outside(deals)
            outside.append(Round(run_ns, 0.0, (between + floor_ns()) / 2))
            cores = os.cpu_count() or 1
            rates.append(runs.rate(all_cores_deals(deals, cores), cores))
            ticks.append(part_ticks(task, deals, a_reading))
    part_ns = np.median(ticks, axis=0)
    part_ns *= median(times.play for times in rounds) / part_ns.sum()
    writing_ns = median(times.writing for times in rounds)
    deal_ns = float(part_ns.sum()) + writing_ns
    shares = [*(part_ns / deal_ns).tolist(), writing_ns / deal_ns]
    tricks_ns = float(part_ns[[LEAD_PART, FOLLOW_PART, TRICK_PART]].sum())
    each_ns = [times.play + times.writing for times in rounds]
    each_run_ns = [times.play for times in outside]
    return {
        "ns_per_deal": deal_ns,
        "times_floor": median(times.ratio for times in rounds),
        "floor_ns_per_deal": median(times.floor for times in [*rounds, *outside]),
        "ns_per_card_played": tricks_ns / CARDS_PLAYED,
        "deals_per_second_one_core": 1e9 / deal_ns,
        "deals_per_second_all_cores": median(rates),
        "share_of_time": dict(zip((*PARTS, WRITING), shares, strict=True)),
        "run_ns_per_deal": median(each_run_ns),
        "run_times_floor": median(times.ratio for times in outside),
        "spread": {
            "ns_per_deal": least_and_most(each_ns),
            "times_floor": least_and_most([times.ratio for times in rounds]),
            "deals_per_second_one_core": least_and_most([1e9 / ns for ns in each_ns]),
            "deals_per_second_all_cores": least_and_most(rates),
            "run_ns_per_deal": least_and_most(each_run_ns),
            "run_times_floor": least_and_most([times.ratio for times in outside]),
        },
    }


def all_cores_deals(deals: int, cores: int) -> int:
    """Deals of a run on all cores, which takes about as long as the others."""
    return max(2, cores) * deals


def least_and_most(values: list[float]) -> list[float]:
    return [min(values), max(values)]


class Round(NamedTuple):
    """One round's times, in ns a deal."""

    play: float
    writing: float
    floor: float  # mean of those just before and just after

    @property
    def ratio(self) -> float:
        return (self.play + self.writing) / self.floor


class Runs:
    """Runs of one task, each into a new folder."""

    def __init__(self, task: Task, player: Player, folder: Path):
        self.task, self.player, self.folder = task, player, folder
        self.count = 0

    def new_folder(self) -> Path:
        self.count += 1
        return self.folder / str(self.count)

    def inside(self, deals: int) -> tuple[float, float]:
        """Play and write in turns, on one core: ns a deal of each.

        The blocks and the writing are those of `sim.driver`.
        """
        spans, playing = gaps([], deals, DEALS.part_size), 0.0
        play_span = deals_player(self.player)

        def blocks() -> Iterator[Block]:
            nonlocal playing
            for span in spans:
                for start in range(span.start, span.stop, BLOCK_DEALS):
                    began = time.perf_counter()
                    block = play_span(Span(start, min(start + BLOCK_DEALS, span.stop)))
                    playing += time.perf_counter() - began
                    yield block

        with Store(self.new_folder(), self.task).opened() as store:
            began = time.perf_counter()
            write_parts(store, spans, blocks(), lambda _: None, lambda: None)
            writing = time.perf_counter() - began - playing
        return playing / deals * 1e9, writing / deals * 1e9

    def outside(self, deals: int) -> float:
        """What one deal more costs a whole run on one thread, in ns: (2 N - N) / N.

        Writing is part of it, but takes its turn on another core if there is one.
        """
        seconds = []
        for wanted in (deals, 2 * deals):
            began = time.perf_counter()
            play(self.task, self.new_folder(), wanted, player=self.player)
            seconds.append(time.perf_counter() - began)
        return (seconds[1] - seconds[0]) / deals * 1e9

    def rate(self, deals: int, threads: int) -> float:
        """Deals a second of a run on several threads, writing included."""
        folder = self.new_folder()
        # Each thread gets several blocks: the last ones leave none of them idle long.
        block = min(BLOCK_DEALS, -(-deals // (8 * threads)))
        played = play(
            self.task, folder, deals, threads=threads, block=block, player=self.player
        )
        return played.deals / played.seconds


def reading_ticks() -> float:
    """Ticks that one reading of the clock takes when nothing else does."""
    least = np.inf
    for _ in range(10):
        table = lay_table(timing=True)
        read_clock(table[0], CLOCK_READINGS)
        least = min(least, int(table["ticks"].sum()) / CLOCK_READINGS)
    return least


def part_ticks(task: Task, deals: int, a_reading: float) -> np.ndarray:
    """Ticks that each part of some deals takes; float64[len(PARTS)].

    What reading the clock takes is taken off again: it would make short parts that come
    often seem dear.
    """
    table = lay_table(timing=True)
    game = set_game(task.rules.codes(), *setting_codes(task.policies))
    level, seed = np.int64(task.level_code), np.uint64(task.seed)
    rows = np.empty(min(deals, BLOCK_DEALS), DEAL_DTYPE)
    readings = np.zeros(len(PARTS))
    for start in range(0, deals, len(rows)):
        play_rows(game, level, task.first_deal, seed, start, rows, table)
        tricks = int(rows["tricks"].sum())
        readings[DRAW_PART] += len(rows) + int(rows["redeals"].sum())
        readings[[BURY_PART, SCORE_PART]] += len(rows)
        readings[LEAD_PART] += tricks
        readings[FOLLOW_PART] += 3 * tricks
        readings[TRICK_PART] += len(rows) + 4 * tricks
    return np.maximum(table["ticks"][0] - a_reading * readings, 0)
