"""Each hot kernel called over and over, on many positions: a checksum of the answers.

Bytes of a View that a policy writes (its stream of random numbers) are set back before
each call, so that each pass is the same.
"""

import numpy as np

from kernels.calls import STAGE_DRAW, calls_in_hand, clear_calls, legal_calls
from kernels.follow import duty, judge_follow
from kernels.jit import jit
from kernels.layout import cards_to_slots
from kernels.planes import load, within
from kernels.rng import SHUFFLE, deal_key, shuffle, stream_key
from kernels.score import bottom_multiplier, read_level_table
from kernels.shape import read_shape
from kernels.throw import smallest_failing
from kernels.trick import strength
from sim.opening import make_trump
from sim.policies.dispatch import decide_bury, decide_follow, decide_lead

MIX, SHIFT = np.uint64(0x9E3779B97F4A7C15), np.uint64(29)
LEVEL = 5


@jit
def mixed(checksum, value):
    """A checksum with one more value (uint64) in it; their order counts."""
    word = (checksum ^ value) * MIX
    return word ^ (word >> SHIFT)


@jit
def draw_deals(game, table, deals):
    """Shuffle, deal and ask for calls."""
    checksum = MIX
    standing = table.standing
    standing.declarer, standing.ended = 0, 0
    standing.levels[:] = LEVEL
    table.given, table.first = 0, 0
    for index in range(deals):
        key = deal_key(np.uint64(1), index, 0, 0)
        shuffle(stream_key(key, SHUFFLE, 0), table.deck)
        clear_calls(table.calls)
        make_trump(key, game, table)
        for seat in range(4):
            checksum = mixed(checksum, table.faces[seat].one)
        checksum = mixed(checksum, np.uint64(table.trump))
    return checksum


@jit
def lay_out(draws, layouts):
    """Move the cards held into the slots of the deal's layout."""
    checksum = MIX
    for place in range(len(draws)):
        draw = draws[place]
        cards = cards_to_slots(load(draw.held), layouts[draw.level, draw.trump])
        checksum = mixed(mixed(checksum, cards[0]), cards[1])
    return checksum


@jit
def find_calls(draws, codes):
    """Which calls a seat may make after each card drawn."""
    checksum = MIX
    for place in range(len(draws)):
        draw = draws[place]
        one, two = load(draw.held)
        held = calls_in_hand(one, two, draw.level, codes.with_joker)
        legal = legal_calls(held, draw.seat, STAGE_DRAW, 0, False, draw.calls, codes)
        checksum = mixed(checksum, np.uint64(legal))
    return checksum


@jit
def read_shapes(spots, layouts):
    """The forms of each lead."""
    checksum = MIX
    for place in range(len(spots)):
        spot = spots[place]
        shape = read_shape(load(spot.cards), layouts[spot.level, spot.trump])
        checksum = mixed(checksum, shape[0])
    return checksum


@jit
def find_duties(spots, layouts):
    """What each follower owes."""
    checksum = MIX
    for place in range(len(spots)):
        spot = spots[place]
        layout, lead = layouts[spot.level, spot.trump], spot.seen.lead
        cards = within(load(spot.seen.hand), layout.suit[lead.suit])
        checksum = mixed(checksum, np.uint64(duty(cards, load(lead.shape), layout)))
    return checksum


@jit
def judge_follows(spots, layouts):
    """Whether each follow is legal."""
    checksum = MIX
    for place in range(len(spots)):
        spot = spots[place]
        fault = judge_follow(
            load(spot.seen.hand),
            load(spot.cards),
            spot.seen.lead,
            layouts[spot.level, spot.trump],
        )
        checksum = mixed(checksum, np.uint64(fault))
    return checksum


@jit
def check_throws(spots, layouts):
    """What each throw comes to."""
    checksum = MIX
    for place in range(len(spots)):
        spot = spots[place]
        width, slots = smallest_failing(
            load(spot.cards),
            spot.hands,
            spot.seen.seat,
            layouts[spot.level, spot.trump],
        )
        checksum = mixed(mixed(checksum, np.uint64(width)), slots)
    return checksum


@jit
def find_strengths(spots, layouts):
    """How strong each follow is."""
    checksum = MIX
    for place in range(len(spots)):
        spot = spots[place]
        power = strength(
            load(spot.cards), spot.seen.lead, layouts[spot.level, spot.trump]
        )
        checksum = mixed(checksum, np.uint64(power + 1))
    return checksum


@jit
def find_multipliers(rows, codes):
    """Each bottom's multiplier, had the last lead captured it."""
    checksum = MIX
    for place in range(len(rows)):
        row = rows[place]
        runs = (
            np.int64(row.lead_run),
            np.int64(row.lead_triples),
            np.int64(row.lead_quads),
        )
        multiplier = bottom_multiplier(
            np.int64(row.lead_cards), np.int64(row.lead_kinds), runs, codes
        )
        checksum = mixed(checksum, np.uint64(multiplier))
    return checksum


@jit
def read_tables(rows, codes):
    """What the level table makes of each total."""
    checksum = MIX
    for place in range(len(rows)):
        row = rows[place]
        side, levels = read_level_table(row.total, row.target, codes)
        checksum = mixed(checksum, np.uint64(side * 100 + levels))
    return checksum


@jit
def decide_buries(spots, layouts, policy, thresholds):
    """What a policy buries."""
    checksum = MIX
    for place in range(len(spots)):
        spot = spots[place]
        view = spot.seen
        start = view.random
        cards = decide_bury(policy, thresholds, view, layouts[spot.level, spot.trump])
        view.random = start
        checksum = mixed(mixed(checksum, cards[0]), cards[1])
    return checksum


@jit
def decide_leads(spots, layouts, policy, thresholds):
    """What a policy leads."""
    checksum = MIX
    for place in range(len(spots)):
        spot = spots[place]
        view = spot.seen
        start = view.random
        cards = decide_lead(policy, thresholds, view, layouts[spot.level, spot.trump])
        view.random = start
        checksum = mixed(mixed(checksum, cards[0]), cards[1])
    return checksum


@jit
def decide_follows(spots, layouts, policy, thresholds):
    """What a policy follows with."""
    checksum = MIX
    for place in range(len(spots)):
        spot = spots[place]
        view = spot.seen
        start = view.random
        cards = decide_follow(policy, thresholds, view, layouts[spot.level, spot.trump])
        view.random = start
        checksum = mixed(mixed(checksum, cards[0]), cards[1])
    return checksum
