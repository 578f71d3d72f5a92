"""The shuffle deals fair cards, and the tests would see it if it did not.

Counted: faces by place, by seat and in the bottom; pairs of faces and of copies in one
hand; faces 1, 2 and 4 places apart; deals that follow each other.
"""

import pytest
from cards_dealt import chances_of
from chance import alarms
from dealing import (
    ANY_PLACE,
    LAST_LEFT,
    MODULO,
    OFF_BY_ONE,
    ONLY_CUT,
    REUSED,
    TWINS,
    shuffled_decks,
)

DEALS = {2: 12_000, 3: 8_000, 4: 8_000}
MORE_DEALS = {2: 200_000, 3: 120_000, 4: 100_000}
SEED = 11
APART = [f"{what} {lag} apart" for what in ("faces", "copies") for lag in (1, 2, 4)]
# What a fault must set off, at the least. Each chance that is told is in one of them.
MUST_ALARM = {
    OFF_BY_ONE: ["positions"],
    LAST_LEFT: [
        *("positions, worst", "seat 0", "seat 1", "seat 2", "seat 3", "bottom"),
        *(f"faces {lag} apart, worst" for lag in (1, 2, 4)),
    ],
    ONLY_CUT: ["faces in a hand", "faces in a hand, worst", "rising", *APART],
    TWINS: ["copies in a hand"],
    REUSED: ["next deal the same", "next deal backwards"],
    ANY_PLACE: ["positions"],
    MODULO: ["positions"],
}


def missed(how: int, decks: int, deals: int) -> set[str]:
    """What should have told of a fault and did not."""
    told = chances_of(shuffled_decks(deals, decks, SEED, how))
    assert set(MUST_ALARM[how]) <= set(told)
    return set(MUST_ALARM[how]) - set(alarms(told))


@pytest.mark.parametrize("decks", DEALS)
def test_cards_are_dealt_fairly(decks):
    told = chances_of(shuffled_decks(DEALS[decks], decks, SEED))
    assert alarms(told) == {}
    assert set(told) == {name for names in MUST_ALARM.values() for name in names}


@pytest.mark.parametrize("how", [OFF_BY_ONE, LAST_LEFT, ONLY_CUT, TWINS, REUSED])
def test_faults_are_seen(how):
    assert missed(how, 2, DEALS[2]) == set()


@pytest.mark.slow
@pytest.mark.parametrize("decks", DEALS)
@pytest.mark.parametrize("seed", [1, 2**64 - 1])
def test_cards_are_dealt_fairly_in_many_deals(decks, seed):
    assert alarms(chances_of(shuffled_decks(MORE_DEALS[decks], decks, seed))) == {}


@pytest.mark.slow
@pytest.mark.parametrize("decks", DEALS)
@pytest.mark.parametrize("how", MUST_ALARM)
def test_every_fault_is_seen_with_any_number_of_decks(how, decks):
    assert missed(how, decks, 2 * DEALS[decks]) == set()
