"""The eight variants written down from the rules page, apart from the presets' files.

A second transcription on purpose: one test holds it against `sim/presets`.
"""

import copy
from typing import Any

Rules = dict[str, Any]

LEVEL_TABLES: dict[str, tuple[list[list], int | None]] = {
    "menghuan": (
        [
            [0, "declarers", 6],
            [5, "declarers", 5],
            [15, "declarers", 4],
            [25, "declarers", 3],
            [35, "declarers", 2],
            [40, "declarers", 1],
            [80, "attackers", 0],
            [120, "attackers", 1],
            [125, "attackers", 2],
            [165, "attackers", 3],
            [205, "attackers", 4],
            [245, "attackers", 5],
            [285, "attackers", 6],
        ],
        None,
    ),
    "bianfeng": (
        [
            [0, "declarers", 3],
            [5, "declarers", 2],
            [40, "declarers", 1],
            [80, "attackers", 0],
            [120, "attackers", 1],
        ],
        40,
    ),
    "joker-bid": (
        [
            [0, "declarers", 3],
            [5, "declarers", 2],
            [40, "declarers", 1],
            [80, "attackers", 0],
            [120, "attackers", 1],
            [160, "attackers", 2],
            [200, "attackers", 3],
            [240, "attackers", 4],
            [280, "attackers", 5],
            [320, "attackers", 6],
        ],
        None,
    ),
}

# One row an option, one column a variant, as on the rules page; None is its dash.
VARIANTS = (
    "menghuan",
    "shuangsheng",
    "bianfeng",
    "bianfeng-friend",
    "joker-bid",
    "casual",
    "pick-trump",
    "competition",
)
_OPTIONS: dict[str, str] = {
    "decks": "2 2 2 2 2 2 2 2",
    "partners": "fixed fixed fixed called fixed fixed fixed fixed",
    "bid.when": "draw draw after_deal after_deal draw draw auction draw",
    "bid.with_joker": "no no no no yes no - no",
    "bid.later_deals": "anyone anyone anyone anyone declarer_side_first anyone - "
    "anyone",
    "bid.opens_with": "single either either either either single - either",
    "overcall.when": "after_bury draw after_deal after_deal after_bury none none draw",
    "overcall.joker_pairs": "yes no yes yes yes - - yes",
    "overcall.order": "suits latest kinds kinds kinds - - kinds",
    "overcall.self": "after_other always after_other after_other after_other - - "
    "after_other",
    "reinforce": "any any no no no no - any",
    "nobody_bids": "third_card third_card third_card third_card random_card third_card "
    "- third_card",
    "redeal.weak_attacker_points": "- - - - 15 - - -",
    "throw_follow": "suit shape shape shape suit shape shape shape",
    "failed_throw.coins": "0.5 0 0 0 0.5 0 0 0",
    "failed_throw.points": "0 0 0 0 0 0 0 0",
    "bottom.scheme": "linear linear power power linear linear linear power",
    "bottom.read_from": "trick trick winner winner trick trick trick winner",
    "bottom.table": "- - - - - - - -",
    "level_table": "menghuan joker-bid bianfeng bianfeng joker-bid joker-bid joker-bid "
    "bianfeng",
    "match.after_ace": "loop loop loop loop loop end jokers loop",
    "match.laps": "1 1 1 1 1 1 1 1",
}


def _value(option: str, word: str) -> Any:
    if word == "-":
        return None
    if option != "reinforce" and word in ("yes", "no"):
        return word == "yes"
    if option == "failed_throw.coins":
        return float(word)
    return int(word) if word.isdigit() else word


def preset(name: str, decks: int = 2) -> Rules:
    """Return one variant's rules, resolved as in a deal record."""
    column = VARIANTS.index(name)
    rules: Rules = {}
    for option, words in _OPTIONS.items():
        *groups, key = option.split(".")
        place = rules
        for group in groups:
            place = place.setdefault(group, {})
        place[key] = _value(option, words.split()[column])
    rules["match"]["stop_levels"] = []
    rules["decks"] = decks
    rules["level_table"], rules["level_step"] = scale(rules["level_table"], decks)
    return rules


def scale(table: str, decks: int) -> tuple[list[list], int | None]:
    """Return a named level table's rows and step for a number of decks."""
    rows, step = copy.deepcopy(LEVEL_TABLES[table])

    def scaled(bound: int) -> int:
        return bound if bound < 15 else bound * decks // 2 // 5 * 5

    for row in rows:
        row[0] = scaled(row[0])
    return rows, None if step is None else scaled(step)


def resolve(name_or_overrides: str | Rules, decks: int = 2) -> Rules:
    """Return resolved rules from a variant's name or a base with overrides."""
    if isinstance(name_or_overrides, str):
        name, overrides = name_or_overrides, {}
    else:
        overrides = dict(name_or_overrides)
        name = overrides.pop("base")
    if name not in VARIANTS:
        raise ValueError(f"unknown variant {name!r}")
    rules = preset(name, decks)
    if "level_table" in overrides:
        # A table of one's own is capped unless it brings a step.
        rules["level_step"] = None
    _merge(rules, overrides)
    if isinstance(rules["level_table"], str):
        rules["level_table"], rules["level_step"] = scale(rules["level_table"], decks)
    return rules


def _merge(rules: Rules, overrides: Rules) -> None:
    for key, value in overrides.items():
        if key not in rules:
            raise ValueError(f"unknown option {key!r}")
        if isinstance(value, dict) and isinstance(rules[key], dict):
            _merge(rules[key], value)
        else:
            rules[key] = value
