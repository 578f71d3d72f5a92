"""Streams of different keys know nothing of each other, and the tests would see it.

Keys that follow each other by seed, deal index (or match), deal of a match, redeal,
stream and seat; keys that differ in one bit; and how many words and states of many
keys are equal, or near enough for two streams to share numbers.
"""

import pytest
from chance import MOST_TESTS, alarms
from keys import (
    AXES,
    BARE,
    FORGOTTEN,
    MODULO,
    RIGHT,
    ROUNDED,
    STEPPED,
    SUMMED,
    all_kinds,
)
from streams_tested import avalanche, collisions, neighbours

KEYS = 40_000  # in a row
BASES = 400  # keys of which each bit is turned over
SCATTERED = 2**18
WORDS = ["bits of neighbours", "bits of neighbours, worst", "words", "bits of a word"]
# What a fault must set off in keys that follow each other, whatever counts up.
MUST_ALARM = {
    FORGOTTEN: [*WORDS, *(f"pairs of draws below {it}" for it in (8, 33, 54))],
    BARE: [*WORDS, "first and second words", "first and second words, worst"],
    MODULO: ["draws below 33", "draws below 54"],
    ROUNDED: ["draws below 8", "draws below 33", "draws below 54"],
}
UNEVEN_BITS = "each bit"  # BARE's
MEETINGS = [
    *(f"equal {what}" for what in ("words", "states")),
    *(
        f"{what} with equal bits from {shift}"
        for what in ("words", "states")
        for shift in (0, 16, 32)
    ),
    *("streams that share numbers", "streams near each other"),
]


@pytest.mark.parametrize("axis", range(len(AXES)), ids=AXES)
def test_neighbouring_keys(axis):
    told = neighbours(axis, KEYS)
    assert alarms(told) == {}
    seen = {name for names in MUST_ALARM.values() for name in names} | {UNEVEN_BITS}
    assert set(told) == {f"{AXES[axis]}: {name}" for name in seen}


@pytest.mark.parametrize("how", MUST_ALARM)
@pytest.mark.parametrize("axis", range(len(AXES)), ids=AXES)
def test_faults_of_neighbouring_keys_are_seen(axis, how):
    seen = alarms(neighbours(axis, KEYS, how))
    must = [*MUST_ALARM[how], *([UNEVEN_BITS] if how == BARE else [])]
    assert {f"{AXES[axis]}: {name}" for name in must} - set(seen) == set()


def test_keys_that_differ_in_one_bit():
    assert alarms(avalanche(BASES)) == {}


@pytest.mark.parametrize("how", [FORGOTTEN, BARE])
def test_bits_that_change_too_little_are_seen(how):
    told = avalanche(BASES, how)
    assert set(alarms(told)) == set(told)


def test_streams_do_not_meet():
    keys = all_kinds(SCATTERED)
    told = collisions(keys)
    assert alarms(told) == {}
    assert set(told) == set(MEETINGS)
    assert len(keys) > 0.9 * SCATTERED


@pytest.mark.parametrize("how", [SUMMED, STEPPED, FORGOTTEN])
def test_streams_that_meet_are_seen(how):
    assert set(alarms(collisions(all_kinds(SCATTERED), how))) == set(MEETINGS)


def test_the_family_is_as_large_as_stated():
    """All chances of the suite, each source of cards and each axis counted."""
    cards, sources, seeds = 22, 3 + 3, 2
    streams = len(AXES) * len(neighbours(0, KEYS)) + 2 * len(AXES) + len(MEETINGS)
    assert cards * (sources + 3 * seeds) + 2 * streams + 50 < MOST_TESTS


@pytest.mark.slow
@pytest.mark.parametrize("axis", range(len(AXES)), ids=AXES)
def test_many_neighbouring_keys(axis):
    assert alarms(neighbours(axis, 500_000)) == {}


@pytest.mark.slow
def test_many_keys_that_differ_in_one_bit():
    assert alarms(avalanche(20_000)) == {}


@pytest.mark.slow
def test_many_streams_do_not_meet():
    assert alarms(collisions(all_kinds(2**22), RIGHT)) == {}
