"""Who wins a trick, against the referee, which tries every way to match a lead."""

import random
from collections import Counter
from collections.abc import Iterator, Sequence

import pytest
from both_ways import (
    SETTINGS,
    TELLING,
    Setting,
    lead_from,
    lead_record,
    name_of,
    some_cards,
)

from kernels.lead import lead_strength
from kernels.trick import match_throw, strength
from sim.cards import CARD_NAMES
from sim.referee.components import read_components
from sim.referee.trick import best_match, winning_place


def winner_by_kernel(of: Setting, plays: Sequence[list[str]]) -> int:
    """The place of the winning play, as `sim.policies.view` finds it."""
    lead = lead_record(of, plays[0])
    best = lead_strength(of.planes(plays[0]), of.layout)
    winner = 0
    for place, play in enumerate(plays[1:], 1):
        power = strength(of.planes(play), lead, of.layout)
        if power > best:
            best, winner = power, place
    return winner


@pytest.mark.parametrize("decks", [2, 3, 4])
@pytest.mark.parametrize("seed", [1, 2])
def test_winners(seed, decks):
    """Three follows of each kind: same suit, all trumps, of all suits; pairs in all."""
    chance = random.Random(seed)
    won: Counter[tuple[str, int]] = Counter()
    for _ in range(5000):
        of = chance.choice(SETTINGS)._replace(decks=decks)
        suit = chance.choice([suit for suit in "SHCDT" if of.kinds(suit)])
        lead = lead_from(of, some_cards(of, suit, 25, chance), chance)
        plays = [lead]
        for _ in range(3):
            play = a_play(of, suit, len(lead), chance)
            plays.append(play if play else lead)
        wanted = winning_place(plays, of.order)
        assert winner_by_kernel(of, plays) == wanted, f"{name_of(of)}: {plays}"
        won[shape_of(of, lead), min(wanted, 2)] += 1
    kinds = {
        2: ("single", "pair", "tractor", "throw"),
        3: ("single", "pair", "triple", "titanic", "throw"),
        4: ("single", "triple", "quad", "quad_run", "throw"),
    }
    for shape in kinds[decks]:
        assert all(won[shape, place] > 5 for place in range(3)), won


def shape_of(of: Setting, cards: list[str]) -> str:
    components = read_components(cards, of.order)
    return components[0].kind if len(components) == 1 else "throw"


def a_play(of: Setting, suit: str, count: int, chance: random.Random) -> list[str]:
    """Cards of a play, as many as were led, or none if chance has not enough."""
    room = chance.choice((0, max(2, (count + 1) // 2), max(2, count)))
    kind = chance.choice(("suit", "trump", "trump", "any"))
    if kind == "any":
        return chance.sample(list(CARD_NAMES) * of.decks, count)
    cards: list[str] = []
    for _ in range(5):
        cards = some_cards(of, suit if kind == "suit" else "T", count, chance, room)
        if len(cards) == count:
            return cards
    return []


# Leads of a side suit: its components as (width, length), and the decks they need.
THROWS = [
    (2, [(2, 2), (1, 1)]),
    (2, [(2, 2), (2, 1)]),
    (2, [(2, 2), (2, 1), (1, 1)]),
    (2, [(2, 2), (2, 2)]),
    (2, [(2, 2), (2, 2), (1, 1)]),
    (2, [(2, 2), (2, 2), (2, 2)]),
    (2, [(2, 3), (1, 1)]),
    (2, [(2, 3), (2, 1)]),
    (2, [(2, 3), (2, 2)]),
    (2, [(2, 1), (2, 1)]),
    (2, [(2, 1), (1, 1)]),
    (2, [(2, 1), (2, 1), (2, 1), (1, 1)]),
    (2, [(1, 1), (1, 1), (1, 1)]),
    (3, [(3, 1), (2, 1)]),
    (3, [(3, 1), (3, 1)]),
    (3, [(3, 2), (1, 1)]),
    (3, [(3, 1), (2, 2)]),
    (3, [(2, 2), (2, 1)]),
    (3, [(2, 2), (2, 2)]),
    (4, [(4, 1), (2, 1)]),
    (4, [(3, 1), (2, 1), (1, 1)]),
    (4, [(4, 1), (2, 2)]),
    (4, [(2, 2), (2, 1)]),
    (4, [(3, 2), (2, 1)]),
]


@pytest.mark.parametrize("of", [TELLING[0], TELLING[3]], ids=name_of)
@pytest.mark.parametrize(("decks", "throw"), THROWS, ids=str)
def test_every_ruff_of_a_throw(decks, throw, of):
    """Exhaustive: every set of the highest trumps that has as many cards.

    They hold the equal level cards, two pairs of which can serve two tractors.
    """
    of = of._replace(decks=decks)
    lead = lead_of(of, throw)
    components = read_components(lead, of.order)
    record = lead_record(of, lead)
    matched = 0
    first = of.place(of.kinds("T")[0])
    for play in sets_of(of.kinds("T")[-8 if decks == 2 else -6 :], len(lead), decks):
        wanted = best_match(play, components, of.order)
        planes = of.planes(play)
        found = match_throw(planes, record, of.layout)
        assert found == strength(planes, record, of.layout)
        assert found == (-1 if wanted is None else first + wanted), play
        matched += wanted is not None
    # No trump has one run only: level cards, LJ, BJ.
    runs = sum(length > 1 for _, length in throw)
    assert (matched > 0) == (of.trump < 4 or runs < 2 or decks > 3)


def lead_of(of: Setting, throw: list[tuple[int, int]]) -> list[str]:
    """A lead of diamonds of that shape, with gaps between its components."""
    kinds, cards, place = of.kinds("D"), [], 0
    for width, length in throw:
        run = kinds[place : place + length]
        cards += [card for card in run for _ in range(width)]
        place += length + (width > 1)
    shape = [(part.width, part.length) for part in read_components(cards, of.order)]
    assert shape == throw
    return cards


def sets_of(kinds: list[str], count: int, decks: int) -> Iterator[list[str]]:
    """Every set of `count` cards, as many copies of each kind as there are decks."""
    if count == 0:
        yield []
    elif kinds:
        for copies in range(min(decks, count) + 1):
            for rest in sets_of(kinds[1:], count - copies, decks):
                yield [kinds[0]] * copies + rest


def test_a_tie_goes_to_the_first():
    of = TELLING[0]
    assert winner_by_kernel(of, [["H9"], ["HA"], ["HA"], ["HK"]]) == 1
    assert winner_by_kernel(of, [["H9"], ["H5"], ["D5"], ["C5"]]) == 1
    assert winner_by_kernel(of, [["H5"] * 2, ["D5"] * 2, ["S5"] * 2, ["C5"] * 2]) == 2


def test_nothing_beats_a_throw_of_trumps():
    of = TELLING[0]
    assert winner_by_kernel(of, [["S3", "S2"], ["BJ", "LJ"], ["SA", "SK"]]) == 0
