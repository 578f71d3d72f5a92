"""Openings that no preset has: their options come from several variants."""

import json

import pytest

from sim.policies.catalog import setting_of
from sim.record import Record, Recorder, write_record
from sim.referee.replay import verify_record
from sim.rules import resolve_rules
from sim.task import Task


def played(policy: str, deals: int, first_deal: bool = False, **spec) -> list[Record]:
    """Records of some deals, each past the referee."""
    recorder = Recorder(
        Task(
            rules=resolve_rules(spec),
            policies=(setting_of(policy, {}),) * 4,
            level="all",
            first_deal=first_deal,
            seed=17,
        )
    )
    records = [json.loads(write_record(recorder.deal(n))) for n in range(deals)]
    for record in records:
        assert verify_record(record) is None
    return records


@pytest.mark.parametrize("policy", ["random", "textbook"])
def test_a_new_deal_after_an_auction(policy: str) -> None:
    redeal = {"weak_attacker_points": 40}
    records = played(policy, 100, base="pick-trump", redeal=redeal)
    assert any(record["redeals"] for record in records)
    assert any(not record["redeals"] for record in records)
    # In a first deal nobody may ask for it.
    for record in played(policy, 30, True, base="pick-trump", redeal=redeal):
        assert not record["redeals"]


@pytest.mark.parametrize("policy", ["random", "textbook"])
def test_the_declarers_side_first_in_a_round_after_the_deal(policy: str) -> None:
    bid = {"later_deals": "declarer_side_first", "with_joker": True}
    records = played(policy, 200, base="bianfeng", bid=bid)
    bidders = {record["calls"][0]["seat"] for record in records if record["calls"]}
    assert 2 not in bidders
    assert bidders >= {0, 1}
    for record in records:
        if record["calls"]:
            first = record["calls"][0]["seat"]
            assert record["declarer"] == (first if first % 2 else 0)


@pytest.mark.parametrize("policy", ["random", "textbook"])
def test_the_longest_auction(policy: str) -> None:
    """Down from the highest bound there may be; the log has room for it."""
    table = [[0, "declarers", 1], [1000, "attackers", 1]]
    records = played(policy, 20, base="pick-trump", level_table=table)
    most = max(len(record["calls"]) for record in records)
    assert most > (3 if policy == "random" else 10)
