"""The kinds of input, how each is made, and what must hold of what comes out.

Every check runs in a folder of its own, which is the working folder then.
"""

import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from bench_files import bench_file, check_bench_file
from command_words import command_line
from inside import check_outcome, files_in, restore, shengji
from luck import Luck
from mutate import ODD_VALUES, json_text, mutate, mutate_bytes, toml_text
from questions import question_text, question_tree
from records import record_text, record_tree
from referee import ask as referee
from variants import (
    Written,
    nested,
    policy_file,
    right_options,
    right_policy,
    variant_file,
)

from sim.judge import answer
from sim.policies.catalog import load_policy
from sim.referee.reading import read_json
from sim.rules import Rules, load_rules, resolve_rules


def write(name: str, text: bytes) -> Path:
    """A new file: to write over an old one takes some disks much longer."""
    path = Path(name)
    path.unlink(missing_ok=True)
    path.write_bytes(text)
    return path


def check_variant(file: Written) -> None:
    """A right variant is told and is the same again; a wrong one names its key."""
    path = write("variant.toml", file.text)
    outcome = shengji("variants", str(path), "--json")
    check_outcome(outcome)
    if file.right:
        assert outcome.code == 0, outcome
    if file.wrong is not None:
        assert outcome.code == 2, outcome
        assert file.wrong in outcome.err, outcome
    if outcome.code == 0:
        rules = load_rules(path)
        assert Rules.from_dict(json.loads(json.dumps(rules.to_dict()))) == rules
        rules.codes()
        told = json.loads(outcome.out)
        assert told["decks"] == rules.decks if "decks" in told else told
        check_outcome(shengji("variants", str(path)), codes=(0,))


def check_compared(file: Written) -> None:
    """Saved deals are scored by a right variant's table or multipliers."""
    path = write("variant.toml", file.text)
    outcome = shengji("variants", str(path))
    check_outcome(outcome)
    fits = outcome.code == 0 and load_rules(path).decks == 2  # as the deals have
    for option in ("--tables", "--multipliers"):
        compared = shengji("compare", "run", option, str(path), "--json")
        check_outcome(compared, codes=(0 if fits else 2,))
        if compared.code == 0:
            for told in read_json(compared.out):
                assert told["low"] <= told["value"] <= told["high"], told


def check_policy(file: Written) -> None:
    path = write("policy.toml", file.text)
    outcome = shengji("policies", str(path), "--json")
    check_outcome(outcome)
    if file.right:
        assert outcome.code == 0, outcome
    if file.wrong is not None:
        assert outcome.code == 2, outcome
        assert file.wrong in outcome.err, outcome
    if outcome.code == 0:
        for parameter in (setting := load_policy(path)).policy.parameters:
            value = setting.values[parameter.name]
            assert parameter.low <= value <= parameter.high
        check_outcome(shengji("policies", str(path)), codes=(0,))


class Game(NamedTuple):
    """A variant that can be played, and how."""

    options: dict[str, Any]
    policy: str
    thresholds: bytes  # of policy.toml
    seed: int
    first_deal: bool
    level: str
    matches: bool


def game_of(luck: Luck, decks: tuple[int, ...] = (2,)) -> Game:
    options = {**right_options(luck, decks)}
    if resolve_rules(nested(options)).decks not in decks:
        options["decks"] = decks[0]
    return Game(
        options,
        luck.pick(("random", "textbook", "random,textbook", "policy.toml")),
        toml_text(right_policy(luck)).encode(),
        luck.below(2**16),
        luck.one_in(2),
        luck.pick(("all", "2", "A")),
        luck.one_in(12),
    )


def check_game(game: Game) -> None:
    """What is played by any rules keeps them: the referee replays every card."""
    write("game.toml", toml_text(nested(game.options)).encode())
    write("policy.toml", game.thresholds)
    how = ("--policy", game.policy, f"--seed={game.seed}", "-o", "game.jsonl")
    if game.matches:
        how = (*how, "--matches", "-n1")
    else:
        how = (*how, "--level", game.level, "-n3")
        how = (*how, "--first-deal") if game.first_deal else how
    outcome = shengji("record", "game.toml", *how)
    if outcome.code == 2 and never_won(game):
        return
    check_outcome(outcome, codes=(0,))
    outcome = shengji("verify", "game.jsonl", "--replay")
    check_outcome(outcome, codes=(0,))
    Path("game.jsonl").unlink()


def never_won(game: Game) -> bool:
    """Whether the sentence may be that a match or a deal does not come to its end."""
    return game.matches or game.first_deal


def check_answer(told: Any) -> None:
    """An answer is one JSON object: an error's sentence, or what was asked."""
    assert isinstance(told, dict), told
    text = json.dumps(told, allow_nan=False)
    if "error" in told:
        assert set(told) <= {"id", "error"}, told
        assert 10 < len(told["error"]) < 1_500, told
    assert len(text) < 1_000_000


def check_question(question: Any) -> None:
    """One question, asked without reading it from text."""
    if not_of_json(question):
        return
    told = answer(question)
    check_answer(told)
    if "error" not in told and question["ask"] != "choose":
        told.pop("id", None)
        assert referee.same(told, refereed(question)), told


