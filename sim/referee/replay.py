"""Checking deal records: a stranger's replay of every line, card by card."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from sim.referee import score
from sim.referee.cards import (
    JOKER_LEVEL,
    KINDS,
    Layout,
    count_points,
    layout_of,
    parse_card,
)
from sim.referee.fault import Broken, Fault, said
from sim.referee.reading import read_json
from sim.referee.replay_calls import Opening
from sim.referee.replay_play import Play
from sim.referee.schema import check_record

Record = Mapping[str, Any]
# What else is asked of a record whose keys and types are right; it raises Broken.
Check = Callable[[Record], None]


def verify_record(record: Any, check: Check | None = None) -> Fault | None:
    """Replay one deal record against the rules; return the first fault, or None."""
    try:
        check_record(record)
        if check is not None:
            check(record)
        _replay(canonical(record))
    except Broken as broken:
        return Fault(broken.trick, broken.what, deal_name(record))
    return None


def verify_lines(lines: Iterable[str]) -> Iterator[tuple[int, Fault]]:
    """Replay deal records, one a line; yield (line number from 1, fault).

    Of each line the first fault is reported. Deals of one match that follow each
    other in the lines must also join: levels, laps and declarer.
    """
    for number, _, fault in verify_each(lines):
        if fault is not None:
            yield number, fault


def verify_each(
    lines: Iterable[str], check: Check | None = None
) -> Iterator[tuple[int, Any, Fault | None]]:
    """Replay deal records as verify_lines does; yield each with its line and fault.

    Blank lines are passed over, but counted. The record is None where the line is not
    JSON. `check` is put before the replay.
    """
    before: Record | None = None
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        record, fault = None, None
        try:
            record = read_json(line)
        except ValueError as error:
            fault = Fault(None, f"not a JSON object: {error}")
        else:
            fault = verify_record(record, check) or _check_joint(before, record)
        before = record if fault is None else None
        yield number, record, fault


def deal_name(record: Any) -> str | None:
    """Name a record's deal for a message: `deal 41`, `match 3: deal 0`."""
    if not isinstance(record, dict):
        return None
    index, match, deal = (record.get(key) for key in ("index", "match", "deal"))
    if type(index) is int:
        return f"deal {index}"
    if type(match) is int and type(deal) is int:
        return f"match {match}: deal {deal}"
    return None


# Keys under which a record has cards, and those whose values hold such keys.
_CARD_KEYS = {"cards", "took", "buried", "tried", "plays", "drawn", "bottom"}
_CARD_KEYS |= {"turned", "called_card"}
_INNER_KEYS = {"calls", "buries", "tricks"}
_CANONICAL = set(KINDS)


def canonical(record: Record) -> Record:
    """Return a checked record with every card in one spelling (`S10` is `ST`)."""
    return {
        key: [canonical(each) for each in value]
        if key in _INNER_KEYS
        else _canonical_cards(value)
        if key in _CARD_KEYS
        else value
        for key, value in record.items()
    }


def _canonical_cards(value: Any) -> Any:
    """Return a card, or cards in lists, in one spelling; null stays null."""
    if isinstance(value, str):
        return parse_card(value)
    if value is None:
        return value
    in_lists = any(isinstance(each, list) for each in value[:1])
    if not in_lists and _CANONICAL.issuperset(value):
        return value
    return [_canonical_cards(each) for each in value]


def _expect(record: Record, key: str, value: object) -> None:
    if record[key] != value:
        raise Broken(f"{key} is {said(record[key])}, should be {said(value)}")


def _replay(record: Record) -> None:
    _check_start(record)
    opening = Opening(record)
    opening.replay()
    rules, declarer = record["rules"], opening.declarer
    friend = _friend(record, opening)
    _expect(record, "friend", friend)
    attackers = score.attackers_of(rules, declarer, friend)
    if sorted(record["attackers"]) != attackers:
        raise Broken(f"attackers is {said(record['attackers'])}, should be {attackers}")

    layout = layout_of(opening.level, opening.trump)
    play = Play(opening.hands, layout, rules["throw_follow"], declarer, attackers)
    play.replay(record["tricks"])
    _expect(record, "trick_points", play.trick_points)
    _expect(record, "failed_throws", play.failed_throws)
    _score(record, opening, play, friend, layout)


