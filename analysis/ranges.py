"""Where a deal's quantities can lie: what the rules leave possible, whatever a run met.

An interval is cut off there; and where all deals of a group agree, what they leave
open is reckoned from it (`analysis.estimate.mean`). So the interval of a group depends
on its own deals alone. The bounds are generous where the exact one is hard to tell:
they hold hands that hardly ever occur, such as a last trick of all 25 cards.
"""

from analysis.estimate import Range
from analysis.labels import (
    ATTACKERS_LEVELS,
    DECLARERS_LEVELS,
    MEAN_BOTTOM_POINTS,
    MEAN_TOTAL,
    MEAN_TRICK_POINTS,
)
from kernels.codes import COUNT_BY_CARDS
from sim.rules import Rules

DECK_POINTS = 100
MOST_BURIED = 80  # eight cards of ten points each
HAND_CARDS = 25
HAND_PAIRS = HAND_CARDS // 2


def most_multiplier(rules: Rules) -> int:
    """The most that a captured bottom can be multiplied by."""
    codes = rules.codes()
    if codes.bottom_count == COUNT_BY_CARDS:
        return 2 * HAND_CARDS
    table = codes.bottom_table
    return int(max(table[0, 0], table[1, :HAND_PAIRS].max()))


def total_range(rules: Rules) -> Range:
    """Totals: points of the tricks, of the multiplied bottom, of failed throws."""
    penalties = HAND_CARDS * rules.failed_throw.points  # a throw a trick, all failed
    bottom = MOST_BURIED * (most_multiplier(rules) - 1)  # what it adds to what there is
    return -penalties, DECK_POINTS * rules.decks + max(0, bottom) + penalties


def most_levels(rules: Rules) -> tuple[int, int]:
    """The most levels of a deal for the declarers and for the attackers."""
    declarers, attackers = (
        max(levels for _, winner, levels in rules.level_table if winner == side)
        for side in ("declarers", "attackers")
    )
    if rules.level_step:  # no cap: what the largest total comes to
        bound, _, levels = rules.level_table[-1]
        further = max(0, int(total_range(rules)[1]) - bound) // rules.level_step
        attackers = max(attackers, levels + further)
    return declarers, attackers


def level_ranges(rules: Rules) -> dict[str, Range]:
    """By the means that `shengji levels` tells."""
    declarers, attackers = most_levels(rules)
    return {
        MEAN_TOTAL: total_range(rules),
        MEAN_TRICK_POINTS: (0, DECK_POINTS * rules.decks),
        MEAN_BOTTOM_POINTS: (0, MOST_BURIED * most_multiplier(rules)),
        DECLARERS_LEVELS: (0, declarers),
        ATTACKERS_LEVELS: (0, attackers),
    }
