"""Whole deals of every policy under every variant, past the independent referee.

`--slow` plays the numbers that the project promises: 20,000 deals of each policy and
variant, and at least a hundred of every kind of event.
"""

import json
import os
from collections import Counter
from functools import cache

import pytest
from contract.rare import rare_deals
from contract.referee_run import (
    MATCH,
    MODES,
    Kind,
    Played,
    play_deals,
    play_matches,
    run,
)

from sim.policies.catalog import POLICY
from sim.record import write_record
from sim.referee.census import census
from sim.referee.replay import verify_record
from sim.rules import PRESETS, preset

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
multiplier 4
lead: triple
lead: quad
lead: titanic of 2
lead: triple in a throw
lead: quad in a throw
failed throw: triple forced
duty: triple owed
duty: triple owed but none
duty: narrower owed to a triple
duty: quad owed
duty: quad owed but none
duty: narrower owed to a quad
duty: titanic owed in full
duty: triples owed to a titanic
duty: narrower owed to a titanic
owed: run carried to a narrower width
owed: pair out of a wider tuple
captured with a triple
multiplier 6
joker beside a call: bid single
joker beside a call: bid pair
joker beside a call: overcall pair
overcall of oneself
overcall of one's overcaller
bid by the declarer
bid by an attacker
card turned: a joker
card turned: held by a seat
card turned: held by nobody
redeal for a weak hand
auction: target called
auction: overbid
auction: passed out
auction: at 5
auction: trump picked
friend: shown in trick 1
friend: shown in tricks 2 to 8
friend: shown in a later trick
friend: shown in the last trick
friend: a copy is buried
next declarer: partner
next declarer: attacker
sides at different levels
partners at different levels
deal at the joker level
joker level reached
lap completed
match won""".splitlines()
# So rare that they are looked for among far more deals.
RARE_EVENTS = """lead: tractor of 3+ in a throw
failed throw: tractor of 2 forced
captured with a tractor of 2
captured with a tractor of 3
captured with a quad
captured with a titanic of 2
multiplier 8
multiplier 12
multiplier 16""".splitlines()


TABLES = [(variant, decks) for variant in PRESETS for decks in preset(variant).decks]
KINDS = [
    Kind(variant, decks, policy, mode)
    for variant, decks in TABLES
    for policy in POLICY
    for mode in (*MODES, MATCH)
]


@cache
def all_played(slow: bool) -> dict[Kind, Played]:
    """Play deals and matches of every kind and check each."""
    if not slow:
        return {
            kind: play_matches(kind, range(1))
            if kind.mode == MATCH
            else play_deals(kind, range(DEALS))
            for kind in KINDS
        }
    matches = [kind for kind in KINDS if kind.mode == MATCH]
    deals = [kind for kind in KINDS if kind.mode != MATCH]
    processes = os.cpu_count() or 1
    # Of each policy, variant and number of decks; two modes make 20,000 deals.
    return run(deals, 10_000, processes) | run(matches, 250, processes)


@pytest.fixture
def slow(request) -> bool:
    return request.config.getoption("--slow")


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: "-".join(map(str, kind[:4])))
def test_deals_pass_the_referee(kind, slow):
    played = all_played(slow)[kind]
    assert not played.faults
    if kind.mode == MATCH:
        assert played.events["match won"] == (250 if slow else 1)
    else:
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
@pytest.mark.parametrize(("variant", "decks"), TABLES)
def test_rare_deals_pass_the_referee(variant, decks, policy, slow):
    """Deals chosen for what is rare in them."""
    hunted = 200_000 if slow else 2_000
    for record in rare_deals(variant, policy, hunted, 10, SEED, decks):
        assert verify_record(json.loads(write_record(record))) is None


@pytest.mark.slow
def test_census_of_rare_events():
    events: Counter[str] = Counter()
    for variant, decks in TABLES:
        for policy in ("random", "random,textbook"):
            for record in rare_deals(variant, policy, 400_000, 100, SEED, decks):
                read = json.loads(write_record(record))
                assert verify_record(read) is None
                events += census(read)
    missing = {name: events[name] for name in RARE_EVENTS if events[name] < 100}
    assert not missing, missing
