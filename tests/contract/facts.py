"""A result row worked out anew from a deal record, by the referee's reading of it."""

from collections.abc import Mapping
from typing import Any

from sim.referee.calls import read_call
from sim.referee.cards import TRUMP, Layout, count_points
from sim.referee.components import read_components

TRUMPS = ("S", "H", "C", "D", "NT")
CALL_KINDS = ("none", "single", "pair", "LJ", "BJ")
SIDES = ("declarers", "attackers")
KINDS = {"single": 1, "pair": 2, "tractor": 4}


def row_of(record: Mapping[str, Any]) -> dict[str, int]:
    """Every column of `sim.schema`, as this record tells it."""
    layout = Layout(record["level"], record["trump"])
    declarer = record["declarer"]
    calls = [
        read_call(call["seat"], call["kind"], call["cards"], record["rules"])
        for call in record["calls"]
    ]
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
        "deal_index": record["index"],
        "level": record["level"],
        "trump": TRUMPS.index(record["trump"]),
        "declarer": declarer,
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
            if trick["winner"] % 2 != declarer % 2
        ),
        "tricks": len(record["tricks"]),
        "last_winner": last["winner"],
        "lead_cards": len(lead),
        "lead_kinds": shape(lead, layout)[0],
        "lead_run": shape(lead, layout)[1],
        "win_kinds": shape(winning, layout)[0],
        "win_run": shape(winning, layout)[1],
        "captured": int(record["captured"]),
        "multiplier": record["multiplier"] or 0,
        "penalty_points": record["penalty_points"],
        "total": record["total"],
        "side": SIDES.index(record["result"]["side"]),
        "levels": record["result"]["levels"],
        "next_declarer": record["next_declarer"],
        "throws_declarers": throws[declarer % 2],
        "throws_attackers": throws[1 - declarer % 2],
        "failed_declarers": failed[declarer % 2],
        "failed_attackers": failed[1 - declarer % 2],
        "coin_factor": record["coin_factor"],
    }


def shape(cards: list[str], layout: Layout) -> tuple[int, int]:
    """The kinds of component among some cards, as bits; the longest run of pairs."""
    parts = read_components(cards, layout)
    kinds = {KINDS[part.kind] for part in parts}
    return sum(kinds), max(part.length if part.width == 2 else 0 for part in parts)


def throws_of(record: Mapping[str, Any], layout: Layout) -> tuple[list[int], list[int]]:
    """Throws, failed ones among them, and failed throws, of seats 0 and 2, 1 and 3."""
    throws, failed = [0, 0], [0, 0]
    for trick in record["tricks"]:
        side = trick["leader"] % 2
        failed[side] += trick["tried"] is not None
        many = len(read_components(trick["plays"][0], layout)) > 1
        throws[side] += many or trick["tried"] is not None
    return throws, failed