def _check_start(record: Record) -> None:
    """Check what is given before the deal: its place, the levels, the laps."""
    rules = record["rules"]
    in_match = record["match"] is not None
    if in_match != (record["deal"] is not None) or in_match != (
        record["index"] is None
    ):
        raise Broken("either index is given, or match and deal are")
    first = record["declarer_before"] is None
    if in_match and first != (record["deal"] == 0):
        raise Broken("declarer_before is null in a match's first deal and only there")
    levels, laps = record["levels"], record["laps"]
    for key in ("levels", "laps"):
        if rules["partners"] == "fixed" and record[key][:2] != record[key][2:]:
            raise Broken(f"{key} is {said(record[key])}, partners stand at the same")
    reached = rules["match"]["after_ace"] == "jokers"
    if in_match and JOKER_LEVEL in levels and not reached:
        raise Broken(f"levels is {levels}, match.after_ace allows 2 to 14")
    if max(laps) >= rules["match"]["laps"]:
        raise Broken(f"laps is {said(laps)}: the match was won before this deal")
    if first:
        if len(set(levels)) > 1:
            raise Broken(f"levels is {levels}, in a first deal all are the same")
        if in_match and levels[0] != 2:
            raise Broken(f"levels is {levels}, a match starts at 2")
        if any(laps):
            raise Broken(f"laps is {said(laps)}, in a first deal all are 0")
        if levels[0] == JOKER_LEVEL and rules["bid"]["when"] != "auction":
            raise Broken("a first deal cannot be played at the joker level")


def _friend(record: Record, opening: Opening) -> int | None:
    """Return the friend by the called card, None with fixed partners or alone."""
    card = record["called_card"]
    if record["rules"]["partners"] == "fixed":
        if card is not None:
            raise Broken(f"called_card is {card}, but partners are fixed")
        return None
    if card is None:
        raise Broken("called_card is null, but the declarer calls a friend")
    for turn in range(1, 4):
        seat = (opening.declarer + turn) % 4
        if card in opening.hands[seat]:
            return seat
    return None


def _score(
    record: Record,
    opening: Opening,
    play: Play,
    friend: int | None,
    layout: Layout,
) -> None:
    """Check everything that is counted after the last trick."""
    rules, declarer = record["rules"], opening.declarer
    assert play.last is not None  # a deal has at least one trick
    leader, winner, plays = play.last
    captured = winner in play.attackers
    multiplier = None
    if captured:
        winning = plays[(winner - leader) % 4]
        multiplier = score.multiplier(rules, plays[0], winning, layout)
    bottom_points = count_points(opening.bottom)
    _expect(record, "bottom_points", bottom_points)
    _expect(record, "captured", captured)
    _expect(record, "multiplier", multiplier)

    net = sum(
        failed * (-1 if seat in play.attackers else 1)
        for seat, failed in enumerate(play.failed_throws)
    )
    penalty = net * rules["failed_throw"]["points"]
    _expect(record, "penalty_points", penalty)
    total = play.trick_points + bottom_points * (multiplier or 0) + penalty
    _expect(record, "total", total)

    result = score.read_level_table(rules, total, opening.target)
    _expect(record, "result", result.as_record())
    levels, laps = score.levels_after(
        rules, record["levels"], record["laps"], declarer, friend, result
    )
    _expect(record, "levels_after", levels)
    _expect(record, "laps_after", laps)
    following = score.next_declarer(rules, declarer, friend, result)
    _expect(record, "next_declarer", following)
    _expect(record, "match_won", score.match_winners(rules, laps))


def _check_joint(before: Record | None, record: Record) -> Fault | None:
    """Check that a deal takes up where the same match's last one, just above, ended."""
    same = ("seed", "match", "rules", "policies", "policy_parameters", "stream_version")
    if before is None or record["match"] is None:
        return None
    if any(before[key] != record[key] for key in same):
        return None
    if record["deal"] != before["deal"] + 1:
        return None
    joints = {
        "levels": "levels_after",
        "laps": "laps_after",
        "declarer_before": "next_declarer",
    }
    for key, source in joints.items():
        if record[key] != before[source]:
            what = f"{key} is {said(record[key])}, the deal before ended with"
            return Fault(None, f"{what} {said(before[source])}", deal_name(record))
    return None
