"""The thresholds of the `textbook` policy: every number it decides by."""

import numpy as np

from sim.policies.parameter import Parameter

PARAMETERS: tuple[Parameter, ...] = (
    Parameter(
        "bid_score", 95, 0, 400, "tenths of a trump",
        "call a suit worth so much with 25 cards drawn, less in proportion before",
    ),
    Parameter(
        "bid_trumps", 7, 1, 25, "cards",
        "never bid on fewer trumps in hand than this, however early",
    ),
    Parameter(
        "first_deal_trumps", 4, 1, 25, "cards",
        "and in a match's first deal, a race to declare, than this",
    ),
    Parameter(
        "first_deal_discount", 25, 0, 200, "tenths of a trump",
        "in a match's first deal the bidder becomes declarer: bid on so much less",
    ),
    Parameter(
        "overcall_gain", 5, 0, 400, "tenths of a trump",
        "overcall an enemy's trump when one's own is worth so much more",
    ),
    Parameter(
        "partner_gain", 15, 0, 400, "tenths of a trump",
        "overcall the partner's trump, or one's own, only for one worth so much more",
    ),
    Parameter(
        "no_trump_score", 80, 0, 600, "tenths of a trump",
        "call no trump when jokers, level cards, aces and side pairs are worth so much",
    ),
    Parameter(
        "auction_worth", 105, 0, 400, "tenths of a trump",
        "call the take-over bound in an auction on a best suit worth so much",
    ),
    Parameter(
        "auction_step", 8, 1, 200, "tenths of a trump",
        "and a target lower by 5 for each so much more",
    ),
    Parameter(
        "redeal_worth", 90, 0, 400, "tenths of a trump",
        "demand a new deal where it may be on a hand worth less than this",
    ),
    Parameter(
        "bury_points_trumps", 11, 0, 33, "cards",
        "empty suits with points only with so many trumps, which keep the last trick",
    ),
    Parameter(
        "bury_points_most", 30, 0, 80, "points",
        "and then at most so many points",
    ),
    Parameter(
        "bury_pair_rank", 10, 0, 13, "places",
        "keep side pairs from this place of the suit up (0 the lowest card)",
    ),
    Parameter(
        "draw_trumps", 6, 0, 25, "cards",
        "a declarer leads trumps while he holds so many",
    ),
    Parameter(
        "ruff_fear", 4, 0, 24, "cards",
        "with fewer cards of a suit unseen, a lead of it may well be ruffed",
    ),
    Parameter(
        "pair_risk", 4, 0, 12, "pairs",
        "lead a side pair when at most so many higher pairs may be out",
    ),
    Parameter(
        "tractor_risk", 4, 0, 12, "tractors",
        "lead a side tractor when at most so many higher ones of its length may be out",
    ),
    Parameter(
        "ruff_points", 5, 0, 100, "points",
        "ruff a trick of so many points",
    ),
    Parameter(
        "honour_points", 10, 0, 100, "points",
        "spend a joker or a level card only on a trick of so many points",
    ),
    Parameter(
        "guard_points", 10, 0, 100, "points",
        "spend the trump kept for the last trick only on so many points",
    ),
    Parameter(
        "rich_bottom", 10, 0, 80, "points",
        "a declarer who buried so many points keeps his best trump for the last trick",
    ),
    Parameter(
        "hope_points", 35, 0, 80, "points",
        "attackers who won so many points keep their best trump for the last trick",
    ),
    Parameter(
        "second_hand_points", 10, 0, 100, "points",
        "not last to play, spend a card that may yet be beaten only on so many points",
    ),
)  # fmt: skip

# One seat's thresholds, in the order of PARAMETERS.
THRESHOLDS_DTYPE = np.dtype([(parameter.name, "i8") for parameter in PARAMETERS])
