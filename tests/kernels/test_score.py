"""Scores: the tables of RULES.md sections 7 to 9, typed here by hand."""

import json
import random
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from both_ways import SETTINGS, lead_from, some_cards

from kernels import codes
from kernels.score import (
    STANDING_DTYPE,
    bottom_multiplier,
    climb,
    end_deal,
    next_declarer,
    read_level_table,
    score_rows,
)
from kernels.shape import describe
from sim.referee import score as referee
from sim.rules import PRESETS, Rules, load_rules, resolve_rules
from sim.schema import DEAL_DTYPE

CASES = Path(__file__).parent.parent / "cases"
SIDES = ("declarers", "attackers")
DECLARERS, ATTACKERS = codes.DECLARERS, codes.ATTACKERS

# Section 8, as (first total, last total, side, levels): every total of the page.
MENGHUAN = [
    (0, 0, DECLARERS, 6),
    (5, 10, DECLARERS, 5),
    (15, 20, DECLARERS, 4),
    (25, 30, DECLARERS, 3),
    (35, 35, DECLARERS, 2),
    (40, 75, DECLARERS, 1),
    (80, 115, ATTACKERS, 0),
    (120, 120, ATTACKERS, 1),
    (125, 155, ATTACKERS, 2),
    (160, 160, ATTACKERS, 2),
    (165, 200, ATTACKERS, 3),
    (205, 240, ATTACKERS, 4),
    (245, 280, ATTACKERS, 5),
    (285, 320, ATTACKERS, 6),
    (325, 2000, ATTACKERS, 6),
]
TO_320 = [
    (0, 0, DECLARERS, 3),
    (5, 35, DECLARERS, 2),
    (40, 75, DECLARERS, 1),
    (80, 115, ATTACKERS, 0),
    (120, 155, ATTACKERS, 1),
    (160, 195, ATTACKERS, 2),
    (200, 235, ATTACKERS, 3),
    (240, 275, ATTACKERS, 4),
    (280, 315, ATTACKERS, 5),
]
BIANFENG = [
    *TO_320,
    (320, 355, ATTACKERS, 6),
    (360, 395, ATTACKERS, 7),
    (400, 435, ATTACKERS, 8),
    (1120, 1155, ATTACKERS, 26),
]
JOKER_BID = [*TO_320, (320, 2000, ATTACKERS, 6)]


@pytest.mark.parametrize(
    ("table", "spans"),
    [("menghuan", MENGHUAN), ("bianfeng", BIANFENG), ("joker-bid", JOKER_BID)],
)
def test_level_tables(table: str, spans: list) -> None:
    read = resolve_rules({"base": "competition", "level_table": table}).codes()
    for first, last, side, levels in spans:
        for total in range(first, last + 1, 5):
            assert read_level_table(total, read) == (side, levels), total


def test_total_below_0_reads_as_0() -> None:
    for name in PRESETS:
        read = load_rules(name).codes()
        assert read_level_table(-55, read) == read_level_table(0, read)


SINGLE, PAIR, TRACTOR = codes.HAS_SINGLE, codes.HAS_PAIR, codes.HAS_TRACTOR

# Section 7: (cards, kinds, longest run) -> linear, power, flat, by_cards.
MULTIPLIERS = [
    ((1, SINGLE, 0), (2, 2, 2, 2)),
    ((2, PAIR, 1), (4, 4, 2, 4)),
    ((4, TRACTOR, 2), (8, 8, 2, 8)),
    ((6, TRACTOR, 3), (12, 16, 2, 12)),
    ((8, TRACTOR, 4), (16, 32, 2, 16)),
    ((24, TRACTOR, 12), (48, 8192, 2, 48)),
    # throws: nothing adds up
    ((2, SINGLE, 0), (2, 2, 2, 4)),
    ((5, SINGLE | PAIR, 1), (4, 4, 2, 10)),
    ((7, SINGLE | PAIR | TRACTOR, 2), (8, 8, 2, 14)),
    ((10, TRACTOR, 3), (12, 16, 2, 20)),
]


@pytest.mark.parametrize(("facts", "wanted"), MULTIPLIERS)
def test_schemes(facts: tuple, wanted: tuple) -> None:
    for scheme, multiplier in zip(
        ("linear", "power", "flat", "by_cards"), wanted, strict=True
    ):
        rules = resolve_rules({"base": "bianfeng", "bottom": {"scheme": scheme}})
        assert bottom_multiplier(*facts, rules.codes()) == multiplier, scheme


