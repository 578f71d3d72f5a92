"""What a seat may know when it decides (RULES.md section 11): a View.

A View holds the seat's own cards and the public record, and nothing else: no other hand
is reachable from it. The functions that begin with `see` keep the public part up to
date: for `sim.tricks` while a deal is played, and for `sim.policies.history` when it
reads the tricks of a position that somebody wrote down.
"""

import numpy as np

from kernels.bits import U0, U1, choose
from kernels.jit import jit, jit_inline
from kernels.layout import TRUMP, count_points
from kernels.lead import LEAD_DTYPE, lead_strength, read_lead, read_single
from kernels.planes import (
    FEWEST_DECKS,
    MOST_DECKS,
    PLANES_DTYPE,
    add_cards,
    copies,
    load,
    no_cards,
    remove_cards,
    store,
)
from kernels.trick import strength

# By the number of decks.
VIEW_DTYPE = {
    decks: np.dtype(
        [
            # The seat that decides. Planes are slot planes of the deal's layout.
            ("seat", "i8"),
            ("hand", PLANES_DTYPE[decks]),
            # The bottom, if this seat buried it last; else empty.
            ("buried", PLANES_DTYPE[decks]),
            ("random", "u8"),  # this seat's own stream of random numbers
            # Who plays together, as far as this seat knows: bit s for seat s.
            ("mates", "i8"),  # itself and who is on its side
            ("declarers", "i8"),  # the declarer and who is on his side
            # The deal.
            ("declarer", "i8"),
            ("call", "i8"),  # the standing call (kernels.calls), -1 none
            ("caller", "i8"),  # its seat, -1 none
            ("won", "i8", (4,)),  # points each seat has won in finished tricks
            ("out", PLANES_DTYPE[decks]),  # played face up, this trick's included
            ("void", "u8"),  # bit 5 * seat + suit: has shown out of that suit
            # The trick under way.
            ("position", "i8"),  # 0 leads .. 3 plays last
            ("lead", LEAD_DTYPE[decks]),
            ("best_seat", "i8"),
            ("best_strength", "i8"),  # kernels.trick.strength of the best play so far
            ("trick_points", "i8"),  # on the table
        ]
    )
    for decks in range(FEWEST_DECKS, MOST_DECKS + 1)
}


@jit
def suit_bit(seat, suit):
    """The bit of a seat's suit's `void`."""
    return U1 << np.uint64(5 * seat + suit)


@jit
def has_shown(marks, seat, suit):
    """Whether a seat's suit is marked in `void`."""
    return marks & suit_bit(seat, suit) != 0


@jit
def shown_suits(marks, seat):
    """Which suits of a seat are marked in `void`: bit s, int64."""
    return np.int64(marks >> np.uint64(5 * seat)) & 0x1F


# The bit of each seat's first suit in `void`, and what gathers four bits there.
FIRST_SUITS, SPREAD = np.uint64(0x8421), np.uint64(0x1111)


@jit_inline
def spread_seats(seats):
    """Seats as bits 0..3 (int64; bits above are not read), at bits 5 * s: uint64."""
    return (np.uint64(seats & 15) * SPREAD) & FIRST_SUITS


@jit_inline
def seats_out_of(view, suit):
    """Seats that have shown out of a suit: bit 5 * s for seat s, uint64."""
    return (view.void >> np.uint64(suit)) & FIRST_SUITS


@jit_inline
def with_trumps(view, seats):
    """Those of some seats that have not shown out of trumps.

    Parameters
    ----------
    view : VIEW record
    seats : int64
        Bit s for seat s; bits above are not read.

    Returns
    -------
    uint64
        Bit 5 * s for seat s.
    """
    return spread_seats(seats) & ~seats_out_of(view, TRUMP)


@jit_inline
def suits_shown_by(view, seats):
    """Suits that one of some seats has shown out of.

    Parameters
    ----------
    view : VIEW record
    seats : uint64
        Bit 5 * s for seat s.

    Returns
    -------
    uint64
        Bit s for suit s.
    """
    shown = view.void & (seats * np.uint64(31))
    shown |= shown >> np.uint64(10)
    return (shown | shown >> np.uint64(5)) & np.uint64(31)


