"""The decisions of a deal record, as questions to `shengji judge` and their answers."""

from collections.abc import Iterator
from typing import Any

Record = dict[str, Any]


def decisions(record: Record) -> Iterator[tuple[Record, list[str]]]:
    """Each bury, lead and follow as (`choose` question, the cards played there).

    The question holds what the record had come to just before, and the policy that sat
    there. Of a failed throw the answer is the throw.
    """
    hands = [list(cards) for cards in record["drawn"]]
    buried: list[list[str] | None] = [None] * 4
    calls = record["calls"]
    common = {
        "ask": "choose",
        "level": record["level"],
        "trump": record["trump"],
        "rules": record["variant"],
        "declarer": record["declarer"],
        **(
            {} if record["rules"]["decks"] == 2 else {"decks": record["rules"]["decks"]}
        ),
        "called_card": record["called_card"],
    }

    if record["rules"]["decks"] > 2:
        common["decks"] = record["rules"]["decks"]

    def question(seat: int, decision: str, **more: Any) -> Record:
        setting = record["policy_parameters"][seat]
        return {
            **common,
            "policy": {"base": record["policies"][seat], **setting},
            "seat": seat,
            "decision": decision,
            "hand": list(hands[seat]),
            "calls": calls,
            "buried": buried[seat],
            "tricks": [],
            **more,
        }

    # With reburies each overcall is followed by one; the first bury comes before them.
    reburies = len(record["buries"]) - 1
    for place, bury in enumerate(record["buries"]):
        seat = bury["seat"]
        made = calls[: len(calls) - reburies + place]
        trump = trump_of(made) or record["trump"]
        hands[seat] += bury["took"]
        asked = question(seat, "bury", calls=made, trump=trump, called_card=None)
        yield asked, bury["buried"]
        remove(hands[seat], bury["buried"])
        buried[seat] = bury["buried"]
    tricks: list[Record] = []
    for trick in record["tricks"]:
        for turn, play in enumerate(trick["plays"]):
            seat = (trick["leader"] + turn) % 4
            if turn == 0:
                yield question(seat, "lead", tricks=tricks), trick["tried"] or play
            else:
                under_way = {
                    "leader": trick["leader"],
                    "tried": trick["tried"],
                    "plays": trick["plays"][:turn],
                }
                yield question(seat, "follow", tricks=[*tricks, under_way]), play
            remove(hands[seat], play)
        tricks = [*tricks, trick]


def trump_of(calls: list[Record]) -> str | None:
    """The trump that the last of some calls makes, None of no calls."""
    if not calls or "cards" not in calls[-1]:
        return None
    card = calls[-1]["cards"][0]
    return "NT" if card in ("LJ", "BJ") else card[0]


def remove(hand: list[str], cards: list[str]) -> None:
    for card in cards:
        hand.remove(card)
