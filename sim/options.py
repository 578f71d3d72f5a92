"""The options of a variant: their names, their values and what each means.

This is the one table that `shengji variants` prints and that `sim.rules` reads a TOML
file or a question by (RULES.md section 10). An absent option is written "none" in TOML
and null in JSON, and is None here; what is absent of a list is an empty list.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from sim.option_values import (
    AfterAce,
    BidWhen,
    BottomScheme,
    LaterDeals,
    NobodyBids,
    OpensWith,
    OvercallOrder,
    OvercallSelf,
    OvercallWhen,
    Partners,
    ReadFrom,
    Reinforce,
    RulesError,
    ThrowFollow,
    bottom_table,
    level_table,
    one_of,
    stake,
    stop_levels,
    whole,
    yes_or_no,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """One option: where it stands in a variant, what it means, how it is read."""

    name: str  # dotted: "overcall.when"
    chinese: str
    meaning: str
    values: Mapping[str, str]  # what may be written -> what it means
    read: Callable[[str, Any], Any]  # (name, value as written) -> value or RulesError
    absent: bool = False  # may it be "none"?

    def value_of(self, written: Any) -> Any:
        """The checked value of what a file or a question says."""
        if written is None or (self.absent and written == "none"):
            if self.absent:
                return () if self.read is stop_levels else None
            raise RulesError(f"{self.name} cannot be absent: {self.allowed()}")
        return self.read(self.name, written)

    def allowed(self) -> str:
        """The allowed values, in words."""
        return "allowed: " + ", ".join(self.values)


YES_NO = {"true": "yes", "false": "no"}
IN_AUCTION = {"none": "in an auction, which shows no cards"}
NO_OVERCALLS = {"none": "where nothing overcalls"}

OPTIONS = (
    Option(
        name="decks",
        chinese="几副牌",
        meaning="decks of 54 cards",
        values={"2": "bottom 8", "3": "bottom 6", "4": "bottom 8"},
        read=whole(2, 4),
    ),
    Option(
        name="partners",
        chinese="搭档",
        meaning="how partners are found",
        values={
            "fixed": "seats 0 and 2 against 1 and 3",
            "called": "找朋友: the declarer names a card after burying",
        },
        read=one_of(Partners),
    ),
    Option(
        name="bid.when",
        chinese="亮主",
        meaning="when the bid is made",
        values={
            "draw": "at any moment of the draw or right after it",
            "after_deal": "after all cards are dealt, in one round with the overcalls",
            "auction": "叫分: seats call lower and lower targets",
        },
        read=one_of(BidWhen),
    ),
    Option(
        name="bid.with_joker",
        chinese="带王",
        meaning="every call of level cards also shows a joker of matching colour",
        values={**YES_NO, **IN_AUCTION},
        read=yes_or_no,
        absent=True,
    ),
    Option(
        name="bid.later_deals",
        chinese="定庄后谁亮",
        meaning="who may bid after the first deal",
        values={
            "anyone": "every seat",
            "declarer_side_first": "the declarer; the attackers if his side cannot",
            **IN_AUCTION,
        },
        read=one_of(LaterDeals),
        absent=True,
    ),
    Option(
        name="bid.opens_with",
        chinese="首亮",
        meaning="what the first call may show",
        values={
            "single": "one level card",
            "pair": "a pair",
            "either": "one or two",
            **IN_AUCTION,
        },
        read=one_of(OpensWith),
        absent=True,
    ),
    Option(
        name="overcall.when",
        chinese="反主",
        meaning="when a bid may be overcalled",
        values={
            "draw": "during the draw, or after it before the bottom is taken",
            "after_deal": "with the bids",
            "after_bury": "反主炒底: after the bury; each overcaller buries again",
            "none": "never",
        },
        read=one_of(OvercallWhen),
    ),
    Option(
        name="overcall.joker_pairs",
        chinese="王反无主",
        meaning="pairs of jokers may overcall, for no trump",
        values={**YES_NO, **NO_OVERCALLS},
        read=yes_or_no,
        absent=True,
    ),
    Option(
        name="overcall.order",
        chinese="反主大小",
        meaning="which call beats which",
        values={
            "kinds": "single < pair < LJ pair < BJ pair",
            "suits": "single < pair D < C < H < S < LJ pair < BJ pair",
            "latest": "as kinds, and a pair also beats a pair",
            **NO_OVERCALLS,
        },
        read=one_of(OvercallOrder),
        absent=True,
    ),
    Option(
        name="overcall.self",
        chinese="自反",
        meaning="may a seat overcall its own call",
        values={
            "never": "a seat that has called does not overcall",
            "after_other": "only once another seat has overcalled it",
            "always": "also its standing call, in another suit",
            **NO_OVERCALLS,
        },
        read=one_of(OvercallSelf),
        absent=True,
    ),
    Option(
        name="reinforce",
        chinese="加固·自保",
        meaning="may the caller make his standing single a pair",
        values={
            "any": "yes, until the bottom is taken",
            "no": "no",
            **IN_AUCTION,
        },
        read=one_of(Reinforce),
        absent=True,
    ),
    Option(
        name="nobody_bids",
        chinese="无人亮主",
        meaning="what makes trump when nobody bids",
        values={
            "third_card": "suit of the bottom's third card; a joker: no trump",
            "random_card": "suit of a random bottom card, which also names a declarer",
            "no_trump": "no trump",
            **IN_AUCTION,
        },
        read=one_of(NobodyBids),
        absent=True,
    ),
    Option(
        name="redeal.weak_attacker_points",
        chinese="暴动",
        meaning="an attacker holding fewer points than this may demand a new deal",
        values={"5, 10, …": "points", "none": "no new deals"},
        read=whole(5, 100, 5),
        absent=True,
    ),
    Option(
        name="throw_follow",
        chinese="跟甩牌",
        meaning="what a follower owes to a throw",
        values={"shape": "its tractors and pairs", "suit": "only cards of its suit"},
        read=one_of(ThrowFollow),
    ),
    Option(
        name="failed_throw.coins",
        chinese="甩牌失败罚金",
        meaning="what a failed throw costs",
        values={"0, 0.5, …": "base stakes"},
        read=stake,
    ),
    Option(
        name="failed_throw.points",
        chinese="甩牌失败罚分",
        meaning="points that a failed throw moves to the other side",
        values={"0, 5, …": "points"},
        read=whole(0, 200, 5),
    ),
    Option(
        name="bottom.scheme",
        chinese="抠底倍数",
        meaning="multiplier of a captured bottom",
        values={
            "linear": "2 for each card of the best component",
            "power": "single 2, pair 4, tractor of n pairs 2·2ⁿ",
            "flat": "2",
            "by_cards": "2 for each card led",
        },
        read=one_of(BottomScheme),
    ),
    Option(
        name="bottom.read_from",
        chinese="按谁的牌",
        meaning="which cards of the last trick the multiplier is read from",
        values={"trick": "the lead", "winner": "the winning cards"},
        read=one_of(ReadFrom),
    ),
    Option(
        name="bottom.table",
        chinese="自定倍数",
        meaning="multipliers of one's own, instead of bottom.scheme",
        values={
            "a table": "single, pair, triple, quad: numbers; tractor, titanic, "
            "quad_run: lists from length 2 up",
            "none": "the scheme's",
        },
        read=bottom_table,
        absent=True,
    ),
    Option(
        name="level_table",
        chinese="升级表",
        meaning="levels gained for the attackers' total",
        values={
            "menghuan": "0: declarers +6; 80: take over; 120: +1; 285: +6 at most",
            "bianfeng": "0: declarers +3; 80: take over; each 40 more: +1, no end",
            "joker-bid": "as bianfeng, but +6 at most",
            "rows": '[lower bound, "declarers" or "attackers", levels], ascending',
        },
        read=level_table,
    ),
    Option(
        name="level_step",
        chinese="再升一级的分",
        meaning="points for each further level past the table's last row",
        values={"5, 10, …": "points", "none": "the last row is the most"},
        read=whole(5, 1000, 5),
        absent=True,
    ),
    Option(
        name="match.after_ace",
        chinese="打过 A",
        meaning="what comes after A",
        values={
            "loop": "2 again",
            "jokers": "打王: the joker level, then 2",
            "end": "转一圈: the side has won",
        },
        read=one_of(AfterAce),
    ),
    Option(
        name="match.laps",
        chinese="圈数",
        meaning="laps from 2 past the last level that win the match",
        values={"1, 2, …": "laps"},
        read=whole(1, 100),
    ),
    Option(
        name="match.stop_levels",
        chinese="必打级",
        meaning="levels that a side must win as declarers before it leaves them",
        values={
            "a list": "2..14 (11 J, 12 Q, 13 K, 14 A), 15 the joker level",
            "[]": "no such level",
        },
        read=stop_levels,
        absent=True,
    ),
)
