"""What is wrong with a deal record, and where."""

import json
from dataclasses import dataclass
from typing import Any

LONGEST = 120  # characters of a value


def said(value: Any) -> str:
    """A record's value as JSON writes it, cut short."""
    return cut(json.dumps(value, ensure_ascii=False))


def quoted(value: Any) -> str:
    """A value that should have been a word, as Python writes it, cut short."""
    return cut(repr(value))


def cut(text: str) -> str:
    """A text that a record may have made as long as it likes, cut short."""
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 3]}..."


class Broken(Exception):
    """A record that the rules do not allow; `trick` counts from 1."""

    def __init__(self, what: str, trick: int | None = None) -> None:
        super().__init__(what)
        self.what = what
        self.trick = trick


@dataclass(frozen=True)
class Fault:
    """The first thing that is wrong with a deal record.

    trick counts from 1 and is None outside the play; deal names the deal, None where
    the line could not be read that far.
    """

    trick: int | None
    what: str
    deal: str | None = None

    def __str__(self) -> str:
        deal = f"{self.deal}: " if self.deal is not None else ""
        trick = f"trick {self.trick}: " if self.trick is not None else ""
        return deal + trick + self.what
