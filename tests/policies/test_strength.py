"""`textbook` against `random`, and the clear mistakes of both."""

import json
from collections import Counter
from statistics import NormalDist

import numpy as np
import pytest

from kernels.codes import ATTACKERS
from sim.deal_flow import play_block
from sim.policies.catalog import setting_codes
from sim.record import Recorder, write_record
from sim.referee.mistakes import KINDS, count_mistakes
from sim.rules import PRESETS, resolve_rules
from sim.schema import DEAL_DTYPE
from sim.task import make_task

LEAST_GAIN = 1.2  # levels a deal, under bianfeng's table
# A friend may be of the other policy than the declarer who calls him.
LEAST_GAIN_WITH_FRIENDS = 0.7
MOST_MISTAKES = 300  # per 1,000 deals
RANDOM_MISTAKES = 3000

each_variant = pytest.mark.parametrize("variant", PRESETS)


def levels_of_seat_0(variant: str, policy: str, deals: int) -> np.ndarray:
    """Levels by which the side of seats 0 and 2 comes off better, deal by deal.

    Seat 0 is the given declarer; who declares may be another. With called partners the
    side of the declarer counts for the seats that he is of.
    """
    task = make_task(variant, level="all", policy=policy, seed=11)
    rules = resolve_rules({"base": variant, "level_table": "bianfeng"})
    rows = np.zeros(deals, DEAL_DTYPE)
    play_block(
        rules.codes(),
        *setting_codes(task.policies),
        np.int64(task.level_code),
        False,
        np.uint64(task.seed),
        np.int64(0),
        rows,
    )
    ours = rows["declarer"] & 1 == 0
    won = (rows["side"] == ATTACKERS) != ours
    return np.where(won, 1.0, -1.0) * rows["levels"]


@each_variant
def test_textbook_beats_random(variant, request):
    """On the same deals from both sides: what it is worth to be textbook there."""
    deals = 100_000 if request.config.getoption("--slow") else 5_000
    declaring = levels_of_seat_0(variant, "textbook,random", deals)
    attacking = -levels_of_seat_0(variant, "random,textbook", deals)
    gain = (declaring + attacking) / 2
    half = NormalDist().inv_cdf(0.995) * gain.std(ddof=1) / deals**0.5
    called = resolve_rules(variant).partners == "called"
    least = LEAST_GAIN_WITH_FRIENDS if called else LEAST_GAIN
    assert gain.mean() - half > least


def mistakes(variant: str, policy: str, deals: int) -> Counter[str]:
    recorder = Recorder(make_task(variant, level="all", policy=policy, seed=12))
    counts: Counter[str] = Counter()
    for index in range(deals):
        counts += count_mistakes(json.loads(write_record(recorder.deal(index))))
    return counts


# A friend who is not known yet makes what only looks like mistakes.
@pytest.mark.parametrize("variant", [it for it in PRESETS if it != "bianfeng-friend"])
def test_textbook_makes_few_clear_mistakes(variant, request):
    deals = 1000 if request.config.getoption("--slow") else 150
    assert mistakes(variant, "textbook", deals).total() <= MOST_MISTAKES * deals / 1000


def test_random_makes_them_all(request):
    """So the count can see."""
    deals = 200 if request.config.getoption("--slow") else 40
    counts = mistakes("bianfeng", "random", deals)
    assert counts.total() >= RANDOM_MISTAKES * deals / 1000
    assert set(counts) == set(KINDS)
