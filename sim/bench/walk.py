"""The log of a played deal, read again: what each seat saw when it decided."""

import numpy as np

from kernels.calls import CALLS_DTYPE
from kernels.jit import jit
from kernels.layout import cards_to_slots
from kernels.planes import PLANES_DTYPE, add_cards, load, no_cards, remove_cards, store
from kernels.shape import count_components
from sim.policies.history import BURY, FOLLOW, LEAD
from sim.policies.view import (
    VIEW_DTYPE,
    clear_view,
    see_burying_over,
    see_follow,
    see_lead,
    see_trick_end,
)
from sim.table import LOG_PLAY, LOG_TRICK, LOG_TRIED
from sim.tricks import set_hand, sort_hands

DECKS = 2
MOST_SPOTS = 110  # decisions of a deal: a bury, and at most 25 tricks of four plays

# One decision: who sees what, and the slot planes that it then played.
SPOT_DTYPE = np.dtype(
    [
        ("decision", "i8"),  # sim.policies.history
        ("level", "i8"),
        ("trump", "i8"),
        ("throw", "i8"),  # of a lead: 1 it is two or more components
        ("seen", VIEW_DTYPE[DECKS]),
        ("cards", PLANES_DTYPE[DECKS]),  # of a failed throw what was tried
        ("hands", PLANES_DTYPE[DECKS], (4,)),
    ]
)
# One card drawn: what its seat holds then, and the calls made before.
DRAW_DTYPE = np.dtype(
    [
        ("seat", "i8"),
        ("level", "i8"),
        ("trump", "i8"),  # that of the deal, once it is made
        ("held", PLANES_DTYPE[DECKS]),  # face planes
        ("calls", CALLS_DTYPE),
    ]
)


@jit
def keep_spot(spot, decision, cards, table):
    """Note a decision, as the table stands before it."""
    spot.decision, spot.throw = decision, 0
    spot.level, spot.trump = table.level, table.trump
    spot.seen = table.seen
    store(spot.cards, cards)
    for seat in range(4):
        store(spot.hands[seat], load(table.hands[seat]))


@jit
def read_spots(table, declarer, burier, game, spots):
    """Walk through the log of a deal just played, from the last bury on.

    Parameters
    ----------
    table : TABLE record
        Of two decks and fixed partners; its hands and its View are written over.
    declarer, burier : int64
    game : GAME record
    spots : SPOT_DTYPE[MOST_SPOTS]
        Written.

    Returns
    -------
    int64
        How many there are.
    """
    layout = game.layouts[table.level, table.trump]
    view = table.seen
    clear_view(view)
    see_burying_over(declarer, table.calls, view)
    sort_hands(layout, table)
    bottom = cards_to_slots(load(table.faces[4]), layout)
    set_hand(burier, burier, no_cards(bottom), view, table)
    store(view.hand, add_cards(load(view.hand), bottom))
    keep_spot(spots[0], BURY, bottom, table)
    count, position = 1, 0
    tried = no_cards(bottom)
    for place in range(table.entries):
        entry = table.log[place]
        seat = np.int64(entry[1])
        cards = cards_to_slots((entry[2], entry[3]), layout)
        if entry[0] == LOG_TRIED:
            tried = cards
        elif entry[0] == LOG_TRICK:
            see_trick_end(view)
        elif entry[0] == LOG_PLAY:
            set_hand(seat, burier, bottom, view, table)
            view.position = position
            spot = spots[count]
            count += 1
            if position == 0:
                asked = tried if tried[0] else cards
                keep_spot(spot, LEAD, asked, table)
                spot.throw = 1 if count_components(asked, layout) > 1 else 0
                tried = no_cards(bottom)
                throw = 1 if count_components(cards, layout) > 1 else 0
                see_lead(seat, cards, throw, layout, game.codes, view)
            else:
                keep_spot(spot, FOLLOW, cards, table)
                see_follow(seat, cards, layout, view)
            store(table.hands[seat], remove_cards(load(table.hands[seat]), cards))
            position = (position + 1) & 3
    return count
