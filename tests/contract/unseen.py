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
from contract.stepping import BURY, CALL, STEP_DTYPE

from kernels.bits import U0, U1, popcount
from kernels.calls import call_faces
from kernels.codes import CARDS
from kernels.follow import LEGAL, judge_follow, owes_shape
from kernels.jit import jit
from kernels.layout import count_cards, remove_cards, to_slots
from kernels.rng import below
from kernels.shape import count_components, in_one_suit, read_runs
from kernels.throw import smallest_failing
from sim.table import DRAWN, LOG_PLAY, LOG_TRIED, THIRD_CARD

BOTTOM = 4

# A card play that everybody has seen.
SEEN_DTYPE = np.dtype(
    [
        ("seat", "i8"),
        ("leads", "i8"),
        ("one", "u8"),  # slot planes of what lay on the table
        ("two", "u8"),
        ("tried_one", "u8"),  # of a throw that failed; else empty
        ("tried_two", "u8"),
    ]
)
RANDOM_DTYPE = np.dtype([("random", "u8")])


class Decision(NamedTuple):
    """One seat's decision, and what it has to go by."""

    seat: int
    number: int  # its decisions so far, this one included
    kind: int
    unseen: np.ndarray  # int64[n]: places that it does not know
    owners: np.ndarray  # int64[108]: who held each place when play began
    plays: int  # card plays seen


