"""Which policy decides: one chain of ids for each decision.

Passing functions would compile the whole deal anew for every combination of policies.
"""

from kernels.bits import U0
from kernels.calls import callable_cards
from kernels.jit import jit, jit_inline
from sim.policies import random
from sim.policies.ids import RANDOM_ID
from sim.policies.textbook import befriending, bidding, burying, following, leading


@jit
def decide_call(policy, thresholds, view, legal, cards, level, drawn, stage):
    """Make a call, or pass.

    Parameters
    ----------
    policy : int64
        Its id in sim.policies.ids.
    thresholds : THRESHOLDS record
    view : VIEW record
        Only seat, declarer, call, caller and random are set yet.
    legal : int64
        Mask of legal calls, not 0.
    cards : planes
        Face planes of the cards drawn so far.
    level, drawn, stage : int64
        Level of the calls; cards this seat has drawn; kernels.calls stage, for which no
        policy asks yet.

    Returns
    -------
    int64
        A call of `legal`, or -1.
    """
    if policy == RANDOM_ID:
        return random.call(view, legal)
    return bidding.call(view, legal, cards, level, drawn, thresholds)


@jit_inline
def may_bid(policy, thresholds, cards, level, drawn, first_deal):
    """Whether decide_call may make the first call of a deal: a quick no for most.

    Where it is False the policy would pass, and draw no random number.

    Parameters
    ----------
    policy, thresholds, cards, level, drawn
        As above.
    first_deal : bool
        Of a match.
    """
    if policy == RANDOM_ID:
        return cards[0] & callable_cards(level)[0] != U0  # a bid takes a level card
    return bidding.may_bid(cards, level, drawn, first_deal, thresholds)


@jit
def decide_target(policy, thresholds, view, highest, take_over, cards, level):
    """Call a target in the auction, or pass.

    Parameters
    ----------
    policy, thresholds, view
        As above.
    highest : int64
        Points; the highest target allowed, 5 or more.
    take_over : int64
        Points; the take-over bound.
    cards : planes
        Face planes of the hand.
    level : int64
        Of this seat.

    Returns
    -------
    int64
        A multiple of 5 from 5 to `highest`, or -1.
    """
    if policy == RANDOM_ID:
        return random.target(view, highest)
    return bidding.target(highest, take_over, cards, level, thresholds)


@jit
def decide_trump(policy, thresholds, view, cards, level):
    """Pick the trump suit (0..3) after the auction; face planes of the hand."""
    if policy == RANDOM_ID:
        return random.trump(view)
    return bidding.trump(cards, level)


@jit
def decide_redeal(policy, thresholds, view, cards, level, trump):
    """Whether an attacker who may demand a new deal (暴动) does; face planes."""
    if policy == RANDOM_ID:
        return random.redeal(view)
    return bidding.redeal(cards, level, trump, thresholds)


@jit
def decide_bury(policy, thresholds, view, layout):
    """Bury as many cards of the View's hand as the bottom has: slot planes."""
    if policy == RANDOM_ID:
        return random.bury(view, layout)
    return burying.bury(view, layout, thresholds)


@jit
def decide_called_card(policy, thresholds, view, layout):
    """Call the card whose holder is to be the declarer's friend: a face."""
    if policy == RANDOM_ID:
        return random.called_card(view)
    return befriending.called_card(view, layout)


@jit
def decide_lead(policy, thresholds, view, layout):
    """Lead cards of one suit: slot planes."""
    if policy == RANDOM_ID:
        return random.lead(view, layout)
    return leading.lead(view, layout, thresholds)


@jit
def decide_follow(policy, thresholds, view, layout):
    """Follow the lead legally: slot planes."""
    if policy == RANDOM_ID:
        return random.follow(view, layout)
    return following.follow(view, layout, thresholds)
