"""Whole deals made at random verify, and each kind of corruption is named."""

import copy
import json
import re
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest

from referee.random_play import Record, random_record
from referee.variants import VARIANTS, preset, resolve
from sim.referee.calls import could_bid, possible_calls
from sim.referee.census import census
from sim.referee.replay import verify_lines, verify_record
from sim.referee.schema import RECORD

Corrupt = Callable[[Record], Any]

# A later deal with a reinforced bid, an overcall with rebury, a failed throw.
RICH = {"base": "menghuan", "failed_throw": {"points": 10}}


@cache
def _rich_text() -> str:
    """Return the first seed's deal that has what the corruptions touch."""
    for seed in range(2000):
        record = random_record(
            "menghuan", seed, rules=resolve(RICH), declarer=1, levels=(3, 3), eager=0.8
        )
        events = census(record)
        wanted = ("call: reinforce pair", "rebury", "call: overcall LJ")
        if (
            all(events[event] for event in wanted)
            and record["failed_throws"] != [0] * 4
            and record["captured"]
        ):
            return json.dumps(record)
    raise AssertionError("no such deal")


def rich() -> Record:
    """Return a fresh copy of a deal with many kinds of events."""
    return json.loads(_rich_text())


def first_failed(record: Record) -> Record:
    """Return the first trick with a failed throw."""
    return next(trick for trick in record["tricks"] if trick["tried"])


@pytest.mark.parametrize("declarer", [None, 3])
@pytest.mark.parametrize("decks", [2, 3, 4])
@pytest.mark.parametrize("variant", VARIANTS)
def test_random_deals_verify(variant: str, decks: int, declarer: int | None) -> None:
    """Any variant, any decks, first and later deals (seeds 0 and 1)."""
    for seed in range(2):
        levels = (2, 2) if declarer is None else (14, 5)
        record = random_record(
            variant,
            seed,
            rules=preset(variant, decks),
            levels=levels,
            declarer=declarer,
        )
        record = json.loads(json.dumps(record))
        before = copy.deepcopy(record)
        assert verify_record(record) is None
        assert record == before


def test_joker_level_verifies() -> None:
    """A deal past A: nobody calls, no card is turned, no trump suit."""
    rules = resolve({"base": "competition", "match": {"after_ace": "jokers"}})
    record = random_record("", 0, rules=rules, levels=(15, 4), declarer=0)
    assert verify_record(record) is None
    assert (record["calls"], record["turned"], record["trump"]) == ([], None, "NT")


def test_attackers_may_bid() -> None:
    """With `declarer_side_first` an attacker's bid brings his level and the deal."""
    for seed in range(300):
        record = random_record("joker-bid", seed, levels=(4, 9), declarer=0, eager=0.9)
        if record["calls"] and record["declarer"] % 2 == 1:
            break
    assert record["level"] == 9
    assert verify_record(record) is None


def test_attackers_may_not_bid_before_the_declarers_side() -> None:
    """They may not where the declarer or his partner could have."""
    rules = preset("joker-bid")
    for seed in range(300):
        record = random_record("joker-bid", seed, levels=(4, 9), declarer=0, eager=0)
        hands = record["drawn"]
        bids = [call for call in possible_calls(rules, hands[1], 1, 9) if call.suit]
        if bids and any(could_bid(rules, hands[seat], 4) for seat in (0, 2)):
            break
    bid = {"seat": 1, "kind": "bid", "cards": list(bids[0].cards), "after": 100}
    record["calls"] = [bid]
    assert "seat 1 may not call" in str(verify_record(record))


def test_the_caller_has_the_last_word() -> None:
    """After the draw the caller is asked once, when all others have passed."""
    rules = preset("competition")
    for seed in range(500):
        record = random_record("competition", seed, declarer=0, eager=0)
        mine, yours = (possible_calls(rules, h, 0, 2) for h in record["drawn"][:2])
        pairs = [call.cards for call in mine if call.form == "pair"]
        jokers = [call.cards for call in yours if call.form == "LJ"]
        if pairs and jokers:
            break
    kinds = (
        (0, "bid", pairs[0][:1]),
        (0, "reinforce", pairs[0]),
        (1, "overcall", jokers[0]),
    )
    calls = [
        {"seat": seat, "kind": kind, "cards": list(cards), "after": 100}
        for seat, kind, cards in kinds
    ]
    record["calls"] = calls
    assert "the caller has had the last word" in str(verify_record(record))
    for call in calls[:2]:
        call["after"] = 99
    assert "last word" not in str(verify_record(record))


