"""Level tables (升级表): those that have a name, and the check of any other.

A table is rows (lower bound in points, "declarers" or "attackers", levels): the last
row whose bound the attackers' total reaches counts (RULES.md section 8).
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

from kernels.codes import MOST_LEVEL_ROWS, SIDE_NAMES
from sim.plain import quoted

Row = tuple[int, str, int]

HIGHEST_BOUND, MOST_LEVELS = 100_000, 100


class LevelTable(NamedTuple):
    """A named table as it reads with two decks."""

    rows: tuple[Row, ...]
    step: int | None  # points a further level costs past the last row; None = capped


# From 40 points on, the two tables of bianfeng and joker-bid agree up to 320.
_KEEP_AND_TAKE_OVER = (
    (0, "declarers", 3),
    (5, "declarers", 2),
    (40, "declarers", 1),
    (80, "attackers", 0),
    (120, "attackers", 1),
)

LEVEL_TABLES = {
    "menghuan": LevelTable(
        (
            (0, "declarers", 6),
            (5, "declarers", 5),
            (15, "declarers", 4),
            (25, "declarers", 3),
            (35, "declarers", 2),
            (40, "declarers", 1),
            (80, "attackers", 0),
            (120, "attackers", 1),
            (125, "attackers", 2),
            (165, "attackers", 3),
            (205, "attackers", 4),
            (245, "attackers", 5),
            (285, "attackers", 6),
        ),
        None,
    ),
    "bianfeng": LevelTable(_KEEP_AND_TAKE_OVER, 40),
    "joker-bid": LevelTable(
        (
            *_KEEP_AND_TAKE_OVER,
            (160, "attackers", 2),
            (200, "attackers", 3),
            (240, "attackers", 4),
            (280, "attackers", 5),
            (320, "attackers", 6),
        ),
        None,
    ),
}


def named_table(name: str, decks: int) -> LevelTable:
    """A named table for a number of decks: its bounds from 15 up, and its step, grow
    with the points there are, rounded down to a multiple of 5."""

    def scale(points: int) -> int:
        return points * decks // 2 // 5 * 5

    table = LEVEL_TABLES[name]
    rows = tuple(
        (scale(bound) if bound >= 15 else bound, side, levels)
        for bound, side, levels in table.rows
    )
    return LevelTable(rows, None if table.step is None else scale(table.step))


def take_over_bound(rows: Sequence[Row]) -> int:
    """The lowest total with which the attackers win."""
    return min(bound for bound, side, _ in rows if side == "attackers")


def check_rows(written: Any) -> tuple[Row, ...]:
    """Rows of one's own, checked; a ValueError's text continues the option's name."""
    if not isinstance(written, (list, tuple)) or not written:
        raise ValueError(
            " must be a named table or a list of rows [lower bound, side, levels]"
        )
    if len(written) > MOST_LEVEL_ROWS:
        raise ValueError(
            f" has {len(written)} rows; allowed: 1..{MOST_LEVEL_ROWS} of them"
        )
    rows: list[Row] = []
    for number, row in enumerate(written, 1):
        where = f" row {number}"
        if not isinstance(row, (list, tuple)) or len(row) != 3:
            raise ValueError(
                f"{where} must be [lower bound, side, levels], not {quoted(row)}"
            )
        bound, side, levels = row
        _check_whole(f"{where}: lower bound", bound, HIGHEST_BOUND)
        _check_whole(f"{where}: levels", levels, MOST_LEVELS)
        if side not in SIDE_NAMES:
            raise ValueError(
                f'{where}: side {quoted(side)} must be "declarers" or "attackers"'
            )
        if bound % 5:
            raise ValueError(
                f"{where}: lower bound {bound} is not a multiple of 5, as totals are"
            )
        if not rows and bound:
            raise ValueError(f"{where}: the first lower bound must be 0, not {bound}")
        if not rows and side != "declarers":
            raise ValueError(f"{where}: the first row must be the declarers'")
        if rows and bound <= rows[-1][0]:
            raise ValueError(
                f"{where}: lower bound {bound} must be above {rows[-1][0]}, "
                "the row's before it"
            )
        if rows and side == "declarers" and rows[-1][1] == "attackers":
            raise ValueError(
                f"{where}: a declarers' row stands after an attackers' row"
            )
        rows.append((bound, side, levels))
    if rows[-1][1] != "attackers":
        raise ValueError(" has no attackers' row: nobody could ever take over")
    return tuple(rows)


def _check_whole(what: str, value: Any, most: int) -> None:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= most:
        raise ValueError(
            f"{what} {quoted(value)} must be a whole number from 0 to {most}"
        )
