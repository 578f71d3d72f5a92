"""`shengji levels`, `compare` and `bottom`, as a user meets them."""

import json

import pytest
from click.testing import CliRunner
from make_run import make_run

from analysis import load
from cli import cli
from sim import progress


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("commands")
    make_run(folder / "a", 1000)
    make_run(folder / "more", 500, start=1000)
    make_run(folder / "other", 20, seed=2)
    (folder / "afile").write_text("dear")
    return folder


def shengji(*words, status=0):
    result = CliRunner().invoke(cli, [str(word) for word in words])
    assert result.exit_code == status, result.output
    return result


def test_levels(runs):
    text = shengji("levels", runs / "a").stdout
    assert "take-over rate" in text
    assert "1,000 deals" in text
    assert "1,500 deals" in shengji("levels", runs / "a", runs / "more").stdout
    assert "joker" not in shengji("levels", runs / "a", "--by", "level").stdout


def test_compare(runs):
    words = ("compare", runs / "a", "--tables", "menghuan, bianfeng")
    assert "minus menghuan" in shengji(*words).stdout
    cross = (*words, "--multipliers", "linear,power/winner", "--cross")
    assert "bianfeng + power/winner" in shengji(*cross).stdout
    single = shengji("compare", runs / "a", "--multipliers", "power").stdout
    assert "minus linear/trick" in single


def test_bottom(runs):
    text = shengji("bottom", runs / "a", "--by", "jokers").stdout
    assert "Declarer's jokers at the first lead: 0" in text


@pytest.mark.parametrize(
    "words",
    [("levels",), ("compare", "--tables", "bianfeng"), ("bottom", "--by", "trumps")],
)
def test_json_and_plots(runs, tmp_path, words):
    command, *options = words
    path = tmp_path / "it.svg"
    told = shengji(command, runs / "a", *options, "--json", "--plot", path)
    rows = json.loads(told.stdout)  # nothing else is on standard output
    assert set(rows[0]) == {"name", "by", "value", "low", "high", "n"}
    assert path.exists()
    assert told.stderr == f"Drawn: {path}\n"


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("levels", "nowhere"), "there is no folder"),
        (("levels", "a", "a"), "a is named twice"),
        (("levels", "a", "./a"), "a is named twice"),
        (("levels", "afile"), "afile is a file, not a run's folder"),
        (("levels", "afile/x"), "there is no folder afile/x"),
        (("levels", "a", "--plot", "afile/x.png"), "there is no folder afile"),
        (("run", "-n", 1, "-o", "afile/x"), "afile/x: Not a directory"),
        (("levels", "a", "other"), "different tasks"),
        (("levels", "a", "--by", "luck"), "cannot split by 'luck'"),
        (("levels", "a", "--plot", "x.gif"), "a plot's name ends in .png"),
        (("levels",), "Missing argument"),
        (("compare", "a"), "say what to compare"),
        (("compare", "a", "--tables", "nope"), "unknown level table 'nope'"),
        (("compare", "a", "--multipliers", "x"), "unknown multiplier 'x'"),
        (("compare", "a", "--tables", "bianfeng", "--cross"), "--cross needs both"),
        (
            ("compare", "a", "--tables", "bianfeng", "--multipliers", "flat"),
            "or both and --cross",
        ),
        (("bottom", "a", "--by", "level"), "is not one of"),
    ],
)
def test_bad_input_is_one_sentence(runs, monkeypatch, words, told):
    monkeypatch.chdir(runs)
    result = shengji(*words, status=2)
    assert told in result.stderr
    assert not result.stdout


@pytest.mark.parametrize(
    "words", [("levels",), ("compare", "--tables", "bianfeng"), ("bottom",)]
)
def test_long_counting_is_told_on_standard_error(runs, monkeypatch, words):
    command, *options = words
    quick = shengji(command, runs / "a", *options)
    assert not quick.stderr
    monkeypatch.setattr(progress, "LOG_SECONDS", 0)  # as if every part took long
    slow = shengji(command, runs / "a", *options)
    assert slow.stderr.startswith("500 of 1,000 deals (50%), ")
    assert slow.stdout == quick.stdout


def test_interrupted_counting_ends_without_a_word(runs, monkeypatch):
    def interrupted(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(load, "count_part", interrupted)
    result = shengji("levels", runs / "a", status=130)
    assert not result.output.strip()


def test_bad_plot_names_are_refused_before_any_work(runs, tmp_path):
    told = shengji("levels", "nowhere", "--plot", tmp_path / "x.gif", status=2)
    assert "a plot's name" in told.stderr
