"""Which options of a variant cannot be played together, and why."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from kernels.codes import HIGHEST_TARGET, JOKER_LEVEL
from sim.level_tables import take_over_bound
from sim.option_values import (
    AfterAce,
    BidWhen,
    LaterDeals,
    OvercallSelf,
    OvercallWhen,
    Partners,
    Reinforce,
    shown,
)

if TYPE_CHECKING:
    from sim.rules import Rules


def contradictions(rules: "Rules") -> Iterator[str]:
    """Why these options cannot be played together; nothing when they can."""
    bid, overcall, match = rules.bid, rules.overcall, rules.match
    auction = bid.when == BidWhen.AUCTION
    for name in (
        "bid.with_joker",
        "bid.later_deals",
        "bid.opens_with",
        "reinforce",
        "nobody_bids",
    ):
        value = rules.value(name)
        if auction and value is not None:
            yield (
                f'{name} = {shown(value)} must be "none" with bid.when = "auction": '
                "nobody shows a card in an auction"
            )
        if not auction and value is None:
            yield f'{name} = "none" needs bid.when = "auction": calls ask for it'
    if auction and overcall.when != OvercallWhen.NONE:
        yield (
            f'overcall.when = {shown(overcall.when)} must be "none" with '
            'bid.when = "auction": there is no bid to overcall'
        )
    bound = take_over_bound(rules.level_table)
    if auction and bound > HIGHEST_TARGET:
        yield (
            f"level_table takes over at {bound} points, which cannot be played with "
            'bid.when = "auction": targets go down from there in steps of 5, so it '
            f"must be at most {HIGHEST_TARGET}"
        )
    for name in ("overcall.joker_pairs", "overcall.order", "overcall.self"):
        value = rules.value(name)
        if overcall.when == OvercallWhen.NONE and value is not None:
            yield (
                f'{name} = {shown(value)} must be "none" with '
                'overcall.when = "none": there are no overcalls'
            )
        if overcall.when != OvercallWhen.NONE and value is None:
            yield (
                f'{name} = "none" needs overcall.when = "none": overcalls ask for it'
            )
    if bid.when == BidWhen.AFTER_DEAL and overcall.when not in (
        OvercallWhen.AFTER_DEAL,
        OvercallWhen.NONE,
    ):
        yield (
            f"overcall.when = {shown(overcall.when)} cannot be played with "
            'bid.when = "after_deal": bids and overcalls are one round then, so it '
            'must be "after_deal" or "none"'
        )
    if bid.when == BidWhen.DRAW and overcall.when == OvercallWhen.AFTER_DEAL:
        yield (
            'overcall.when = "after_deal" cannot be played with bid.when = "draw": '
            'it means with the bids; "draw" allows overcalls after the draw too'
        )
    if bid.when == BidWhen.AFTER_DEAL and rules.reinforce == Reinforce.ANY:
        yield (
            'reinforce = "any" cannot be played with bid.when = "after_deal": '
            "a caller gets no turn in that round while its call stands"
        )
    if overcall.self == OvercallSelf.ALWAYS and overcall.when != OvercallWhen.DRAW:
        yield (
            'overcall.self = "always" cannot be played with overcall.when = '
            f"{shown(overcall.when)}: a caller gets no turn in that round while its "
            "call stands"
        )
    if bid.later_deals == LaterDeals.DECLARER_SIDE_FIRST:
        if rules.partners == Partners.CALLED:
            yield (
                'bid.later_deals = "declarer_side_first" cannot be played with '
                'partners = "called": the declarer has no side before he names a card'
            )
    if (
        rules.redeal.weak_attacker_points is not None
        and rules.partners == Partners.CALLED
    ):
        yield (
            f"redeal.weak_attacker_points = {rules.redeal.weak_attacker_points} cannot "
            'be played with partners = "called": nobody is an attacker yet then'
        )
    if JOKER_LEVEL in match.stop_levels and match.after_ace != AfterAce.JOKERS:
        yield (
            f"match.stop_levels holds {JOKER_LEVEL}, the joker level, which "
            f"match.after_ace = {shown(match.after_ace)} never reaches"
        )
    if match.laps > 1 and match.after_ace == AfterAce.END:
        yield (
            f'match.laps = {match.laps} cannot be played with match.after_ace = "end": '
            "the side that goes past A has won"
        )
