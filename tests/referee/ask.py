"""Answering the questions of `tests/cases` with the referee."""

from collections import Counter
from collections.abc import Callable
from typing import Any

from referee.variants import Rules, resolve
from sim.referee import calls, cards, components, follow, score, throw, trick

Question = dict[str, Any]
Answer = dict[str, Any]

COMMON = {"ask", "id", "decks", "level", "trump", "rules"}


def answer(question: Question) -> Answer:
    """Answer one question, an impossible one with `{"error": why}`."""
    try:
        return _answer(question)
    except ValueError as error:
        return {"error": str(error)}


def _answer(question: Question) -> Answer:
    ask = question["ask"]
    if ask not in ANSWERS:
        raise ValueError(f"unknown ask {ask!r}")
    function, takes, optional = ANSWERS[ask]
    for key in question:
        if key not in COMMON | takes | optional:
            raise ValueError(f"unknown key {key!r}")
    needed = takes | ({"level"} if ask == "calls" else {"level", "trump"})
    for key in needed - ({"level", "trump"} if ask == "result" else set()):
        if key not in question:
            raise ValueError(f"missing key {key!r}")
    decks = question.get("decks", 2)
    rules = resolve(question.get("rules", "bianfeng"), decks)
    return function(question, rules, Table(question, decks))


class Table:
    """The cards that one question puts on the table."""

    def __init__(self, question: Question, decks: int) -> None:
        self.question = question
        self.decks = decks

    def layout(self) -> cards.Layout:
        """Return the question's layout."""
        return cards.Layout(self.question["level"], self.question["trump"])

    def cards(self, *keys: str) -> list[list[str]]:
        """Parse the card lists under the keys, which may lie together."""
        lists = [cards.parse_cards(self.question[key], self.decks) for key in keys]
        cards.check_copies((card for some in lists for card in some), self.decks)
        return lists


def _components(question: Question, rules: Rules, table: Table) -> Answer:
    layout = table.layout()
    (some,) = table.cards("cards")
    found = components.read_components(some, layout)
    return {
        "suit": layout.suit_of_all(some),
        "components": [
            {
                "kind": part.kind,
                "width": part.width,
                "length": part.length,
                "cards": list(part.cards),
            }
            for part in found
        ],
    }


def _follow(question: Question, rules: Rules, table: Table) -> Answer:
    hand, lead = table.cards("hand", "lead")
    (play,) = table.cards("play")
    why = follow.why_not_follow(hand, lead, play, table.layout(), rules["throw_follow"])
    return {"legal": True} if why is None else {"legal": False, "why": why}


def _throw(question: Question, rules: Rules, table: Table) -> Answer:
    (lead,) = table.cards("lead")
    others = [cards.parse_cards(hand, table.decks) for hand in question["others"]]
    cards.check_copies([*lead, *(c for hand in others for c in hand)], table.decks)
    forced = throw.forced_component(lead, others, table.layout())
    if forced is None:
        return {"stands": True}
    return {"stands": False, "forced": list(forced.cards)}


def _winner(question: Question, rules: Rules, table: Table) -> Answer:
    plays = [cards.parse_cards(play, table.decks) for play in question["plays"]]
    played = [card for play in plays for card in play]
    cards.check_copies(played, table.decks)
    place = trick.winning_place(plays, table.layout())
    return {"winner": place, "points": cards.count_points(played)}


def _multiplier(question: Question, rules: Rules, table: Table) -> Answer:
    (lead,) = table.cards("lead")
    (winning,) = table.cards("winning")
    return {"multiplier": score.multiplier(rules, lead, winning, table.layout())}


def _result(question: Question, rules: Rules, table: Table) -> Answer:
    levels, declarer = question["levels"], question["declarer"]
    friend = question.get("friend")
    result = score.read_level_table(rules, question["total"], question.get("target"))
    after, _ = score.levels_after(rules, levels, [0] * 4, declarer, friend, result)
    return {
        "result": result.as_record(),
        "levels_after": after,
        "next_declarer": score.next_declarer(rules, declarer, friend, result),
    }


def _calls(question: Question, rules: Rules, table: Table) -> Answer:
    (hand,) = table.cards("hand")
    history = [
        calls.read_call(
            call["seat"],
            call["kind"],
            cards.parse_cards(call["cards"], table.decks),
            rules,
        )
        for call in question["history"]
    ]
    legal = calls.legal_calls(
        rules,
        hand,
        question["level"],
        question["seat"],
        question["declarer"],
        question["stage"],
        history,
        question.get("declarer_side_could_bid"),
    )
    return {"legal": [list(call.cards) for call in legal]}


# ask -> function, the keys it takes, the keys it may take
ANSWERS: dict[str, tuple[Callable[..., Answer], set[str], set[str]]] = {
    "components": (_components, {"cards"}, set()),
    "follow": (_follow, {"hand", "lead", "play"}, set()),
    "throw": (_throw, {"lead", "others"}, set()),
    "winner": (_winner, {"plays"}, set()),
    "multiplier": (_multiplier, {"lead", "winning"}, set()),
    "result": (_result, {"total", "levels", "declarer"}, {"friend", "target"}),
    "calls": (
        _calls,
        {"hand", "seat", "declarer", "stage", "history"},
        {"declarer_side_could_bid"},
    ),
}


def same(got: Answer, expected: Answer) -> bool:
    """Compare answers: the order of cards, components and calls is free."""
    if "error" in expected:
        return "error" in got
    return _unordered(got) == _unordered(expected)


def _unordered(answer: Answer) -> Answer:
    answer = {key: value for key, value in answer.items() if key != "why"}
    if "components" in answer:
        answer["components"] = Counter(
            (part["kind"], part["width"], part["length"], tuple(sorted(part["cards"])))
            for part in answer["components"]
        )
    if "legal" in answer and isinstance(answer["legal"], list):
        answer["legal"] = Counter(tuple(sorted(cards)) for cards in answer["legal"])
    if "forced" in answer:
        answer["forced"] = sorted(answer["forced"])
    return answer
