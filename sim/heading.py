"""What a variant and four policies are called in one line, above every result.

A variant of one's own, or a policy with parameters of one's own, is told by how it
differs from the one that it is nearest to: `menghuan with throw_follow shape`.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from sim.level_tables import LEVEL_TABLES, LevelTable, named_table
from sim.option_values import RulesError
from sim.options import OPTIONS
from sim.policies.catalog import POLICY
from sim.rules import PRESETS, Rules, load_rules

MOST_DIFFERENCES = 3  # told one by one; of the others, how many there are


def variant_words(rules: Rules) -> str:
    """A preset's name, or the nearest preset's and what differs from it."""
    differing = {}
    for name in PRESETS:
        try:
            differing[name] = rule_differences(rules, load_rules(name, rules.decks))
        except RulesError:  # a preset that cannot be played with so many decks
            continue
    nearest = min(differing, key=lambda name: len(differing[name]))
    return with_differences(nearest, differing[nearest])


def rule_differences(rules: Rules, base: Rules) -> list[str]:
    """Each option that differs, and its value in `rules`."""
    told = []
    for option in OPTIONS:
        value = rules.value(option.name)
        if option.name == "level_table":
            told += _table_differences(rules, base)
        elif option.name != "level_step" and value != base.value(option.name):
            own = option.name == "bottom.table" and value is not None
            told.append(f"{option.name} {'of its own' if own else value_words(value)}")
    return told


def _table_differences(rules: Rules, base: Rules) -> list[str]:
    """The level table and its step: one thing where they have a name."""
    table = LevelTable(rules.level_table, rules.level_step)
    if table == (base.level_table, base.level_step):
        return []
    for name in LEVEL_TABLES:
        if table == named_table(name, rules.decks):
            return [f"level_table {name}"]
    told = []
    if table.rows != base.level_table:
        told.append("level_table of its own")
    if table.step != base.level_step:
        told.append(f"level_step {value_words(table.step)}")
    return told


def value_words(value: Any) -> str:
    """A plain value as a TOML file says it, without quotes."""
    if value is None:
        return "none"
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(map(value_words, value))}]"
    return str(value).lower() if isinstance(value, bool) else str(value)


def policy_words(policies: Sequence[str], parameters: Sequence[Mapping]) -> str:
    """Four policies by seat, in as few words as they need."""
    names = [
        with_differences(policy, parameter_differences(policy, own))
        for policy, own in zip(policies, parameters, strict=True)
    ]
    if len(set(names)) == 1:
        return f"policy {names[0]}"
    if names[:2] == names[2:]:
        return f"policies {names[0]} (seats 0, 2) against {names[1]}"
    return "policies by seat: " + "; ".join(names)


def parameter_differences(policy: str, values: Mapping[str, int]) -> list[str]:
    """Each parameter that is not at its default; all of an unknown policy's."""
    known = POLICY[policy].parameters if policy in POLICY else ()
    defaults = {parameter.name: parameter.default for parameter in known}
    return [
        f"{name} {value}"
        for name, value in values.items()
        if value != defaults.get(name)
    ]


def with_differences(name: str, differences: Sequence[str]) -> str:
    """`name with a 1, b 2 and c 3`; past three of them, how many more there are."""
    if not differences:
        return name
    told = list(differences[:MOST_DIFFERENCES])
    if len(differences) > MOST_DIFFERENCES:
        told.append(f"{len(differences) - MOST_DIFFERENCES} more")
    *first, last = told
    return f"{name} with {', '.join(first)}{' and ' if first else ''}{last}"
