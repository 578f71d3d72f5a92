"""The rules and the variant's name that a record carries, beside the deal itself."""

import copy
import json
from functools import cache
from typing import Any

import pytest
from referee.random_play import random_record
from referee.variants import VARIANTS, preset

from sim.options import OPTIONS
from sim.rules import PRESETS, Rules, RulesError, load_rules
from sim.verify import check_lines


@cache
def _text(variant: str, decks: int) -> str:
    rules = preset(variant, decks)
    return json.dumps(random_record(variant, 1, rules=rules, declarer=1))


def record_of(variant: str, decks: int = 2) -> dict[str, Any]:
    return json.loads(_text(variant, decks))


def fault(record: dict[str, Any]) -> str | None:
    (told,) = check_lines([json.dumps(record)], replay=False)
    return told


def changed(record: dict[str, Any], changes: dict[str, Any]) -> dict[str, Any]:
    """The record under the name "custom", some of its options changed."""
    record = copy.deepcopy(record) | {"variant": "custom"}
    for option, value in changes.items():
        section, _, key = option.rpartition(".")
        (record["rules"][section] if section else record["rules"])[key] = value
    return record


@pytest.mark.parametrize("decks", [2, 3, 4])
@pytest.mark.parametrize("variant", VARIANTS)
def test_strangers_records_are_verified(variant: str, decks: int) -> None:
    """Whether or not this version plays their variant or as many decks."""
    record = record_of(variant, decks)
    assert fault(record) is None
    assert fault(record | {"variant": "custom"}) is None


@pytest.mark.parametrize("name", ["", "menghaun", "Custom", "custom ", "x", "升级"])
def test_unknown_variant(name: str) -> None:
    told = fault(record_of("menghuan") | {"variant": name})
    assert told is not None
    assert told.startswith(f"line 1: deal 0: variant is {name!r}")
    for known in (*VARIANTS, "custom"):
        assert known in told


# Other values of all options, that go with the rest of any preset's.
OTHER = {
    "decks": None,  # a preset is compared with as many decks
    "partners": "called",
    "bid.when": None,  # changes overcalls too, below
    "bid.with_joker": True,
    "bid.later_deals": None,  # not after a deal
    "bid.opens_with": "pair",
    "overcall.when": None,
    "overcall.joker_pairs": False,
    "overcall.order": "latest",
    "overcall.self": "never",
    "reinforce": None,
    "nobody_bids": "random_card",
    "redeal.weak_attacker_points": 20,
    "throw_follow": None,
    "failed_throw.coins": 3,
    "failed_throw.points": 5,
    "bottom.scheme": "flat",
    "bottom.read_from": None,
    "bottom.table": {
        **dict.fromkeys(("single", "pair", "triple", "quad"), 2),
        **{run: [2] for run in ("tractor", "titanic", "quad_run")},
    },
    "level_table": [[0, "declarers", 1], [80, "attackers", 1]],
    "level_step": 80,
    "match.after_ace": "jokers",
    "match.laps": 2,
    "match.stop_levels": [5],
}


def can_differ(variant: str, option: str) -> bool:
    """Whether the other value is another one, and can be played with the rest."""
    if OTHER[option] is None:
        return False
    record = changed(record_of(variant), {option: OTHER[option]})
    try:
        rules = Rules.from_dict(record["rules"])
    except RulesError:
        return False
    return rules != load_rules(variant)


DIFFERING = [
    (variant, option)
    for variant in PRESETS
    for option in OTHER
    if can_differ(variant, option)
]


def test_most_options_differ() -> None:
    assert {option for _, option in DIFFERING} == {n for n in OTHER if OTHER[n]} | {
        "overcall.joker_pairs"
    }
    assert len(DIFFERING) > 80


@pytest.mark.parametrize(("variant", "option"), DIFFERING)
def test_a_presets_name_over_other_rules(variant: str, option: str) -> None:
    """The first option that differs is named."""
    record = changed(record_of(variant), {option: OTHER[option]})
    told = fault(record | {"variant": variant})
    assert told is not None
    assert told.startswith(f"line 1: deal 0: rules.{option} is not ")
    assert told.endswith(f", as the variant {variant!r} has it")