def swap(record: Record) -> None:
    """Swap two drawn cards that are played late, so that one is played unheld."""
    for trick in reversed(record["tricks"]):
        leader, (mine, yours) = trick["leader"], trick["plays"][:2]
        one, two = record["drawn"][leader], record["drawn"][(leader + 1) % 4]
        if mine[0] != yours[0] and mine[0] in one and yours[0] in two:
            i, j = one.index(mine[0]), two.index(yours[0])
            one[i], two[j] = two[j], one[i]
            return


def take_back(record: Record) -> None:
    """Play cards again that were played before."""
    last = record["tricks"][-1]
    for trick in record["tricks"][:-1]:
        same_seat = trick["plays"][(last["leader"] - trick["leader"]) % 4]
        if len(same_seat) == len(last["plays"][0]) and same_seat[0][0] in "SHCD":
            last["plays"][0] = same_seat
            return


def revoke(record: Record) -> None:
    """Let some follower swap a card of the lead's suit for one he plays later."""
    tricks = record["tricks"]
    first = tricks[0]
    suit = first["plays"][0][0][0]
    for turn in (1, 2, 3):
        seat = (first["leader"] + turn) % 4
        for later in tricks[1:]:
            other = later["plays"][(seat - later["leader"]) % 4]
            mine = first["plays"][turn]
            if mine[0][0] == suit and other[0][0] not in (suit, "L", "B"):
                mine[0], other[0] = other[0], mine[0]
                return


def add(key: str, amount: int = 5) -> Corrupt:
    """Return a corruption that adds to a number of the record."""

    def corrupt(record: Record) -> None:
        record[key] += amount

    return corrupt


def put(key: str, value: Any) -> Corrupt:
    """Return a corruption that replaces a value by its dotted key."""

    def corrupt(record: Record) -> None:
        *path, last = [int(k) if k.isdigit() else k for k in key.split(".")]
        place: Any = record
        for step in path:
            place = place[step]
        place[last] = value

    return corrupt


def drop(key: str) -> Corrupt:
    """Return a corruption that leaves a key out, by its dotted name."""

    def corrupt(record: Record) -> None:
        *path, last = key.split(".")
        place: Any = record
        for step in path:
            place = place[int(step) if step.isdigit() else step]
        del place[last]

    return corrupt


def reverse(key: str) -> Corrupt:
    """Return a corruption that turns a list around."""
    return lambda record: record[key].reverse()


