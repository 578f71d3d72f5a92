"""Leads, follows and winners: examples that the rules page tells in words."""

import itertools
import random

import pytest

from sim.referee.cards import Layout, whole_pack
from sim.referee.components import read_components
from sim.referee.follow import duty, pay, why_not_follow
from sim.referee.throw import forced_component
from sim.referee.trick import winning_place

HEARTS = Layout(2, "S")


def owed(hand: str, lead: str, layout: Layout = HEARTS) -> list[tuple[int, int]]:
    """Return the duty of a hand to a lead."""
    return duty(hand.split(), read_components(lead.split(), layout), layout)


def why(hand: str, lead: str, play: str, throw_follow: str = "shape") -> str | None:
    """Return why a follow is not legal."""
    return why_not_follow(
        hand.split(), lead.split(), play.split(), HEARTS, throw_follow
    )


def forced(lead: str, *others: str) -> list[str] | None:
    """Return what a throw is reduced to, None if it stands."""
    found = forced_component(lead.split(), [h.split() for h in others], HEARTS)
    return None if found is None else list(found.cards)


def winner(*plays: str, layout: Layout = HEARTS) -> int:
    """Return the place of the winning play."""
    return winning_place([play.split() for play in plays], layout)


# ---- following


def test_duty_of_three_pairs() -> None:
    """Holding a 2-pair tractor and other pairs: the tractor and one more pair."""
    hand = "H3 H3 H4 H4 H8 H8 HT HT HK"
    assert owed(hand, "H5 H5 H6 H6 H7 H7") == [(2, 2), (2, 1)]


def test_duty_of_a_long_tractor() -> None:
    """A longer tractor pays with its top; the highest run among equals."""
    assert owed("H3 H3 H4 H4 H5 H5 H9", "H7 H7 H8 H8") == [(2, 2)]
    payment = pay(
        "H3 H3 H4 H4 H5 H5 H9".split(),
        read_components("H7 H7 H8 H8".split(), HEARTS),
        HEARTS,
    )
    assert sorted(payment.cards) == ["H4", "H4", "H5", "H5"]


def test_duty_of_wider_leads() -> None:
    """A triple asks for a triple, else a pair; a lone quad at last for one pair."""
    assert owed("H3 H3 H3 H4", "H5 H5 H5") == [(3, 1)]
    assert owed("H3 H3 H4 H4", "H5 H5 H5") == [(2, 1)]
    assert owed("H3 H3 H4 H4", "H5 H5 H5 H5") == [(2, 1)]
    # Two triples in a row unpaid: a tractor is owed next.
    assert owed("H3 H3 H4 H4 H9 HT HJ", "H5 H5 H5 H6 H6 H6") == [(2, 2)]
    # The wider entry weighs more than any number of narrower ones.
    assert [(3, 1)] > [(2, 3), (2, 2)]


def test_follow_suit() -> None:
    """All of the suit if short of it, else only of the suit."""
    assert why("H3 C4 C5", "H5 H5", "H3 C4") is None
    assert "must play all" in str(why("H3 C4 C5", "H5 H5", "C4 C5"))
    assert "must play 1 of them" in str(why("H3 H4 C5", "H5", "C5"))
    assert "1 cards played" in str(why("H3 H4 C5", "H5 H5", "H3"))
    with pytest.raises(ValueError, match="play not in hand"):
        why("H3 H4", "H5", "H9")


def test_follow_shape() -> None:
    """The sentence names what is owed and what was played."""
    hand = "H3 H3 H4 H4 H8 H8 HK"
    assert why(hand, "H6 H6 H7 H7", "H3 H3 H4 H4") is None
    sentence = why(hand, "H6 H6 H7 H7", "H3 H3 H8 H8")
    assert sentence == "owes a tractor of 2 pairs of H and plays a pair and a pair"
    assert why(hand, "H6 H6", "H3 HK") == "owes a pair of H and plays no pair"


def test_follow_a_throw() -> None:
    """`suit` asks only for the suit, of a throw."""
    hand = "H3 H3 H4 H9 HT"
    assert why(hand, "HK HK HA", "H4 H9 HT", "suit") is None
    assert why(hand, "HK HK HA", "H4 H9 HT") is not None
    assert why(hand, "HK HK", "H4 H9", "suit") is not None


