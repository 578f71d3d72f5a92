"""README's commands exist and its examples run, on a small run in place of its own."""

import re
from pathlib import Path

import duckdb
import pytest
from click.testing import CliRunner

from cli import cli

README = (Path(__file__).resolve().parent.parent / "README.md").read_text("utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", README, re.S)


@pytest.fixture(scope="module")
def run(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("readme") / "first"
    words = ["run", "menghuan", "-n", "300", "--level", "all", "-o", str(folder)]
    assert CliRunner().invoke(cli, words).exit_code == 0
    return folder


def test_every_command_is_told_and_there():
    told = set(re.findall(r"shengji (\w+)", README))
    assert set(cli.list_commands(None)) == told


@pytest.mark.parametrize("code", blocks("python"))
def test_python(code, run, capsys):
    exec(compile(code.replace("results/first", str(run)), "README.md", "exec"), {})
    assert "level_distribution" in code or "mean" in capsys.readouterr().out


@pytest.mark.parametrize("query", blocks("sql"))
def test_sql(query, run):
    rows = duckdb.sql(query.replace("results/first", str(run))).fetchall()
    assert sum(row[-1] for row in rows) == 300


def test_a_variant_of_ones_own(tmp_path):
    (toml,) = blocks("toml")
    path = tmp_path / "mine.toml"
    path.write_text(toml, "utf-8")
    assert CliRunner().invoke(cli, ["variants", str(path)]).exit_code == 0
