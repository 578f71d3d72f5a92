"""Text tables: numbers with the digits their intervals leave, set in columns."""

import math
from collections.abc import Iterable, Sequence

from analysis.estimate import Estimate

MOST_DECIMALS = 5

# A column is its title and its cells; the first of a table is set to the left.
Column = tuple[str, Sequence[str]]
Columns = list[Column]


def percent(it: Estimate) -> tuple[str, str]:
    """A share and its interval as text, both in %."""
    return plain(Estimate(100 * it.value, 100 * it.low, 100 * it.high, it.n))


def plain(it: Estimate) -> tuple[str, str]:
    """A value and its interval as text, as exact as the interval allows."""
    if math.isnan(it.value):
        return "-", "no deals"
    digits = decimals(it)
    value = number(it.value, digits)
    if math.isnan(it.low):
        return value, "unknown"
    return value, f"[{number(it.low, digits)}, {number(it.high, digits)}]"


def decimals(it: Estimate) -> int:
    """Decimals that show the interval's half-width to about a tenth of itself."""
    half = (it.high - it.low) / 2
    if math.isnan(half) or half <= 0:
        return 2
    return min(MOST_DECIMALS, max(0, math.ceil(-math.log10(half / 3))))


def number(value: float, digits: int) -> str:
    """A number with so many decimals; never a negative zero."""
    text = f"{value:.{digits}f}"
    return text.removeprefix("-") if float(text) == 0 else text


def interval_column(title: str, cells: Iterable[tuple[str, str]]) -> Column:
    """A column of values and intervals: decimal points below each other."""
    cells = list(cells)
    before = max(len(value.partition(".")[0]) for value, _ in cells)
    after = max(len(value.partition(".")[2]) for value, _ in cells)
    lines = []
    for value, interval in cells:
        whole, point, rest = value.partition(".")
        rest = (point + rest).ljust(after + 1 if after else 0)
        lines.append(f"{whole.rjust(before)}{rest} {interval}")
    width = max(map(len, lines))
    return title, [line.ljust(width) for line in lines]


def table(columns: Sequence[Column]) -> str:
    """Columns side by side, under their titles if they have any."""
    return "\n".join(_lines(columns, [_width(column) for column in columns]))


def stacked(blocks: Sequence[Sequence[Column]]) -> list[str]:
    """Several tables of the same kind of columns, set to the same widths."""
    widths = [max(map(_width, same_place)) for same_place in zip(*blocks, strict=True)]
    return ["\n".join(_lines(columns, widths)) for columns in blocks]


def _width(column: Column) -> int:
    title, cells = column
    return max(len(title), *map(len, cells))


def _lines(columns: Sequence[Column], widths: Sequence[int]) -> list[str]:
    titles = [title for title, _ in columns]
    rows = list(zip(*(cells for _, cells in columns), strict=True))
    if any(titles):
        rows.insert(0, tuple(titles))
    return [
        "  ".join(
            cell.rjust(width) if place else cell.ljust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]
