"""Answers of the referee, out of the same compiled kernels that the simulator runs.

Each function gets a checked `Question` and returns the answer of RECORDS.md section 2.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from kernels.calls import (
    BJ_PAIR,
    CALLS_DTYPE,
    LJ_PAIR,
    STAGE_AFTER_BURY,
    STAGE_AFTER_DEAL,
    STAGE_DRAW,
    calls_in_hand,
    clear_calls,
    legal_calls,
    make_call,
    reinforces,
)
from kernels.codes import (
    BIG_JOKER,
    DECLARERS,
    JOKER_LEVEL,
    LITTLE_JOKER,
    LOWEST_LEVEL,
    READ_TRICK,
)
from kernels.follow import (
    DUTY_NOT_MET,
    LEGAL,
    WRONG_COUNT,
    duty,
    judge_follow,
    owes_shape,
)
from kernels.layout import RANKS, count_points
from kernels.score import bottom_multiplier, climb, next_declarer, read_level_table
from kernels.shape import (
    count_components,
    describe,
    next_component,
    read_runs,
    without_component,
)
from kernels.throw import smallest_failing
from kernels.trick import lead_strength, strength
from sim.cards import card_names, check_copies
from sim.option_values import BidWhen, Partners
from sim.planes import face_planes, faces_on
from sim.question import SUIT_NAMES, Question, QuestionError, shown

Answer = dict[str, Any]

LARGEST_TOTAL = 1_000_000_000  # points; no table and multiplier come near it


class Lead(NamedTuple):
    """What followers must know of a lead."""

    suit: int
    cards: int
    runs: np.uint64  # tractors, a nibble each
    pairs: int  # all pairs, those in tractors included
    is_throw: bool


def read_lead(question: Question, faces: Sequence[int]) -> Lead:
    """The lead's suit and shape."""
    suit = question.check_one_suit("lead", faces)
    one, two = question.planes(faces)
    return Lead(
        suit,
        len(faces),
        np.uint64(read_runs(two, question.layout)),
        int(two).bit_count(),
        count_components(one, two, question.layout) > 1,
    )


def component_cards(length: int, slots: int, question: Question) -> list[str]:
    """The cards of a component: one, or two on each of its slots."""
    names = card_names(faces_on(slots, question.layout))
    return names if length == 0 else [name for name in names for _ in range(2)]


def answer_components(question: Question) -> Answer:
    faces = question.cards("cards", least=1)
    suit = question.suit_of(faces)
    if suit < 0:
        return {"suit": None, "components": []}
    one, two = question.planes(faces)
    components = []
    while one:
        length, slots = next_component(one, two, question.layout)
        one, two = map(np.uint64, without_component(one, two, length, slots))
        components.append(
            {
                "kind": ("single", "pair", "tractor")[min(length, 2)],
                "width": min(length + 1, 2),
                "length": max(length, 1),
                "cards": component_cards(length, slots, question),
            }
        )
    return {"suit": SUIT_NAMES[suit], "components": components}


def answer_follow(question: Question) -> Answer:
    hand, lead, play = (question.cards(key) for key in ("hand", "lead", "play"))
    if not lead:
        raise QuestionError("lead holds no card")
    check_copies(question.decks, hand, lead)
    question.check_held("play", play, hand)
    question.check_hand("hand", hand)
    if len(hand) < len(lead):
        raise QuestionError(
            f"{len(lead)} cards led to a hand of {len(hand)}: all hands are as long"
        )
    led = read_lead(question, lead)
    layout = question.layout
    shape = bool(owes_shape(led.pairs, led.is_throw, question.codes))
    held, played = question.planes(hand), question.planes(play)
    verdict = judge_follow(
        *held, *played, led.suit, led.cards, led.runs, led.pairs, shape, layout
    )
    if verdict == LEGAL:
        return {"legal": True}
    if verdict == WRONG_COUNT:
        why = f"{led.cards} cards were led and {len(play)} are played"
    elif verdict == DUTY_NOT_MET:
        lane = np.uint64(layout["suit"][led.suit])
        owed, paid = (
            duty_words(duty(pairs & lane, led.runs, led.pairs, layout))
            for pairs in (held.two, played.two)
        )
        why = f"the hand owes {owed} of the suit led, the play pays {paid}"
    else:
        why = "cards of other suits are played before the suit led has run out"
    return {"legal": False, "why": why}


