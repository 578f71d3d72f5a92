"""JSON of strangers: what is read, what is refused and by which words."""

import pytest

from sim.referee.reading import DEEPEST, KeyTwice, read_json


@pytest.mark.parametrize(
    ("text", "value"),
    [
        (
            '{"a": [1, null, {"a": 2}], "b": "\\u5347"}',
            {"a": [1, None, {"a": 2}], "b": "升"},
        ),
        ("[" * DEEPEST + "]" * DEEPEST, None),
        (" 7 ", 7),
    ],
)
def test_read(text: str, value: object) -> None:
    """A key may stand in several objects; nesting has a limit that nobody meets."""
    got = read_json(text)
    assert value is None or got == value


@pytest.mark.parametrize("text", ["NaN", "[-Infinity]", "{", "", "[1] 2", "\ufeff1"])
def test_no_json(text: str) -> None:
    """Python reads more than JSON is."""
    with pytest.raises(ValueError) as refusal:  # noqa: PT011
        read_json(text)
    assert not isinstance(refusal.value, KeyTwice)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("9" * 5_000, "a number has 5000 digits, at most 1000 may"),
        ('{"a": [-' + "9" * 5_000, "a number has 5001 digits, at most 1000 may"),
        ("[1e999]", "1e999 is larger than a number may be"),
        ("-1e999", "-1e999 is larger than a number may be"),
    ],
)
def test_numbers_without_bounds(text: str, words: str) -> None:
    """What Python could not write again, or would write as Infinity, is not read."""
    with pytest.raises(ValueError, match=f"^{words}$"):
        read_json(text)
    assert read_json("9" * 1_000) == 10**1_000 - 1
    assert read_json("1e300") == 1e300


@pytest.mark.parametrize(
    "text", ['{"a": 1, "b": 2, "a": 1}', '[{"a": {"a": 1, "a": 2}}]']
)
def test_key_twice(text: str) -> None:
    """In any object; but an object that does not end has another mistake first."""
    with pytest.raises(KeyTwice, match="key 'a' stands there twice"):
        read_json(text)
    with pytest.raises(ValueError, match="line 1 column") as refusal:
        read_json(text[:-1])
    assert not isinstance(refusal.value, KeyTwice)


@pytest.mark.parametrize("depth", [DEEPEST + 1, 500, 995, 10_000, 100_000])
def test_too_deep(depth: int) -> None:
    """One sentence, however deep, whether or not Python could read it."""
    for text in ("[" * depth + "]" * depth, '{"a":' * depth + "1" + "}" * depth):
        with pytest.raises(ValueError, match="nested too deep"):
            read_json(text)
