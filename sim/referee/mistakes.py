"""Clear mistakes of the last seat of a trick, counted from a deal record.

The last seat knows all that matters about its trick: the other plays, and its own hand.
A play is held against every other legal one; it is a mistake only where another is
better and costs no more.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any, NamedTuple

from sim.referee.cards import JOKER_LEVEL, RANKS, SUITS, TRUMP, Layout, count_points
from sim.referee.follow import why_not_follow
from sim.referee.trick import winning_place

# A hand with more sets of cards to choose from than this is not judged.
MOST_CHOICES = 5000
RICH_TRICK = 10  # points

POINTS_GIVEN = "points given to the enemy"
TRICK_LEFT = "a rich trick left to the enemy"
TAKEN_OVER = "a partner's trick taken over"
DEAR_WIN = "a joker or level card spent in vain"
KINDS = (POINTS_GIVEN, TRICK_LEFT, TAKEN_OVER, DEAR_WIN)


class Choice(NamedTuple):
    """One legal play of the last seat."""

    wins: bool  # the trick, for this seat
    ours: bool  # the trick goes to this seat's side
    points: int  # in the play itself
    honours: tuple[int, ...]  # big jokers in it; jokers; and cards of the trump
    # suit's level; all jokers and level cards
    trumps: int
    tops: int  # cards of a side suit's highest place in it
    broken: int  # pairs of the hand of which it takes one card

    @property
    def cost(self) -> tuple[int, ...]:
        return *self.honours, self.trumps, self.tops, self.broken

    def no_dearer(self, other: "Choice") -> bool:
        """Whether this play spends no more than another in any respect."""
        return none_more(self.cost, other.cost)


def none_more(first: Sequence[int], second: Sequence[int]) -> bool:
    """Whether no number is larger than the other's in its place."""
    return all(a <= b for a, b in zip(first, second, strict=True))


def count_mistakes(record: Mapping[str, Any]) -> Counter[str]:
    """Count a deal's clear mistakes of last seats, by kind."""
    mistakes: Counter[str] = Counter()
    for _, kind, _ in find_mistakes(record):
        mistakes[kind] += 1
    return mistakes


def find_mistakes(record: Mapping[str, Any]) -> Iterator[tuple[int, str, list[str]]]:
    """Yield (trick from 1, kind, the last seat's cards) for each clear mistake."""
    layout = Layout(record["level"], record["trump"])
    hands = hands_at_play(record)
    for number, trick in enumerate(record["tricks"], start=1):
        last = (trick["leader"] + 3) % 4
        kind = judge_last(hands[last], trick["plays"], layout, record["rules"])
        if kind:
            yield number, kind, trick["plays"][3]
        for step, play in enumerate(trick["plays"]):
            hands[(trick["leader"] + step) % 4] -= Counter(play)


def hands_at_play(record: Mapping[str, Any]) -> list[Counter[str]]:
    """The four hands when the first card is led."""
    hands = [Counter(cards) for cards in record["drawn"]]
    for bury in record["buries"]:
        hands[bury["seat"]] += Counter(bury["took"])
        hands[bury["seat"]] -= Counter(bury["buried"])
    return hands


def judge_last(
    hand: Counter[str],
    plays: Sequence[Sequence[str]],
    layout: Layout,
    rules: Mapping[str, Any],
) -> str | None:
    """The kind of mistake that the last play of a trick is, if any."""
    table, played = list(plays[:3]), plays[3]
    choices = legal_choices(hand, table, layout, rules)
    if choices is None:
        return None
    made = weigh(hand, table, played, layout)
    on_table = sum(count_points(play) for play in table)
    if not made.ours:
        for other in choices:
            # For so many points a side card or a small trump is cheap, a pair too.
            if other.wins and not any(other.honours):
                if on_table + made.points >= RICH_TRICK:
                    return TRICK_LEFT
        for other in choices:
            if not other.ours and other.points < made.points and other.no_dearer(made):
                return POINTS_GIVEN
        return None
    partner_led = winning_place(table, layout) == 1
    for other in choices:
        if made.wins and partner_led and not other.wins:
            if other.points >= made.points and other.no_dearer(made):
                return TAKEN_OVER
    for other in choices:
        less = other.honours != made.honours
        if made.wins and other.ours and less and none_more(other.honours, made.honours):
            if other.points >= made.points and other.broken <= made.broken:
                return DEAR_WIN
    return None


def legal_choices(
    hand: Counter[str],
    table: Sequence[Sequence[str]],
    layout: Layout,
    rules: Mapping[str, Any],
) -> list[Choice] | None:
    """Every legal play of the last seat, equal ones once; None if too many to try."""
    lead = table[0]
    cards = sorted(hand.elements())
    suit = layout.suit_of_all(lead)
    in_suit = layout.of_suit(cards, suit)
    if len(in_suit) >= len(lead):
        fixed, pool, need = [], in_suit, len(lead)
    else:
        fixed = in_suit
        pool = [card for card in cards if layout.suit(card) != suit]
        need = len(lead) - len(in_suit)
    plays: set[tuple[str, ...]] = set()
    for tried, play in enumerate(combinations(pool, need)):
        if tried > MOST_CHOICES:
            return None
        plays.add(play)
    legal = []
    for play in plays:
        cards_played = [*fixed, *play]
        if not why_not_follow(cards, lead, cards_played, layout, rules["throw_follow"]):
            legal.append(weigh(hand, table, cards_played, layout))
    return legal


def weigh(
    hand: Counter[str],
    table: Sequence[Sequence[str]],
    play: Sequence[str],
    layout: Layout,
) -> Choice:
    """What a play of the last seat brings and costs."""
    winner = winning_place([*table, play], layout)
    taken = Counter(play)
    top = 12 if layout.level == JOKER_LEVEL else 11
    trumps = [card for card in play if layout.suit(card) == TRUMP]
    steps = [layout.place(card) for card in honours_of(layout)]
    places = [layout.place(card) for card in trumps]
    return Choice(
        wins=winner == 3,
        ours=winner in (1, 3),
        points=count_points(play),
        honours=tuple(sum(place >= step for place in places) for step in steps),
        trumps=len(trumps),
        tops=sum(
            layout.suit(card) != TRUMP and layout.place(card) == top for card in play
        ),
        broken=sum(hand[card] == 2 and n == 1 for card, n in taken.items()),
    )


def honours_of(layout: Layout) -> list[str]:
    """One card of each place that jokers and level cards have, the highest first."""
    if layout.level == JOKER_LEVEL:
        return ["BJ", "LJ"]
    suits = [layout.trump, *(suit for suit in SUITS if suit != layout.trump)]
    rank = RANKS[layout.level - 2]
    levels = [suit + rank for suit in suits if suit != "NT"]
    return ["BJ", "LJ", *levels[:2]]
