"""How fast each hot kernel is, on the positions that played deals came to.

Every work here goes through all its positions once and returns a checksum of what the
kernel answered: equal checksums, equal work. Bytes of a view that a policy writes (its
stream of random numbers) are set back before each call, so that each pass is the same.
"""

import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import NamedTuple

import numpy as np

from kernels.calls import STAGE_DRAW, calls_in_hand, clear_calls, legal_calls
from kernels.codes import plain_options
from kernels.follow import duty, judge_follow
from kernels.jit import jit
from kernels.layout import LAYOUTS, cards_to_slots
from kernels.planes import load, within
from kernels.rng import SHUFFLE, deal_key, shuffle, stream_key
from kernels.score import bottom_multiplier, read_level_table
from kernels.shape import read_shape
from kernels.throw import smallest_failing
from kernels.trick import strength
from sim.bench.floor import Figure, figure
from sim.bench.positions import Positions, played_positions
from sim.opening import make_trump
from sim.policies.catalog import setting_codes
from sim.policies.dispatch import decide_bury, decide_follow, decide_lead
from sim.table import lay_table, set_game
from sim.task import make_task

MIX, SHIFT = np.uint64(0x9E3779B97F4A7C15), np.uint64(29)
SETTINGS = {"variant": "menghuan", "level": "all", "seed": 1}
DEALS = 200  # whose positions are taken: too many for a processor to learn by heart
LEAST_UNITS = 20_000  # of a pass: what calling a kernel takes must not count
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


class Work(NamedTuple):
    """A kernel's work: called, it goes through all positions."""

    name: str
    unit: str
    count: int
    run: Callable[[], object]

    def checksum(self) -> str:
        return f"{int(self.run()) & (1 << 64) - 1:016x}"


def works(deals: int = DEALS, least: int = LEAST_UNITS) -> Iterator[Work]:
    """The work of every hot kernel, on the positions of some deals.

    Parameters
    ----------
    deals : int
    least : int
        Units of a pass at least: the positions are repeated as often as that takes.
    """
    task = make_task(**SETTINGS, policy="textbook")
    codes = task.rules.codes()
    options = plain_options(codes)
    at = Positions(*(repeated(it, least) for it in played_positions(task, deals)))
    game, table = set_game(codes, *setting_codes(task.policies)), lay_table()
    drawn = max(deals, least // 100)

    yield Work(
        "shuffle and draw",
        "deal",
        drawn,
        partial(draw_deals, game[0], table[0], drawn),
    )
    for name, unit, spots, kernel, given in (
        ("layout", "hand", at.draws, lay_out, LAYOUTS),
        ("calls", "card drawn", at.draws, find_calls, options),
        ("read_shape", "lead", at.leads, read_shapes, LAYOUTS),
        ("duty", "follow", at.follows, find_duties, LAYOUTS),
        ("judge_follow", "follow", at.follows, judge_follows, LAYOUTS),
        ("throw", "throw", at.throws, check_throws, LAYOUTS),
        ("strength", "follow", at.follows, find_strengths, LAYOUTS),
        ("bottom multiplier", "deal", at.rows, find_multipliers, codes),
        ("level table", "deal", at.rows, read_tables, codes),
    ):
        yield Work(name, unit, len(spots), partial(kernel, spots, given))
    for policy in ("random", "textbook"):
        settings = make_task(**SETTINGS, policy=policy).policies
        seat = set_game(codes, *setting_codes(settings))[0]["seats"][0]
        asked = (LAYOUTS, int(seat["policy"]), seat["thresholds"])
        for name, spots, kernel in (
            ("bury", at.buries, decide_buries),
            ("lead", at.leads, decide_leads),
            ("follow", at.follows, decide_follows),
        ):
            work = partial(kernel, spots, *asked)
            yield Work(f"{name} ({policy})", name, len(spots), work)


def repeated(spots: np.ndarray, least: int) -> np.ndarray:
    """Positions over and over, until there are enough."""
    return np.tile(spots, max(1, -(-least // len(spots))))


ROUND_UNITS = 200_000  # about, so that the clock's own time does not count
FLOOR_DEALS = 20_000


def measure_kernels(
    deals: int, rounds: int, doing: Callable[[str], object]
) -> list[Figure]:
    """A figure for each hot kernel.

    Parameters
    ----------
    deals : int
        Whose positions are taken.
    rounds : int
    doing : function
        Told what is being measured.
    """
    figures = []
    for work in works(deals):
        doing(f"kernels: {work.name}")
        checksum = work.checksum()  # warms up, too
        passes = max(1, ROUND_UNITS // (work.count))
        figures.append(
            figure(
                work.name,
                work.unit,
                partial(repeat, work, passes),
                work.count * passes,
                checksum,
                rounds,
                FLOOR_DEALS,
                clock=time.thread_time,
            )
        )
    return figures


def repeat(work: Work, passes: int) -> None:
    for _ in range(passes):
        work.run()