def test_own_multipliers() -> None:
    rules = resolve_rules(
        {"base": "bianfeng", "bottom": {"scheme": "by_cards", "table": OWN_TABLE}}
    )
    read = rules.codes()
    assert bottom_multiplier(1, SINGLE, 0, read) == 9
    assert bottom_multiplier(2, PAIR, 1, read) == 3
    assert bottom_multiplier(4, TRACTOR, 2, read) == 4
    assert bottom_multiplier(6, TRACTOR, 3, read) == 5
    assert bottom_multiplier(20, TRACTOR, 10, read) == 7  # past the list's end
    assert bottom_multiplier(5, SINGLE | TRACTOR, 2, read) == 9  # the highest counts


def test_climb() -> None:
    loop = load_rules("menghuan").codes()
    assert climb(2, 3, True, loop) == (5, 0)
    assert climb(13, 1, False, loop) == (14, 0)
    assert climb(13, 3, False, loop) == (3, 1)
    assert climb(2, 26, False, loop) == (2, 2)
    end = of_match(after_ace="end").codes()
    assert climb(13, 1, True, end) == (14, 0)
    assert climb(13, 4, True, end) == (14, 1)
    jokers = of_match(after_ace="jokers").codes()
    assert climb(14, 1, True, jokers) == (15, 0)
    assert climb(14, 2, True, jokers) == (2, 1)


def test_stop_levels() -> None:
    stops = of_match(stop_levels=[5, 10]).codes()
    assert climb(3, 6, True, stops) == (5, 0)  # cannot be jumped over
    assert climb(3, 6, False, stops) == (5, 0)
    assert climb(5, 2, True, stops) == (7, 0)  # won as declarers
    assert climb(5, 2, False, stops) == (5, 0)  # attackers who stand on one
    assert climb(9, 0, False, stops) == (9, 0)


def test_next_declarer() -> None:
    read = load_rules("bianfeng").codes()
    after = {
        side: [next_declarer(seat, -1, side, read) for seat in range(4)]
        for side in (DECLARERS, ATTACKERS)
    }
    assert after == {DECLARERS: [2, 3, 0, 1], ATTACKERS: [1, 2, 3, 0]}
    called = read._replace(partners=codes.CALLED)
    for declarer, friend, side, following in (
        (0, 2, DECLARERS, 2),
        (0, -1, DECLARERS, 0),
        (0, 1, ATTACKERS, 2),
        (3, 1, ATTACKERS, 0),
        (3, -1, ATTACKERS, 0),
    ):
        assert next_declarer(declarer, friend, side, called) == following


@pytest.mark.parametrize("partners", ["fixed", "called"])
@pytest.mark.parametrize("after_ace", ["loop", "jokers", "end"])
def test_the_end_of_a_deal_as_the_referee_has_it(partners: str, after_ace: str) -> None:
    chance = random.Random(f"{partners} {after_ace}")
    rules = of_match(after_ace=after_ace, stop_levels=[5, 14]).to_dict()
    rules["partners"] = partners
    code = {"fixed": codes.FIXED, "called": codes.CALLED}[partners]
    read = of_match(after_ace=after_ace, stop_levels=[5, 14]).codes()
    read = read._replace(partners=code)
    top = 15 if after_ace == "jokers" else 14
    for _ in range(500):
        levels = [chance.randint(2, top) for _ in range(4)]
        if partners == "fixed":
            levels[2:] = levels[:2]
        declarer = chance.randrange(4)
        others = [seat for seat in range(4) if seat != declarer]
        friend = chance.choice([None, *others]) if partners == "called" else None
        won = referee.Result(chance.choice(SIDES), chance.randint(0, 14))
        standing = np.zeros(1, STANDING_DTYPE)[0]
        standing["levels"] = levels
        ended = end_deal(
            standing,
            SIDES.index(won.side),
            won.levels,
            declarer,
            -1 if friend is None else friend,
            read,
        )
        after, laps = referee.levels_after(
            rules, levels, [0] * 4, declarer, friend, won
        )
        assert standing["levels"].tolist() == after
        assert standing["laps"].tolist() == laps
        winners = [seat for seat in range(4) if ended >> seat & 1]
        assert winners == (referee.match_winners(rules, laps) or [])
        assert standing["ended"] == ended
        following = referee.next_declarer(rules, declarer, friend, won)
        assert standing["declarer"] == following


def of_match(**match: object) -> Rules:
    return resolve_rules({"base": "bianfeng", "match": match})


