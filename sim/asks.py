"""What `shengji judge` may be asked, as its help tells it: words only, so that `--help`
loads nothing. `sim.judge.ASKS` is what answers.
"""

from typing import NamedTuple


class AskHelp(NamedTuple):
    name: str
    takes: str  # besides what every question may carry
    example: str  # one object


ASK_HELP = (
    AskHelp(
        "components",
        "level, trump, cards: how they count as singles, pairs, tractors",
        '{"ask": "components", "level": 5, "trump": "S", "cards": ["H4", "H4"]}',
    ),
    AskHelp(
        "follow",
        "level, trump, hand, lead, play: may a follower play these?",
        '{"ask": "follow", "level": 5, "trump": "S", "hand": ["H2", "H3", "H3"],\n'
        ' "lead": ["HK", "HK"], "play": ["H3", "H3"]}',
    ),
    AskHelp(
        "throw",
        "level, trump, lead, others (three hands): does it stand?",
        '{"ask": "throw", "level": 5, "trump": "S", "lead": ["HA", "HK"],\n'
        ' "others": [["HA"], ["H2"], []]}',
    ),
    AskHelp(
        "winner",
        "level, trump, plays (four, the lead first)",
        '{"ask": "winner", "level": 5, "trump": "S",\n'
        ' "plays": [["HT"], ["HK"], ["S2"], ["H2"]]}',
    ),
    AskHelp(
        "multiplier",
        "level, trump, lead, winning (cards of the last trick)",
        '{"ask": "multiplier", "level": 5, "trump": "S", "lead": ["H4", "H4"],\n'
        ' "winning": ["H6", "H6"]}',
    ),
    AskHelp(
        "result",
        "total, levels (by seat), declarer; friend, target if needed",
        '{"ask": "result", "total": 80, "levels": [2, 3, 2, 3], "declarer": 0}',
    ),
    AskHelp(
        "calls",
        "level, hand, seat, declarer (null: a first deal), stage (draw,\n"
        "after_deal, after_bury), history; declarer_side_could_bid",
        '{"ask": "calls", "level": 5, "hand": ["S5", "S5", "C5"], "seat": 1,\n'
        ' "declarer": null, "stage": "draw", "history": []}',
    ),
    AskHelp(
        "choose",
        "policy, level, trump, seat, decision (bury, lead, follow), hand,\n"
        "declarer, calls, buried, tricks, called_card: what it plays",
        '{"ask": "choose", "policy": "textbook", "level": 5, "trump": "S",\n'
        ' "seat": 1, "decision": "follow",\n'
        ' "hand": ["HA", "H9", "H3", "H2", "S2", "S3", "S7", "S8", "SK",\n'
        '  "C2", "C3", "C4", "C6", "C6", "C8", "CT", "CJ", "CA",\n'
        '  "D2", "D3", "D7", "D8", "DT", "DQ", "DK"],\n'
        ' "declarer": 0, "calls": [], "buried": null,\n'
        ' "tricks": [{"leader": 0, "plays": [["H4"]]}], "called_card": null}',
    ),
)


def help_text() -> str:
    """All of them, one paragraph each; \\b keeps click from wrapping it."""
    paragraphs = []
    for name, takes, example in ASK_HELP:
        told = f"{name:10}  " + takes.replace("\n", "\n" + 12 * " ")
        paragraphs.append(f"\b\n{told}\n  " + example.replace("\n", "\n  "))
    return "\n\n".join(paragraphs)
