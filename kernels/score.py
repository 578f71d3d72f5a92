"""Scores: the bottom's multiplier, the level table, the levels after, who is next.

Everything here is a function of facts of a finished deal and of `RuleCodes`, so that
any table can be read over deals that were played under another (RULES.md 7 to 9).
"""

import numpy as np

from kernels.codes import (
    ACE_LEVEL,
    AFTER_ACE_END,
    AFTER_ACE_JOKERS,
    ATTACKERS,
    BID_AUCTION,
    CALLED,
    COUNT_BY_CARDS,
    COUNT_WIDEST_FIRST,
    DECLARERS,
    HAS_PAIR,
    HAS_QUAD,
    HAS_QUAD_RUN,
    HAS_SINGLE,
    HAS_TITANIC,
    HAS_TRACTOR,
    HAS_TRIPLE,
    JOKER_LEVEL,
    LOWEST_LEVEL,
    READ_TRICK,
)
from kernels.jit import jit

# How a match stands between two deals; a deal by itself begins from one too.
STANDING_DTYPE = np.dtype(
    [
        ("levels", "i8", (4,)),  # of each seat, 2..15
        ("laps", "i8", (4,)),  # that each seat has completed
        ("declarer", "i8"),  # of the deal to come; -1 before a match's first deal
        ("ended", "i8"),  # bits of the seats that have won the match; 0: it goes on
    ]
)


@jit
def bottom_multiplier(cards, kinds, runs, codes):
    """Multiplier of a captured bottom, from the components it is read from.

    Parameters
    ----------
    cards : int64
        Cards led in the last trick.
    kinds : int64
        Components present: bits of kernels.codes.HAS_SINGLE and the others.
    runs : tuple of three int64
        Tuples in the longest run of pairs, triples and quads; 1 lone ones, 0 none.
    codes : RuleCodes

    Returns
    -------
    int64
        RULES.md section 7.
    """
    if codes.bottom_count == COUNT_BY_CARDS:
        return 2 * cards
    table = codes.bottom_table
    best = table[0, 0] if kinds & HAS_SINGLE else 0
    if codes.bottom_count == COUNT_WIDEST_FIRST:
        # Up the list pair, tractor, triple, quad, titanic, quad run: the last present.
        if kinds & HAS_PAIR:
            best = table[1, 0]
        if kinds & HAS_TRACTOR:
            best = table[1, runs[0] - 1]
        if kinds & HAS_TRIPLE:
            best = table[2, 0]
        if kinds & HAS_QUAD:
            best = table[3, 0]
        if kinds & HAS_TITANIC:
            best = table[2, runs[1] - 1]
        if kinds & HAS_QUAD_RUN:
            best = table[3, runs[2] - 1]
        return best
    for place in range(3):
        lone, run = HAS_PAIR << 2 * place, HAS_TRACTOR << 2 * place
        if kinds & lone:
            best = max(best, table[place + 1, 0])
        if kinds & run:
            best = max(best, table[place + 1, runs[place] - 1])
    return best


@jit
def read_level_table(total, target, codes):
    """Who wins and by how many levels: (side, levels), both int64.

    The last row whose bound the total reaches counts; a total below 0 reads as 0. With
    a level step, each further step past the last row is one level more. After an
    auction, where `target` is not -1, the table is moved by what the target lies below
    the take-over bound.
    """
    total = max(0, total)
    if target >= 0:
        total += codes.take_over - target
    rows = codes.level_rows
    last = codes.level_count - 1
    row = 0
    while row < last and total >= rows[row + 1, 0]:
        row += 1
    levels = rows[row, 2]
    if row == last and codes.level_step > 0:
        levels += max(0, total - rows[row, 0]) // codes.level_step
    return rows[row, 1], levels


