"""Deal records for `verify`: golden ones, changed key by key and card by card."""

import json
from functools import cache
from pathlib import Path
from typing import Any

from luck import Luck
from mutate import JSON_ONLY, ODD_VALUES, json_text, mutate, mutate_bytes
from questions import ALL_CARDS

GOLDEN = Path(__file__).resolve().parent.parent / "golden"
ODD = (*ODD_VALUES, *JSON_ONLY)
CARDS = (*ALL_CARDS, "LJ", "BJ")


@cache
def golden() -> tuple[dict[str, Any], ...]:
    return tuple(
        json.loads(line)
        for path in sorted(GOLDEN.glob("*.jsonl"))
        for line in path.read_text("utf-8").splitlines()
    )


def record_tree(luck: Luck) -> tuple[Any, Any]:
    """A golden record, and the same with something changed."""
    record = luck.pick(golden())
    way = luck.below(6)
    if way == 0:
        key = luck.pick(tuple(record))
        return record, {**record, key: luck.pick(ODD)}
    if way == 1:
        return record, with_another_card(record, luck)
    if way == 2:  # rules are a tree of their own
        return record, {**record, "rules": mutate(record["rules"], luck, ODD)}
    if way == 3:
        other, key = luck.pick(golden()), luck.pick(tuple(record))
        return record, {**record, key: other[key]}
    return record, mutate(record, luck, ODD, times=1 + luck.below(2))


def with_another_card(record: dict[str, Any], luck: Luck) -> dict[str, Any]:
    """One card of one play, hand or bury replaced by another."""
    changed = json.loads(json.dumps(record))
    holders = [*changed["drawn"], changed["bottom"]]
    holders += [play for trick in changed["tricks"] for play in trick["plays"]]
    holders += [bury[key] for bury in changed["buries"] for key in ("took", "buried")]
    cards = luck.pick(holders)
    cards[luck.below(len(cards))] = luck.pick(CARDS)
    return changed


def record_text(luck: Luck) -> bytes:
    """Records as a file has them: one, or one changed between right ones."""
    record, changed = record_tree(luck)
    lines = [json_text(changed)]
    if luck.one_in(8):
        lines = [json_text(record), "", *lines]
    text = "\n".join(lines).encode("utf-8", "surrogatepass")
    return mutate_bytes(text, luck) if luck.one_in(4) else text
