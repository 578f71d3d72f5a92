"""Cards as people write them: "ST" ten of spades, "LJ" and "BJ" the jokers.

Inside, a card is a face (`kernels.codes`): 13 * suit + rank, then the two jokers.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from kernels.codes import BIG_JOKER, FACES, LITTLE_JOKER, RANK_LETTERS, SUIT_LETTERS
from sim.plain import quoted


class CardsError(ValueError):
    """Cards that cannot be: one sentence that says which and why."""


CARD_NAMES = (
    *(suit + rank for suit in SUIT_LETTERS for rank in RANK_LETTERS),
    "LJ",
    "BJ",
)
_FACE_OF = {name: face for face, name in enumerate(CARD_NAMES)} | {
    f"{suit}10": 13 * place + RANK_LETTERS.index("T")
    for place, suit in enumerate(SUIT_LETTERS)
}
assert len(CARD_NAMES) == FACES
assert (_FACE_OF["LJ"], _FACE_OF["BJ"]) == (LITTLE_JOKER, BIG_JOKER)


def parse_card(text: Any) -> int:
    """The face that a card's text names; `S10` is `ST`."""
    face = _FACE_OF.get(text) if isinstance(text, str) else None
    if face is None:
        raise CardsError(
            f"unknown card {quoted(text)}: write a suit S H C D and a rank "
            "2-9 T J Q K A, as ST, or LJ or BJ"
        )
    return face


def parse_cards(texts: Any) -> list[int]:
    """The faces of a list of cards."""
    if not isinstance(texts, (list, tuple)):
        raise CardsError(f"{quoted(texts)} must be a list of cards")
    return [parse_card(text) for text in texts]


def card_names(faces: Iterable[int]) -> list[str]:
    """The texts of faces, in their order."""
    return [CARD_NAMES[face] for face in faces]


def check_copies(decks: int, *groups: Sequence[int]) -> None:
    """Refuse cards of which no such number exists: 3 HA with two decks."""
    for face, copies in Counter(face for group in groups for face in group).items():
        if copies > decks:
            raise CardsError(f"{copies} {CARD_NAMES[face]} with {decks} decks")


def lacking(part: Iterable[int], whole: Iterable[int]) -> list[int]:
    """The faces of `part` that `whole` does not hold, copies counted."""
    return sorted((Counter(part) - Counter(whole)).elements())