def test_every_option_is_compared() -> None:
    assert list(OTHER) == [option.name for option in OPTIONS]


def test_one_presets_name_over_anothers_rules() -> None:
    """Every pair: the options are gone through in their order."""
    for mine in PRESETS:
        for name in PRESETS:
            told = fault(record_of(mine) | {"variant": name})
            assert (told is None) == (mine == name)
    assert 'rules.bid.when is not "draw"' in str(
        fault(record_of("bianfeng") | {"variant": "menghuan"})
    )


def test_spelling_of_the_rules_is_free() -> None:
    """0.0 is 0, no stop levels may be null, stop levels stand in any order."""
    record = record_of("bianfeng")
    record["rules"]["failed_throw"]["coins"] = 0.0
    record["rules"]["match"]["stop_levels"] = None
    assert fault(record) is None


CASUAL = {"joker_pairs": None, "order": None, "self": None}
CONTRADICTIONS = {
    "reinforce in a round": ("bianfeng", {"reinforce": "any"}),
    "self in a round": ("bianfeng", {"overcall.self": "always"}),
    "self after the bury": ("menghuan", {"overcall.self": "always"}),
    "no overcalls, ordered": ("menghuan", {"overcall.when": "none"}),
    "no overcalls, one left": (
        "menghuan",
        {"overcall": {"when": "none", **CASUAL, "joker_pairs": True}},
    ),
    "overcalls apart from bids": ("bianfeng", {"overcall.when": "draw"}),
    "overcalls with bids drawn": ("menghuan", {"overcall.when": "after_deal"}),
    "an endless auction": (
        "pick-trump",
        {"level_table": [[0, "declarers", 1], [1005, "attackers", 1]]},
    ),
    "weak friends": ("bianfeng-friend", {"redeal.weak_attacker_points": 15}),
    "cards in an auction": ("pick-trump", {"bid.opens_with": "single"}),
    "a stop never reached": ("menghuan", {"match.stop_levels": [15]}),
    "laps after the end": ("casual", {"match.laps": 2}),
    "penalty in threes": ("menghuan", {"failed_throw.points": 3}),
    "penalty of a thousand": ("menghuan", {"failed_throw.points": 1000}),
    "step of seven": ("menghuan", {"level_step": 7}),
    "weak at seven": ("joker-bid", {"redeal.weak_attacker_points": 7}),
    "weak at nought": ("joker-bid", {"redeal.weak_attacker_points": 0}),
    "endless coins": ("menghuan", {"failed_throw.coins": float("inf")}),
    "endless laps": ("menghuan", {"match.laps": 10**9}),
    "rows past the end": (
        "menghuan",
        {"level_table": [[0, "declarers", 1], [80, "attackers", 10**6]]},
    ),
}


@pytest.mark.parametrize("decks", [2, 3])
@pytest.mark.parametrize("name", CONTRADICTIONS)
def test_rules_that_nobody_can_play(name: str, decks: int) -> None:
    """Refused by the option's name, with as many decks as this version plays or not."""
    variant, changes = CONTRADICTIONS[name]
    record = changed(record_of(variant, decks), changes)
    # json writes Infinity, which is no JSON.
    text = json.dumps(record).replace("Infinity", "1e300")
    (told,) = check_lines([text], replay=False)
    assert told is not None
    assert told.startswith("line 1: deal 0: rules: ")
    assert any(option.rpartition(".")[0] or option in told for option in changes)


def test_wrong_rules_are_told_before_the_wrong_deal() -> None:
    record = changed(record_of("bianfeng"), {"reinforce": "any"}) | {"total": 0}
    assert "reinforce" in str(fault(record))


def test_variants_names() -> None:
    """Those without a preset here are of the rules page."""
    assert set(PRESETS) <= set(VARIANTS)
    for name in PRESETS:
        assert load_rules(name).to_dict() == preset(name)
