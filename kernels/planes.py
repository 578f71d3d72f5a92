"""Sets of cards as planes: a tuple of one uint64 a deck ("thermometer").

Plane 0 has the bit of every face or slot held at least once, plane 1 of those held at
least twice, which are the pairs, and so on. How many decks are played is the length of
the tuple: `if len(cards) == 2` is settled when a kernel is compiled, so each number of
decks gets machine code of its own and pays for no other.
"""

import numpy as np
from numba import types
from numba.extending import overload

from kernels.bits import U0, choose, popcount
from kernels.four import with_word, word_of
from kernels.jit import jit_inline

FEWEST_DECKS, MOST_DECKS = 2, 4
PLANE_NAMES = ("one", "two", "three", "four")

# Planes as a field of a record, by how many they are: kernels learn the number of decks
# from the type of the record that they load.
PLANES_DTYPE = {
    planes: np.dtype([(name, "u8") for name in PLANE_NAMES[:planes]])
    for planes in range(1, MOST_DECKS + 1)
}


def load(record: np.void) -> tuple[np.uint64, ...]:
    """The planes that a record of PLANES_DTYPE holds."""
    return tuple(record[name] for name in record.dtype.names)


def store(record: np.void, cards: tuple[np.uint64, ...]) -> None:
    """Put planes into a record of PLANES_DTYPE."""
    for name, plane in zip(record.dtype.names, cards, strict=True):
        record[name] = plane


@overload(load, jit_options={"forceinline": True})
def _load(record):
    if not isinstance(record, types.Record):
        return None
    if len(record.fields) == 1:
        return lambda record: (record.one,)
    if len(record.fields) == 2:
        return lambda record: (record.one, record.two)
    if len(record.fields) == 3:
        return lambda record: (record.one, record.two, record.three)
    return lambda record: (record.one, record.two, record.three, record.four)


@overload(store, jit_options={"forceinline": True})
def _store(record, cards):
    if not isinstance(record, types.Record):
        return None

    def store_one(record, cards):
        record.one = cards[0]

    def store_two(record, cards):
        record.one, record.two = cards[0], cards[1]

    def store_three(record, cards):
        record.one, record.two, record.three = cards[0], cards[1], cards[2]

    def store_four(record, cards):
        record.one, record.two = cards[0], cards[1]
        record.three, record.four = cards[2], cards[3]

    return (store_one, store_two, store_three, store_four)[len(record.fields) - 1]


@jit_inline
def no_cards(cards):
    """The empty set, of as many decks."""
    none = cards[0] & U0
    if len(cards) == 2:
        return none, none
    if len(cards) == 3:
        return none, none, none
    return none, none, none, none


@jit_inline
def copies(mask, width, cards):
    """`width` copies of each card of a mask, of as many decks as `cards`."""
    none = mask & U0
    two = mask if width > 1 else none
    if len(cards) == 2:
        return mask, two
    three = mask if width > 2 else none
    if len(cards) == 3:
        return mask, two, three
    return mask, two, three, mask if width > 3 else none


@jit_inline
def at_least(cards, width):
    """Cards held at least `width` times (1 to the number of decks): a mask."""
    if len(cards) == 2:
        return cards[1] if width == 2 else cards[0]
    if len(cards) == 3:
        wide = cards[2] if width == 3 else cards[1]
        return wide if width > 1 else cards[0]
    wide = cards[3] if width == 4 else cards[2]
    narrow = cards[1] if width == 2 else cards[0]
    return wide if width > 2 else narrow


@jit_inline
def copies_of(slot, cards):
    """How many copies (int64) are held of one card, of which there is at least one."""
    number = 2 if cards[1] & slot else 1
    if len(cards) > 2 and cards[2] & slot:
        number = 3
    if len(cards) > 3 and cards[3] & slot:
        number = 4
    return number


@jit_inline
def exactly(cards, width):
    """Cards held `width` times and not more: a mask."""
    if width == len(cards):
        return cards[-1]
    return at_least(cards, width) & ~at_least(cards, width + 1)


@jit_inline
def count_cards(cards):
    """Number of cards."""
    number = popcount(cards[0]) + popcount(cards[1])
    if len(cards) == 3:
        number += popcount(cards[2])
    if len(cards) == 4:
        number += popcount(cards[2]) + popcount(cards[3])
    return number