@jit
def is_partner(view, seat):
    """Whether a seat is known to be on the deciding seat's side, or itself."""
    return view.mates >> seat & 1 == 1


@jit
def is_declarers(view, seat):
    """Whether a seat is known to be on the declarer's side."""
    return view.declarers >> seat & 1 == 1


@jit_inline
def points_won(declarers, won):
    """Points that the attackers have won in finished tricks.

    Parameters
    ----------
    declarers : int64
        The declarer's side: bit s for seat s.
    won : int64[4]
        Points each seat has won.
    """
    points = 0
    for seat in range(4):
        points += won[seat] if declarers >> seat & 1 == 0 else 0
    return points


@jit
def unseen(view, layout):
    """Cards that lie in other hands, or in a bottom this seat does not know: planes.

    All copies of every card, less those played, held and buried by this seat.
    """
    hand = load(view.hand)
    every = copies(layout.low | layout.off | layout.high, len(hand), hand)
    return remove_cards(
        every, add_cards(add_cards(load(view.out), hand), load(view.buried))
    )


@jit
def clear_view(view):
    """Nothing is known yet, and nothing is left of another deal."""
    nothing = no_cards(load(view.hand))
    view.seat, view.declarer = 0, -1
    view.mates, view.declarers = 0, 0
    store(view.hand, nothing)
    store(view.buried, nothing)
    store(view.out, nothing)
    view.random = U0
    view.call, view.caller = -1, -1
    for seat in range(4):
        view.won[seat] = 0
    view.void = U0
    view.position = 0
    view.lead.suit, view.lead.cards, view.lead.throw = 0, 0, 0
    view.lead.width, view.lead.length, view.lead.owes_shape = 0, 0, 0
    view.best_seat, view.best_strength, view.trick_points = -1, -1, 0


@jit
def see_burying_over(declarer, calls, view):
    """The buries are over: what everybody knows when play begins.

    Parameters
    ----------
    declarer : int64
    calls : CALLS record
    view : VIEW record
    """
    view.declarer = declarer
    view.call, view.caller = calls.call, calls.seat


@jit_inline
def see_lead(leader, cards, throw, layout, codes, view):
    """Cards are led, after a failed throw the forced ones.

    Parameters
    ----------
    leader : int64
    cards : planes
    throw : int64
        1: they are two or more components.
    layout : LAYOUT record
    codes : record with a field `throw_follow`
    view : VIEW record
    """
    read_lead(cards, throw, view.lead, layout, codes)
    view.best_seat = leader
    view.best_strength = lead_strength(cards, layout)
    view.trick_points = 0
    see_cards(cards, layout, view)


@jit_inline
def see_single_lead(leader, cards, layout, view):
    """`see_lead` of one card, as most leads are: the same, quicker."""
    read_single(cards, view.lead, layout)
    view.best_seat = leader
    view.best_strength = lead_strength(cards, layout)
    view.trick_points = 0
    see_cards(cards, layout, view)


@jit_inline
def see_follow(seat, cards, layout, view):
    """A seat follows; returns whether its cards are now the best of the trick.

    It tells everybody of a suit that is out.
    """
    lead = view.lead
    power = strength(cards, lead, layout)
    best = power > view.best_strength
    view.best_strength = choose(best, power, view.best_strength)
    view.best_seat = choose(best, seat, view.best_seat)
    off_suit = cards[0] & ~layout.suit[lead.suit] != U0
    view.void |= choose(off_suit, suit_bit(seat, lead.suit), U0)
    see_cards(cards, layout, view)
    return best


@jit_inline
def see_cards(cards, layout, view):
    """Cards go face up to the table."""
    store(view.out, add_cards(load(view.out), cards))
    view.trick_points += count_points(cards, layout)


@jit_inline
def see_trick_end(view):
    """The trick is taken up; returns who won it."""
    view.won[view.best_seat] += view.trick_points
    return view.best_seat
