"""What a deal is worth: multiplier, level table, levels after, next declarer."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sim.referee.cards import JOKER_LEVEL, Layout
from sim.referee.components import Component, read_components

Rules = Mapping[str, Any]

DECLARERS = "declarers"
ATTACKERS = "attackers"


def multiplier(
    rules: Rules, lead: Sequence[str], winning: Sequence[str], layout: Layout
) -> int:
    """Return what the captured bottom's points are multiplied by."""
    bottom = rules["bottom"]
    read_from = lead if bottom["read_from"] == "trick" else winning
    components = read_components(read_from, layout)
    if not components:
        raise ValueError("the cards of the last trick are not of one effective suit")
    if bottom["table"] is not None:
        return max(_own_value(bottom["table"], component) for component in components)
    scheme = bottom["scheme"]
    if scheme == "flat":
        return 2
    if scheme == "by_cards":
        return 2 * len(lead)
    if scheme == "linear":
        return max(2 * component.width * component.length for component in components)
    if scheme == "power":
        # Not the highest value but the first kind present: quad run, titanic, quad,
        # triple, tractor, pair, single; of several the longest.
        return _power_value(max(components, key=_power_order))
    raise ValueError(f"unknown bottom.scheme {scheme!r}")


def _own_value(table: Mapping[str, Any], component: Component) -> int:
    if component.length == 1:
        return table[component.kind]
    values = table[component.kind]  # from length 2 up; the last value holds on
    return values[min(component.length - 2, len(values) - 1)]


def _power_order(component: Component) -> tuple[int, int]:
    kinds = ("single", "pair", "tractor", "triple", "quad", "titanic", "quad_run")
    return kinds.index(component.kind), component.length


def _power_value(component: Component) -> int:
    if component.length == 1:
        return 2 * component.width
    return 2 * component.width**component.length


@dataclass(frozen=True)
class Result:
    """The line of the level table that a total falls on."""

    side: str
    levels: int

    @property
    def takes_over(self) -> bool:
        """Whether the attackers won."""
        return self.side == ATTACKERS

    def as_record(self) -> dict[str, Any]:
        """Return the `result` object of a deal record."""
        return {
            "side": self.side,
            "levels": self.levels,
            "takes_over": self.takes_over,
        }


def take_over_bound(rules: Rules) -> int:
    """Return the lowest total with which the attackers win."""
    return min(low for low, side, _ in rules["level_table"] if side == ATTACKERS)


def read_level_table(rules: Rules, total: int, target: int | None = None) -> Result:
    """Read the level table at a total; `target` is the auction's, if there was one."""
    total = max(0, total)
    if target is not None:
        total += take_over_bound(rules) - target
    rows = rules["level_table"]
    low, side, levels = [row for row in rows if row[0] <= total][-1]
    step = rules["level_step"]
    if low == rows[-1][0] and step is not None:
        levels += (total - low) // step
    return Result(side, levels)


def move_level(
    rules: Rules, level: int, levels: int, won_here: bool
) -> tuple[int, int]:
    """Move up from a level; return the level reached and the laps completed.

    won_here : whether the mover won this deal as declarer of that very level: what
    leaving a stop level takes.
    """
    after_ace = rules["match"]["after_ace"]
    stops = rules["match"]["stop_levels"] or []
    last = JOKER_LEVEL if after_ace == "jokers" else JOKER_LEVEL - 1
    laps = 0
    if level in stops and not won_here:
        return level, laps
    for _ in range(levels):
        # A deal by itself may be played at the joker level under any rules.
        if level >= last:
            laps += 1
            if after_ace == "end":
                break
            level = 2
        else:
            level += 1
        if level in stops:
            break
    return level, laps


def attackers_of(rules: Rules, declarer: int, friend: int | None) -> list[int]:
    """Return the attackers' seats."""
    if rules["partners"] == "fixed":
        friend = (declarer + 2) % 4
    return [seat for seat in range(4) if seat not in (declarer, friend)]


def levels_after(
    rules: Rules,
    levels: Sequence[int],
    laps: Sequence[int],
    declarer: int,
    friend: int | None,
    result: Result,
) -> tuple[list[int], list[int]]:
    """Return every seat's level and laps after the deal: the winners move up."""
    attackers = attackers_of(rules, declarer, friend)
    after, laps_after = list(levels), list(laps)
    for seat in range(4):
        if (seat in attackers) != result.takes_over:
            continue
        # A friend has not declared: it was not his level that was played.
        declared = seat == declarer or (
            rules["partners"] == "fixed" and not result.takes_over
        )
        after[seat], more = move_level(rules, levels[seat], result.levels, declared)
        laps_after[seat] += more
    return after, laps_after


def next_declarer(
    rules: Rules, declarer: int, friend: int | None, result: Result
) -> int:
    """Return who declares the next deal."""
    if rules["partners"] == "fixed":
        return (declarer + (1 if result.takes_over else 2)) % 4
    if result.takes_over:
        attackers = attackers_of(rules, declarer, friend)
        return min(attackers, key=lambda seat: (seat - declarer) % 4)
    return declarer if friend is None else friend


def match_winners(rules: Rules, laps: Sequence[int]) -> list[int] | None:
    """Return the seats that have completed the match's laps, None if none has."""
    winners = [seat for seat in range(4) if laps[seat] >= rules["match"]["laps"]]
    return winners or None
