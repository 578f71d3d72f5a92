"""THE bit layout of cards: the one place where it is written down.

Face plane   uint64; bit 13 * suit + rank for suits S H C D and ranks two..ace, bit 52
             the little joker, bit 53 the big one. Independent of level and trumps:
             hands are held so until trumps are made.
Slot plane   uint64 for one (level, trump suit): cards of one effective suit lie side by
             side in strength order, weakest lowest, an empty bit between suits:

             side suits   0..12, 14..26, 28..40 (no trump: 42..54 too), in order S H C D
             trump suit   42..53 its 12 ranks, 54..56 the other level cards in order
                          S H C D, 57 the level card of the trump suit, 58 LJ, 59 BJ
             no trump     56..59 the level cards S H C D, 60 LJ, 61 BJ

             Trump lies above every side suit, so one comparison of bits settles who
             beats whom.
Cards        a tuple of such planes, one a deck (`kernels.planes`).
Place plane  a slot plane in which the equal level cards (副级牌) are folded into one
             bit: neighbours in the order of RULES.md section 2 are neighbouring bits.
Suit         an effective suit: 0..3 side suits S H C D, 4 trump.
"""

import numpy as np

from kernels.bits import ALL, U0, U1, choose, highest, highest_index, popcount
from kernels.codes import (
    BIG_JOKER,
    FACES,
    JOKER_LEVEL,
    LITTLE_JOKER,
    LOWEST_LEVEL,
    NO_TRUMP,
)
from kernels.jit import jit, jit_inline

TRUMP = 4  # the effective suit of trumps
LANE = 14  # bits from one side suit's first slot to the next one's
SUIT_TRUMP_BASE, NO_TRUMP_BASE = 42, 56
RANKS = 13
FIVE, TEN, KING = 3, 8, 11  # ranks that carry points
TOPS = 3  # cards of a side suit that may be called high

LAYOUT_DTYPE = np.dtype(
    [
        ("level", "i8"),
        ("trump", "i8"),
        # Slots of each effective suit; none at the trump suit's own number 0..3.
        ("suit", "u8", (5,)),
        ("trumps", "u8"),  # suit[TRUMP] again
        ("off", "u8"),  # slots of the level cards that share one place
        ("off_place", "u8"),  # that place's bit; 0 at the joker level
        ("low", "u8"),  # slots below `off`
        ("high", "u8"),  # slots above `off`
        ("fold", "u8"),  # how far `high` moves down when folded
        ("fives", "u8"),
        ("tens", "u8"),  # tens and kings
        ("points", "u8"),  # fives and tens
        ("jokers", "u8"),
        ("level_cards", "u8"),
        ("rank", "u8"),  # the level's rank; 13 at the joker level
        ("suit_base", "u8", (4,)),  # first slot of each printed suit's plain ranks
        ("level_slot", "u8", (4,)),
        ("joker_slot", "u8"),
        ("suit_of", "i1", (64,)),  # slot -> effective suit
        ("face_of", "i1", (64,)),  # slot -> face; -1 unused
        ("slot_of", "i1", (FACES,)),  # face -> slot
        ("place_of", "i1", (64,)),  # slot -> index of its place
        ("above", "u8", (65,)),  # [place + 1]: slots on higher places; [0] every slot
        ("tops", "u8"),  # all trumps, and the highest TOPS of each side suit
        ("stay", "u8", (4,)),  # slots from which 1, 2, 4, 8 up is in the same suit
    ],
    align=True,
)


