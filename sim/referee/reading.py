"""Reading JSON that a stranger wrote, and refusing what JSON leaves open."""

import json
import math
from collections.abc import Sequence
from typing import Any

from sim.referee.fault import quoted

DEEPEST = 100  # objects and lists within each other; nothing here needs ten
MOST_DIGITS = 1_000  # of a whole number; nothing here needs twenty


class KeyTwice(ValueError):
    """JSON as it should be, but for a key that an object has twice."""


def read_json(text: str) -> Any:
    """Return a JSON value; a ValueError for anything else, NaN included."""
    twice: list[str] = []

    def collect(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for key, value in pairs:
            if key in found:
                twice.append(key)
            found[key] = value
        return found

    try:
        value = json.loads(
            text,
            object_pairs_hook=collect,
            parse_constant=_refuse_constant,
            parse_int=_whole,
            parse_float=_finite,
        )
    except RecursionError:
        raise ValueError("nested too deep") from None
    _check_depth(value)
    # Told last: where the text ends too early, that is what is wrong with it.
    if twice:
        raise KeyTwice(f"key {quoted(twice[0])} stands there twice")
    return value


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is no JSON value")


def _whole(text: str) -> int:
    """Read a whole number, where Python still would write it again."""
    if len(text) > MOST_DIGITS:
        raise ValueError(f"a number has {len(text)} digits, at most {MOST_DIGITS} may")
    return int(text)


def _finite(text: str) -> float:
    """Read a number; one beyond all floats would be infinite, which JSON has not."""
    value = float(text)
    if math.isinf(value):
        raise ValueError(f"{text[:40]} is larger than a number may be")
    return value


def _check_depth(value: Any) -> None:
    """Refuse what could be read, but not be walked through or shown again."""
    layer = [value]
    for _ in range(DEEPEST + 1):
        layer = [each for each in layer if isinstance(each, dict | list)]
        if not layer:
            return
        layer = [
            inner
            for each in layer
            for inner in (each.values() if isinstance(each, dict) else each)
        ]
    raise ValueError("nested too deep")
