"""The bit layout, held against the referee's order of the cards, for every setting."""

import random

import numpy as np
import pytest
from both_ways import FACE_OF, SETTINGS, SUITS, Setting, name_of

from kernels import layout as kernels
from kernels.codes import FACES, JOKER_LEVEL, RANK_LETTERS
from sim.cards import CARD_NAMES
from sim.referee.cards import count_points

every_setting = pytest.mark.parametrize("of", SETTINGS, ids=name_of)


def test_all_settings_are_there():
    assert len(SETTINGS) == 13 * 5 + 1
    unused = kernels.LAYOUTS["suit"].sum(axis=-1) == 0
    assert (~unused).sum() == len(SETTINGS)


@every_setting
def test_every_face_has_a_slot_of_its_own(of: Setting):
    slots = [int(slot) for slot in of.layout["slot_of"]]
    assert len(set(slots)) == FACES
    assert 0 <= min(slots) <= max(slots) < 64
    for slot in range(64):
        face = slots.index(slot) if slot in slots else -1
        assert of.layout["face_of"][slot] == face
        suit = SUITS.index(of.suit(CARD_NAMES[face])) if face >= 0 else -1
        assert of.layout["suit_of"][slot] == suit


@every_setting
def test_places_are_the_order_of_the_cards(of: Setting):
    """Neighbours in the order stand side by side, suits a gap apart, trump highest."""
    reached = -1
    for suit in SUITS:
        kinds = of.kinds(suit)
        if not kinds:
            assert suit == SUITS[of.trump]
            continue
        places = {of.place(card) for card in kinds}
        assert min(places) > reached + (reached >= 0)
        reached = max(places)
        for card in kinds:
            slot = int(of.layout["slot_of"][FACE_OF[card]])
            assert of.layout["place_of"][slot] == of.place(card), card
        slots = [int(of.layout["slot_of"][FACE_OF[card]]) for card in kinds]
        # Equal cards have S H C D, the order of `kinds`, from the lowest slot up.
        assert slots == list(range(slots[0], slots[0] + len(slots)))


@every_setting
def test_masks(of: Setting):
    def slots_where(wanted) -> int:
        return of.slots([card for card in CARD_NAMES if wanted(card)])

    order, layout = of.order, of.layout
    letter = None if of.level == JOKER_LEVEL else RANK_LETTERS[of.level - 2]
    level_cards = [suit + letter for suit in "SHCD" if letter]
    off_suits = "SHCD".replace(SUITS[of.trump], "")
    off = of.slots([card for card in level_cards if card[0] in off_suits])
    wanted = {
        "trumps": slots_where(lambda card: order.suit(card) == "T"),
        "jokers": of.slots(["LJ", "BJ"]),
        "level_cards": of.slots(level_cards),
        "off": off,
        "off_place": off & -off,
        "fives": slots_where(lambda card: count_points([card]) == 5),
        "tens": slots_where(lambda card: count_points([card]) == 10),
        "points": slots_where(lambda card: count_points([card]) > 0),
    }
    for name, mask in wanted.items():
        assert int(layout[name]) == mask, name
    for number, suit in enumerate(SUITS):
        mask = slots_where(lambda card, suit=suit: order.suit(card) == suit)
        assert int(layout["suit"][number]) == mask
    every = of.slots(CARD_NAMES)
    low, high = int(layout["low"]), int(layout["high"])
    assert low | high | off == every
    assert low & high == low & off == high & off == 0
    if off:
        assert low < off < (high & -high)


@every_setting
def test_faces_to_slots_and_back(of: Setting):
    chance = random.Random(of.level * 5 + of.trump)
    planes = [1 << face for face in range(FACES)]
    planes += [0, 2**FACES - 1, *(chance.getrandbits(FACES) for _ in range(50))]
    for faces in planes:
        cards = [CARD_NAMES[face] for face in range(FACES) if faces >> face & 1]
        slots = kernels.to_slots(np.uint64(faces), of.layout)
        assert slots == of.slots(cards), cards
        assert kernels.to_faces(slots, of.layout) == faces, cards


@every_setting
def test_fold_and_unfold(of: Setting):
    place_of = {
        int(of.layout["slot_of"][FACE_OF[card]]): of.place(card) for card in CARD_NAMES
    }
    for place in sorted(set(place_of.values())):
        on_it = sum(1 << slot for slot, its in place_of.items() if its == place)
        above = sum(1 << slot for slot, its in place_of.items() if its > place)
        assert kernels.unfold(np.uint64(1 << place), of.layout) == on_it
        assert kernels.slots_above(place, of.layout) == above
    assert kernels.slots_above(-1, of.layout) == of.slots(CARD_NAMES)
    assert kernels.top_place(np.uint64(0), of.layout) == -1
    chance = random.Random(of.level * 5 + of.trump)
    for _ in range(100):
        slots = [slot for slot in place_of if chance.random() < chance.random()]
        mask = np.uint64(sum(1 << slot for slot in slots))
        places = {place_of[slot] for slot in slots}
        assert kernels.fold(mask, of.layout) == sum(1 << place for place in places)
        assert kernels.top_place(mask, of.layout) == max(places, default=-1)


@every_setting
def test_who_outranks_whom_in_each_suit(of: Setting):
    """All suits at once as each suit by itself; equal level cards are on one place."""
    slot_of = {card: int(of.layout["slot_of"][FACE_OF[card]]) for card in CARD_NAMES}
    suits = [[card for card in CARD_NAMES if of.suit(card) == suit] for suit in SUITS]
    chance = random.Random(of.level * 5 + of.trump)
    for density in (0, 0.02, 0.1, 0.5, 1) * 10:
        shown = {card for card in CARD_NAMES if chance.random() < density}
        mask = np.uint64(of.slots(shown))
        lower = []
        for suit in suits:
            here = [card for card in suit if card in shown]
            top = max(map(of.place, here), default=-1)
            lower += [card for card in suit if of.place(card) < top]
            fellows = of.slots(suit)
            no_lower = [card for card in suit if of.place(card) >= top]
            found = kernels.slots_from(np.uint64(of.slots(here)), of.layout)
            assert int(found) & fellows == of.slots(no_lower)
        found = int(kernels.outranked(mask, of.layout))
        assert found & of.slots(CARD_NAMES) == of.slots(lower)
    for suit in suits:
        for card in suit:
            over = kernels.slots_over(np.uint64(1 << slot_of[card]), of.layout)
            higher = [it for it in suit if of.place(it) > of.place(card)]
            assert int(over) & of.slots(suit) == of.slots(higher)
    assert int(kernels.slots_over(np.uint64(0), of.layout)) == 2**64 - 1


@every_setting
def test_tops_are_all_trumps_and_the_highest_of_each_side_suit(of: Setting):
    tops = [
        card
        for suit in SUITS
        for card in (of.kinds(suit) if suit == "T" else of.kinds(suit)[-kernels.TOPS :])
    ]
    assert int(of.layout["tops"]) == of.slots(tops)


def test_points_of_faces():
    chance = random.Random(1)
    for _ in range(100):
        faces = [chance.choices(range(FACES), k=chance.randrange(9)) for _ in range(3)]
        planes = tuple(np.uint64(sum(1 << it for it in set(plane))) for plane in faces)
        cards = [CARD_NAMES[face] for plane in faces for face in set(plane)]
        assert kernels.count_face_points(planes) == count_points(cards)
