"""Every variant plays with array bounds checked: `.ci/run` runs this file apart.

Numba reads and writes past an end in silence, unless NUMBA_BOUNDSCHECK=1 is set when it
compiles; then an IndexError comes out.
"""

import random

import numba
import numpy as np
import pytest
from random_mixes import legal_mix

from kernels.jit import jit, jit_inline
from sim.driver import compiled_player, matches_player
from sim.option_values import RulesError
from sim.record import Recorder
from sim.rules import PRESETS, Rules, load_rules
from sim.schema import DEAL_DTYPE
from sim.store import Span
from sim.task import Task, make_task, match_task

pytestmark = pytest.mark.skipif(
    not numba.config.BOUNDSCHECK, reason="needs NUMBA_BOUNDSCHECK=1, as in .ci/run"
)

DEALS = 5_000  # of each kind
MATCHES = 20
MIXES = 100
POLICIES = ("random", "textbook", "textbook,random")


def played_with(decks: int) -> list[str]:
    """The variants that are played with so many decks."""
    found = []
    for name in PRESETS:
        try:
            load_rules(name, decks)
        except RulesError:
            continue
        found.append(name)
    return found


def play(task: Task, deals: int) -> np.ndarray:
    """Play some deals, and hold them to what all deals keep to."""
    rows = np.zeros(deals, DEAL_DTYPE)
    compiled_player(task)(0, rows)
    points = 100 * task.rules.decks
    assert (rows["tricks"] > 0).all()
    assert (rows["trick_points"] + rows["buried_points"] <= points).all()
    return rows


@jit_inline
def read_inline(numbers, place):
    return numbers.inner[place]


@jit
def read(numbers, place):
    return read_inline(numbers, place)


def test_the_check_is_on():
    """In a kernel that is part of another, and within a record, too."""
    record = np.zeros(2, [("inner", "i8", (3,))])
    assert read(record[0], 2) == 0
    with pytest.raises(IndexError):
        read(record[0], 3)


@pytest.mark.parametrize("decks", [2, 3, 4])
@pytest.mark.parametrize("policy", POLICIES)
def test_deals_keep_in_bounds(decks, policy):
    for variant in played_with(decks):
        for first_deal in (False, True):
            task = make_task(
                variant,
                decks=decks,
                level="all",
                policy=policy,
                first_deal=first_deal,
                seed=78,
            )
            play(task, DEALS)


@pytest.mark.parametrize("decks", [2, 3, 4])
def test_matches_and_records_keep_in_bounds(decks):
    for variant in played_with(decks):
        for policy in POLICIES:
            task = match_task(variant, decks=decks, policy=policy, seed=77)
            assert matches_player(task)(Span(0, MATCHES)).deals >= MATCHES
            assert sum(1 for _ in Recorder(task).match(0)) > 0


def test_mixes_keep_in_bounds():
    draw = random.Random(8)
    for number in range(MIXES):
        rules = Rules.from_dict(legal_mix(draw))
        policies = make_task(policy=POLICIES[number % 3]).policies
        task = Task(
            rules=rules, policies=policies, level="all", first_deal=False, seed=number
        )
        play(task, DEALS // 10)
