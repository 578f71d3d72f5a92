"""The same cards for a kernel, as planes of bits, and for the referee, as texts."""

import random
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from kernels.codes import (
    ACE_LEVEL,
    JOKER_LEVEL,
    LOWEST_LEVEL,
    NO_TRUMP,
    TRUMP_NAMES,
    plain_options,
)
from kernels.layout import LAYOUTS
from kernels.lead import LEAD_DTYPE, read_lead
from kernels.planes import copies
from kernels.shape import count_components
from sim.cards import CARD_NAMES
from sim.planes import Planes, as_planes, faces_in, slot_planes
from sim.referee.cards import Layout
from sim.referee.components import read_components
from sim.rules import load_rules

FACE_OF = {name: face for face, name in enumerate(CARD_NAMES)}
SUITS = (*"SHCD", "T")  # effective suits in the kernels' numbers


class Setting(NamedTuple):
    """A level, a trump suit and decks, to the kernels and to the referee."""

    level: int
    trump: int
    layout: np.void
    order: Layout
    decks: int = 2

    def planes(self, cards: Sequence[str]) -> Planes:
        """Slot planes of some cards."""
        return slot_planes([FACE_OF[card] for card in cards], self.decks, self.layout)

    def slots(self, cards: Sequence[str]) -> int:
        """The slots of some cards, copies or not."""
        return sum(
            1 << int(self.layout["slot_of"][FACE_OF[card]]) for card in set(cards)
        )

    def cards(self, planes: Sequence[int]) -> list[str]:
        """The cards of slot planes, sorted by their texts."""
        return sorted(CARD_NAMES[face] for face in faces_in(planes, self.layout))

    def tuples(self, slots: int, width: int) -> list[str]:
        """So many copies of each card on some slots, sorted by their texts."""
        none = as_planes([0] * self.decks)
        return self.cards(copies(np.uint64(slots), width, none))

    def kinds(self, suit: str) -> list[str]:
        """The cards of an effective suit once each, the weakest first."""
        kinds = [card for card in CARD_NAMES if self.order.suit(card) == suit]
        return sorted(kinds, key=self.order.place)

    def place(self, card: str) -> int:
        """The index of a card's place in the layout, found without `place_of`."""
        first = int(self.layout["slot_of"][FACE_OF[self.kinds(self.suit(card))[0]]])
        return first + self.order.place(card)

    def suit(self, card: str) -> str:
        return self.order.suit(card)


def words(*masks: int) -> tuple[np.uint64, ...]:
    """Masks as kernels take them: what they return comes back as Python's integers."""
    return tuple(np.uint64(mask) for mask in masks)


def setting(level: int, trump: int) -> Setting:
    return Setting(
        level, trump, LAYOUTS[level, trump], Layout(level, TRUMP_NAMES[trump])
    )


SETTINGS = [
    *(
        setting(level, trump)
        for level in range(LOWEST_LEVEL, ACE_LEVEL + 1)
        for trump in range(NO_TRUMP + 1)
    ),
    setting(JOKER_LEVEL, NO_TRUMP),
]
# One of each kind: the level in the middle and at either end of its suit.
TELLING = [setting(5, 0), setting(14, 2), setting(2, 3), setting(9, 4), SETTINGS[-1]]


def name_of(of: Setting) -> str:
    """A test's id."""
    return f"{of.level}-{TRUMP_NAMES[of.trump]}"


def some_cards(
    of: Setting, suit: str, most: int, chance: random.Random, room: int = 0
) -> list[str]:
    """Cards of one suit, rich in pairs and in neighbours; at least one, if there is.

    room : that many of the suit's highest kinds are used; 0, a random number of them
    """
    kinds = of.kinds(suit)
    kinds = kinds[-(room or chance.randrange(2, len(kinds) + 1)) :]
    paired = chance.random()
    cards: list[str] = []
    for kind in chance.sample(kinds, len(kinds)):
        number = of.decks if chance.random() < paired else chance.randrange(of.decks)
        cards += [kind] * min(number, most - len(cards))
    return cards or kinds[:1]


def deal_suit(
    of: Setting, suit: str, seats: int, chance: random.Random
) -> list[list[str]]:
    """A suit's cards among seats; some stay out. Pairs and neighbours go together."""
    hands: list[list[str]] = [[] for _ in range(seats + 1)]
    together, next_to = chance.random(), chance.random()
    seat = chance.randrange(seats)
    for kind in of.kinds(suit):
        for _ in range(of.decks):
            hands[seat].append(kind)
            if chance.random() > together:
                seat = chance.randrange(seats + 1)
        if chance.random() > next_to:
            seat = chance.randrange(seats + 1)
    return hands[:seats]


def lead_record(
    of: Setting, cards: list[str], options: np.void | None = None
) -> np.void:
    """What kernels read of a lead, a LEAD record; by default shape is owed to it."""
    if options is None:
        options = plain_options(load_rules("bianfeng").codes())
    planes = of.planes(cards)
    lead = np.zeros(1, LEAD_DTYPE[of.decks])[0]
    throw = int(count_components(planes, of.layout) > 1)
    read_lead(planes, throw, lead, of.layout, options)
    return lead


def lead_from(of: Setting, cards: list[str], chance: random.Random) -> list[str]:
    """One component of some cards of one suit, or a throw of several."""
    components = read_components(cards, of.order)
    number = min(chance.choice((1, 1, 2, 2, 3, 4)), len(components))
    # Throws of tractors are rare, and where mistakes hide: so the large ones first.
    if chance.random() < 0.5:
        led = components[:number]
    else:
        led = chance.sample(components, number)
    return [card for part in led for card in part.cards]
