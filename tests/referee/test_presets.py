"""The presets' files against the table of the rules page, written down here again."""

import tomllib
from pathlib import Path
from typing import Any

import pytest

from referee.variants import preset

PRESETS = sorted((Path(__file__).parents[2] / "sim" / "presets").glob("*.toml"))


def plain(value: Any) -> Any:
    """Return a TOML value as a record writes it: "none" is null."""
    if isinstance(value, dict):
        return {key: plain(each) for key, each in value.items()}
    return None if value == "none" else value


@pytest.mark.parametrize("path", PRESETS, ids=lambda path: path.stem)
def test_preset(path: Path) -> None:
    """Every option says what the rules page's table says."""
    rules = plain(tomllib.loads(path.read_text("utf-8")))
    for key in ("title", "summary", "more_decks"):
        rules.pop(key, None)
    expected = preset(path.stem)
    if rules["overcall"]["when"] is None:
        rules["overcall"]["when"] = "none"
    # A file names its level table; the name is told by the rows it stands for.
    table = preset(rules.pop("level_table"))["level_table"]
    assert table == expected.pop("level_table")
    expected.pop("level_step")
    assert rules == expected