def build_layout(level: int, trump: int) -> np.void:
    """The layout of one (level, trump): a record of LAYOUT_DTYPE."""
    layout = np.zeros((), LAYOUT_DTYPE)
    layout["level"], layout["trump"] = level, trump
    rank = RANKS if level == JOKER_LEVEL else level - LOWEST_LEVEL
    layout["rank"] = rank
    slot_of = np.full(FACES, -1)
    lane = 0
    for suit in range(4):
        base = SUIT_TRUMP_BASE if suit == trump else lane * LANE
        lane += suit != trump
        layout["suit_base"][suit] = base
        plain = [r for r in range(RANKS) if r != rank]
        for place, plain_rank in enumerate(plain):
            slot_of[RANKS * suit + plain_rank] = base + place
    off_suits = [suit for suit in range(4) if suit != trump]
    next_slot = NO_TRUMP_BASE if trump == NO_TRUMP else SUIT_TRUMP_BASE + RANKS - 1
    off = []
    if level != JOKER_LEVEL:
        for suit in [*off_suits, *([trump] if trump != NO_TRUMP else [])]:
            slot_of[RANKS * suit + rank] = next_slot
            layout["level_slot"][suit] = next_slot
            if suit != trump:
                off.append(next_slot)
            next_slot += 1
    layout["joker_slot"] = next_slot
    slot_of[LITTLE_JOKER], slot_of[BIG_JOKER] = next_slot, next_slot + 1

    masks = dict.fromkeys(("fives", "tens", "jokers", "level_cards"), 0)
    suits = [0] * 5
    layout["suit_of"], layout["face_of"] = -1, -1
    for face in range(FACES):
        slot = int(slot_of[face])
        mask = 1 << slot
        joker = face >= LITTLE_JOKER
        printed, face_rank = divmod(face, RANKS)
        is_level = not joker and face_rank == rank
        suit = TRUMP if joker or is_level or printed == trump else printed
        suits[suit] |= mask
        layout["suit_of"][slot], layout["face_of"][slot] = suit, face
        masks["jokers"] |= mask * joker
        masks["level_cards"] |= mask * is_level
        masks["fives"] |= mask * (not joker and face_rank == FIVE)
        masks["tens"] |= mask * (not joker and face_rank in (TEN, KING))
    layout["slot_of"] = slot_of
    layout["suit"] = np.array(suits, np.uint64)
    layout["trumps"] = suits[TRUMP]
    layout["tops"] = suits[TRUMP] | sum(suit & ~(suit >> TOPS) for suit in suits[:4])
    for doubling in range(4):
        layout["stay"][doubling] = sum(suit & suit >> (1 << doubling) for suit in suits)
    for name, mask in masks.items():
        layout[name] = mask
    layout["points"] = masks["fives"] | masks["tens"]
    off_mask = sum(1 << slot for slot in off)
    every = sum(1 << int(slot) for slot in slot_of)
    layout["off"] = off_mask
    layout["off_place"] = off_mask & -off_mask
    layout["low"] = every & ((off_mask & -off_mask) - 1) if off else 0
    layout["high"] = every & ~off_mask & ~int(layout["low"])
    layout["fold"] = max(0, len(off) - 1)
    for slot in map(int, slot_of):
        if slot in off:
            place = off[0]
        else:
            place = slot - int(layout["fold"]) * (1 << slot > off_mask)
        layout["place_of"][slot] = place
        layout["above"][: place + 1] |= np.uint64(1 << slot)
    return layout[()]


# Faces that carry five points, and ten.
FIVE_FACES, TEN_FACES = (
    np.uint64(sum(1 << RANKS * suit + rank for suit in range(4) for rank in ranks))
    for ranks in ((FIVE,), (TEN, KING))
)

# Every layout there is, [level, trump]; levels below 2 are unused.
LAYOUTS = np.zeros((JOKER_LEVEL + 1, NO_TRUMP + 1), LAYOUT_DTYPE)
for _level in range(LOWEST_LEVEL, JOKER_LEVEL + 1):
    for _trump in range(NO_TRUMP + 1):
        if _level < JOKER_LEVEL or _trump == NO_TRUMP:
            LAYOUTS[_level, _trump] = build_layout(_level, _trump)


@jit
def to_slots(faces, layout):
    """Move a face plane into the slots of a layout: uint64 -> uint64.

    Each printed suit closes the gap its level rank leaves and moves as a block.
    """
    rank = layout.rank
    below = (U1 << rank) - U1
    slots = (faces >> np.uint64(LITTLE_JOKER)) << layout.joker_slot
    for suit in range(4):
        ranks = (faces >> np.uint64(RANKS * suit)) & np.uint64(0x1FFF)
        plain = (ranks & below) | ((ranks >> (rank + U1)) << rank)
        slots |= plain << layout.suit_base[suit]
        slots |= ((ranks >> rank) & U1) << layout.level_slot[suit]
    return slots


