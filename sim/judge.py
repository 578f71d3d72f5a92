"""Answers questions about the rules, one JSON object each (RECORDS.md section 2).

`ASKS` is the list of what may be asked. A question that cannot be answered is answered
{"error": one sentence}.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from sim import answers
from sim.answer_calls import answer_calls
from sim.answer_result import answer_result
from sim.cards import CardsError
from sim.choose import answer_choose
from sim.option_values import RulesError, did_you_mean
from sim.policies.catalog import PolicyError
from sim.question import Question, QuestionError, shown
from sim.referee.reading import KeyTwice, read_json

Answer = dict[str, Any]

# What a question's mistakes are raised as; anything else is a mistake in the program.
REFUSALS = (QuestionError, CardsError, RulesError, PolicyError)


class Ask(NamedTuple):
    """One kind of question: who answers it, and the keys it has."""

    answer: Callable[[Question], Answer]
    takes: tuple[str, ...]
    may_take: tuple[str, ...] = ()


CARDS = ("level", "trump")  # where cards are asked about

ASKS = {
    "components": Ask(answers.answer_components, (*CARDS, "cards")),
    "follow": Ask(answers.answer_follow, (*CARDS, "hand", "lead", "play")),
    "throw": Ask(answers.answer_throw, (*CARDS, "lead", "others")),
    "winner": Ask(answers.answer_winner, (*CARDS, "plays")),
    "multiplier": Ask(answers.answer_multiplier, (*CARDS, "lead", "winning")),
    "result": Ask(answer_result, ("total", "levels", "declarer"), ("friend", "target")),
    "calls": Ask(
        answer_calls,
        ("level", "hand", "seat", "declarer", "stage", "history"),
        ("declarer_side_could_bid",),
    ),
    "choose": Ask(
        answer_choose,
        (
            *("policy", *CARDS, "seat", "decision", "hand", "declarer", "calls"),
            *("buried", "tricks", "called_card"),
        ),
    ),
}


def answer(question: Any) -> Answer:
    """The answer to one question, its `id` first if it has one."""
    echo = (
        {"id": question["id"]}
        if isinstance(question, Mapping) and "id" in question
        else {}
    )
    try:
        return {**echo, **_answer(question)}
    except REFUSALS as error:
        return {**echo, "error": str(error)}


def _answer(question: Any) -> Answer:
    if not isinstance(question, Mapping):
        raise QuestionError(f"a question is a JSON object, not {shown(question)}")
    if "ask" not in question:
        raise QuestionError("missing key 'ask'")
    name = question["ask"]
    if not isinstance(name, str) or name not in ASKS:
        hint = did_you_mean(name, ASKS) if isinstance(name, str) else ""
        takes = ", ".join(
            f"{known} ({', '.join(it.takes)})" for known, it in ASKS.items()
        )
        raise QuestionError(
            f"unknown ask {shown(name)}{hint}: there are {takes}; "
            "`shengji judge --help` shows an example of each"
        )
    ask = ASKS[name]
    return ask.answer(Question(question, ask.takes, ask.may_take))


def answer_lines(lines: Iterable[str]) -> Iterator[Answer]:
    """The answers to JSON Lines, each as soon as its line is there, or to one object
    that is spread over the lines."""
    numbered = ((number, line) for number, line in enumerate(lines, 1) if line.strip())
    for number, line in numbered:
        if is_json(line):
            yield _answer_line(number, line)
            continue
        rest = list(numbered)
        whole = "".join([line, *(text for _, text in rest)])
        if is_json(whole):
            yield _answer_line(number, whole)
            return
        yield _answer_line(number, line)
        numbered = iter(rest)
        break
    for number, line in numbered:
        yield _answer_line(number, line)


def is_json(text: str) -> bool:
    """Whether the text is one whole JSON value."""
    try:
        read_json(text)
    except KeyTwice:
        return True
    except ValueError:
        return False
    return True


def _answer_line(number: int, text: str) -> Answer:
    """The answer to a text; an error says at which line it is."""
    try:
        question = read_json(text.strip())
    except KeyTwice as error:
        return {"error": f"line {number}: {error}"}
    except ValueError as error:
        return {"error": f"line {number}: not JSON: {error}"}
    told = answer(question)
    if "error" in told:
        told["error"] = f"line {number}: {told['error']}"
    return told
