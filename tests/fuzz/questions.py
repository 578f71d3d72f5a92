"""Questions to `judge`: right ones, changed at one place or two, or as text."""

import json
from functools import cache
from pathlib import Path
from typing import Any

from luck import Luck
from mutate import JSON_ONLY, ODD_VALUES, json_text, mutate, mutate_bytes
from positions import decisions
from variants import nested, right_options

HERE = Path(__file__).resolve().parent
CASES, GOLDEN = HERE.parent / "cases", HERE.parent / "golden"
ODD = (*ODD_VALUES, *JSON_ONLY)
ALL_CARDS = tuple(suit + rank for suit in "SHCD" for rank in "23456789TJQKA")


@cache
def asked() -> dict[str, list[dict[str, Any]]]:
    """Questions that have an answer, by what they ask."""
    found: dict[str, list[dict[str, Any]]] = {}
    for path in sorted(CASES.glob("*.jsonl")):
        for line in path.read_text("utf-8").splitlines():
            question = json.loads(line)["question"]
            found.setdefault(question["ask"], []).append(question)
    for path in sorted(GOLDEN.glob("*.jsonl")):
        record = json.loads(path.read_text("utf-8").splitlines()[-1])
        questions = [question for question, _ in decisions(record)]
        found.setdefault("choose", []).extend(questions[:: len(questions) // 8])
    return found


def question_tree(luck: Luck) -> Any:
    """A question, most often changed at one place."""
    of = asked()
    question = luck.pick(of[luck.pick(tuple(of))])
    way = luck.below(8)
    if way == 0:
        return question
    if way == 1:
        return {**question, "rules": nested(right_options(luck))}
    if way == 2:
        return {**question, "decks": luck.pick((2, 3, 4))}
    if way == 3:
        return with_other_cards(question, luck)
    return mutate(question, luck, ODD, times=1 + luck.below(2))


def with_other_cards(question: dict[str, Any], luck: Luck) -> dict[str, Any]:
    """Some cards replaced by others that exist: the question may still be right."""
    changed = dict(question)
    for key in ("cards", "hand", "lead", "play", "winning"):
        if isinstance(changed.get(key), list) and changed[key] and luck.one_in(2):
            cards = list(changed[key])
            cards[luck.below(len(cards))] = luck.pick(ALL_CARDS)
            changed[key] = cards
    return changed


def question_text(luck: Luck) -> bytes:
    """One or a few questions as a file has them."""
    count = luck.pick((1, 1, 1, 2, 3))
    lines = [json_text(question_tree(luck)) for _ in range(count)]
    text = "\n".join(lines).encode("utf-8", "surrogatepass")
    return mutate_bytes(text, luck) if luck.one_in(4) else text
