"""A task.json that a stranger wrote is refused by one sentence, whatever it holds."""

import pytest

from sim.check import check
from sim.parts import TASK_FILE, State, read_document
from sim.places import StoreError, place_of

DEEP = '{"task": ' + "[" * 3_000 + "]" * 3_000 + "}"


@pytest.mark.parametrize(
    "text",
    [DEEP, '{"deals": 1e999}', '{"deals": ' + "9" * 5_000 + "}", "NaN", "\ufeff"],
)
def test_no_task(text, tmp_path):
    """Neither who plays or measures is stopped by it, nor who checks and repairs."""
    (tmp_path / TASK_FILE).write_text(text, "utf-8")
    with pytest.raises(StoreError, match=r"task\.json.* is not a task that shengji wr"):
        read_document(place_of(str(tmp_path)))
    (bad,) = check(place_of(str(tmp_path))).bad
    assert bad.state == State.CHANGED


def test_format_is_cut_short(tmp_path):
    (tmp_path / TASK_FILE).write_text(f'{{"format": {[7] * 5_000}}}', "utf-8")
    with pytest.raises(StoreError, match="is of format") as refusal:
        read_document(place_of(str(tmp_path)))
    assert len(str(refusal.value)) < len(str(tmp_path)) + 200
