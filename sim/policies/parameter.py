"""A number of a policy's that a user may set."""

from typing import NamedTuple


class Parameter(NamedTuple):
    """One threshold: an integer always, so no maths library can change a choice."""

    name: str
    default: int
    low: int
    high: int
    unit: str
    meaning: str
