"""Where a deal's quantities can lie: what the rules leave possible, whatever a run met.

An interval is cut off there; and where all deals of a group agree, what they leave
open is reckoned from it (`analysis.estimate.mean`). So the interval of a group depends
on its own deals alone. The bounds are generous where the exact one is hard to tell:
they hold hands that hardly ever occur, such as a last trick of all a hand's cards.
"""

from analysis.estimate import Range
from analysis.labels import (
    ATTACKERS_LEVELS,
    DECLARERS_LEVELS,
    MEAN_BOTTOM_POINTS,
    MEAN_TOTAL,
    MEAN_TRICK_POINTS,
)
from kernels.codes import COUNT_BY_CARDS, HAND_CARDS
from sim.rules import BidWhen, Rules

DECK_POINTS = 100
MOST_BURIED = 80  # eight cards of ten points each


def most_multiplier(rules: Rules) -> int:
    """The most that a captured bottom can be multiplied by."""
    codes, hand = rules.codes(), HAND_CARDS[rules.decks]
    if codes.bottom_count == COUNT_BY_CARDS:
        return 2 * hand
    table = codes.bottom_table
    # A hand has room for so many tuples of each width.
    tuples = [
        table[width - 1, : hand // width].max() for width in range(2, rules.decks + 1)
    ]
    return int(max(table[0, 0], *tuples))


def total_range(rules: Rules) -> Range:
    """Totals: points of the tricks, of the multiplied bottom, of failed throws."""
    # A throw a trick, all failed.
    penalties = HAND_CARDS[rules.decks] * rules.failed_throw.points
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
        most = int(total_range(rules)[1])
        if rules.bid.when == BidWhen.AUCTION:  # a low target moves the table
            most += rules.codes().take_over
        further = max(0, most - bound) // rules.level_step
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
