"""TOML of strangers, for variants and policies: one sentence for whatever is wrong."""

import pytest

from sim.option_values import shown
from sim.policies.catalog import PolicyError, load_policy
from sim.rules import RulesError, load_rules

DIGITS = "9" * 5_000
WRONG = {
    "deep": ("x = " + "[" * 3_000 + "]" * 3_000, "not TOML that can be read: nested"),
    "deeper than needed": ("x = " + "[" * 60 + "]" * 60, "nested too deep: at most 50"),
    "deep tables": ("x = " + "{a = " * 60 + "1" + "}" * 60, "nested too deep: at most"),
    "digits": (f"x = {DIGITS}", "not TOML that can be read: a number of too many dig"),
    "bytes": (b"x = '\xff'", "not TOML: it is not written in UTF-8"),
    "surrogate": (b"x = '\xed\xa0\x80'", "not TOML: it is not written in UTF-8"),
    "zero": ("x = '\0'", "not TOML: "),
    "twice": ("x = 1\nx = 2", "not TOML: "),
    "empty": ("", "base is missing"),
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong(name, tmp_path):
    text, words = WRONG[name]
    path = tmp_path / "it.toml"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    for load, error in ((load_rules, RulesError), (load_policy, PolicyError)):
        with pytest.raises(error) as refusal:
            load(path)
        assert str(refusal.value).startswith(f"{path}: {words}")


@pytest.mark.parametrize("name", ["folder", "missing", "zero\0"])
def test_no_file(name, tmp_path):
    path = tmp_path / f"{name}.toml"
    if name == "folder":
        path.mkdir()
    for load, error in ((load_rules, RulesError), (load_policy, PolicyError)):
        with pytest.raises(error, match=r"\.toml: cannot be read: "):
            load(path)


def test_byte_order_mark(tmp_path):
    """Some editors put one in front; it says nothing."""
    path = tmp_path / "it.toml"
    path.write_bytes('\ufeffbase = "casual"\nlevel_step = 40\n'.encode())
    assert load_rules(path).level_step == 40
    path.write_bytes('\ufeffbase = "textbook"\nbid_score = 7\n'.encode())
    assert load_policy(path).values["bid_score"] == 7


def test_number_that_python_does_not_write(tmp_path):
    """Written with base 16 it is read, whatever its length."""
    path = tmp_path / "it.toml"
    for base, key, load in (
        ("casual", "level_step", load_rules),
        ("casual", "level_table", load_rules),
        ("textbook", "bid_score", load_policy),
    ):
        value = "0x" + "f" * 5_000
        if key == "level_table":
            value = f'[[{value}, "declarers", 1]]'
        path.write_text(f'base = "{base}"\n{key} = {value}\n')
        with pytest.raises(ValueError, match=f"{key}.* must be a ") as refusal:
            load(path)
        assert len(str(refusal.value)) < len(str(path)) + 200


@pytest.mark.parametrize(
    ("value", "told"),
    [
        ("x" * 100, '"' + "x" * 56 + "..."),
        ([1] * 100, "[" + "1, " * 18 + "1," + "..."),
        (10**1_001, None),
        ({"a": {"b": True}}, "{a = {b = true}}"),
    ],
)
def test_value_in_a_sentence_is_cut_short(value, told):
    got = shown(value)
    assert len(got) <= 60
    assert told is None or got == told
