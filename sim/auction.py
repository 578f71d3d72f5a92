"""The auction (叫分): targets called downwards make the declarer, who picks trumps."""

from kernels.codes import JOKER_LEVEL, NO_TRUMP
from kernels.jit import jit
from kernels.planes import load
from sim.calling import show_bidder
from sim.policies.dispatch import decide_target, decide_trump
from sim.table import LOG_PASS, LOG_TARGET, write_log

LOWEST_TARGET = TARGET_STEP = 5


@jit
def hold_auction(game, table):
    """Let the seats call targets; the last caller is declarer and picks trumps.

    From the first drawer each seat calls less than the standing target, or passes for
    good, until all but the caller have passed (RULES.md section 10, `pick-trump`).
    """
    highest = game.codes.take_over
    caller, target = -1, highest
    passed, seat = 0, table.first
    while passed != 0b1111 and not (caller >= 0 and passed | 1 << caller == 0b1111):
        if passed >> seat & 1 == 0:
            called = -1
            if highest >= LOWEST_TARGET:
                called = ask_for_target(seat, highest, game, table)
            if called < 0:
                passed |= 1 << seat
                write_log(table, LOG_PASS, seat, 0, 0)
            else:
                caller, target, highest = seat, called, called - TARGET_STEP
                write_log(table, LOG_TARGET, seat, target, 0)
        seat = (seat + 1) & 3
    table.declarer = table.first if caller < 0 else caller
    table.target = target
    table.level = table.standing.levels[table.declarer]
    table.trump = NO_TRUMP
    if table.level < JOKER_LEVEL:
        table.trump = pick_trump(table.declarer, game, table)


@jit
def ask_for_target(seat, highest, game, table):
    """A target (points) that a seat calls, at most the highest; -1: it passes."""
    show_bidder(seat, game, table)
    target = decide_target(
        game.seats[seat].policy,
        game.seats[seat].thresholds,
        table.seen,
        highest,
        game.codes.take_over,
        load(table.faces[seat]),
        table.standing.levels[seat],
    )
    table.random[seat] = table.seen.random
    return target


@jit
def pick_trump(seat, game, table):
    """The trump suit (0..3) that the auction's winner picks."""
    show_bidder(seat, game, table)
    trump = decide_trump(
        game.seats[seat].policy,
        game.seats[seat].thresholds,
        table.seen,
        load(table.faces[seat]),
        table.level,
    )
    table.random[seat] = table.seen.random
    return trump
