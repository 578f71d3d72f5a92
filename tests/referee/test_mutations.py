"""Every single fact of a record, changed alone, is a fault that names what is wrong.

`CHANGES` has an entry for every place where a record has a value. What one record
cannot show, because another deal or other rules could have it, is in `ELSEWHERE`.
"""

import json
import random
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from itertools import islice
from typing import Any, NamedTuple

import pytest

from referee.random_play import Record, random_match, random_record
from referee.variants import VARIANTS, preset, resolve
from sim.referee.cards import HAND_CARDS, JOKERS, KINDS, SUITS, Layout
from sim.referee.replay import verify_record

Path = tuple[str | int, ...]
# Values that a fact could not have: it is given, its path, the record.
Others = Callable[[Any, Path, Record], list]

ELSEWHERE = {
    "variant": "held against the rules by sim.verify",
    "rules": "held against the variant's name by sim.verify",
    "seed": "by playing again",
    "index": "by playing again",
    "stream_version": "by playing again",
    "policies": "by playing again",
    "policy_parameters": "by playing again",
}


class Change(NamedTuple):
    """Other values of a fact, and what is said of them."""

    others: Others
    sentence: str


def more(value: Any, path: Path, record: Record) -> list:
    """A number a little larger."""
    return [1 if value is None else value + 1]


def other_place(value: int | None, path: Path, record: Record) -> list:
    """A deal by itself is in no match, one of a match is; which, is seen elsewhere."""
    return [3 if value is None else None]


def other_points(value: int, path: Path, record: Record) -> list:
    return [value + 5, 0] if value else [5]


def other_seat(value: int | None, path: Path, record: Record) -> list:
    return [seat for seat in range(4) if seat != value]


def other_card(value: str, path: Path, record: Record) -> list:
    place = KINDS.index(value)
    return [KINDS[place - 1], KINDS[(place + 20) % len(KINDS)]]


def other_fact(value: bool, path: Path, record: Record) -> list:
    return [not value]


def one_of(*values: Any) -> Others:
    return lambda value, path, record: [each for each in values if each != value]


def other_suit_of_throw(value: str, path: Path, record: Record) -> list:
    """Cards that cannot have been thrown with the others."""
    layout = Layout(record["level"], record["trump"])
    return [c for c in KINDS if layout.suit(c) != layout.suit(value)][:2]


def other_level(value: int, path: Path, record: Record) -> list:
    return [value - 1 if value > 2 else 9]


def late_or_early(value: int, path: Path, record: Record) -> list:
    return [4 * HAND_CARDS[record["rules"]["decks"]] + 1, 0] if value else []


def other_caller(value: int, path: Path, record: Record) -> list:
    """Seats that hold no such cards; in an auction all others."""
    call = record["calls"][path[1]]
    return [
        seat
        for seat in range(4)
        if seat != value and not set(call.get("cards", ())) & set(record["drawn"][seat])
    ]


def other_given(value: int | None, path: Path, record: Record) -> list:
    """Who cannot have been the declarer before; a turned card may name any."""
    if record["rules"]["nobody_bids"] == "random_card" and not record["calls"]:
        return []
    seats = {0, 1, 2, 3} - {record["declarer"], value or 0}
    if record["rules"]["bid"]["later_deals"] == "declarer_side_first":
        # Where an attacker bids it matters only which side he attacks.
        seats -= {call["seat"] for call in record["calls"][:1]}
        seats -= {(value + 2) % 4} if value is not None else set()
    return sorted(seats)


def no_call_of(value: str, path: Path, record: Record) -> list:
    return ["S3" if record["level"] != 3 else "S4"]


def not_in_bottom(value: str | None, path: Path, record: Record) -> list:
    away = [card for card in KINDS if card not in record["bottom"]]
    return [away[0], None if value else away[-1]]


