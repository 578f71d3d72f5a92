"""Whole deals of every policy under every variant, past the independent referee.

`--slow` plays the numbers that the project promises: 20,000 deals of each policy and
variant, and at least a hundred of every kind of event.
"""

import json
import os
from collections import Counter
from contextlib import suppress
from functools import cache

import pytest
from contract.rare import rare_deals
from contract.referee_run import MODES, Kind, Played, play_deals, run

from sim.option_values import RulesError
from sim.policies.catalog import POLICY
from sim.record import write_record
from sim.referee.census import census
from sim.referee.replay import verify_record
from sim.rules import PRESETS, load_rules

SEED = 20
DEALS = 40  # of each kind, where not more are asked for
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


def decks_of(variant: str) -> tuple[int, ...]:
    """The numbers of decks that the rules page has a variant for, and we play."""
    allowed = {
        "bianfeng": (2, 3, 4),
        "bianfeng-friend": (2, 3, 4),
        "pick-trump": (2, 3),
    }
    decks = []
    for number in allowed.get(variant, (2,)):
        with suppress(RulesError):
            load_rules(variant, number)
            decks.append(number)
    return tuple(decks)


TABLES = [(variant, decks) for variant in PRESETS for decks in decks_of(variant)]
KINDS = [
    Kind(variant, decks, policy, mode)
    for variant, decks in TABLES
    for policy in POLICY
    for mode in MODES
]


@cache
def all_played(slow: bool) -> dict[Kind, Played]:
    """Play deals of every kind and check each."""
    if slow:
        # Of each policy, variant and number of decks; two modes make 20,000.
        return run(KINDS, 10_000, os.cpu_count() or 1)
    return {kind: play_deals(kind, range(DEALS)) for kind in KINDS}


@pytest.fixture
def slow(request) -> bool:
    return request.config.getoption("--slow")


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: "-".join(map(str, kind[:4])))
def test_deals_pass_the_referee(kind, slow):
    played = all_played(slow)[kind]
    assert not played.faults
    assert played.deals == (10_000 if slow else DEALS)
    assert played.events["lead: single"] > 5 * played.deals


def test_census(slow):
    """Everything that can happen did, so that the referee has seen it."""
    events: Counter[str] = Counter()
    for played in all_played(slow).values():
        events += played.events
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
