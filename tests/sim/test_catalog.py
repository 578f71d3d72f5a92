"""Policies and their parameters: by name, from a file, by seat, and refused."""

from datetime import date
from pathlib import Path

import numpy as np
import pytest

from sim.policies import catalog
from sim.policies.catalog import (
    POLICIES,
    POLICY,
    Policy,
    PolicyError,
    load_policy,
    parse_seats,
    resolve_policy,
    setting_codes,
    setting_of,
)
from sim.policies.parameter import Parameter


@pytest.fixture
def timid(monkeypatch: pytest.MonkeyPatch) -> Policy:
    """A policy with two parameters, for tests that must not know textbook's."""
    policy = Policy(
        "timid",
        7,
        "for tests",
        (
            Parameter("long_trump", 9, 0, 30, "cards", "trumps that are many"),
            Parameter("rich_bottom", 20, 0, 80, "points", "points that are many"),
        ),
    )
    monkeypatch.setitem(POLICY, "timid", policy)
    monkeypatch.setattr(catalog, "PARAMETER_COLUMNS", 3)
    return policy


def test_ids() -> None:
    assert {policy.name: policy.id for policy in POLICIES} == {
        "random": 0,
        "textbook": 1,
    }


@pytest.mark.parametrize("policy", POLICIES, ids=lambda policy: policy.name)
def test_parameters_are_sound(policy: Policy) -> None:
    names = [parameter.name for parameter in policy.parameters]
    assert len(set(names)) == len(names)
    for parameter in policy.parameters:
        assert isinstance(parameter.default, int)
        assert parameter.low <= parameter.default <= parameter.high
        assert parameter.meaning
    setting = load_policy(policy.name)
    assert list(setting.values) == names


def test_own_values(timid: Policy, tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('base = "timid"\nrich_bottom = 35\n', "utf-8")
    assert load_policy(path).values == {"long_trump": 9, "rich_bottom": 35}
    assert load_policy("timid").values == {"long_trump": 9, "rich_bottom": 20}
    whole = {"long_trump": 1, "rich_bottom": 2}
    assert setting_of("timid", whole).values == whole


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("txtbook", ["unknown policy 'txtbook'", '"textbook"']),
        ({}, ["base is missing"]),
        ({"base": ["random"]}, ['base = ["random"] must be a policy\'s name']),
        ({"base": date(2026, 1, 2)}, ["base = 2026-01-02 must be"]),
        ([True, None], ['a name or a table, not [true, "none"]']),
        (5, ["must be a name or a table"]),
        ({"base": "random", "boldness": 2}, ["'boldness'", "it has none"]),
        ({"base": "timid", "long_trumps": 2}, ["'long_trumps'", '"long_trump"']),
        ({"base": "timid", "long_trump": 2.5}, ["long_trump = 2.5", "0 to 30 cards"]),
        ({"base": "timid", "long_trump": True}, ["long_trump = true"]),
        ({"base": "timid", "long_trump": 31}, ["long_trump = 31", "0 to 30"]),
        ({"base": "timid", "long_trump": "9"}, ["long_trump"]),
    ],
)
@pytest.mark.usefixtures("timid")
def test_refused(spec: object, words: list[str]) -> None:
    with pytest.raises(PolicyError) as refusal:
        resolve_policy(spec)
    for word in words:
        assert word in str(refusal.value)


def test_unreadable_files(tmp_path: Path) -> None:
    with pytest.raises(PolicyError, match="cannot be read"):
        load_policy(tmp_path / "no.toml")
    bad = tmp_path / "bad.toml"
    bad.write_text("base = ", "utf-8")
    with pytest.raises(PolicyError, match=r"bad\.toml: not TOML"):
        load_policy(bad)
    bad.write_text('base = "random"\nx = 1\n', "utf-8")
    with pytest.raises(PolicyError, match=r"bad\.toml: unknown parameter 'x'"):
        load_policy(bad)


@pytest.mark.parametrize(
    ("text", "seats"),
    [
        ("random", ["random"] * 4),
        ("textbook,random", ["textbook", "random", "textbook", "random"]),
        (
            "random, random,random,textbook",
            ["random", "random", "random", "textbook"],
        ),
    ],
)
def test_seats(text: str, seats: list[str]) -> None:
    assert [setting.policy.name for setting in parse_seats(text)] == seats


@pytest.mark.parametrize("text", ["random,random,random", "", "random,", "a,b,c,d,e"])
def test_wrong_seats(text: str) -> None:
    with pytest.raises(PolicyError):
        parse_seats(text)


@pytest.mark.usefixtures("timid")
def test_codes() -> None:
    ids, parameters = setting_codes(parse_seats("timid,random"))
    assert ids.tolist() == [7, 0, 7, 0]
    assert parameters.tolist() == [[9, 20, 0], [0] * 3, [9, 20, 0], [0] * 3]
    assert ids.dtype == parameters.dtype == np.int64