@pytest.mark.parametrize("decks", [2, 3])
def test_a_legal_follow_always_exists(decks: int) -> None:
    """What pays the duty, filled up with anything of the suit, is legal (seed 1)."""
    rng = random.Random(1)
    suit = HEARTS.of_suit(whole_pack(decks).elements(), "H")
    for _ in range(200):
        cards = rng.sample(suit, 13)
        lead, hand = cards[: rng.randint(1, 5)], cards[5:]
        parts = read_components(lead, HEARTS)
        paid = pay(hand, parts, HEARTS)
        legal = [
            play
            for play in itertools.combinations(hand, len(lead))
            if why_not_follow(hand, lead, play, HEARTS, "shape") is None
        ]
        assert legal
        rest = list(hand)
        for card in paid.cards:
            rest.remove(card)
        play = paid.cards + rest[: len(lead) - len(paid.cards)]
        assert why_not_follow(hand, lead, play, HEARTS, "shape") is None
        if decks == 2:
            assert {tuple(duty(each, parts, HEARTS)) for each in legal} == {
                tuple(paid.duty)
            }


# ---- throws


def test_throw_stands_on_equals() -> None:
    """Only higher cards of the suit beat a component; trumps do not."""
    assert forced("HA HK HK", "HA S3", "HQ HQ", "SA SA") is None
    assert forced("HA HK HK", "H3", "H4", "H5") is None


def test_smallest_failing_is_forced() -> None:
    """Fewest cards first, then the lowest, whoever beats it."""
    assert forced("HQ H9 H5", "HK", "H7", "H3") == ["H5"]
    assert forced("HQ HQ H9", "HK HK", "HA", "H3") == ["H9"]
    assert forced("HQ HQ HA", "HK HK", "HA", "H3") == ["HQ", "HQ"]
    assert forced("HT HT HJ HJ HA", "HQ HQ HK HK", "", "") == ["HJ", "HJ", "HT", "HT"]


def test_tractor_fails_by_its_top() -> None:
    """A run of at least the length with a higher top, one place higher at the least."""
    assert forced("H9 H9 HT HT HA", "HT HT HJ HJ", "", "") is not None
    assert forced("H9 H9 HT HT HA", "HQ HQ HA HA", "", "") is None
    assert forced("H9 H9 HT HT HA", "H8 H8 H9 H9 HT HT", "", "") is None


def test_equal_level_cards_in_suit_order() -> None:
    """Of equal failing level cards S H C D decides."""
    assert forced("C2 H2 D2", "S2", "", "") == ["H2"]


def test_pair_inside_a_triple_counts() -> None:
    """With 3 decks a higher triple holds a higher pair."""
    assert forced("HQ HQ HA", "HK HK HK", "", "") == ["HQ", "HQ"]


# ---- winners


def test_equals_first_wins() -> None:
    """The first played of equal cards wins, side level cards too."""
    assert winner("HA", "HA", "H3", "H4") == 0
    assert winner("H3", "H2", "D2", "C2") == 1
    assert winner("H3", "D2", "S2", "C2") == 2


def test_loose_cards_never_beat_a_shape() -> None:
    """Two loose trumps lose to a pair, two loose pairs to a tractor."""
    assert winner("H3 H3", "LJ BJ", "H4 H5", "C3 C3") == 0
    assert winner("H3 H3 H4 H4", "S3 S3 S5 S5", "S3 S3 S4 S4", "H5 H5 H6 H6") == 2


def test_throw_and_ruffs() -> None:
    """Same-suit followers never win; a matching ruff does, then a higher one."""
    assert winner("HQ HK", "HA HA", "C3 C4", "D3 D4") == 0
    assert winner("HQ HK", "S3 S4", "S4 S3", "SA S3") == 3
    assert winner("HQ HQ HK", "S3 S3 S4", "S4 S5 S6", "S3 S3 SA") == 1
    assert winner("SQ SQ SK", "SA SA BJ", "S3 S4 S5", "C3 C4 C5") == 0


def test_ruff_divides_as_fits() -> None:
    """A chain of four pairs answers two tractors of two; the higher way counts."""
    layout = Layout(7, "H")
    plays = (
        "S3 S3 S4 S4 S9 S9 ST ST",
        "HA HA S7 S7 D7 D7 H7 H7",
        "C2 C2 C3 C4 C6 C8 C9 CJ",
        "D2 D3 D4 D6 D8 D9 DJ DQ",
    )
    assert winner(*plays, layout=layout) == 1


def test_match_by_the_best_way() -> None:
    """Two pairs and a pair led: of a ruff's four pairs the highest tractor counts."""
    assert (
        winner(
            "H3 H3 H4 H4 H9 H9",
            "S3 S3 S4 S4 S9 S9",
            "S5 S5 S6 S6 S7 S7",
            "C3 C4 C5 C6 C7 C8",
        )
        == 2
    )
