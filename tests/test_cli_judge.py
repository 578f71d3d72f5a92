"""`shengji judge`: the cases, the errors, and the ways a file may be written."""

import json
import random
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner
from referee.ask import answer as by_referee
from referee.ask import same

from cli import cli
from sim.asks import ASK_HELP, AskHelp
from sim.judge import ASKS, answer, answer_lines
from sim.referee.cards import KINDS, Layout
from sim.rules import PRESETS

CASES = Path(__file__).parent / "cases"


def cases() -> Iterator[dict]:
    """All questions with known answers."""
    for path in sorted(CASES.glob("*.jsonl")):
        for line in path.read_text("utf-8").splitlines():
            yield json.loads(line)


def test_cases() -> None:
    counted = 0
    for case in cases():
        counted += 1
        got = answer(case["question"])
        assert same(got, case["expected"]), (case, got)
    assert counted == 3164


def judge(text: str, status: int) -> list[dict]:
    result = CliRunner().invoke(cli, ["judge", "-"], input=text)
    assert result.exit_code == status, result.output
    return [json.loads(line) for line in result.output.splitlines()]


def test_one_answer_a_line_and_the_id_echoed() -> None:
    wanted = list(cases())
    wanted = [case for case in wanted if "error" not in case["expected"]][:50]
    text = "".join(
        json.dumps({**case["question"], "id": case["id"]}) + "\n" for case in wanted
    )
    for case, told in zip(wanted, judge(text, 0), strict=True):
        assert told.pop("id") == case["id"]
        assert same(told, case["expected"])


def test_one_object_over_several_lines(tmp_path: Path) -> None:
    path = tmp_path / "question.json"
    path.write_text(json.dumps(LEAD, indent=1), "utf-8")
    result = CliRunner().invoke(cli, ["judge", str(path)])
    assert result.exit_code == 0
    assert json.loads(result.output)["suit"] == "H"


def test_all_are_answered_before_the_status() -> None:
    text = "\n".join(
        ["{", json.dumps(LEAD), "", '"x"', '{"ask": "result", "total": NaN}']
    )
    told = judge(text, 1)
    assert told[0]["error"].startswith("line 1: not JSON")
    assert told[1]["suit"] == "H"
    assert told[2]["error"].startswith("line 4: a question is a JSON object")
    assert told[3]["error"].startswith("line 5: not JSON")
    assert len(told) == 4


def test_answers_come_line_by_line() -> None:
    asked = []

    def lines() -> Iterator[str]:
        for number in range(3):
            asked.append(number)
            yield json.dumps(LEAD) + "\n"

    answers = answer_lines(lines())
    next(answers)
    assert asked == [0]


def test_the_help_tells_every_ask() -> None:
    assert [ask.name for ask in ASK_HELP] == list(ASKS)
    shown = CliRunner().invoke(cli, ["judge", "--help"]).output
    words = " ".join(shown.split())
    for name, takes, example in ASK_HELP:
        ask = ASKS[name]
        told = re.findall(r"\w+", takes)
        assert {*ask.takes, *ask.may_take} <= set(told), name
        assert " ".join(example.split()) in words
    assert max(map(len, shown.splitlines())) <= 80


@pytest.mark.parametrize("ask", ASK_HELP, ids=lambda ask: ask.name)
def test_the_examples_of_the_help_have_answers(ask: AskHelp) -> None:
    (told,) = judge(ask.example, 0)
    assert "error" not in told


def test_an_unknown_ask_is_told_all_there_are() -> None:
    (told,) = judge('{"ask": "folow"}', 1)
    assert 'unknown ask "folow" (did you mean "follow"?)' in told["error"]
    for name, ask in ASKS.items():
        assert f"{name} ({', '.join(ask.takes)})" in told["error"]
    assert "judge --help" in told["error"]


def test_missing_file() -> None:
    result = CliRunner().invoke(cli, ["judge", "no-such-file"])
    assert result.exit_code == 2


