"""What a follower owes, and whether a follow pays it, against the referee."""

import random
from collections import Counter
from itertools import product

import numpy as np
import pytest
from both_ways import (
    SETTINGS,
    TELLING,
    Setting,
    deal_suit,
    lead_from,
    lead_record,
    name_of,
)

from kernels import codes
from kernels.codes import plain_options
from kernels.follow import (
    BY_LOT,
    BY_RULE,
    DUTY_NOT_MET,
    LEGAL,
    LIKED,
    WRONG_COUNT,
    WRONG_SUIT,
    duty,
    duty_entries,
    judge_follow,
    owes_shape,
    pay,
)
from kernels.planes import hold, load
from sim.cards import CARD_NAMES
from sim.planes import as_planes
from sim.referee import follow as referee
from sim.referee.components import read_components
from sim.rules import load_rules

THROW_FOLLOW = {"suit": codes.FOLLOW_SUIT, "shape": codes.FOLLOW_SHAPE}
OPTIONS = {
    rules.to_dict()["throw_follow"]: plain_options(rules.codes())
    for rules in map(load_rules, ("menghuan", "bianfeng"))
}


def check_duty(of: Setting, cards: list[str], lead: list[str]) -> None:
    """The kernel's list of a duty is the referee's."""
    shape = load(lead_record(of, lead)["shape"])
    found = duty_entries(duty(of.planes(cards), shape, of.layout))
    owed = referee.duty(cards, read_components(lead, of.order), of.order)
    assert found == owed, f"{of.decks} decks {name_of(of)}: {cards} to {lead}"


def test_both_values_are_played():
    assert set(OPTIONS) == set(THROW_FOLLOW)
    for name, options in OPTIONS.items():
        assert options["throw_follow"] == THROW_FOLLOW[name]


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


def lead_of_shape(of: Setting, shape: list[int]) -> list[str]:
    """A lead of diamonds with runs of those lengths and a gap between them."""
    kinds, cards = of.kinds("D"), []
    place = 0
    for length in shape:
        cards += [card for card in kinds[place : place + length] for _ in range(2)]
        place += length + 1
    assert len(read_components(cards, of.order)) == len(shape)
    return cards


@pytest.mark.parametrize("decks", [2, 3, 4])
@pytest.mark.parametrize("seed", [1, 2])
def test_follows(seed, decks):
    """Hands, leads and plays at random; plays that pay, and ones a card away."""
    chance = random.Random(seed)
    verdicts: Counter[tuple[str, int]] = Counter()
    met: Counter[str] = Counter()
    for _ in range(4000):
        of = chance.choice(SETTINGS)._replace(decks=decks)
        suit = chance.choice([suit for suit in "SHCDTT" if of.kinds(suit)])
        held, hand = deal_suit(of, suit, 2, chance)
        if not held:
            continue
        cards = lead_from(of, held, chance)
        hand = hand[: 10 * decks]
        others = [card for card in CARD_NAMES if of.suit(card) != suit]
        # Room for the play: a follower has as many cards as the leader had.
        hand += chance.sample(others * decks, max(3, len(cards) - len(hand)))
        components = read_components(cards, of.order)
        if len(components) > 1:
            runs = sum(part.length > 1 for part in components)
            met["throw of two runs"] += runs == 2
        play = a_follow(of, hand, cards, chance)
        for throw_follow, options in OPTIONS.items():
            why = referee.why_not_follow(hand, cards, play, of.order, throw_follow)
            lead = lead_record(of, cards, options)
            verdict = judge_follow(of.planes(hand), of.planes(play), lead, of.layout)
            told = f"{name_of(of)} {throw_follow}: {hand} plays {play} to {cards}"
            assert verdict == kind_of(why), f"{told}: {why}"
            verdicts[throw_follow, verdict] += 1
        suited = [card for card in hand if of.suit(card) == suit]
        check_duty(of, suited, cards)
        owed = referee.duty(suited, components, of.order)
        widest = max(part.width for part in components)
        met["narrower owed"] += any(1 < width < widest for width, _ in owed)
        met["run owed lower down"] += any(
            1 < width < widest and length > 1 for width, length in owed
        )
    assert min(verdicts.values()) > 50, verdicts
    assert len(verdicts) == 8, verdicts
    assert met["throw of two runs"] > 60, met
    if decks > 2:
        assert min(met.values()) > 30, met


@pytest.mark.parametrize("decks", [3, 4])  # sim.policies.paying walks two by itself
def test_what_is_paid_by_the_rule_is_what_is_owed(decks):
    """However its windows are chosen, what is paid is held."""
    chance = random.Random(decks)
    for _ in range(1500):
        of = chance.choice(SETTINGS)._replace(decks=decks)
        suit = chance.choice([suit for suit in "SHCDTT" if of.kinds(suit)])
        held, hand = deal_suit(of, suit, 2, chance)
        if not held or not hand:
            continue
        shape = load(lead_record(of, lead_from(of, held, chance))["shape"])
        cards = of.planes(hand)
        for choice in (BY_LOT, LIKED, BY_RULE):
            liked, luck = (np.uint64(chance.getrandbits(62)) for _ in range(2))
            _, paid = pay(cards, shape, choice, liked, luck, of.layout)
            assert hold(cards, as_planes(paid))
        owed = duty(cards, shape, of.layout)
        assert duty(as_planes(paid), shape, of.layout) == owed, (hand, shape)


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
    pairs, singles = 2, 1
    for name, options in OPTIONS.items():
        assert owes_shape(pairs, False, options)
        assert owes_shape(pairs, True, options) == (name == "shape")
        assert not owes_shape(singles, True, options)
        assert not owes_shape(singles, False, options)


def test_the_rules_own_example():
    """For a three-pair tractor: the two-pair tractor, and one more pair."""
    of = TELLING[0]
    lead = lead_record(of, ["H7", "H7", "H8", "H8", "H9", "H9"])
    hand = of.planes(["H2", "H2", "H3", "H3", "HT", "HT", "HK", "HK"])
    assert duty(hand, load(lead["shape"]), of.layout) == np.uint64(0x21 << 56)


def test_a_quad_that_cannot_be_paid_is_owed_as_a_pair():
    of = TELLING[0]._replace(decks=4)
    lead = load(lead_record(of, ["H7"] * 4)["shape"])
    hand = of.planes(["H2", "H2", "H3", "H3", "HT", "HK"])
    assert duty_entries(duty(hand, lead, of.layout)) == [(2, 1)]
