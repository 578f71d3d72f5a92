"""Sides: fixed partners, or a friend by the card that the declarer calls (找朋友)."""

import numpy as np

from kernels.bits import U0, U1
from kernels.codes import CALLED
from kernels.jit import jit, jit_inline
from kernels.layout import cards_to_slots
from kernels.planes import load, store
from sim.policies.dispatch import decide_called_card
from sim.table import EVEN_SEATS, LOG_CALLED_CARD, write_log

ALL_SEATS = 0b1111


@jit
def make_sides(declarer, burier, layout, row, game, table):
    """Say who plays with whom, before the first lead.

    Parameters
    ----------
    declarer, burier : int64
        Who names a card, and who buried last.
    layout : LAYOUT record
    row : DEAL_DTYPE record
    game : GAME record
    table : TABLE record
    """
    row.called_card, row.friend, row.friend_trick = -1, -1, 0
    table.called, table.friend = U0, -1
    if game.codes.partners != CALLED:
        table.declarers = EVEN_SEATS << (declarer & 1)
        make_known(table)
        return
    face = name_card(declarer, burier, layout, game, table)
    write_log(table, LOG_CALLED_CARD, face, 0, 0)
    row.called_card = face
    slot = U1 << np.uint64(layout.slot_of[face])
    for step in range(1, 4):
        seat = (declarer + step) & 3
        if load(table.hands[seat])[0] & slot and table.friend < 0:
            table.friend = seat
    row.friend = table.friend
    table.declarers = 1 << declarer
    for seat in range(4):
        table.known[seat], table.mates[seat] = table.declarers, 1 << seat
    if table.friend >= 0:
        table.called = slot
        table.declarers |= 1 << table.friend
        # The friend knows; the others learn it when the card falls.
        table.known[table.friend] = table.declarers
        table.mates[table.friend] = table.declarers


@jit
def make_known(table):
    """Everybody knows who plays with whom."""
    declarers = table.declarers
    for seat in range(4):
        table.known[seat] = declarers
        mates = declarers if declarers >> seat & 1 else ALL_SEATS & ~declarers
        table.mates[seat] = mates


@jit
def name_card(declarer, burier, layout, game, table):
    """Let the declarer call a card: its face."""
    view = table.seen
    view.seat, view.declarer = declarer, declarer
    view.call, view.caller = table.calls.call, table.calls.seat
    view.random = table.random[declarer]
    store(view.hand, load(table.hands[declarer]))
    if burier == declarer:
        store(view.buried, cards_to_slots(load(table.faces[4]), layout))
    face = decide_called_card(
        game.seats[declarer].policy, game.seats[declarer].thresholds, view, layout
    )
    table.random[declarer] = view.random
    return face


@jit_inline
def see_called_card(seat, cards, row, table):
    """Cards are played: the friend is known once the called card is among his."""
    if cards[0] & table.called and seat == table.friend:
        row.friend_trick = row.tricks + 1
        table.called = U0
        make_known(table)