LEAD = {"ask": "components", "level": 5, "trump": "S", "cards": ["H4", "H4", "H6"]}
FOLLOW = {
    "ask": "follow",
    "level": 5,
    "trump": "S",
    "hand": ["H2", "H3", "H3", "C2"],
    "lead": ["HK", "HK"],
    "play": ["H3", "H3"],
}
THROW = {
    "ask": "throw",
    "level": 5,
    "trump": "S",
    "lead": ["HA", "HK"],
    "others": [["HA"], ["H2"], []],
}
WINNER = {
    "ask": "winner",
    "level": 5,
    "trump": "S",
    "plays": [["HT"], ["HK"], ["S2"], ["H2"]],
}
MULTIPLIER = {
    "ask": "multiplier",
    "level": 5,
    "trump": "S",
    "lead": ["HA"],
    "winning": ["HA"],
}
RESULT = {"ask": "result", "total": 80, "levels": [2, 3, 2, 3], "declarer": 0}
BID = {"seat": 0, "kind": "bid", "cards": ["H5"], "after": 20}
CALLS = {
    "ask": "calls",
    "level": 5,
    "rules": "competition",
    "hand": ["S5", "S5", "C5"],
    "seat": 1,
    "declarer": None,
    "stage": "draw",
    "history": [BID],
}


def test_the_examples_have_answers() -> None:
    assert answer(FOLLOW) == {"legal": True}
    assert answer(THROW) == {"stands": False, "forced": ["HK"]}
    assert answer(WINNER) == {"winner": 2, "points": 20}
    assert answer(MULTIPLIER) == {"multiplier": 2}
    assert answer(RESULT) == {
        "result": {"side": "attackers", "levels": 0, "takes_over": True},
        "levels_after": [2, 3, 2, 3],
        "next_declarer": 1,
    }
    assert answer(CALLS) == {"legal": [["S5", "S5"]]}


def test_the_first_question_asked_of_every_kind_is_known() -> None:
    assert set(ASKS) >= {
        question["ask"] for question in (LEAD, FOLLOW, THROW, WINNER, MULTIPLIER)
    } | {"result", "calls"}


def test_one_component_is_no_throw() -> None:
    one = {**THROW, "lead": ["HQ", "HQ"], "others": [["HK", "HK"], [], []]}
    assert answer(one) == {"stands": True}


@pytest.mark.parametrize(
    ("changes", "word"),
    [
        ({"play": ["H2", "H3"]}, "owes 1 pair of the suit led, the play pays no pair"),
        ({"play": ["H3"]}, "2 cards were led and 1 are played"),
        ({"play": ["H3", "C2"]}, "before the suit led has run out"),
    ],
)
def test_why_a_follow_is_illegal(changes: dict, word: str) -> None:
    told = answer({**FOLLOW, **changes})
    assert told["legal"] is False
    assert word in told["why"]


def test_why_names_tractors() -> None:
    question = {
        **FOLLOW,
        "hand": ["H2", "H2", "H3", "H3", "H8", "H8", "H9"],
        "lead": ["HQ", "HQ", "HK", "HK", "HA", "HA"],
        "play": ["H2", "H2", "H8", "H8", "H9", "H3"],
    }
    owed = "a tractor of 2 pairs and 1 pair"
    assert (
        f"owes {owed} of the suit led, the play pays 2 pairs"
        in (answer(question)["why"])
    )


