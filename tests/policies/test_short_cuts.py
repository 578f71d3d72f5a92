"""What is answered quickly, against what it stands for."""

import random

import numpy as np
import pytest
from both_ways import FACE_OF, SETTINGS, name_of

from kernels.codes import CARDS, FACES, HAND_CARDS, plain_options
from kernels.lead import LEAD_DTYPE, read_lead, read_single
from kernels.planes import PLANES_DTYPE
from sim.planes import face_planes
from sim.policies.textbook.bidding import call, may_bid
from sim.policies.textbook.giving import give_in_suit, pair_to_go
from sim.policies.textbook.parameters import PARAMETERS, THRESHOLDS_DTYPE
from sim.policies.view import VIEW_DTYPE
from sim.rules import load_rules

ANY_CALL = 0xFF  # single level cards and pairs of them


def thresholds(**changed: int) -> np.void:
    record = np.zeros((), THRESHOLDS_DTYPE)
    for parameter in PARAMETERS:
        record[parameter.name] = changed.get(parameter.name, parameter.default)
    return record[()]


@pytest.mark.parametrize("decks", [2, 3, 4])
@pytest.mark.parametrize("first_deal", [False, True])
def test_where_textbook_may_not_bid_it_passes(decks: int, first_deal: bool):
    chance = random.Random(decks)
    view = np.zeros(1, VIEW_DTYPE[decks])[0]
    view["call"], view["declarer"] = -1, -1 if first_deal else 0
    eager = thresholds(bid_score=0, first_deal_discount=0)
    answers = set()
    for _ in range(3_000):
        level = chance.randrange(2, 15)
        drawn = chance.randrange(1, HAND_CARDS[decks] + 1)
        deck = [place % FACES for place in range(CARDS[decks])]
        hand = face_planes(chance.sample(deck, drawn), decks)
        rank = level - 2
        legal = sum(
            (int(plane) >> 13 * suit + rank & 1) << suit + 4 * copy
            for copy, plane in enumerate(hand[:2])
            for suit in range(4)
        )
        if not legal:
            assert not may_bid(hand, level, drawn, first_deal, eager)
            continue
        may = may_bid(hand, level, drawn, first_deal, eager)
        bid = call(view, legal, hand, level, drawn, eager)
        assert may or bid < 0
        answers.add((bool(may), bid >= 0))
    assert answers >= {(False, False), (True, True)}


@pytest.mark.parametrize("decks", [2, 3, 4])
def test_a_single_lead_is_read_as_any(decks: int):
    codes = plain_options(load_rules("bianfeng", decks).codes())
    for of in SETTINGS:
        for face in FACE_OF.values():
            slot = np.uint64(1 << int(of.layout["slot_of"][face]))
            cards = (slot, *(np.uint64(0),) * (decks - 1))
            leads = np.zeros(2, LEAD_DTYPE[decks])
            leads["width"], leads["throw"], leads["owes_shape"] = 9, 9, 9
            read_lead(cards, 0, leads[0], of.layout, codes)
            read_single(cards, leads[1], of.layout)
            assert leads[0] == leads[1]


@pytest.mark.parametrize("of", SETTINGS[::7], ids=name_of)
def test_a_pair_to_go_is_what_pays_the_duty(of):
    chance = random.Random(of.level)
    view = np.zeros(1, VIEW_DTYPE[2])[0]
    lead = view["lead"]
    lead["cards"], lead["width"], lead["length"], lead["owes_shape"] = 2, 2, 1, 1
    lead["shape"] = np.array([(1 << 56,)], PLANES_DTYPE[1])[0]
    told = 0
    for suit in range(5):
        lane = int(of.layout["suit"][suit])
        for _ in range(200 if lane else 0):
            one = lane & chance.getrandbits(64)
            two = one & chance.getrandbits(64)
            keep = np.uint64(chance.getrandbits(64) & chance.getrandbits(64))
            keep |= of.layout["level_cards"] | of.layout["jokers"]
            style = chance.randrange(2)
            cards = np.uint64(one), np.uint64(two)
            if two and one.bit_count() + two.bit_count() > 2:
                given = give_in_suit(cards, style, keep, view, of.layout)
                assert pair_to_go(cards, style, keep, of.layout) == given
                told += 1
    assert told > 300
