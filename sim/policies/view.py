"""What a seat may know when it decides (RULES.md section 11): a View.

A View holds the seat's own cards and the public record, and nothing else: no other hand
is reachable from it. `sim.deal_flow` keeps it up to date while a deal is played and
`sim.judge` builds one from a position that somebody wrote down.
"""

import numpy as np

from kernels.bits import U1
from kernels.jit import jit
from kernels.layout import add_cards, remove_cards

VIEW_DTYPE = np.dtype(
    [
        # The seat that decides. Planes are slot planes of the deal's layout.
        ("seat", "i8"),
        ("hand_one", "u8"),
        ("hand_two", "u8"),
        ("buried_one", "u8"),  # the bottom, if this seat buried it last; else empty
        ("buried_two", "u8"),
        ("random", "u8"),  # this seat's own stream of random numbers
        # The deal.
        ("declarer", "i8"),
        ("burier", "i8"),  # who buried last
        ("call", "i8"),  # the standing call (kernels.calls), -1 none
        ("caller", "i8"),  # its seat, -1 none
        ("throw_follow", "i8"),  # the variant's FOLLOW_SHAPE or FOLLOW_SUIT
        ("attackers_points", "i8"),  # won in finished tricks
        ("out_one", "u8"),  # all cards played face up, this trick's included
        ("out_two", "u8"),
        ("void", "u8"),  # bit 5 * seat + suit: has shown out of that suit
        ("pairless", "u8"),  # bit 5 * seat + suit: has shown no pair left in it
        # The trick under way.
        ("leader", "i8"),
        ("position", "i8"),  # 0 leads .. 3 plays last
        ("lead_suit", "i8"),  # effective suit, 0..3 side suits, 4 trump
        ("lead_cards", "i8"),
        ("lead_pairs", "i8"),  # all pairs led, those in tractors included
        ("lead_runs", "u8"),  # tractors led: a nibble each, the longest lowest
        ("lead_throw", "i8"),  # 1: two or more components
        ("lead_shape", "i8"),  # 1: followers owe pairs for pairs
        ("best_seat", "i8"),
        ("best_strength", "i8"),  # kernels.trick.strength of the best play so far
        ("trick_points", "i8"),  # on the table
    ]
)


@jit
def suit_bit(seat, suit):
    """The bit of a seat's suit in `void` and `pairless`."""
    return U1 << np.uint64(5 * seat + suit)


@jit
def has_shown(marks, seat, suit):
    """Whether a seat's suit is marked in `void` or `pairless`."""
    return marks & suit_bit(seat, suit) != 0


@jit
def is_partner(view, seat):
    """Whether a seat is the deciding seat's partner or itself."""
    return (view.seat ^ seat) & 1 == 0


@jit
def is_declarers(view, seat):
    """Whether a seat is on the declarer's side."""
    return (view.declarer ^ seat) & 1 == 0


@jit
def unseen(view, layout):
    """Cards that lie in other hands, or in a bottom this seat does not know.

    Returns
    -------
    one, two : uint64
        Both copies of every card, less those played, held and buried by this seat.
    """
    every = layout.low | layout.off | layout.high
    one, two = add_cards(view.out_one, view.out_two, view.hand_one, view.hand_two)
    one, two = add_cards(one, two, view.buried_one, view.buried_two)
    return remove_cards(every, every, one, two)
