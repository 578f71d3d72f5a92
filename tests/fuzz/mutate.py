"""Trees of plain values, and texts, changed so that something may be wrong with them.

Every mutation is small: what was right around it stays right, so that most inputs get
past the first check that meets them.
"""

import copy
import json
from datetime import date, datetime, time
from typing import Any

from luck import Luck

DEEP = 3_000  # of brackets in each other: more than Python's stack takes


class Raw(str):
    """Text that stands for itself where a value is written: what no value says."""


def nested_lists(depth: int) -> Raw:
    return Raw("[" * depth + "]" * depth)


ODD_VALUES: tuple[Any, ...] = (
    None,
    True,
    False,
    0,
    1,
    -1,
    2,
    3,
    5,
    15,
    2**31,
    2**63,
    2**64,
    10**30,
    0.0,
    0.5,
    1.5,
    -0.0,
    1e300,
    float("nan"),
    float("inf"),
    float("-inf"),
    "",
    " ",
    "x",
    "none",
    "null",
    "2",
    "ST",
    "S10",
    "LJ",
    "HA",
    "NT",
    "menghuan",
    "textbook",
    "梦幻",
    "e\u0301",
    "\u202e",
    "\x00",
    "\x1b[31m",
    "a\nb",
    "\U0001f0a1",
    "x" * 5_000,
    [],
    [[]],
    [0],
    [None],
    ["HA", "HA", "HA", "HA", "HA"],
    list(range(40)),
    {},
    {"": ""},
    {"base": "menghuan"},
    Raw("9" * 5_000),
    Raw("-" + "9" * 5_000),
    Raw("1e999"),
    nested_lists(DEEP),
    nested_lists(90),
    nested_lists(101),
)
JSON_ONLY: tuple[Any, ...] = ("\ud800", Raw("NaN"), Raw("-Infinity"), Raw("01"))
TOML_ONLY: tuple[Any, ...] = (
    Raw("0x" + "f" * 5_000),
    Raw("1979-05-27"),
    Raw("07:32:00"),
    Raw("1979-05-27T07:32:00Z"),
    Raw("inf"),
    Raw("'x'"),
    Raw('"""\nx"""'),
    date(1999, 1, 1),
    datetime(1999, 1, 1, 1),
    time(1, 2),
)

Place = tuple[Any, Any]  # what holds a value, and its key or index there


def places(tree: Any) -> list[Place]:
    """Every place of a tree where a value stands, outer ones first."""
    found: list[Place] = []
    layer = [tree]
    while layer:
        inner = []
        for each in layer:
            keys = each if isinstance(each, dict) else range(len(each))
            found += [(each, key) for key in keys]
            inner += [each[key] for key in keys if isinstance(each[key], dict | list)]
        layer = inner
    return found


def mutate(tree: Any, luck: Luck, odd: tuple[Any, ...], times: int = 1) -> Any:
    """A copy of a tree, changed at some places."""
    tree = copy.deepcopy(tree)
    for _ in range(times):
        found = places(tree)
        if not found:
            return an_odd_one(odd, luck)
        # Outer places are few among many cards: they get half of the changes.
        number = len(found) if luck.one_in(2) else min(len(found), len(tree))
        holder, key = found[luck.below(number)]
        change_at(holder, key, found, luck, odd)
    return tree


def change_at(
    holder: Any, key: Any, found: list[Place], luck: Luck, odd: tuple[Any, ...]
) -> None:
    """One change of one place."""
    value = holder[key]
    ways = luck.below(8)
    if ways <= 1:
        holder[key] = an_odd_one(odd, luck)
    elif ways == 2:  # a value that is right elsewhere
        other, its = found[luck.below(len(found))]
        holder[key] = copy.deepcopy(other[its])
    elif ways == 3 and isinstance(value, int | float):
        holder[key] = value + luck.pick((1, -1, 5, -5, 100))
    elif ways == 4:
        del holder[key]
    elif ways == 5 and isinstance(holder, dict):
        holder[luck.pick(ODD_KEYS)] = holder.pop(key) if luck.one_in(2) else value
    elif ways == 5:
        holder.insert(key, copy.deepcopy(value))
    elif ways == 6 and isinstance(value, list) and len(value) > 1:
        one, two = luck.below(len(value)), luck.below(len(value))
        value[one], value[two] = value[two], value[one]
    elif ways == 7 and isinstance(value, str):
        holder[key] = luck.pick((value.lower(), value + " ", value[:-1], value * 2))
    else:
        holder[key] = luck.pick(
            ([value], {"x": value}, str(value), an_odd_one(odd, luck))
        )


def an_odd_one(odd: tuple[Any, ...], luck: Luck) -> Any:
    """A copy: what is changed later must not change the list that it came from."""
    return copy.deepcopy(luck.pick(odd))


ODD_KEYS = ("", "x", "base", "id", "rules", "ask", "Level", "decks ", "级", "__class__")


def json_text(value: Any) -> str:
    """A tree as JSON, its raw texts as they are."""
    if isinstance(value, Raw):
        return value
    if isinstance(value, dict):
        inner = (f"{json_text(str(key))}: {json_text(value[key])}" for key in value)
        return f"{{{', '.join(inner)}}}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(json_text, value))}]"
    return json.dumps(value)


def toml_text(tree: dict[str, Any]) -> str:
    """A tree as TOML; nothing but a table can be written so."""
    return "".join(f"{toml_key(key)} = {toml_value(tree[key])}\n" for key in tree)


def toml_key(key: str) -> str:
    return key if key.isidentifier() and key.isascii() else json.dumps(key)


def toml_value(value: Any) -> str:
    if isinstance(value, Raw):
        return value
    if value is None:
        return '"none"'
    if isinstance(value, dict):
        inner = (f"{toml_key(str(key))} = {toml_value(value[key])}" for key in value)
        return f"{{{', '.join(inner)}}}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(toml_value, value))}]"
    if isinstance(value, date | time):
        return value.isoformat()
    if isinstance(value, float):
        return repr(value)  # nan and inf are written so
    return json.dumps(value, ensure_ascii=False)


ODD_BYTES = (
    b"",
    b"\x00",
    b"\xff",
    b"\xef\xbb\xbf",
    b"\r",
    b"\n",
    b"\t",
    b"\xed\xa0\x80",
    b'"',
    b"\\",
    b"[",
    b"}",
    b"]",
    b",",
    b"=",
    b"#",
    b"9" * 5_000,
    b"[" * DEEP,
    b'{"a":' * DEEP,
    b"\xe5\xba\x84",
)


def mutate_bytes(text: bytes, luck: Luck) -> bytes:
    """A text cut short, or with a piece put in, taken out, doubled or replaced."""
    ways = luck.below(5)
    if ways == 4:
        return luck.pick(ODD_BYTES)
    start = luck.below(len(text) + 1)
    stop = min(len(text), start + luck.pick((0, 1, 2, 10)))
    if ways == 0:
        return text[:start]
    if ways == 1:
        return luck.pick(ODD_BYTES[3:4]) + text
    if ways == 2:
        return text[:stop] + text[start:]
    return text[:start] + luck.pick(ODD_BYTES) + text[stop:]
