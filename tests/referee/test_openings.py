"""How a deal gets its declarer, level, trump and friend, where that is out of the way.

Each test takes a random deal in which it happens, and asks what may not be otherwise.
"""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from referee.random_play import Record, random_record
from referee.variants import Rules, preset, resolve
from sim.referee.cards import JOKER_LEVEL, JOKERS
from sim.referee.replay import verify_record


def find(wanted: Callable[[Record], Any], rules: Rules | str, **given: Any) -> Record:
    """Return the first random deal of which `wanted` is true; it verifies."""
    rules = preset(rules) if isinstance(rules, str) else rules
    for seed in range(3000):
        record = random_record("", seed, rules=rules, **given)
        if wanted(record):
            assert verify_record(record) is None
            return record
    raise AssertionError("no such deal")


def told(record: Record, **changes: Any) -> str:
    """Say what is wrong once some keys are changed."""
    return str(verify_record(record | changes))


RANDOM_CARD = {"base": "joker-bid", "redeal": {"weak_attacker_points": None}}


def no_calls(record: Record) -> bool:
    return not record["calls"] and record["turned"] is not None


def holders(record: Record) -> Iterator[int]:
    """Yield the seats that drew the turned card, from the first drawer on."""
    first = record["declarer_before"] or 0
    for turn in range(4):
        if record["turned"] in record["drawn"][(first + turn) % 4]:
            yield (first + turn) % 4


@pytest.mark.parametrize("given", [None, 1])
def test_the_holder_of_the_turned_card_declares(given: int | None) -> None:
    """The nearest from the first drawer; the level is his side's."""
    levels = (5, 5) if given is None else (5, 9)
    record = find(
        lambda r: no_calls(r) and r["declarer"] not in (given, 0),
        resolve(RANDOM_CARD),
        levels=levels,
        declarer=given,
        eager=0,
    )
    seat = record["declarer"]
    assert seat == next(holders(record))
    assert record["level"] == levels[seat % 2]
    assert f"should be {seat}" in told(record, declarer=(seat + 1) % 4)
    assert "level is 7, should be" in told(record, level=7)


def test_nobody_holds_the_turned_card() -> None:
    """The given declarer stays; in a first deal the cards are dealt again."""
    record = find(
        lambda r: no_calls(r) and not list(holders(r)),
        resolve(RANDOM_CARD | {"decks": 2}),
        levels=(5, 9),
        declarer=1,
        eager=0,
    )
    assert (record["declarer"], record["level"]) == (1, 9)
    first = told(record, declarer_before=None, levels=[9] * 4)
    assert "nobody holds a" in first
    assert "dealt again" in first


def test_any_card_of_the_bottom_is_turned() -> None:
    """With third_card only the third; a joker turned is no trump."""
    record = find(
        lambda r: no_calls(r) and r["turned"] in JOKERS,
        resolve(RANDOM_CARD),
        declarer=1,
        eager=0,
    )
    assert record["trump"] == "NT"
    away = next(c for c in record["drawn"][0] if c not in record["bottom"])
    assert "not in the bottom" in told(record, turned=away)
    third = preset("casual")
    record = find(no_calls, third, declarer=1, eager=0)
    assert "third card of the bottom is" in told(record, turned=record["bottom"][0])
    assert "turned is null" in told(record, turned=None)


def test_the_turned_cards_holder_stands_at_the_joker_level() -> None:
    """A deal at that level has no trump suit, whatever was turned."""
    record = find(
        lambda r: no_calls(r) and r["declarer"] % 2 == 0 and r["turned"] not in JOKERS,
        resolve(RANDOM_CARD | {"match": {"after_ace": "jokers"}}),
        levels=(JOKER_LEVEL, 9),
        declarer=1,
        eager=0,
    )
    assert (record["level"], record["trump"]) == (JOKER_LEVEL, "NT")
    assert "should be" in told(record, trump="S")


def test_shuffles_thrown_away() -> None:
    """In first deals for want of a bid; later only for a weak hand."""
    assert "redeals is 1" in told(find(bool, "menghuan", declarer=1), redeals=1)
    assert told(find(bool, "menghuan"), redeals=1) == "None"
    weak = find(lambda r: r["redeals"], "joker-bid", declarer=1)
    assert told(weak, redeals=0) == "None"
    assert "redeals is 1" in told(find(bool, "pick-trump"), redeals=1)
    both = resolve({"base": "pick-trump", "redeal": {"weak_attacker_points": 15}})
    assert told(find(bool, both, declarer=1), redeals=1) == "None"
    assert "redeals is 1" in told(find(bool, both), redeals=1)


def attacker_bid(record: Record) -> bool:
    return bool(record["calls"]) and record["calls"][0]["seat"] % 2 == 0


def test_attackers_bid() -> None:
    """Not before the last card is drawn; their level and the deal become theirs."""
    record = find(attacker_bid, "joker-bid", levels=(4, 9), declarer=1, eager=0.9)
    bid = record["calls"][0]
    assert (record["level"], record["declarer"]) == (4, bid["seat"])
    assert record["buries"][0]["seat"] == bid["seat"]
    assert "level is 9, should be 4" in told(record, level=9)
    assert "declarer is 1, should be" in told(record, declarer=1)
    early = [bid | {"after": 99}, *record["calls"][1:]]
    assert "calls[0]: seat" in told(record, calls=early)
    no_level = told(record, calls=[bid | {"cards": ["S9", "LJ"]}])
    assert "S9 LJ" in no_level


