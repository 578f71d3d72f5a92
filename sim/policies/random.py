"""random: any legal play, drawn by lot; the baseline that knows nothing.

Leads a suit at random, then one of its components, a throw once in eight times; pays a
duty in a random way and fills up at random; buries and calls at random.
"""

import numpy as np

from kernels.bits import U0, lowest_index, nth_bit, popcount
from kernels.codes import BOTTOM_CARDS
from kernels.jit import jit
from kernels.layout import count_cards, remove_cards
from kernels.rng import below
from kernels.shape import count_components, next_component, without_component
from sim.policies.paying import BY_LOT, pay_duty

CALL_ONE_IN = 4  # a legal call is made once in so many chances
THROW_ONE_IN = 8  # a suit of several components is thrown from as seldom


@jit
def pick_cards(one, two, count, view):
    """Draw `count` cards from a set, each card equally likely: planes (one, two)."""
    left_one, left_two = one, two
    took_one, took_two = U0, U0
    for _ in range(count):
        singles = popcount(left_one)
        card = below(view, singles + popcount(left_two))
        if card < singles:
            slot = nth_bit(left_one, card)
        else:
            slot = nth_bit(left_two, card - singles)
        took_two |= took_one & slot
        took_one |= slot
        left_one, left_two = remove_cards(left_one, left_two, slot, U0)
    return took_one, took_two


@jit
def call(view, legal):
    """Make one of the legal calls, or pass: a call, or -1."""
    if below(view, CALL_ONE_IN):
        return -1
    calls = np.uint64(legal)
    return lowest_index(nth_bit(calls, below(view, popcount(calls))))


@jit
def bury(view, layout):
    """Bury 8 cards of the hand, any cards: planes (one, two)."""
    return pick_cards(view.hand_one, view.hand_two, BOTTOM_CARDS, view)


@jit
def lead(view, layout):
    """Lead a component of a suit, or now and then several: planes (one, two)."""
    suits = 0
    for suit in range(5):
        suits += view.hand_one & layout.suit[suit] != U0
    chosen = below(view, suits)
    lane = U0
    for suit in range(5):
        if view.hand_one & layout.suit[suit]:
            if chosen == 0:
                lane = layout.suit[suit]
            chosen -= 1
    one, two = view.hand_one & lane, view.hand_two & lane
    components = count_components(one, two, layout)
    throw = components > 1 and below(view, THROW_ONE_IN) == 0
    wanted = below(view, components)
    others = 2 if throw else 1
    took_one, took_two = U0, U0
    # A throw is `wanted` and the component after it, round the list.
    place = 0
    left_one, left_two = one, two
    while left_one:
        length, slots = next_component(left_one, left_two, layout)
        left_one, left_two = without_component(left_one, left_two, length, slots)
        if (place - wanted) % components < others:
            took_two |= slots if length else U0
            took_one |= slots
        place += 1
    return took_one, took_two


@jit
def follow(view, layout):
    """Follow with cards that pay the duty, the rest by lot: planes (one, two)."""
    lane = layout.suit[view.lead_suit]
    one, two = view.hand_one & lane, view.hand_two & lane
    held = count_cards(one, two)
    if held <= view.lead_cards:
        rest = view.hand_one & ~lane, view.hand_two & ~lane
        more_one, more_two = pick_cards(rest[0], rest[1], view.lead_cards - held, view)
        return one | more_one, two | more_two
    paid = U0
    if view.lead_shape and two:
        paid = pay_duty(two, BY_LOT, U0, view, layout)
    left_one, left_two = remove_cards(one, two, paid, paid)
    fill = view.lead_cards - 2 * popcount(paid)
    more_one, more_two = pick_cards(left_one, left_two, fill, view)
    return paid | more_one, paid | more_two
