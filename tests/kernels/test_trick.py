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
    name_of,
    read_lead,
    some_cards,
)

from kernels.trick import lead_strength, match_throw, strength
from sim.cards import CARD_NAMES
from sim.referee.components import read_components
from sim.referee.trick import best_match, winning_place


def winner_by_kernel(of: Setting, plays: Sequence[list[str]]) -> int:
    """The place of the winning play, as `sim.policies.view` finds it."""
    lead = read_lead(of, plays[0])
    best = lead_strength(of.planes(plays[0]).one, of.layout)
    winner = 0
    for place, play in enumerate(plays[1:], 1):
        power = strength(
            *of.planes(play),
            lead.suit,
            lead.count,
            lead.runs,
            lead.pairs,
            lead.is_throw,
            of.layout,
        )
        if power > best:
            best, winner = power, place
    return winner


@pytest.mark.parametrize("seed", [1, 2])
def test_winners(seed):
    """Three follows of each kind: same suit, all trumps, of all suits; pairs in all."""
    chance = random.Random(seed)
    won: Counter[tuple[str, int]] = Counter()
    for _ in range(6000):
        of = chance.choice(SETTINGS)
        suit = chance.choice([suit for suit in "SHCDT" if of.kinds(suit)])
        lead = lead_from(of, some_cards(of, suit, 25, chance), chance)
        plays = [lead]
        for _ in range(3):
            play = a_play(of, suit, len(lead), chance)
            plays.append(play if play else lead)
        wanted = winning_place(plays, of.order)
        assert winner_by_kernel(of, plays) == wanted, f"{name_of(of)}: {plays}"
        won[shape_of(of, lead), min(wanted, 2)] += 1
    for shape in ("single", "pair", "tractor", "throw"):
        assert all(won[shape, place] > 20 for place in range(3)), won


def shape_of(of: Setting, cards: list[str]) -> str:
    components = read_components(cards, of.order)
    return components[0].kind if len(components) == 1 else "throw"


def a_play(of: Setting, suit: str, count: int, chance: random.Random) -> list[str]:
    """Cards of a play, as many as were led, or none if chance has not enough."""
    room = chance.choice((0, max(2, (count + 1) // 2), max(2, count)))
    kind = chance.choice(("suit", "trump", "trump", "any"))
    if kind == "any":
        return chance.sample(CARD_NAMES, count)
    cards: list[str] = []
    for _ in range(5):
        cards = some_cards(of, suit if kind == "suit" else "T", count, chance, room)
        if len(cards) == count:
            return cards
    return []


# Leads of a side suit: its tractors' lengths, its lone pairs, its lone singles.
THROWS = [
    ([2], 0, 1),
    ([2], 1, 0),
    ([2], 1, 1),
    ([2, 2], 0, 0),
    ([2, 2], 0, 1),
    ([2, 2, 2], 0, 0),
    ([3], 0, 1),
    ([3], 1, 0),
    ([3, 2], 0, 0),
    ([], 2, 0),
    ([], 1, 1),
    ([], 3, 1),
    ([], 0, 3),
]


@pytest.mark.parametrize("of", [TELLING[0], TELLING[3]], ids=name_of)
@pytest.mark.parametrize("throw", THROWS, ids=str)
def test_every_ruff_of_a_throw(throw, of):
    """Exhaustive: every set of the highest trumps that has as many cards.

    They hold the equal level cards, two pairs of which can serve two tractors.
    """
    lead = lead_of(of, *throw)
    components = read_components(lead, of.order)
    shape = read_lead(of, lead)
    matched = 0
    for play in sets_of(of.kinds("T")[-8:], len(lead)):
        wanted = best_match(play, components, of.order)
        one, two = of.planes(play)
        found = match_throw(one, two, shape.runs, shape.pairs, of.layout)
        power = strength(
            one, two, shape.suit, shape.count, shape.runs, shape.pairs, True, of.layout
        )
        assert found == power
        first = of.place(of.kinds("T")[0])
        assert found == (-1 if wanted is None else first + wanted), play
        matched += wanted is not None
    # No trump has one run of pairs only: level cards, LJ, BJ.
    assert (matched > 0) == (of.trump < 4 or len(throw[0]) < 2)


def lead_of(of: Setting, runs: list[int], pairs: int, singles: int) -> list[str]:
    """A lead of diamonds of that shape, with gaps between its components."""
    kinds, cards, place = of.kinds("D"), [], 0
    for length in [*runs, *[1] * pairs]:
        cards += [card for card in kinds[place : place + length] for _ in range(2)]
        place += length + 1
    cards += kinds[place : place + singles]
    assert len(read_components(cards, of.order)) == len(runs) + pairs + singles
    return cards


def sets_of(kinds: list[str], count: int) -> Iterator[list[str]]:
    """Every set of `count` cards, two copies of each kind at most."""
    if count == 0:
        yield []
    elif kinds:
        for copies in range(min(2, count) + 1):
            for rest in sets_of(kinds[1:], count - copies):
                yield [kinds[0]] * copies + rest


def test_a_tie_goes_to_the_first():
    of = TELLING[0]
    assert winner_by_kernel(of, [["H9"], ["HA"], ["HA"], ["HK"]]) == 1
    assert winner_by_kernel(of, [["H9"], ["H5"], ["D5"], ["C5"]]) == 1
    assert winner_by_kernel(of, [["H5"] * 2, ["D5"] * 2, ["S5"] * 2, ["C5"] * 2]) == 2


def test_nothing_beats_a_throw_of_trumps():
    of = TELLING[0]
    assert winner_by_kernel(of, [["S3", "S2"], ["BJ", "LJ"], ["SA", "SK"]]) == 0
