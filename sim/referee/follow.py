"""What a follower owes to a lead (跟牌义务)."""

from collections import Counter
from collections.abc import Sequence

from sim.referee.cards import TRUMP, Layout, missing_from, show
from sim.referee.components import (
    Component,
    describe,
    longest_run,
    read_components,
    strike,
)

Duty = list[tuple[int, int]]  # (width, length) in the order they are owed


class Payment:
    """Cards of one suit paying for what a lead asks, noting each entry of the duty."""

    def __init__(self, cards: Sequence[str], layout: Layout) -> None:
        self.counts = Counter(cards)
        self.layout = layout
        self.duty: Duty = []
        self.cards: list[str] = []

    def pay_run(self, width: int, length: int) -> int:
        """Pay a run with the longest runs there are; return what is left of it."""
        while length >= 2:
            held, top = longest_run(self.layout.places(self.counts, width))
            if held < 2:
                break
            self._strike(width, min(length, held), top)
            length -= min(length, held)
        return length

    def pay_tuples(self, width: int, number: int) -> int:
        """Pay lone tuples, lowest place first; return how many stay unpaid."""
        while number and (places := self.layout.places(self.counts, width)):
            self._strike(width, 1, min(places))
            number -= 1
        return number

    def _strike(self, width: int, length: int, top: int) -> None:
        self.duty.append((width, length))
        self.cards += strike(self.counts, self.layout, width, length, top)


def pay(cards: Sequence[str], lead: Sequence[Component], layout: Layout) -> Payment:
    """Let cards of the lead's suit pay to the lead what they can.

    Greedy, width by width from the lead's widest: first its runs as far as the cards
    have runs, then its lone tuples; what could not be paid goes on to the next width.
    """
    payment = Payment(cards, layout)
    carried_runs: list[int] = []
    carried_lone = 0
    widest = max(component.width for component in lead)
    for width in range(widest, 1, -1):
        own = [part.length for part in lead if part.width == width]
        runs = sorted([n for n in own if n > 1] + carried_runs, reverse=True)
        lone = own.count(1) + carried_lone
        remainders = [payment.pay_run(width, length) for length in runs]
        # Lone tuples are paid before what is left of the runs: of those, two or
        # more that stay unpaid out of one run are owed as a run at the next width.
        carried_lone = payment.pay_tuples(width, lone)
        unpaid = [payment.pay_tuples(width, rest) for rest in remainders]
        carried_runs = [rest for rest in unpaid if rest > 1]
        carried_lone += unpaid.count(1)
    return payment


def duty(cards: Sequence[str], lead: Sequence[Component], layout: Layout) -> Duty:
    """Return the duty of cards of the lead's suit; duties are compared as lists."""
    return pay(cards, lead, layout).duty


def why_not_follow(
    hand: Sequence[str],
    lead: Sequence[str],
    play: Sequence[str],
    layout: Layout,
    throw_follow: str,
) -> str | None:
    """Return why a follow is not legal, as a sentence; None if it is.

    throw_follow : "shape" or "suit", what is owed to a throw.
    """
    suit = layout.suit_of_all(lead)
    if suit is None:
        raise ValueError(f"the lead {show(lead)} is not of one effective suit")
    if missing := missing_from(hand, play):
        raise ValueError(f"play not in hand: {show(missing)}")
    if len(play) != len(lead):
        return f"{len(play)} cards played to a lead of {len(lead)}"
    held = layout.of_suit(hand, suit)
    given = layout.of_suit(play, suit)
    if len(given) < min(len(held), len(lead)):
        name = "trump" if suit == TRUMP else suit
        asked = "all of them" if len(held) <= len(lead) else f"{len(lead)} of them"
        return f"holds {len(held)} cards of {name} and must play {asked}: {show(held)}"
    if len(held) <= len(lead) or len(lead) == 1:
        return None
    components = read_components(lead, layout)
    if throw_follow == "suit" and len(components) > 1:
        return None
    owed = duty(held, components, layout)
    paid = duty(play, components, layout)
    if paid >= owed:
        return None
    name = "trump" if suit == TRUMP else suit
    return f"owes {_sentence(owed)} of {name} and plays {_sentence(paid)}"


def _sentence(entries: Duty) -> str:
    return " and ".join(describe(*entry) for entry in entries) or "no pair"