@jit
def climb(level, levels, declared, codes):
    """Move a side up its levels: (level after, laps completed), both int64.

    Parameters
    ----------
    level : int64
        2..14, or 15 at the joker level.
    levels : int64
        Steps to go, by the level table.
    declared : bool
        The side won as declarers, so it may leave a stop level it stands on.
    codes : RuleCodes
        RULES.md section 9: after_ace, stop_levels.
    """
    if levels > 0 and codes.stop_levels >> level & 1 and not declared:
        return level, 0
    top = JOKER_LEVEL if codes.after_ace == AFTER_ACE_JOKERS else ACE_LEVEL
    laps = 0
    for _ in range(levels):
        if level >= top:
            laps += 1
            if codes.after_ace == AFTER_ACE_END:
                break
            level = LOWEST_LEVEL
        else:
            level += 1
        if codes.stop_levels >> level & 1:
            break
    return level, laps


@jit
def is_attacker(seat, declarer, friend, codes):
    """Whether a seat is an attacker.

    Parameters
    ----------
    seat, declarer : int64
    friend : int64
        Of called partners; -1: the declarer plays alone. Fixed partners have none.
    codes : RuleCodes or OPTIONS record
    """
    if codes.partners == CALLED:
        return seat != declarer and seat != friend
    return (seat ^ declarer) & 1 == 1


@jit
def next_declarer(declarer, friend, side, codes):
    """Seat that declares the next deal (RULES.md section 9).

    With fixed partners the declarer's partner or the next seat; with called ones the
    friend, or the attacker nearest to the declarer.
    """
    if codes.partners == CALLED:
        if side == DECLARERS:
            return declarer if friend < 0 else friend
        following = (declarer + 1) & 3
        return following if following != friend else (declarer + 2) & 3
    return (declarer + (2 if side == DECLARERS else 1)) & 3


@jit
def end_deal(standing, side, levels, declarer, friend, codes):
    """Move a match on by a deal's result; returns who has won it.

    Parameters
    ----------
    standing : STANDING record
        Levels, laps, the next declarer and `ended` are written.
    side, levels : int64
        Who wins the deal and by how many levels (`read_level_table`).
    declarer, friend : int64
        As in `is_attacker`.
    codes : RuleCodes or OPTIONS record

    Returns
    -------
    int64
        The seats that have completed the match's laps: bit s for seat s, 0 none.
    """
    ended = 0
    for seat in range(4):
        if is_attacker(seat, declarer, friend, codes) == (side == ATTACKERS):
            # A friend has not declared: it was not his level that was played.
            declared = side == DECLARERS and (
                seat == declarer or codes.partners != CALLED
            )
            level, laps = climb(standing.levels[seat], levels, declared, codes)
            standing.levels[seat] = level
            standing.laps[seat] += laps
        if standing.laps[seat] >= codes.laps:
            ended |= 1 << seat
    standing.declarer = next_declarer(declarer, friend, side, codes)
    standing.ended = ended
    return ended


@jit
def row_multiplier(row, codes):
    """Multiplier (int64) of a row's bottom by its last trick; 0 if not captured."""
    if not row.captured:
        return 0
    if codes.read_from == READ_TRICK:
        kinds = np.int64(row.lead_kinds)
        pairs, triples, quads = row.lead_run, row.lead_triples, row.lead_quads
    else:
        kinds = np.int64(row.win_kinds)
        pairs, triples, quads = row.win_run, row.win_triples, row.win_quads
    runs = (np.int64(pairs), np.int64(triples), np.int64(quads))
    return bottom_multiplier(np.int64(row.lead_cards), kinds, runs, codes)


@jit
def row_total(row, multiplier):
    """The attackers' total of a row, in points (int64), under a bottom's multiplier."""
    return (
        np.int64(row.trick_points)
        + np.int64(row.buried_points) * multiplier
        + np.int64(row.penalty_points)
    )


@jit
def score_rows(rows, codes, totals, sides, levels):
    """Read finished deals under another variant's multiplier and level table.

    Parameters
    ----------
    rows : DEAL_DTYPE[n]
        The facts; only those of the last trick, the bottom and the points are read.
    codes : RuleCodes
    totals, sides, levels : int64[n]
        Written: points, the side that wins (0 declarers, 1 attackers), its levels.
    """
    for place in range(len(rows)):
        row = rows[place]
        total = row_total(row, row_multiplier(row, codes))
        totals[place] = total
        target = np.int64(row.target) if codes.bid_when == BID_AUCTION else -1
        sides[place], levels[place] = read_level_table(total, target, codes)
