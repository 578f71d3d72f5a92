"""Positions to measure kernels on: those that played deals came to, not made-up ones.

Deals are played with a log, and the log is read again: at each bury, lead and follow
the View that the seat had is kept, with what it then played.
"""

from typing import NamedTuple

import numpy as np

from kernels.bits import U0, U1
from kernels.calls import CALLS_DTYPE, clear_calls
from kernels.codes import DRAWN
from sim.bench.walk import DECKS, DRAW_DTYPE, MOST_SPOTS, SPOT_DTYPE, read_spots
from sim.policies.history import BURY, FOLLOW, LEAD
from sim.record import Recorder
from sim.schema import DEAL_DTYPE
from sim.table import LOG_CALL
from sim.task import Task


class Positions(NamedTuple):
    """What some deals came to, in order."""

    rows: np.ndarray  # DEAL_DTYPE
    draws: np.ndarray  # DRAW_DTYPE
    buries: np.ndarray  # SPOT_DTYPE, as are the others
    leads: np.ndarray
    throws: np.ndarray  # the leads of several components
    follows: np.ndarray


def played_positions(task: Task, deals: int) -> Positions:
    """The positions of the first deals of a task with two decks and fixed partners."""
    recorder = Recorder(task)
    rows = np.empty(deals, DEAL_DTYPE)
    spots, draws = [], []
    for index in range(deals):
        recorder.play(index)
        row, table = recorder.rows[0], recorder.table[0]
        rows[index] = row
        draws.append(drawn(table))
        walked = np.zeros(MOST_SPOTS, SPOT_DTYPE)
        count = read_spots(
            table,
            np.int64(row["declarer"]),
            np.int64(row["burier"]),
            recorder.game[0],
            walked,
        )
        spots.append(walked[:count])
    every = np.concatenate(spots)
    # What each of them draws from its stream of random numbers, over and over.
    every["seen"]["random"] = np.arange(1, len(every) + 1, dtype=np.uint64)
    leads = every[every["decision"] == LEAD]
    return Positions(
        rows,
        np.concatenate(draws),
        every[every["decision"] == BURY],
        leads,
        leads[leads["throw"] == 1],
        every[every["decision"] == FOLLOW],
    )


def drawn(table: np.void) -> np.ndarray:
    """The draw of a deal just played, card by card."""
    draws = np.zeros(DRAWN[DECKS], DRAW_DTYPE)
    none = np.zeros(1, CALLS_DTYPE)[0]
    clear_calls(none)
    log = table["log"][: table["entries"]]
    made = [int(entry[3]) for entry in log if entry[0] == LOG_CALL]
    held = [[U0, U0] for _ in range(4)]
    for place, draw in enumerate(draws):
        seat = (int(table["first"]) + place) % 4
        face = U1 << np.uint64(table["deck"][place])
        held[seat][1] |= held[seat][0] & face
        held[seat][0] |= face
        draw["seat"], draw["level"], draw["trump"] = (
            seat,
            table["level"],
            table["trump"],
        )
        draw["held"] = tuple(held[seat])
        draw["calls"] = table["calls"] if made and place >= made[-1] else none
    return draws
