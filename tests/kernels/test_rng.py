"""Random numbers and the shuffle: a twin in Python's integers, and statistics."""

from itertools import product
from math import prod, sqrt

import numpy as np
import pytest

from kernels import rng
from kernels.codes import CARDS, FACES
from kernels.jit import jit
from sim.cards import card_names

WORD = 2**64
Z = 4  # standard deviations; with a fixed seed a test that passes goes on passing
BATCHES = {2: rng.BATCHES_2, 3: rng.BATCHES_3, 4: rng.BATCHES_4}
STATE = np.dtype([("random", "u8")])


def twin_mix(state: int) -> int:
    state = (state ^ (state >> 30)) * 0xBF58476D1CE4E5B9 % WORD
    state = (state ^ (state >> 27)) * 0x94D049BB133111EB % WORD
    return state ^ (state >> 31)


def twin_key(*numbers: int) -> int:
    key = 0
    for number in numbers:
        key = twin_mix(((key ^ number) + int(rng.GOLDEN)) % WORD)
    return key


class Twin:
    """The numbers that follow a key."""

    def __init__(self, key: int):
        self.state = key

    def draw(self) -> int:
        self.state = (self.state + int(rng.GOLDEN)) % WORD
        return twin_mix(self.state)

    def below(self, bound: int) -> int:
        while True:
            chosen, rest = divmod((self.draw() >> 32) * bound, 2**32)
            if rest >= 2**32 % bound:
                return chosen


def digits(word: int, bounds: list[int], size: int) -> list[int] | None:
    """A batch of bounded draws out of one word below `size`; None to try another."""
    drawn = []
    for bound in bounds:
        chosen, word = divmod(word * bound, size)
        drawn.append(chosen)
    return None if word < size % prod(bounds) else drawn


def twin_shuffle(key: int, decks: int) -> tuple[list[int], int]:
    """The deck, and how many words were thrown away."""
    twin, thrown = Twin(key), 0
    deck = [card // decks for card in range(CARDS[decks])]
    for first, last, *_ in BATCHES[decks].tolist():
        bounds = list(range(first, last, -1))
        while (drawn := digits(twin.draw(), bounds, WORD)) is None:
            thrown += 1
        for bound, other in zip(bounds, drawn, strict=True):
            deck[bound - 1], deck[other] = deck[other], deck[bound - 1]
    return deck, thrown


def shuffled(key: int, decks: int = 2) -> np.ndarray:
    deck = np.empty(CARDS[decks], np.int8)
    rng.shuffle(np.uint64(key), deck)
    return deck


def test_splitmix64_as_published():
    state = np.array([(1234567,)], STATE)[0]
    assert [rng.draw(state) for _ in range(5)] == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ]


@pytest.mark.parametrize("key", [1, 2**64 - 1])
def test_draws_below_a_bound(key):
    state, twin = np.array([(key,)], STATE)[0], Twin(key)
    for bound in [1, 2, 3, 108, 2**31, 2**31 + 1, 2**32 - 1] * 40:
        assert rng.below(state, bound) == twin.below(bound), bound
    assert state["random"] == twin.state


@jit
def count_below(state, bound, counts):
    for _ in range(len(counts) * 100_000):
        counts[rng.below(state, bound)] += 1


@pytest.mark.parametrize("bound", [2, 3, 7, 33])
def test_draws_are_uniform(bound):
    counts = np.zeros(bound, np.int64)
    count_below(np.array([(5,)], STATE)[0], bound, counts)
    assert np.abs(z_of_counts(counts, 1 / bound)).max() < Z


def z_of_counts(counts: np.ndarray, share: float) -> np.ndarray:
    """How far counts lie from `share` of their sum, in standard deviations."""
    number = counts.sum()
    return (counts - number * share) / sqrt(number * share * (1 - share))


def test_keys_are_those_of_the_twin():
    for numbers in product((0, 1, 2**64 - 1), (0, 7, 2**40), (0, 3), (0, 9)):
        seed, *rest = numbers
        key = rng.deal_key(np.uint64(seed), *rest)
        # The seed is mixed by itself first.
        assert key == twin_key(*numbers), numbers
        for stream, seat in product(range(2), range(4)):
            assert rng.stream_key(np.uint64(key), stream, seat) == twin_mix(
                ((int(key) ^ (stream * 8 + seat)) + int(rng.GOLDEN)) % WORD
            )


def test_streams_of_different_keys_differ():
    """Not even the first words of their streams meet."""
    first = set()
    keys = list(product(range(3), range(50), range(3), range(3)))
    for seed, index, deal, redeal in keys:
        key = np.uint64(rng.deal_key(np.uint64(seed), index, deal, redeal))
        streams = [rng.stream_key(key, rng.SHUFFLE, 0)]
        streams += [rng.stream_key(key, rng.POLICY, seat) for seat in range(4)]
        first |= {Twin(int(stream)).draw() for stream in streams}
    assert len(first) == len(keys) * 5


