"""What every policy keeps to, at every decision of many deals, and known answers."""

from collections import Counter
from contextlib import suppress
from itertools import product
from math import sqrt

import numpy as np
import pyarrow.parquet as pq
import pytest
from contract import replay

from kernels.calls import CALLS_DTYPE
from kernels.codes import BOTTOM_CARDS, CARDS
from kernels.lead import LEAD_DTYPE
from kernels.planes import PLANES_DTYPE
from sim.deal_flow import play_block, play_rows
from sim.driver import play
from sim.policies.catalog import setting_codes
from sim.rules import PRESETS, preset
from sim.schema import DEAL_DTYPE
from sim.table import (
    LOG_BURY,
    LOG_CALL,
    LOG_PLAY,
    LOG_TRICK,
    LOG_TRIED,
    lay_table,
    set_game,
)
from sim.task import Task, make_task

DEALS, MANY_DEALS = 2000, 200_000  # of each combination; with --slow
SEED = 30
Z = 4
# Every preset, every policy alone and against the other, first deals and later ones.
TASKS = {
    f"{variant}-{decks}-{policy}-{level}{'-first' * first}": make_task(
        variant, policy=policy, level=level, first_deal=first, seed=SEED, decks=decks
    )
    for variant in PRESETS
    for decks, policy, (level, first) in product(
        preset(variant).decks,
        ("random", "textbook", "textbook,random"),
        (("all", True), ("all", False), ("joker", False)),
    )
}


class Board:
    """A task's deals, played one by one with a log."""

    def __init__(self, task: Task):
        self.task = task
        self.game = set_game(task.rules.codes(), *setting_codes(task.policies))
        self.level = np.int64(task.level_code)
        self.seed = np.uint64(task.seed)
        decks = task.rules.decks
        self.table = lay_table(decks, logging=True)
        self.row = np.zeros(1, DEAL_DTYPE)
        self.room = (
            np.zeros(1, LEAD_DTYPE[decks])[0],
            np.zeros(1, CALLS_DTYPE)[0],
            np.zeros(5, PLANES_DTYPE[decks]),
            np.zeros(5, PLANES_DTYPE[decks]),
        )
        self.entries = np.zeros(LOG_TRICK + 1, np.int64)

    def first_fault(self, deals: int) -> tuple[int, int, int]:
        return replay.first_fault(
            self.game,
            self.level,
            self.task.first_deal,
            self.seed,
            deals,
            self.row,
            self.table,
            *self.room,
            self.entries,
        )

    def play(self, index: int) -> None:
        play_rows(
            self.game,
            self.level,
            self.task.first_deal,
            self.seed,
            index,
            self.row,
            self.table,
        )

    @property
    def log(self) -> np.ndarray:
        """The log's entries; what is written into them stays."""
        return self.table["log"][0, : self.table["entries"][0]]

    def fault(self) -> str:
        """What is wrong with the deal on the table."""
        fault, _ = replay.deal_fault(
            self.row[0], self.game[0], self.table[0], *self.room
        )
        return replay.FAULTS[fault]


@pytest.mark.parametrize("name", TASKS)
def test_every_decision_is_legal(name, request):
    """Calls, buries, leads, throws and follows; all cards and points stay in the game.

    `shengji record NAME --index` shows the deal that is told.
    """
    deals = MANY_DEALS if request.config.getoption("--slow") else DEALS
    board = Board(TASKS[name])
    index, fault, entry = board.first_fault(deals)
    assert index < 0, (
        f"deal {index}: {replay.FAULTS[fault]}, at entry {entry} of its log"
    )
    entries = board.entries
    assert entries[LOG_PLAY] == 4 * entries[LOG_TRICK] > 60 * deals
    assert entries[LOG_BURY] >= deals
    if "-joker" not in name and "pick-trump" not in name:
        assert entries[LOG_CALL] > deals / 20
    if "random" in name:
        assert entries[LOG_TRIED] > deals / 10


Entries = dict[int, np.ndarray]  # of a log, by what they are


def spoil_pack(board: Board, entries: Entries) -> None:
    deck = board.table["deck"][0]
    deck[0] = deck[np.flatnonzero(deck != deck[0])[0]]


def spoil_call(board: Board, entries: Entries) -> None:
    board.log[entries[LOG_CALL][0], 2] += np.uint64(4)  # a pair, of which it has one


def spoil_bury(board: Board, entries: Entries) -> None:
    board.log[entries[LOG_BURY][0], 2] -= np.uint64(1)


def spoil_hand(board: Board, entries: Entries) -> None:
    board.log[entries[LOG_PLAY][1], 2] = 2**54 - 1


