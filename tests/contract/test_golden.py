"""Whole deals as they were: a change in play shows here first, card by card.

Each file of `tests/golden` holds what one `shengji record` command writes; its name
says which. They are written anew only by `pytest --regen-golden`, in the commit that
changes play, with the reason in its message.
"""

import json
from pathlib import Path

import pytest

from sim.policies.catalog import POLICY
from sim.record import Recorder, write_record
from sim.rules import PRESETS
from sim.task import make_task

GOLDEN = Path(__file__).parents[1] / "golden"
DEALS = 2
SEED = 2026
NAMES = [
    f"{variant}-{policy}-{mode}"
    for variant in PRESETS
    for policy in POLICY
    for mode in ("later", "first")
]


@pytest.mark.parametrize("name", NAMES)
def test_golden(name, request):
    variant, policy, mode = name.rsplit("-", 2)
    task = make_task(
        variant, level="all", policy=policy, first_deal=mode == "first", seed=SEED
    )
    recorder = Recorder(task)
    lines = [write_record(recorder.deal(index)) for index in range(DEALS)]
    path = GOLDEN / f"{name}.jsonl"
    if request.config.getoption("--regen-golden"):
        GOLDEN.mkdir(exist_ok=True)
        path.write_text("".join(f"{line}\n" for line in lines), "utf-8")
    golden = path.read_text("utf-8").splitlines()
    for line, before in zip(lines, golden, strict=True):
        now, was = json.loads(line), json.loads(before)
        assert [key for key in now if now[key] != was.get(key)] == []
        assert line == before


def test_no_file_is_left_over():
    assert sorted(path.stem for path in GOLDEN.iterdir()) == sorted(NAMES)
