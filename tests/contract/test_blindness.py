"""Only what a seat may know decides: calls, buries, leads and follows (RULES.md 11).

At every decision of a deal the cards that the seat has not seen are laid elsewhere, in
eight ways that leave everything that everybody saw as it was, and the deal is played
again through the simulator's own flow: the seat must decide as before, there and at
every decision on the way. Cheats planted in that flow show that the test would tell.
"""

from collections import Counter

import numpy as np
import pytest
from contract.stepping import (
    BURY,
    CALL,
    FOLLOW,
    HONEST,
    LEAD,
    NAME,
    PEEK_AT_BOTTOM,
    PEEK_AT_DECK,
    PEEK_AT_FRIEND,
    PEEK_AT_PARTNER,
    TARGET,
    Reached,
    scripted_flow,
    scripted_game,
    scripted_table,
)
from contract.unseen import (
    RANDOM_DTYPE,
    Decision,
    Watcher,
    happens_so,
    in_order,
    plan_of,
    planes_at,
    redeal_unseen,
    seen_plays,
)

from kernels.codes import DRAWN
from kernels.layout import LAYOUTS
from kernels.lead import LEAD_DTYPE
from kernels.planes import PLANES_DTYPE
from kernels.rng import deal_key
from sim.policies.catalog import POLICY
from sim.record import Recorder
from sim.rules import PRESETS, preset
from sim.schema import DEAL_DTYPE
from sim.table import LOG_BURY
from sim.task import make_task

WAYS = 8


class Blindfold:
    """Plays deals of one task over, with what a seat has not seen laid elsewhere."""

    def __init__(
        self,
        variant: str,
        policy: str,
        first_deal: bool,
        cheat: int = HONEST,
        decks: int = 2,
    ) -> None:
        self.decks = decks
        self.task = make_task(
            variant,
            level="all",
            policy=policy,
            first_deal=first_deal,
            seed=31,
            decks=decks,
        )
        self.recorder = Recorder(self.task)
        self.game = scripted_game(self.recorder.game)
        self.scripts = self.game[0]["seats"]["thresholds"]["script"]
        self.table = np.zeros(1, scripted_table(decks))
        self.cheat = cheat
        self.table["seen"]["cheat"], self.table["logging"] = cheat, 1
        self.row = np.zeros(1, DEAL_DTYPE)
        self.random = np.ones(1, RANDOM_DTYPE)
        self.tested: Counter[int] = Counter()  # decisions of each kind, times WAYS
        self.laid_elsewhere = 0

    def play(self, deck: np.ndarray, level: int) -> None:
        self.table["deck"] = deck
        self.table["seen"]["clock"] = 0
        self.table["seen"]["peek"] = deck[DRAWN[self.decks]]
        self.scripts["made"], self.scripts["next"] = 0, 0
        standing = self.table["standing"][0]
        standing["levels"], standing["declarer"] = level, -self.task.first_deal
        scripted_flow(
            self.key,
            np.int64(0),
            np.int64(0),
            standing,
            self.row[0],
            self.game[0],
            self.table[0],
        )

    def differing(self, index: int) -> list[Decision]:
        """The decisions of a deal that depend on what the seat has not seen."""
        self.recorder.play(index)
        redeals = int(self.recorder.rows[0]["redeals"])
        self.key = np.uint64(deal_key(np.uint64(self.task.seed), index, 0, redeals))
        deck = self.recorder.table[0]["deck"].copy()
        # That of all seats before the deal: every seat stands at the same.
        level = int(self.recorder.table[0]["standing"]["levels"][0])
        self.scripts["real"], self.scripts["stop"] = 1, -1
        self.play(deck, level)
        for column in DEAL_DTYPE.names:  # it is the deal that the simulator plays
            if column not in ("deal_index", "redeals") and self.cheat == HONEST:
                assert self.row[column] == self.recorder.rows[column]
        notes, made = self.scripts["notes"].copy(), self.scripts["made"].copy()
        self.log = self.table[0]["log"][: self.table[0]["entries"]].copy()
        log = self.log.astype(int).tolist()
        layout = LAYOUTS[level, self.row[0]["trump"]]
        plays = seen_plays(log, layout, self.decks)
        self.scripts["real"] = 0
        for seat in range(4):
            plan = plan_of(notes[seat][: made[seat]])
            self.scripts["planned"][seat] = len(plan)
            self.scripts["plan"][seat][: len(plan)] = plan
        watcher = Watcher(deck, self.row[0].copy(), self.decks, self.game[0]["codes"])
        return [
            decision
            for decision in watcher.decisions(in_order(notes, made), log)
            if self.depends(decision, watcher, notes, plays, layout)
        ]

    def same_history(self) -> bool:
        """Whether everybody has seen just what was seen when the deal was noted."""
        now = self.table[0]["log"][: self.table[0]["entries"]].copy()
        before = self.log[: len(now)].copy()
        for log in (now, before):  # what was buried, nobody else has seen
            log[log[:, 0] == LOG_BURY, 2:] = 0
        return bool((now == before).all())

    def bury_places(self, deck: np.ndarray, buries: list[tuple[int, list[int]]]):
        """Let the seats on strings bury the same places, whatever lies there now."""
        for seat in range(4):
            plan = self.scripts["plan"][seat][: self.scripts["planned"][seat]]
            mine = [places for burier, places in buries if burier == seat]
            steps = np.flatnonzero(plan["kind"] == BURY)
            for step, places in zip(steps, mine, strict=False):
                plan["cards"][step] = planes_at(deck, places, self.decks)

    def depends(
        self,
        decision: Decision,
        watcher: Watcher,
        notes: np.ndarray,
        plays: np.ndarray,
        layout: np.void,
    ) -> bool:
        """Whether a seat decides otherwise when unseen cards lie elsewhere."""
        seat, number = decision.seat, decision.number
        deck = watcher.deck
        codes, hands = self.game[0]["codes"], np.zeros(5, PLANES_DTYPE[self.decks])
        lead = np.zeros(1, LEAD_DTYPE[self.decks])[0]
        seen = decision.owners, plays, decision.plays, codes, layout
        assert happens_so(deck, *seen, lead, hands)
        self.scripts["real"][seat], self.scripts["stop"][seat] = 1, number
        other = deck.copy()
        found = False
        for _ in range(WAYS):
            fixed = np.uint64(decision.fixed)
            redeal_unseen(
                other, decision.unseen, fixed, *seen, self.random[0], lead, hands
            )
            self.tested[decision.kind] += 1
            self.laid_elsewhere += int((other != deck).sum())
            self.bury_places(other, watcher.buries)
            with pytest.raises(Reached):
                self.play(other, watcher.level)
            now, before = self.scripts["notes"][seat], notes[seat]
            found = found or any(
                (now[field][:number] != before[field][:number]).any()
                for field in ("kind", "key", "cards")
            )
            assert found or self.same_history()
        self.scripts["real"][seat], self.scripts["stop"][seat] = 0, -1
        return found


