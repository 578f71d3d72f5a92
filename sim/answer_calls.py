"""The ask `calls`: which calls a seat may make now, after those made before."""

from collections import Counter
from typing import Any, NamedTuple

import numpy as np

from kernels.calls import (
    BJ_PAIR,
    CALLS_DTYPE,
    PAIRS,
    STAGE_AFTER_BURY,
    STAGE_AFTER_DEAL,
    STAGE_DRAW,
    call_cards,
    calls_in_hand,
    clear_calls,
    legal_calls,
    make_call,
    reinforces,
)
from kernels.codes import DRAWN, JOKER_LEVEL
from sim.cards import card_names, check_copies
from sim.option_values import BidWhen
from sim.plain import quoted
from sim.planes import face_planes
from sim.question import Question, QuestionError, shown

Answer = dict[str, Any]

STAGES = {
    "draw": STAGE_DRAW,
    "after_deal": STAGE_AFTER_DEAL,
    "after_bury": STAGE_AFTER_BURY,
}
CALL_KEYS = ("seat", "kind", "cards", "after")
CALL_KINDS = ("bid", "reinforce", "overcall")


def answer_calls(question: Question) -> Answer:
    if question.rules.bid.when == BidWhen.AUCTION:
        raise QuestionError(
            "calls asks which cards may be shown, but the rules have bid.when = "
            '"auction": nobody shows a card in an auction'
        )
    hand = question.cards("hand")
    seat, declarer = question.seat("seat"), question.seat_or_none("declarer")
    stage = question.one_of("stage", list(STAGES))
    could = question.asked.get("declarer_side_could_bid")
    if could is not None and not isinstance(could, bool):
        raise QuestionError(
            f"declarer_side_could_bid = {shown(could)} must be true, false or null"
        )
    history = read_history(question)
    check_shown(question, hand, seat, stage, history)
    one, two, *_ = face_planes(hand, question.decks)
    held = calls_in_hand(one, two, question.level, question.codes.with_joker)
    legal = int(
        legal_calls(
            held,
            seat,
            STAGES[stage],
            -1 if declarer is None else declarer,
            could is not False,
            replay_calls(question, history, declarer, stage),
            question.codes,
        )
    )
    return {
        "legal": [
            card_names(shown_cards(call, question))
            for call in range(BJ_PAIR + 1)
            if legal >> call & 1
        ]
    }


class Call(NamedTuple):
    """A call that was made: a number of `kernels.calls`, and who made it how."""

    seat: int
    kind: str
    number: int


def shown_cards(call: int, question: Question) -> list[int]:
    """The faces that a call shows, at the level of the question."""
    return call_cards(call, question.level, question.codes.with_joker)


def read_history(question: Question) -> list[Call]:
    """The calls so far, each read and checked for itself."""
    history = question.value("history")
    if not isinstance(history, list):
        raise QuestionError(f"history = {shown(history)} must be a list of calls")
    return [
        read_call(question, f"history[{place}]", call)
        for place, call in enumerate(history)
    ]


def read_call(question: Question, name: str, call: Any) -> Call:
    if not isinstance(call, dict):
        raise QuestionError(f"{name} = {shown(call)} must be an object")
    for key in call:
        if key not in CALL_KEYS:
            raise QuestionError(f"unknown key {quoted(key)} in {name}")
    for key in CALL_KEYS:
        if key not in call:
            raise QuestionError(f"missing key {key!r} in {name}")
    seat, kind, after = call["seat"], call["kind"], call["after"]
    if seat not in range(4) or isinstance(seat, (bool, float)):
        raise QuestionError(f"{name}.seat = {shown(seat)} must be 0, 1, 2 or 3")
    if kind not in CALL_KINDS:
        kinds = ", ".join(map(shown, CALL_KINDS))
        raise QuestionError(f"{name}.kind = {shown(kind)} is not one of {kinds}")
    drawn = range(DRAWN[question.decks] + 1)
    if after not in drawn or isinstance(after, (bool, float)):
        raise QuestionError(
            f"{name}.after = {shown(after)} must be from 0 to {drawn[-1]} cards"
        )
    faces = question.faces(f"{name}.cards", call["cards"])
    for number in range(BJ_PAIR + 1):
        if sorted(faces) == sorted(shown_cards(number, question)):
            return Call(seat, kind, number)
    beside = " with a joker of its colour" if question.codes.with_joker else ""
    raise QuestionError(
        f"{name} shows {', '.join(card_names(faces)) or 'no card'}: a call shows one "
        f"level card or a pair of them{beside}, or a pair of jokers"
    )


def check_shown(
    question: Question, hand: list[int], seat: int, stage: str, history: list[Call]
) -> None:
    """Cards shown lie where they were shown, until a bottom is taken and buried."""
    if stage == "after_bury":
        return
    lying: dict[int, list[int]] = {}
    for call in history:
        # A single may be shown again in a pair: of each kind the most shown counts.
        for face, copies in Counter(shown_cards(call.number, question)).items():
            known = lying.setdefault(call.seat, [])
            known += [face] * (copies - known.count(face))
    if seat in lying:
        question.check_held("what the seat has shown", lying.pop(seat), hand)
    check_copies(question.decks, hand, *lying.values())


def replay_calls(
    question: Question,
    history: list[Call],
    declarer: int | None,
    stage: str,
    key: str = "history",
) -> np.void:
    """The standing call and all that matters of the others, as kernels keep it."""
    calls = np.zeros(1, CALLS_DTYPE)[0]
    clear_calls(calls)
    # Each call was made at this stage or before it.
    stages = list(STAGES.values())[: STAGES[stage] + 1]
    for place, call in enumerate(history):
        kind = "overcall"
        if place == 0:
            kind = "bid"
        elif reinforces(call.number, call.seat, calls):
            kind = "reinforce"
        name = f"{key}[{place}]"
        if call.kind != kind:
            raise QuestionError(f"{name}.kind = {shown(call.kind)} is a call of {kind}")
        if place == 0:
            # A side at the joker level has no card to call with.
            held = 0 if question.level == JOKER_LEVEL else 1 << call.number
            given = -1 if declarer is None else declarer
            could = any(
                legal_calls(held, call.seat, when, given, False, calls, question.codes)
                for when in stages
            )
        else:
            # Whether it was strong enough is past: what stands is what was said.
            could = bool(1 << call.number & PAIRS)
        if not could:
            cards = " ".join(card_names(shown_cards(call.number, question)))
            raise QuestionError(
                f"{name}: seat {call.seat} may not call {cards} over what stands"
                if place
                else f"{name}: seat {call.seat} may not bid {cards}"
            )
        make_call(call.number, call.seat, calls)
    return calls
