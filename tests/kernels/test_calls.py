"""Calls: the kernel against the referee, on random hands and histories of calls."""

import random
from itertools import product

import numpy as np
import pytest

from kernels.calls import (
    CALLS_DTYPE,
    STAGE_AFTER_BURY,
    STAGE_AFTER_DEAL,
    STAGE_DRAW,
    call_cards,
    call_kind,
    call_trump,
    callable_cards,
    calls_in_hand,
    clear_calls,
    legal_calls,
    make_call,
    reinforces,
)
from kernels.codes import CALL_KIND_NAMES, JOKER_LEVEL, TRUMP_NAMES
from sim.cards import CARD_NAMES, card_names
from sim.planes import face_planes
from sim.referee import calls as referee
from sim.rules import Rules, RulesError, load_rules

STAGES = (
    (STAGE_DRAW, referee.DRAW),
    (STAGE_AFTER_DEAL, referee.AFTER_DEAL),
    (STAGE_AFTER_BURY, referee.AFTER_BURY),
)
OPTIONS = {
    "bid.when": ("draw", "after_deal"),
    "bid.with_joker": (False, True),
    "bid.later_deals": ("anyone", "declarer_side_first"),
    "bid.opens_with": ("single", "pair", "either"),
    "overcall.when": ("draw", "after_deal", "after_bury", "none"),
    "overcall.joker_pairs": (True, False),
    "overcall.order": ("kinds", "suits", "latest"),
    "overcall.self": ("never", "after_other", "always"),
    "reinforce": ("any", "no"),
}


def variants() -> list[Rules]:
    """Every combination of the options above that can be played."""
    found = {}
    base = load_rules("competition").to_dict()
    for values in product(*OPTIONS.values()):
        tree = {**base, "bid": {**base["bid"]}, "overcall": {**base["overcall"]}}
        for name, value in zip(OPTIONS, values, strict=True):
            section, _, key = name.rpartition(".")
            (tree[section] if section else tree)[key] = value
        if tree["overcall"]["when"] == "none":
            tree["overcall"].update(joker_pairs=None, order=None, self=None)
        try:
            found[str(tree)] = Rules.from_dict(tree)
        except RulesError:
            continue
    return list(found.values())


@pytest.mark.parametrize("seed", [1, 2])
def test_legal_calls(seed, request):
    """Hands rich in level cards and jokers; histories that the rules allow."""
    tries = 60 if request.config.getoption("--slow") else 6
    chance = random.Random(seed)
    for rules in variants():
        for _ in range(tries):
            compare(rules, chance)


def compare(rules: Rules, chance: random.Random) -> None:
    """Let four seats call while they may, and compare what they may at each step."""
    tree, codes = rules.to_dict(), rules.codes()
    level = chance.randrange(2, 15)
    telling = [13 * suit + level - 2 for suit in range(4)] * 2 + [52, 52, 53, 53]
    hands: list[list[int]] = [[] for _ in range(4)]
    for face in telling:
        hands[chance.randrange(4)].append(face)
    declarer, could = chance.choice((None, 0, 1)), chance.random() < 0.5
    calls = np.zeros(1, CALLS_DTYPE)[0]
    clear_calls(calls)
    history: list[referee.Call] = []
    stage = 0
    while stage < 3:
        number, name = STAGES[stage]
        seat = chance.randrange(4)
        hand = hands[seat]
        one, two = face_planes(hand, 2)
        held = calls_in_hand(one, two, level, codes.with_joker)
        given = -1 if declarer is None else declarer
        legal = int(legal_calls(held, seat, number, given, could, calls, codes))
        found = {
            tuple(card_names(call_cards(call, level, codes.with_joker))): call
            for call in range(10)
            if legal >> call & 1
        }
        names = [CARD_NAMES[face] for face in hand]
        wanted = referee.legal_calls(
            tree, names, level, seat, declarer, name, history, could
        )
        told = f"{tree} level {level} seat {seat} {name} {declarer} {history} {names}"
        assert sorted(found) == sorted(call.cards for call in wanted), told
        if wanted and chance.random() < 0.8:
            call = chance.choice(wanted)
            again = call.kind == referee.REINFORCE
            assert bool(reinforces(found[call.cards], seat, calls)) == again, told
            overcall = make_call(found[call.cards], seat, calls)
            assert bool(overcall) == (call.kind == referee.OVERCALL), told
            history.append(call)
        elif chance.random() < 0.2:
            stage += 1


@pytest.mark.parametrize("with_joker", [False, True])
@pytest.mark.parametrize("level", range(2, JOKER_LEVEL + 1))
def test_calls_in_hand(level, with_joker):
    """Exhaustive: each number of each level card and joker, among other cards."""
    rules = load_rules("competition").to_dict()
    rules = {**rules, "bid": {**rules["bid"], "with_joker": with_joker}}
    joker_level = level == JOKER_LEVEL
    telling = [52, 53, *([] if joker_level else range(level - 2, 52, 13))]
    levels, all_of_them = callable_cards(level)
    assert all_of_them == (0 if joker_level else sum(1 << face for face in telling))
    assert levels == all_of_them & ~(3 << 52)
    others = [face for face in range(52) if face not in telling]
    for copies in product(range(3), repeat=len(telling)):
        hand = [face for face, n in zip(telling, copies, strict=True) for _ in range(n)]
        names = [CARD_NAMES[face] for face in hand]
        wanted = referee.possible_calls(rules, names, 0, level)
        held = calls_in_hand(*face_planes(hand + others, 2), level, int(with_joker))
        found = [call for call in range(10) if held >> call & 1]
        shown = [
            tuple(card_names(call_cards(call, level, int(with_joker))))
            for call in found
        ]
        assert sorted(shown) == sorted(call.cards for call in wanted), names
        if sum(copies) > 4:
            continue
        by_cards = {call.cards: call for call in wanted}
        for call, cards in zip(found, shown, strict=True):
            its = by_cards[cards]
            assert TRUMP_NAMES[call_trump(call)] == its.suit
            assert CALL_KIND_NAMES[call_kind(call)].removesuffix(" pair") == its.form
