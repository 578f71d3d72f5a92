"""Answers that the fuzz found wrong, with the right ones."""

import pytest

from sim.judge import answer


@pytest.mark.parametrize("stage", ["draw", "after_deal", "after_bury"])
@pytest.mark.parametrize("declarer", [None, 0, 1])
@pytest.mark.parametrize("history", ["nothing", "a bid"])
def test_nobody_shows_a_card_in_an_auction(stage, declarer, history):
    """Asked which calls may be made, no level card is told, nor is one believed."""
    bid = {"seat": 3, "kind": "bid", "cards": ["C5"], "after": 50}
    question = {
        "ask": "calls",
        "rules": "pick-trump",
        "level": 5,
        "hand": ["S5", "S5", "H5"],
        "seat": 0,
        "declarer": declarer,
        "stage": stage,
        "history": [bid] if history == "a bid" else [],
    }
    assert answer(question) == {
        "error": "calls asks which cards may be shown, but the rules have bid.when = "
        '"auction": nobody shows a card in an auction'
    }
    question["rules"] = "casual"
    if history == "nothing" and stage != "after_bury":
        assert answer(question) == {"legal": [["S5"], ["H5"]]}
