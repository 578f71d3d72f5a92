"""`shengji record` and `shengji verify`: what they print, where, how they end."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from cli import cli
from sim.commands import MOST_DEALS

QUICK = ("--policy", "random")


def call(*words: object, **how):
    return CliRunner().invoke(cli, [str(word) for word in words], **how)


def recorded(*words: object) -> list[str]:
    result = call("record", *QUICK, *words)
    assert result.exit_code == 0, result.output
    return result.stdout.splitlines()


def refused(result, *parts: str) -> None:
    assert result.exit_code == 2, result.output
    assert result.stdout == ""
    for part in parts:
        assert part in result.stderr


def test_record_prints_a_line_a_deal():
    lines = recorded("-n", 20, "--level", "all", "--seed", 7)
    assert [json.loads(line)["index"] for line in lines] == list(range(20))
    assert [json.loads(line)["level"] for line in lines[:14]] == [*range(2, 15), 2]
    assert recorded("--level", "all", "--seed", 7, "--index", 13) == [lines[13]]
    assert len(recorded()) == 100
    (last,) = recorded("--index", MOST_DEALS - 1)
    assert json.loads(last)["index"] == MOST_DEALS - 1


def test_record_to_a_file(tmp_path):
    path = tmp_path / "deals.jsonl"
    assert recorded("bianfeng", "-n", 5, "-o", path, "--first-deal") == []
    assert path.read_text("utf-8").splitlines() == recorded(
        "bianfeng", "-n", 5, "--first-deal"
    )
    assert list(tmp_path.iterdir()) == [path]
    refused(call("record", *QUICK, "-o", tmp_path / "no" / "x"), "cannot be written")
    refused(call("record", *QUICK, "-o", tmp_path), "directory")


@pytest.mark.parametrize(
    ("words", "parts"),
    [
        (("-n", "0"), ("'-n'",)),
        (("-n", "5", "--index", "3"), ("-n or --index",)),
        (("--index", "-1"), ("'--index'",)),
        (("--index", MOST_DEALS), ("'--index'", "from 0 to 999,999,999,998")),
        (("-n", MOST_DEALS + 1), ("'-n'", "from 1 to 999,999,999,999")),
        (("-n", 10**30), ("'-n'", "from 1 to 999,999,999,999")),
        (("mengham",), ("'mengham'", 'did you mean "menghuan"?')),
        (("--policy", "textbok"), ("'textbok'",)),
        (("--level", "1"), ("unknown level '1'",)),
        (("--level", "joker", "--first-deal"), ("joker level",)),
        (("--decks", "3"), ("menghuan is played with 2 decks, not 3",)),
    ],
    ids=str,
)
def test_bad_words(words, parts, tmp_path):
    refused(call("record", *QUICK, *words), *parts)


def test_verify_says_how_many_are_right(tmp_path):
    path = tmp_path / "deals.jsonl"
    recorded("-n", 30, "--level", "all", "-o", path)
    for words in ((path,), (path, "--replay")):
        result = call("verify", *words)
        assert (result.exit_code, result.stdout) == (0, "30 deals verified\n")
    one = path.read_text("utf-8").splitlines()[4]
    result = call("verify", "-", "--replay", input=one)
    assert (result.exit_code, result.stdout) == (0, "1 deal verified\n")


def test_verify_names_what_is_wrong():
    lines = [json.loads(line) for line in recorded("-n", 6)]
    lines[2]["tricks"][4]["points"] += 5
    lines[4]["total"] += 5
    del lines[5]["trump"]
    text = "".join(json.dumps(line) + "\n" for line in lines)
    result = call("verify", "-", input=text + "{\n")
    assert result.exit_code == 1
    told = result.stdout.splitlines()
    assert told[0].startswith("line 3: deal 2: trick 5: points is ")
    assert told[1].startswith("line 5: deal 4: total is ")
    assert told[2] == "line 6: deal 5: missing key 'trump'"
    assert told[3].startswith("line 7: not a JSON object")
    assert len(told) == 4
    assert "4 of 7 deals are wrong" in result.stderr
    spaced = call("verify", "-", input="\n" + text.replace("\n", "\n\n"))
    where = [line.partition(":")[0] for line in spaced.stdout.splitlines()]
    assert where == ["line 6", "line 10", "line 12"]
    assert "3 of 6 deals are wrong" in spaced.stderr


def replayed(record: dict) -> str:
    """What --replay says of a record that the rules allow."""
    text = json.dumps(record)
    assert call("verify", "-", input=text).exit_code == 0
    result = call("verify", "-", "--replay", input=text)
    assert result.exit_code == 1
    return result.stdout.strip()


def test_replay_names_the_first_key_that_differs():
    record = json.loads(recorded("--index", 9, "--seed", 3)[0])
    where = "line 1: deal 9: "
    assert replayed({**record, "seed": 4}) == (
        f"{where}drawn differs from the deal played again"
    )
    assert replayed({**record, "index": 8}).startswith("line 1: deal 8: drawn differs")
    assert replayed({**record, "variant": "custom"}).startswith(f"{where}variant")
    assert "stream_version is 9" in replayed({**record, "stream_version": 9})
    assert "unknown policy 'me'" in replayed({**record, "policies": ["me"] * 4})
    assert "index" in replayed({**record, "index": 2**63})
    spelt = {**record["rules"], "match": {**record["rules"]["match"]}}
    spelt["match"]["stop_levels"] = None
    result = call(
        "verify", "-", "--replay", input=json.dumps(record | {"rules": spelt})
    )
    assert (result.exit_code, result.stdout) == (0, "1 deal verified\n")
    of_match = {**record, "index": None, "match": 3, "deal": 1}
    assert "levels differs from the deal played again" in replayed(of_match)
    # The attackers stand one level higher, before the deal and so after it.
    levels, after = (
        [level + seat % 2 for seat, level in enumerate(record[key])]
        for key in ("levels", "levels_after")
    )
    moved = {**record, "levels": levels, "levels_after": after}
    assert "all at one level" in replayed(moved)


def test_nothing_to_verify(tmp_path):
    for text in ("", "\n", " \n\n"):
        refused(call("verify", "-", input=text), "there are no deal records")
    refused(call("verify", tmp_path / "nowhere"), "nowhere")


def test_a_rule_of_ones_own(tmp_path: Path):
    """A variant's file leaves its name, and all its options, in the record."""
    path = tmp_path / "mine.toml"
    path.write_text(
        'base = "competition"\n[overcall]\nself = "always"\n'
        '[failed_throw]\npoints = 10\n[bottom]\nscheme = "by_cards"\n'
    )
    lines = recorded(path, "-n", 200, "--level", "all")
    record = json.loads(lines[0])
    assert record["variant"] == "custom"
    assert record["rules"]["failed_throw"] == {"coins": 0, "points": 10}
    assert any(json.loads(line)["penalty_points"] for line in lines)
    result = call("verify", "-", "--replay", input="\n".join(lines) + "\n")
    assert (result.exit_code, result.stdout) == (0, "200 deals verified\n")
