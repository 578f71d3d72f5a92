"""Whether a throw stands, and what is forced, against the referee."""

import random
from collections import Counter

import numpy as np
import pytest
from both_ways import SETTINGS, Setting, deal_suit, lead_from, name_of

from kernels.planes import PLANES_DTYPE, store
from kernels.shape import count_components
from kernels.throw import is_beaten, smallest_failing
from sim.referee import throw as referee
from sim.referee.components import read_components


def hands_of(of: Setting, seats: list[list[str]]) -> np.ndarray:
    """Four hands as kernels take them."""
    hands = np.zeros(4, PLANES_DTYPE[of.decks])
    for hand, cards in zip(hands, seats, strict=True):
        store(hand, of.planes(cards))
    return hands


@pytest.mark.parametrize("decks", [2, 3, 4])
@pytest.mark.parametrize("seed", [1, 2])
def test_throws(seed, decks):
    """Throws of every suit against three hands, which hold other suits as well."""
    chance = random.Random(seed)
    forced: Counter[tuple[int, bool]] = Counter()
    stand, equals = 0, 0
    for _ in range(5000):
        of = chance.choice(SETTINGS)._replace(decks=decks)
        suits = [suit for suit in "SHCDTT" if of.kinds(suit)]
        suit, other = chance.choice(suits), chance.choice(suits)
        dealt = deal_suit(of, suit, 4, chance)
        if not dealt[0]:
            continue
        cards = lead_from(of, dealt[0], chance)
        components = read_components(cards, of.order)
        if len(components) == 1:
            continue
        if other != suit:
            aside = deal_suit(of, other, 4, chance)
            dealt = [hand + more for hand, more in zip(dealt, aside, strict=True)]
        leader = chance.randrange(4)
        hands = hands_of(of, [dealt[(seat - leader) % 4] for seat in range(4)])
        wanted = referee.forced_component(cards, dealt[1:], of.order)
        width, slots = smallest_failing(of.planes(cards), hands, leader, of.layout)
        told = f"{name_of(of)}: {cards} against {dealt[1:]}"
        if wanted is None:
            assert width == 0, told
            stand += 1
            continue
        assert width == wanted.width, told
        assert of.tuples(slots, width) == sorted(wanted.cards), told
        tops = Counter((part.width, part.length, part.top) for part in components)
        equals += tops[wanted.width, wanted.length, wanted.top] > 1
        forced[width, wanted.length > 1] += 1
    assert stand > 100, forced
    for width in range(1, decks + 1):
        assert forced[width, False] > 40, forced
    assert sum(n for (_, run), n in forced.items() if run) > 20, forced
    assert equals > 5  # equal level cards: S H C D decides


@pytest.mark.parametrize("decks", [2, 3, 4])
def test_each_component(decks):
    chance = random.Random(decks)
    beaten: Counter[tuple[int, bool, bool]] = Counter()
    for _ in range(6000):
        of = chance.choice(SETTINGS)._replace(decks=decks)
        suit = chance.choice([suit for suit in "SHCDTT" if of.kinds(suit)])
        held, other = deal_suit(of, suit, 2, chance)
        if not held:
            continue
        part = chance.choice(read_components(held, of.order)[:3])
        slots = np.uint64(of.slots(part.cards))
        found = is_beaten(part.width, part.length, slots, of.planes(other), of.layout)
        wanted = referee.is_beaten(part, other, of.order)
        assert found == wanted, f"{name_of(of)}: {part} against {other}"
        beaten[part.width, part.length > 1, wanted] += 1
    assert len(beaten) == 4 * decks - 2
    assert min(beaten.values()) > 5, beaten


def test_the_leader_s_own_cards_do_not_beat_his_throw():
    """His row of the hands is not read: it may hold the throw or not."""
    of = SETTINGS[0]
    cards = of.planes(["HQ", "H9"])
    hands = hands_of(of, [[], [], ["HA", "HK"], []])
    assert smallest_failing(cards, hands, 2, of.layout) == (0, 0)
    assert smallest_failing(cards, hands, 1, of.layout) == (1, of.slots(["H9"]))
    assert count_components(cards, of.layout) == 2
