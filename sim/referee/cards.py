"""Cards as text, and the order that a level and a trump suit put them in."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cache

from sim.referee.fault import quoted

SUITS = "SHCD"  # also the order that settles ties between equal cards
RANKS = "23456789TJQKA"
JOKERS = ("LJ", "BJ")
NO_TRUMP = "NT"
TRUMP = "T"  # the effective suit (主) of every trump
JOKER_LEVEL = 15  # past A, where only the jokers are trumps (打王)
KINDS = tuple(suit + rank for suit in SUITS for rank in RANKS) + JOKERS
POINTS = {"5": 5, "T": 10, "K": 10}
CARD_POINTS = {suit + rank: POINTS[rank] for suit in SUITS for rank in POINTS}
BOTTOM_CARDS = {2: 8, 3: 6, 4: 8}
MOST_SHOWN = 60
HAND_CARDS = {2: 25, 3: 39, 4: 52}
SPELLINGS = {card: card for card in KINDS} | {suit + "10": suit + "T" for suit in SUITS}


def parse_card(text: object) -> str:
    """Return the card's text as this package writes it: `S10` becomes `ST`."""
    if isinstance(text, str) and text in SPELLINGS:
        return SPELLINGS[text]
    raise ValueError(
        f"unknown card {quoted(text)}: a suit S, H, C or D and a rank 2-9, T, J, Q, K "
        "or A, or LJ, BJ"
    )


def parse_cards(texts: object, decks: int) -> list[str]:
    """Parse a list of cards that may all lie on one table."""
    if not isinstance(texts, list):
        raise ValueError(f"{quoted(texts)} is not a list of cards")
    cards = [parse_card(text) for text in texts]
    check_copies(cards, decks)
    return cards


def missing_from(hand: Iterable[str], cards: Sequence[str]) -> list[str]:
    """Return those of the cards that a hand does not hold, copies counted."""
    left = list(hand)
    missing = []
    for card in cards:
        if card in left:
            left.remove(card)
        else:
            missing.append(card)
    return missing


def check_copies(cards: Iterable[str], decks: int) -> None:
    """Refuse more copies of a card than there are decks."""
    for card, copies in Counter(cards).items():
        if copies > decks:
            raise ValueError(f"{copies} {card} with {decks} decks")


def whole_pack(decks: int) -> Counter[str]:
    """Count the cards of all decks."""
    return Counter(dict.fromkeys(KINDS, decks))


def count_points(cards: Iterable[str]) -> int:
    """Add up the points: 5 for a five, 10 for a ten or a king."""
    return sum(CARD_POINTS.get(card, 0) for card in cards)


def show(cards: Iterable[str]) -> str:
    """Write cards for a sentence: at most as many as a hand may hold."""
    names = list(cards)
    more = f" and {len(names) - MOST_SHOWN} more" if len(names) > MOST_SHOWN else ""
    return " ".join(names[:MOST_SHOWN]) + more or "nothing"


def suit_order(card: str) -> int:
    """Return where S H C D puts a card; jokers need no such order."""
    return -1 if card in JOKERS else SUITS.index(card[0])


class Layout:
    """The effective suit and the place of every card at one level and trump suit.

    Places number the order of one effective suit from its lowest card, 0, up; cards
    that are equal in play share a place, and neighbours differ by 1.
    """

    def __init__(self, level: int, trump: str) -> None:
        if type(level) is not int or not 2 <= level <= JOKER_LEVEL:
            raise ValueError(f"level {level!r} is not one of 2 to {JOKER_LEVEL}")
        if trump not in (*SUITS, NO_TRUMP):
            raise ValueError(f"trump {trump!r} is not one of S, H, C, D, NT")
        if level == JOKER_LEVEL and trump != NO_TRUMP:
            raise ValueError(f"trump {trump!r} at the joker level, which has only NT")
        self.level = level
        self.trump = trump
        level_rank = "" if level == JOKER_LEVEL else RANKS[level - 2]
        self._suit: dict[str, str] = {}
        self._place: dict[str, int] = {}
        ordinary = [rank for rank in RANKS if rank != level_rank]
        for suit in SUITS:
            for place, rank in enumerate(ordinary):
                self._suit[suit + rank] = TRUMP if suit == trump else suit
                self._place[suit + rank] = place
        # Above the trump suit's own cards: 副级牌, 主级牌, 小王, 大王.
        ladder: list[list[str]] = []
        if level_rank:
            ladder.append([suit + level_rank for suit in SUITS if suit != trump])
            if trump != NO_TRUMP:
                ladder.append([trump + level_rank])
        ladder += [["LJ"], ["BJ"]]
        foot = 0 if trump == NO_TRUMP else len(ordinary)
        for place, equals in enumerate(ladder, start=foot):
            for card in equals:
                self._suit[card] = TRUMP
                self._place[card] = place

    def suit(self, card: str) -> str:
        """Return `T` for a trump, else the card's own suit letter."""
        return self._suit[card]

    def place(self, card: str) -> int:
        """Return the card's place in the order of its effective suit."""
        return self._place[card]

    def suit_of_all(self, cards: Iterable[str]) -> str | None:
        """Return the one effective suit of the cards, None if mixed or no cards."""
        suits = set(map(self._suit.get, cards))
        return suits.pop() if len(suits) == 1 else None

    def of_suit(self, cards: Iterable[str], suit: str) -> list[str]:
        """Return the cards of one effective suit."""
        return [card for card in cards if self._suit[card] == suit]

    def places(self, counts: Mapping[str, int], width: int) -> set[int]:
        """Return the places where some kind has `width` copies, cards of one suit."""
        return {self._place[card] for card, n in counts.items() if n >= width}

    def kinds_at(self, counts: Mapping[str, int], place: int, width: int) -> list[str]:
        """Return the kinds with `width` copies on a place, the one to use first.

        The narrowest that suffices comes first, then S H C D: a pair of level cards
        (副级牌) is taken before a triple is broken.
        """
        kinds = [
            card
            for card, n in counts.items()
            if n >= width and self._place[card] == place
        ]
        return sorted(kinds, key=lambda card: (counts[card], suit_order(card)))


@cache
def layout_of(level: int, trump: str) -> Layout:
    """Return the layout of a level and trump suit, made once."""
    return Layout(level, trump)
