"""Level tables of one's own: their rows reach the kernels, up to the most allowed."""

import pytest

from kernels.codes import MOST_LEVEL_ROWS
from kernels.score import read_level_table
from sim.rules import RulesError, resolve_rules


def rows(number: int) -> list[list]:
    """The declarers' first, then rows that each give the attackers one level more."""
    more = [[5 * place, "attackers", place % 50] for place in range(1, number)]
    return [[0, "declarers", 3], *more]


@pytest.mark.parametrize("number", [2, 13, MOST_LEVEL_ROWS])
def test_every_row_is_read(number: int):
    codes = resolve_rules({"base": "menghuan", "level_table": rows(number)}).codes()
    assert read_level_table(4, -1, codes) == (0, 3)
    for place in range(1, number):
        assert read_level_table(5 * place, -1, codes) == (1, place % 50)
    assert read_level_table(10_000, -1, codes) == (1, (number - 1) % 50)


def test_more_rows_are_refused():
    with pytest.raises(
        RulesError, match=r"level_table has 101 rows; allowed: 1\.\.100"
    ):
        resolve_rules({"base": "menghuan", "level_table": rows(MOST_LEVEL_ROWS + 1)})