class Watcher:
    """Follows the places of the deck through a deal that was noted step by step."""

    def __init__(self, deck: np.ndarray, level: int) -> None:
        self.deck, self.level = deck, level
        self.held = [set(range(seat, DRAWN, 4)) for seat in range(4)]
        self.bottom = set(range(DRAWN, CARDS))
        self.known: list[set[int]] = [set() for _ in range(4)]
        self.owners = np.zeros(CARDS, np.int64)
        self.buries: list[tuple[int, list[int]]] = []  # (seat, places) so far
        self.playing = self.called_trump = False

    def decisions(
        self, steps: Iterator[tuple[int, np.void]], log: list[list[int]]
    ) -> Iterator[Decision]:
        """Each decision, told before its cards are known to the others.

        `steps` are the decisions of all seats in order, `log` the table's.
        """
        played = [entry for entry in log if entry[0] == LOG_PLAY]
        numbers = [0, 0, 0, 0]
        plays = 0
        for seat, step in steps:
            kind = int(step["kind"])
            numbers[seat] += 1
            if kind == CALL:
                drawn = int(step["key"]) >> 9  # as contract.stepping packs it
                self.known[seat] |= {seat + 4 * turn for turn in range(drawn)}
            elif kind == BURY:
                if not self.called_trump:
                    self.tell_all({THIRD_CARD})  # it was turned, and made trump
                self.held[seat] |= self.bottom
                self.known[seat] |= self.held[seat]
            elif not self.playing:
                self.begin_play()
            unseen = np.array(sorted(set(range(CARDS)) - self.known[seat]), np.int64)
            yield Decision(seat, numbers[seat], kind, unseen, self.owners.copy(), plays)
            cards = faces_of(int(step["one"]), int(step["two"]))
            if kind == CALL:
                if step["one"]:
                    self.called_trump = True
                    self.show(seat, self.called(int(step["one"]) - 1), drawn)
            elif kind == BURY:
                self.bottom = self.places(cards, self.held[seat])
                self.held[seat] -= self.bottom
                self.buries.append((seat, sorted(self.bottom)))
            else:
                tried = self.places(cards, self.held[seat])
                self.tell_all(tried)
                _, _, one, two = played[plays]
                self.held[seat] -= self.places(faces_of(one, two), tried)
                plays += 1

    def begin_play(self) -> None:
        self.playing = True
        for seat in range(4):
            self.known[seat] |= self.held[seat]
            self.owners[list(self.held[seat])] = seat
        self.owners[list(self.bottom)] = BOTTOM

    def called(self, call: int) -> list[int]:
        """The faces that a call shows."""
        one, two = call_faces(call, self.level)
        return faces_of(int(one), int(two))

    def show(self, seat: int, faces: list[int], drawn: int) -> None:
        """Cards shown in a call: places known already come first."""
        # When all 25 are drawn, what was taken from the bottom may be shown too.
        held = {p for p in self.held[seat] if p // 4 < drawn or drawn == DRAWN // 4}
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


def faces_of(one: int, two: int) -> list[int]:
    """The faces on two planes, each as often as it is there."""
    faces = [face for face in range(54) if one >> face & 1]
    return faces + [face for face in range(54) if two >> face & 1]


def face_planes_at(deck: np.ndarray, places: list[int]) -> tuple[int, int]:
    """Face planes of what lies on some places."""
    one = two = 0
    for place in places:
        bit = 1 << int(deck[place])
        one, two = one | bit, two | (one & bit)
    return one, two


def in_order(notes: np.ndarray, made: np.ndarray) -> list[tuple[int, np.void]]:
    """The decisions of four seats, merged by their clocks: (seat, step)."""
    steps = [(seat, step) for seat in range(4) for step in notes[seat][: made[seat]]]
    return sorted(steps, key=lambda pair: int(pair[1]["clock"]))


def plan_of(notes: np.ndarray) -> np.ndarray:
    """What a seat does when it repeats its decisions: passes need no plan."""
    passes = (notes["kind"] == CALL) & (notes["one"] == 0)
    return notes[~passes].astype(STEP_DTYPE)


def seen_plays(log: list[list[int]], layout: np.void) -> np.ndarray:
    """The card plays of a log in order, as everybody saw them."""
    plays = np.zeros(sum(entry[0] == LOG_PLAY for entry in log), SEEN_DTYPE)
    place = 0
    tried = (0, 0)
    for tag, seat, one, two in log:
        if tag == LOG_TRIED:
            tried = (one, two)
        elif tag == LOG_PLAY:
            play = plays[place]
            play["seat"], play["leads"] = seat, place % 4 == 0
            play["one"], play["two"] = (slots(plane, layout) for plane in (one, two))
            play["tried_one"], play["tried_two"] = (slots(p, layout) for p in tried)
            tried = (0, 0)
            place += 1
    return plays


def slots(plane: int, layout: np.void) -> np.uint64:
    return np.uint64(to_slots(np.uint64(plane), layout))


@jit
def happens_so(deck, owners, plays, count, codes, layout, hands):
    """Whether the first `count` plays are what these cards would allow.

    Parameters
    ----------
    deck : int8[108]
        Faces by place.
    owners : int64[108]
        Who held each place when play began; 4 the bottom.
    plays : SEEN_DTYPE[n]
    codes : record with a field `throw_follow`
    layout : LAYOUT record
    hands : uint64[5, 2]
        Written.
    """
    hands[:] = U0
    for place in range(CARDS):
        slot = U1 << np.uint64(layout.slot_of[deck[place]])
        owner = owners[place]
        hands[owner, 1] |= hands[owner, 0] & slot
        hands[owner, 0] |= slot
    suit, cards, runs, pairs, shape = 0, 0, U0, 0, False
    for number in range(count):
        play = plays[number]
        one, two, seat = play.one, play.two, play.seat
        if play.leads:
            throw = count_components(one, two, layout) > 1
            if play.tried_one or throw:
                tried = play.tried_one if play.tried_one else one
                tried_two = play.tried_two if play.tried_one else two
                length, forced = smallest_failing(tried, tried_two, hands, seat, layout)
                if play.tried_one:
                    if length < 0 or forced != one or (length > 0) != (two != U0):
                        return False
                elif length >= 0:
                    return False
            suit, cards = in_one_suit(one, layout), count_cards(one, two)
            runs, pairs = read_runs(two, layout), popcount(two)
            shape = owes_shape(pairs, throw, codes)
        else:
            held_one, held_two = hands[seat, 0], hands[seat, 1]
            verdict = judge_follow(
                held_one, held_two, one, two, suit, cards, runs, pairs, shape, layout
            )
            if verdict != LEGAL:
                return False
        hands[seat, 0], hands[seat, 1] = remove_cards(
            hands[seat, 0], hands[seat, 1], one, two
        )
    return True


@jit
def redeal_unseen(deck, unseen, owners, plays, count, codes, layout, state, hands):
    """Swap faces between unseen places, all seen plays staying possible.

    Parameters
    ----------
    deck : int8[108]
        Changed in place.
    unseen : int64[n]
    state : record with a field `random`
    """
    places = len(unseen)
    for _ in range(3 * places):
        a, b = unseen[below(state, places)], unseen[below(state, places)]
        if deck[a] == deck[b]:
            continue
        deck[a], deck[b] = deck[b], deck[a]
        if (
            count > 0
            and owners[a] != owners[b]
            and not happens_so(deck, owners, plays, count, codes, layout, hands)
        ):
            deck[a], deck[b] = deck[b], deck[a]