@pytest.mark.parametrize(
    ("question", "changes", "word"),
    [
        (LEAD, {"ask": "component"}, 'did you mean "components"'),
        (LEAD, {"ask": None}, "unknown ask"),
        (LEAD, {"card": []}, "unknown key 'card'"),
        (LEAD, {"cards": []}, "cards holds no card"),
        (LEAD, {"cards": "H4"}, "must be a list of cards"),
        (LEAD, {"cards": [5]}, "unknown card 5"),
        (LEAD, {"cards": ["H4", "H4", "H4"]}, "3 H4 with 2 decks"),
        (LEAD, {"level": 1}, "level = 1"),
        (LEAD, {"level": True}, "level = true"),
        (LEAD, {"level": "5"}, 'level = "5"'),
        (LEAD, {"level": 15}, "the joker level"),
        (LEAD, {"trump": "X"}, 'trump = "X"'),
        (LEAD, {"decks": 5}, "decks = 5"),
        (LEAD, {"decks": 0}, "decks = 0"),
        (LEAD, {"rules": "tractor"}, "unknown variant"),
        (LEAD, {"rules": {"base": "bianfeng", "throw_folow": 1}}, "throw_folow"),
        (
            LEAD,
            {
                "level": 15,
                "rules": {"base": "bianfeng", "match": {"after_ace": "jokers"}},
            },
            'where it is always "NT"',
        ),
        (FOLLOW, {"play": ["H4", "H4"]}, "not in the hand: H4, H4"),
        (FOLLOW, {"lead": ["HK", "C2"]}, "several suits"),
        (FOLLOW, {"lead": []}, "lead holds no card"),
        (FOLLOW, {"hand": ["HK", "H3", "H3"]}, "3 HK with 2 decks"),
        (FOLLOW, {"hand": ["H3"], "play": ["H3"]}, "a hand of 1"),
        (THROW, {"others": [[], []]}, "3 lists"),
        (THROW, {"others": [["HA", "HA"], [], []]}, "3 HA with 2 decks"),
        (THROW, {"lead": ["HA", "CA"]}, "several suits"),
        (WINNER, {"plays": [["HT"], ["HK"], ["S2"]]}, "4 lists"),
        (WINNER, {"plays": [["HT"], ["HK"], ["S2"], []]}, "holds no card"),
        (WINNER, {"plays": [["HT"], ["HK"], ["S2"], ["H2", "H2"]]}, "as many"),
        (MULTIPLIER, {"winning": ["HA", "HA"]}, "1 cards led and 2 winning"),
        (RESULT, {"total": 82}, "multiple of 5"),
        (RESULT, {"total": 80.0}, "total = 80.0"),
        (RESULT, {"declarer": 4}, "declarer = 4"),
        (RESULT, {"levels": [2, 2, 2]}, "four levels"),
        (RESULT, {"levels": [2, 3, 4, 3]}, "partners have the same level"),
        (RESULT, {"levels": [16, 3, 16, 3]}, "the joker level"),
        (RESULT, {"friend": 2}, 'partners = "called"'),
        (RESULT, {"target": 60}, 'bid.when = "auction"'),
        (CALLS, {"stage": "bury"}, 'stage = "bury"'),
        (CALLS, {"seat": -1}, "seat = -1"),
        (CALLS, {"declarer_side_could_bid": 1}, "declarer_side_could_bid"),
        (CALLS, {"history": {}}, "must be a list of calls"),
        (CALLS, {"history": [{**BID, "kind": "shout"}]}, "history[0].kind"),
        (CALLS, {"history": [{**BID, "kind": "overcall"}]}, "is a call of bid"),
        (CALLS, {"history": [{**BID, "seat": True}]}, "history[0].seat"),
        (CALLS, {"history": [{**BID, "after": 101}]}, "history[0].after"),
        (CALLS, {"history": [{**BID, "cards": ["H6"]}]}, "shows H6"),
        (CALLS, {"history": [{**BID, "cards": ["H5", "C5"]}]}, "shows H5, C5"),
        (CALLS, {"history": [{**BID, "cards": ["BJ", "BJ"]}]}, "may not bid BJ BJ"),
        (CALLS, {"history": [{**BID, "seat": 1}]}, "H5 is missing"),
        (
            CALLS,
            {"history": [{**BID, "cards": ["S5", "S5"], "seat": 0}]},
            "4 S5 with 2 decks",
        ),
        (
            CALLS,
            {"history": [BID, {**BID, "seat": 2, "kind": "overcall"}]},
            "may not call H5",
        ),
    ],
    ids=lambda value: json.dumps(value)[:50] if isinstance(value, dict) else None,
)
def test_impossible(question: dict, changes: dict, word: str) -> None:
    told = answer({**question, **changes, "id": 7})
    assert list(told) == ["id", "error"]
    assert word in told["error"]


# Thirty trumps.
LONG = [f"S{rank}" for rank in "23456789TJQKA"] * 2 + ["LJ", "LJ", "BJ", "BJ"]