@jit_inline
def within(cards, mask):
    """The cards that lie in a mask."""
    if len(cards) == 2:
        return cards[0] & mask, cards[1] & mask
    if len(cards) == 3:
        return cards[0] & mask, cards[1] & mask, cards[2] & mask
    return cards[0] & mask, cards[1] & mask, cards[2] & mask, cards[3] & mask


@jit_inline
def choose_cards(condition, cards, others):
    """The first of two sets if a condition holds, else the second, without a jump."""
    one = choose(condition, cards[0], others[0])
    two = choose(condition, cards[1], others[1])
    if len(cards) == 2:
        return one, two
    three = choose(condition, cards[2], others[2])
    if len(cards) == 3:
        return one, two, three
    return one, two, three, choose(condition, cards[3], others[3])


@jit_inline
def cards_of(fours, place):
    """The cards at one place of planes of Fours."""
    one, two = word_of(fours[0], place), word_of(fours[1], place)
    if len(fours) == 2:
        return one, two
    three = word_of(fours[2], place)
    if len(fours) == 3:
        return one, two, three
    return one, two, three, word_of(fours[3], place)


@jit_inline
def with_cards(fours, place, cards):
    """Planes of Fours with other cards at one place."""
    one = with_word(fours[0], place, cards[0])
    two = with_word(fours[1], place, cards[1])
    if len(fours) == 2:
        return one, two
    three = with_word(fours[2], place, cards[2])
    if len(fours) == 3:
        return one, two, three
    return one, two, three, with_word(fours[3], place, cards[3])


@jit_inline
def join(cards, others):
    """Two sets that share no face, together."""
    if len(cards) == 2:
        return cards[0] | others[0], cards[1] | others[1]
    if len(cards) == 3:
        return cards[0] | others[0], cards[1] | others[1], cards[2] | others[2]
    return (
        cards[0] | others[0],
        cards[1] | others[1],
        cards[2] | others[2],
        cards[3] | others[3],
    )


@jit_inline
def add_cards(cards, more):
    """Two sets together. No face may come to more copies than there are decks."""
    a1, a2 = cards[0], cards[1]
    b1, b2 = more[0], more[1]
    if len(cards) == 2:
        return a1 | b1, a2 | b2 | (a1 & b1)
    a3, b3 = cards[2], more[2]
    third = a3 | b3 | (a2 & b1) | (a1 & b2)
    if len(cards) == 3:
        return a1 | b1, a2 | b2 | (a1 & b1), third
    fourth = cards[3] | more[3] | (a3 & b1) | (a2 & b2) | (a1 & b3)
    return a1 | b1, a2 | b2 | (a1 & b1), third, fourth


@jit_inline
def remove_cards(cards, less):
    """A set without a part of it.

    At least k copies stay of a face if for some j >= 0 there were k + j and no more
    than j are taken.
    """
    a1, a2 = cards[0], cards[1]
    b1, b2 = ~less[0], ~less[1]
    if len(cards) == 2:
        return (a1 & b1) | (a2 & b2), a2 & b1
    a3, b3 = cards[2], ~less[2]
    if len(cards) == 3:
        return (a1 & b1) | (a2 & b2) | (a3 & b3), (a2 & b1) | (a3 & b2), a3 & b1
    a4, b4 = cards[3], ~less[3]
    return (
        (a1 & b1) | (a2 & b2) | (a3 & b3) | (a4 & b4),
        (a2 & b1) | (a3 & b2) | (a4 & b3),
        (a3 & b1) | (a4 & b2),
        a4 & b1,
    )


@jit_inline
def hold(cards, part):
    """Whether a set holds another one."""
    outside = (part[0] & ~cards[0]) | (part[1] & ~cards[1])
    if len(cards) > 2:
        outside |= part[2] & ~cards[2]
    if len(cards) > 3:
        outside |= part[3] & ~cards[3]
    return outside == U0


@jit_inline
def bottom_cards(cards):
    """Cards of the bottom (底牌), by the number of decks (RULES.md section 2)."""
    return 6 if len(cards) == 3 else 8
