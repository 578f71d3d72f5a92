"""What happens in a deal record, counted: to see which rules some deals have met."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from sim.referee import score
from sim.referee.calls import OVERCALL, PAIR, SINGLE, read_call
from sim.referee.cards import (
    JOKER_LEVEL,
    JOKERS,
    NO_TRUMP,
    TRUMP,
    Layout,
    layout_of,
)
from sim.referee.components import TUPLE_KINDS, Component, read_components
from sim.referee.follow import Duty, duty
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
    _count_opening(record, events)
    _count_friend(record, events)
    layout = layout_of(record["level"], record["trump"])
    hands = _hands_after_burying(record)
    for trick in record["tricks"]:
        _count_trick(record, trick, hands, layout, events)
    _count_end(record, layout, events)
    return +events


def _count_opening(record: Record, events: Counter[str]) -> None:
    """Count what made declarer and trump, from the calls to the friend."""
    if record["rules"]["bid"]["when"] == "auction":
        _count_auction(record, events)
    else:
        _count_calls(record, events)
    events["rebury"] += len(record["buries"]) - 1
    first = record["declarer_before"] is None
    events["redeal"] += record["redeals"]
    events["redeal for a weak hand"] += 0 if first else record["redeals"]
    events["deal at the joker level"] += record["level"] == JOKER_LEVEL
    events["sides at different levels"] += record["levels"][0] != record["levels"][1]
    events["partners at different levels"] += (
        record["levels"][:2] != record["levels"][2:]
    )


def _count_auction(record: Record, events: Counter[str]) -> None:
    targets = [call["target"] for call in record["calls"] if call["kind"] == "target"]
    events["auction: target called"] += len(targets)
    events["auction: passed out"] += not targets
    events["auction: overbid"] += len(targets) > 1
    if targets:
        events[f"auction: at {targets[-1]}"] += 1
    events["auction: trump picked"] += record["trump"] != NO_TRUMP


def _count_calls(record: Record, events: Counter[str]) -> None:
    calls = [
        read_call(entry["seat"], entry["kind"], entry["cards"], record["rules"])
        for entry in record["calls"]
    ]
    given = record["declarer_before"]
    for place, call in enumerate(calls):
        events[f"call: {call.kind} {call.form}"] += 1
        if call.form in (SINGLE, PAIR) and set(call.cards) & set(JOKERS):
            events[f"joker beside a call: {call.kind} {call.form}"] += 1
        before = [earlier.seat for earlier in calls[:place]]
        if call.kind == OVERCALL and call.seat in before:
            whom = "oneself" if before[-1] == call.seat else "one's overcaller"
            events[f"overcall of {whom}"] += 1
    side_first = record["rules"]["bid"]["later_deals"] == "declarer_side_first"
    if calls and side_first and given is not None:
        attacker = (calls[0].seat - given) % 2 == 1
        events[f"bid by {'an attacker' if attacker else 'the declarer'}"] += 1
    events["nobody bid"] += not calls
    turned = record["turned"]
    if turned is None:
        return
    events["card turned"] += 1
    events["card turned: a joker"] += turned in JOKERS
    if record["rules"]["nobody_bids"] == "random_card":
        held = any(turned in hand for hand in record["drawn"])
        events[f"card turned: held by {'a seat' if held else 'nobody'}"] += 1


def _count_friend(record: Record, events: Counter[str]) -> None:
    """Count where the friend was found, or that there is none."""
    card, friend = record["called_card"], record["friend"]
    if card is None:
        return
    buried = any(
        card in bury["buried"]
        for bury in record["buries"]
        if bury["seat"] == record["declarer"]
    )
    events["friend: a copy is buried"] += buried
    if friend is None:
        events["friend: alone"] += 1
        return
    for number, trick in enumerate(record["tricks"], start=1):
        if card in trick["plays"][(friend - trick["leader"]) % 4]:
            when = "trick 1" if number == 1 else "tricks 2 to 8"
            if number > 8:
                when = "a later trick"
            if number == len(record["tricks"]):
                when = "the last trick"
            events[f"friend: shown in {when}"] += 1
            return


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
            _count_duty(held, lead, layout, record, events)
        hand.subtract(play)
    _count_ruffs(plays, lead, layout, events)


def _name(part: Component) -> str:
    """Name a component, runs with their length: `tractor of 2`, `tractor of 3+`."""
    if part.length == 1:
        return part.kind
    length = "2" if part.length == 2 else "3+"
    return f"{part.kind.replace('_', ' ')} of {length}"


def _count_duty(
    held: Sequence[str],
    lead: Sequence[Component],
    layout: Layout,
    record: Record,
    events: Counter[str],
) -> None:
    """Count what a follower holding these cards of the lead's suit owes."""
    need = sum(len(part.cards) for part in lead)
    if not held:
        events["duty: no suit"] += 1
        return
    if len(held) <= need:
        events["duty: short in suit, all given"] += 1
        return
    is_throw = len(lead) > 1
    if is_throw and record["rules"]["throw_follow"] == "suit":
        events["duty: suit only to a throw"] += 1
        return
    if need == 1:
        events["duty: single"] += 1
        return
    owed = duty(held, lead, layout)
    if is_throw:
        events[f"duty: to a throw, {'paid' if owed else 'no pair'}"] += 1
    else:
        events[f"duty: {duty_kind(owed, lead[0])}"] += 1
    # A run of another width than the lead's has been carried down from one of them.
    widths = {part.width for part in lead if part.length > 1}
    carried = any(length > 1 and width not in widths for width, length in owed)
    events["owed: run carried to a narrower width"] += carried
    if owed == [(2, 1)] and 2 not in Counter(held).values():
        events["owed: pair out of a wider tuple"] += 1


