"""What a command quotes of its input is told in one line that can be shown."""

import json

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


def test_byte_order_mark_before_questions_and_records():
    """Some editors put one in front; it says nothing."""
    question = '{"ask": "components", "level": 5, "trump": "S", "cards": ["H4"]}'
    result = CliRunner().invoke(cli, ["judge", "-"], input=f"\ufeff{question}\n")
    assert result.exit_code == 0
    assert json.loads(result.stdout)["suit"] == "H"
    result = CliRunner().invoke(cli, ["verify", "-"], input="\ufeff{}\n")
    assert result.stdout == "line 1: missing key 'format'\n"
