"""Four words at once give what each of them gives alone.

Compiled without being kept: kept code knows nothing of what a closure holds.
"""

import operator

import numpy as np
import pytest
from numba import njit

from kernels.bits import U0, choose, highest, highest_each, popcount
from kernels.four import four, load_four, set_flags, with_word, word_of
from kernels.planes import cards_of, copies, count_cards, no_cards, with_cards

WORDS = np.random.default_rng(4).integers(0, 2**64, (200, 2, 4), np.uint64)
# Few bits, none, the first and the last bit, and equal words.
WORDS[:50] &= WORDS[50:100] & WORDS[100:150]
WORDS[0], WORDS[1], WORDS[2, 1] = 0, 2**63, WORDS[2, 0]
WORDS[3:9, :, 1] = np.uint64(1) << np.arange(6, dtype=np.uint64)[:, None]


@njit
def put(words, out):
    for place in range(4):
        out[place] = word_of(words, place)


def of_each(function):
    """A kernel that puts what a function of two Fours gives into an array."""
    kernel = njit(function)

    @njit
    def call(pair, out):
        put(kernel(load_four(pair[0]), load_four(pair[1])), out)

    def run(pair: np.ndarray) -> np.ndarray:
        out = np.zeros(4, np.uint64)
        call(pair, out)
        return out

    return run


def check(function, expected) -> None:
    run = of_each(function)
    for pair in WORDS:
        wanted = [expected(*(int(word) for word in words)) for words in pair.T]
        assert [int(word) for word in run(pair)] == [it % 2**64 for it in wanted]


def signed(word: int) -> int:
    return word - 2**64 if word >> 63 else word


CALCULATIONS = {
    "and": (lambda a, b: a & b, operator.and_),
    "or": (lambda a, b: a | b, operator.or_),
    "not": (lambda a, b: ~a, lambda a, b: ~a),
    "add": (lambda a, b: a + b, operator.add),
    "subtract": (lambda a, b: a - b, operator.sub),
    "multiply": (lambda a, b: a * b, operator.mul),
    "add a number": (lambda a, b: a + 7, lambda a, b: a + 7),
    "a number less": (lambda a, b: 7 - a, lambda a, b: 7 - a),
    "shift down": (lambda a, b: a >> np.uint64(3), lambda a, b: a >> 3),
    "shift up": (lambda a, b: a << (b & np.uint64(31)), lambda a, b: a << (b & 31)),
    "popcount": (lambda a, b: popcount(a), lambda a, b: a.bit_count()),
    "highest": (
        lambda a, b: highest_each(a),
        lambda a, b: 1 << a.bit_length() - 1 if a else 0,
    ),
}
CONDITIONS = {
    "equal": (lambda a, b: a == b, operator.eq),
    "other": (lambda a, b: a != U0, lambda a, b: a != 0),
    "less": (lambda a, b: a < b, lambda a, b: signed(a) < signed(b)),
    "at most": (lambda a, b: a <= b, lambda a, b: signed(a) <= signed(b)),
    "more": (lambda a, b: a > 5, lambda a, b: signed(a) > 5),
    "at least": (lambda a, b: a >= b, lambda a, b: signed(a) >= signed(b)),
    "both": (lambda a, b: (a > 5) & (b > 5), lambda a, b: min(map(signed, (a, b))) > 5),
    "one": (lambda a, b: (a > 5) | (b > 5), lambda a, b: max(map(signed, (a, b))) > 5),
    "none": (lambda a, b: ~(a > b), lambda a, b: signed(a) <= signed(b)),
}


@pytest.mark.parametrize("name", CALCULATIONS)
def test_calculations(name):
    check(*CALCULATIONS[name])


@pytest.mark.parametrize("name", CONDITIONS)
def test_conditions(name):
    function, expected = CONDITIONS[name]
    condition = njit(function)
    check(
        lambda a, b: choose(condition(a, b), a, b),
        lambda a, b: a if expected(a, b) else b,
    )
    check(
        lambda a, b: choose(condition(a, b), 3, -4),
        lambda a, b: 3 if expected(a, b) else -4,
    )


def test_flags_as_bits():
    @njit
    def flags(words):
        return set_flags(load_four(words) != U0)

    for number in range(16):
        words = np.array([number >> place & 1 for place in range(4)], np.uint64)
        assert flags(words) == number


def test_words_by_place():
    @njit
    def replace(place, word, out):
        put(with_word(four(1, 2, 4, 8), place, word), out)

    out = np.zeros(4, np.uint64)
    for place in range(4):
        replace(place, np.uint64(99), out)
        expected = [1, 2, 4, 8]
        expected[place] = 99
        assert list(out) == expected


@pytest.mark.parametrize("decks", [2, 3, 4])
def test_planes_of_fours(decks):
    @njit
    def put_cards(fours, words, place, cards):
        fours = with_cards(fours, place, cards)
        numbers = count_cards(fours)
        nothing = no_cards(fours)
        same = word_of(nothing[0], place) == U0
        return cards_of(fours, place), same, np.int64(word_of(numbers, place))

    @njit
    def run(words, place, cards):
        wide = copies(load_four(words), len(cards), cards)
        return put_cards(wide, words, place, cards)

    words = WORDS[150, 0]
    for place in range(4):
        cards = tuple(WORDS[160, 0, :decks])
        got, empty, number = run(words, place, cards)
        assert got == cards
        assert empty
        assert number == sum(int(plane).bit_count() for plane in cards)
        other = run(words, (place + 1) % 4, cards)
        assert other[0] == cards


def test_highest_of_one_is_that_of_each():
    for word in WORDS[:, 0, 0]:
        assert int(highest(word)) == (1 << int(word).bit_length() - 1 if word else 0)
