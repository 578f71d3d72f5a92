"""Every question with a known answer, put to the referee."""

import json
from pathlib import Path
from typing import Any

import pytest

from referee.ask import answer, same

CASES = Path(__file__).parents[1] / "cases"
ASKS = ("calls", "components", "duty", "follow", "multiplier", "result", "throw")


def cases(ask: str) -> list[dict[str, Any]]:
    """Return the cases of one `ask`."""
    found = []
    for path in sorted(CASES.glob("*.jsonl")):
        for line in path.read_text("utf-8").splitlines():
            case = json.loads(line)
            if case["question"]["ask"] == ask:
                found.append(case)
    return found


@pytest.mark.parametrize("ask", [*ASKS, "winner"])
def test_cases(ask: str) -> None:
    """The referee answers as expected; `duty` is no question at all."""
    asked = cases(ask)
    assert asked
    wrong = [
        (case["id"], case["note"], got, case["expected"])
        for case in asked
        if not same(got := answer(case["question"]), case["expected"])
    ]
    assert not wrong
