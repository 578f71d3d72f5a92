"""The cards of deals that were played and recorded, and what is drawn by lot in them.

The shuffle is tested by itself; here it is what reaches the seats, first deals, later
deals and deals of matches alike, and the draws that have streams of their own.
"""

from collections.abc import Iterator
from itertools import islice

import numpy as np
import pytest
from cards_dealt import chances_of
from chance import BATCHES, LIMIT, Chances, Table, alarms
from streams_tested import even

from kernels.codes import CARDS, DRAWN, FACES
from sim.cards import CARD_NAMES
from sim.driver import compiled_player
from sim.policies.catalog import setting_of
from sim.record import Record, Recorder
from sim.rules import resolve_rules
from sim.schema import DEAL_DTYPE
from sim.task import Task, make_task, match_task

FACE_OF = {name: face for face, name in enumerate(CARD_NAMES)}
RECORDED = 2_000
MORE_RECORDED = 40_000
ROWS = 20_000


def deck_of(record: Record) -> list[int]:
    """The faces of a record in the order they were drawn, seat 0 first."""
    turns = zip(*record["drawn"], strict=True)
    names = [name for turn in turns for name in turn] + record["bottom"]
    return [FACE_OF[name] for name in names]


def decks_of(records: Iterator[Record], number: int) -> np.ndarray:
    """The decks of some records."""
    return np.array([deck_of(record) for record in islice(records, number)], np.int8)


def records_of(task: Task) -> Iterator[Record]:
    """The records of a task's deals, or those of its matches."""
    recorder, index = Recorder(task), 0
    while True:
        if task.matches:
            yield from recorder.match(index)
        else:
            yield recorder.deal(index)
        index += 1


def tasks() -> dict[str, Task]:
    """Tasks that play, but for one in some thousands, the first shuffle they meet."""
    return {
        "later": make_task(level="all", policy="textbook", seed=31),
        "first": make_task(level="all", policy="textbook", first_deal=True, seed=32),
        "match": match_task("bianfeng", policy="textbook", seed=33),
        "three decks": make_task("bianfeng", decks=3, policy="random", seed=34),
        "four decks": make_task("bianfeng-friend", decks=4, policy="random", seed=35),
    }


def names_in_hands(records: Iterator[Record], number: int) -> Iterator[Record]:
    """The records, the second copy of a card changed for another where it is met."""
    for record in islice(records, number):
        hand = record["drawn"][2]
        place = next((it for it in range(24) if hand[it] in hand[it + 1 :]), None)
        if place is not None:
            other = record["drawn"][1]
            hand[place], other[place] = other[place], hand[place]
        yield record


@pytest.mark.parametrize("kind", ["later", "first", "match"])
def test_recorded_cards_are_fair(kind):
    assert alarms(chances_of(decks_of(records_of(tasks()[kind]), RECORDED))) == {}


@pytest.mark.slow
@pytest.mark.parametrize("kind", tasks())
def test_many_recorded_cards_are_fair(kind):
    found = decks_of(records_of(tasks()[kind]), MORE_RECORDED)
    assert alarms(chances_of(found)) == {}


def test_unfair_records_are_seen():
    """Twins that are kept out of one hand, every card at its fair place by itself."""
    records = names_in_hands(records_of(tasks()["later"]), RECORDED)
    assert "copies in a hand" in alarms(chances_of(decks_of(records, RECORDED)))


def turned_cards(number: int, fault: bool = False) -> Chances:
    """The bottom's card that makes trump where nobody calls (random_card)."""
    own = {"base": "joker-bid", "redeal": {"weak_attacker_points": "none"}}
    silent = setting_of("textbook", {"bid_score": 400})
    task = Task(
        rules=resolve_rules(own),
        policies=(silent,) * 4,
        level="all",
        first_deal=False,
        seed=36,
    )
    places, faces = [], []
    for record in islice(records_of(task), number):
        if record["turned"] is None:
            continue
        turned = record["bottom"][2] if fault else record["turned"]
        bottom = record["bottom"]
        faces.append(FACE_OF[turned])
        if bottom.count(turned) == 1:
            places.append(bottom.index(turned))
    assert len(places) > number / 2
    return {
        "turned place": even(np.array(places), 8),
        "turned face": even(np.array(faces), FACES),
    }


def test_the_turned_card_is_any_of_the_bottom():
    assert alarms(turned_cards(RECORDED)) == {}
    # That which menghuan turns, the third.
    assert alarms(turned_cards(RECORDED, fault=True)).keys() == {"turned place"}


def rows_of(task: Task, number: int) -> np.ndarray:
    """Rows of deals."""
    rows = np.zeros(number, DEAL_DTYPE)
    compiled_player(task)(0, rows)
    return rows


def test_what_random_draws_is_even():
    """The suit that it picks after an auction, and the card that it calls."""
    picked = rows_of(make_task("pick-trump", policy="random", seed=37), ROWS)["trump"]
    called = rows_of(make_task("bianfeng-friend", policy="random", seed=38), ROWS)
    assert even(picked.astype(int), 4) > LIMIT
    assert even(called["called_card"].astype(int), FACES) > LIMIT
    assert even(np.minimum(picked, picked[::-1]).astype(int), 4) < LIMIT


def buried_by_lot(records: list[Record], fault: bool = False) -> Table:
    """How far what `random` buries is from any eight of its cards alike, by face."""
    off = np.zeros((len(records), FACES))
    for place, record in enumerate(records):
        (bury,) = record["buries"]
        held = record["drawn"][record["declarer"]] + record["bottom"]
        buried = sorted(held)[:8] if fault else bury["buried"]
        for name in held:
            off[place, FACE_OF[name]] -= len(buried) / len(held)
        for name in buried:
            off[place, FACE_OF[name]] += 1
    size = len(records) // BATCHES
    batches = off[: size * BATCHES].reshape(BATCHES, size, FACES).sum(axis=1)
    return Table(batches, size, 0.0, (off * off).mean(axis=0))


def test_random_buries_any_of_its_cards():
    task = make_task("competition", policy="random", seed=39)
    records = [
        record
        for record in islice(records_of(task), RECORDED)
        if len(record["buries"]) == 1
    ]
    assert len(records) > RECORDED / 2
    told = buried_by_lot(records)
    assert min(told.fit(), told.largest()) > LIMIT
    wrong = buried_by_lot(records, fault=True)
    assert max(wrong.fit(), wrong.largest()) < LIMIT


@pytest.mark.parametrize("kind", ["later", "first", "match"])
def test_records_tell_the_deck_as_it_was_drawn(kind):
    """Seat 0 draws first in each: in first deals by the rules, in later as declarer."""
    task = tasks()[kind]
    recorder = Recorder(task)
    record = next(recorder.match(0)) if task.matches else recorder.deal(0)
    deck = recorder.table[0]["deck"].tolist()
    assert deck == deck_of(record)
    assert len(deck) == CARDS[2]
    assert deck[DRAWN[2] :] == [FACE_OF[name] for name in record["bottom"]]
