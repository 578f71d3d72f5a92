"""Positions with one right play: no good player would argue about them.

positions.toml holds whole deals: the four hands and the bottom when play begins (for a
bury the hands after the declarer took the bottom up), and the tricks so far, each play
in order from the leader. `textbook` is asked as anybody may ask it, by `choose`.
"""

import tomllib
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from sim.judge import answer
from sim.referee.cards import Layout, count_points, whole_pack
from sim.referee.follow import why_not_follow
from sim.referee.replay_play import Play
from sim.referee.throw import forced_component
from sim.referee.trick import winning_place
from sim.rules import load_rules

Position = dict[str, Any]

POSITIONS: list[Position] = tomllib.loads(
    Path(__file__).with_name("positions.toml").read_text("utf-8")
)["position"]
by_name = pytest.mark.parametrize("position", POSITIONS, ids=lambda p: p["name"])


def play_on(position: Position) -> tuple[Play, list[dict[str, Any]]]:
    """Let the referee play the tricks: hands are what is left, the record's tricks."""
    layout = Layout(position["level"], position["trump"])
    play = Play(
        [hand.split() for hand in position["hands"]],
        layout,
        load_rules(position["variant"]).throw_follow,
        position["declarer"],
        [],
    )
    tricks: list[dict[str, Any]] = []
    for number, text in enumerate(position["tricks"], start=1):
        plays = [cards.split() for cards in text.split("|")]
        trick = {"leader": play.leader, "tried": None, "plays": plays}
        seats = [(play.leader + turn) % 4 for turn in range(len(plays))]
        if len(plays) == 4:
            trick["winner"] = seats[winning_place(plays, layout)]
            trick["points"] = sum(map(count_points, plays))
            play._trick(trick, number)
        else:
            play._lead(trick, [(play.leader + turn) % 4 for turn in range(4)], number)
            for seat, cards in zip(seats[1:], plays[1:], strict=True):
                play._follow(seat, plays[0], cards, number)
        tricks.append(trick)
    return play, tricks


def question_of(position: Position) -> dict[str, Any]:
    """The position as its seat sees it."""
    play, tricks = play_on(position)
    under_way = bool(tricks) and "winner" not in tricks[-1]
    seat = play.leader
    if under_way:
        seat = (tricks[-1]["leader"] + len(tricks[-1]["plays"])) % 4
    buried = position["decision"] != "bury" and seat == position["declarer"]
    return {
        "ask": "choose",
        "policy": "textbook",
        "rules": position["variant"],
        "level": position["level"],
        "trump": position["trump"],
        "seat": seat,
        "decision": position["decision"],
        "hand": play.hands[seat],
        "declarer": position["declarer"],
        "calls": [],
        "buried": position["buried"].split() if buried else None,
        "tricks": tricks,
        "called_card": None,
    }


@by_name
def test_position_is_whole_and_legal(position):
    """Every card is there, the tricks are legal, and so are the right plays."""
    cards = Counter(" ".join([*position["hands"], position["buried"]]).split())
    assert cards == whole_pack(2)
    play, tricks = play_on(position)
    question = question_of(position)
    seat, hand = question["seat"], question["hand"]
    for text in position["right"]:
        right = text.split()
        assert not Counter(right) - Counter(hand)
        if position["decision"] == "bury":
            assert len(right) == 8
        elif position["decision"] == "lead":
            others = [play.hands[other] for other in range(4) if other != seat]
            assert play.layout.suit_of_all(right) is not None
            assert forced_component(right, others, play.layout) is None
        else:
            lead = tricks[-1]["plays"][0]
            why = why_not_follow(hand, lead, right, play.layout, play.throw_follow)
            assert why is None


@by_name
def test_textbook_plays_it_right(position):
    told = answer(question_of(position))
    right = [sorted(text.split()) for text in position["right"]]
    assert sorted(told.get("cards", told)) in right, position["why"]


def test_there_are_enough_of_every_decision():
    decisions = Counter(position["decision"] for position in POSITIONS)
    assert decisions["bury"] >= 5
    assert decisions["lead"] >= 10
    assert decisions["follow"] >= 15
    assert {position["variant"] for position in POSITIONS} == {
        "menghuan",
        "bianfeng",
        "competition",
    }
