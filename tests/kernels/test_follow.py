"""What a follower owes, and whether a follow pays it, against the referee."""

import random
from collections import Counter
from itertools import product

import numpy as np
import pytest
from both_ways import (
    SETTINGS,
    TELLING,
    Lead,
    Setting,
    deal_suit,
    lead_from,
    name_of,
    read_lead,
)

from kernels import codes
from kernels.follow import (
    DUTY_NOT_MET,
    LEGAL,
    WRONG_COUNT,
    WRONG_SUIT,
    duty,
    judge_follow,
    owes_shape,
)
from sim.cards import CARD_NAMES
from sim.referee import follow as referee
from sim.referee.components import read_components
from sim.rules import load_rules

THROW_FOLLOW = {"suit": codes.FOLLOW_SUIT, "shape": codes.FOLLOW_SHAPE}
RULES = {
    load_rules(name).to_dict()["throw_follow"]: load_rules(name).codes()
    for name in ("menghuan", "bianfeng")
}


def check_duty(of: Setting, cards: list[str], lead: Lead) -> None:
    """The kernel's list of a duty is the referee's, and as long."""
    entries = duty(of.planes(cards).two, lead.runs, lead.pairs, of.layout)
    owed = referee.duty(cards, read_components(lead.cards, of.order), of.order)
    nibbles = [entries >> shift & 15 for shift in range(60, -1, -4)]
    wanted = [length for _, length in owed] + [0] * (16 - len(owed))
    assert nibbles == wanted, f"{name_of(of)}: {cards} to {lead.cards}"


def test_both_values_are_played():
    assert set(RULES) == set(THROW_FOLLOW)
    for name, rules in RULES.items():
        assert rules.throw_follow == THROW_FOLLOW[name]


# Lengths of a lead's runs, 1 lone pairs; two decks hold more, a hand rarely does.
SHAPES = [[1], [2], [3], [4], [1, 1], [2, 1], [2, 2], [3, 1], [3, 2], [2, 2, 1], [4, 2]]
SHAPES += [[2, 2, 2], [3, 3, 2], [5, 1, 1]]


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_every_set_of_pairs(shape):
    """Exhaustive: all 4096 of a side suit, 256 of the eight highest trumps.

    The lead may be any that has the shape: only its lengths are asked for.
    """
    for of in TELLING[:2]:
        for kinds in (of.kinds("D"), of.kinds("T")[-8:]):
            lead = lead_of_shape(of, shape)
            for held in product((0, 2), repeat=len(kinds)):
                cards = [
                    card for card, n in zip(kinds, held, strict=True) for _ in range(n)
                ]
                check_duty(of, cards, lead)


def lead_of_shape(of: Setting, shape: list[int]) -> Lead:
    """A lead of diamonds with runs of those lengths and a gap between them."""
    kinds, cards = of.kinds("D"), []
    place = 0
    for length in shape:
        cards += [card for card in kinds[place : place + length] for _ in range(2)]
        place += length + 1
    lead = read_lead(of, cards)
    assert len(read_components(cards, of.order)) == len(shape)
    return lead


@pytest.mark.parametrize("seed", [1, 2])
def test_follows(seed):
    """Hands, leads and plays at random; plays that pay, and ones a card away."""
    chance = random.Random(seed)
    verdicts: Counter[tuple[str, int]] = Counter()
    throws: Counter[int] = Counter()
    for _ in range(6000):
        of = chance.choice(SETTINGS)
        suit = chance.choice([suit for suit in "SHCDTT" if of.kinds(suit)])
        held, hand = deal_suit(of, suit, 2, chance)
        if not held:
            continue
        cards = lead_from(of, held, chance)
        hand = hand[:20]
        others = [card for card in CARD_NAMES if of.suit(card) != suit]
        # Room for the play: a follower has as many cards as the leader had.
        hand += chance.sample(others, max(3, len(cards) - len(hand)))
        lead = read_lead(of, cards)
        if lead.is_throw:
            throws[sum(n > 1 for n in lengths(of, cards))] += 1
        play = a_follow(of, hand, cards, chance)
        for throw_follow, rules in RULES.items():
            why = referee.why_not_follow(hand, cards, play, of.order, throw_follow)
            shape = bool(owes_shape(lead.pairs, lead.is_throw, rules))
            verdict = judge_follow(
                *of.planes(hand),
                *of.planes(play),
                lead.suit,
                lead.count,
                lead.runs,
                lead.pairs,
                shape,
                of.layout,
            )
            told = f"{name_of(of)} {throw_follow}: {hand} plays {play} to {cards}"
            assert verdict == kind_of(why), f"{told}: {why}"
            verdicts[throw_follow, verdict] += 1
        check_duty(of, [card for card in hand if of.suit(card) == suit], lead)
    assert min(verdicts.values()) > 100, verdicts
    assert len(verdicts) == 8, verdicts
    assert throws[2] > 100, throws


def lengths(of: Setting, cards: list[str]) -> list[int]:
    return [part.length for part in read_components(cards, of.order)]


def a_follow(
    of: Setting, hand: list[str], lead: list[str], chance: random.Random
) -> list[str]:
    """Cards of a hand: what the duty asks, filled up; then perhaps a card changed."""
    suit = of.suit(lead[0])
    in_suit = of.order.of_suit(hand, suit)
    if chance.random() < 0.6:
        components = read_components(lead, of.order)
        paid = referee.pay(in_suit, components, of.order).cards
    else:
        paid = []
    rest = list((Counter(in_suit) - Counter(paid)).elements())
    chance.shuffle(rest)
    outside = [card for card in hand if of.suit(card) != suit]
    play = (paid + rest + outside)[: len(lead)]
    for _ in range(chance.choice((0, 0, 0, 1, 2))):
        left = list((Counter(hand) - Counter(play)).elements())
        if left:
            play[chance.randrange(len(play))] = chance.choice(left)
    if chance.random() < 0.05:
        play = play[1:] or hand[:2]
    return play


def kind_of(why: str | None) -> int:
    if why is None:
        return LEGAL
    if why.startswith("owes"):
        return DUTY_NOT_MET
    return WRONG_SUIT if why.startswith("holds") else WRONG_COUNT


def test_what_is_owed_to_a_throw():
    pairs, singles = 2, 0
    for name, rules in RULES.items():
        assert owes_shape(pairs, False, rules)
        assert owes_shape(pairs, True, rules) == (name == "shape")
        assert not owes_shape(singles, True, rules)
        assert not owes_shape(singles, False, rules)


def test_the_rules_own_example():
    """For a three-pair tractor: the two-pair tractor, and one more pair."""
    of = TELLING[0]
    lead = read_lead(of, ["H7", "H7", "H8", "H8", "H9", "H9"])
    hand = of.planes(["H2", "H2", "H3", "H3", "HT", "HT", "HK", "HK"])
    assert duty(hand.two, lead.runs, lead.pairs, of.layout) == np.uint64(0x21 << 56)
