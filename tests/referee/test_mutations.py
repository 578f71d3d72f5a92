"""Every single value of a record, changed alone, is noticed."""

import copy
from collections.abc import Iterator
from typing import Any

import pytest

from referee.random_play import Record, random_record
from sim.referee.cards import KINDS
from sim.referee.replay import verify_record

# Nothing in a deal's play depends on these.
FREE = {"variant", "rules", "seed", "index", "stream_version", "policies"}
FREE |= {"policy_parameters", "redeals"}


def leaves(value: Any, path: tuple = ()) -> Iterator[tuple]:
    """Yield the path of every single value below one."""
    if isinstance(value, dict | list):
        items = value.items() if isinstance(value, dict) else enumerate(value)
        for key, each in items:
            yield from leaves(each, (*path, key))
    else:
        yield path


def changed(value: Any, path: tuple) -> Any:
    """Return another value of the same type."""
    if type(value) is bool:
        return not value
    if type(value) is int:
        return value - 1 if value else value + 1
    if value in KINDS:
        return KINDS[(KINDS.index(value) + 1) % len(KINDS)]
    if value is None:
        return {"turned": "S4", "match_won": [0, 2]}.get(path[-1], 1)
    return {"declarers": "attackers", "bid": "overcall", "S": "H"}.get(value, "S")


@pytest.mark.parametrize(
    ("variant", "seed"), [("menghuan", 3), ("competition", 4), ("bianfeng", 5)]
)
def test_every_change_is_noticed(variant: str, seed: int) -> None:
    """No value may be wrong without a fault."""
    record = random_record(variant, seed, declarer=2, levels=(9, 4), eager=0.8)
    assert verify_record(record) is None
    unnoticed = []
    for path in leaves({key: record[key] for key in record if key not in FREE}):
        # A bid a card earlier, or by another seat with the same card, may be as legal.
        if path[-1] == "after" or path == ("calls", 0, "seat"):
            continue
        wrong: Record = copy.deepcopy(record)
        place: Any = wrong
        for step in path[:-1]:
            place = place[step]
        place[path[-1]] = changed(place[path[-1]], path)
        if verify_record(wrong) is None:
            unnoticed.append(path)
    assert unnoticed == []
