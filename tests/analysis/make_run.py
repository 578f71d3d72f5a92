"""A run folder without playing: made-up facts, scored by the run's own rules.

The facts are drawn by numpy, not by the game: what the analysis does with rows can be
tested before, and apart from, what the rows say about Shengji.
"""

from pathlib import Path

import numpy as np

from kernels.codes import HAS_PAIR, HAS_SINGLE, HAS_TRACTOR
from kernels.score import score_rows
from sim.driver import columns_of
from sim.schema import DEAL_DTYPE
from sim.store import Store
from sim.task import Task, make_task


def make_rows(task: Task, deals: int, start: int = 0, seed: int = 1) -> np.ndarray:
    """`deals` rows (DEAL_DTYPE) from deal index `start`, alike for the same seed."""
    rng = np.random.default_rng([seed, start])
    rows = np.zeros(deals, DEAL_DTYPE)
    rows["deal_index"] = np.arange(start, start + deals)
    everywhere = 2 + rows["deal_index"] % 13
    rows["level"] = everywhere if task.level == "all" else task.level
    rows["trump"] = rng.choice(5, deals, p=[0.23, 0.23, 0.23, 0.23, 0.08])
    rows["bid_kind"] = rng.choice(3, deals, p=[0.02, 0.9, 0.08])
    rows["bidder"] = np.where(rows["bid_kind"] > 0, rng.integers(0, 4, deals), -1)
    rows["declarer_trumps"] = rng.binomial(25, 0.42, deals)
    rows["declarer_jokers"] = rng.binomial(4, 0.3, deals)
    rows["dealt_points"] = 5 * rng.binomial(8, 0.35, deals)
    # Long trumps bury more and lose the bottom less, as a policy's would.
    rich = 0.05 + 0.02 * np.clip(rows["declarer_trumps"] - 8, 0, 12)
    rows["buried_points"] = 5 * rng.binomial(12, rich)
    rows["trick_points"] = 5 * np.clip(rng.normal(14, 6.5, deals).round(), 0, 40)
    rows["captured"] = rng.random(deals) < 0.45 - 0.02 * rows["declarer_trumps"]
    shapes = np.array(  # cards, kinds, run
        [
            (1, HAS_SINGLE, 0),
            (2, HAS_PAIR, 1),
            (4, HAS_TRACTOR, 2),
            (6, HAS_TRACTOR, 3),
            (3, HAS_SINGLE | HAS_PAIR, 1),
        ]
    )
    lead = shapes[rng.choice(5, deals, p=[0.75, 0.17, 0.04, 0.01, 0.03])]
    rows["lead_cards"], rows["lead_kinds"], rows["lead_run"] = lead.T
    rows["win_kinds"], rows["win_run"] = rows["lead_kinds"], rows["lead_run"]
    # A ruff of three loose cards may hold a pair the lead had not, and so on.
    richer = (rows["lead_cards"] == 3) & (rng.random(deals) < 0.3)
    rows["win_kinds"][richer] = HAS_TRACTOR
    rows["win_run"][richer] = 2
    score_own(rows, task)
    return rows


def score_own(rows: np.ndarray, task: Task) -> None:
    """Fill in what the run's own rules make of the facts."""
    totals, sides, levels = (np.empty(len(rows), np.int64) for _ in range(3))
    score_rows(rows, task.rules.codes(), totals, sides, levels)
    rows["total"], rows["side"], rows["levels"] = totals, sides, levels
    gained = totals - rows["trick_points"] - rows["penalty_points"]
    safe = np.maximum(rows["buried_points"], 1)
    # With nothing buried the multiplier leaves no trace: any one will do.
    rows["multiplier"] = np.where(
        rows["captured"], np.where(rows["buried_points"] > 0, gained // safe, 2), 0
    )


def write_rows(folder: Path, task: Task, rows: np.ndarray) -> Path:
    """Save rows of consecutive deals as one part; returns the folder."""
    with Store(folder, task).opened() as store:
        part = store.part(int(rows["deal_index"][0]))
        for block in np.array_split(rows, max(1, len(rows) // 50_000)):
            part.write((columns_of(block),), len(block))
        part.finish()
        document = store.document()
        document["deals"] += len(rows)
        store.save(document)
    return folder


def make_run(
    folder: Path, deals: int = 2000, start: int = 0, parts: int = 2, **settings: object
) -> tuple[Path, np.ndarray]:
    """Write a run of made-up deals; returns its folder and its rows."""
    task = make_task(**{"level": "all", **settings})
    rows = make_rows(task, deals, start)
    for part in np.array_split(rows, parts):
        write_rows(folder, task, part)
    return folder, rows
