"""Deals that begin anywhere in a match: any declarer, sides at different levels."""

import json
import random

import numpy as np
import pytest

from sim.deal_flow import play_deal
from sim.record import Recorder, write_record
from sim.referee.replay import verify_record
from sim.rules import PRESETS
from sim.task import make_task

DEALS = 40


@pytest.mark.parametrize("variant", PRESETS)
@pytest.mark.parametrize("policy", ["random", "textbook"])
def test_deals_pass_the_referee(policy: str, variant: str) -> None:
    chance = random.Random(f"{policy} {variant}")
    recorder = Recorder(make_task(variant, policy=policy, seed=5))
    top = 15 if recorder.task.rules.match.after_ace == "jokers" else 14
    table = recorder.table[0]
    standing = table["standing"]
    for number in range(DEALS):
        levels = [chance.randint(2, top) for _ in range(2)] * 2
        declarer = chance.randrange(4)
        standing["levels"], standing["laps"] = levels, 0
        standing["declarer"], standing["ended"] = declarer, 0
        play_deal(
            np.uint64(5),
            np.int64(3),
            np.int64(number + 1),
            standing,
            recorder.rows[0],
            recorder.game[0],
            table,
        )
        assert standing["levels"].tolist() == levels
        record = json.loads(
            write_record(recorder.written(standing, None, 3, number + 1))
        )
        assert verify_record(record) is None
