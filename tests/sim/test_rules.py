"""Variants: the presets against RULES.md section 10, own files, and what is refused."""

import json
import re
from datetime import datetime
from pathlib import Path

import numpy as np
import pytest

from kernels import codes
from sim.level_tables import named_table
from sim.options import OPTIONS
from sim.rules import PRESETS, Rules, RulesError, load_rules
from sim.rules import resolve_rules as resolve

CASES = Path(__file__).parent.parent / "cases"

# RULES.md section 10, column by column; None is "–".
SECTION_10 = {
    "menghuan": {
        "decks": 2,
        "partners": "fixed",
        "bid": {
            "when": "draw",
            "with_joker": False,
            "later_deals": "anyone",
            "opens_with": "single",
        },
        "overcall": {
            "when": "after_bury",
            "joker_pairs": True,
            "order": "suits",
            "self": "after_other",
        },
        "reinforce": "any",
        "nobody_bids": "third_card",
        "redeal": {"weak_attacker_points": None},
        "throw_follow": "suit",
        "failed_throw": {"coins": 0.5, "points": 0},
        "bottom": {"scheme": "linear", "read_from": "trick", "table": None},
        "level_table": [
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
        "level_step": None,
        "match": {"after_ace": "loop", "laps": 1, "stop_levels": []},
    },
    "bianfeng": {
        "decks": 2,
        "partners": "fixed",
        "bid": {
            "when": "after_deal",
            "with_joker": False,
            "later_deals": "anyone",
            "opens_with": "either",
        },
        "overcall": {
            "when": "after_deal",
            "joker_pairs": True,
            "order": "kinds",
            "self": "after_other",
        },
        "reinforce": "no",
        "nobody_bids": "third_card",
        "redeal": {"weak_attacker_points": None},
        "throw_follow": "shape",
        "failed_throw": {"coins": 0, "points": 0},
        "bottom": {"scheme": "power", "read_from": "winner", "table": None},
        "level_table": [
            [0, "declarers", 3],
            [5, "declarers", 2],
            [40, "declarers", 1],
            [80, "attackers", 0],
            [120, "attackers", 1],
        ],
        "level_step": 40,
        "match": {"after_ace": "loop", "laps": 1, "stop_levels": []},
    },
}
SECTION_10["competition"] = {
    **SECTION_10["bianfeng"],
    "bid": {
        "when": "draw",
        "with_joker": False,
        "later_deals": "anyone",
        "opens_with": "either",
    },
    "overcall": {
        "when": "draw",
        "joker_pairs": True,
        "order": "kinds",
        "self": "after_other",
    },
    "reinforce": "any",
}

CAPPED = {
    "level_table": [
        *SECTION_10["bianfeng"]["level_table"],
        [160, "attackers", 2],
        [200, "attackers", 3],
        [240, "attackers", 4],
        [280, "attackers", 5],
        [320, "attackers", 6],
    ],
    "level_step": None,
    "bottom": {"scheme": "linear", "read_from": "trick", "table": None},
}
NO_CALLS = dict.fromkeys(("with_joker", "later_deals", "opens_with"))
NO_OVERCALLS = {"when": "none", "joker_pairs": None, "order": None, "self": None}
SECTION_10["shuangsheng"] = {
    **SECTION_10["competition"],
    **CAPPED,
    "overcall": {
        "when": "draw",
        "joker_pairs": False,
        "order": "latest",
        "self": "always",
    },
}
SECTION_10["bianfeng-friend"] = {**SECTION_10["bianfeng"], "partners": "called"}
SECTION_10["joker-bid"] = {
    **SECTION_10["menghuan"],
    **CAPPED,
    "bid": {
        "when": "draw",
        "with_joker": True,
        "later_deals": "declarer_side_first",
        "opens_with": "either",
    },
    "overcall": {
        "when": "after_bury",
        "joker_pairs": True,
        "order": "kinds",
        "self": "after_other",
    },
    "reinforce": "no",
    "nobody_bids": "random_card",
    "redeal": {"weak_attacker_points": 15},
}
SECTION_10["casual"] = {
    **SECTION_10["competition"],
    **CAPPED,
    "bid": {**SECTION_10["competition"]["bid"], "opens_with": "single"},
    "overcall": NO_OVERCALLS,
    "reinforce": "no",
    "match": {"after_ace": "end", "laps": 1, "stop_levels": []},
}
SECTION_10["pick-trump"] = {
    **SECTION_10["competition"],
    **CAPPED,
    "bid": {"when": "auction", **NO_CALLS},
    "overcall": NO_OVERCALLS,
    "reinforce": None,
    "nobody_bids": None,
    "match": {"after_ace": "jokers", "laps": 1, "stop_levels": []},
}

OWN_BOTTOM = {
    "single": 1,
    "pair": 3,
    "triple": 5,
    "quad": 7,
    "tractor": [6, 6, 10],
    "titanic": [9],
    "quad_run": [16, 20],
}


def test_every_preset_is_there() -> None:
    assert set(PRESETS) == set(SECTION_10)


@pytest.mark.parametrize("name", PRESETS)
def test_preset_is_section_10(name: str) -> None:
    rules = load_rules(name)
    assert rules.to_dict() == SECTION_10[name]
    assert rules.name == name


@pytest.mark.parametrize("name", PRESETS)
def test_resolved_dict_reads_back(name: str) -> None:
    rules = load_rules(name)
    assert Rules.from_dict(json.loads(json.dumps(rules.to_dict()))) == rules
    # 0 and 0.0 are one rule, so that a task's hash does not depend on who wrote it.
    assert '"coins": 0.0' not in json.dumps(rules.to_dict())


def test_options_are_the_fields_of_rules() -> None:
    def names(tree: dict, section: str = "") -> set[str]:
        found = set()
        for key, value in tree.items():
            if isinstance(value, dict):
                found |= names(value, f"{key}.")
            else:
                found.add(section + key)
        return found

    assert {option.name for option in OPTIONS} == names(SECTION_10["menghuan"])
    for option in OPTIONS:
        assert option.meaning
        assert option.chinese
        assert option.values


def test_own_file(tmp_path: Path) -> None:
    path = tmp_path / "house.toml"
    path.write_text(
        'base = "menghuan"\n'
        'level_table = "bianfeng"\n'
        "[bottom]\n"
        'scheme = "power"\n'
        "[match]\n"
        'after_ace = "jokers"\n'
        "stop_levels = [10, 5, 15, 5]\n",
        "utf-8",
    )
    rules = load_rules(path)
    assert rules.name == "custom"
    assert rules.level_step == 40
    assert rules.match.stop_levels == (5, 10, 15)
    assert rules.bottom.read_from == "trick"  # the base's


def test_own_file_that_changes_nothing_is_the_preset(tmp_path: Path) -> None:
    path = tmp_path / "same.toml"
    path.write_text('base = "menghuan"\nthrow_follow = "suit"\n', "utf-8")
    assert load_rules(path) == load_rules("menghuan")
    assert load_rules(path).name == "menghuan"


def test_rows_bring_their_own_step() -> None:
    rows = [[0, "declarers", 2], [60, "attackers", 1]]
    assert resolve({"base": "bianfeng", "level_table": rows}).level_step is None
    stepped = resolve({"base": "menghuan", "level_table": rows, "level_step": 20})
    assert stepped.level_step == 20
    assert resolve({"base": "bianfeng", "level_step": "none"}).level_step is None
    assert resolve({"base": "menghuan", "level_table": "bianfeng"}).level_step == 40


def test_named_tables_grow_with_the_decks() -> None:
    three = named_table("bianfeng", 3)
    assert [row[0] for row in three.rows] == [0, 5, 60, 120, 180]
    assert three.step == 60
    bounds = [row[0] for row in named_table("menghuan", 3).rows]
    assert bounds[:8] == [0, 5, 20, 35, 50, 60, 120, 180]
    assert [row[0] for row in named_table("menghuan", 4).rows][2] == 30


def test_every_question_about_these_variants_loads() -> None:
    loaded = 0
    for path in sorted(CASES.glob("*.jsonl")):
        for line in path.read_text("utf-8").splitlines():
            case = json.loads(line)
            spec = case["question"].get("rules", "bianfeng")
            base = spec if isinstance(spec, str) else spec["base"]
            decks = case["question"].get("decks", 2)
            if base not in PRESETS or decks != 2 or "error" in case["expected"]:
                continue
            rules = resolve(spec, decks)
            assert Rules.from_dict(rules.to_dict()) == rules, case["id"]
            loaded += 1
    assert loaded > 700


# --- codes --------------------------------------------------------------------------


def test_codes_of_menghuan() -> None:
    read = load_rules("menghuan").codes()
    assert read.bid_when == codes.BID_DRAW
    assert read.opens_with == codes.OPENS_SINGLE
    assert read.overcall_when == codes.OVERCALL_AFTER_BURY
    assert read.overcall_order == codes.ORDER_SUITS
    assert read.throw_follow == codes.FOLLOW_SUIT
    assert read.bottom_count == codes.COUNT_HIGHEST
    assert (read.joker_pairs, read.reinforce, read.level_step) == (1, 1, 0)
    assert read.bottom_table.dtype == read.level_rows.dtype == np.int64
    assert read.bottom_table.shape == (4, codes.LONGEST_RUN)
    assert read.level_rows.tolist()[:2] == [[0, 0, 6], [5, 0, 5]]


def test_codes_of_bianfeng() -> None:
    read = load_rules("bianfeng").codes()
    assert read.bid_when == codes.BID_AFTER_DEAL
    assert read.overcall_when == codes.OVERCALL_AFTER_DEAL
    assert read.bottom_count == codes.COUNT_WIDEST_FIRST
    assert read.read_from == codes.READ_WINNER
    assert read.level_step == 40


def test_every_playable_value_has_its_code() -> None:
    for option in OPTIONS:
        if option.name not in ("overcall.when", "bid.when"):
            for value in option.values:
                tree = nested(option.name, value)
                try:
                    rules = resolve({"base": "competition", **tree})
                except RulesError:
                    continue
                rules.codes()
    none = {"when": "none", "joker_pairs": None, "order": None, "self": None}
    assert (
        resolve({"base": "bianfeng", "overcall": none}).codes().overcall_when
        == codes.OVERCALL_NONE
    )


def test_stop_levels_are_bits() -> None:
    match = {"after_ace": "jokers", "stop_levels": [5, 15]}
    read = resolve({"base": "bianfeng", "match": match}).codes()
    assert read.stop_levels == 1 << 5 | 1 << 15
    assert read.after_ace == codes.AFTER_ACE_JOKERS


def test_own_bottom_table_overrides_the_scheme() -> None:
    for scheme in ("by_cards", "power", "flat", "linear"):
        bottom = {"scheme": scheme, "table": OWN_BOTTOM}
        read = resolve({"base": "bianfeng", "bottom": bottom}).codes()
        assert read.bottom_count == codes.COUNT_HIGHEST
        assert read.bottom_table[1, :6].tolist() == [3, 6, 6, 10, 10, 10]
        assert read.bottom_table[2, :3].tolist() == [5, 9, 9]
        assert read.bottom_table[3, :4].tolist() == [7, 16, 20, 20]
        assert set(read.bottom_table[0]) == {1}


# --- refusals -----------------------------------------------------------------------

ROWS = [[0, "declarers", 1], [80, "attackers", 0]]
NO_OVERCALL = {"when": "none", "joker_pairs": "none", "order": "none", "self": "none"}
AUCTION = {
    "bid": {"when": "auction", **NO_CALLS},
    "overcall": NO_OVERCALL,
    "reinforce": "none",
    "nobody_bids": "none",
}


def nested(name: str, value: object) -> dict:
    section, _, key = name.rpartition(".")
    return {section: {key: value}} if section else {key: value}


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        # names and types
        ({"throw_folow": "suit"}, ["'throw_folow'", '"throw_follow"']),
        ({"overcal": {}}, ["'overcal'", '"overcall"']),
        ({"opens_with": "pair"}, ["'opens_with'", '"bid.opens_with"']),
        ({"overcall": {"whn": "draw"}}, ["'overcall.whn'", '"overcall.when"', "order"]),
        ({"overcall": "draw"}, ["overcall", "table"]),
        ({"overcall": None}, ["overcall", "table"]),
        ({"throw_follow": "suits"}, ["throw_follow", '"suits"', 'mean "suit"']),
        ({"throw_follow": None}, ["throw_follow", "absent"]),
        ({"reinforce": False}, ["reinforce = false", '"any", "no"']),
        ({"bid": {"with_joker": "yes"}}, ["bid.with_joker", "true or false"]),
        ({"decks": 5}, ["decks = 5", "2 to 4"]),
        ({"decks": True}, ["decks = true"]),
        ({"decks": 2.0}, ["decks = 2.0"]),
        ({"failed_throw": {"points": 3}}, ["failed_throw.points = 3", "multiple of 5"]),
        ({"failed_throw": {"coins": -1}}, ["failed_throw.coins = -1"]),
        ({"failed_throw": {"coins": float("nan")}}, ["failed_throw.coins"]),
        # options that contradict each other
        ({"bid": {"when": "auction"}}, ["bid.with_joker", "auction"]),
        ({"bid": {"when": "after_deal"}}, ["overcall.when", "one round"]),
        ({"overcall": {"when": "after_deal"}}, ["overcall.when", "with the bids"]),
        ({"overcall": {"when": "none"}}, ["overcall.joker_pairs", "no overcalls"]),
        ({"overcall": {"order": "none"}}, ["overcall.order", "none"]),
        ({"overcall": {"self": "always"}}, ["overcall.self", "no turn"]),
        ({"reinforce": "none"}, ["reinforce", "auction"]),
        ({"nobody_bids": "none"}, ["nobody_bids", "auction"]),
        (
            {"bid": {"when": "after_deal"}, "overcall": NO_OVERCALL},
            ["reinforce", "no turn"],
        ),
        (
            {**AUCTION, "level_table": [ROWS[0], [1005, "attackers", 0]]},
            ["level_table", "1005", "auction", "1000"],
        ),
        ({"match": {"stop_levels": [15]}}, ["match.stop_levels", "15", "loop"]),
        ({"match": {"after_ace": "end", "laps": 2}}, ["match.laps = 2", "end"]),
        # levels
        ({"match": {"laps": 0}}, ["match.laps = 0"]),
        ({"match": {"stop_levels": [1]}}, ["match.stop_levels", "1"]),
        ({"match": {"stop_levels": ["A"]}}, ["match.stop_levels", '"A"']),
        ({"match": {"stop_levels": 5}}, ["match.stop_levels", "list"]),
        # level tables
        ({"level_table": "bianfen"}, ["level_table", 'mean "bianfeng"']),
        ({"level_table": []}, ["level_table", "rows"]),
        ({"level_table": [[0, "declarers"]]}, ["level_table row 1"]),
        ({"level_table": [[5, *ROWS[0][1:]], ROWS[1]]}, ["row 1", "must be 0"]),
        ({"level_table": [[0, "attackers", 1]]}, ["row 1", "declarers"]),
        ({"level_table": ROWS[:1]}, ["attackers"]),
        ({"level_table": [*ROWS, [81, "attackers", 1]]}, ["row 3", "81", "5"]),
        ({"level_table": [*ROWS, [80, "attackers", 1]]}, ["row 3", "above 80"]),
        ({"level_table": [*ROWS, [40, "attackers", 1]]}, ["row 3", "above 80"]),
        ({"level_table": [*ROWS, [90, "declarers", 1]]}, ["row 3", "declarers"]),
        ({"level_table": [ROWS[0], [80, "defenders", 0]]}, ["row 2", "defenders"]),
        ({"level_table": [ROWS[0], [80, "attackers", 0.5]]}, ["row 2", "0.5"]),
        ({"level_table": [ROWS[0], [80, "attackers", -1]]}, ["row 2", "-1"]),
        ({"level_step": 7}, ["level_step = 7", "multiple of 5"]),
        ({"level_step": 0}, ["level_step = 0"]),
        ({"level_step": -40}, ["level_step = -40"]),
        # multipliers
        ({"bottom": {"scheme": "cubic"}}, ["bottom.scheme", "cubic"]),
        ({"bottom": {"table": 2}}, ["bottom.table"]),
        ({"bottom": {"table": {"single": 2}}}, ["bottom.table", "pair"]),
        (
            {"bottom": {"table": {**OWN_BOTTOM, "tracter": [2]}}},
            ["tracter", '"tractor"'],
        ),
        (
            {"bottom": {"table": {**OWN_BOTTOM, "tractor": [8, 4]}}},
            ["bottom.table.tractor", "8", "4"],
        ),
        ({"bottom": {"table": {**OWN_BOTTOM, "titanic": []}}}, ["titanic", "list"]),
        ({"bottom": {"table": {**OWN_BOTTOM, "pair": -2}}}, ["pair = -2"]),
        ({"bottom": {"table": {**OWN_BOTTOM, "tractor": [2] * 26}}}, ["tractor", "26"]),
    ],
    ids=lambda value: json.dumps(value)[:60] if isinstance(value, dict) else None,
)
def test_refused(changes: dict, words: list[str]) -> None:
    with pytest.raises(RulesError) as refusal:
        resolve({"base": "menghuan", **changes})
    for word in words:
        assert word in str(refusal.value)
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("tractor", ["unknown variant 'tractor'", "menghuan"]),
        ("bianfen", ['did you mean "bianfeng"']),
        ({}, ["base is missing"]),
        ({"base": 2}, ["base = 2"]),
        ({"base": "no-such"}, ["unknown variant 'no-such'"]),
        (7, ["rules must be"]),
    ],
)
def test_unknown_variant(spec: object, words: list[str]) -> None:
    with pytest.raises(RulesError) as refusal:
        resolve(spec)
    for word in words:
        assert word in str(refusal.value)