@pytest.mark.parametrize("many", [26, 27, 30])
@pytest.mark.parametrize(
    ("question", "key"),
    [
        ({**THROW, "others": [[], [], []]}, "lead"),
        ({**THROW, "others": [[], [], []]}, "others[1]"),
        (WINNER, "plays[0]"),
        (MULTIPLIER, "lead"),
    ],
    ids=str,
)
def test_no_play_is_longer_than_a_hand(question: dict, key: str, many: int) -> None:
    """Longer ones would not even be read aright: runs are counted in nibbles."""

    def asked(cards: list[str]) -> dict:
        if key == "others[1]":
            return {**question, "others": [[], cards, []]}
        if question is WINNER:
            others = [f"{suit}{rank}" for rank in "346789TJQK" for suit in "HCD"] * 2
            others += ["H2", "C2", "D2", "HA", "CA", "DA"] * 2 + ["H5", "C5", "D5"] * 2
            size = len(cards)
            rest = [others[size * turn : size * (turn + 1)] for turn in range(3)]
            return {**question, "plays": [cards, *rest]}
        if question is MULTIPLIER:
            return {**question, "lead": cards, "winning": cards}
        return {**question, "lead": cards}

    if question is not WINNER or many == 26:  # no pack has four longer ones
        told = answer(asked(LONG[:many]))["error"]
        assert told.startswith(f"{key} holds {many} cards: a seat has at most 25")
    assert "error" not in answer(asked(LONG[:25]))


@pytest.mark.parametrize("level", range(2, 16))
def test_components_of_any_number_of_cards(level: int) -> None:
    """Up to all that there are of a suit: by the referee (seed: the level)."""
    draw = random.Random(level)
    for trump in ["NT"] if level == 15 else ["S", "D", "NT"]:
        layout = Layout(level, trump)
        for suit in "TSHCD":
            whole = [card for card in KINDS if layout.suit(card) == suit] * 2
            for size in range(len(whole), 0, -5):
                cards = draw.sample(whole, size)
                question = {**LEAD, "level": level, "trump": trump, "cards": cards}
                assert same(answer(question), by_referee(question)), question


def test_a_side_at_the_joker_level_under_any_rules() -> None:
    """`result` says what a record does of the deal that `--level joker` plays."""
    for variant in PRESETS:
        words = ["record", variant, "--level", "joker", "--policy", "random", "-n", "9"]
        for line in CliRunner().invoke(cli, words).output.splitlines():
            record = json.loads(line)
            given = {key: record[key] for key in ("total", "levels", "declarer")}
            if record["called_card"] is not None:
                given["friend"] = record["friend"]
            if record["rules"]["bid"]["when"] == "auction":
                targets = [it["target"] for it in record["calls"] if "target" in it]
                given["target"] = targets[-1] if targets else 80
            told = answer({"ask": "result", "rules": variant, **given})
            for key, value in told.items():
                assert record[key] == value
    won = {**RESULT, "total": 40, "levels": [15, 3, 15, 3]}
    for after_ace, level in (("loop", 2), ("jokers", 2), ("end", 15)):
        rules = {"base": "bianfeng", "match": {"after_ace": after_ace}}
        told = answer({**won, "rules": rules})
        assert told["result"]["levels"] == 1
        assert told["levels_after"] == [level, 3, level, 3]


@pytest.mark.parametrize("indent", [None, 1])
def test_a_key_given_twice(indent: int | None) -> None:
    """On a line or spread over lines, at any depth."""
    text = json.dumps({**RESULT, "rules": {"base": "bianfeng"}}, indent=indent)
    for key in ('"total"', '"base"'):
        twice = text.replace(key, f"{key}: 80, {key}")
        (told,) = judge(twice, 1)
        assert told["error"] == f"line 1: key {key[1:-1]!r} stands there twice"
        if indent is None:
            told = judge("\n".join(["", text, twice, text]), 1)
            assert ["error" in each for each in told] == [False, True, False]
            assert told[1]["error"].startswith("line 3: ")


@pytest.mark.parametrize("depth", [101, 500, 990, 100_000])
def test_deep_nesting_is_an_error(depth: int) -> None:
    deep = "[" * depth + "]" * depth
    for key in ("id", "total", "rules"):
        text = json.dumps({**RESULT, key: "here"}).replace('"here"', deep)
        told = judge(f"{json.dumps(RESULT)}\n{text}\n", 1)
        assert told[1] == {"error": "line 2: not JSON: nested too deep"}


@pytest.mark.parametrize(
    "question", [LEAD, FOLLOW, THROW, WINNER, MULTIPLIER, RESULT, CALLS]
)
def test_every_key_is_missed(question: dict) -> None:
    for key in question:
        if key == "rules":
            continue
        left = {name: value for name, value in question.items() if name != key}
        assert answer(left)["error"] == f"missing key {key!r}"
