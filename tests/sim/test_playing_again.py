"""What no reading of one record shows, but playing the deal again does."""

import json
from functools import cache
from typing import Any

import pytest
from referee.test_mutations import ELSEWHERE

from sim.policies.catalog import POLICY
from sim.record import Record, Recorder, write_record
from sim.task import make_task, match_task
from sim.verify import check_lines


@cache
def _lines(policy: str, first_deal: bool) -> tuple[str, ...]:
    task = make_task(
        "competition", level="all", policy=policy, first_deal=first_deal, seed=3
    )
    recorder = Recorder(task)
    return tuple(write_record(recorder.deal(index)) for index in range(40))


def records(policy: str = "textbook", first_deal: bool = False) -> list[Record]:
    return [json.loads(line) for line in _lines(policy, first_deal)]


def replayed(record: Record, **changes: Any) -> str | None:
    """What playing again says; the referee by itself finds nothing."""
    line = json.dumps(record | changes)
    assert list(check_lines([line], replay=False)) == [None]
    (told,) = check_lines([line], replay=True)
    return told


CHANGES = {
    "seed": (4, "drawn differs"),
    "index": (8, "drawn differs"),
    "stream_version": (9, "stream_version is 9, this version"),
    "policies": (["random"] * 4, "differs from the deal played again"),
}


@pytest.mark.parametrize("key", CHANGES)
def test_where_a_deal_comes_from(key: str) -> None:
    record = records()[9]
    assert replayed(record) is None
    value, what = CHANGES[key]
    parameters = {}
    if key == "policies":
        parameters["policy_parameters"] = records("random")[9]["policy_parameters"]
    told = replayed(record, **{key: value}, **parameters)
    assert told is not None
    assert what in told


def test_policy_parameters() -> None:
    """Another number plays some deal otherwise, most of the numbers do."""
    seen = 0
    (names,) = {tuple(record["policy_parameters"][0]) for record in records()}
    for parameter in POLICY["textbook"].parameters:
        low, high = parameter.low, parameter.high
        for record in records():
            values = record["policy_parameters"][0]
            other = low if values[parameter.name] != low else high
            changed = [values | {parameter.name: other}] * 4
            if replayed(record, policy_parameters=changed) is not None:
                seen += 1
                break
    assert seen > len(names) / 2


def test_nothing_else_is_only_seen_so() -> None:
    rest = set(ELSEWHERE) - set(CHANGES)
    assert rest == {"variant", "rules", "policy_parameters"}


def test_shuffles_thrown_away() -> None:
    """How many there were in a first deal."""
    record = records(first_deal=True)[2]
    told = replayed(record, redeals=record["redeals"] + 1)
    assert "redeals differs" in str(told)


def test_the_order_of_the_cards() -> None:
    """In the hands of those who do not call, and in the bottom."""
    record = records()[9]
    callers = [call["seat"] for call in record["calls"]]
    hands = [
        hand if seat in callers else hand[::-1]
        for seat, hand in enumerate(record["drawn"])
    ]
    assert "drawn differs" in str(replayed(record, drawn=hands))
    bottom = record["bottom"]
    turned = bottom[:2][::-1] + bottom[2:]
    assert "bottom differs" in str(replayed(record, bottom=turned))


def test_the_moment_of_a_call() -> None:
    """A bid may as well have waited."""
    for record in records():
        if len(record["calls"]) == 1 and record["calls"][0]["after"] < 90:
            call = record["calls"][0]
            later = [call | {"after": call["after"] + 1}]
            assert "calls differs" in str(replayed(record, calls=later))
            return
    raise AssertionError("no such deal")


@cache
def _match() -> tuple[str, ...]:
    recorder = Recorder(match_task("bianfeng-friend", seed=3))
    return tuple(map(write_record, recorder.match(5)))


def test_a_match_is_played_again() -> None:
    assert list(check_lines(_match(), replay=True)) == [None] * len(_match())
    # A deal alone, too, and the deals in another order.
    assert list(check_lines(_match()[::-1], replay=True)) == [None] * len(_match())


@pytest.mark.parametrize(("key", "value"), [("seed", 4), ("match", 6), ("deal", 4)])
def test_where_a_deal_of_a_match_comes_from(key: str, value: int) -> None:
    told = replayed(json.loads(_match()[3]), **{key: value})
    assert told is not None
    assert "differs from the deal played again" in told


def test_a_deal_after_the_end() -> None:
    record = json.loads(_match()[3])
    told = replayed(record, deal=900)
    assert f"deal is 900: the match played again is over after {len(_match())}" in (
        told or ""
    )


def test_another_standing() -> None:
    """Levels that nobody moved from in this deal fit the deal as well."""
    record = json.loads(_match()[3])
    still = [
        seat
        for seat in range(4)
        if record["levels"][seat] == record["levels_after"][seat]
        and seat != record["declarer"]
    ]
    other = {
        key: [9 if seat in still else level for seat, level in enumerate(record[key])]
        for key in ("levels", "levels_after")
    }
    assert "levels differs" in str(replayed(record, **other))
