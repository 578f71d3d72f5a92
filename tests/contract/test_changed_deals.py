"""Records that the simulator writes, with any fact changed, do not pass the referee."""

import json
from itertools import islice

import pytest
from contract.referee_run import Kind, recorder_of
from contract.test_deals import TABLES
from referee.test_mutations import change_all

from sim.record import write_record


@pytest.mark.parametrize(("variant", "decks"), TABLES)
def test_every_change_is_named(variant, decks, request):
    """The same changes as of deals that the referee made itself."""
    slow = request.config.getoption("--slow")
    deals = []
    for mode in ("first", "later"):
        recorder = recorder_of(Kind(variant, decks, "textbook", mode))
        deals += [recorder.deal(index) for index in range(5 if slow else 1)]
    match = recorder_of(Kind(variant, decks, "textbook", "match"))
    deals += islice(match.match(0), 3)
    records = [json.loads(write_record(deal)) for deal in deals]
    _, wrong = change_all(records, 1000 if slow else 2, seed=decks)
    assert not wrong
