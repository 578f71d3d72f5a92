"""Which policies there are, and which of them, with what parameters, sit at a table.

A setting is a policy and a value for each of its parameters. A user names a policy, or
writes a TOML file: `base = "textbook"` and the parameters he changes.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from sim.option_values import did_you_mean, is_whole, shown
from sim.plain import quoted
from sim.policies.ids import RANDOM_ID, TEXTBOOK_ID
from sim.policies.parameter import Parameter
from sim.policies.textbook.parameters import PARAMETERS as TEXTBOOK_PARAMETERS
from sim.toml_file import read_toml, told_with_its_path


class PolicyError(ValueError):
    """A policy that cannot be read: one sentence that says why."""


class Policy(NamedTuple):
    """A player: kernels know it by its id."""

    name: str
    id: int
    summary: str
    parameters: tuple[Parameter, ...]


class PolicySetting(NamedTuple):
    """A policy and the value of each of its parameters, in their order."""

    policy: Policy
    values: dict[str, int]


POLICIES = (
    Policy(
        "textbook",
        TEXTBOOK_ID,
        "a competent player by the book: knows only what its seat may know",
        TEXTBOOK_PARAMETERS,
    ),
    Policy(
        "random",
        RANDOM_ID,
        "any legal call, bury and play, by chance",
        (),
    ),
)
POLICY = {policy.name: policy for policy in POLICIES}

# Kernels get one row a seat, as long as the longest policy's list; never empty.
PARAMETER_COLUMNS = max(1, *(len(policy.parameters) for policy in POLICIES))


def load_policy(name_or_path: str | Path) -> PolicySetting:
    """A policy by name, with its defaults, or by the path of a TOML file."""
    text = str(name_or_path)
    if not text.endswith(".toml"):
        return setting_of(text, {})
    with told_with_its_path(text, PolicyError):
        return resolve_policy(read_toml(text, PolicyError))


def resolve_policy(spec: str | Mapping[str, Any]) -> PolicySetting:
    """The setting that a question names: a policy, or {"base": policy, values...}."""
    if isinstance(spec, str):
        return setting_of(spec, {})
    if not isinstance(spec, Mapping):
        raise PolicyError(f"a policy must be a name or a table, not {shown(spec)}")
    if "base" not in spec:
        raise PolicyError('base is missing: write which policy, as base = "textbook"')
    changes = {key: value for key, value in spec.items() if key != "base"}
    return setting_of(spec["base"], changes)


def setting_of(name: str, values: Mapping[str, Any]) -> PolicySetting:
    """A policy with the values given, and its defaults for the rest."""
    if not isinstance(name, str):
        raise PolicyError(f"base = {shown(name)} must be a policy's name")
    if name not in POLICY:
        raise PolicyError(
            f"unknown policy {quoted(name)}{did_you_mean(name, POLICY)}: "
            f"there are {', '.join(POLICY)}, or write the path of a .toml file"
        )
    policy = POLICY[name]
    known = {parameter.name: parameter for parameter in policy.parameters}
    for key, value in values.items():
        if key not in known:
            has = f"it has {', '.join(known)}" if known else "it has none"
            raise PolicyError(
                f"unknown parameter {quoted(key)} of {name}"
                f"{did_you_mean(key, known)}: {has}"
            )
        low, high = known[key].low, known[key].high
        if not is_whole(value) or not low <= value <= high:
            unit = f" {known[key].unit}" if known[key].unit else ""
            raise PolicyError(
                f"{key} = {shown(value)} must be a whole number "
                f"from {low} to {high}{unit}"
            )
    return PolicySetting(
        policy,
        {key: values.get(key, parameter.default) for key, parameter in known.items()},
    )


def parse_seats(text: str) -> tuple[PolicySetting, ...]:
    """The four seats' settings, from `a` (all), `a,b` (two sides) or `a,b,c,d`.

    Two are the declarer's side and the attackers: seats 0 and 2, and 1 and 3, since a
    deal that is played for itself has its declarer at seat 0. In a match's first deal
    nobody is declarer yet, so there two mean just those two sides.
    """
    words = [word.strip() for word in text.split(",")]
    if len(words) not in (1, 2, 4):
        raise PolicyError(
            f"{quoted(text)} names {len(words)} policies: write one for all seats, two "
            "(declarer's side, attackers) or four by seat"
        )
    settings = [load_policy(word) for word in words]
    return tuple(settings[seat % len(settings)] for seat in range(4))


def setting_codes(settings: Sequence[PolicySetting]) -> tuple[np.ndarray, np.ndarray]:
    """Four settings as kernels see them: (ids int64[4], parameters int64[4, P])."""
    ids = np.array([setting.policy.id for setting in settings], np.int64)
    parameters = np.zeros((len(settings), PARAMETER_COLUMNS), np.int64)
    for seat, setting in enumerate(settings):
        parameters[seat, : len(setting.values)] = list(setting.values.values())
    return ids, parameters
