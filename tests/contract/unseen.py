"""What a seat has not seen at a decision, and other ways in which it could lie.

A card is told by its place in the deck, whatever face lies there. `Watcher` follows the
places through a deal: who holds them, who knows them. `redeal_unseen` then swaps faces
between places that a seat does not know, as long as all that everybody saw could have
happened just so: follows stay legal, throws stand or fail as they did. Cards shown by
calls or in failed throws, and what the seat itself held, took or buried, are known and
stay.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from contract.stepping import BURY, CALL, FOLLOW, LEAD, NAME, REDEAL

from kernels.bits import U0, U1
from kernels.calls import call_cards
from kernels.codes import CARDS, DRAWN
from kernels.follow import LEGAL, judge_follow
from kernels.jit import jit
from kernels.layout import cards_to_slots
from kernels.lead import read_lead
from kernels.planes import (
    PLANES_DTYPE,
    add_cards,
    copies,
    load,
    no_cards,
    remove_cards,
    store,
)
from kernels.rng import below
from kernels.shape import count_components
from kernels.throw import smallest_failing
from sim.planes import as_planes, copies_in, face_planes
from sim.table import LOG_PLAY, LOG_TRIED, LOG_TURNED

BOTTOM = 4

# A card play that everybody has seen.
SEEN_DTYPE = {
    decks: np.dtype(
        [
            ("seat", "i8"),
            ("leads", "i8"),
            ("cards", planes),  # slot planes of what lay on the table
            ("tried", planes),  # of a throw that failed; else empty
        ]
    )
    for decks, planes in PLANES_DTYPE.items()
}
RANDOM_DTYPE = np.dtype([("random", "u8")])


class Decision(NamedTuple):
    """One seat's decision, and what it has to go by."""

    seat: int
    number: int  # its decisions so far, this one included
    kind: int
    unseen: np.ndarray  # int64[n]: places that it does not know
    owners: np.ndarray  # int64[cards]: who held each place when play began
    plays: int  # card plays seen
    fixed: int  # faces (bits) that stay where they are: what is known of them is more


