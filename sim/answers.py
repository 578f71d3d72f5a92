"""Answers about cards, out of the same compiled kernels that the simulator runs.

Each function gets a checked `Question` and returns the answer of RECORDS.md section 2.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from kernels.codes import READ_TRICK
from kernels.follow import (
    DUTY_NOT_MET,
    LEGAL,
    WRONG_COUNT,
    duty,
    judge_follow,
    owes_shape,
)
from kernels.layout import count_points
from kernels.score import bottom_multiplier
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
from sim.planes import faces_on
from sim.question import SUIT_NAMES, Question, QuestionError

Answer = dict[str, Any]


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