def test_the_partner_does_not_bid() -> None:
    """Only the declarer may, of his side."""
    own = find(
        lambda r: r["calls"] and r["calls"][0]["seat"] == 1 and len(r["calls"]) == 1,
        "joker-bid",
        declarer=1,
        eager=0.9,
    )
    (bid,) = own["calls"]
    hands = [own["drawn"][seat] for seat in (0, 3, 2, 1)]
    moved = told(own, calls=[bid | {"seat": 3, "after": 100}], drawn=hands)
    assert "seat 3 may not call" in moved


def test_a_joker_is_shown_beside_the_level_card() -> None:
    """Of the card's colour; a pair has one joker beside it, too."""
    record = find(
        lambda r: r["calls"] and len(r["calls"][-1]["cards"]) == 3, "joker-bid"
    )
    *before, call = record["calls"]
    pair = [card for card in call["cards"] if card not in JOKERS]
    wrong = told(record, calls=[*before, call | {"cards": pair}])
    assert f"a call of {pair[0]} shows one {'LJ' if pair[0][0] in 'SC' else 'BJ'}" in (
        wrong
    )


def target(seat: int, points: int) -> Record:
    return {"seat": seat, "kind": "target", "target": points}


def passes(*seats: int) -> list[Record]:
    return [{"seat": seat, "kind": "pass"} for seat in seats]


@pytest.mark.parametrize(
    ("calls", "what"),
    [
        ([], "stops before seat 1 has spoken"),
        (passes(1, 2, 3), "stops before seat 0 has spoken"),
        ([target(1, 85)], "seat 1 calls the target 85, allowed are"),
        ([target(1, 78)], "seat 1 calls the target 78"),
        ([target(1, 80), target(2, 80)], "multiples of 5 from 5 to 75"),
        ([target(2, 80)], "seat 2 calls in the auction on 1's turn"),
        ([target(1, 5), *passes(2, 3)], "stops before seat 0"),
        ([*passes(1, 2, 3), target(0, 80), target(1, 75)], "after the auction has"),
        ([target(1, 80), *passes(2, 3, 0), target(1, 75)], "after the auction has"),
        ([*passes(1, 2), target(3, 70), *passes(0, 1)], "seat 1 calls after the auc"),
        ([{"seat": 1, "kind": "bid", "cards": ["S2"], "after": 4}], "is no call of an"),
    ],
)
def test_auctions_that_are_none(calls: list[Record], what: str) -> None:
    """Targets fall by steps of five; who has passed stays out."""
    record = find(bool, "pick-trump", declarer=1)
    assert what in told(record, calls=calls)


def test_the_auctions_declarer() -> None:
    """Its last caller; the first drawer where all pass, at the take-over bound."""
    for declarer in (None, 2):
        record = find(
            lambda r: all(c["kind"] == "pass" for c in r["calls"]),
            "pick-trump",
            declarer=declarer,
            levels=(5, 5),
        )
        assert record["declarer"] == (declarer or 0)
    record = find(
        lambda r: r["declarer"] not in (0, 2) and r["result"]["takes_over"],
        "pick-trump",
        declarer=2,
        levels=(3, JOKER_LEVEL),
    )
    assert (record["level"], record["trump"]) == (JOKER_LEVEL, "NT")
    assert "the declarer picks one of NT" in told(record, trump="S")
    record = find(lambda r: r["level"] == 3, "pick-trump", declarer=2, levels=(3, 15))
    assert "the declarer picks one of S, H, C, D" in told(record, trump="NT")
    assert "turned is S3, but no card" in told(record, turned="S3")


def test_an_auction_for_a_friend() -> None:
    """The two go together: the level is the declarer's own, the attackers three."""
    rules = resolve({"base": "pick-trump", "partners": "called"})
    record = find(
        lambda r: r["friend"] is None and r["declarer"] != 1,
        rules,
        declarer=1,
        levels=(3, 4, 5, 6),
    )
    assert record["level"] == 3 + record["declarer"]
    assert len(record["attackers"]) == 3


def test_the_friend() -> None:
    """The nearest other holder; whoever holds all or has buried the other is alone."""
    record = find(
        lambda r: r["friend"] not in (None, (r["declarer"] + 1) % 4),
        "bianfeng-friend",
        declarer=1,
    )
    nearer = (record["declarer"] + 1) % 4
    assert f"friend is {nearer}, should be" in told(record, friend=nearer)
    assert "friend is null, should be" in told(record, friend=None)
    assert "called_card is null" in told(record, called_card=None)
    buried = find(
        lambda r: r["called_card"] in r["buries"][0]["buried"] and r["friend"] is None,
        "bianfeng-friend",
        declarer=1,
    )
    assert len(buried["attackers"]) == 3
    assert "attackers is" in told(buried, attackers=[0, 2])


def test_a_card_that_another_seat_has_buried_names_nobody() -> None:
    """After a rebury no other hand may hold it: the declarer is alone."""
    rules = resolve({"base": "menghuan", "partners": "called"})
    record = find(
        lambda r: (
            r["friend"] is None
            and len(r["buries"]) > 1
            and r["buries"][-1]["seat"] != 1
            and r["called_card"] in r["buries"][-1]["buried"]
        ),
        rules,
        declarer=1,
        eager=0.9,
    )
    assert len(record["attackers"]) == 3


def test_friends_and_stop_levels() -> None:
    """Only the declarer has played his level: a friend on a stop level stays."""
    rules = resolve({"base": "bianfeng-friend", "match": {"stop_levels": [5]}})
    record = find(
        lambda r: (
            r["friend"] is not None
            and r["result"]["levels"]
            and not r["result"]["takes_over"]
        ),
        rules,
        declarer=1,
        levels=(5, 5, 5, 5),
    )
    after = record["levels_after"]
    assert after[1] > 5
    assert after[record["friend"]] == 5
    assert "levels_after is" in told(record, levels_after=[6] * 4)
