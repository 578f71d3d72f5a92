"""The simulator plays any legal mix of options as the referee reads it."""

import json
import random
from collections import Counter
from itertools import islice

import pytest
from contract.referee_run import row_told, why_wrong
from random_mixes import VALUES, Rules, legal_mix

from sim.option_values import RulesError
from sim.policies.catalog import POLICY, setting_of
from sim.record import Recorder, write_record
from sim.referee.census import census
from sim.referee.replay import verify_each
from sim.rules import Rules as PlayedRules
from sim.task import Task


def playable_mix(draw: random.Random) -> PlayedRules:
    """Draw rules until this version plays them."""
    while True:
        try:
            return PlayedRules.from_dict(legal_mix(draw))
        except RulesError:
            continue


def task_of(rules: PlayedRules, draw: random.Random) -> Task:
    """A task under some rules: any policy, first deals or later ones."""
    name = draw.choice(sorted(POLICY))
    values = {each.name: each.default for each in POLICY[name].parameters}
    return Task(
        rules=rules,
        policies=(setting_of(name, values),) * 4,
        level="all",
        first_deal=draw.random() < 0.4,
        seed=draw.randrange(2**64),
    )


def test_mixes_pass_the_referee(request: pytest.FixtureRequest) -> None:
    """Rows, too, say what the records say (seed 6)."""
    slow = request.config.getoption("--slow")
    draw = random.Random(6)
    met: Counter[str] = Counter()
    for number in range(1500 if slow else 60):
        rules = playable_mix(draw)
        recorder = Recorder(task_of(rules, draw))
        tree = rules.to_dict()
        for index in range(13 if slow else 4):
            record = json.loads(write_record(recorder.deal(index)))
            why = why_wrong(record, row_told(recorder))
            assert why is None, f"mix {number} deal {index}: {why}\n{tree}"
        met += values_of(tree)
    wanted = {
        f"{name} {value}"
        for name, values in VALUES.items()
        if not callable(values)
        for value in values
    }
    assert len(wanted - set(met)) <= (0 if slow else 2)


def test_matches_of_mixes_pass_the_referee(request: pytest.FixtureRequest) -> None:
    """Laps, stop levels, levels of one's own; deal by deal and joint (seed 7)."""
    slow = request.config.getoption("--slow")
    draw = random.Random(7)
    events: Counter[str] = Counter()
    for number in range(300 if slow else 12):
        rules = playable_mix(draw)
        recorder = Recorder(task_of(rules, draw))
        deals = islice(recorder.match(number), 60)
        for _, record, fault in verify_each(map(write_record, deals)):
            assert fault is None, f"mix {number}: {fault}\n{rules.to_dict()}"
            events += census(record)
    for name in ("stop level: not left", "stop level: not jumped over", "match won"):
        assert events[name]


def values_of(rules: Rules) -> Counter[str]:
    """The values of a mix that are one of few."""
    found: Counter[str] = Counter()
    for name, values in VALUES.items():
        section, _, key = name.rpartition(".")
        if not callable(values):
            found[f"{name} {rules[section][key] if section else rules[key]}"] += 1
    return found
