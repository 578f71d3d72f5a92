"""Following: the duty a hand owes to a lead, and whether a follow pays it.

RULES.md section 6. With two decks: owe the longest tractors you can up to the lead's,
then as many pairs as the lead has, then any cards of the suit. With more, what cannot
be paid in triples is owed in pairs: `pay` walks through it.
"""

import numpy as np

from kernels.bits import U0, U1, lowest, nth_bit, popcount
from kernels.codes import FOLLOW_SUIT
from kernels.jit import jit
from kernels.layout import fold
from kernels.planes import (
    add_cards,
    at_least,
    copies,
    count_cards,
    load,
    no_cards,
    remove_cards,
    within,
)
from kernels.rng import GOLDEN, high_product, mix
from kernels.shape import (
    LENGTH,
    LENGTH_MASK,
    RUNS_MASK,
    count_runs,
    longest_run,
    run_mask,
    run_starts,
    spare_tuples,
    tuples_in,
    tuples_on,
    without_run,
)

# A duty is a list of entries, its first one highest, so that it compares as a number:
# with two decks of nibbles, the lengths in pairs.
LIST_TOP = 60
NIBBLE = np.uint64(4)
# With more decks an entry is width, less 1, and length; the list fills three numbers.
WIDE_ENTRY, ENTRIES_IN_ONE, LENGTH_BITS = 7, 9, 5

# Which of the windows that pay an entry is taken: any; the lowest liked one; the one
# that the rule itself names.
BY_LOT, LIKED, BY_RULE = range(3)


@jit
def duty(cards, shape, layout):
    """What cards of the led suit owe to a lead, or what they pay.

    Parameters
    ----------
    cards : planes
        Slot planes of cards of the led suit.
    shape : tuple of uint64
        The lead's forms (kernels.shape.read_shape).
    layout : LAYOUT record

    Returns
    -------
    uint64, or a tuple of three
        The duty list. Greater is more.
    """
    if len(cards) == 2:
        return duty_in_pairs(cards[1], shape[0], layout)
    entries, _ = pay(cards, shape, BY_RULE, U0, U0, layout)
    return entries


@jit
def duty_in_pairs(pairs, form, layout):
    """The duty with two decks: a nibble an entry, in pairs."""
    places = fold(pairs, layout)
    spare = spare_tuples(pairs, layout)
    entries = U0
    shift = LIST_TOP
    _, in_runs = count_runs(form)
    lone = tuples_in(form) - in_runs
    runs = form & RUNS_MASK
    while runs:
        owed = np.int64(runs & LENGTH_MASK)
        runs >>= LENGTH
        while owed >= 2:
            length, start = longest_run(places)
            if length < 2:
                break
            paid = min(owed, length)
            entries |= np.uint64(paid) << np.uint64(shift)
            shift -= 4
            start <<= np.uint64(length - paid)
            places, spare = without_run(places, spare, start, paid, layout.off_place)
            owed -= paid
        lone += owed
    for _ in range(min(lone, popcount(places) + spare)):
        entries |= np.uint64(1) << np.uint64(shift)
        shift -= 4
    return entries


@jit
def windows(places, length, choice, liked):
    """Lowest places of the windows among which one entry of a duty is paid: a mask.

    Parameters
    ----------
    places : uint64
        Places that hold tuples of the width owed, a run of `length` among them.
    length, choice : int64
        All of BY_LOT, the lowest of LIKED, the one of BY_RULE is to be taken.
    liked : uint64
        Places to be given first (LIKED).
    """
    if choice == BY_RULE:
        if length == 1:
            return lowest(places)
        run, start = longest_run(places)
        return start << np.uint64(run - length)
    if choice == LIKED:
        best = run_starts(places & liked, length)
        if best:
            return best
    return run_starts(places, length)


@jit
def add_entry(entries, count, width, length):
    """A duty list of more than two decks with another entry, its `count`-th."""
    shift = np.uint64(WIDE_ENTRY * (ENTRIES_IN_ONE - 1 - count % ENTRIES_IN_ONE))
    entry = np.uint64((width - 1) << LENGTH_BITS | length) << shift
    first, second, third = entries
    if count < ENTRIES_IN_ONE:
        return first | entry, second, third
    if count < 2 * ENTRIES_IN_ONE:
        return first, second | entry, third
    return first, second, third | entry


def duty_entries(duty_list: int | tuple[int, ...]) -> list[tuple[int, int]]:
    """The entries (width, length) of a duty list, for people."""
    if isinstance(duty_list, tuple):
        each = [
            int(number) >> WIDE_ENTRY * place & (1 << WIDE_ENTRY) - 1
            for number in duty_list
            for place in reversed(range(ENTRIES_IN_ONE))
        ]
        pairs = [((it >> LENGTH_BITS) + 1, it & (1 << LENGTH_BITS) - 1) for it in each]
    else:
        pairs = [(2, int(digit, 16)) for digit in f"{int(duty_list):016x}"]
    return [(width, length) for width, length in pairs if length]


