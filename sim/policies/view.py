"""What a seat may know when it decides (RULES.md section 11): a View.

A View holds the seat's own cards and the public record, and nothing else: no other hand
is reachable from it. The functions that begin with `see` keep the public part up to
date: for `sim.tricks` while a deal is played, and for `sim.policies.history` when it
reads the tricks of a position that somebody wrote down.
"""

import numpy as np

from kernels.bits import U0, U1, popcount
from kernels.follow import owes_shape
from kernels.jit import jit, jit_inline
from kernels.layout import add_cards, count_cards, count_points, remove_cards
from kernels.shape import in_one_suit, read_runs
from kernels.trick import lead_strength, strength

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
        ("call", "i8"),  # the standing call (kernels.calls), -1 none
        ("caller", "i8"),  # its seat, -1 none
        ("attackers_points", "i8"),  # won in finished tricks
        ("out_one", "u8"),  # all cards played face up, this trick's included
        ("out_two", "u8"),
        ("void", "u8"),  # bit 5 * seat + suit: has shown out of that suit
        ("pairless", "u8"),  # bit 5 * seat + suit: has shown no pair left in it
        # The trick under way.
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
def shown_suits(marks, seat):
    """Which suits of a seat are marked in `void` or `pairless`: bit s, int64."""
    return np.int64(marks >> np.uint64(5 * seat)) & 0x1F


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


@jit
def clear_view(view):
    """Nothing is known yet, and nothing is left of another deal."""
    view.seat, view.declarer = 0, -1
    view.hand_one, view.hand_two, view.buried_one, view.buried_two = U0, U0, U0, U0
    view.random = U0
    view.call, view.caller = -1, -1
    view.attackers_points = 0
    view.out_one, view.out_two, view.void, view.pairless = U0, U0, U0, U0
    view.position = 0
    view.lead_suit, view.lead_cards, view.lead_pairs, view.lead_runs = 0, 0, 0, U0
    view.lead_throw, view.lead_shape = 0, 0
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
def see_lead(leader, one, two, throw, layout, codes, view):
    """Cards are led, after a failed throw the forced ones.

    Parameters
    ----------
    leader : int64
    one, two : uint64
    throw : int64
        1: they are two or more components.
    layout : LAYOUT record
    codes : record with a field `throw_follow`
    view : VIEW record
    """
    view.lead_suit = in_one_suit(one, layout)
    view.lead_cards = count_cards(one, two)
    view.lead_pairs = popcount(two)
    view.lead_runs = read_runs(two, layout) if two else U0
    view.lead_throw = throw
    view.lead_shape = 1 if owes_shape(view.lead_pairs, throw, codes) else 0
    view.best_seat = leader
    view.best_strength = lead_strength(one, layout)
    view.trick_points = 0
    see_cards(one, two, layout, view)


@jit_inline
def see_follow(seat, one, two, layout, view):
    """A seat follows; returns whether its cards are now the best of the trick.

    It tells everybody of a suit that is out, or has no pair left.
    """
    power = strength(
        one,
        two,
        view.lead_suit,
        view.lead_cards,
        view.lead_runs,
        view.lead_pairs,
        view.lead_throw,
        layout,
    )
    best = power > view.best_strength
    if best:
        view.best_strength, view.best_seat = power, seat
    lane = layout.suit[view.lead_suit]
    if one & ~lane:
        view.void |= suit_bit(seat, view.lead_suit)
    elif view.lead_shape and popcount(two) < view.lead_pairs:
        view.pairless |= suit_bit(seat, view.lead_suit)
    see_cards(one, two, layout, view)
    return best


@jit_inline
def see_cards(one, two, layout, view):
    """Cards go face up to the table."""
    view.out_one, view.out_two = add_cards(view.out_one, view.out_two, one, two)
    if (one & layout.points) != U0:
        view.trick_points += count_points(one, two, layout)


@jit_inline
def see_trick_end(view):
    """The trick is taken up; returns who won it."""
    winner = view.best_seat
    if not is_declarers(view, winner):
        view.attackers_points += view.trick_points
    return winner
