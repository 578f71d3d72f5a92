"""Whole matches: deal after deal, until a side (a friend's seat) completes its laps.

A match is a function of (seed, match): deal `deal` of it has the key of both numbers.
"""

from typing import NamedTuple

import numpy as np

from kernels.codes import LOWEST_LEVEL, RuleCodes
from kernels.jit import jit
from kernels.score import STANDING_DTYPE, end_deal
from sim.deal_flow import GIVEN_UP, PlayError, given_up_words, play_deal
from sim.schema import DEAL_DTYPE, MATCH_DTYPE, STEP_DTYPE
from sim.table import lay_table, set_game

# Policies that never win a deal at a stop level would play for ever.
MOST_DEALS = 10_000
USUAL_DEALS = 40  # room for so many in each match of a block, to begin with
NO_ROOM, TOO_LONG, NEVER_DEALT = -1, -2, -3


@jit
def begin_match(standing):
    """Everyone at 2, no declarer yet."""
    standing.levels[:] = LOWEST_LEVEL
    standing.laps[:] = 0
    standing.declarer, standing.ended = -1, 0


@jit
def note_before(step, match, deal, standing):
    """Note where a deal stands in its match, and how the match stands."""
    step.match, step.deal = match, deal
    levels, laps = standing.levels, standing.laps
    step.level_0, step.level_1, step.level_2, step.level_3 = levels
    step.laps_0, step.laps_1, step.laps_2, step.laps_3 = laps


@jit
def note_after(step, standing):
    """Note how the match stands after the deal."""
    levels, laps = standing.levels, standing.laps
    step.level_after_0, step.level_after_1 = levels[0], levels[1]
    step.level_after_2, step.level_after_3 = levels[2], levels[3]
    step.laps_after_0, step.laps_after_1 = laps[0], laps[1]
    step.laps_after_2, step.laps_after_3 = laps[2], laps[3]


@jit
def play_match(seed, match, standing, told, rows, steps, first, game, table):
    """Play one match from its first deal to its end.

    Parameters
    ----------
    seed : uint64
    match : int64
    standing : STANDING record
        Written over.
    told : MATCH_DTYPE record
        Written whole.
    rows : DEAL_DTYPE[n]
    steps : STEP_DTYPE[n]
        Written from row `first` on.
    first : int64
    game, table
        As for play_deal.

    Returns
    -------
    int64
        Deals played; NO_ROOM if the rows do not hold the match, TOO_LONG if it does not
        end, NEVER_DEALT if a deal of it is dealt again without end.
    """
    begin_match(standing)
    deal, redeals, first_declarer = 0, 0, -1
    while standing.ended == 0:
        if deal == MOST_DEALS:
            return TOO_LONG
        if first + deal == len(rows):
            return NO_ROOM
        row, step = rows[first + deal], steps[first + deal]
        note_before(step, match, deal, standing)
        play_deal(seed, match, deal, standing, row, game, table)
        if row.redeals == GIVEN_UP:
            return NEVER_DEALT
        declarer = np.int64(row.declarer)
        if deal == 0:
            first_declarer = declarer
        redeals += row.redeals
        end_deal(
            standing,
            np.int64(row.side),
            np.int64(row.levels),
            declarer,
            np.int64(row.friend),
            game.codes,
        )
        note_after(step, standing)
        deal += 1
    told.match, told.deals, told.winners = match, deal, standing.ended
    told.first_declarer, told.redeals = first_declarer, redeals
    levels, laps = standing.levels, standing.laps
    told.level_0, told.level_1, told.level_2, told.level_3 = levels
    told.laps_0, told.laps_1, told.laps_2, told.laps_3 = laps
    return deal


@jit
def play_matches(game, seed, start, told, rows, steps, standing, table):
    """Play matches start, start + 1, … while the rows hold them.

    Returns
    -------
    matches, deals : int64
        How many were played to their end, and the rows that they fill.
    problem : int64
        0, or why no more were: NO_ROOM, TOO_LONG or NEVER_DEALT.
    """
    deals = 0
    for place in range(len(told)):
        played = play_match(
            seed,
            start + place,
            standing[0],
            told[place],
            rows,
            steps,
            deals,
            game[0],
            table[0],
        )
        if played < 0:
            return place, deals, played
        deals += played
    return len(told), deals, 0


class Matches(NamedTuple):
    """Some matches: one row each, and one row for each of their deals, in order."""

    told: np.ndarray  # MATCH_DTYPE
    rows: np.ndarray  # DEAL_DTYPE; deal_index is the match
    steps: np.ndarray  # STEP_DTYPE


def play_block(
    codes: RuleCodes,
    policies: np.ndarray,
    parameters: np.ndarray,
    seed: int,
    start: int,
    matches: int,
) -> Matches:
    """Play matches start .. start + matches - 1; a function of the arguments alone.

    Raises
    ------
    PlayError
        If under these policies a match, or a deal of one, does not end.
    """
    game, table = set_game(codes, policies, parameters), lay_table(codes.decks)
    standing = np.zeros(1, STANDING_DTYPE)
    told = np.zeros(matches, MATCH_DTYPE)
    room = USUAL_DEALS * matches
    parts: list[Matches] = []
    done = 0
    while done < matches:
        rows, steps = np.zeros(room, DEAL_DTYPE), np.zeros(room, STEP_DTYPE)
        played, deals, problem = play_matches(
            game,
            np.uint64(seed),
            np.int64(start + done),
            told[done:],
            rows,
            steps,
            standing,
            table,
        )
        if problem in (TOO_LONG, NEVER_DEALT):
            raise PlayError(problem_words(problem, start + done + played))
        parts.append(Matches(told[done : done + played], rows[:deals], steps[:deals]))
        done += played
        if played == 0:  # one match alone is longer than all the room
            room *= 2
    return Matches(
        told,
        np.concatenate([part.rows for part in parts]),
        np.concatenate([part.steps for part in parts]),
    )


def problem_words(problem: int, match: int) -> str:
    """Why a match has no end, in one sentence."""
    if problem == NEVER_DEALT:
        return f"match {match}: {given_up_words(True)}"
    return (
        f"match {match} is not over after {MOST_DEALS} deals under these policies and "
        "rules: with match.stop_levels a side must win as declarers there"
    )