# Runs owed at one width as one number: a nibble a length, from 2 up, that counts them.
@jit
def add_run(owed, length):
    """One more run of a length is owed."""
    return owed + (U1 << np.uint64(4 * (length - 2)))


@jit
def longest_owed(owed):
    """The longest run that is owed; 0 for none."""
    length = 0
    while owed:
        length += 1
        owed >>= np.uint64(4)
    return length + 1 if length else 0


@jit
def pay(cards, shape, choice, liked, luck, layout):
    """Walk through the duty of cards of the led suit and pay it.

    Parameters
    ----------
    cards : planes
        Of three or four decks.
    shape : tuple of uint64
        The lead's forms.
    choice : int64
        BY_LOT, LIKED or BY_RULE: which of the windows that would do is taken.
    liked, luck : uint64
        Places to be given first (LIKED); random bits (BY_LOT).
    layout : LAYOUT record

    Returns
    -------
    entries : tuple of three uint64
        The duty list, or what these choices make of it.
    paid : planes
    """
    left, paid = cards, no_cards(cards)
    entries, count = (U0, U0, U0), 0
    carried_runs, carried_lone = U0, 0
    for width in range(len(cards), 1, -1):
        form = shape[width - 2]
        owed, lone = carried_runs, carried_lone + tuples_in(form)
        runs = form & RUNS_MASK
        while runs:
            length = np.int64(runs & LENGTH_MASK)
            owed = add_run(owed, length)
            lone -= length
            runs >>= LENGTH
        # What remains of each run, in order: nibbles, one less than the length.
        remains, remaining = U0, 0
        while owed:
            length = longest_owed(owed)
            owed -= U1 << np.uint64(4 * (length - 2))
            while length >= 2:
                held, _ = longest_run(fold(at_least(left, width), layout))
                if held < 2:
                    break
                part = min(length, held)
                luck = mix(luck + GOLDEN)
                left, paid = strike(
                    left, paid, width, part, choice, liked, luck, layout
                )
                entries, count = add_entry(entries, count, width, part), count + 1
                length -= part
            if length:
                remains |= np.uint64(length - 1) << np.uint64(4 * remaining)
                remaining += 1
        # Lone tuples come before what remains of the runs.
        carried_runs, carried_lone = U0, 0
        for place in range(-1, remaining):
            need = lone
            if place >= 0:
                need = np.int64((remains >> np.uint64(4 * place)) & np.uint64(15)) + 1
            while need > 0 and at_least(left, width):
                luck = mix(luck + GOLDEN)
                left, paid = strike(left, paid, width, 1, choice, liked, luck, layout)
                entries, count = add_entry(entries, count, width, 1), count + 1
                need -= 1
            if place >= 0 and need > 1:
                carried_runs = add_run(carried_runs, need)
            else:
                carried_lone += need
    return entries, paid


@jit
def strike(left, paid, width, length, choice, liked, luck, layout):
    """Move one run of tuples from the cards left to those paid: (left, paid)."""
    places = fold(at_least(left, width), layout)
    starts = windows(places, length, choice, liked)
    start = lowest(starts)
    if choice == BY_LOT:
        start = nth_bit(
            starts, np.int64(high_product(luck, np.uint64(popcount(starts))))
        )
    slots = tuples_on(run_mask(start, length), left, width, layout)
    part = copies(slots, width, left)
    return remove_cards(left, part), add_cards(paid, part)


@jit
def owes_shape(width, is_throw, codes):
    """Whether a follower must answer tuples with tuples at all.

    Parameters
    ----------
    width : int64
        Of the lead's widest component.
    is_throw : bool
    codes : record with a field `throw_follow`
    """
    return width > 1 and not (is_throw and codes.throw_follow == FOLLOW_SUIT)


LEGAL, WRONG_COUNT, WRONG_SUIT, DUTY_NOT_MET = range(4)


@jit
def judge_follow(hand, play, lead, layout):
    """Whether a follow is legal, and if not why.

    Parameters
    ----------
    hand : planes
        The whole hand, the play included.
    play : planes
        Part of the hand.
    lead : LEAD record
    layout : LAYOUT record

    Returns
    -------
    int64
        LEGAL, WRONG_COUNT, WRONG_SUIT or DUTY_NOT_MET.
    """
    if count_cards(play) != lead.cards:
        return WRONG_COUNT
    lane = layout.suit[lead.suit]
    held = count_cards(within(hand, lane))
    if count_cards(within(play, lane)) < min(held, lead.cards):
        return WRONG_SUIT
    if held <= lead.cards or not lead.owes_shape:
        return LEGAL
    shape = load(lead.shape)
    owed = duty(within(hand, lane), shape, layout)
    if duty(within(play, lane), shape, layout) < owed:
        return DUTY_NOT_MET
    return LEGAL
