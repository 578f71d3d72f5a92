"""The order of the cards and the reading of components: the rules page's examples."""

import pytest

from sim.referee.cards import Layout, check_copies, count_points, parse_card, whole_pack
from sim.referee.components import read_components


def shapes(text: str, level: int, trump: str) -> list[tuple[int, int]]:
    """Read cards and return each component's (width, length)."""
    found = read_components(text.split(), Layout(level, trump))
    return [(part.width, part.length) for part in found]


@pytest.mark.parametrize(("text", "card"), [("S10", "ST"), ("ST", "ST"), ("BJ", "BJ")])
def test_parse(text: str, card: str) -> None:
    """Ten has two spellings."""
    assert parse_card(text) == card


@pytest.mark.parametrize("text", ["S1", "S11", "JB", "", "1S", "XX", "s9", None, 7])
def test_parse_refuses(text: object) -> None:
    """Anything else is named in the error."""
    with pytest.raises(ValueError, match=f"unknown card {text!r}"):
        parse_card(text)


def test_copies() -> None:
    """No more copies than decks."""
    check_copies(["SA", "SA"], 2)
    with pytest.raises(ValueError, match="3 SA with 2 decks"):
        check_copies(["SA", "SA", "SA"], 2)


@pytest.mark.parametrize("decks", [2, 3, 4])
def test_points_of_the_pack(decks: int) -> None:
    """A deck holds 100 points and 54 cards."""
    pack = whole_pack(decks)
    assert count_points(pack.elements()) == 100 * decks
    assert pack.total() == 54 * decks


def test_trump_order() -> None:
    """BJ, LJ, 主级牌, 副级牌, A … 2 without the level rank."""
    layout = Layout(5, "S")
    order = ["S2", "S3", "S4", "S6", "S7", "S8", "S9", "ST", "SJ", "SQ", "SK", "SA"]
    order += ["H5", "S5", "LJ", "BJ"]
    assert [layout.place(card) for card in order] == list(range(16))
    assert {layout.place(card) for card in ("H5", "C5", "D5")} == {12}
    assert {layout.suit(card) for card in (*order, "C5", "D5")} == {"T"}
    assert layout.suit("H6") == "H"


def test_no_trump_order() -> None:
    """The four level cards are equal, then the jokers."""
    layout = Layout(5, "NT")
    assert [layout.place(c) for c in ("S5", "H5", "C5", "D5", "LJ", "BJ")] == [
        0,
        0,
        0,
        0,
        1,
        2,
    ]
    assert layout.suit("S6") == "S"


def test_joker_level() -> None:
    """Past A only the jokers are trumps, and there is no trump suit."""
    layout = Layout(15, "NT")
    assert layout.suit("SA") == "S"
    assert layout.place("SA") == 12
    assert layout.suit("LJ") == "T"
    with pytest.raises(ValueError, match="joker level"):
        Layout(15, "S")


@pytest.mark.parametrize(
    "text",
    [
        "H3 H3 H4 H4",
        "C4 C4 C6 C6",
        "D5 D5 S5 S5",
        "LJ LJ BJ BJ",
        "SA SA H5 H5",
        "S5 S5 LJ LJ",
    ],
)
def test_tractors(text: str) -> None:
    """Level 5, trump S: these are tractors."""
    assert shapes(text, 5, "S") == [(2, 2)]


def test_not_tractors() -> None:
    """Level 5: 5566, level pairs in no-trump, HK with SA."""
    assert shapes("H5 H5 H6 H6", 5, "S") == []  # not even of one suit
    assert shapes("S5 S5 S6 S6", 5, "S") == [(2, 1), (2, 1)]
    assert shapes("H5 H5 D5 D5", 5, "NT") == [(2, 1), (2, 1)]
    assert shapes("HK HK SA SA", 5, "S") == []


def test_level_ace() -> None:
    """At level A the trump suit's king is next to the level cards."""
    assert shapes("SK SK HA HA SA SA LJ LJ", 14, "S") == [(2, 4)]


def test_no_trump_tractor() -> None:
    """In no-trump a level pair and the little jokers are a tractor."""
    assert shapes("H5 H5 LJ LJ BJ BJ", 5, "NT") == [(2, 3)]


def test_wider_comes_first() -> None:
    """With 3 decks 333 44 is a triple and a pair."""
    assert shapes("H3 H3 H3 H4 H4", 5, "S") == [(3, 1), (2, 1)]
    assert shapes("H3 H3 H3 H4 H4 H4", 5, "S") == [(3, 2)]
    assert shapes("H3 H3 H3 H3 H4 H4 H4 H4", 5, "S") == [(4, 2)]


def test_shared_place() -> None:
    """A tractor uses one of two level pairs, in the order S H C D."""
    layout = Layout(5, "S")
    tractor, pair = read_components("SA SA D5 D5 H5 H5".split(), layout)
    assert tractor.cards == ("H5", "H5", "SA", "SA")
    assert pair.cards == ("D5", "D5")


def test_longest_then_highest() -> None:
    """Of two equal runs the higher is read first; a longer one before both."""
    layout = Layout(2, "S")
    cards = "H3 H3 H4 H4 H6 H6 H7 H7".split()
    assert [part.top for part in read_components(cards, layout)] == [4, 1]
    cards += "HT HT HJ HJ HQ HQ".split()
    assert [part.length for part in read_components(cards, layout)] == [3, 2, 2]
