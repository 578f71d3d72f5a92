"""Reading cards of one effective suit as components (牌型)."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from sim.referee.cards import Layout, suit_order

TUPLE_KINDS = {1: "single", 2: "pair", 3: "triple", 4: "quad"}
RUN_KINDS = {2: "tractor", 3: "titanic", 4: "quad_run"}
MANY = {1: "singles", 2: "pairs", 3: "triples", 4: "quads"}


@dataclass(frozen=True)
class Component:
    """One single, pair, tractor, … of a play.

    width is the copies of each card, length the number of places (1: no run), top
    the place of its highest card.
    """

    width: int
    length: int
    top: int
    cards: tuple[str, ...]

    @property
    def kind(self) -> str:
        """The component's name."""
        return kind_name(self.width, self.length)


def kind_name(width: int, length: int) -> str:
    """Name a component by its width and length."""
    return TUPLE_KINDS[width] if length == 1 else RUN_KINDS[width]


def describe(width: int, length: int) -> str:
    """Name a component for a sentence: `a pair`, `a tractor of 3 pairs`."""
    if length == 1:
        return f"a {TUPLE_KINDS[width]}"
    return f"a {RUN_KINDS[width].replace('_', ' ')} of {length} {MANY[width]}"


def longest_run(places: Iterable[int]) -> tuple[int, int]:
    """Return (length, top place) of the longest run, the highest among equals."""
    places = set(places)
    best = (0, -1)
    for top in places:
        length = 1
        while top - length in places:
            length += 1
        best = max(best, (length, top))
    return best


def strike(
    counts: Counter[str], layout: Layout, width: int, length: int, top: int
) -> list[str]:
    """Take `width` cards off each of `length` places from `top` down."""
    taken: list[str] = []
    for place in range(top, top - length, -1):
        card = layout.kinds_at(counts, place, width)[0]
        counts[card] -= width
        taken += [card] * width
    return taken


def read_components(cards: Sequence[str], layout: Layout) -> list[Component]:
    """Read cards greedily: the widest tuples first, at each width the longest run.

    Cards that are not all of one effective suit have no reading: [].
    """
    return list(_read(tuple(cards), layout))


@lru_cache(maxsize=20_000)  # a lead is read by each follower, and again for the winner
def _read(cards: tuple[str, ...], layout: Layout) -> tuple[Component, ...]:
    if layout.suit_of_all(cards) is None:
        return ()
    counts = Counter(cards)
    components: list[Component] = []
    for width in range(max(counts.values()), 0, -1):
        while True:
            length, top = longest_run(layout.places(counts, width))
            if width == 1 or length < 2:
                break
            taken = strike(counts, layout, width, length, top)
            components.append(Component(width, length, top, tuple(taken)))
        lone = [card for card, n in counts.items() if n >= width]
        for card in sorted(lone, key=lambda c: (-layout.place(c), suit_order(c))):
            counts[card] -= width
            components.append(Component(width, 1, layout.place(card), (card,) * width))
    return tuple(components)
