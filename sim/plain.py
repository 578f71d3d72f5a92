"""What strangers wrote, made fit to be quoted in a sentence of one line."""

import re
from typing import Any

LONGEST_VALUE = 60  # characters of a value; a sentence tells more than what was wrong
LONGEST_WORD = 400  # of what has no space in it, such as a path


def cut(text: str) -> str:
    """A value's text, cut short."""
    return text if len(text) <= LONGEST_VALUE else f"{text[: LONGEST_VALUE - 3]}..."


def quoted(value: Any) -> str:
    """A value as Python writes it, cut short."""
    try:
        return cut(repr(value))
    except ValueError:  # a number in it has thousands of digits
        return "a number of thousands of digits"


def one_line(text: str) -> str:
    """A sentence whose every character can be shown, and no word of which is endless.

    Line feeds, bytes that are no text, and what would steer a terminal are written as
    Python writes them in a string.
    """
    text = re.sub(rf"\S{{{LONGEST_WORD},}}", lambda word: cut(word[0]), text)
    return "".join(
        each if each.isprintable() else each.encode("unicode_escape").decode()
        for each in text
    )
