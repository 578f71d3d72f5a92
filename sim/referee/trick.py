"""Who wins a trick."""

from collections import Counter
from collections.abc import Sequence
from itertools import product

from sim.referee.cards import TRUMP, Layout, show
from sim.referee.components import Component, read_components


def best_match(
    cards: Sequence[str], lead: Sequence[Component], layout: Layout
) -> int | None:
    """Return the top place with which cards match the lead's largest component.

    Every component of the lead must be taken from the cards, which are of one suit,
    disjointly; all ways are tried and the one with the highest place counts. None if
    there is no way. A lead of singles is matched by any cards, the highest counting.
    """
    if len(cards) != sum(len(component.cards) for component in lead):
        return None
    if all(part.width == 1 for part in lead):
        return max(map(layout.place, cards))
    # The largest first: it decides, and it is the hardest to place.
    needs = sorted(((part.width, part.length) for part in lead), reverse=True)
    runs = tuple(need for need in needs if need[0] > 1)
    dead: set[tuple[int, frozenset[tuple[str, int]]]] = set()

    def ways(counts: Counter[str], need: tuple[int, int]) -> list[tuple[int, Counter]]:
        """List (top, what is left) for every way to take one component."""
        width, length = need
        found = []
        for top in sorted(layout.places(counts, width), reverse=True):
            choices = [
                layout.kinds_at(counts, top - below, width) for below in range(length)
            ]
            for kinds in product(*choices):
                left = counts.copy()
                for kind in kinds:
                    left[kind] -= width
                found.append((top, left))
        return found

    def fits(counts: Counter[str], index: int) -> bool:
        """Say whether the components from `index` on can be taken."""
        if index == len(runs):
            return True
        state = (index, frozenset(counts.items()))
        if state in dead:
            return False
        if any(fits(left, index + 1) for _, left in ways(counts, runs[index])):
            return True
        dead.add(state)
        return False

    for top, left in ways(Counter(cards), runs[0]):
        if fits(left, 1):
            return top
    return None


def winning_place(plays: Sequence[Sequence[str]], layout: Layout) -> int:
    """Return the place in the list, 0 to 3 from the leader, of the winning play."""
    lead = plays[0]
    suit = layout.suit_of_all(lead)
    if suit is None:
        raise ValueError(f"the lead {show(lead)} is not of one effective suit")
    for play in plays:
        if len(play) != len(lead):
            raise ValueError(f"{len(play)} cards played to a lead of {len(lead)}")
    components = read_components(lead, layout)
    is_throw = len(components) > 1
    if is_throw and suit == TRUMP:
        return 0
    # (is it trump, top place): the first of equals stays the winner. A throw itself
    # takes no part by its places: whatever ruffs it beats it.
    winner = 0
    best = (suit == TRUMP, best_match(lead, components, layout) or 0)
    for place in range(1, len(plays)):
        play_suit = layout.suit_of_all(plays[place])
        if play_suit != TRUMP and (is_throw or play_suit != suit):
            continue
        top = best_match(plays[place], components, layout)
        if top is not None and (play_suit == TRUMP, top) > best:
            winner, best = place, (play_suit == TRUMP, top)
    return winner
