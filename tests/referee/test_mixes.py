"""Every option drawn at random: what can be played is, and the rest is refused."""

import copy
import json
import random
import re
from collections import Counter
from typing import Any

import pytest
from random_mixes import IN_AUCTION, VALUES, any_mix, legal_mix, refusal

from referee.random_play import random_match, random_record
from sim.option_values import shown
from sim.options import OPTIONS
from sim.referee.cards import JOKER_LEVEL
from sim.referee.fault import Broken
from sim.referee.replay import verify_each, verify_record
from sim.referee.schema import check_rules


def value_of(rules: dict[str, Any], name: str) -> Any:
    """Return an option by its dotted name."""
    section, _, key = name.rpartition(".")
    return rules[section][key] if section else rules[key]


def test_every_option_is_drawn() -> None:
    assert list(VALUES) == [option.name for option in OPTIONS]


def play(rules: dict[str, Any], draw: random.Random, seed: int) -> dict[str, Any]:
    """Return one deal of a mix, in the middle of a match or its first."""
    first = draw.random() < 0.4
    fixed = rules["partners"] == "fixed"
    levels = [draw.randrange(2, JOKER_LEVEL + 1) for _ in range(2 if fixed else 4)]
    if first:
        levels = [draw.randrange(2, JOKER_LEVEL)] * 2
    declarer = None if first else draw.randrange(4)
    eager = draw.choice((0.02, 0.3, 0.9))
    return random_record(
        "", seed, rules=rules, levels=levels, declarer=declarer, eager=eager
    )


@pytest.fixture
def number(request: pytest.FixtureRequest) -> int:
    """Return how many mixes are drawn."""
    return 5000 if request.config.getoption("--slow") else 250


def test_mixes_are_played(number: int) -> None:
    """Deals of any legal mix verify; every value of each option was met (seed 1)."""
    draw = random.Random(1)
    met: Counter[str] = Counter()
    for seed in range(number):
        rules = legal_mix(draw)
        record = json.loads(json.dumps(play(rules, draw, seed)))
        fault = verify_record(record)
        assert fault is None, f"mix {seed}: {fault}\n{rules}"
        for name, values in VALUES.items():
            met[f"{name} {value_of(rules, name) if not callable(values) else ''}"] += 1
    wanted = {
        f"{name} {value}"
        for name, values in VALUES.items()
        for value in ([""] if callable(values) else values)
    }
    wanted |= {f"{name} None" for name in IN_AUCTION}
    assert wanted <= set(met)


def test_mixes_are_played_to_the_end_of_the_match(number: int) -> None:
    """Whole matches of any legal mix join, up to a dozen deals each (seed 2)."""
    draw = random.Random(2)
    for seed in range(number // 25):
        rules = legal_mix(draw)
        lines = [
            json.dumps(deal) for deal in random_match("", seed, rules=rules, deals=12)
        ]
        for line, _, fault in verify_each(lines):
            assert fault is None, f"match {seed} line {line}: {fault}\n{rules}"


def test_the_referee_refuses_nothing_that_is_played() -> None:
    """Of mixes that nobody can play the referee need not know (seed 3)."""
    draw = random.Random(3)
    accepted = 0
    for _ in range(20_000):
        rules = any_mix(draw)
        if refusal(rules) is None:
            accepted += 1
            check_rules(rules)
    assert accepted > 20


def test_a_refusal_names_the_options() -> None:
    """All that clash, the first with its value; changing one helps (seed 4)."""
    draw = random.Random(4)
    names = [option.name for option in OPTIONS]
    sentences: Counter[tuple[str, ...]] = Counter()
    for _ in range(1500):
        rules = any_mix(draw)
        sentence = refusal(rules)
        if sentence is None:
            continue
        said = tuple(
            name
            for name in names
            if re.search(rf"(?<![\w.]){re.escape(name)}(?![\w.])", sentence)
        )
        sentences[said] += 1
        assert len(said) >= 2, sentence
        (first,) = [name for name in said if sentence.startswith(name)]
        value = value_of(rules, first)
        if value is None or isinstance(value, str | bool):
            assert f"{first} = {shown(value)} " in sentence
        cures = [
            name
            for name in said
            for value in everything(name, draw)
            if refusal(changed(rules, name, value)) != sentence
        ]
        assert cures, sentence
    assert len(sentences) > 10


def everything(name: str, draw: random.Random) -> list[Any]:
    """List values of an option, None too."""
    values = VALUES[name]
    return [None, [], *([values(draw)] if callable(values) else values)]


def changed(rules: dict[str, Any], name: str, value: Any) -> dict[str, Any]:
    """Return rules with one option changed."""
    rules = copy.deepcopy(rules)
    section, _, key = name.rpartition(".")
    (rules[section] if section else rules)[key] = value
    return rules


def test_the_referee_names_what_is_absent() -> None:
    """Every option that the others need."""
    rules = legal_mix(random.Random(5), bid_when="draw", overcall_when="draw")
    for name in (*IN_AUCTION, "overcall.joker_pairs", "overcall.order"):
        with pytest.raises(Broken, match=re.escape(f"rules.{name} is null")):
            check_rules(changed(rules, name, None))
