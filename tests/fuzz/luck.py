"""What the fuzz draws by: choices that Hypothesis makes, and can make smaller.

Of a great many inputs a plain generator makes them: Hypothesis' own choices take longer
than most checks.
"""

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, TypeVar

from hypothesis import strategies as st

T = TypeVar("T")


@cache
def below(bound: int) -> st.SearchStrategy[int]:
    return st.integers(0, bound - 1)


class Luck:
    """Choices of one example; the first of a list is the simplest."""

    def __init__(self, chance: Callable[[int], int]) -> None:
        self.chance = chance  # a whole number below another one

    def below(self, bound: int) -> int:
        return self.chance(bound) if bound > 1 else 0

    def pick(self, choices: Sequence[T]) -> T:
        return choices[self.below(len(choices))]

    def one_in(self, number: int) -> bool:
        return self.below(number) == number - 1

    def some(self, choices: Sequence[T], most: int) -> list[T]:
        """Some of the choices, at most so many, in their order."""
        places = {self.below(len(choices)) for _ in range(self.below(most + 1))}
        return [choices[place] for place in sorted(places)]


def drawn(make: Callable[[Luck], T]) -> st.SearchStrategy[T]:
    """The strategy of what a function makes by luck."""

    @st.composite
    def strategy(draw: Callable[[st.SearchStrategy[Any]], Any]) -> T:
        return make(Luck(lambda bound: draw(below(bound))))

    return strategy()
