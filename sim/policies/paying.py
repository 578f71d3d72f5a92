"""Paying a duty: which tuples of the led suit a follower gives.

One walk over the duty serves every policy; they differ in which of the windows that pay
an entry they like.
"""

import numpy as np

from kernels.bits import U0, lowest, nth_bit, popcount
from kernels.follow import (
    BY_LOT,
    BY_RULE,
    NIBBLE,
    duty,
    duty_in_pairs,
    pay,
    strike,
    windows,
)
from kernels.jit import jit
from kernels.layout import fold, unfold
from kernels.planes import at_least, load, no_cards
from kernels.rng import GOLDEN, below, draw, mix
from kernels.shape import run_mask, slots_on


@jit
def pay_duty(cards, choice, liked, view, layout):
    """Cards of the led suit that pay the whole duty of a hand.

    Parameters
    ----------
    cards : planes
        The hand's cards of the led suit.
    choice : int64
        BY_LOT or LIKED.
    liked : uint64
        Places to be given first (LIKED only), the lowest first.
    view : VIEW record
    layout : LAYOUT record

    Returns
    -------
    planes
        Part of the cards.

    Notes
    -----
    Any window of the right length inside a run pays its entry; where one spoils a later
    entry, the rule's own windows are taken.
    """
    shape = load(view.lead.shape)
    if len(cards) == 2:
        paid = pay_in_pairs(cards[1], choice, liked, view, layout)
        return paid, paid
    luck = draw(view) if choice == BY_LOT else U0
    if (view.lead.length == 1) & (view.lead.throw == 0):
        width = view.lead.width
        while at_least(cards, width) == U0:
            width -= 1
        luck = mix(luck + GOLDEN)
        return strike(cards, no_cards(cards), width, 1, choice, liked, luck, layout)[1]
    _, paid = pay(cards, shape, choice, liked, luck, layout)
    owed, due = pay(cards, shape, BY_RULE, U0, U0, layout)
    return paid if duty(paid, shape, layout) >= owed else due


@jit
def pay_in_pairs(pairs, choice, liked, view, layout):
    """The same with two decks: slots, each of which gives both its cards."""
    form = view.lead.shape.one
    owed = duty_in_pairs(pairs, form, layout)
    paid = U0
    for attempt in range(2):
        left = pairs
        paid = U0
        entries = owed
        while entries:
            length = np.int64(entries >> np.uint64(60))
            entries <<= NIBBLE
            how = choice if attempt == 0 else BY_RULE
            start = windows(fold(left, layout), length, how, liked)
            if how == BY_LOT:
                start = nth_bit(start, below(view, popcount(start)))
            start = lowest(start)
            if how == BY_LOT and length == 1:
                among = unfold(start, layout) & left
                slots = nth_bit(among, below(view, popcount(among)))
            else:
                slots = slots_on(run_mask(start, length), left, layout)
            paid |= slots
            left &= ~slots
        if view.lead.throw == 0 or duty_in_pairs(paid, form, layout) >= owed:
            break
    return paid
