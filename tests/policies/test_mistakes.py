"""The count of clear mistakes: one planted of each kind, and what is none."""

from collections import Counter

import pytest

from sim.referee.cards import Layout
from sim.referee.mistakes import (
    DEAR_WIN,
    POINTS_GIVEN,
    TAKEN_OVER,
    TRICK_LEFT,
    find_mistakes,
    judge_last,
)

# (what, the last seat's hand, the trick's four plays, the kind of mistake)
TRICKS = [
    ("ten to the enemy's ace", "ST S6 D4", "SA | S3 | S4 | ST", POINTS_GIVEN),
    ("the six instead", "ST S6 D4", "SA | S3 | S4 | S6", None),
    ("nothing but points", "ST SK D4", "SA | S3 | S4 | ST", None),
    ("a five to save an ace", "S5 SA", "H3 | H4 | H6 | S5", None),
    (
        "a pair with points",
        "S5 S5 S7 S7",
        "SA SA | S3 S4 | S4 S6 | S5 S5",
        POINTS_GIVEN,
    ),
    ("a five discarded", "D5 C4 BJ", "SA | S3 | S4 | D5", POINTS_GIVEN),
    ("the trick for the jack", "SJ S6 D4", "S9 | S3 | ST | S6", TRICK_LEFT),
    ("the trick for a ruff", "H4 D4 D6", "SA | S3 | SK | D4", TRICK_LEFT),
    ("the trick for a pair's half", "H4 H4 D6", "SA | S3 | SK | D6", TRICK_LEFT),
    ("only a joker wins it", "BJ D4 D6", "SA | S3 | SK | D4", None),
    ("five points only", "H4 D4 D6", "SA | S3 | S5 | D4", None),
    ("over the partner's ten", "SJ S6 D4", "S9 | ST | S4 | SJ", TAKEN_OVER),
    ("over the partner's queen", "SA S6 D4", "S9 | SQ | S4 | SA", TAKEN_OVER),
    ("ruffed the partner's ace", "H4 D4 D6", "S9 | SA | S4 | H4", TAKEN_OVER),
    ("had to take it over", "SA D4 D6", "S9 | SQ | S4 | SA", None),
    ("joker for the jack's work", "BJ HJ D4", "H9 | HT | H3 | BJ", DEAR_WIN),
    ("joker for the ruff", "BJ H4 D4", "SA | S3 | SK | BJ", DEAR_WIN),
    ("big joker for the little", "BJ LJ D4", "H2 | HT | H3 | BJ", DEAR_WIN),
    ("level card for the ace", "S2 HA D4", "HK | HT | H3 | S2", DEAR_WIN),
    ("the little one does it", "BJ LJ D4", "H2 | HT | H3 | LJ", None),
    ("the king brings points", "H2 HK D4", "HQ | HT | H3 | HK", None),
]


@pytest.mark.parametrize(
    ("hand", "plays", "kind"),
    [row[1:] for row in TRICKS],
    ids=[row[0] for row in TRICKS],
)
def test_planted(hand, plays, kind):
    table = [play.split() for play in plays.split("|")]
    found = judge_last(
        Counter(hand.split()), table, Layout(2, "H"), {"throw_follow": "shape"}
    )
    assert found == kind


def test_found_in_a_record():
    """The last seat of the second trick, in a deal that has but two."""
    record = {
        "level": 2,
        "trump": "H",
        "rules": {"throw_follow": "shape"},
        "drawn": [["SA", "CA"], ["S3", "C3"], ["S4", "C4"], ["S6", "C5"]],
        "buries": [{"seat": 3, "took": ["CJ"], "buried": ["C5"]}],
        "tricks": [
            {"leader": 0, "plays": [["SA"], ["S3"], ["S4"], ["S6"]]},
            {"leader": 0, "plays": [["CA"], ["C3"], ["C4"], ["CJ"]]},
        ],
    }
    assert list(find_mistakes(record)) == []
    record["drawn"][3].append("ST")
    record["tricks"][0]["plays"][3] = ["ST"]
    assert list(find_mistakes(record)) == [(1, POINTS_GIVEN, ["ST"])]
