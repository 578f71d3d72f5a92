"""Paying a duty: which runs and pairs of the led suit a follower gives.

One walk over the duty list serves every policy; they differ in which of the windows
that pay an entry they like.
"""

import numpy as np

from kernels.bits import U0, lowest, nth_bit, popcount
from kernels.follow import duty
from kernels.jit import jit
from kernels.layout import fold, unfold
from kernels.rng import below
from kernels.shape import NIBBLE, longest_run, pairs_on, run_mask, run_starts

# How a window is chosen: by lot; the lowest liked one; the one the rule itself names.
BY_LOT, LIKED, BY_RULE = range(3)


@jit
def choose_start(places, length, choice, liked, view):
    """Lowest place of the window that pays one entry of a duty."""
    if choice == BY_RULE:
        run, start = longest_run(places)
        return start << np.uint64(run - length)
    starts = run_starts(places, length)
    if choice == BY_LOT:
        return nth_bit(starts, below(view, popcount(starts)))
    best = run_starts(places & liked, length)
    return lowest(best) if best else lowest(starts)


@jit
def pay_duty(pairs, choice, liked, view, layout):
    """Pairs of the led suit that pay the whole duty of a hand.

    Parameters
    ----------
    pairs : uint64
        Slot plane `two` of the hand's cards of the led suit.
    choice : int64
        BY_LOT or LIKED.
    liked : uint64
        Places to be given first (LIKED only), the lowest first.
    view : VIEW record
    layout : LAYOUT record

    Returns
    -------
    uint64
        Slots, each of which gives both its cards.

    Notes
    -----
    Any window of the right length inside a run pays its entry; where one spoils a later
    entry (which needs a throw of several runs), the rule's own windows are taken.
    """
    owed = duty(pairs, view.lead_runs, view.lead_pairs, layout)
    paid = U0
    for attempt in range(2):
        left = pairs
        paid = U0
        entries = owed
        while entries:
            length = np.int64(entries >> np.uint64(60))
            entries <<= NIBBLE
            how = choice if attempt == 0 else BY_RULE
            start = choose_start(fold(left, layout), length, how, liked, view)
            if how == BY_LOT and length == 1:
                among = unfold(start, layout) & left
                slots = nth_bit(among, below(view, popcount(among)))
            else:
                slots = pairs_on(run_mask(start, length), left, layout)
            paid |= slots
            left &= ~slots
        if (
            view.lead_throw == 0
            or duty(paid, view.lead_runs, view.lead_pairs, layout) >= owed
        ):
            break
    return paid
