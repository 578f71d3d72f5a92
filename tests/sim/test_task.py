"""A task's identity: what changes the deals changes it, what does not, does not."""

import json
from dataclasses import replace

import pytest

from sim.rules import RulesError
from sim.task import (
    LEVEL_WORDS,
    Task,
    TaskError,
    default_folder,
    level_word,
    make_task,
    parse_level,
)

BASE = {"variant": "menghuan", "level": "2", "policy": "random", "seed": 1}


def test_the_identity_stays():
    """Saved runs are found by it: if this changes, no older run can be extended.

    It must change with the rules of `menghuan`, STREAM_VERSION and SCHEMA_VERSION, and
    with nothing else.
    """
    identity = make_task(**BASE).identity()
    rules = identity.pop("rules")
    assert rules["decks"] == 2
    assert identity == {
        "level": 2,
        "mode": "later",
        "policies": ["random"] * 4,
        "policy_parameters": [{}] * 4,
        "seed": 1,
        "stream_version": 1,
        "schema_version": 2,
    }


@pytest.mark.parametrize(
    "change",
    [
        {"variant": "bianfeng"},
        {"level": "3"},
        {"level": "all"},
        {"level": "joker"},
        {"policy": "textbook"},
        {"policy": "textbook,random"},
        {"policy": "random,textbook"},
        {"seed": 2},
        {"seed": 2**64 - 1},
        {"first_deal": True},
    ],
    ids=str,
)
def test_what_decides_the_deals_changes_the_id(change):
    assert make_task(**BASE).id() != make_task(**{**BASE, **change}).id()


def test_a_file_that_changes_nothing_is_the_same_task(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text('base = "menghuan"\n')
    assert make_task(**{**BASE, "variant": str(path)}).id() == make_task(**BASE).id()


def test_a_file_that_changes_a_rule_is_another_task(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text('base = "menghuan"\nthrow_follow = "shape"\n')
    task = make_task(**{**BASE, "variant": str(path)})
    assert task.id() != make_task(**BASE).id()
    assert task.to_dict()["variant"] == "custom"


def test_a_changed_parameter_is_another_task():
    task = make_task(**BASE)
    settings = [
        tuple(setting._replace(values={"boldness": value}) for setting in task.policies)
        for value in (1, 2)
    ]
    one, two = (replace(task, policies=policies) for policies in settings)
    assert one.id() != two.id()


@pytest.mark.parametrize(
    "words", [BASE, {**BASE, "level": "all", "first_deal": True, "policy": "textbook"}]
)
def test_there_and_back_through_json(words):
    task = make_task(**words)
    again = Task.from_dict(json.loads(json.dumps(task.to_dict())))
    assert again == task
    assert again.id() == task.id()


@pytest.mark.parametrize("name", ["stream_version", "schema_version"])
def test_a_task_of_another_version(name):
    document = {**make_task(**BASE).to_dict(), name: 99}
    with pytest.raises(TaskError, match=f"{name} 99 is another version"):
        Task.from_dict(document)


@pytest.mark.parametrize(("word", "level"), LEVEL_WORDS.items())
def test_levels(word, level):
    assert parse_level(word) == parse_level(f" {word.lower()}") == level
    assert level_word(level) == word


@pytest.mark.parametrize("word", ["1", "0", "15", "16", "-2", "B", "", "2.0", "jokers"])
def test_unknown_levels(word):
    with pytest.raises(TaskError, match=r"allowed: 2..10, J, Q, K, A, joker, all"):
        parse_level(word)


def test_levels_for_the_kernel():
    codes = [make_task(**{**BASE, "level": word}).level_code for word in LEVEL_WORDS]
    assert codes == [*range(2, 16), 0]


def test_a_first_deal_at_the_joker_level():
    with pytest.raises(TaskError, match="first deal cannot be at the joker level"):
        make_task(**{**BASE, "level": "joker"}, first_deal=True)


def test_decks():
    assert make_task(**BASE, decks=2) == make_task(**BASE)
    assert make_task("bianfeng", decks=4).rules.decks == 4
    with pytest.raises(RulesError, match="pick-trump is played with 2 or 3 decks, not"):
        make_task("pick-trump", decks=4)


@pytest.mark.parametrize("seed", [-1, 2**64])
def test_seeds_out_of_range(seed):
    with pytest.raises(TaskError, match=f"seed {seed} is not allowed"):
        make_task(**{**BASE, "seed": seed})


@pytest.mark.parametrize(
    ("words", "folder"),
    [
        (BASE, "menghuan-2-random-seed1"),
        (
            {**BASE, "level": "all", "policy": "textbook, random", "first_deal": True},
            "menghuan-all-first-textbook+random-seed1",
        ),
    ],
)
def test_default_folder(words, folder):
    task = make_task(**words)
    assert default_folder(task, words["variant"], words["policy"]) == folder


def test_default_folder_of_files():
    task = make_task(**BASE)
    assert default_folder(task, "my rules/a b.toml", "../x.toml") == "a_b-2-x-seed1"