def spoil_suit(board: Board, entries: Entries) -> None:
    """The leader leads all that he will ever play, each card once."""
    plays = board.log[entries[LOG_PLAY]]
    its = plays[plays[:, 1] == plays[0, 1]]
    board.log[entries[LOG_PLAY][0], 2:] = np.bitwise_or.reduce(its[:, 2]), 0


def spoil_throw(board: Board, entries: Entries) -> None:
    tried = entries[LOG_TRIED][0]
    board.log[tried + 1, 2:] = board.log[tried, 2:]


def spoil_follow(board: Board, entries: Entries) -> None:
    """The same seat plays two cards the other way round, which breaks suit."""
    first, *later = (n for n in entries[LOG_PLAY][1:] if board.log[n, 1] == 1)
    board.log[[first, later[0]], 2:] = board.log[[later[0], first], 2:]


def spoil_winner(board: Board, entries: Entries) -> None:
    board.log[entries[LOG_TRICK][-1], 1] ^= np.uint64(1)


def spoil_points(board: Board, entries: Entries) -> None:
    board.log[entries[LOG_TRICK][0], 2] += np.uint64(5)


def spoil_end(board: Board, entries: Entries) -> None:
    board.table["entries"] -= 5  # the last trick


def spoil_row(board: Board, entries: Entries) -> None:
    board.row["trick_points"] += 5


SPOILED = {
    "the pack is not so many decks": spoil_pack,
    "an illegal call": spoil_call,
    "other cards buried than held, or too many": spoil_bury,
    "cards played that are not held": spoil_hand,
    "a lead of several suits": spoil_suit,
    "a throw that stands or falls wrongly": spoil_throw,
    "an illegal follow": spoil_follow,
    "a wrong winner": spoil_winner,
    "a trick's points": spoil_points,
    "cards left at the end": spoil_end,
    "a row that tells another story": spoil_row,
}


@pytest.mark.parametrize("fault", SPOILED)
def test_a_planted_fault_is_found(fault):
    """The replay sees what it is there to see, in one deal of a hundred at least."""
    board = Board(TASKS["menghuan-2-random-all"])
    found = Counter()
    for index in range(100):
        board.play(index)
        assert board.fault() == ""
        tags = board.log[:, 0].astype(int)
        entries = {tag: np.flatnonzero(tags == tag) for tag in range(1, LOG_TRICK + 1)}
        with suppress(IndexError):  # nobody called, or threw in vain
            SPOILED[fault](board, entries)
            found[board.fault()] += 1
    assert found[fault] > 0, found
    assert found[""] == 0 or fault == "an illegal follow", found


def test_same_rows_on_any_threads_and_blocks(tmp_path):
    """The game itself; `tests/sim/test_driver.py` asks the same of the driver."""
    deals = 2000
    for name in (
        "menghuan-2-textbook-all",
        "bianfeng-2-random-all-first",
        "bianfeng-friend-3-textbook-all",
        "bianfeng-4-textbook-all",
        "joker-bid-2-textbook-all",
        "pick-trump-2-textbook-all-first",
    ):
        task = TASKS[name]
        want = np.zeros(deals, DEAL_DTYPE)
        policies, parameters = setting_codes(task.policies)
        settings = (task.rules.codes(), policies, parameters, task.level_code)
        play_block(*settings, task.first_deal, task.seed, 0, want)
        for threads, block in ((1, 1000), (2, 177), (2, 1), (3, 50_000)):
            folder = tmp_path / f"{name}-{threads}-{block}"
            play(task, folder, deals, threads=threads, block=block)
            (part,) = folder.glob("*.parquet")
            saved = pq.read_table(part)
            for column in saved.column_names:
                got = saved[column].to_numpy()
                assert np.array_equal(got, want[column]), (threads, block, column)


@pytest.mark.parametrize("decks", [2, 3, 4])
def test_points_in_the_dealt_bottom(decks):
    """100 points a deck: of two decks' 108 cards 8 are the bottom, 14.8 on average."""
    deals, cards, bottom = 100_000, CARDS[decks], BOTTOM_CARDS[decks]
    board = Board(TASKS[f"bianfeng-{decks}-random-all"])
    rows = np.zeros(deals, DEAL_DTYPE)
    board.table["logging"] = 0
    play_rows(board.game, board.level, False, board.seed, 0, rows, board.table)
    fives, tens = 4 * decks, 8 * decks
    points = np.repeat([5.0, 10.0, 0.0], [fives, tens, cards - fives - tens])
    # Drawn without putting back.
    variance = bottom * points.var() * (cards - bottom) / (cards - 1)
    mean = rows["dealt_points"].mean()
    assert abs(mean - bottom * points.mean()) < Z * sqrt(variance / deals)
    assert rows["dealt_points"].var() == pytest.approx(variance, rel=0.02)
