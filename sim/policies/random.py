"""random: any legal play, drawn by lot; the baseline that knows nothing.

Leads a suit at random, then one of its components, a throw once in eight times; pays a
duty in a random way and fills up at random; buries and calls at random.
"""

import numpy as np

from kernels.bits import U0, U1, choose, lowest_index, nth_bit, popcount
from kernels.codes import FACES
from kernels.follow import BY_LOT
from kernels.jit import jit, jit_inline
from kernels.planes import (
    add_cards,
    bottom_cards,
    copies,
    count_cards,
    join,
    load,
    no_cards,
    remove_cards,
    within,
)
from kernels.rng import below
from kernels.shape import count_components, next_component, without_component
from sim.policies.paying import pay_duty

CALL_ONE_IN = 4  # a legal call is made once in so many chances
PASS_ONE_IN = 2  # a seat leaves the auction so often
THROW_ONE_IN = 8  # a suit of several components is thrown from as seldom


@jit
def pick_cards(cards, count, view):
    """Draw `count` cards from a set, each card equally likely: planes."""
    left, took = cards, no_cards(cards)
    for _ in range(count):
        slot = card_at(left, below(view, count_cards(left)))
        card = copies(slot, 1, cards)
        took, left = add_cards(took, card), remove_cards(left, card)
    return took


@jit_inline
def card_at(cards, number):
    """Slot of a card of a set, the cards counted plane by plane from 0."""
    if len(cards) == 2:  # the same, without a jump
        held = popcount(cards[0])
        first = number < held
        plane = choose(first, cards[0], cards[1])
        return nth_bit(plane, choose(first, number, number - held))
    for plane in cards:
        held = popcount(plane)
        if number < held:
            return nth_bit(plane, number)
        number -= held
    return U0


@jit
def call(view, legal):
    """Make one of the legal calls, or pass: a call, or -1."""
    if below(view, CALL_ONE_IN):
        return -1
    calls = np.uint64(legal)
    return lowest_index(nth_bit(calls, below(view, popcount(calls))))


@jit
def target(view, highest):
    """Call any target that is allowed, or pass: points, or -1."""
    if below(view, PASS_ONE_IN) == 0:
        return -1
    return 5 + 5 * below(view, highest // 5)


@jit
def trump(view):
    """Pick any suit: 0..3."""
    return below(view, 4)


@jit
def redeal(view):
    """Demand a new deal one time in two."""
    return below(view, 2) == 0


@jit
def bury(view, layout):
    """Bury cards of the hand, any cards: planes."""
    hand = load(view.hand)
    return pick_cards(hand, bottom_cards(hand), view)


@jit
def called_card(view):
    """Call any card, also one that it holds all copies of, to play alone: a face."""
    return below(view, FACES)


@jit
def lead(view, layout):
    """Lead a component of a suit, or now and then several: planes."""
    hand = load(view.hand)
    suits = U0
    for suit in range(5):
        held = hand[0] & layout.suit[suit] != U0
        suits |= choose(held, U1 << np.uint64(suit), U0)
    chosen = below(view, popcount(suits))
    left = within(hand, layout.suit[lowest_index(nth_bit(suits, chosen))])
    if not left[1] and not left[0] & layout.off:
        return lead_singles(left, view)
    components = count_components(left, layout)
    throw = components > 1 and below(view, THROW_ONE_IN) == 0
    wanted = below(view, components)
    following = (wanted + 1) % components if throw else wanted
    took = no_cards(hand)
    for place in range(components):
        width, _, slots = next_component(left, layout)
        left = without_component(left, width, slots)
        if place == wanted or place == following:
            took = join(took, copies(slots, width, took))
    return took


@jit_inline
def lead_singles(cards, view):
    """`lead` from single cards of one suit, no two of them equal: planes.

    Components are told from the highest down; a throw is one and the next, round the
    list.
    """
    components = popcount(cards[0])
    throw = components > 1 and below(view, THROW_ONE_IN) == 0
    place = components - 1 - below(view, components)
    slots = nth_bit(cards[0], place)
    if throw:
        slots |= nth_bit(cards[0], place - 1 if place else components - 1)
    return copies(slots, 1, cards)


@jit
def follow(view, layout):
    """Follow with cards that pay the duty, the rest by lot: planes."""
    hand = load(view.hand)
    lane = layout.suit[view.lead.suit]
    suited = within(hand, lane)
    held = count_cards(suited)
    if held <= view.lead.cards:
        more = pick_cards(within(hand, ~lane), view.lead.cards - held, view)
        return join(suited, more)
    paid = no_cards(hand)
    if view.lead.owes_shape and suited[1]:
        paid = pay_duty(suited, BY_LOT, U0, view, layout)
    left = remove_cards(suited, paid)
    fill = view.lead.cards - count_cards(paid)
    return add_cards(paid, pick_cards(left, fill, view))
