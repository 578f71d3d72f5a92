"""Whether a throw stands, and what is forced, against the referee."""

import random
from collections import Counter

import numpy as np
import pytest
from both_ways import SETTINGS, deal_suit, lead_from, name_of, words

from kernels.shape import count_components
from kernels.throw import is_beaten, smallest_failing
from sim.referee import throw as referee
from sim.referee.components import read_components


@pytest.mark.parametrize("seed", [1, 2])
def test_throws(seed):
    """Throws of every suit against three hands, which hold other suits as well."""
    chance = random.Random(seed)
    forced: Counter[int] = Counter()
    equals = 0
    for _ in range(6000):
        of = chance.choice(SETTINGS)
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
        seats = [dealt[(seat - leader) % 4] for seat in range(4)]
        hands = np.array([of.planes(hand) for hand in seats], np.uint64)
        wanted = referee.forced_component(cards, dealt[1:], of.order)
        length, slots = smallest_failing(*of.planes(cards), hands, leader, of.layout)
        told = f"{name_of(of)}: {cards} against {dealt[1:]}"
        if wanted is None:
            assert length == -1, told
        else:
            assert length == (wanted.length if wanted.width == 2 else 0), told
            found = of.cards(slots, slots if length else 0)
            assert found == sorted(wanted.cards), told
            tops = Counter((part.width, part.length, part.top) for part in components)
            equals += tops[wanted.width, wanted.length, wanted.top] > 1
        forced[length] += 1
    assert forced[-1] > 150, forced
    assert forced[0] > 500, forced
    assert forced[1] > 100, forced
    assert sum(n for length, n in forced.items() if length > 1) > 20, forced
    assert equals > 5  # equal level cards: S H C D decides


@pytest.mark.parametrize("seed", [3])
def test_each_component(seed):
    chance = random.Random(seed)
    beaten: Counter[tuple[int, bool]] = Counter()
    for _ in range(6000):
        of = chance.choice(SETTINGS)
        suit = chance.choice([suit for suit in "SHCDTT" if of.kinds(suit)])
        held, other = deal_suit(of, suit, 2, chance)
        if not held:
            continue
        part = chance.choice(read_components(held, of.order)[:3])
        length = part.length if part.width == 2 else 0
        (slots,) = words(of.slots(part.cards))
        found = is_beaten(length, slots, *of.planes(other), of.layout)
        wanted = referee.is_beaten(part, other, of.order)
        assert found == wanted, f"{name_of(of)}: {part} against {other}"
        beaten[min(length, 3), wanted] += 1
    assert len(beaten) == 8
    assert min(beaten.values()) > 20, beaten


def test_the_leader_s_own_cards_do_not_beat_his_throw():
    """His row of the hands is not read: it may hold the throw or not."""
    of = SETTINGS[0]
    one, two = of.planes(["HQ", "H9"])
    hands = np.zeros((4, 2), np.uint64)
    hands[2] = of.planes(["HA", "HK"])
    assert smallest_failing(one, two, hands, 2, of.layout) == (-1, 0)
    assert smallest_failing(one, two, hands, 1, of.layout) == (0, of.slots(["H9"]))
    assert count_components(one, two, of.layout) == 2