class Watcher:
    """Follows the places of the deck through a deal that was noted step by step."""

    def __init__(
        self, deck: np.ndarray, row: np.void, decks: int, codes: np.void
    ) -> None:
        self.deck, self.row, self.codes = deck, row, codes
        self.level, self.drawn = int(row["level"]), DRAWN[decks]
        self.held = [set(range(seat, self.drawn, 4)) for seat in range(4)]
        self.bottom = set(range(self.drawn, CARDS[decks]))
        self.known: list[set[int]] = [set() for _ in range(4)]
        self.owners = np.zeros(CARDS[decks], np.int64)
        self.fallen = False  # the called card, played by anyone but the declarer
        self.turned = -1  # the face that made trump, where nobody called
        self.buries: list[tuple[int, list[int]]] = []  # (seat, places) so far
        self.playing = self.called_trump = False

    def decisions(
        self, steps: Iterator[tuple[int, np.void]], log: list[list[int]]
    ) -> Iterator[Decision]:
        """Each decision, told before its cards are known to the others.

        `steps` are the decisions of all seats in order, `log` the table's.
        """
        played = [entry for entry in log if entry[0] == LOG_PLAY]
        turned = [entry[1] for entry in log if entry[0] == LOG_TURNED]
        numbers = [0, 0, 0, 0]
        plays = 0
        for seat, step in steps:
            kind = int(step["kind"])
            numbers[seat] += 1
            if kind == CALL:
                drawn = int(step["key"]) >> 9  # as contract.stepping packs it
                self.known[seat] |= {seat + 4 * turn for turn in range(drawn)}
            elif kind == BURY:
                if turned and self.turned < 0:
                    self.turned = turned[0]
                    self.tell_all(self.places([self.turned], self.bottom))
                self.held[seat] |= self.bottom
                self.known[seat] |= self.held[seat]
            elif kind in (LEAD, FOLLOW, NAME):
                if not self.playing:
                    self.begin_play()
            else:  # all cards are drawn
                self.known[seat] |= self.held[seat]
            unseen = set(range(len(self.deck))) - self.known[seat]
            yield Decision(
                seat,
                numbers[seat],
                kind,
                np.array(sorted(unseen), np.int64),
                self.owners.copy(),
                plays,
                self.fixed(seat, kind),
            )
            planes = [int(plane) for plane in step["cards"]]
            cards = faces_of(planes)
            if kind == CALL:
                if planes[0]:
                    shown = call_cards(planes[0] - 1, self.level, self.with_joker)
                    self.show(seat, shown, drawn)
            elif kind == BURY:
                self.bottom = self.places(cards, self.held[seat])
                self.held[seat] -= self.bottom
                self.buries.append((seat, sorted(self.bottom)))
            elif kind in (LEAD, FOLLOW):
                tried = self.places(cards, self.held[seat])
                self.tell_all(tried)
                laid = self.places(faces_of(played[plays][2:]), tried)
                self.held[seat] -= laid
                called = int(self.row["called_card"])
                others = seat != self.row["declarer"]
                if others and any(self.deck[place] == called for place in laid):
                    self.fallen = True
                plays += 1

    def begin_play(self) -> None:
        self.playing = True
        for seat in range(4):
            self.known[seat] |= self.held[seat]
            self.owners[list(self.held[seat])] = seat
        self.owners[list(self.bottom)] = BOTTOM

    @property
    def with_joker(self) -> int:
        return int(self.codes["with_joker"])

    def fixed(self, seat: int, kind: int) -> int:
        """Faces of which more is known than where some lie.

        Who holds the called card knows whether he is the friend, and once it has
        fallen everybody knows something; a card that was turned made its holder the
        declarer; and who was asked for a bid depended on who could make one.
        """
        fixed = 0
        called = int(self.row["called_card"])
        if called >= 0 and kind in (LEAD, FOLLOW):
            mine = any(self.deck[p] == called for p in self.known[seat])
            if self.fallen or (mine and seat != self.row["declarer"]):
                fixed |= 1 << called
        if self.turned >= 0:
            fixed |= 1 << self.turned
        if self.codes["declarer_side_first"]:
            fixed |= 3 << 52 | sum(1 << 13 * suit + self.level - 2 for suit in range(4))
        return fixed

    def show(self, seat: int, faces: list[int], drawn: int) -> None:
        """Cards shown in a call: places known already come first."""
        # When all are drawn, what was taken from the bottom may be shown too.
        all_drawn = drawn == self.drawn // 4
        held = {p for p in self.held[seat] if p // 4 < drawn or all_drawn}
        self.tell_all(self.places(faces, held, set.intersection(*self.known)))

    def tell_all(self, places: set[int]) -> None:
        for known in self.known:
            known |= places

    def places(
        self, faces: list[int], among: set[int], first: set[int] | None = None
    ) -> set[int]:
        """Places among some where these faces lie."""
        found: set[int] = set()
        order = sorted(among, key=lambda place: (place not in (first or ()), place))
        for face in faces:
            found.add(next(p for p in order if p not in found and self.deck[p] == face))
        return found


def faces_of(planes: list[int]) -> list[int]:
    """The faces on face planes, each as often as it is there."""
    held = [face for face in range(54) if planes[0] >> face & 1]
    return [face for face in held for _ in range(copies_in(planes, face))]


def in_order(notes: np.ndarray, made: np.ndarray) -> list[tuple[int, np.void]]:
    """The decisions of four seats, merged by their clocks: (seat, step)."""
    steps = [(seat, step) for seat in range(4) for step in notes[seat][: made[seat]]]
    return sorted(steps, key=lambda pair: int(pair[1]["clock"]))


def plan_of(notes: np.ndarray) -> np.ndarray:
    """What a seat does when it repeats its decisions: passes need no plan."""
    passes = (notes["kind"] == CALL) & (notes["cards"]["one"] == 0)
    return notes[~passes & (notes["kind"] != REDEAL)]


def seen_plays(log: list[list[int]], layout: np.void, decks: int) -> np.ndarray:
    """The card plays of a log in order, as everybody saw them."""
    plays = np.zeros(sum(entry[0] == LOG_PLAY for entry in log), SEEN_DTYPE[decks])
    place = 0
    tried = [0] * decks
    for tag, seat, *planes in log:
        if tag == LOG_TRIED:
            tried = planes
        elif tag == LOG_PLAY:
            play = plays[place]
            play["seat"], play["leads"] = seat, place % 4 == 0
            store(play["cards"], in_slots(planes, layout))
            store(play["tried"], in_slots(tried, layout))
            tried = [0] * decks
            place += 1
    return plays


def in_slots(planes: list[int], layout: np.void) -> tuple[np.uint64, ...]:
    return as_planes(cards_to_slots(as_planes(planes), layout))


def planes_at(deck: np.ndarray, places: list[int], decks: int) -> tuple[np.uint64, ...]:
    """Face planes of what lies on some places."""
    return face_planes([int(deck[place]) for place in places], decks)


@jit
def happens_so(deck, owners, plays, count, codes, layout, lead, hands):
    """Whether the first `count` plays are what these cards would allow.

    Parameters
    ----------
    deck : int8[cards]
        Faces by place.
    owners : int64[cards]
        Who held each place when play began; 4 the bottom.
    plays : SEEN_DTYPE[n]
    codes : record with a field `throw_follow`
    layout : LAYOUT record
    lead : LEAD record
    hands : PLANES_DTYPE[5]
        Both are written over.
    """
    nothing = no_cards(load(hands[0]))
    for seat in range(5):
        store(hands[seat], nothing)
    for place in range(len(deck)):
        slot = U1 << np.uint64(layout.slot_of[deck[place]])
        hand = hands[owners[place]]
        store(hand, add_cards(load(hand), copies(slot, 1, nothing)))
    for number in range(count):
        play = plays[number]
        cards, tried, seat = load(play.cards), load(play.tried), play.seat
        if play.leads:
            throw = 1 if count_components(cards, layout) > 1 else 0
            if tried[0] or throw:
                whole = tried if tried[0] else cards
                width, forced = smallest_failing(whole, hands, seat, layout)
                if tried[0]:
                    if width == 0 or copies(forced, width, cards) != cards:
                        return False
                elif width:
                    return False
            read_lead(cards, throw, lead, layout, codes)
        elif judge_follow(load(hands[seat]), cards, lead, layout) != LEGAL:
            return False
        store(hands[seat], remove_cards(load(hands[seat]), cards))
    return True


@jit
def redeal_unseen(
    deck, unseen, fixed, owners, plays, count, codes, layout, state, lead, hands
):
    """Swap faces between unseen places, all seen plays staying possible.

    Parameters
    ----------
    deck : int8[cards]
        Changed in place.
    unseen : int64[n]
    fixed : uint64
        Faces that stay where they are.
    state : record with a field `random`
    """
    places = len(unseen)
    for _ in range(3 * places):
        a, b = unseen[below(state, places)], unseen[below(state, places)]
        faces = U1 << np.uint64(deck[a]) | U1 << np.uint64(deck[b])
        if deck[a] == deck[b] or faces & fixed != U0:
            continue
        deck[a], deck[b] = deck[b], deck[a]
        if (
            count > 0
            and owners[a] != owners[b]
            and not happens_so(deck, owners, plays, count, codes, layout, lead, hands)
        ):
            deck[a], deck[b] = deck[b], deck[a]
