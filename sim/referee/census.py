"""What happens in a deal record, counted: to see which rules some deals have met."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from sim.referee.calls import read_call
from sim.referee.cards import TRUMP, Layout, layout_of
from sim.referee.components import Component, read_components
from sim.referee.follow import duty
from sim.referee.replay import canonical
from sim.referee.trick import best_match

Record = Mapping[str, Any]


def census(record: Record) -> Counter[str]:
    """Count the kinds of events in a deal record that verifies.

    Names read from the general to the particular, as `duty: tractor owed in full`;
    a kind that did not happen is not in the result.
    """
    record = canonical(record)
    events: Counter[str] = Counter()
    _count_calls(record, events)
    layout = layout_of(record["level"], record["trump"])
    hands = _hands_after_burying(record)
    for trick in record["tricks"]:
        _count_trick(record, trick, hands, layout, events)
    _count_end(record, layout, events)
    return +events


def _count_calls(record: Record, events: Counter[str]) -> None:
    for entry in record["calls"]:
        if "cards" not in entry:
            events[f"call: {entry['kind']}"] += 1
            continue
        call = read_call(entry["seat"], entry["kind"], entry["cards"], record["rules"])
        events[f"call: {call.kind} {call.form}"] += 1
    events["rebury"] += len(record["buries"]) - 1
    events["nobody bid"] += not record["calls"]
    events["card turned"] += record["turned"] is not None
    events["redeal"] += record["redeals"]


def _hands_after_burying(record: Record) -> list[Counter[str]]:
    hands = [Counter(cards) for cards in record["drawn"]]
    for bury in record["buries"]:
        hands[bury["seat"]].update(bury["took"])
        hands[bury["seat"]].subtract(bury["buried"])
    return hands


def _count_trick(
    record: Record,
    trick: Mapping[str, Any],
    hands: Sequence[Counter[str]],
    layout: Layout,
    events: Counter[str],
) -> None:
    plays = trick["plays"]
    lead = read_components(plays[0], layout)
    suit = layout.suit_of_all(plays[0])
    suit_kind = "trump" if suit == TRUMP else "side suit"
    if trick["tried"] is not None:
        events[f"failed throw: {_name(lead[0])} forced"] += 1
    if len(lead) > 1:
        events[f"lead: throw of {suit_kind}"] += 1
        for part in lead:
            events[f"lead: {_name(part)} in a throw"] += 1
    else:
        events[f"lead: {_name(lead[0])}"] += 1
    for turn, play in enumerate(plays):
        hand = hands[(trick["leader"] + turn) % 4]
        if turn:
            held = layout.of_suit(hand.elements(), suit)
            events[f"duty: {_duty_kind(held, lead, layout, record)}"] += 1
        hand.subtract(play)
    _count_ruffs(plays, lead, layout, events)


def _name(part: Component) -> str:
    """Name a component, runs with their length: `tractor of 2`, `tractor of 3+`."""
    if part.length == 1:
        return part.kind
    length = "2" if part.length == 2 else "3+"
    return f"{part.kind.replace('_', ' ')} of {length}"


def _duty_kind(
    held: Sequence[str], lead: Sequence[Component], layout: Layout, record: Record
) -> str:
    """Name what a follower holding these cards of the lead's suit owes."""
    need = sum(len(part.cards) for part in lead)
    if not held:
        return "no suit"
    if len(held) <= need:
        return "short in suit, all given"
    if len(lead) > 1:
        if record["rules"]["throw_follow"] == "suit":
            return "suit only to a throw"
        return "to a throw, paid" if duty(held, lead, layout) else "to a throw, no pair"
    part = lead[0]
    if part.width == 1:
        return "single"
    owed = duty(held, lead, layout)
    if part.length == 1:
        if not owed:
            return f"{part.kind} owed but none"
        return f"{part.kind} owed" if owed == [(part.width, 1)] else "narrower owed"
    kind = part.kind.replace("_", " ")
    if owed == [(part.width, part.length)]:
        return f"{kind} owed in full"
    if owed and owed[0][0] == part.width and owed[0][1] > 1:
        return f"{kind} owed in part"
    if part.width > 2 and owed and owed[0][0] < part.width:
        return f"narrower owed to a {kind}"
    return f"pairs owed to a {kind}" if owed else f"nothing owed to a {kind}"


def _count_ruffs(
    plays: Sequence[Sequence[str]],
    lead: Sequence[Component],
    layout: Layout,
    events: Counter[str],
) -> None:
    """Count ruffs, over-ruffs, ruffs too low or loose, and equal cards."""
    suit = layout.suit_of_all(plays[0])
    what = "throw" if len(lead) > 1 else "non-throw"
    ruffed_at: int | None = None
    best = best_match(plays[0], lead, layout)
    for play in plays[1:]:
        play_suit = layout.suit_of_all(play)
        top = None
        if play_suit in (suit, TRUMP):
            top = best_match(play, lead, layout)
        if suit != TRUMP and play_suit == TRUMP:
            if top is None:
                events[f"trumps that do not match a {what}"] += 1
            elif ruffed_at is None:
                events[f"ruff of a {what}"] += 1
                ruffed_at = top
            elif top > ruffed_at:
                events[f"over-ruff of a {what}"] += 1
                ruffed_at = top
            else:
                tie = "equal" if top == ruffed_at else "lower"
                events[f"{tie} ruff after a ruff of a {what}"] += 1
        elif top is not None and ruffed_at is None and what == "non-throw":
            events["equal cards: the first stays"] += top == best
            best = max(top, best)


def _count_end(record: Record, layout: Layout, events: Counter[str]) -> None:
    result = record["result"]
    events[f"result: {result['side']} +{result['levels']}"] += 1
    if not record["captured"]:
        events["bottom kept"] += 1
        return
    last = record["tricks"][-1]
    place = (last["winner"] - last["leader"]) % 4
    read_from = record["rules"]["bottom"]["read_from"]
    read = last["plays"][0 if read_from == "trick" else place]
    parts = read_components(read, layout)
    largest = max(parts, key=lambda part: (part.width * part.length, part.width))
    name = largest.kind
    if largest.length > 1:
        name = f"{largest.kind.replace('_', ' ')} of {largest.length}"
    events[f"captured with a {name}"] += 1
    events[f"multiplier {record['multiplier']}"] += 1
