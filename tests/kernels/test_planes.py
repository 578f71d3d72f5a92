"""Sets of cards as planes, against counters of cards."""

import random
from collections import Counter
from itertools import product

import numpy as np
import pytest
from both_ways import SETTINGS

from kernels import planes as kernels
from kernels.codes import BOTTOM_CARDS
from kernels.layout import cards_to_faces, cards_to_slots, count_points
from sim.cards import CARD_NAMES
from sim.planes import as_planes, copies_in, face_planes
from sim.referee.cards import count_points as points_of

each_number_of_decks = pytest.mark.parametrize("decks", [2, 3, 4])


def planes_of(counts: list[int], decks: int) -> tuple[np.uint64, ...]:
    """Planes that hold so many copies of faces 0, 1, 2 ..."""
    return face_planes([face for face, n in enumerate(counts) for _ in range(n)], decks)


def counts_of(planes: tuple[int, ...], faces: int) -> list[int]:
    return [copies_in(planes, face) for face in range(faces)]


@each_number_of_decks
def test_every_two_counts(decks):
    """Exhaustive for one face: each number of copies with each other."""
    for many, few in product(range(decks + 1), repeat=2):
        first, second = planes_of([many, 0], decks), planes_of([few, 1], decks)
        if many + few <= decks:
            both = kernels.add_cards(first, second)
            assert counts_of(both, 2) == [many + few, 1]
        if few <= many:
            part = planes_of([few, 0], decks)
            left = kernels.remove_cards(first, part)
            assert counts_of(left, 2) == [many - few, 0]
        assert kernels.hold(first, planes_of([few, 0], decks)) == (few <= many)
        assert not kernels.hold(first, second)


@each_number_of_decks
def test_widths(decks):
    cards = planes_of([*range(decks + 1), 2, 2], decks)
    for width in range(1, decks + 1):
        counts = [*range(decks + 1), 2, 2]
        wide = [face for face, n in enumerate(counts) if n >= width]
        just = [face for face, n in enumerate(counts) if n == width]
        assert kernels.at_least(cards, width) == sum(1 << face for face in wide)
        assert kernels.exactly(cards, width) == sum(1 << face for face in just)
        assert counts_of(kernels.copies(np.uint64(5), width, cards), 3) == [
            width,
            0,
            width,
        ]
    for face, n in enumerate(counts):
        if n:
            assert kernels.copies_of(np.uint64(1 << face), cards) == n
    assert kernels.no_cards(cards) == (0,) * decks
    assert kernels.bottom_cards(cards) == BOTTOM_CARDS[decks]


@each_number_of_decks
def test_records_hold_planes(decks):
    record = np.zeros(1, kernels.PLANES_DTYPE[decks])[0]
    cards = planes_of([1, 2, decks], decks)
    kernels.store(record, cards)
    assert kernels.load(record) == cards


@each_number_of_decks
def test_sets_of_cards(decks):
    """Counting, taking away and adding, splitting and joining."""
    chance = random.Random(decks)
    for _ in range(1500):
        of = chance.choice(SETTINGS)._replace(decks=decks)
        pack = [*CARD_NAMES] * decks
        chance.shuffle(pack)
        size = chance.randrange(30 * decks)
        hand, rest = pack[:size], pack[size:]
        part = chance.sample(hand, chance.randrange(size + 1))
        cards, less = of.planes(hand), of.planes(part)
        assert kernels.count_cards(cards) == len(hand)
        assert count_points(cards, of.layout) == points_of(hand)
        left = Counter(hand) - Counter(part)
        assert of.cards(kernels.remove_cards(cards, less)) == sorted(left.elements())
        more = rest[: chance.randrange(len(rest) + 1)]
        both = kernels.add_cards(cards, of.planes(more))
        assert of.cards(both) == sorted(hand + more)
        assert kernels.hold(cards, less)
        mask = np.uint64(chance.getrandbits(62))
        inside = as_planes(kernels.within(cards, mask))
        outside = as_planes(kernels.within(cards, ~mask))
        assert kernels.join(inside, outside) == cards
        faces = as_planes(cards_to_faces(cards, of.layout))
        assert cards_to_slots(faces, of.layout) == cards
