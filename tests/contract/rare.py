"""Finding deals in which something rare happens, at the speed of the simulator."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from kernels.bits import popcount
from kernels.jit import jit
from sim.deal_flow import play_rows
from sim.record import Recorder
from sim.schema import DEAL_DTYPE
from sim.table import LOG_PLAY, LOG_TRICK, LOG_TRIED
from sim.task import make_task

# What may be rare in a deal; bits.
FORCED_TRACTOR, LONG_RUN_THROWN = 1, 2
CAPTURED_WITH_TRACTOR, CAPTURED_WITH_LONG_RUN = 4, 8
CAPTURED_WITH_TITANIC, CAPTURED_WITH_QUAD = 16, 32
RARE = (
    FORCED_TRACTOR,
    LONG_RUN_THROWN,
    CAPTURED_WITH_TRACTOR,
    CAPTURED_WITH_LONG_RUN,
    CAPTURED_WITH_TITANIC,
    CAPTURED_WITH_QUAD,
)


@jit
def rarities(row, table):
    """Which of the rare things a deal that was just played holds."""
    found = 0
    lead, tried = True, False
    for place in range(table.entries):
        tag = np.int64(table.log[place, 0])
        one, two = table.log[place, 2], table.log[place, 3]
        if tag == LOG_TRIED:
            tried = True
        elif tag == LOG_TRICK:
            lead, tried = True, False
        elif tag == LOG_PLAY and lead:
            if tried and popcount(two) > 1:
                found |= FORCED_TRACTOR
            if popcount(two) > 2 and popcount(one) > popcount(two):
                found |= LONG_RUN_THROWN
            lead = False
    if row.captured:
        run = max(row.lead_run, row.win_run)
        if run == 2:
            found |= CAPTURED_WITH_TRACTOR
        elif run > 2:
            found |= CAPTURED_WITH_LONG_RUN
        if max(row.lead_triples, row.win_triples) > 1:
            found |= CAPTURED_WITH_TITANIC
        if max(row.lead_quads, row.win_quads) > 0:
            found |= CAPTURED_WITH_QUAD
    return found


@jit
def hunt(game, level, first_deal, seed, start, rows, table, found):
    """Play deals one by one and note what is rare in each."""
    for place in range(len(rows)):
        play_rows(
            game,
            level,
            first_deal,
            seed,
            start + place,
            rows[place : place + 1],
            table,
        )
        found[place] = rarities(rows[place], table[0])


def rare_deals(
    variant: str, policy: str, deals: int, enough: int, seed: int, decks: int = 2
) -> Iterator[dict[str, Any]]:
    """Records of deals with rare events, `enough` of each kind if so many are there."""
    task = make_task(variant, level="all", policy=policy, seed=seed, decks=decks)
    recorder = Recorder(task)
    rows = np.zeros(deals, DEAL_DTYPE)
    found = np.zeros(deals, np.int64)
    hunt(
        recorder.game,
        np.int64(0),
        False,
        np.uint64(seed),
        np.int64(0),
        rows,
        recorder.table,
        found,
    )
    chosen = sorted({i for kind in RARE for i in np.flatnonzero(found & kind)[:enough]})
    for index in chosen:
        yield recorder.deal(int(index))
