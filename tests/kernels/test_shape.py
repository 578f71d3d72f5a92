"""Runs and the reading of cards as components, against the referee's reading."""

import random
from collections import Counter
from itertools import product

import numpy as np
import pytest
from both_ways import SETTINGS, TELLING, Setting, name_of, some_cards, words

from kernels import shape
from kernels.codes import HAS_PAIR, HAS_SINGLE, HAS_TRACTOR
from kernels.layout import TRUMP, fold
from sim.referee.components import longest_run, read_components

KINDS = {"single": HAS_SINGLE, "pair": HAS_PAIR, "tractor": HAS_TRACTOR}


def read_by_kernel(of: Setting, cards: list[str]) -> list[tuple[int, list[str]]]:
    """Every component as (pairs in its run, its cards): 0 is a single."""
    one, two = of.planes(cards)
    components = []
    while one:
        length, slots = shape.next_component(one, two, of.layout)
        components.append((length, of.cards(slots, slots if length else 0)))
        left = shape.without_component(one, two, length, np.uint64(slots))
        one, two = words(*left)
    return components


def check_reading(of: Setting, cards: list[str]) -> None:
    """All that the kernels say of some cards of one suit."""
    told = f"{name_of(of)}: {cards}"
    components = read_components(cards, of.order)
    lengths = [part.length if part.width == 2 else 0 for part in components]
    wanted = [
        (length, sorted(part.cards))
        for length, part in zip(lengths, components, strict=True)
    ]
    assert read_by_kernel(of, cards) == wanted, told
    one, two = of.planes(cards)
    tractors = [length for length in lengths if length > 1]
    runs = shape.read_runs(two, of.layout)
    assert runs == sum(length << 4 * place for place, length in enumerate(tractors))
    assert shape.count_runs(np.uint64(runs)) == (len(tractors), sum(tractors)), told
    assert shape.count_components(one, two, of.layout) == len(components), told
    kinds = {KINDS[part.kind] for part in components}
    facts = (sum(kinds), max(lengths))
    assert shape.describe(one, two, of.layout) == facts, told
    for length in range(1, 5):
        assert shape.is_tractor(one, two, length, of.layout) == (lengths == [length])
    assert shape.in_one_suit(one, of.layout) == "SHCDT".index(of.suit(cards[0]))


@pytest.mark.parametrize("seed", [1, 2])
def test_readings(seed):
    chance = random.Random(seed)
    met: Counter[str] = Counter()
    for _ in range(4000):
        of = chance.choice(SETTINGS)
        suit = chance.choice([suit for suit in "SHCDTT" if of.kinds(suit)])
        cards = some_cards(of, suit, 25, chance)
        check_reading(of, cards)
        off = [card for card, n in Counter(cards).items() if n == 2]
        off = [card for card in off if of.slots([card]) & int(of.layout["off"])]
        met["equal pairs"] += len(off) > 1
        runs = [n for n, _ in read_by_kernel(of, cards) if n > 1]
        met["two tractors"] += len(runs) > 1
        met["equal pairs and a tractor"] += len(off) > 1 and len(runs) > 0
    assert min(met.values()) > 100, met


@pytest.mark.parametrize("of", TELLING, ids=name_of)
def test_every_set_of_the_highest_trumps(of):
    """Exhaustive: none, one or both of each of the eight highest kinds."""
    kinds = of.kinds("T")[-8:]
    for copies in product(range(3), repeat=len(kinds)):
        cards = [card for card, n in zip(kinds, copies, strict=True) for _ in range(n)]
        if cards:
            check_reading(of, cards)


@pytest.mark.parametrize("of", TELLING[:2], ids=name_of)
def test_every_set_of_pairs_of_a_side_suit(of):
    """Exhaustive: all 4096."""
    kinds = of.kinds("D")
    slots = [int(of.slots([card])) for card in kinds]
    for bits in range(1 << len(kinds)):
        held = [place for place in range(len(kinds)) if bits >> place & 1]
        pairs = np.uint64(sum(slots[place] for place in held))
        length, top = longest_run(held)
        bottom = slots[top - length + 1] if held else 0
        assert shape.longest_run(fold(pairs, of.layout)) == (length, bottom), held
        runs, rest = [], set(held)
        while (found := longest_run(rest))[0] > 1:
            runs.append(found[0])
            rest -= set(range(found[1] - found[0] + 1, found[1] + 1))
        wanted = sum(length << 4 * place for place, length in enumerate(runs))
        assert shape.read_runs(pairs, of.layout) == wanted, held
        for wide in range(1, 5):
            starts = [
                slots[low] for low in held if all(low + n in held for n in range(wide))
            ]
            assert shape.run_starts(pairs, wide) == sum(starts), held


def test_a_run_s_places():
    for low, length in product(range(50), range(1, 13)):
        places = sum(1 << low + step for step in range(length))
        assert shape.run_mask(np.uint64(1 << low), length) == places


@pytest.mark.parametrize("seed", [3])
def test_pairs_on_places(seed):
    """On each place one pair: where several stand, the first in the order S H C D."""
    chance = random.Random(seed)
    for _ in range(1000):
        of = chance.choice(SETTINGS)
        counts = Counter(some_cards(of, "T", 25, chance))
        pairs = [card for card in of.kinds("T") if counts[card] == 2]
        on = {of.place(card) for card in pairs if chance.random() < 0.7}
        first = {of.place(card): card for card in reversed(pairs)}
        got = shape.pairs_on(
            np.uint64(sum(1 << place for place in on)),
            np.uint64(of.slots(pairs)),
            of.layout,
        )
        assert got == of.slots([first[place] for place in on]), pairs


@pytest.mark.parametrize("seed", [4])
def test_cards_of_several_suits(seed):
    chance = random.Random(seed)
    for _ in range(1000):
        of = chance.choice(SETTINGS)
        cards = [card for suit in "SHCDT" for card in of.kinds(suit)]
        cards = chance.sample(cards, chance.randrange(1, 4))
        suit = of.order.suit_of_all(cards)
        number = -1 if suit is None else "SHCDT".index(suit)
        assert shape.in_one_suit(of.planes(cards).one, of.layout) == number, cards
        if suit == "T":
            assert number == TRUMP
