"""The simulator's own flow with some seats on strings.

`scripted_flow` is `sim.deal_flow.play_deal`, recompiled with the calls to a policy
replaced: a seat either decides by its policy, and its decisions are noted, or repeats
decisions noted before. The cards are those laid on the table beforehand, not shuffled.
All else, above all how a View is filled, is the code that plays the real deals.
"""

from types import FunctionType
from typing import Any

import numba
import numpy as np

from kernels.jit import jit
from kernels.layout import LAYOUTS, cards_to_faces, cards_to_slots
from kernels.planes import PLANES_DTYPE, copies, load, store
from sim.deal_flow import play_deal
from sim.policies import random
from sim.policies.dispatch import (
    decide_bury,
    decide_call,
    decide_called_card,
    decide_follow,
    decide_lead,
    decide_redeal,
    decide_target,
    decide_trump,
)
from sim.policies.textbook.parameters import THRESHOLDS_DTYPE
from sim.policies.view import VIEW_DTYPE
from sim.table import GAME_DTYPE, table_dtype
from sim.tricks import set_hand

CALL, BURY, LEAD, FOLLOW, TARGET, TRUMP, REDEAL, NAME = range(8)
ROOM = 500  # decisions of one seat in a deal, passes included

STEP_DTYPE = {
    decks: np.dtype(
        [
            ("clock", "i8"),  # decisions made before it by all seats
            ("kind", "i8"),
            ("key", "i8"),  # of a call: when it was made
            # Face planes; of a number, in the first: it and 1; a pass is 0.
            ("cards", planes),
        ]
    )
    for decks, planes in PLANES_DTYPE.items()
}


def script_dtype(decks: int) -> np.dtype:
    """What one seat is to do, and what it did."""
    step = STEP_DTYPE[decks]
    return np.dtype(
        [
            ("real", "i8"),  # 1: the policy decides and is noted; 0: as planned
            ("stop", "i8"),  # decisions after which the deal is left; -1 never
            ("planned", "i8"),
            ("next", "i8"),
            ("made", "i8"),
            ("plan", step, (ROOM,)),
            ("notes", step, (ROOM,)),
        ]
    )


# A cheat that is planted: what the View is made to betray.
HONEST, PEEK_AT_BOTTOM, PEEK_AT_PARTNER, PEEK_AT_DECK, PEEK_AT_FRIEND = range(5)


def changed(dtype: np.dtype, more: dict[str, str], **kinds: Any) -> np.dtype:
    """A record dtype with other kinds for some of its fields, after some more."""
    fields = list(more.items())
    for name in dtype.names:
        fields.append((name, kinds.get(name, dtype[name])))
    return np.dtype(fields)


def scripted_table(decks: int) -> np.dtype:
    more = {"clock": "i8", "cheat": "i8", "peek": "i8"}
    return changed(table_dtype(decks), {}, seen=changed(VIEW_DTYPE[decks], more))


def scripted_game_dtype(decks: int) -> np.dtype:
    both = [("own", THRESHOLDS_DTYPE), ("script", script_dtype(decks))]
    seat = np.dtype([("policy", "i8"), ("thresholds", both)])
    return changed(GAME_DTYPE, {}, seats=np.dtype((seat, (4,))))


class Reached(Exception):
    """The decision that was waited for is made."""


@jit
def note(script, kind, key, cards, view):
    """Note a decision; leave the deal if it is the one waited for."""
    step = script.notes[script.made]
    step.clock, step.kind, step.key = view.clock, kind, key
    store(step.cards, cards)
    view.clock += 1
    script.made += 1
    if script.made == script.stop:
        raise Reached


@jit
def planned(script, kind, view):
    """The next decision planned for a seat, as face planes."""
    if script.next == script.planned or script.plan[script.next].kind != kind:
        raise Reached  # nothing is known of what it does now
    step = script.plan[script.next]
    script.next += 1
    view.clock += 1
    return load(step.cards)


@jit
def number(value, view):
    """A number, from -1 up, as it is noted."""
    return copies(np.uint64(value + 1), 1, load(view.hand))


@jit
def step_call(policy, both, view, legal, cards, level, drawn, stage):
    script = both.script
    key = ((drawn * 4 + stage) * 16 + view.call + 1) * 8 + view.caller + 1
    if script.real:
        call = decide_call(policy, both.own, view, legal, cards, level, drawn, stage)
        if view.cheat == PEEK_AT_DECK and view.peek & 1:
            call = -1  # the first card of the bottom is not to its liking
        note(script, CALL, key, number(call, view), view)
        return call
    if script.next < script.planned:
        step = script.plan[script.next]
        if step.kind == CALL and step.key == key:
            script.next += 1
            view.clock += 1
            return np.int64(step.cards.one) - 1
    return -1


