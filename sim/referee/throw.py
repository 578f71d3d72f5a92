"""Whether a throw (甩牌) stands, and what is forced when it does not."""

from collections import Counter
from collections.abc import Sequence

from sim.referee.cards import Layout, show, suit_order
from sim.referee.components import Component, read_components


def is_beaten(component: Component, hand: Sequence[str], layout: Layout) -> bool:
    """Say whether a hand holds a higher component of the same kind and suit."""
    suit = layout.suit(component.cards[0])
    counts = Counter(layout.of_suit(hand, suit))
    places = layout.places(counts, component.width)
    return any(
        top > component.top
        and all(top - below in places for below in range(component.length))
        for top in places
    )


def forced_component(
    lead: Sequence[str], others: Sequence[Sequence[str]], layout: Layout
) -> Component | None:
    """Return the component that a failed throw is reduced to, None if it stands.

    others : the hands of the other three seats, the partner's too.
    """
    if layout.suit_of_all(lead) is None:
        raise ValueError(f"the lead {show(lead)} is not of one effective suit")
    components = read_components(lead, layout)
    if len(components) == 1:
        return None
    failing = [
        component
        for component in components
        if any(is_beaten(component, hand, layout) for hand in others)
    ]
    return min(failing, key=_size, default=None)


def _size(component: Component) -> tuple[int, int, int, list[int]]:
    suits = [suit_order(card) for card in component.cards]
    return len(component.cards), component.width, component.top, suits
