"""The simulator's own flow with some seats on strings.

`scripted_flow` is `sim.deal_flow.play_deal`, recompiled with the four calls to a policy
replaced: a seat either decides by its policy, and its decisions are noted, or repeats
decisions noted before. The cards are those laid on the table beforehand, not shuffled.
All else, above all how a View is filled, is the code that plays the real deals.
"""

from types import FunctionType
from typing import Any

import numba
import numpy as np

from kernels.bits import U0
from kernels.jit import jit
from kernels.layout import LAYOUTS, to_faces, to_slots
from sim.deal_flow import play_deal
from sim.policies import random
from sim.policies.dispatch import decide_bury, decide_call, decide_follow, decide_lead
from sim.policies.textbook.parameters import THRESHOLDS_DTYPE
from sim.policies.view import VIEW_DTYPE
from sim.table import GAME_DTYPE, TABLE_DTYPE
from sim.tricks import set_hand

CALL, BURY, LEAD, FOLLOW = range(4)
ROOM = 400  # decisions of one seat in a deal, passes included

STEP_DTYPE = np.dtype(
    [
        ("clock", "i8"),  # decisions made before it by all seats
        ("kind", "i8"),
        ("key", "i8"),  # of a call: when it was made
        ("one", "u8"),  # face planes; of a call its number + 1, 0 a pass
        ("two", "u8"),
    ]
)
SCRIPT_DTYPE = np.dtype(
    [
        ("real", "i8"),  # 1: the policy decides and is noted; 0: as planned
        ("stop", "i8"),  # decisions after which the deal is left; -1 never
        ("planned", "i8"),
        ("next", "i8"),
        ("made", "i8"),
        ("plan", STEP_DTYPE, (ROOM,)),
        ("notes", STEP_DTYPE, (ROOM,)),
    ]
)

# A cheat that is planted: what the View is made to betray.
HONEST, PEEK_AT_BOTTOM, PEEK_AT_PARTNER, PEEK_AT_DECK = range(4)

SCRIPTED_VIEW = np.dtype(
    [("clock", "i8"), ("cheat", "i8"), ("peek", "i8"), *VIEW_DTYPE.descr]
)


def changed(dtype: np.dtype, **kinds: Any) -> np.dtype:
    """A record dtype with other kinds for some of its fields."""
    fields = []
    for name in dtype.names:
        kind = kinds.get(name, dtype[name])
        fields.append((name, kind))
    return np.dtype(fields)


SEAT_DTYPE = np.dtype(
    [
        ("policy", "i8"),
        ("thresholds", [("own", THRESHOLDS_DTYPE), ("script", SCRIPT_DTYPE)]),
    ]
)
SCRIPTED_TABLE = changed(TABLE_DTYPE, seen=SCRIPTED_VIEW)
SCRIPTED_GAME = changed(GAME_DTYPE, seats=np.dtype((SEAT_DTYPE, (4,))))


class Reached(Exception):
    """The decision that was waited for is made."""


@jit
def note(script, kind, key, one, two, view):
    """Note a decision; leave the deal if it is the one waited for."""
    step = script.notes[script.made]
    step.clock, step.kind, step.key = view.clock, kind, key
    step.one, step.two = one, two
    view.clock += 1
    script.made += 1
    if script.made == script.stop:
        raise Reached


@jit
def planned(script, kind, layout, view):
    """The next cards planned for a seat, as slot planes."""
    if script.next == script.planned or script.plan[script.next].kind != kind:
        raise Reached  # nothing is known of what it does now
    step = script.plan[script.next]
    script.next += 1
    view.clock += 1
    return to_slots(step.one, layout), to_slots(step.two, layout)