@jit
def ask_always(policy, both, cards, level, drawn, first_deal):
    """In the place of `may_bid`: every pass is a decision that can be noted."""
    return True


@jit
def step_target(policy, both, view, highest, take_over, cards, level):
    script = both.script
    if not script.real:
        return np.int64(planned(script, TARGET, view)[0]) - 1
    target = decide_target(policy, both.own, view, highest, take_over, cards, level)
    note(script, TARGET, highest, number(target, view), view)
    return target


@jit
def step_trump(policy, both, view, cards, level):
    script = both.script
    if not script.real:
        return np.int64(planned(script, TRUMP, view)[0]) - 1
    trump = decide_trump(policy, both.own, view, cards, level)
    note(script, TRUMP, 0, number(trump, view), view)
    return trump


@jit
def step_redeal(policy, both, view, cards, level, trump):
    """A seat on strings never demands: in the deal that was noted nobody did."""
    script = both.script
    if not script.real:
        return False
    demands = decide_redeal(policy, both.own, view, cards, level, trump)
    note(script, REDEAL, 0, number(1 if demands else 0, view), view)
    return demands


@jit
def step_called_card(policy, both, view, layout):
    script = both.script
    if not script.real:
        return np.int64(planned(script, NAME, view)[0]) - 1
    face = decide_called_card(policy, both.own, view, layout)
    note(script, NAME, 0, number(face, view), view)
    return face


@jit
def step_bury(policy, both, view, layout):
    script = both.script
    if not script.real:
        return cards_to_slots(planned(script, BURY, view), layout)
    cards = decide_bury(policy, both.own, view, layout)
    note(script, BURY, 0, cards_to_faces(cards, layout), view)
    return cards


@jit
def step_lead(policy, both, view, layout):
    script = both.script
    if not script.real:
        return cards_to_slots(planned(script, LEAD, view), layout)
    if view.cheat == PEEK_AT_PARTNER:
        cards = random.lead(view, layout)
    else:
        cards = decide_lead(policy, both.own, view, layout)
    note(script, LEAD, 0, cards_to_faces(cards, layout), view)
    return cards


@jit
def step_follow(policy, both, view, layout):
    script = both.script
    if not script.real:
        return cards_to_slots(planned(script, FOLLOW, view), layout)
    if view.cheat == PEEK_AT_PARTNER:
        cards = random.follow(view, layout)
    else:
        cards = decide_follow(policy, both.own, view, layout)
    note(script, FOLLOW, 0, cards_to_faces(cards, layout), view)
    return cards


@jit
def step_set_hand(seat, burier, bottom, view, table):
    """As in the flow, and then what a planted cheat betrays."""
    set_hand(seat, burier, bottom, view, table)
    if view.cheat == PEEK_AT_BOTTOM:
        store(view.buried, bottom)
    elif view.cheat == PEEK_AT_PARTNER:
        view.random = table.hands[(seat + 2) & 3].one
    elif view.cheat == PEEK_AT_FRIEND:
        view.declarers = table.declarers
        ours = table.declarers >> seat & 1
        view.mates = table.declarers if ours else 0b1111 & ~table.declarers


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
        "may_bid": ask_always,
        "decide_call": step_call,
        "decide_bury": step_bury,
        "decide_lead": step_lead,
        "decide_follow": step_follow,
        "decide_target": step_target,
        "decide_trump": step_trump,
        "decide_redeal": step_redeal,
        "decide_called_card": step_called_card,
        "set_hand": step_set_hand,
        "shuffle": keep_cards,
        "deal_key": given_key,
        "MOST_REDEALS": 1,
    },
    {},
)


def scripted_game(game: np.ndarray) -> np.ndarray:
    """The game record of `sim.table.set_game` with a script for each seat."""
    scripted = np.zeros(1, scripted_game_dtype(int(game["codes"]["decks"][0])))
    scripted["codes"], scripted["layouts"] = game["codes"], LAYOUTS
    scripted["seats"]["policy"] = game["seats"]["policy"]
    scripted["seats"]["thresholds"]["own"] = game["seats"]["thresholds"]
    return scripted
