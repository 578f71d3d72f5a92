"""The counts of events in whole deals made at random."""

from collections import Counter

import pytest

from referee.random_play import random_match, random_record
from referee.variants import VARIANTS, preset, resolve
from sim.referee.cards import Layout
from sim.referee.census import census, duty_kind
from sim.referee.components import read_components


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


# What the other variants, more decks and matches add.
WIDE = """lead: triple
lead: quad
lead: titanic of 2
lead: triple in a throw
lead: quad in a throw
lead: titanic of 2 in a throw
failed throw: triple forced
failed throw: tractor of 2 forced
duty: triple owed
duty: triple owed but none
duty: narrower owed to a triple
duty: narrower owed to a quad
duty: quad owed
duty: narrower owed to a titanic
duty: triples owed to a titanic
owed: run carried to a narrower width
owed: pair out of a wider tuple""".splitlines()
OPENINGS = """joker beside a call: bid single
joker beside a call: overcall pair
overcall of oneself
overcall of one's overcaller
bid by the declarer
bid by an attacker
card turned: a joker
card turned: held by a seat
card turned: held by nobody
redeal
redeal for a weak hand
deal at the joker level
auction: target called
auction: passed out
auction: overbid
auction: trump picked
friend: shown in trick 1
friend: shown in tricks 2 to 8
friend: shown in a later trick
friend: shown in the last trick
friend: alone
friend: a copy is buried""".splitlines()
MATCHES = """sides at different levels
partners at different levels
stop level: not left
stop level: not jumped over
lap completed
joker level reached
match won
penalty moved points
next declarer: partner
next declarer: attacker""".splitlines()


def missing(wanted: list[str], events: Counter[str]) -> list[str]:
    """Return the events that were not met."""
    return [name for name in wanted if not events[name]]


def test_events_of_more_decks() -> None:
    """Triples, quads and their runs."""
    events: Counter[str] = Counter()
    for seed in range(300):
        rules = preset("bianfeng", 3 + seed % 2)
        events += census(random_record("", seed, rules=rules, declarer=1))
    assert missing(WIDE, events) == []


def test_events_of_the_openings() -> None:
    """Jokers beside the calls, own calls overcalled, auctions, friends."""
    events: Counter[str] = Counter()
    for seed in range(120):
        for variant in ("joker-bid", "shuangsheng", "pick-trump", "bianfeng-friend"):
            levels = (15, 4) if seed % 9 == 0 else (7, 4)
            eager = 0.02 if seed % 2 else 0.9
            events += census(
                random_record(
                    variant, seed, levels=levels, declarer=seed % 4, eager=eager
                )
            )
    assert missing(OPENINGS, events) == []


def test_events_of_matches() -> None:
    """Laps and stop levels, fixed partners and friends."""
    events: Counter[str] = Counter()
    for base in ("pick-trump", "bianfeng-friend", "menghuan"):
        match = {"after_ace": "jokers", "stop_levels": [5, 10]}
        own = {"base": base, "match": match, "failed_throw": {"points": 10}}
        for seed in range(5):
            for record in random_match("", seed, rules=resolve(own)):
                events += census(record)
    assert missing(MATCHES, events) == []


@pytest.mark.parametrize(
    ("lead", "owed", "name"),
    [
        ("S3 S3 S3 S4 S4 S4", [(3, 2)], "titanic owed in full"),
        ("S3 S3 S3 S4 S4 S4", [(3, 1), (2, 1)], "triples owed to a titanic"),
        ("S3 S3 S3 S4 S4 S4", [(2, 2)], "narrower owed to a titanic"),
        ("S3 S3 S3 S4 S4 S4", [], "nothing owed to a titanic"),
        ("S3 S3 S3 S4 S4 S4 S5 S5 S5", [(3, 2), (3, 1)], "titanic owed in part"),
        ("S3 S3 S3 S3 S4 S4 S4 S4", [(3, 2)], "narrower owed to a quad run"),
        ("S3 S3 S3 S3 S4 S4 S4 S4", [(4, 1)], "quads owed to a quad run"),
        ("S3 S3 S3 S3", [(4, 1)], "quad owed"),
        ("S3 S3 S4 S4", [(2, 1)], "pairs owed to a tractor"),
    ],
)
def test_names_of_duties(lead: str, owed: list[tuple[int, int]], name: str) -> None:
    """What is owed to a lead of one component."""
    (part,) = read_components(lead.split(), Layout(2, "H"))
    assert duty_kind(owed, part) == name