def duty_words(entries: int) -> str:
    """A duty list in words: `a tractor of 2 pairs and 1 pair`."""
    digits = [int(digit) for digit in f"{int(entries):016x}"]
    words = [f"a tractor of {digit} pairs" for digit in digits if digit > 1]
    pairs = digits.count(1)
    if pairs:
        words.append("1 pair" if pairs == 1 else f"{pairs} pairs")
    return " and ".join(words) or "no pair"


def answer_throw(question: Question) -> Answer:
    lead = question.cards("lead", least=1)
    question.check_hand("lead", lead)
    others = question.card_lists("others", 3)
    check_copies(question.decks, lead, *others)
    for place, hand in enumerate(others):
        question.check_hand(f"others[{place}]", hand)
    if not read_lead(question, lead).is_throw:
        return {"stands": True}  # one component is no throw, whoever holds a higher one
    hands = np.zeros((4, 2), np.uint64)
    for place, hand in enumerate(others, 1):
        hands[place] = question.planes(hand)
    length, slots = smallest_failing(*question.planes(lead), hands, 0, question.layout)
    if length < 0:
        return {"stands": True}
    return {"stands": False, "forced": component_cards(length, slots, question)}


def answer_winner(question: Question) -> Answer:
    plays = question.card_lists("plays", 4, least=1)
    for place, play in enumerate(plays):
        question.check_hand(f"plays[{place}]", play)
    if len({len(play) for play in plays}) > 1:
        raise QuestionError(
            f"plays of {', '.join(str(len(play)) for play in plays)} cards: "
            "all four play as many as were led"
        )
    lead, layout = read_lead(question, plays[0]), question.layout
    points, winner, best = 0, 0, 0
    for place, play in enumerate(plays):
        one, two = question.planes(play)
        points += count_points(one, two, layout)
        power = (
            strength(
                one,
                two,
                lead.suit,
                lead.cards,
                lead.runs,
                lead.pairs,
                lead.is_throw,
                layout,
            )
            if place
            else lead_strength(one, layout)
        )
        if place == 0 or power > best:
            winner, best = place, power
    return {"winner": winner, "points": int(points)}


def answer_multiplier(question: Question) -> Answer:
    lead = question.cards("lead", least=1)
    winning = question.cards("winning", least=1)
    question.check_hand("lead", lead)
    question.check_hand("winning", winning)
    if len(lead) != len(winning):
        raise QuestionError(
            f"{len(lead)} cards led and {len(winning)} winning: they are as many"
        )
    if sorted(lead) != sorted(winning):  # the lead itself may have won
        check_copies(question.decks, lead, winning)
    question.check_one_suit("lead", lead)
    question.check_one_suit("winning", winning)
    codes = question.codes
    read = lead if codes.read_from == READ_TRICK else winning
    kinds, run = describe(*question.planes(read), question.layout)
    return {"multiplier": int(bottom_multiplier(len(lead), kinds, run, codes))}


def answer_result(question: Question) -> Answer:
    total = question.whole("total", -LARGEST_TOTAL, LARGEST_TOTAL)
    if total % 5:
        raise QuestionError(f"total = {total} is not a multiple of 5, as totals are")
    declarer = question.seat("declarer")
    refuse_foreign_keys(question)
    levels = question.value("levels")
    if not isinstance(levels, list) or len(levels) != 4:
        raise QuestionError(f"levels = {shown(levels)} must be a list of four levels")
    for seat, level in enumerate(levels):
        question.check_level(f"levels[{seat}]", level)
    if levels[:2] != levels[2:]:
        raise QuestionError(f"levels = {shown(levels)}: partners have the same level")
    codes = question.codes
    side, gained = read_level_table(total, codes)
    declarers_win = bool(side == DECLARERS)
    after = list(levels)
    for seat in range(4):
        if (seat % 2 == declarer % 2) == declarers_win:
            after[seat] = int(climb(levels[seat], gained, declarers_win, codes)[0])
    return {
        "result": {
            "side": "declarers" if declarers_win else "attackers",
            "levels": int(gained),
            "takes_over": not declarers_win,
        },
        "levels_after": after,
        "next_declarer": int(next_declarer(declarer, side)),
    }


