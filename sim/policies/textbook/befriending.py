"""Calling a friend (找朋友): a high card that the declarer does not hold all of."""

import numpy as np

from kernels.bits import U0, highest_index
from kernels.jit import jit
from kernels.planes import count_cards, load, within
from sim.policies.view import unseen

NOBODY = -1


@jit
def called_card(view, layout):
    """Call a card: a face.

    Parameters
    ----------
    view : VIEW record
        Of the declarer after his bury.
    layout : LAYOUT record

    Notes
    -----
    The friend should win a trick soon, and lead the declarer's side suits well: so the
    top of the side suit in which the declarer is weakest but not void, a card of which
    he holds as few as may be. Where he has the top of every suit he calls the next one.
    """
    hand = load(view.hand)
    out = unseen(view, layout)
    best, best_merit = NOBODY, 0
    for suit in range(4):
        lane = layout.suit[suit]
        if lane == U0:
            continue
        held = count_cards(within(hand, lane))
        # The highest card of which a copy is out; lower ones are worth less.
        top = highest_index(out[0] & lane)
        below_top = highest_index(lane) - top
        merit = 1000 - 100 * below_top - 4 * held + (40 if held else 0)
        if top >= 0 and merit > best_merit:
            best, best_merit = top, merit
    if best == NOBODY:
        best = highest_index(out[0])
    return np.int64(layout.face_of[best])
