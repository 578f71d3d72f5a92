"""The values that options of a variant may have, and how each is read and refused.

A reader gets the option's dotted name and what was written, and returns the value, or
raises a `RulesError` that names both.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import date, time
from difflib import get_close_matches
from enum import StrEnum
from typing import Any

from kernels.codes import ACE_LEVEL, JOKER_LEVEL, LONGEST_RUN, LOWEST_LEVEL
from sim.level_tables import LEVEL_TABLES, check_rows
from sim.plain import cut, quoted


class RulesError(ValueError):
    """A variant that cannot be read or played: one sentence that says why."""


TOO_LONG_TO_SAY = 10**1000


class Partners(StrEnum):
    FIXED = "fixed"
    CALLED = "called"


class BidWhen(StrEnum):
    DRAW = "draw"
    AFTER_DEAL = "after_deal"
    AUCTION = "auction"


class LaterDeals(StrEnum):
    ANYONE = "anyone"
    DECLARER_SIDE_FIRST = "declarer_side_first"


class OpensWith(StrEnum):
    SINGLE = "single"
    PAIR = "pair"
    EITHER = "either"


class OvercallWhen(StrEnum):
    DRAW = "draw"
    AFTER_DEAL = "after_deal"
    AFTER_BURY = "after_bury"
    NONE = "none"


class OvercallOrder(StrEnum):
    KINDS = "kinds"
    SUITS = "suits"
    LATEST = "latest"


class OvercallSelf(StrEnum):
    NEVER = "never"
    AFTER_OTHER = "after_other"
    ALWAYS = "always"


class Reinforce(StrEnum):
    ANY = "any"
    NO = "no"


class NobodyBids(StrEnum):
    THIRD_CARD = "third_card"
    RANDOM_CARD = "random_card"
    NO_TRUMP = "no_trump"


class ThrowFollow(StrEnum):
    SHAPE = "shape"
    SUIT = "suit"


class BottomScheme(StrEnum):
    LINEAR = "linear"
    POWER = "power"
    FLAT = "flat"
    BY_CARDS = "by_cards"


class ReadFrom(StrEnum):
    TRICK = "trick"
    WINNER = "winner"


class AfterAce(StrEnum):
    LOOP = "loop"
    JOKERS = "jokers"
    END = "end"


@dataclass(frozen=True, slots=True, kw_only=True)
class BottomTable:
    """A multiplier table of one's own; a list starts at length 2, its last value holds
    for every longer run."""

    single: int
    pair: int
    triple: int
    quad: int
    tractor: tuple[int, ...]
    titanic: tuple[int, ...]
    quad_run: tuple[int, ...]


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """` (did you mean "…"?)` where one of the known words is close, else nothing."""
    close = get_close_matches(word, known, n=1)
    return f' (did you mean "{close[0]}"?)' if close else ""


def shown(value: Any) -> str:
    """A value as TOML writes it, cut short."""
    return cut(_toml(value))


def _toml(value: Any) -> str:
    if value is None:
        return '"none"'
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(map(_toml, value))}]"
    if isinstance(value, Mapping):
        pairs = (f"{key} = {_toml(entry)}" for key, entry in value.items())
        return f"{{{', '.join(pairs)}}}"
    if isinstance(value, (date, time)):  # a datetime is a date
        return value.isoformat()
    if is_whole(value) and abs(value) >= TOO_LONG_TO_SAY:
        return f"{value:#x}"  # Python writes no decimal of thousands of digits
    return f'"{value}"' if isinstance(value, str) else repr(value)


def one_of(values: type[StrEnum]) -> Callable[[str, Any], StrEnum]:
    known = [str(value) for value in values]

    def read(name: str, written: Any) -> StrEnum:
        if isinstance(written, str) and written in known:
            return values(written)
        hint = did_you_mean(written, known) if isinstance(written, str) else ""
        choices = ", ".join(f'"{value}"' for value in known)
        raise RulesError(f"{name} = {shown(written)} is not one of {choices}{hint}")

    return read


def yes_or_no(name: str, written: Any) -> bool:
    if isinstance(written, bool):
        return written
    raise RulesError(f"{name} = {shown(written)} must be true or false")


def whole(low: int, high: int, step: int = 1) -> Callable[[str, Any], int]:
    def read(name: str, written: Any) -> int:
        if is_whole(written) and low <= written <= high and written % step == 0:
            return written
        kind = "a whole number" if step == 1 else f"a multiple of {step}"
        raise RulesError(
            f"{name} = {shown(written)} must be {kind} from {low} to {high}"
        )

    return read


def is_whole(value: Any) -> bool:
    """A whole number; true and false are none."""
    return isinstance(value, int) and not isinstance(value, bool)


def stake(name: str, written: Any) -> int | float:
    """Coins in base stakes; a whole one is an int, so that 0 and 0.0 are one rule."""
    if (is_whole(written) or isinstance(written, float)) and 0 <= written <= 1000:
        return int(written) if written == int(written) else float(written)
    raise RulesError(f"{name} = {shown(written)} must be a number from 0 to 1000")


def level_table(name: str, written: Any) -> str | tuple[tuple[int, str, int], ...]:
    """The name of a table of RULES.md section 8, or rows written out."""
    if isinstance(written, str):
        if written in LEVEL_TABLES:
            return written
        hint = did_you_mean(written, LEVEL_TABLES)
        names = ", ".join(f'"{table}"' for table in LEVEL_TABLES)
        raise RulesError(
            f"{name} = {shown(written)} is no table: write rows or one of {names}{hint}"
        )
    try:
        return check_rows(written)
    except ValueError as why:
        raise RulesError(f"{name}{why}") from None


def stop_levels(name: str, written: Any) -> tuple[int, ...]:
    if not isinstance(written, (list, tuple)):
        raise RulesError(f"{name} = {shown(written)} must be a list of levels")
    for level in written:
        if not is_whole(level) or not LOWEST_LEVEL <= level <= JOKER_LEVEL:
            raise RulesError(
                f"{name} holds {shown(level)}: a level is a whole number from "
                f"{LOWEST_LEVEL} to {ACE_LEVEL} (11 J, 12 Q, 13 K, 14 A) "
                f"or {JOKER_LEVEL}, the joker level"
            )
    return tuple(sorted(set(written)))


HIGHEST_MULTIPLIER = 1_000_000


def bottom_table(name: str, written: Any) -> BottomTable:
    if not isinstance(written, Mapping):
        raise RulesError(f"{name} = {shown(written)} must be a table of multipliers")
    kinds = list(BottomTable.__dataclass_fields__)
    for kind in written:
        if kind not in kinds:
            raise RulesError(
                f"unknown kind {quoted(kind)} in {name}"
                f"{did_you_mean(str(kind), kinds)}: the kinds are {', '.join(kinds)}"
            )
    for kind in kinds:
        if kind not in written:
            raise RulesError(f"{name} misses {kind}: it needs {', '.join(kinds)}")
    multiplier = whole(0, HIGHEST_MULTIPLIER)
    table: dict[str, Any] = {}
    for kind in kinds:
        value, place = written[kind], f"{name}.{kind}"
        if kind in ("single", "pair", "triple", "quad"):
            table[kind] = multiplier(place, value)
            continue
        if not isinstance(value, (list, tuple)) or not value:
            raise RulesError(
                f"{place} = {shown(value)} must be a list of multipliers, "
                "the first for length 2"
            )
        if len(value) >= LONGEST_RUN:
            raise RulesError(
                f"{place} has {len(value)} multipliers: "
                f"at most {LONGEST_RUN - 1} are read"
            )
        table[kind] = tuple(multiplier(place, entry) for entry in value)
        for shorter, longer in zip(table[kind], table[kind][1:], strict=False):
            if longer < shorter:
                raise RulesError(
                    f"{place} falls from {shorter} to {longer}: "
                    "a longer run must not count less"
                )
    return BottomTable(**table)
