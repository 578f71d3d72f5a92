"""A lead: what the three seats that follow must know of the cards led."""

import numpy as np

from kernels.bits import lowest_index
from kernels.follow import owes_shape
from kernels.jit import jit, jit_inline
from kernels.layout import top_place
from kernels.planes import (
    FEWEST_DECKS,
    MOST_DECKS,
    PLANES_DTYPE,
    count_cards,
    store,
)
from kernels.shape import in_one_suit, no_shape, read_shape, widest_in

# By the number of decks.
LEAD_DTYPE = {
    decks: np.dtype(
        [
            ("suit", "i8"),  # effective suit, 0..3 side suits, 4 trump
            ("cards", "i8"),
            ("width", "i8"),  # of its largest component: the widest,
            ("length", "i8"),  # and of those the longest
            ("throw", "i8"),  # 1: two or more components
            ("owes_shape", "i8"),  # 1: followers owe tuples for tuples
            ("shape", PLANES_DTYPE[decks - 1]),  # kernels.shape.read_shape
        ]
    )
    for decks in range(FEWEST_DECKS, MOST_DECKS + 1)
}


@jit
def read_lead(cards, throw, lead, layout, codes):
    """Fill in a LEAD record.

    Parameters
    ----------
    cards : planes
        Slot planes of cards of one suit.
    throw : int64
        1: they are two or more components.
    lead : LEAD record
        Written.
    layout : LAYOUT record
    codes : record with a field `throw_follow`
    """
    lead.suit = in_one_suit(cards[0], layout)
    lead.cards = count_cards(cards)
    lead.width, lead.length = 1, 1
    shape = no_shape(cards)
    if cards[1]:
        shape = read_shape(cards, layout)
        lead.width, lead.length = widest_in(shape)
    store(lead.shape, shape)
    lead.throw = throw
    lead.owes_shape = 1 if owes_shape(lead.width, throw, codes) else 0


@jit_inline
def read_single(cards, lead, layout):
    """`read_lead` of one card."""
    lead.suit = np.int64(layout.suit_of[lowest_index(cards[0])])
    lead.cards, lead.width, lead.length = 1, 1, 1
    lead.throw, lead.owes_shape = 0, 0
    store(lead.shape, no_shape(cards))


@jit_inline
def lead_strength(cards, layout):
    """Strength of a lead: of a throw it only needs to lose to ruffs."""
    return top_place(cards[0], layout)
