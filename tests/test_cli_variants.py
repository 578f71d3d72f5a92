"""`shengji variants` and `shengji policies`, as a user meets them."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from cli import cli
from sim.options import OPTIONS
from sim.policies.catalog import POLICIES
from sim.rules import PRESETS, load_rules

ROOT = Path(__file__).parent.parent


def shengji(*words: str | Path, status: int = 0) -> str:
    result = CliRunner().invoke(cli, [str(word) for word in words])
    assert result.exit_code == status, result.output
    return result.output


def test_variants_tells_every_variant_and_option() -> None:
    text = shengji("variants")
    for name in PRESETS:
        assert f"  {name} " in text
    for option in OPTIONS:
        assert f"  {option.name}  {option.meaning}" in text
        for value, told in option.values.items():
            assert value in text
            assert told in text
    assert text.count("LJ and BJ: the little and the big joker") == 1
    assert "a run of triples is\na titanic, a run of quads a quad_run" in text


def test_variant_by_name() -> None:
    text = shengji("variants", "menghuan")
    assert "梦幻拖拉机" in text
    for option in OPTIONS:
        assert option.name in text
    assert "80-115   attackers +0, and take over" in text
    assert re.search(r"match.stop_levels +\[\] .*: no such level", text)
    assert "LJ and BJ: the little and the big joker" in text


def test_own_variant(tmp_path: Path) -> None:
    path = tmp_path / "house.toml"
    path.write_text(
        'base = "bianfeng"\nlevel_step = 20\nmatch.stop_levels = [5, 10]\n', "utf-8"
    )
    text = shengji("variants", path)
    assert text.startswith(
        "custom: bianfeng with level_step 20 and match.stop_levels [5, 10]\n"
    )
    assert re.search(r"match.stop_levels +\[5, 10\]", text)
    assert "one more for each further 20" in text


def test_variants_json() -> None:
    told = json.loads(shengji("variants", "--json"))
    assert [variant["name"] for variant in told["variants"]] == list(PRESETS)
    assert len(told["options"]) == len(OPTIONS)
    one = json.loads(shengji("variants", "bianfeng", "--json"))
    assert one == {"variant": "bianfeng", "rules": load_rules("bianfeng").to_dict()}


def test_policies() -> None:
    text = shengji("policies")
    told = json.loads(shengji("policies", "--json"))
    for policy, entry in zip(POLICIES, told, strict=True):
        assert policy.name in text
        assert entry["name"] == policy.name
        one = shengji("policies", policy.name)
        values = json.loads(shengji("policies", policy.name, "--json"))["parameters"]
        assert len(values) == len(policy.parameters)
        for parameter in policy.parameters:
            assert parameter.name in one
            assert parameter.meaning in one


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["variants", "menghaun"], 'did you mean "menghuan"'),
        (["variants", "no.toml"], "no.toml: cannot be read"),
        (["policies", "texbook"], 'did you mean "textbook"'),
    ],
)
def test_bad_names_are_one_sentence(words: list[str], said: str) -> None:
    text = shengji(*words, status=2)
    assert said in text
    assert "Traceback" not in text


@pytest.mark.parametrize("command", ["variants", "policies", "judge"])
def test_help_is_light_and_shows_an_example(command: str) -> None:
    code = (
        "import sys, cli\n"
        "try:\n"
        f"    cli.cli([{command!r}, '--help'])\n"
        "except SystemExit:\n"
        "    pass\n"
        "print({'numba', 'pandas', 'pyarrow'} & set(sys.modules))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True
    )
    assert "Example" in done.stdout
    assert done.stdout.endswith("set()\n")