def refuse_foreign_keys(question: Question) -> None:
    """`friend` and `target` belong to variants that have them; null says nothing."""
    for key, option, needed in (
        ("friend", "partners", Partners.CALLED),
        ("target", "bid.when", BidWhen.AUCTION),
    ):
        given = question.asked.get(key)
        if given is not None and question.rules.value(option) != needed:
            raise QuestionError(
                f'{key} = {shown(given)} needs a variant with {option} = "{needed}"'
            )


# --- calls --------------------------------------------------------------------------

STAGES = {
    "draw": STAGE_DRAW,
    "after_deal": STAGE_AFTER_DEAL,
    "after_bury": STAGE_AFTER_BURY,
}
CALL_KEYS = ("seat", "kind", "cards", "after")
CALL_KINDS = ("bid", "reinforce", "overcall")


def answer_calls(question: Question) -> Answer:
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
    held = calls_in_hand(*face_planes(hand), question.level)
    legal = int(
        legal_calls(
            held,
            seat,
            STAGES[stage],
            declarer is None,
            replay_calls(question, history, declarer, stage),
            question.codes,
        )
    )
    return {
        "legal": [
            card_names(call_cards(call, question.level))
            for call in range(BJ_PAIR + 1)
            if legal >> call & 1
        ]
    }


class Call(NamedTuple):
    """A call that was made: a number of `kernels.calls`, and who made it how."""

    seat: int
    kind: str
    number: int


def call_cards(number: int, level: int) -> list[int]:
    """The faces that a call shows."""
    if number >= LJ_PAIR:
        return [LITTLE_JOKER if number == LJ_PAIR else BIG_JOKER] * 2
    face = RANKS * (number & 3) + level - LOWEST_LEVEL
    return [face] * (1 + (number >= 4))


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
            raise QuestionError(f"unknown key {key!r} in {name}")
    for key in CALL_KEYS:
        if key not in call:
            raise QuestionError(f"missing key {key!r} in {name}")
    seat, kind, after = call["seat"], call["kind"], call["after"]
    if seat not in range(4) or isinstance(seat, (bool, float)):
        raise QuestionError(f"{name}.seat = {shown(seat)} must be 0, 1, 2 or 3")
    if kind not in CALL_KINDS:
        kinds = ", ".join(map(shown, CALL_KINDS))
        raise QuestionError(f"{name}.kind = {shown(kind)} is not one of {kinds}")
    drawn = range(50 * question.decks + 1)
    if after not in drawn or isinstance(after, (bool, float)):
        raise QuestionError(
            f"{name}.after = {shown(after)} must be from 0 to {drawn[-1]} cards"
        )
    faces = question.faces(f"{name}.cards", call["cards"])
    for number in range(BJ_PAIR + 1):
        if faces == call_cards(number, question.level):
            return Call(seat, kind, number)
    raise QuestionError(
        f"{name} shows {', '.join(card_names(faces)) or 'no card'}: a call shows one "
        f"level card or a pair of them, or a pair of jokers"
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
        for face in set(call_cards(call.number, question.level)):
            copies = call_cards(call.number, question.level)
            known = lying.setdefault(call.seat, [])
            known += copies[known.count(face) :]
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
        # A side at the joker level has no card to call with.
        held = 0 if question.level == JOKER_LEVEL else 1 << call.number
        first, codes = declarer is None, question.codes
        if not any(
            legal_calls(held, call.seat, when, first, calls, codes) for when in stages
        ):
            cards = " ".join(card_names(call_cards(call.number, question.level)))
            raise QuestionError(
                f"{name}: seat {call.seat} may not call {cards} over what stands"
                if place
                else f"{name}: seat {call.seat} may not bid {cards}"
            )
        make_call(call.number, call.seat, calls)
    return calls
