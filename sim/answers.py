"""Answers about cards, out of the same compiled kernels that the simulator runs.

Each function gets a checked `Question` and returns the answer of RECORDS.md section 2.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from kernels.codes import READ_TRICK
from kernels.follow import (
    DUTY_NOT_MET,
    LEGAL,
    WRONG_COUNT,
    duty,
    duty_entries,
    judge_follow,
)
from kernels.layout import count_points
from kernels.lead import LEAD_DTYPE, lead_strength, read_lead
from kernels.planes import PLANES_DTYPE, copies, load, store, within
from kernels.score import bottom_multiplier
from kernels.shape import (
    count_components,
    describe,
    next_component,
    without_component,
)
from kernels.throw import smallest_failing
from kernels.trick import strength
from sim.cards import card_names, check_copies
from sim.planes import Planes, as_planes, faces_in
from sim.question import SUIT_NAMES, Question, QuestionError

Answer = dict[str, Any]

# By width, 1 to 4: lone tuples and runs.
TUPLE_KINDS = ("single", "pair", "triple", "quad")
RUN_KINDS = ("single", "tractor", "titanic", "quad_run")


def lead_of(question: Question, faces: Sequence[int]) -> np.void:
    """What followers must know of a lead: a LEAD record."""
    question.check_one_suit("lead", faces)
    cards = question.planes(faces)
    lead = np.zeros(1, LEAD_DTYPE[question.decks])[0]
    throw = int(count_components(cards, question.layout) > 1)
    read_lead(cards, throw, lead, question.layout, question.options)
    return lead


def component_cards(
    width: int, slots: int, cards: Planes, question: Question
) -> list[str]:
    """The cards of a component: so many copies on each of its slots."""
    planes = copies(np.uint64(slots), width, cards)
    return card_names(faces_in(planes, question.layout))


def answer_components(question: Question) -> Answer:
    faces = question.cards("cards", least=1)
    suit = question.suit_of(faces)
    if suit < 0:
        return {"suit": None, "components": []}
    cards = question.planes(faces)
    components = []
    while cards[0]:
        width, length, slots = next_component(cards, question.layout)
        components.append(
            {
                "kind": (TUPLE_KINDS if length == 1 else RUN_KINDS)[width - 1],
                "width": width,
                "length": length,
                "cards": component_cards(width, slots, cards, question),
            }
        )
        left = without_component(cards, width, np.uint64(slots))
        cards = as_planes(left)
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
    led = lead_of(question, lead)
    layout = question.layout
    held, played = question.planes(hand), question.planes(play)
    verdict = judge_follow(held, played, led, layout)
    if verdict == LEGAL:
        return {"legal": True}
    if verdict == WRONG_COUNT:
        why = f"{len(lead)} cards were led and {len(play)} are played"
    elif verdict == DUTY_NOT_MET:
        lane, shape = np.uint64(layout["suit"][led["suit"]]), load(led["shape"])
        owed, paid = (
            duty_words(duty(as_planes(within(cards, lane)), shape, layout))
            for cards in (held, played)
        )
        why = f"the hand owes {owed} of the suit led, the play pays {paid}"
    else:
        why = "cards of other suits are played before the suit led has run out"
    return {"legal": False, "why": why}


def duty_words(duty_list: int | tuple[int, ...]) -> str:
    """A duty list in words: `a tractor of 2 pairs and 1 pair`."""
    words: list[str] = []
    entries = duty_entries(duty_list)
    for width, length in dict.fromkeys(entries):
        tuples = TUPLE_KINDS[width - 1]
        if length > 1:
            run = RUN_KINDS[width - 1].replace("_", " ")
            times = [f"a {run} of {length} {tuples}s"] * entries.count((width, length))
            words += times
        else:
            number = entries.count((width, length))
            words.append(f"1 {tuples}" if number == 1 else f"{number} {tuples}s")
    return " and ".join(words) or "no pair"


def answer_throw(question: Question) -> Answer:
    lead = question.cards("lead", least=1)
    question.check_hand("lead", lead)
    others = question.card_lists("others", 3)
    check_copies(question.decks, lead, *others)
    for place, hand in enumerate(others):
        question.check_hand(f"others[{place}]", hand)
    if not lead_of(question, lead)["throw"]:
        return {"stands": True}  # one component is no throw, whoever holds a higher one
    hands = np.zeros(4, PLANES_DTYPE[question.decks])
    for place, hand in enumerate(others, 1):
        store(hands[place], question.planes(hand))
    cards = question.planes(lead)
    width, slots = smallest_failing(cards, hands, 0, question.layout)
    if width == 0:
        return {"stands": True}
    return {"stands": False, "forced": component_cards(width, slots, cards, question)}


def answer_winner(question: Question) -> Answer:
    plays = question.card_lists("plays", 4, least=1)
    for place, play in enumerate(plays):
        question.check_hand(f"plays[{place}]", play)
    if len({len(play) for play in plays}) > 1:
        raise QuestionError(
            f"plays of {', '.join(str(len(play)) for play in plays)} cards: "
            "all four play as many as were led"
        )
    lead, layout = lead_of(question, plays[0]), question.layout
    points, winner, best = 0, 0, 0
    for place, play in enumerate(plays):
        cards = question.planes(play)
        points += count_points(cards, layout)
        if place:
            power = strength(cards, lead, layout)
        else:
            power = lead_strength(cards, layout)
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
    kinds, *runs = describe(question.planes(read), question.layout)
    return {"multiplier": int(bottom_multiplier(len(lead), kinds, tuple(runs), codes))}
