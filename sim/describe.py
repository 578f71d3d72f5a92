"""Variants and policies told to people: the text and JSON of two commands."""

import unicodedata
from dataclasses import asdict
from typing import Any

from sim.heading import value_words, variant_words
from sim.level_tables import Row
from sim.option_values import BottomTable
from sim.options import OPTIONS, Option
from sim.policies.catalog import POLICIES, Policy, PolicySetting
from sim.rules import PRESETS, Rules, preset
from sim.schema import COLUMNS, MATCH_COLUMNS, STEP_COLUMNS

WORDS = (
    "LJ and BJ: the little and the big joker. With 3 or 4 decks, a run of triples is\n"
    "a titanic, a run of quads a quad_run."
)


def variants_json() -> dict[str, Any]:
    return {
        "variants": [preset(name)._asdict() for name in PRESETS],
        "options": [
            {
                "name": option.name,
                "chinese": option.chinese,
                "meaning": option.meaning,
                "values": dict(option.values),
            }
            for option in OPTIONS
        ],
    }


def variants_text() -> str:
    """Every preset, and the table that tells what every option means."""
    presets = [preset(name) for name in PRESETS]
    lines = ["Variants", ""]
    lines += aligned(
        [
            (f"  {it.name}", it.title, decks_words(it.decks), it.summary)
            for it in presets
        ]
    )
    lines += ["", "Options: what a TOML file may change (base = one of the above)"]
    for option in OPTIONS:
        lines += ["", f"  {option.name}  {option.meaning} ({option.chinese})"]
        lines += aligned(
            [(f"      {value}", told) for value, told in option.values.items()]
        )
    return "\n".join([*lines, "", WORDS])


def decks_words(decks: tuple[int, ...]) -> str:
    """With how many decks a variant is played: `2 decks`, `2-4 decks`."""
    if len(decks) == 1:
        return f"{decks[0]} decks"
    return f"{decks[0]}-{decks[-1]} decks"


def rules_json(rules: Rules) -> dict[str, Any]:
    return {"variant": rules.name, "rules": rules.to_dict()}


def rules_text(rules: Rules) -> str:
    """One variant: the value of every option and what it means."""
    name = rules.name
    if name == "custom":
        head = f"custom: {variant_words(rules)}"
    else:
        told = preset(name)
        head = f"{told.name} {told.title}: {told.summary}"
    rows = []
    for option in OPTIONS:
        value = rules.value(option.name)
        rows.append((f"  {option.name}", value_text(value), meaning_of(option, value)))
    lines = [head, "", *aligned(rows), "", "Level table: attackers' total, who gains"]
    lines += aligned(level_lines(rules.level_table, rules.level_step))
    if rules.bottom.table is not None:
        lines += ["", "Multipliers of a captured bottom; lists from length 2 up"]
        lines += aligned(
            [
                (f"  {kind}", value_text(value))
                for kind, value in asdict(rules.bottom.table).items()
            ]
        )
    return "\n".join([*lines, "", WORDS])


def value_text(value: Any) -> str:
    table = isinstance(value, tuple) and value and isinstance(value[0], tuple)
    if table or isinstance(value, BottomTable):
        return "below"  # told under the options, in lines of its own
    return value_words(value)


def meaning_of(option: Option, value: Any) -> str:
    """What an option's value means, as far as the value needs a word."""
    told = f"{option.meaning} ({option.chinese})"
    text = value_words(value)
    if text in option.values and not isinstance(value, (bool, int)):
        return f"{told}: {option.values[text]}"
    return told


def level_lines(rows: tuple[Row, ...], step: int | None) -> list[tuple[str, ...]]:
    lines = []
    for place, (bound, side, levels) in enumerate(rows):
        last = place == len(rows) - 1
        top = None if last else rows[place + 1][0] - 5
        span = f"{bound}" if top == bound else f"{bound}-{'' if last else top}"
        gains = f"{side} +{levels}"
        if side == "attackers" and (place == 0 or rows[place - 1][1] != side):
            gains += ", and take over"
        if last and step:
            gains += f", and one more for each further {step}"
        lines.append((f"  {span}", gains))
    return lines


# What the rows of a run hold; of whole matches the deals' rows have more, and there is
# a row for each match.
COLUMN_LISTS = (
    ("A deal", COLUMNS),
    ("More in a deal of a match (no deal_index there)", STEP_COLUMNS),
    ("A match", MATCH_COLUMNS),
)


def columns_text() -> str:
    """Every column of the result rows, under headers."""
    lines = []
    for title, columns in COLUMN_LISTS:
        rows = [("column", "unit", "meaning")]
        rows += [(column.name, column.unit, column.meaning) for column in columns]
        lines += [title, "", *aligned(rows), ""]
    return "\n".join([*lines, "LJ and BJ: the little and the big joker."])


def columns_json() -> dict[str, list[dict[str, str]]]:
    """The same by the kind of row."""
    return {
        name: [column._asdict() for column in columns]
        for name, (_, columns) in zip(
            ("deal", "deal_of_a_match", "match"), COLUMN_LISTS, strict=True
        )
    }


def policy_json(policy: Policy) -> dict[str, Any]:
    return {
        "name": policy.name,
        "summary": policy.summary,
        "parameters": [parameter._asdict() for parameter in policy.parameters],
    }


def policies_json() -> list[dict[str, Any]]:
    return [policy_json(policy) for policy in POLICIES]


def policies_text() -> str:
    rows = [
        (f"  {policy.name}", policy.summary, count_text(len(policy.parameters)))
        for policy in POLICIES
    ]
    return "\n".join(["Policies", "", *aligned(rows)])


def count_text(parameters: int) -> str:
    if not parameters:
        return "no parameters"
    return f"{parameters} parameter{'s' if parameters > 1 else ''}"


def setting_json(setting: PolicySetting) -> dict[str, Any]:
    described = policy_json(setting.policy)
    for parameter in described["parameters"]:
        parameter["value"] = setting.values[parameter["name"]]
    return described


def setting_text(setting: PolicySetting) -> str:
    """One policy: its parameters, their values, ranges, units and meanings."""
    policy = setting.policy
    lines = [f"{policy.name}: {policy.summary}", ""]
    if not policy.parameters:
        return "\n".join([*lines, "It has no parameters."])
    rows = [("  parameter", "value", "default", "range", "unit", "meaning")]
    for name, default, low, high, unit, meaning in policy.parameters:
        rows.append(
            (
                f"  {name}",
                str(setting.values[name]),
                str(default),
                f"{low}..{high}",
                unit,
                meaning,
            )
        )
    return "\n".join([*lines, *aligned(rows)])


def aligned(rows: list[tuple[str, ...]]) -> list[str]:
    """Rows with their columns under each other; a Chinese letter is two wide."""
    widths = [max(map(width, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(
            text + " " * (most - width(text))
            for text, most in zip(row, widths, strict=True)
        ).rstrip()
        for row in rows
    ]


def width(text: str) -> int:
    """Columns that a text takes on a terminal."""
    return sum(1 + (unicodedata.east_asian_width(letter) in "WF") for letter in text)
