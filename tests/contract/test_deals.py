"""Whole deals of every policy under every variant, past the independent referee.

`--slow` plays the numbers that the project promises: 20,000 deals of each policy and
variant, and at least a hundred of every kind of event.
"""

import json
from collections import Counter
from functools import cache

import pytest
from contract.facts import row_of
from contract.rare import rare_deals

from sim.policies.catalog import POLICY
from sim.record import Record, Recorder, write_record
from sim.referee.census import census
from sim.referee.replay import verify_record
from sim.rules import PRESETS
from sim.schema import DEAL_DTYPE
from sim.task import make_task

SEED = 20
MODES = {"later": False, "first": True}
# Kinds of event that must have been met, by the names of `sim.referee.census`.
EVENTS = """call: bid single
call: bid pair
call: reinforce pair
call: overcall pair
call: overcall LJ
call: overcall BJ
rebury
nobody bid
card turned
redeal
lead: single
lead: pair
lead: tractor of 2
lead: tractor of 3+
lead: throw of side suit
lead: throw of trump
lead: single in a throw
lead: pair in a throw
lead: tractor of 2 in a throw
failed throw: single forced
failed throw: pair forced
duty: no suit
duty: short in suit, all given
duty: single
duty: pair owed
duty: pair owed but none
duty: tractor owed in full
duty: tractor owed in part
duty: pairs owed to a tractor
duty: nothing owed to a tractor
duty: suit only to a throw
duty: to a throw, paid
duty: to a throw, no pair
ruff of a non-throw
ruff of a throw
over-ruff of a non-throw
over-ruff of a throw
equal ruff after a ruff of a non-throw
equal ruff after a ruff of a throw
lower ruff after a ruff of a non-throw
lower ruff after a ruff of a throw
trumps that do not match a non-throw
trumps that do not match a throw
equal cards: the first stays
bottom kept
captured with a single
captured with a pair
multiplier 2
multiplier 4""".splitlines()
# So rare that they are looked for among far more deals.
RARE_EVENTS = """lead: tractor of 3+ in a throw
failed throw: tractor of 2 forced
captured with a tractor of 2
captured with a tractor of 3
multiplier 8
multiplier 12
multiplier 16""".splitlines()


def check(record: Record, row: dict[str, int]) -> Counter[str]:
    """A record keeps the rules and says what the row says; what happened in it."""
    read = json.loads(write_record(record))
    where = f"{read['variant']} {read['policies'][0]} deal {read['index']}"
    fault = verify_record(read)
    assert fault is None, f"{where}: {fault}"
    # All points are in the tricks or in the bottom.
    points = sum(trick["points"] for trick in read["tricks"]) + read["bottom_points"]
    assert points == 100 * read["rules"]["decks"], where
    told = row_of(read)
    assert list(told) == list(row)
    differing = {
        name: (row[name], told[name]) for name in row if row[name] != told[name]
    }
    assert not differing, f"{where}: row and record {differing}"
    return census(read)


@cache
def played(policy: str, variant: str, mode: str, deals: int) -> Counter[str]:
    """Play deals and check each; the events of them all."""
    task = make_task(
        variant, level="all", policy=policy, first_deal=MODES[mode], seed=SEED
    )
    recorder = Recorder(task)
    events: Counter[str] = Counter()
    for index in range(deals):
        record = recorder.deal(index)
        row = {name: int(recorder.rows[0][name]) for name in DEAL_DTYPE.names}
        events += check(record, row)
    return events


@pytest.fixture
def deals(request) -> int:
    """Deals of each policy, variant and mode; two modes make 20,000."""
    return 10_000 if request.config.getoption("--slow") else 60


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("variant", PRESETS)
@pytest.mark.parametrize("policy", POLICY)
def test_deals_pass_the_referee(policy, variant, mode, deals):
    assert played(policy, variant, mode, deals)["lead: single"] > 5 * deals


def test_census(deals, request):
    """Everything that can happen did, so that the referee has seen it."""
    events: Counter[str] = Counter()
    for policy in POLICY:
        for variant in PRESETS:
            for mode in MODES:
                events += played(policy, variant, mode, deals)
    slow = request.config.getoption("--slow")
    least = 100 if slow else 1
    missing = {name: events[name] for name in EVENTS if events[name] < least}
    # A few hundred deals do not meet everything; nearly all of it they do.
    assert len(missing) <= (0 if slow else 5), missing


@pytest.mark.parametrize("policy", ["random", "random,textbook"])
@pytest.mark.parametrize("variant", PRESETS)
def test_rare_deals_pass_the_referee(variant, policy, request):
    """Deals chosen for what is rare in them."""
    hunted = 200_000 if request.config.getoption("--slow") else 5_000
    for record in rare_deals(variant, policy, hunted, enough=10, seed=SEED):
        assert verify_record(json.loads(write_record(record))) is None


@pytest.mark.slow
def test_census_of_rare_events():
    events: Counter[str] = Counter()
    for variant in PRESETS:
        for policy in ("random", "random,textbook"):
            for record in rare_deals(variant, policy, 1_500_000, 100, seed=SEED):
                read = json.loads(write_record(record))
                assert verify_record(read) is None
                events += census(read)
    missing = {name: events[name] for name in RARE_EVENTS if events[name] < 100}
    assert not missing, missing
