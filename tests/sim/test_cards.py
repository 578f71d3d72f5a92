"""Cards as text, both ways, and cards that cannot be."""

import pytest

from sim.cards import (
    CARD_NAMES,
    CardsError,
    card_names,
    check_copies,
    lacking,
    parse_card,
    parse_cards,
)


def test_every_card_reads_back() -> None:
    assert len(set(CARD_NAMES)) == 54
    for face, name in enumerate(CARD_NAMES):
        assert parse_card(name) == face
    assert card_names(parse_cards(["S2", "HA", "DT", "LJ", "BJ"])) == [
        "S2",
        "HA",
        "DT",
        "LJ",
        "BJ",
    ]


def test_faces_are_suit_by_suit() -> None:
    assert parse_card("S2") == 0
    assert parse_card("SA") == 12
    assert parse_card("H2") == 13
    assert parse_card("C2") == 26
    assert parse_card("DA") == 51
    assert (parse_card("LJ"), parse_card("BJ")) == (52, 53)


def test_ten_may_be_written_out() -> None:
    assert parse_cards(["S10", "D10"]) == parse_cards(["ST", "DT"])


@pytest.mark.parametrize("text", ["S11", "S1", "XX", "1S", "JB", "", "s2", "JS", 5])
def test_unknown_card(text: object) -> None:
    with pytest.raises(CardsError, match="unknown card"):
        parse_card(text)


@pytest.mark.parametrize("cards", ["S2", None, {"S2": 1}, 3])
def test_not_a_list(cards: object) -> None:
    with pytest.raises(CardsError, match="list of cards"):
        parse_cards(cards)


def test_copies() -> None:
    check_copies(2, parse_cards(["HA", "HA"]), parse_cards(["SA"]))
    with pytest.raises(CardsError, match="3 HA with 2 decks"):
        check_copies(2, parse_cards(["HA", "HA"]), parse_cards(["HA"]))


def test_lacking_counts_copies() -> None:
    hand = parse_cards(["HA", "S2"])
    assert card_names(lacking(parse_cards(["HA", "HA"]), hand)) == ["HA"]
    assert lacking(hand, hand) == []
