"""The counts of events in whole deals made at random."""

from collections import Counter

import pytest

from referee.random_play import random_record
from referee.variants import VARIANTS, preset
from sim.referee.census import census


@pytest.mark.parametrize("decks", [2, 3])
def test_counts_add_up(decks: int) -> None:
    """Three followers a trick, each with one duty; each lead of one kind (seed 0)."""
    for variant in VARIANTS:
        record = random_record(variant, 0, rules=preset(variant, decks), declarer=2)
        events = census(record)
        duties = sum(n for name, n in events.items() if name.startswith("duty: "))
        assert duties == 3 * len(record["tricks"])
        failed = sum(n for name, n in events.items() if name.startswith("failed thr"))
        assert failed == sum(record["failed_throws"])
        overcalls = sum(n for e, n in events.items() if e.startswith("call: overcall"))
        assert overcalls == record["overcalls"]
        assert events["rebury"] == len(record["buries"]) - 1
        assert events["nobody bid"] == (not record["calls"])


def test_many_kinds_are_met() -> None:
    """A few dozen deals of two variants meet what the rules page tells."""
    events: Counter[str] = Counter()
    for seed in range(30):
        for variant in ("menghuan", "competition"):
            # Shy seats leave bids to the end of the draw: pairs at once, or no bid.
            for declarer, eager in ((None, 0.3), (1, 0.5), (1, 0.02)):
                events += census(
                    random_record(variant, seed, declarer=declarer, eager=eager)
                )
    assert {
        "call: bid single",
        "call: bid pair",
        "call: reinforce pair",
        "call: overcall pair",
        "call: overcall LJ",
        "call: overcall BJ",
        "rebury",
        "nobody bid",
        "lead: single",
        "lead: pair",
        "lead: tractor of 2",
        "lead: throw of trump",
        "lead: throw of side suit",
        "failed throw: single forced",
        "failed throw: pair forced",
        "duty: no suit",
        "duty: short in suit, all given",
        "duty: single",
        "duty: pair owed",
        "duty: pair owed but none",
        "duty: pairs owed to a tractor",
        "duty: to a throw, paid",
        "duty: suit only to a throw",
        "ruff of a non-throw",
        "ruff of a throw",
        "over-ruff of a non-throw",
        "equal cards: the first stays",
        "multiplier 2",
    } <= set(events)
