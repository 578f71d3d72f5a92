"""Reading JSON that a stranger wrote, and refusing what JSON leaves open."""

import json
from collections.abc import Sequence
from typing import Any

DEEPEST = 100  # objects and lists within each other; nothing here needs ten


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
            text, object_pairs_hook=collect, parse_constant=_refuse_constant
        )
    except RecursionError:
        raise ValueError("nested too deep") from None
    _check_depth(value)
    # Told last: where the text ends too early, that is what is wrong with it.
    if twice:
        raise KeyTwice(f"key {twice[0]!r} stands there twice")
    return value


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is no JSON value")


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
