"""A result row worked out anew from a deal record, by the referee's reading of it."""

from collections.abc import Mapping
from typing import Any

from sim.referee.calls import read_call
from sim.referee.cards import TRUMP, Layout, count_points
from sim.referee.components import read_components

TRUMPS = ("S", "H", "C", "D", "NT")
CALL_KINDS = ("none", "single", "pair", "LJ", "BJ")
SIDES = ("declarers", "attackers")
KINDS = {
    "single": 1,
    "pair": 2,
    "tractor": 4,
    "triple": 8,
    "titanic": 16,
    "quad": 32,
    "quad_run": 64,
}
SUITS, RANKS = "SHCD", "23456789TJQKA"


def row_of(record: Mapping[str, Any]) -> dict[str, int]:
    """Every column of `sim.schema`, as this record tells it."""
    layout = Layout(record["level"], record["trump"])
    declarer = record["declarer"]
    calls = [
        read_call(call["seat"], call["kind"], call["cards"], record["rules"])
        for call in record["calls"]
        if "cards" in call
    ]
    attackers = record["attackers"]
    last = record["tricks"][-1]
    lead = last["plays"][0]
    winning = last["plays"][(last["winner"] - last["leader"]) % 4]
    hand = list(record["drawn"][declarer])
    for bury in record["buries"]:
        if bury["seat"] == declarer:
            hand += bury["took"]
            for card in bury["buried"]:
                hand.remove(card)
    trumps = layout.of_suit(hand, TRUMP)
    throws, failed = throws_of(record, layout)
    return {
        # Of a match's deal it is the match's number.
        "deal_index": record["match" if record["index"] is None else "index"],
        "level": record["level"],
        "trump": TRUMPS.index(record["trump"]),
        "declarer": declarer,
        "target": target_of(record),
        "called_card": face_of(record["called_card"]),
        "friend": -1 if record["friend"] is None else record["friend"],
        "friend_trick": friend_trick(record),
        "bidder": calls[0].seat if calls else -1,
        "bid_kind": CALL_KINDS.index(calls[0].form if calls else "none"),
        "caller": calls[-1].seat if calls else -1,
        "call_kind": CALL_KINDS.index(calls[-1].form if calls else "none"),
        "overcalls": sum(call.kind == "overcall" for call in calls),
        "redeals": record["redeals"],
        "burier": record["buries"][-1]["seat"],
        "declarer_trumps": len(trumps),
        "declarer_jokers": sum(card in ("LJ", "BJ") for card in trumps),
        "dealt_points": count_points(record["bottom"]),
        "buried_points": count_points(record["buries"][-1]["buried"]),
        "trick_points": sum(
            trick["points"]
            for trick in record["tricks"]
            if trick["winner"] in attackers
        ),
        "tricks": len(record["tricks"]),
        "last_winner": last["winner"],
        "lead_cards": len(lead),
        **{f"lead_{name}": fact for name, fact in shape(lead, layout).items()},
        **{f"win_{name}": fact for name, fact in shape(winning, layout).items()},
        "captured": int(record["captured"]),
        "multiplier": record["multiplier"] or 0,
        "penalty_points": record["penalty_points"],
        "total": record["total"],
        "side": SIDES.index(record["result"]["side"]),
        "levels": record["result"]["levels"],
        "next_declarer": record["next_declarer"],
        "throws_declarers": throws[0],
        "throws_attackers": throws[1],
        "failed_declarers": failed[0],
        "failed_attackers": failed[1],
        "coin_factor": record["coin_factor"],
    }


def target_of(record: Mapping[str, Any]) -> int:
    """The auction's target, in points: the last called, or the take-over bound."""
    if record["rules"]["bid"]["when"] != "auction":
        return -1
    targets = [call["target"] for call in record["calls"] if "target" in call]
    rows = record["rules"]["level_table"]
    bound = next(low for low, side, _ in rows if side == "attackers")
    return targets[-1] if targets else bound


def face_of(card: str | None) -> int:
    """A card's number in a row; -1 of none."""
    if card is None:
        return -1
    if card in ("LJ", "BJ"):
        return 52 + (card == "BJ")
    return 13 * SUITS.index(card[0]) + RANKS.index(card[1])


def friend_trick(record: Mapping[str, Any]) -> int:
    """The trick, from 1, in which the friend played the called card; 0 never."""
    for number, trick in enumerate(record["tricks"], 1):
        for turn, play in enumerate(trick["plays"]):
            seat = (trick["leader"] + turn) % 4
            if seat == record["friend"] and record["called_card"] in play:
                return number
    return 0


def shape(cards: list[str], layout: Layout) -> dict[str, int]:
    """The kinds of component among some cards, as bits; the longest run of each."""
    parts = read_components(cards, layout)

    def longest(width: int) -> int:
        return max((part.length for part in parts if part.width == width), default=0)

    return {
        "kinds": sum({KINDS[part.kind] for part in parts}),
        "run": longest(2),
        "triples": longest(3),
        "quads": longest(4),
    }


def throws_of(record: Mapping[str, Any], layout: Layout) -> tuple[list[int], list[int]]:
    """Throws, failed ones among them, and failed throws, of declarers and attackers."""
    throws, failed = [0, 0], [0, 0]
    for trick in record["tricks"]:
        side = int(trick["leader"] in record["attackers"])
        failed[side] += trick["tried"] is not None
        many = len(read_components(trick["plays"][0], layout)) > 1
        throws[side] += many or trick["tried"] is not None
    return throws, failed
