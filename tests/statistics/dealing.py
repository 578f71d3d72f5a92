"""Decks to test: shuffled by the game, and in ways that are wrong on purpose."""

import numpy as np

from kernels.codes import FACES
from kernels.jit import jit
from kernels.rng import SHUFFLE, below, deal_key, draw, shuffle, stream_key

# Faults, each of a kind that shuffles in the world have had.
(
    RIGHT,
    OFF_BY_ONE,  # a card never stays where it is (Sattolo's cycle)
    LAST_LEFT,  # the last card is never moved
    ANY_PLACE,  # swapped with any place, not with one not yet done
    MODULO,  # one byte modulo the bound
    ONLY_CUT,  # a fixed order, cut at a fair place
    TWINS,  # every other deal, a card of the first hand is joined by its copy
    REUSED,  # every second deal is that before it, reversed
) = range(8)
STATE = np.dtype([("random", "u8")])


@jit
def wrong_shuffle(how, state, deck):
    """Fisher and Yates with a fault."""
    cards = len(deck)
    for card in range(cards):
        deck[card] = card % FACES if how == ONLY_CUT else card // (cards // FACES)
    if how == ONLY_CUT:
        place = below(state, cards)
        for card in range(cards):
            deck[card] = (card + place) % cards % FACES
        return
    last = cards - 1 if how == LAST_LEFT else cards
    for bound in range(last, 1, -1):
        if how == OFF_BY_ONE:
            other = below(state, bound - 1)
        elif how == ANY_PLACE:
            other = below(state, cards)
        elif how == MODULO:
            other = np.int64(draw(state) >> np.uint64(56)) % bound
        else:
            other = below(state, bound)
        deck[bound - 1], deck[other] = deck[other], deck[bound - 1]


@jit
def fill_decks(how, seed, states, decks):
    """Shuffle a deck for each deal index from 0 on."""
    for index in range(len(decks)):
        deck = decks[index]
        state = states[0]
        state.random = stream_key(deal_key(seed, index, 0, 0), SHUFFLE, 0)
        if how == RIGHT or how == TWINS or how == REUSED:
            shuffle(state.random, deck)
        else:
            wrong_shuffle(how, state, deck)
        if how == TWINS and index % 2:
            for place in range(1, len(deck)):
                if deck[place] == deck[0]:
                    deck[place], deck[4] = deck[4], deck[place]
                    break
        if how == REUSED and index % 2:
            for place in range(len(deck)):
                deck[place] = decks[index - 1, len(deck) - 1 - place]


def shuffled_decks(deals: int, decks: int, seed: int, how: int = RIGHT) -> np.ndarray:
    """Decks int8[deals, cards], in the order drawn."""
    dealt = np.empty((deals, FACES * decks), np.int8)
    fill_decks(how, np.uint64(seed), np.zeros(1, STATE), dealt)
    return dealt
