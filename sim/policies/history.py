"""A position read back: the View that a seat has of tricks which somebody wrote down.

Only what everybody saw goes in, through the very functions that keep the View while a
deal is played (`sim.policies.view`); then the policy is asked as it is asked there.
"""

import numpy as np

from kernels.jit import jit
from kernels.planes import FEWEST_DECKS, MOST_DECKS, PLANES_DTYPE, load
from kernels.shape import count_components
from sim.policies.dispatch import decide_bury, decide_follow, decide_lead
from sim.policies.view import see_follow, see_lead, see_trick_end

# A trick as the table saw it: slot planes in play order, after a failed throw the
# forced lead.
TRICK_DTYPE = {
    decks: np.dtype(
        [
            ("leader", "i8"),
            ("played", "i8"),  # seats that have played, 1..4; 4: it is finished
            ("plays", PLANES_DTYPE[decks], (4,)),
            ("winner", "i8"),  # written by see_tricks, of a finished trick
            ("points", "i8"),  # likewise
        ]
    )
    for decks in range(FEWEST_DECKS, MOST_DECKS + 1)
}


@jit
def see_tricks(tricks, layout, codes, view):
    """Let a View see tricks, the last of which may be under way.

    Parameters
    ----------
    tricks : TRICK_DTYPE[n]
        Winners and points are written.
    layout : LAYOUT record
    codes : record with a field `throw_follow`
    view : VIEW record
        As see_burying_over leaves it.
    """
    for place in range(len(tricks)):
        trick = tricks[place]
        for turn in range(trick.played):
            seat, cards = (trick.leader + turn) & 3, load(trick.plays[turn])
            if turn == 0:
                throw = 1 if count_components(cards, layout) > 1 else 0
                see_lead(seat, cards, throw, layout, codes, view)
            else:
                see_follow(seat, cards, layout, view)
        trick.points = view.trick_points
        if trick.played == 4:
            trick.winner = see_trick_end(view)


BURY, LEAD, FOLLOW = range(3)


@jit
def decide(decision, policy, thresholds, view, layout):
    """Ask a policy for one decision: slot planes.

    Parameters
    ----------
    decision : int64
        BURY, LEAD or FOLLOW.
    policy : int64
        Its id in sim.policies.ids.
    thresholds : THRESHOLDS record
    view : VIEW record
    layout : LAYOUT record
    """
    if decision == BURY:
        return decide_bury(policy, thresholds, view, layout)
    if decision == LEAD:
        return decide_lead(policy, thresholds, view, layout)
    return decide_follow(policy, thresholds, view, layout)