def refereed(question: dict[str, Any]) -> dict[str, Any]:
    """The referee's answer, the rules as a record has them."""
    rules = resolve_rules(question.get("rules", "bianfeng"), question.get("decks"))
    function, *_ = referee.ANSWERS[question["ask"]]
    table = referee.Table(question, rules.decks)
    try:
        return function(question, rules.to_dict(), table)
    except ValueError as error:
        return {"error": str(error)}


def not_of_json(value: Any) -> bool:
    """Whether JSON has no such value: NaN and the infinities, and raw text."""
    if isinstance(value, dict):
        return any(map(not_of_json, value.values()))
    if isinstance(value, list):
        return any(map(not_of_json, value))
    if isinstance(value, float):
        return not math.isfinite(value)
    return type(value).__name__ == "Raw"


def check_questions(text: bytes) -> None:
    """Questions as text, by the command."""
    outcome = shengji("judge", "-", stdin=text)
    check_outcome(outcome, codes=(0, 1))
    answers = [read_json(line) for line in outcome.out.splitlines()]
    for told in answers:
        check_answer(told)
    assert outcome.code == any("error" in told for told in answers)


def check_record_text(text: bytes) -> None:
    check_verified(shengji("verify", "-", stdin=text))


def check_verified(outcome: Any) -> None:
    check_outcome(outcome, codes=(0, 1, 2))
    if outcome.code == 1:
        for line in outcome.out.splitlines():
            assert line.startswith("line "), outcome
            assert 20 < len(line) < 1_500, outcome
            assert line.isprintable(), outcome


def check_replayed(pair: tuple[Any, Any]) -> None:
    """Played again, only the very same record passes, however it is spelt."""
    record, changed = pair
    text = json_text(changed).encode("utf-8", "surrogatepass")
    outcome = shengji("verify", "--replay", "-", stdin=text)
    check_verified(outcome)
    if outcome.code == 0:
        assert same(record, json.loads(text)), text
    else:
        assert json.dumps(changed) != json.dumps(record), outcome


def same(record: Any, changed: Any) -> bool:
    """Whether two records say the same: `S10` is `ST`, and rules may be spelt."""
    # Another table or another policy may have come to the very same deal.
    passed = dict.fromkeys(("rules", "policies", "policy_parameters"))
    passed["declarer_before"] = None
    one, two = ({**each, **passed} for each in (record, changed))
    spelt = json.dumps(two).replace('10"', 'T"')
    return one == json.loads(spelt) and Rules.from_dict(
        record["rules"]
    ) == Rules.from_dict(changed["rules"])


def check_command(words: list[str]) -> None:
    """A refused command leaves the folder as it was, any other ends as it may."""
    place = Path()
    before = files_in(place)
    stdin = b'{"ask": "components"}\n'
    outcome = shengji(*words, stdin=stdin)
    if words:  # without any it tells its help, on stderr
        check_outcome(outcome, codes=(0, 1, 2))
    if outcome.code == 1:
        assert words[0] in ("verify", "judge", "check"), outcome
    after = files_in(place)
    restore(place, before)
    if outcome.code == 2:
        assert after == before, (outcome, after.keys() ^ before.keys())
    for name in after.keys() - before.keys():
        assert not name.endswith(".tmp"), name


def task_text(luck: Luck) -> bytes:
    """The task.json of a run, changed."""
    text = Path("run/task.json").read_bytes()
    if luck.one_in(4):
        return mutate_bytes(text, luck)
    return json_text(mutate(json.loads(text), luck, ODD_VALUES)).encode(
        "utf-8", "surrogatepass"
    )


def check_task(text: bytes) -> None:
    """A run whose task.json was changed is refused, or measured and gone on with."""
    path = Path("run/task.json")
    kept = path.read_bytes()
    path.write_bytes(text)
    try:
        before = files_in(Path("run"))
        outcome = shengji("levels", "run", "--json")
        check_outcome(outcome)
        assert files_in(Path("run")) == before
        outcome = shengji("run", "menghuan", "-n3", "-o", "run")
        check_outcome(outcome)
        if outcome.code == 2:
            assert files_in(Path("run")) == before, outcome
    finally:
        path.write_bytes(kept)


class Kind(NamedTuple):
    make: Callable[[Luck], Any]
    check: Callable[[Any], None]
    examples: int  # in an ordinary test run
    share: float  # of a great many


KINDS = {
    "question": Kind(question_tree, check_question, 300, 0.72),
    "questions": Kind(question_text, check_questions, 200, 0.09),
    "variant": Kind(variant_file, check_variant, 300, 0.06),
    "compared": Kind(variant_file, check_compared, 40, 0.004),
    "policy": Kind(policy_file, check_policy, 200, 0.07),
    "record": Kind(record_text, check_record_text, 200, 0.035),
    "replayed": Kind(record_tree, check_replayed, 100, 0.014),
    "command": Kind(command_line, check_command, 200, 0.006),
    "task": Kind(task_text, check_task, 50, 0.004),
    "bench file": Kind(bench_file, check_bench_file, 100, 0.004),
    "game": Kind(game_of, check_game, 50, 0.001),
}
