"""`choose` against the simulator: from what was public, the same choice everywhere."""

import copy
import json
from collections import Counter

import pytest
from positions import decisions

from sim.judge import answer
from sim.record import Recorder, write_record
from sim.referee.cards import Layout
from sim.referee.follow import why_not_follow
from sim.rules import PRESETS
from sim.task import make_task


def records(variant: str, policy: str, first_deal: bool, deals: int, seed: int = 3):
    """Deal records as a reader of the file gets them."""
    task = make_task(
        variant, level="all", policy=policy, first_deal=first_deal, seed=seed
    )
    recorder = Recorder(task)
    found = [json.loads(write_record(recorder.deal(index))) for index in range(deals)]
    return [record for record in found if friend_is_plain(record)]


def friend_is_plain(record) -> bool:
    """Whether nobody but declarer and friend holds the called card.

    A position does not say whose copy makes the friend; a deal knows.
    """
    others = {*range(4)} - {record["declarer"], record["friend"]}
    return not any(
        record["called_card"] in play
        for trick in record["tricks"]
        for turn, play in enumerate(trick["plays"])
        if (trick["leader"] + turn) % 4 in others
    )


@pytest.mark.parametrize("first_deal", [False, True], ids=["later", "first"])
@pytest.mark.parametrize("variant", PRESETS)
def test_textbook_chooses_what_it_played(variant, first_deal, request):
    deals = 300 if request.config.getoption("--slow") else 20
    for record in records(variant, "textbook", first_deal, deals):
        for question, played in decisions(record):
            told = answer(question)
            assert sorted(told.get("cards", told)) == sorted(played), question


@pytest.mark.parametrize("first_deal", [False, True], ids=["later", "first"])
@pytest.mark.parametrize("variant", PRESETS)
def test_random_chooses_legally(variant, first_deal, request):
    """It draws lots, so another choice than the deal's: but always a legal one."""
    deals = 300 if request.config.getoption("--slow") else 20
    for record in records(variant, "random", first_deal, deals):
        for question, _ in decisions(record):
            cards = answer(question)["cards"]
            assert not Counter(cards) - Counter(question["hand"])
            layout = Layout(question["level"], question["trump"])
            if question["decision"] == "bury":
                assert len(cards) == 8
            elif question["decision"] == "lead":
                assert layout.suit_of_all(cards) is not None
            else:
                lead = question["tricks"][-1]["plays"][0]
                throw_follow = record["rules"]["throw_follow"]
                hand = question["hand"]
                assert why_not_follow(hand, lead, cards, layout, throw_follow) is None


def test_textbook_meets_random(request):
    """Positions that no two good players come to: wild throws, odd reburies."""
    deals = 300 if request.config.getoption("--slow") else 15
    for policy in ("textbook,random", "random,textbook"):
        for record in records("menghuan", policy, False, deals, seed=8):
            for question, played in decisions(record):
                if question["policy"]["base"] == "textbook":
                    assert sorted(answer(question)["cards"]) == sorted(played), question


# --- what is not a position -----------------------------------------------------------


def some(decision: str, seat_buried: bool = False) -> dict:
    """A question of a real deal, some tricks on."""
    for record in records("menghuan", "random", False, 20):
        for question, _ in decisions(record):
            if (
                question["decision"] == decision
                and (decision == "bury" or len(question["tricks"]) == 4)
                and (question["buried"] is not None) == seat_buried
            ):
                return copy.deepcopy(question)
    raise AssertionError("no such position")


def refused(question: dict, *parts: str) -> None:
    told = answer(question)
    assert "error" in told, told
    for part in parts:
        assert part in told["error"]


@pytest.mark.parametrize("decision", ["bury", "lead", "follow"])
def test_keys(decision):
    question = some(decision)
    assert "cards" in answer(question)
    for key in question:
        if key not in ("ask", "rules"):
            refused({k: v for k, v in question.items() if k != key}, key)
    refused({**question, "hands": []}, "unknown key 'hands'")


@pytest.mark.parametrize(
    ("changes", "parts"),
    [
        ({"policy": "textbok"}, ("textbok", "textbook")),
        ({"policy": {"base": "textbook", "nerve": 3}}, ("nerve",)),
        ({"policy": 7}, ("7",)),
        ({"decision": "call"}, ("decision", '"bury", "lead", "follow"')),
        ({"seat": 4}, ("seat = 4",)),
        ({"declarer": None}, ("declarer",)),
        ({"calls": {}}, ("calls",)),
        ({"tricks": 3}, ("tricks",)),
        ({"called_card": "HA"}, ("called_card", "fixed")),
        ({"hand": ["S2"]}, ("hand holds 1 cards",)),
        ({"hand": ["XX"]}, ("XX",)),
        ({"buried": ["S2"]}, ("buried",)),
        ({"level": 16}, ("level",)),
        ({"trump": "X"}, ("trump",)),
        ({"decks": 5}, ("decks",)),
        ({"decks": 3}, ("hand holds",)),
    ],
    ids=str,
)
def test_impossible_values(changes, parts):
    refused({**some("lead"), **changes}, *parts)


def test_not_this_seats_turn():
    lead, follow, bury = some("lead"), some("follow"), some("bury")
    refused({**lead, "seat": (lead["seat"] + 1) % 4}, "turn")
    refused({**lead, "decision": "follow"}, "plays must be one to three plays")
    refused({**follow, "decision": "lead"}, "missing key")
    refused({**bury, "seat": 1}, "turn")
    refused({**lead, "decision": "bury"}, "tricks must be []")
    refused({**bury, "decision": "follow", "buried": bury["hand"][:8]}, "no lead")


def test_tricks_that_were_not_so():
    question = some("follow")

    def changed(place: int, **values) -> dict:
        other = copy.deepcopy(question)
        other["tricks"][place].update(values)
        return other

    first = question["tricks"][0]
    refused(changed(0, points=first["points"] + 5), "tricks[0].points")
    refused(changed(0, winner=(first["winner"] + 1) % 4), "tricks[")
    refused(changed(0, leader=9), "tricks[0].leader")
    refused(changed(0, plays=first["plays"][:3]), "four plays")
    refused(changed(-1, winner=2), "under way")
    refused(changed(0, notes="!"), "unknown key 'notes'")
    refused(changed(0, plays=[*first["plays"][:3], []]), "plays[3]")
    refused(changed(0, tried=first["plays"][0]), "tried")
    same = [["S7"] * len(first["plays"][0])] * 4
    refused(changed(0, tried=None, plays=same), "S7 with 2 decks")


def test_the_burier_knows_what_lies_there():
    question = some("lead", seat_buried=True)
    assert "cards" in answer(question)
    refused({**question, "buried": None}, "buried is null")
    refused({**question, "buried": question["buried"][:7]}, "7 cards")
    other = some("lead")
    refused({**other, "buried": question["buried"]}, "must be null")