def other_friend(value: str | None, path: Path, record: Record) -> list:
    """Cards that name another friend; none at all."""
    if record["rules"]["partners"] == "fixed":
        return ["SA"]
    hands = [set() for _ in range(4)]
    for trick in record["tricks"]:
        for turn, play in enumerate(trick["plays"]):
            hands[(trick["leader"] + turn) % 4] |= set(play)
    friend = record["friend"]
    if friend is not None:
        return [None, *(c for c in KINDS if c not in hands[friend])][:3]
    others = set().union(*(hands[s] for s in range(4) if s != record["declarer"]))
    return [None, *sorted(others)[:1]]


def other_redeals(value: int, path: Path, record: Record) -> list:
    free = record["rules"]["redeal"]["weak_attacker_points"] is not None
    if record["declarer_before"] is None:
        free = record["rules"]["bid"]["when"] != "auction"
    return [-1] if free else [1, 2]


def other_trump(value: str, path: Path, record: Record) -> list:
    return [trump for trump in (*SUITS, "NT") if trump != value]


CALLS = r"calls\[\d+\]"
TRICK = r"seat \d (leads|plays)|(leader|winner|points|tried) is"
CHANGES: dict[str, Change] = {
    "format": Change(one_of("shengji-deal/2", "x"), r"^format is"),
    "match": Change(other_place, r"either index is given, or match and deal"),
    "deal": Change(other_place, r"either index is given, or match and deal"),
    "levels.*": Change(
        other_level, rf"^levels is|^level is|^levels_after is|{CALLS}: seat"
    ),
    "laps.*": Change(more, r"^laps is"),
    "declarer_before": Change(
        other_given,
        rf"^declarer_before is|^declarer is|^level is|^buries\[0\]: seat|{CALLS}: seat"
        "|in the auction|^turned|^redeals",
    ),
    "drawn.*.*": Change(other_card, r"\d \w\w were dealt with"),
    "bottom.*": Change(other_card, r"\d \w\w were dealt with"),
    "redeals": Change(other_redeals, r"^redeals is"),
    "calls.*.seat": Change(other_caller, rf"{CALLS}: seat|in the auction|ended"),
    "calls.*.kind": Change(
        one_of("bid", "reinforce", "overcall", "pass", "target", "call"),
        rf"{CALLS}(: |.kind)|key 'calls",
    ),
    "calls.*.cards.*": Change(
        no_call_of, rf"{CALLS}: .*(no call|shows one|may not call|without holding)"
    ),
    "calls.*.after": Change(late_or_early, rf"{CALLS}: (after is|seat)"),
    "calls.*.target": Change(one_of(7, 500), r"calls the target"),
    "turned": Change(not_in_bottom, r"^turned is"),
    "level": Change(other_level, r"^level is"),
    # In an auction any suit could be picked: it then shows in the play.
    "trump": Change(other_trump, rf"^trump is|{TRICK}|^multiplier"),
    "declarer": Change(other_seat, r"^declarer is"),
    "buries.*.seat": Change(other_seat, r"buries\[\d\]: seat is"),
    "buries.*.took.*": Change(other_card, r"buries\[\d\]: took"),
    "buries.*.buried.*": Change(
        # Where the seat held the card it is played, sooner or later.
        other_card,
        r"buries\[\d\]: (seat|took)|^seat \d (leads|plays)|^tried is",
    ),
    "called_card": Change(other_friend, r"^friend is|^called_card is"),
    "friend": Change(other_seat, r"^friend is"),
    "tricks.*.leader": Change(other_seat, r"^leader is"),
    "tricks.*.tried": Change(one_of(["S3"]), r"^seat \d leads|^tried is"),
    "tricks.*.tried.*": Change(
        other_suit_of_throw, r"^seat \d leads .*(holding|not of one|forced)"
    ),
    "tricks.*.plays.*.*": Change(other_card, TRICK),
    "tricks.*.winner": Change(other_seat, r"^winner is"),
    "tricks.*.points": Change(other_points, r"^points is"),
    "attackers.*": Change(other_seat, r"^attackers is"),
    "trick_points": Change(other_points, r"^trick_points is"),
    "bottom_points": Change(other_points, r"^bottom_points is"),
    "captured": Change(other_fact, r"^captured is"),
    "multiplier": Change(more, r"^multiplier is"),
    "penalty_points": Change(other_points, r"^penalty_points is"),
    "total": Change(other_points, r"^total is"),
    "failed_throws.*": Change(more, r"^failed_throws is"),
    "overcalls": Change(more, r"^overcalls is"),
    "coin_factor": Change(more, r"^coin_factor is"),
    "result.side": Change(one_of("declarers", "attackers"), r"^result is"),
    "result.levels": Change(more, r"^result is"),
    "result.takes_over": Change(other_fact, r"^result is"),
    "levels_after.*": Change(other_level, r"^levels_after is"),
    "laps_after.*": Change(more, r"^laps_after is"),
    "next_declarer": Change(other_seat, r"^next_declarer is"),
    "match_won": Change(one_of([0, 2], [1, 3], [3]), r"^match_won is"),
    "match_won.*": Change(other_seat, r"^match_won is"),
}
# Lists whose last entry is left out, or stands there twice.
LISTS: dict[str, str] = {
    "levels": r"^levels has",
    "laps": r"^laps has",
    "drawn": r"^drawn has",
    "drawn.*": r"^seat \d drew",
    "bottom": r"^the bottom has",
    "calls": rf"^{CALLS}|auction|^trump is|^declarer is|^level is|^overcalls is"
    r"|^nobody called|^buries|^seat \d buries|^turned is null",
    "calls.*.cards": rf"^{CALLS}: ",
    "buries": r"^buries\[\d\] is missing|buries, but is not|^buries\[\d\]: seat",
    "buries.*.took": r"buries\[\d\]: took",
    "buries.*.buried": r"buries\[\d\]: (seat|\d cards buried)",
    "tricks": r"^the deal stops|^all cards have been played",
    "tricks.*.plays": r"plays has \d entries",
    "tricks.*.plays.*": TRICK,
    "attackers": r"^attackers is",
    "failed_throws": r"^failed_throws has",
    "levels_after": r"^levels_after has",
    "laps_after": r"^laps_after has",
    "match_won": r"^match_won is",
}


