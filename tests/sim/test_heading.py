"""What variants and policies are called: the defaults by name, all else by how it
differs."""

import pytest

from sim.heading import policy_words, variant_words
from sim.policies.catalog import resolve_policy
from sim.rules import PRESETS, load_rules, resolve_rules


@pytest.mark.parametrize("name", PRESETS)
def test_presets_go_by_their_names(name):
    assert variant_words(load_rules(name)) == name


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"throw_follow": "shape"}, "menghuan with throw_follow shape"),
        (
            {"throw_follow": "shape", "match": {"stop_levels": [5, 10]}},
            "menghuan with throw_follow shape and match.stop_levels [5, 10]",
        ),
        (
            {
                "throw_follow": "shape",
                "failed_throw": {"coins": 0, "points": 10},
                "bottom": {"scheme": "power"},
                "match": {"after_ace": "end"},
            },
            "menghuan with throw_follow shape, failed_throw.coins 0, "
            "failed_throw.points 10 and 2 more",
        ),
        ({"level_table": "bianfeng"}, "menghuan with level_table bianfeng"),
        (
            {"level_table": [[0, "declarers", 1], [80, "attackers", 0]]},
            "menghuan with level_table of its own",
        ),
        ({"level_step": 40}, "menghuan with level_step 40"),
        (
            {"overcall": {"joker_pairs": False}},
            "menghuan with overcall.joker_pairs false",
        ),
        (
            {
                "bottom": {
                    "table": {
                        **{"single": 2, "pair": 3, "triple": 4, "quad": 5},
                        **{"tractor": [6], "titanic": [7], "quad_run": [8]},
                    }
                }
            },
            "menghuan with bottom.table of its own",
        ),
    ],
    ids=str,
)
def test_variants_of_ones_own(changes, words):
    assert variant_words(resolve_rules({"base": "menghuan", **changes})) == words


def test_the_nearest_preset_is_named():
    """Whatever the base was: what a run saves are the resolved rules."""
    tree = load_rules("bianfeng").to_dict()
    rules = resolve_rules({"base": "menghuan", **tree, "level_step": 20})
    assert variant_words(rules) == "bianfeng with level_step 20"


def told(*specs) -> str:
    settings = [resolve_policy(spec) for spec in specs]
    return policy_words(
        [setting.policy.name for setting in settings],
        [setting.values for setting in settings],
    )


def test_policies_in_few_words():
    bold = {"base": "textbook", "bid_score": 110}
    shy = {"base": "textbook", "bid_score": 80, "bid_trumps": 8}
    assert told(*["textbook"] * 4) == "policy textbook"
    assert told(*[bold] * 4) == "policy textbook with bid_score 110"
    assert told(bold, "random", bold, "random") == (
        "policies textbook with bid_score 110 (seats 0, 2) against random"
    )
    assert told(bold, shy, bold, shy) == (
        "policies textbook with bid_score 110 (seats 0, 2) against "
        "textbook with bid_score 80 and bid_trumps 8"
    )
    assert told("random", bold, shy, "random") == (
        "policies by seat: random; textbook with bid_score 110; "
        "textbook with bid_score 80 and bid_trumps 8; random"
    )


def test_many_parameters_are_counted():
    values = {f"p{number}": number for number in range(5)}
    assert policy_words(["new"] * 4, [values] * 4) == (
        "policy new with p0 0, p1 1, p2 2 and 2 more"
    )


def test_a_default_that_is_written_out_is_no_difference():
    assert told(*[{"base": "textbook", "bid_score": 95}] * 4) == "policy textbook"
