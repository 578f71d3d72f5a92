"""Runs and the reading of cards as components, against the referee's reading."""

import random
from collections import Counter
from itertools import product

import numpy as np
import pytest
from both_ways import SETTINGS, TELLING, Setting, name_of, some_cards

from kernels import codes, shape
from kernels.layout import TRUMP, fold
from sim.planes import as_planes
from sim.referee.components import longest_run, read_components

KINDS = {
    "single": codes.HAS_SINGLE,
    "pair": codes.HAS_PAIR,
    "tractor": codes.HAS_TRACTOR,
    "triple": codes.HAS_TRIPLE,
    "titanic": codes.HAS_TITANIC,
    "quad": codes.HAS_QUAD,
    "quad_run": codes.HAS_QUAD_RUN,
}


def read_by_kernel(of: Setting, cards: list[str]) -> list[tuple[int, int, list[str]]]:
    """Every component as (width, length, its cards)."""
    left = of.planes(cards)
    components = []
    while left[0]:
        width, length, slots = shape.next_component(left, of.layout)
        components.append((width, length, of.tuples(slots, width)))
        left = as_planes(shape.without_component(left, width, np.uint64(slots)))
    return components


def check_reading(of: Setting, cards: list[str]) -> None:
    """All that the kernels say of some cards of one suit."""
    told = f"{of.decks} decks {name_of(of)}: {cards}"
    components = read_components(cards, of.order)
    wanted = [(part.width, part.length, sorted(part.cards)) for part in components]
    assert read_by_kernel(of, cards) == wanted, told
    planes = of.planes(cards)
    longest = []
    for width, form in enumerate(shape.read_shape(planes, of.layout), 2):
        lengths = [part.length for part in components if part.width == width]
        runs = [length for length in lengths if length > 1]
        packed = sum(length << 8 * place for place, length in enumerate(runs))
        assert form == packed | sum(lengths) << 56, told
        assert shape.count_runs(np.uint64(form)) == (len(runs), sum(runs)), told
        longest.append(max(lengths, default=0))
    assert shape.count_components(planes, of.layout) == len(components), told
    kinds = {KINDS[part.kind] for part in components}
    facts = (sum(kinds), *longest, *[0] * (4 - of.decks))
    assert shape.describe(planes, of.layout) == facts, told
    for width, length in product(range(1, of.decks + 1), range(1, 5)):
        if len(cards) == width * length and (width > 1 or length == 1):
            one = [(part.width, part.length) for part in components]
            found = shape.is_run(planes, width, length, of.layout)
            assert found == (one == [(width, length)]), told
    assert shape.in_one_suit(planes[0], of.layout) == "SHCDT".index(of.suit(cards[0]))


@pytest.mark.parametrize("decks", [2, 3, 4])
@pytest.mark.parametrize("seed", [1, 2])
def test_readings(seed, decks):
    chance = random.Random(seed)
    met: Counter[str] = Counter()
    for _ in range(3000):
        of = chance.choice(SETTINGS)._replace(decks=decks)
        suit = chance.choice([suit for suit in "SHCDTT" if of.kinds(suit)])
        cards = some_cards(of, suit, 25, chance)
        check_reading(of, cards)
        off = [card for card, n in Counter(cards).items() if n == decks]
        off = [card for card in off if of.slots([card]) & int(of.layout["off"])]
        met["equal tuples"] += len(off) > 1
        runs = [n for _, n, _ in read_by_kernel(of, cards) if n > 1]
        met["two runs"] += len(runs) > 1
        met["equal tuples and a run"] += len(off) > 1 and len(runs) > 0
    assert min(met.values()) > 60, met


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
        wanted = sum(length << 8 * place for place, length in enumerate(runs))
        wanted |= len(held) << 56
        assert shape.form_of(pairs, of.layout) == wanted, held
        for wide in range(1, 5):
            starts = [
                slots[low] for low in held if all(low + n in held for n in range(wide))
            ]
            assert shape.run_starts(pairs, wide) == sum(starts), held


def test_a_run_s_places():
    for low, length in product(range(50), range(1, 13)):
        places = sum(1 << low + step for step in range(length))
        assert shape.run_mask(np.uint64(1 << low), length) == places


@pytest.mark.parametrize("decks", [2, 3, 4])
def test_tuples_on_places(decks):
    """On each place one: of several kinds the narrowest that will do, then S H C D."""
    chance = random.Random(decks)
    for _ in range(1000):
        of = chance.choice(SETTINGS)._replace(decks=decks)
        width = chance.randrange(2, decks + 1)
        cards = some_cards(of, "T", 25, chance)
        counts = Counter(cards)
        kinds = [card for card in of.kinds("T") if counts[card] >= width]
        on = {of.place(card) for card in kinds if chance.random() < 0.7}
        best = dict.fromkeys(map(of.place, kinds), "")
        for place in best:  # of the narrowest the first
            here = [card for card in kinds if of.place(card) == place]
            least = min(counts[card] for card in here)
            best[place] = next(card for card in here if counts[card] == least)
        got = shape.tuples_on(
            np.uint64(sum(1 << place for place in on)),
            of.planes(cards),
            width,
            of.layout,
        )
        assert got == of.slots([best[place] for place in on]), cards


@pytest.mark.parametrize("seed", [4])
def test_cards_of_several_suits(seed):
    chance = random.Random(seed)
    for _ in range(1000):
        of = chance.choice(SETTINGS)
        cards = [card for suit in "SHCDT" for card in of.kinds(suit)]
        cards = chance.sample(cards, chance.randrange(1, 4))
        suit = of.order.suit_of_all(cards)
        number = -1 if suit is None else "SHCDT".index(suit)
        assert shape.in_one_suit(of.planes(cards)[0], of.layout) == number, cards
        if suit == "T":
            assert number == TRUMP