def test_decks_asked_for_must_agree() -> None:
    assert load_rules("menghuan", 2) == load_rules("menghuan")
    with pytest.raises(RulesError, match="decks = 3"):
        load_rules("menghuan", 3)
    with pytest.raises(RulesError, match="decks = 2 in the rules"):
        resolve({"base": "menghuan", "decks": 2}, 3)


def test_unreadable_files(tmp_path: Path) -> None:
    with pytest.raises(RulesError, match=r"no\.toml: cannot be read"):
        load_rules(tmp_path / "no.toml")
    typo = tmp_path / "typo.toml"
    typo.write_text('base = "menghuan\n', "utf-8")
    with pytest.raises(RulesError, match=r"typo\.toml: not TOML: .*line 1"):
        load_rules(typo)
    typo.write_bytes(b'base = "\xff"')
    with pytest.raises(RulesError, match=r"not TOML: it is not written in UTF-8$"):
        load_rules(typo)
    typo.write_text('base = "menghuan"\ndeks = 2\n', "utf-8")
    with pytest.raises(RulesError, match=r"typo\.toml: unknown option 'deks'"):
        load_rules(typo)


def test_resolved_dict_must_be_complete() -> None:
    tree = load_rules("menghuan").to_dict()
    del tree["overcall"]["order"]
    with pytest.raises(RulesError, match=r"missing option 'overcall\.order'"):
        Rules.from_dict(tree)
    tree = {**load_rules("menghuan").to_dict(), "level_table": "menghuan"}
    with pytest.raises(RulesError, match="written out"):
        Rules.from_dict(tree)
    tree = {**load_rules("menghuan").to_dict(), "extra": 1}
    with pytest.raises(RulesError, match="'extra'"):
        Rules.from_dict(tree)


def test_values_are_told_as_toml_writes_them():
    for value, words in (
        (datetime(2026, 1, 2, 3, 4), "base = 2026-01-02T03:04:00 must be"),
        (["menghuan", True, {"a": 1.5}], 'base = ["menghuan", true, {a = 1.5}] must'),
    ):
        with pytest.raises(RulesError, match=re.escape(words)):
            resolve({"base": value})