KINDS = [
    (variant, decks)
    for variant in PRESETS
    for decks in preset(variant).decks
    if decks == 2 or (variant, decks) == ("bianfeng-friend", 4)
]


@pytest.mark.parametrize("mode", ["later", "first"])
@pytest.mark.parametrize(("variant", "decks"), KINDS)
@pytest.mark.parametrize("policy", POLICY)
def test_only_what_a_seat_may_know_decides(policy, variant, decks, mode, request):
    deals = 200 if request.config.getoption("--slow") else 4
    blindfold = Blindfold(variant, policy, mode == "first", decks=decks)
    for index in range(deals):
        assert blindfold.differing(index) == [], f"deal {index}"
    # The test did something: of every kind of decision many, far from how cards lay.
    auction = blindfold.task.rules.bid.when == "auction"
    least = deals * WAYS / (8 if variant == "joker-bid" else 2)  # few may call there
    assert blindfold.tested[TARGET if auction else CALL] >= least
    assert blindfold.tested[BURY] >= deals * WAYS
    assert blindfold.tested[LEAD] >= deals * WAYS * 10
    assert blindfold.tested[FOLLOW] >= deals * WAYS * 30
    if variant == "bianfeng-friend":
        assert blindfold.tested[NAME] == deals * WAYS
    assert blindfold.laid_elsewhere > 20 * blindfold.tested.total()


@pytest.mark.parametrize(
    ("variant", "cheat", "kinds"),
    [
        ("competition", PEEK_AT_BOTTOM, {LEAD, FOLLOW}),
        ("competition", PEEK_AT_PARTNER, {LEAD, FOLLOW}),
        ("competition", PEEK_AT_DECK, {CALL}),
        # Before the called card falls only its holder knows.
        ("bianfeng-friend", PEEK_AT_FRIEND, {LEAD, FOLLOW}),
    ],
    ids=["bottom", "partner", "deck", "friend"],
)
def test_a_cheat_is_caught(variant, cheat, kinds):
    """And what it decides honestly is not suspected."""
    blindfold = Blindfold(variant, "textbook", False, cheat)
    caught: set[int] = set()
    for index in range(300):
        caught |= {decision.kind for decision in blindfold.differing(index)}
        # A call that came to be otherwise is seen at all decisions after it.
        if caught >= kinds:
            break
    assert caught >= kinds
    if cheat != PEEK_AT_DECK:
        assert caught == kinds