@jit
def step_call(policy, both, view, legal, one, two, level, drawn, stage):
    script = both.script
    key = ((drawn * 4 + stage) * 16 + view.call + 1) * 8 + view.caller + 1
    if script.real:
        call = decide_call(policy, both.own, view, legal, one, two, level, drawn, stage)
        if view.cheat == PEEK_AT_DECK and view.peek & 1:
            call = -1  # the first card of the bottom is not to its liking
        note(script, CALL, key, np.uint64(call + 1), U0, view)
        return call
    if script.next < script.planned:
        step = script.plan[script.next]
        if step.kind == CALL and step.key == key:
            script.next += 1
            view.clock += 1
            return np.int64(step.one) - 1
    return -1


@jit
def step_bury(policy, both, view, layout):
    script = both.script
    if not script.real:
        return planned(script, BURY, layout, view)
    one, two = decide_bury(policy, both.own, view, layout)
    note(script, BURY, 0, to_faces(one, layout), to_faces(two, layout), view)
    return one, two


@jit
def step_lead(policy, both, view, layout):
    script = both.script
    if not script.real:
        return planned(script, LEAD, layout, view)
    if view.cheat == PEEK_AT_PARTNER:
        one, two = random.lead(view, layout)
    else:
        one, two = decide_lead(policy, both.own, view, layout)
    note(script, LEAD, 0, to_faces(one, layout), to_faces(two, layout), view)
    return one, two


@jit
def step_follow(policy, both, view, layout):
    script = both.script
    if not script.real:
        return planned(script, FOLLOW, layout, view)
    if view.cheat == PEEK_AT_PARTNER:
        one, two = random.follow(view, layout)
    else:
        one, two = decide_follow(policy, both.own, view, layout)
    note(script, FOLLOW, 0, to_faces(one, layout), to_faces(two, layout), view)
    return one, two


@jit
def step_set_hand(seat, burier, bottom_one, bottom_two, view, table):
    """As in the flow, and then what a planted cheat betrays."""
    set_hand(seat, burier, bottom_one, bottom_two, view, table)
    if view.cheat == PEEK_AT_BOTTOM:
        view.buried_one, view.buried_two = bottom_one, bottom_two
    elif view.cheat == PEEK_AT_PARTNER:
        view.random = table.hands[(seat + 2) & 3, 0]


@jit
def keep_cards(key, deck):
    """In place of the shuffle: the cards lie as they were laid."""


@jit
def given_key(seed, index, deal, redeal):
    """In place of rng.deal_key: the seed is the key of the deal as it was played."""
    return seed


def rebound(function: Any, new: dict[str, Any], done: dict[Any, Any]) -> Any:
    """A jitted function of `sim` recompiled to call others under some names.

    The functions that it calls are rebound too, where they lead to one of those names.
    """
    if function in done:
        return done[function]
    done[function] = function  # what a recursive one leads to besides itself
    code = function.py_func.__code__
    here = function.py_func.__globals__
    swapped = {name: new[name] for name in code.co_names if name in new}
    for name in code.co_names:
        other = here.get(name)
        if name not in new and hasattr(other, "py_func"):
            again = rebound(other, new, done)
            if again is not other:
                swapped[name] = again
    if swapped:
        copy = FunctionType(code, {**here, **swapped}, code.co_name)
        copy.__defaults__ = function.py_func.__defaults__
        # Not cached: numba knows a function by its file, which is the real one's.
        done[function] = numba.njit(nogil=True)(copy)
    return done[function]


scripted_flow = rebound(
    play_deal,
    {
        "decide_call": step_call,
        "decide_bury": step_bury,
        "decide_lead": step_lead,
        "decide_follow": step_follow,
        "set_hand": step_set_hand,
        "shuffle": keep_cards,
        "deal_key": given_key,
        "MOST_REDEALS": 1,
    },
    {},
)


def scripted_game(game: np.ndarray) -> np.ndarray:
    """The game record of `sim.table.set_game` with a script for each seat."""
    scripted = np.zeros(1, SCRIPTED_GAME)
    scripted["codes"], scripted["layouts"] = game["codes"], LAYOUTS
    scripted["seats"]["policy"] = game["seats"]["policy"]
    scripted["seats"]["thresholds"]["own"] = game["seats"]["thresholds"]
    return scripted