# what is done, where the fault is said to be (a trick or None), what it says
CORRUPTIONS: dict[str, tuple[Corrupt, bool, str]] = {
    "unknown key": (put("colour", 1), False, r"unknown key 'colour'"),
    "unknown key inside": (put("rules.bid.x", 1), False, r"unknown key 'rules.bid.x'"),
    "missing key": (drop("trump"), False, r"missing key 'trump'"),
    "missing key inside": (drop("tricks.2.tried"), False, r"'tricks\[2\].tried'"),
    "format": (put("format", "x/1"), False, r'format is "x/1", allowed is shengji-'),
    "type": (put("total", "80"), False, r'total is "80", allowed is a whole number'),
    "boolean for a number": (put("level", True), False, r"level is true"),
    "unknown card": (put("bottom.0", "S1"), False, r"bottom\[0\]: unknown card 'S1'"),
    "unknown option": (put("rules.reinforce", "yes"), False, r'reinforce is "yes"'),
    "index in a match": (put("match", 3), False, r"either index is given, or match"),
    "partners apart": (put("levels", [3, 3, 4, 3]), False, r"partners stand at the"),
    "match over": (put("laps", [1, 0, 1, 0]), False, r"match was won before"),
    "cards": (put("drawn.0.0", "BJ"), False, r"\d BJ were dealt|\d \w\w were dealt"),
    "hand size": (lambda r: r["drawn"][2].pop(), False, r"seat 2 drew 24 cards"),
    "bottom size": (lambda r: r["bottom"].pop(), False, r"the bottom has 7 cards"),
    "redeals": (put("redeals", 2), False, r"redeals is 2, but nothing"),
    "call too early": (put("calls.0.after", 1), False, r"without holding"),
    "calls out of order": (reverse("calls"), False, r"calls\[\d\]"),
    "call kind": (put("calls.1.kind", "overcall"), False, r"this call is 'reinforce'"),
    "call by another": (put("calls.1.seat", 9), False, r"calls\[1\].seat is 9"),
    "no call": (put("calls.0.cards", ["S3", "H3"]), False, r"is no call"),
    "overcall left out": (lambda r: r["calls"].pop(), False, r"trump is .*should be"),
    "turned": (put("turned", "S4"), False, r"turned is S4, but no card is turned"),
    "level": (put("level", 4), False, r"level is 4, should be 3"),
    "declarer": (put("declarer", 2), False, r"declarer is 2, should be 1"),
    "overcalls": (add("overcalls", 1), False, r"overcalls is \d, should be"),
    "coin factor": (add("coin_factor", 1), False, r"coin_factor is \d, should be"),
    "bury seat": (put("buries.0.seat", 0), False, r"buries\[0\]: seat is 0, should"),
    "bury missing": (lambda r: r["buries"].pop(), False, r"is missing: seat \d bur"),
    "bury of strangers": (
        lambda r: r["buries"].append(r["buries"][-1]),
        False,
        r"buries, but is not the declarer",
    ),
    "took": (
        lambda r: r["buries"][-1].update(took=[*r["bottom"][:7], "S3"]),
        False,
        r"took .*, the bottom was",
    ),
    "buried too few": (
        lambda r: r["buries"][0]["buried"].pop(),
        False,
        r"7 cards buried instead of 8",
    ),
    "buried not held": (
        lambda r: r["buries"][-1].update(buried=["S4"] * 8),
        False,
        r"seat \d buries .* without holding it",
    ),
    "friend": (put("called_card", "SA"), False, r"but partners are fixed"),
    "attackers": (put("attackers", [1, 3]), False, r"attackers is .*should be \[0, 2"),
    "leader": (put("tricks.0.leader", 2), True, r"leader is 2, should be 1"),
    "played before": (take_back, True, r"leads .* without holding it"),
    "swapped draws": (swap, True, r"without holding it|owes|must play"),
    "revoke": (revoke, True, r"must play|owes"),
    "winner": (
        lambda r: r["tricks"][4].update(winner=(r["tricks"][4]["winner"] + 1) % 4),
        True,
        r"winner is \d, should be \d",
    ),
    "trick's points": (
        lambda r: r["tricks"][0].update(points=r["tricks"][0]["points"] + 5),
        True,
        r"points is \d+, should be \d+",
    ),
    "failed throw hidden": (
        lambda r: first_failed(r).update(tried=None),
        False,
        r"failed_throws is",
    ),
    "throw that was none": (
        lambda r: r["tricks"][0].update(tried=r["tricks"][0]["plays"][0]),
        True,
        r"tried is .*which is",
    ),
    "too few tricks": (lambda r: r["tricks"].pop(), False, r"the deal stops after"),
    "too many tricks": (
        lambda r: r["tricks"].append(r["tricks"][-1]),
        True,
        r"all cards have been played before it",
    ),
    "trick points": (add("trick_points"), False, r"trick_points is \d+, should be"),
    "bottom points": (add("bottom_points"), False, r"bottom_points is"),
    "captured": (put("captured", False), False, r"captured is false, should be true"),
    "multiplier": (add("multiplier", 1), False, r"multiplier is \d, should be"),
    "penalty": (add("penalty_points"), False, r"penalty_points is"),
    "total": (add("total"), False, r"total is"),
    "failed throws": (
        lambda r: r["failed_throws"].reverse(),
        False,
        r"failed_throws is",
    ),
    "result": (put("result.levels", 5), False, r'result is .*"levels": 5'),
    "levels after": (put("levels_after", [7, 3, 7, 3]), False, r"levels_after is"),
    "laps after": (put("laps_after", [1, 0, 1, 0]), False, r"laps_after is"),
    "next declarer": (
        lambda r: r.update(next_declarer=(r["next_declarer"] + 1) % 4),
        False,
        r"next_declarer is",
    ),
    "match won": (put("match_won", [0, 2]), False, r"match_won is"),
    "level table": (put("rules.level_table.0.0", 5), False, r"do not ascend from 0"),
    "multiplier table": (
        put("rules.bottom.table", {"single": 2}),
        False,
        r"missing key 'rules.bottom.table.pair'",
    ),
    "option needed": (put("rules.reinforce", None), False, r"reinforce is null, but"),
}


def test_rich_deal_verifies() -> None:
    """The deal that is corrupted below is right before."""
    assert verify_record(rich()) is None


@pytest.mark.parametrize("name", CORRUPTIONS)
def test_corruption_is_named(name: str) -> None:
    """The sentence says what is wrong, and the trick where it is in one."""
    corrupt, in_trick, sentence = CORRUPTIONS[name]
    record = rich()
    corrupt(record)
    fault = verify_record(record)
    assert fault is not None
    assert re.search(sentence, fault.what), fault
    assert (fault.trick is not None) == in_trick, fault
    assert fault.deal in ("deal 0", None)


@pytest.mark.parametrize("key", sorted(rich()))
def test_every_key_is_needed(key: str) -> None:
    """A record without any one of its keys is refused by that key's name."""
    record = rich()
    del record[key]
    assert f"missing key {key!r}" in str(verify_record(record))


