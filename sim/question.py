"""A question to the referee, read and checked key by key (RECORDS.md section 2).

Everything that makes a question impossible whatever is asked is refused here: keys,
types, cards that do not exist or not so often, levels and trumps that do not go
together.
"""

import json
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from kernels.codes import (
    ACE_LEVEL,
    HAND_CARDS,
    JOKER_LEVEL,
    LOWEST_LEVEL,
    NO_TRUMP,
    TRUMP_NAMES,
    RuleCodes,
    plain_options,
)
from kernels.layout import LAYOUTS
from kernels.shape import in_one_suit
from sim.cards import card_names, check_copies, lacking, parse_cards
from sim.option_values import did_you_mean, is_whole
from sim.plain import cut, quoted
from sim.planes import Planes, slot_planes
from sim.rules import Rules, resolve_rules

DEFAULT_RULES = "bianfeng"


class QuestionError(ValueError):
    """A question that cannot be answered: one sentence that says why."""


class Question:
    """One question, whose keys are known to be there and no others."""

    def __init__(
        self, asked: Mapping[str, Any], takes: Sequence[str], may_take: Sequence[str]
    ) -> None:
        known = ["ask", "id", "decks", "level", "trump", "rules", *takes, *may_take]
        for key in asked:
            if key not in known:
                raise QuestionError(
                    f"unknown key {quoted(key)}{did_you_mean(key, known)}: "
                    f"{asked['ask']} takes {', '.join(takes)}"
                )
        for key in takes:
            if key not in asked:
                raise QuestionError(f"missing key {key!r}")
        self.asked = asked
        # Read even where the answer does not need them: a wrong one is an error.
        self.rules: Rules = resolve_rules(
            asked.get("rules", DEFAULT_RULES),
            self.whole("decks", 2, 4) if "decks" in asked else None,
        )
        self.decks = self.rules.decks
        if "level" in asked:
            self.check_level("level", asked["level"])
        if "trump" in asked:
            self.one_of("trump", TRUMP_NAMES)
            if asked.get("level") == JOKER_LEVEL and asked["trump"] != "NT":
                raise QuestionError(
                    f"trump = {shown(asked['trump'])} at the joker level, "
                    'where it is always "NT"'
                )

    @cached_property
    def codes(self) -> RuleCodes:
        return self.rules.codes()

    @cached_property
    def options(self) -> np.void:
        """The plain options among the codes, as one record."""
        return plain_options(self.codes)

    @property
    def level(self) -> int:
        return self.asked["level"]

    @cached_property
    def layout(self) -> np.void:
        """Where the cards lie, by level and trump."""
        trump = TRUMP_NAMES.index(self.asked["trump"])
        return LAYOUTS[self.level, trump]

    def check_level(self, name: str, level: Any) -> None:
        if not is_whole(level) or not LOWEST_LEVEL <= level <= JOKER_LEVEL:
            raise QuestionError(
                f"{name} = {shown(level)} must be a whole number from {LOWEST_LEVEL} "
                f"to {ACE_LEVEL}, or {JOKER_LEVEL}, the joker level"
            )

    def value(self, key: str) -> Any:
        return self.asked[key]

    def whole(self, key: str, low: int, high: int) -> int:
        value = self.asked[key]
        if not is_whole(value) or not low <= value <= high:
            raise QuestionError(
                f"{key} = {shown(value)} must be a whole number from {low} to {high}"
            )
        return value

    def seat(self, key: str) -> int:
        return self.whole(key, 0, 3)

    def seat_or_none(self, key: str) -> int | None:
        return None if self.asked[key] is None else self.seat(key)

    def one_of(self, key: str, words: Sequence[str]) -> str:
        value = self.asked[key]
        if not isinstance(value, str) or value not in words:
            raise QuestionError(
                f"{key} = {shown(value)} is not one of {', '.join(map(shown, words))}"
            )
        return value

    def cards(self, key: str, least: int = 0) -> list[int]:
        """The faces of a list of cards, no kind of them more often than it exists."""
        return self.faces(key, self.asked[key], least)

    def faces(self, name: str, texts: Any, least: int = 0) -> list[int]:
        """The faces of some cards of a question, however deep they lie in it."""
        if not isinstance(texts, list):
            raise QuestionError(f"{name} = {shown(texts)} must be a list of cards")
        faces = parse_cards(texts)
        if len(faces) < least:
            raise QuestionError(f"{name} holds no card")
        check_copies(self.decks, faces)
        return faces

    def card_lists(self, key: str, lists: int, least: int = 0) -> list[list[int]]:
        """That many lists of cards, no kind more often than it exists in all."""
        value = self.asked[key]
        if not isinstance(value, list) or len(value) != lists:
            raise QuestionError(f"{key} must be {lists} lists of cards")
        faces = [
            self.faces(f"{key}[{place}]", texts, least)
            for place, texts in enumerate(value)
        ]
        check_copies(self.decks, *faces)
        return faces

    def check_hand(self, name: str, faces: Sequence[int]) -> None:
        """No seat holds more cards than are dealt to it."""
        if len(faces) > HAND_CARDS[self.decks]:
            raise QuestionError(
                f"{name} holds {len(faces)} cards: a seat has at most "
                f"{HAND_CARDS[self.decks]} with {self.decks} decks"
            )

    def check_held(self, name: str, part: Sequence[int], hand: Sequence[int]) -> None:
        """A play comes out of the hand."""
        missing = lacking(part, hand)
        if missing:
            names = ", ".join(card_names(missing))
            raise QuestionError(f"{name} is not in the hand: {names} is missing")

    def planes(self, faces: Sequence[int]) -> Planes:
        return slot_planes(faces, self.decks, self.layout)

    def suit_of(self, faces: Sequence[int]) -> int:
        """Effective suit 0..4 of some cards, -1 of several suits."""
        return int(in_one_suit(self.planes(faces)[0], self.layout))

    def check_one_suit(self, name: str, faces: Sequence[int]) -> int:
        """A lead is of one effective suit."""
        suit = self.suit_of(faces)
        if suit < 0:
            raise QuestionError(
                f"{name} is of several suits: {', '.join(card_names(faces))}"
            )
        return suit


def shown(value: Any) -> str:
    """A value as JSON says it, cut short."""
    return cut(json.dumps(value, ensure_ascii=False, default=str))


SUIT_NAMES = (*TRUMP_NAMES[:NO_TRUMP], "T")