@jit
def to_faces(slots, layout):
    """Move a slot plane back into faces: uint64 -> uint64, the inverse of to_slots."""
    rank = layout.rank
    below = (U1 << rank) - U1
    faces = ((slots >> layout.joker_slot) & np.uint64(3)) << np.uint64(LITTLE_JOKER)
    for suit in range(4):
        block = slots >> layout.suit_base[suit]
        ranks = block & below
        if rank < np.uint64(RANKS):
            above = (block & np.uint64(0xFFF)) >> rank
            ranks |= above << (rank + U1)
            ranks |= ((slots >> layout.level_slot[suit]) & U1) << rank
        faces |= ranks << np.uint64(RANKS * suit)
    return faces


@jit
def fold(slots, layout):
    """Slot plane -> place plane: the equal level cards become one bit."""
    places = (slots & layout.low) | ((slots & layout.high) >> layout.fold)
    if slots & layout.off:
        places |= layout.off_place
    return places


@jit
def top_place(slots, layout):
    """Index (int64) of the highest place among some slots; -1 for none."""
    if slots == U0:
        return -1
    return np.int64(layout.place_of[highest_index(slots)])


@jit
def slots_above(place, layout):
    """Slots (a mask) that stand on a higher place than an index; all for -1."""
    return layout.above[place + 1]


@jit_inline
def outranked(slots, layout):
    """Slots (a mask) that stand lower than the highest of some slots of their suit.

    All suits at once: what is marked is smeared downwards inside each suit.
    """
    stay = layout.stay
    low = (slots >> U1) & stay[0]
    low |= (low >> U1) & stay[0]
    low |= (low >> np.uint64(2)) & stay[1]
    low |= (low >> np.uint64(4)) & stay[2]
    low |= (low >> np.uint64(8)) & stay[3]
    low |= (low >> U1) & stay[0]  # the longest suit has eighteen slots
    # Equal level cards do not outrank each other.
    return low & ~choose(slots & layout.high == U0, layout.off, U0)


@jit_inline
def slots_over(slot, layout):
    """Slots (a mask) that stand on a higher place than one slot; all of no slot."""
    equal = choose(slot & layout.off != U0, layout.off, U0)
    return (~(slot | (slot - U1)) & ~equal) | choose(slot == U0, ALL, U0)


@jit_inline
def slots_from(slots, layout):
    """Slots that stand no lower than the highest of some slots of one suit; or all."""
    top = highest(slots)
    equal = choose(top & layout.off != U0, layout.off, U0)
    return ~(top - U1) | equal | choose(top == U0, ALL, U0)


@jit
def unfold(place, layout):
    """Slots (a mask) that stand on one place (one bit)."""
    if place < layout.off_place:
        return place
    if place == layout.off_place:
        return layout.off
    return place << layout.fold


@jit_inline
def count_points(cards, layout):
    """Points (5, 10, 10) of some cards, slot planes of the layout."""
    fives, tens = layout.fives, layout.tens
    fives_held = popcount(cards[0] & fives) + popcount(cards[1] & fives)
    tens_held = popcount(cards[0] & tens) + popcount(cards[1] & tens)
    if len(cards) > 2:
        fives_held += popcount(cards[2] & fives)
        tens_held += popcount(cards[2] & tens)
    if len(cards) > 3:
        fives_held += popcount(cards[3] & fives)
        tens_held += popcount(cards[3] & tens)
    return 5 * fives_held + 10 * tens_held


@jit_inline
def count_face_points(faces):
    """Points (5, 10, 10) of some cards, face planes."""
    points = 0
    for plane in faces:
        points += 5 * popcount(plane & FIVE_FACES) + 10 * popcount(plane & TEN_FACES)
    return points


@jit
def cards_to_slots(faces, layout):
    """Move all planes of some cards into the slots of a layout."""
    one, two = to_slots(faces[0], layout), to_slots(faces[1], layout)
    if len(faces) == 2:
        return one, two
    three = to_slots(faces[2], layout)
    if len(faces) == 3:
        return one, two, three
    return one, two, three, to_slots(faces[3], layout)


@jit
def cards_to_faces(slots, layout):
    """Move all planes of some cards back into faces."""
    one, two = to_faces(slots[0], layout), to_faces(slots[1], layout)
    if len(slots) == 2:
        return one, two
    three = to_faces(slots[2], layout)
    if len(slots) == 3:
        return one, two, three
    return one, two, three, to_faces(slots[3], layout)
