"""What a command quotes of its input is told in one line that can be shown."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from cli import cli
from sim.plain import cut, one_line, quoted


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("升级 is fine", "升级 is fine"),
        ("a\nb\x1b[31m\u202e\udcff", "a\\nb\\x1b[31m\\u202e\\udcff"),
        ("a " + "b" * 400 + " c", "a " + "b" * 57 + "... c"),
        ("a " + "b" * 399 + " c", "a " + "b" * 399 + " c"),
    ],
)
def test_one_line(text, line):
    assert one_line(text) == line


def test_quoted():
    assert cut("x" * 60) == "x" * 60
    assert cut("x" * 61) == "x" * 57 + "..."
    assert quoted("it's") == '"it\'s"'
    assert quoted(16**5_000) == "a number of thousands of digits"
    assert quoted([16**5_000]) == "a number of thousands of digits"


@pytest.mark.parametrize(
    "arguments",
    [
        ("variants", "a\nb"),
        ("variants", "a\nb.toml"),
        ("variants", "x" * 5_000),
        ("policies", "\x1b[31m"),
        ("run", "--level", "\u202e" * 2_000),
        ("run", "-n", "x" * 5_000),
        ("run", "--policy", "x," * 500 + "x"),
        ("levels", "a\nb"),
        ("bottom", "missing", "--by", "x" * 5_000),
        ("verify", "a\nb"),
        ("x\ny",),
        ("--x\ny",),
    ],
)
def test_refusal_is_one_line(arguments):
    result = CliRunner().invoke(cli, list(arguments))
    assert result.exit_code == 2
    *_, last = lines = result.stderr.rstrip("\n").split("\n")
    assert [line for line in lines if line.startswith("Error: ")] == [last]
    assert last.isprintable()
    assert len(last) < 1_000


def test_verified_line_is_one_line():
    """A record quotes what it likes."""
    result = CliRunner().invoke(cli, ["verify", "-"], input='{"a\\nb\\u001b": 1}')
    assert (result.exit_code, result.stdout) == (
        1,
        "line 1: unknown key 'a\\nb\\x1b'\n",
    )
    long = json.dumps({"format": "x" * 5_000})
    result = CliRunner().invoke(cli, ["verify", "-"], input=long)
    assert result.exit_code == 1
    assert len(result.stdout) < 300


GOLDEN = Path(__file__).parent / "golden" / "menghuan-textbook-later.jsonl"


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda it: it["tricks"][0]["plays"][0].append([7] * 5_000), "unknown card [7"),
        (lambda it: it.update({"x y " * 2_000: 1}), "unknown key 'x y"),
        (lambda it: it.update(attackers=[1, 3] * 3_000), "attackers is [1, 3, 1"),
        (lambda it: it.update(laps=[10**900] * 4), "laps is [1000"),
        (lambda it: it["buries"][0].update(took=["SA"] * 5_000), "SA and 4940 more"),
        (lambda it: it["rules"]["level_table"].extend([[0, "x", 1]] * 5_000), 'is "x'),
        (
            lambda it: it["rules"].update(
                level_table=[[0, "declarers", 1]] * 5_000 + [[0, "attackers", 1]]
            ),
            "lower bounds [0, 0",
        ),
        (lambda it: it["calls"].extend(["x y"] * 5_000), 'is "x y", allowed is'),
    ],
)
def test_verified_line_is_no_longer_than_a_sentence(change, words):
    record = json.loads(GOLDEN.read_text("utf-8").splitlines()[0])
    change(record)
    result = CliRunner().invoke(cli, ["verify", "-"], input=json.dumps(record))
    assert result.exit_code == 1
    assert words in result.stdout
    assert len(result.stdout) < 800


def test_byte_order_mark_before_questions_and_records():
    """Some editors put one in front; it says nothing."""
    question = '{"ask": "components", "level": 5, "trump": "S", "cards": ["H4"]}'
    result = CliRunner().invoke(cli, ["judge", "-"], input=f"\ufeff{question}\n")
    assert result.exit_code == 0
    assert json.loads(result.stdout)["suit"] == "H"
    result = CliRunner().invoke(cli, ["verify", "-"], input="\ufeff{}\n")
    assert result.stdout == "line 1: missing key 'format'\n"
