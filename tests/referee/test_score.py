"""Multipliers, level tables, levels and declarers."""

import pytest

from referee.variants import preset, resolve, scale
from sim.referee import score
from sim.referee.cards import Layout

LAYOUT = Layout(2, "S")


def factor(lead: str, winning: str, **bottom: object) -> int:
    """Return a multiplier under some bottom options."""
    rules = resolve({"base": "menghuan", "bottom": bottom})
    return score.multiplier(rules, lead.split(), winning.split(), LAYOUT)


@pytest.mark.parametrize(
    ("lead", "linear", "power"),
    [
        ("H3", 2, 2),
        ("H3 H3", 4, 4),
        ("H3 H3 H4 H4", 8, 8),
        ("H3 H3 H4 H4 H5 H5", 12, 16),
        ("H3 H3 H3", 6, 6),
        ("H3 H3 H3 H4 H4 H4", 12, 18),
        ("H3 H3 H3 H3", 8, 8),
        ("H3 H3 H3 H3 H4 H4 H4 H4", 16, 32),
        # a triple beside a tractor: linear takes the tractor, power the triple
        ("H3 H3 H3 H9 H9 HT HT", 8, 6),
        ("H3 H3 H4 H4 H9 H9 HT HT HJ HJ", 12, 16),
    ],
)
def test_schemes(lead: str, linear: int, power: int) -> None:
    """The rules page's table."""
    assert factor(lead, lead, scheme="linear", read_from="trick") == linear
    assert factor(lead, lead, scheme="power", read_from="trick") == power
    assert factor(lead, lead, scheme="flat") == 2
    assert factor(lead, lead, scheme="by_cards") == 2 * len(lead.split())


def test_read_from() -> None:
    """The lead's components or the winner's."""
    cards = ("H3 H3 H9 H9", "S3 S3 S4 S4")
    assert factor(*cards, scheme="linear", read_from="trick") == 4
    assert factor(*cards, scheme="linear", read_from="winner") == 8


def test_own_table() -> None:
    """Past its end a list's last value holds; the highest present counts."""
    table = {"single": 1, "pair": 3, "triple": 5, "quad": 7}
    table |= {"tractor": [9, 10], "titanic": [11], "quad_run": [12]}
    assert factor("H3", "H3", table=table) == 1
    assert factor("H3 H3 H4 H4 H5 H5 H6 H6", "H3", table=table) == 10
    assert factor("H3 H3 H4 H4 H9 H9 H9", "H3", table=table) == 9


@pytest.mark.parametrize(
    ("variant", "total", "side", "levels"),
    [
        ("menghuan", 0, "declarers", 6),
        ("menghuan", -20, "declarers", 6),
        ("menghuan", 10, "declarers", 5),
        ("menghuan", 35, "declarers", 2),
        ("menghuan", 75, "declarers", 1),
        ("menghuan", 115, "attackers", 0),
        ("menghuan", 120, "attackers", 1),
        ("menghuan", 160, "attackers", 2),
        ("menghuan", 500, "attackers", 6),
        ("bianfeng", 35, "declarers", 2),
        ("bianfeng", 155, "attackers", 1),
        ("bianfeng", 160, "attackers", 2),
        ("bianfeng", 200, "attackers", 3),
        ("bianfeng", 320, "attackers", 6),
        ("bianfeng", 400, "attackers", 8),
        ("joker-bid", 400, "attackers", 6),
        ("joker-bid", 195, "attackers", 2),
    ],
)
def test_level_tables(variant: str, total: int, side: str, levels: int) -> None:
    """Rows of the three tables."""
    result = score.read_level_table(preset(variant), total)
    assert (result.side, result.levels) == (side, levels)


def test_tables_scale() -> None:
    """With 3 decks the take-over is at 120, +1 at 180; 0 and 5 stay."""
    rows, step = scale("bianfeng", 3)
    assert [row[0] for row in rows] == [0, 5, 60, 120, 180]
    assert step == 60
    assert [row[0] for row in scale("menghuan", 3)[0]][:5] == [0, 5, 20, 35, 50]


def test_auction_shifts_the_table() -> None:
    """The table is read at the total plus (take-over bound - target)."""
    rules = preset("pick-trump")
    assert score.read_level_table(rules, 30, 30).takes_over
    assert not score.read_level_table(rules, 25, 30).takes_over


def move(level: int, levels: int, won_here: bool = True, **match: object) -> tuple:
    """Move a level under some match options."""
    rules = resolve({"base": "menghuan", "match": match})
    return score.move_level(rules, level, levels, won_here)


def test_moving_up() -> None:
    """Loop, jokers and end; laps; stops."""
    assert move(13, 1) == (14, 0)
    assert move(13, 3) == (3, 1)
    assert move(13, 3, after_ace="jokers") == (2, 1)
    assert move(14, 1, after_ace="jokers") == (15, 0)
    assert move(13, 3, after_ace="end") == (14, 1)
    assert move(4, 3, stop_levels=[5]) == (5, 0)
    assert move(5, 3, stop_levels=[5]) == (8, 0)
    assert move(5, 3, won_here=False, stop_levels=[5]) == (5, 0)
    assert move(13, 3, stop_levels=[2]) == (2, 1)


def test_next_declarer() -> None:
    """Partner keeps, the next seat takes over; friends."""
    fixed, called = preset("bianfeng"), preset("bianfeng-friend")
    kept, lost = score.Result("declarers", 1), score.Result("attackers", 0)
    assert score.next_declarer(fixed, 3, None, kept) == 1
    assert score.next_declarer(fixed, 3, None, lost) == 0
    assert score.next_declarer(called, 3, 0, kept) == 0
    assert score.next_declarer(called, 3, None, kept) == 3
    assert score.next_declarer(called, 3, 0, lost) == 1


def test_friends_levels() -> None:
    """Winners' own levels move; only the declarer has played a stop level."""
    rules = resolve({"base": "bianfeng-friend", "match": {"stop_levels": [5]}})
    kept = score.Result("declarers", 1)
    levels, _ = score.levels_after(rules, [5, 5, 3, 3], [0] * 4, 0, 1, kept)
    assert levels == [6, 5, 3, 3]