def test_schema_knows_the_keys() -> None:
    """Nothing in a record is unknown to the schema."""
    RECORD("", rich())


def test_ten_has_two_spellings() -> None:
    """`S10` is read as `ST` anywhere in a record."""
    text = _rich_text()
    for suit in "SHCD":
        text = text.replace(f'"{suit}T"', f'"{suit}10"')
    assert text != _rich_text()
    assert verify_record(json.loads(text)) is None


# ---- lines


def test_lines() -> None:
    """Each bad line is reported by its number, good ones are not."""
    good = _rich_text()
    bad = rich()
    bad["tricks"][0]["winner"] = (bad["tricks"][0]["winner"] + 1) % 4
    lines = [good, "{not json", "[1]", json.dumps(bad), good, '{"a": 1, "a": 2}']
    found = {number: str(fault) for number, fault in verify_lines(lines)}
    assert sorted(found) == [2, 3, 4, 6]
    assert found[2].startswith("not a JSON object: ")
    assert found[3].startswith("the record is [1], allowed is an object")
    assert re.fullmatch(r"deal 0: trick 1: winner is \d, should be \d", found[4])
    assert "key 'a' stands there twice" in found[6]


def test_blank_lines_are_passed_over_and_counted() -> None:
    """Wherever they stand: also between two deals that have to join."""
    first, second = map(json.dumps, two_deals())
    assert list(verify_lines(["", first, "\n", " \t\r\n", second, "\n"])) == []
    found = [number for number, _ in verify_lines(["", "{", "\n", "{", "\n"])]
    assert found == [2, 4]
    assert list(verify_lines(["\n", ""])) == []


def nested(depth: int) -> str:
    """Return a list in a list in a list."""
    return "[" * depth + "]" * depth


@pytest.mark.parametrize("depth", [20, 99, 101, 400, 990, 1000, 5000, 200_000])
def test_deep_nesting_is_a_fault(depth: int) -> None:
    """Alone, under an unknown key, and where a record allows any value."""
    record = rich() | {"policy_parameters": [{"x": "here"}, {}, {}, {}]}
    inside = json.dumps(record).replace('"here"', nested(depth))
    elsewhere = json.dumps(rich() | {"total": "here"}).replace('"here"', nested(depth))
    lines = [nested(depth), '{"x": ' * depth + "1" + "}" * depth, elsewhere, inside]
    found = [number for number, _ in verify_lines(lines)]
    assert found == ([1, 2, 3] if depth == 20 else [1, 2, 3, 4])


def test_no_stop_levels_may_be_null() -> None:
    """It says what [] says; other lists may not be absent."""
    record = rich()
    record["rules"]["match"]["stop_levels"] = None
    assert verify_record(record) is None
    record["rules"]["level_table"] = None
    assert "rules.level_table is null" in str(verify_record(record))


def test_seeds_are_of_64_bits() -> None:
    """No run has a larger one."""
    assert verify_record(rich() | {"seed": 2**64 - 1}) is None
    assert "seed is 18446744073709551616" in str(
        verify_record(rich() | {"seed": 2**64})
    )


def two_deals() -> list[Record]:
    """Return the first two deals of a match."""
    first = random_record("bianfeng", 1, eager=0.8)
    first |= {"index": None, "match": 0, "deal": 0}
    levels = first["levels_after"]
    second = random_record(
        "bianfeng",
        2,
        levels=(levels[0], levels[1]),
        declarer=first["next_declarer"],
    )
    second |= {"index": None, "match": 0, "deal": 1, "seed": 1}
    return [first, second]


def test_deals_of_a_match_join() -> None:
    """Deal 1 takes up the levels and the declarer of deal 0."""
    first, second = two_deals()
    assert list(verify_lines([json.dumps(first), json.dumps(second)])) == []
    other = random_record("bianfeng", 2, levels=(9, 9), declarer=0)
    other |= {"index": None, "match": 0, "deal": 1, "seed": 1}
    ((number, fault),) = verify_lines([json.dumps(first), json.dumps(other)])
    assert number == 2
    assert str(fault).startswith("match 0: deal 1: levels is [9, 9, 9, 9], the deal")


def test_a_match_starts_at_two() -> None:
    """And only its first deal has no declarer."""
    record = two_deals()[0]
    record["deal"] = 1
    assert "only there" in str(verify_record(record))
    record = random_record("bianfeng", 1, levels=(5, 5), eager=0.8)
    record |= {"index": None, "match": 0, "deal": 0}
    assert "a match starts at 2" in str(verify_record(record))