def duty_kind(owed: Duty, part: Component) -> str:
    """Name what is owed to a lead of one component."""
    kind = part.kind.replace("_", " ")
    if part.length == 1:
        if not owed:
            return f"{kind} owed but none"
        same = owed == [(part.width, 1)]
        return f"{kind} owed" if same else f"narrower owed to a {kind}"
    if owed == [(part.width, part.length)]:
        return f"{kind} owed in full"
    if owed and owed[0][0] == part.width and owed[0][1] > 1:
        return f"{kind} owed in part"
    if not owed:
        return f"nothing owed to a {kind}"
    if owed[0][0] < part.width:
        return f"narrower owed to a {kind}"
    return f"{TUPLE_KINDS[part.width]}s owed to a {kind}"


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
    events["penalty moved points"] += record["penalty_points"] != 0
    events["total below 0"] += record["total"] < 0
    events["total above all points"] += record["total"] > 100 * record["rules"]["decks"]
    _count_levels(record, events)
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


def _count_levels(record: Record, events: Counter[str]) -> None:
    """Count what the deal did to the match: laps, stop levels, who declares next."""
    rules, levels = record["rules"], record["result"]["levels"]
    after, laps = record["levels_after"], record["laps_after"]
    free = dict(rules, match=dict(rules["match"], stop_levels=[]))
    # Fixed partners move together: one of each side is enough.
    for seat in range(2 if rules["partners"] == "fixed" else 4):
        won = (seat in record["attackers"]) == record["result"]["takes_over"]
        if not won:
            continue
        before = record["levels"][seat]
        if score.move_level(free, before, levels, True)[0] != after[seat]:
            held = "not left" if after[seat] == before else "not jumped over"
            events[f"stop level: {held}"] += 1
        events["lap completed"] += laps[seat] > record["laps"][seat]
        events["joker level reached"] += before < JOKER_LEVEL == after[seat]
    events["match won"] += record["match_won"] is not None
    following, declarer = record["next_declarer"], record["declarer"]
    who = "attacker" if following in record["attackers"] else "partner"
    if following == declarer:
        who = "same declarer"
    events[f"next declarer: {who}"] += 1