@pytest.mark.parametrize("decks", BATCHES)
def test_batches_are_every_draw_once(decks):
    reached = CARDS[decks]
    for first, last, multiple, reject in BATCHES[decks].tolist():
        assert first == reached
        assert multiple == prod(range(first, last, -1)) < WORD
        assert reject == WORD % multiple
        reached = last
    assert reached == 1


@pytest.mark.parametrize("bounds", [[5, 4, 3], [7], [9, 8, 7, 6], [64, 2], [3] * 6])
@pytest.mark.parametrize("bits", [12, 13])
def test_a_batch_is_exact(bounds, bits):
    """Exhaustive, with small words: each combination comes from equally many words."""
    words = [digits(word, bounds, 2**bits) for word in range(2**bits)]
    kept = [tuple(drawn) for drawn in words if drawn is not None]
    combinations = set(product(*map(range, bounds)))
    assert set(kept) == combinations
    each = 2**bits // len(combinations)
    assert all(kept.count(drawn) == each for drawn in combinations)


@pytest.mark.parametrize("decks", BATCHES)
def test_shuffles_are_those_of_the_twin(decks):
    thrown = 0
    for key in range(1, 400):
        deck, its_thrown = twin_shuffle(key, decks)
        thrown += its_thrown
        assert shuffled(key, decks).tolist() == deck, key
    assert thrown > 50  # the rarer branch was taken, too


@jit
def count_decks(deals, deck, at, ordered):
    """Count faces at places, and of which two places the first holds the lower face."""
    for index in range(deals):
        key = rng.deal_key(np.uint64(1), index, 0, 0)
        rng.shuffle(rng.stream_key(key, rng.SHUFFLE, 0), deck)
        for place in range(len(deck)):
            at[place, deck[place]] += 1
            for other in range(place):
                ordered[other, place] += deck[other] < deck[place]


@pytest.mark.parametrize("decks", BATCHES)
def test_every_order_is_equally_likely(decks):
    """Where a card lies, and which of two places holds the lower one."""
    deals, cards = 100_000 // decks, CARDS[decks]
    at = np.zeros((cards, FACES), np.int64)
    ordered = np.zeros((cards, cards), np.int64)
    count_decks(deals, np.empty(cards, np.int8), at, ordered)
    share = decks / cards
    z = (at - deals * share) / sqrt(deals * share * (1 - share))
    # Rows and columns have fixed sums, which leaves so many free cells.
    free = (cards - 1) * (FACES - 1)
    squares = float((z**2).sum()) * free / z.size
    assert abs(squares - free) / sqrt(2 * free) < Z
    assert np.abs(z).max() < 5.5  # of 11,664 cells at most
    # Two places hold the same face with probability (decks - 1) / (cards - 1).
    lower = (1 - (decks - 1) / (cards - 1)) / 2
    pairs = ordered[np.triu_indices(cards, 1)]
    z = (pairs - deals * lower) / sqrt(deals * lower * (1 - lower))
    assert np.abs(z).max() < 5.5  # of 23,220 pairs at most
    neighbours = np.diagonal(ordered, 1).sum()
    all_pairs = deals * (cards - 1)
    # Neighbouring comparisons share a card: their variance is that of a third.
    spread = sqrt(all_pairs * lower * (1 - lower) / 3)
    assert abs(neighbours - all_pairs * lower) / spread < Z


# The bottom is the last eight.
FIRST_DECK = """
H5 C3 H8 HK C4 C3 S3 D8 HQ HJ C8 CT S4 DA SQ SQ C7 CK D3 CA DT C9 ST C9 DQ SK HJ
DA DT HT DJ D4 HK C5 S8 SJ D2 HT D5 H9 C4 C6 CT C7 H5 HA CA D3 LJ HA DJ S7 SA D6
S2 H7 SJ H9 S9 CJ H2 D9 S8 D7 S3 SK DK D8 SA D4 S6 S5 C6 S9 H6 CJ H4 H6 D7 CQ C8
C5 S6 H7 H4 CQ ST DQ D9 H2 D6 S4 BJ LJ C2 D2 H3 DK S5 C2 S7 CK D5 HQ H3 S2 H8 BJ
"""


def test_the_first_deck_of_seed_1():
    """Golden: whatever changes this changes every deal; raise STREAM_VERSION."""
    key = rng.deal_key(np.uint64(1), 0, 0, 0)
    deck = shuffled(rng.stream_key(np.uint64(key), rng.SHUFFLE, 0))
    assert card_names(deck) == FIRST_DECK.split()
    assert np.bincount(deck).tolist() == [2] * 54