@pytest.mark.parametrize("name", PRESETS)
def test_every_total_as_the_referee_reads_it(name: str) -> None:
    rules = load_rules(name)
    for total in range(-200, 3001, 5):
        wanted = referee.read_level_table(rules.to_dict(), total)
        side, levels = read_level_table(total, rules.codes())
        assert (SIDES[side], levels) == (wanted.side, wanted.levels), total


@pytest.mark.parametrize("stops", [[], [5, 10, 13], [14], [2, 14]], ids=str)
@pytest.mark.parametrize("after_ace", ["loop", "end", "jokers"])
def test_every_climb_as_the_referee_moves(after_ace: str, stops: list[int]) -> None:
    rules = of_match(after_ace=after_ace, stop_levels=stops)
    levels = range(2, codes.JOKER_LEVEL + 1)
    for level, steps, declared in product(levels, range(32), (False, True)):
        wanted = referee.move_level(rules.to_dict(), level, steps, declared)
        found = climb(level, steps, declared, rules.codes())
        assert found == wanted, (level, steps, declared)


OWN_TABLE = {
    "single": 9,
    "pair": 3,
    "triple": 6,
    "quad": 8,
    "tractor": [4, 5, 7],
    "titanic": [12],
    "quad_run": [16],
}
BOTTOMS = [
    pytest.param(
        {"scheme": scheme, "read_from": read_from, "table": table},
        id=f"{name}-{read_from}",
    )
    for name, scheme, table in (
        *((scheme, scheme, "none") for scheme in ("linear", "power", "flat")),
        ("by_cards", "by_cards", "none"),
        ("own", "linear", OWN_TABLE),
    )
    for read_from in ("trick", "winner")
]


@pytest.mark.parametrize("bottom", BOTTOMS)
def test_multipliers_of_last_tricks(bottom: dict) -> None:
    """From the cards to the number, as a row is filled and as it is scored again."""
    rules = resolve_rules({"base": "bianfeng", "bottom": bottom})
    read, tree = rules.codes(), rules.to_dict()
    chance = random.Random(1)
    rows = np.zeros(2000, DEAL_DTYPE)
    wanted = []
    for row in rows:
        of = chance.choice(SETTINGS)
        lead = lead_from(of, some_cards(of, "T", 25, chance), chance)
        winning: list[str] = []
        while len(winning) != len(lead):
            winning = some_cards(of, "T", len(lead), chance, len(of.kinds("T")))
        row["lead_cards"] = len(lead)
        row["lead_kinds"], row["lead_run"] = describe(*of.planes(lead), of.layout)
        row["win_kinds"], row["win_run"] = describe(*of.planes(winning), of.layout)
        multiplier = referee.multiplier(tree, lead, winning, of.order)
        row["captured"] = chance.random() < 0.8
        row["trick_points"] = 5 * chance.randrange(41)
        row["buried_points"] = 5 * chance.randrange(13)
        row["penalty_points"] = 10 * chance.randrange(-2, 3)
        total = int(row["trick_points"]) + int(row["penalty_points"])
        total += int(row["buried_points"]) * multiplier * int(row["captured"])
        wanted.append((total, referee.read_level_table(tree, total)))
    totals, sides, levels = (np.zeros(len(rows), np.int64) for _ in range(3))
    score_rows(rows, read, totals, sides, levels)
    for place, (total, result) in enumerate(wanted):
        assert totals[place] == total, rows[place]
        assert SIDES[sides[place]] == result.side
        assert levels[place] == result.levels


def result_cases() -> list[dict]:
    cases = []
    for path in sorted(CASES.glob("*.jsonl")):
        for line in path.read_text("utf-8").splitlines():
            case = json.loads(line)
            question = case["question"]
            spec = question.get("rules", "bianfeng")
            base = spec if isinstance(spec, str) else spec["base"]
            if (
                question["ask"] == "result"
                and question.get("decks", 2) == 2
                and base in PRESETS
            ):
                cases.append(case)
    return cases


@pytest.mark.parametrize("case", result_cases(), ids=lambda case: case["id"])
def test_result_cases(case: dict) -> None:
    question, expected = case["question"], case["expected"]
    read = resolve_rules(question.get("rules", "bianfeng"), 2).codes()
    declarer = question["declarer"]
    side, levels = read_level_table(question["total"], read)
    assert side == (expected["result"]["side"] == "attackers")
    assert levels == expected["result"]["levels"]
    standing = np.zeros(1, STANDING_DTYPE)[0]
    standing["levels"] = question["levels"]
    end_deal(standing, side, levels, declarer, -1, read)
    assert standing["levels"].tolist() == expected["levels_after"]
    assert standing["declarer"] == expected["next_declarer"]