def name_of(path: Path) -> str:
    """Return a path with `*` for any place in a list: `tricks.*.winner`."""
    return ".".join("*" if isinstance(step, int) else step for step in path)


def nodes(value: Any, path: Path = ()) -> Iterator[tuple[Path, Any]]:
    """Yield every value of a record, those within lists and objects too."""
    if path:
        yield path, value
    if isinstance(value, dict | list):
        items = value.items() if isinstance(value, dict) else enumerate(value)
        for key, each in items:
            if path or key not in ELSEWHERE:
                yield from nodes(each, (*path, key))


def put(value: Any, path: Path, new: Any) -> Any:
    """Return a record with one value changed; the rest is shared with the old one."""
    if not path:
        return new
    changed = value.copy()
    changed[path[0]] = put(value[path[0]], path[1:], new)
    return changed


def may_be_shorter(path: Path, value: list, record: Record) -> bool:
    """Say whether the calls could have been these without the last, or its last card.

    A single may stand as well as its pair.
    """
    if name_of(path) == "calls":
        return value[-1]["kind"] == "reinforce"
    pair = name_of(path) == "calls.*.cards" and value[0] == value[-1]
    return pair and record["calls"][path[1]]["kind"] == "bid"


def mutants(path: Path, value: Any, record: Record) -> Iterator[tuple[Any, str]]:
    """Yield (another value, what is to be said of it)."""
    name = name_of(path)
    if isinstance(value, list):
        if value and name in LISTS:
            yield [*value, value[-1]], LISTS[name]
        if value and name in LISTS and not may_be_shorter(path, value, record):
            yield value[:-1], LISTS[name]
        if name not in CHANGES:
            return
    elif isinstance(value, dict):
        return
    change = CHANGES[name]
    for other in change.others(value, path, record):
        yield other, change.sentence


