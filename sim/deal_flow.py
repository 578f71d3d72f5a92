"""One deal, from the shuffle to the result row; and blocks of them.

draw -> calls -> the declarer takes the bottom -> buries -> (overcalls with rebury) ->
tricks -> score. Hands are face planes until trumps are made for good, then slot planes.
Nothing is allocated inside a deal: one table is laid and used for every deal.
"""

import numpy as np

from kernels.calls import call_kind, clear_calls
from kernels.codes import (
    LOWEST_LEVEL,
    RuleCodes,
)
from kernels.jit import jit
from kernels.layout import count_face_points
from kernels.planes import load
from kernels.rng import POLICY, SHUFFLE, deal_key, shuffle, stream_key
from kernels.score import next_declarer, read_level_table, row_multiplier, row_total
from sim.friends import make_sides
from sim.opening import bury_and_overcall, make_trump
from sim.policies.view import clear_view
from sim.table import (
    BURY_PART,
    DRAW_PART,
    SCORE_PART,
    end_part,
    lay_table,
    set_game,
    start_clock,
)
from sim.tricks import play_tricks, sort_hands

LEVELS_IN_TURN = 13  # level plan `all`: 2 + deal index mod 13
ALL_LEVELS = 0
# A match's first deal that nobody bids is dealt again, and so is a later one where an
# attacker demands it; policies that never have enough would deal for ever, so such a
# deal is given up and its row says so.
MOST_REDEALS = 10_000
GIVEN_UP = -1


class PlayError(ValueError):
    """Deals that these policies cannot play: one sentence that says why."""


@jit
def score_deal(row, codes, table):
    """Fill in what the run's own rules make of the facts."""
    row.captured = 1 - (table.declarers >> row.last_winner & 1)
    multiplier = row_multiplier(row, codes)
    total = row_total(row, multiplier)
    row.multiplier, row.total = multiplier, total
    side, levels = read_level_table(total, row.target, codes)
    row.side, row.levels = side, levels
    row.next_declarer = next_declarer(np.int64(row.declarer), table.friend, side, codes)


@jit
def play_deal(seed, index, deal, standing, row, game, table):
    """Play one deal of a seed and fill its row.

    Parameters
    ----------
    seed : uint64
    index, deal : int64
        Deal index and 0; in a match its number and the deal's number in it.
    standing : STANDING record
        How the match stands: in a first deal (declarer -1) all are at one level.
    row : DEAL_DTYPE record
        Written whole. `redeals` is GIVEN_UP if it was dealt again without end.
    game : GAME record
    table : TABLE record
    """
    start_clock(table)
    table.given = standing.declarer
    table.first = max(0, table.given)
    table.standing = standing
    row.deal_index = index
    row.throws_declarers, row.throws_attackers = 0, 0
    row.failed_declarers, row.failed_attackers = 0, 0
    row.penalty_points = 0
    calls = table.calls
    for redeal in range(MOST_REDEALS):
        key = deal_key(seed, index, deal, redeal)
        table.entries = 0
        shuffle(stream_key(key, SHUFFLE, 0), table.deck)
        for seat in range(4):
            table.random[seat] = stream_key(key, POLICY, seat)
        clear_calls(calls)
        clear_view(table.seen)
        played = make_trump(key, game, table)
        end_part(DRAW_PART, table)
        row.redeals = redeal
        if played:
            break
    else:
        row.redeals = GIVEN_UP
        return
    row.declarer, row.level, row.target = table.declarer, table.level, table.target
    row.dealt_points = count_face_points(load(table.faces[4]))
    burier = bury_and_overcall(game, table)
    end_part(BURY_PART, table)
    row.trump, row.burier = table.trump, burier
    row.bidder, row.bid_kind = calls.bidder, call_kind(calls.bid)
    row.caller, row.call_kind = calls.seat, call_kind(calls.call)
    row.overcalls, row.coin_factor = calls.overcalls, 1 << calls.overcalls
    layout = game.layouts[table.level, table.trump]
    sort_hands(layout, table)
    make_sides(table.declarer, burier, layout, row, game, table)
    play_tricks(table.declarer, burier, layout, row, game, table)
    score_deal(row, game.codes, table)
    end_part(SCORE_PART, table)


@jit
def play_rows(game, level, first_deal, seed, start, rows, table):
    """Play deals start, start + 1, … of a seed, one a row, each by itself.

    In a later deal the declarer is seat 0.
    """
    standing = table[0].standing
    standing.declarer, standing.ended = -1 if first_deal else 0, 0
    standing.laps[:] = 0
    for place in range(len(rows)):
        index = start + place
        played = level
        if level == ALL_LEVELS:
            played = LOWEST_LEVEL + index % LEVELS_IN_TURN
        standing.levels[:] = played
        play_deal(seed, index, 0, standing, rows[place], game[0], table[0])


def play_block(
    codes: RuleCodes,
    policies: np.ndarray,
    parameters: np.ndarray,
    level: int,
    first_deal: bool,
    seed: int,
    start: int,
    rows: np.ndarray,
) -> None:
    """Play a block of deals; the result is a function of the arguments alone.

    Parameters
    ----------
    codes : RuleCodes
    policies : int64[4]
    parameters : int64[4, P]
    level : int
        2..15, or ALL_LEVELS.
    first_deal : bool
    seed : int
        0 .. 2**64 - 1.
    start : int
        Deal index of the first row.
    rows : DEAL_DTYPE[n]
        Filled in place.

    Raises
    ------
    PlayError
        If under these policies a deal is dealt again without end.
    """
    game = set_game(codes, policies, parameters)
    play_rows(
        game,
        level,
        first_deal,
        np.uint64(seed),
        start,
        rows,
        lay_table(codes.decks),
    )
    if (rows["redeals"] == GIVEN_UP).any():
        raise PlayError(given_up_words(first_deal))


def given_up_words(first_deal: bool) -> str:
    """Why deals were given up: nobody bids a first one, or all are dealt again."""
    if first_deal:
        return (
            f"nobody bids in {MOST_REDEALS} shuffles in a row under these policies; "
            "let them bid on less"
        )
    return (
        f"{MOST_REDEALS} shuffles in a row are dealt again for a weak hand (暴动): "
        "lower redeal.weak_attacker_points"
    )
