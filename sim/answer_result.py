"""The ask `result`: what a total is worth, and where that leaves everyone."""

from typing import Any

import numpy as np

from kernels.codes import DECLARERS
from kernels.score import STANDING_DTYPE, end_deal, read_level_table
from sim.option_values import BidWhen, Partners
from sim.question import Question, QuestionError, shown

Answer = dict[str, Any]

LARGEST_TOTAL = 1_000_000_000  # points; no table and multiplier come near it


def answer_result(question: Question) -> Answer:
    total = question.whole("total", -LARGEST_TOTAL, LARGEST_TOTAL)
    if total % 5:
        raise QuestionError(f"total = {total} is not a multiple of 5, as totals are")
    declarer = question.seat("declarer")
    refuse_foreign_keys(question)
    levels = question.value("levels")
    if not isinstance(levels, list) or len(levels) != 4:
        raise QuestionError(f"levels = {shown(levels)} must be a list of four levels")
    for seat, level in enumerate(levels):
        question.check_level(f"levels[{seat}]", level)
    if levels[:2] != levels[2:]:
        raise QuestionError(f"levels = {shown(levels)}: partners have the same level")
    codes = question.codes
    side, gained = read_level_table(total, codes)
    declarers_win = bool(side == DECLARERS)
    after = np.zeros(1, STANDING_DTYPE)[0]
    after["levels"] = levels
    end_deal(after, side, gained, declarer, -1, codes)
    return {
        "result": {
            "side": "declarers" if declarers_win else "attackers",
            "levels": int(gained),
            "takes_over": not declarers_win,
        },
        "levels_after": after["levels"].tolist(),
        "next_declarer": int(after["declarer"]),
    }


def refuse_foreign_keys(question: Question) -> None:
    """`friend` and `target` belong to variants that have them; null says nothing."""
    for key, option, needed in (
        ("friend", "partners", Partners.CALLED),
        ("target", "bid.when", BidWhen.AUCTION),
    ):
        given = question.asked.get(key)
        if given is not None and question.rules.value(option) != needed:
            raise QuestionError(
                f'{key} = {shown(given)} needs a variant with {option} = "{needed}"'
            )