@cache
def records(variant: str, decks: int) -> tuple[Record, ...]:
    """Deals to change: first and later ones, eager and shy, one of a match's end."""
    rules = preset(variant, decks)
    if not rules["failed_throw"]["points"]:
        rules["failed_throw"]["points"] = 5
    fixed = rules["partners"] == "fixed"
    seed = VARIANTS.index(variant) * 10 + decks
    deals = [
        random_record("", seed, rules=rules, eager=0.9),
        random_record("", seed + 1, rules=rules, declarer=2, levels=(9, 4), eager=0.9),
        random_record(
            "",
            seed + 2,
            rules=rules,
            declarer=1,
            levels=(5, 8) if fixed else (5, 8, 3, 9),
            eager=0.02,
        ),
    ]
    rules = resolve({"base": variant, "level_table": QUICK}, decks)
    deals.append(list(random_match("", seed, rules=rules))[-1])
    return tuple(json.loads(json.dumps(deal)) for deal in deals)


QUICK = [[0, "declarers", 7], [80, "attackers", 7]]


def change_all(
    deals: Iterable[Record], most: int, seed: int
) -> tuple[Counter[str], list[str]]:
    """Change every fact of some deals, at most so many places of each kind.

    Returns how often each kind was changed, and which changes nobody noticed, or
    noticed without naming it.
    """
    draw = random.Random(seed)
    done: Counter[str] = Counter()
    wrong = []
    for record in deals:
        assert verify_record(record) is None
        by_name: dict[str, list[tuple[Path, Any]]] = {}
        for path, value in nodes(record):
            by_name.setdefault(name_of(path), []).append((path, value))
        for name, places in by_name.items():
            draw.shuffle(places)
            for path, value in islice(places, most):
                for other, sentence in mutants(path, value, record):
                    fault = verify_record(put(record, path, other))
                    done[name] += 1
                    if fault is None or not re.search(sentence, fault.what):
                        wrong.append(f"{path} {value!r} -> {other!r}: {fault}")
    return done, wrong


@cache
def tried(variant: str, decks: int, most: int) -> tuple[Counter[str], list[str]]:
    """Change every fact of one variant's deals."""
    return change_all(records(variant, decks), most, seed=decks)


@pytest.fixture
def most(request: pytest.FixtureRequest) -> int:
    """Return how many places of a kind are changed: all tricks, or a few."""
    return 1000 if request.config.getoption("--slow") else 3


@pytest.mark.parametrize("decks", [2, 3, 4])
@pytest.mark.parametrize("variant", VARIANTS)
def test_every_change_is_named(variant: str, decks: int, most: int) -> None:
    """No fact may be wrong without a fault that says so."""
    _, wrong = tried(variant, decks, most)
    assert not wrong


def test_every_fact_was_changed(most: int) -> None:
    """The deals had everything that a record can have."""
    done: Counter[str] = Counter()
    for variant in VARIANTS:
        for decks in (2, 3, 4):
            done += tried(variant, decks, most)[0]
    assert set(done) == set(CHANGES) | set(LISTS)


def test_every_list_is_changed() -> None:
    """But a throw's: another one might have failed as well."""
    lists = {
        name_of(path)
        for variant in ("menghuan", "bianfeng-friend")
        for record in records(variant, 2)
        for path, value in nodes(record)
        if isinstance(value, list)
    }
    assert lists - {"tricks.*.tried"} == set(LISTS)


def test_every_key_is_changed() -> None:
    """A key that a record has and nobody changes fails here."""
    keys = {path[0] for path in map(tuple, (name.split(".") for name in CHANGES))}
    record = records("menghuan", 2)[0]
    assert keys | set(ELSEWHERE) == set(record)
    assert not keys & set(ELSEWHERE)


def test_cards_that_change_hands() -> None:
    """Two seats that swapped a card cannot have played what they played."""
    for variant in VARIANTS:
        record = records(variant, 2)[1]
        one, two = record["drawn"][:2]
        place = next(i for i in range(25) if one[i] != two[i] and one[i] not in JOKERS)
        hands = [list(hand) for hand in record["drawn"]]
        hands[0][place], hands[1][place] = two[place], one[place]
        fault = verify_record(record | {"drawn": hands})
        assert fault is not None
