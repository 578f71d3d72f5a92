"""What a policy does in a position that somebody wrote down: the ask `choose`.

The position is checked as far as one seat can know it: who is to play, how many cards
everyone has, who won each trick and at how many points, no card more often than it
exists.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from kernels.codes import BOTTOM_CARDS, HAND_CARDS, OVERCALL_AFTER_BURY
from kernels.planes import store
from sim.answer_calls import Call, read_call, replay_calls
from sim.cards import card_names, check_copies, lacking, parse_card
from sim.option_values import BidWhen, Partners, is_whole
from sim.plain import quoted
from sim.planes import faces_in
from sim.policies.catalog import resolve_policy, setting_codes
from sim.policies.history import (
    BURY,
    FOLLOW,
    LEAD,
    TRICK_DTYPE,
    decide,
    see_tricks,
)
from sim.policies.view import VIEW_DTYPE, clear_view, see_burying_over
from sim.question import Question, QuestionError, shown
from sim.table import set_game

Answer = dict[str, Any]

ALL_SEATS = 0b1111
DECISIONS = {"bury": BURY, "lead": LEAD, "follow": FOLLOW}
TRICK_KEYS = ("leader", "tried", "plays", "winner", "points")


def answer_choose(question: Question) -> Answer:
    """The cards that a policy buries, leads or follows with, knowing just this."""
    position = Position(question)
    setting = resolve_policy(question.value("policy"))
    ids, parameters = setting_codes([setting] * 4)
    game = set_game(question.codes, ids, parameters)[0]
    seat = game["seats"][position.seat]
    cards = decide(
        position.decision,
        seat["policy"],
        seat["thresholds"],
        position.view(game["codes"]),
        question.layout,
    )
    return {"cards": card_names(faces_in(cards, question.layout))}


class Position:
    """A written position, read and checked: what one seat knows when it decides."""

    def __init__(self, question: Question) -> None:
        self.question = question
        self.decision = DECISIONS[question.one_of("decision", list(DECISIONS))]
        self.seat, self.declarer = question.seat("seat"), question.seat("declarer")
        self.hand = question.cards("hand")
        self.calls, callers = self.read_calls()
        self.burier = callers[-1] if callers else self.declarer
        self.buried = self.read_buried({self.declarer, *callers})
        self.tricks = self.read_tricks()
        self.check_turn()
        self.called_card = self.read_called_card()
        self.check_cards()

    def view(self, codes: np.void) -> np.void:
        """The seat's View of all this. `codes` is the game's."""
        view = np.zeros(1, VIEW_DTYPE[self.question.decks])[0]
        clear_view(view)
        layout = self.question.layout
        see_burying_over(self.declarer, self.calls, view)
        tricks = self.trick_rows()
        see_tricks(tricks, layout, codes, view)
        self.check_outcomes(tricks)
        view["seat"] = self.seat
        store(view["hand"], self.question.planes(self.hand))
        view["declarers"] = self.declarers_known()
        mates = view["declarers"]
        if not mates >> self.seat & 1:
            ours = ALL_SEATS & ~mates
            mates = ours if self.sides_known() else 1 << self.seat
        view["mates"] = mates
        if self.decision != BURY:
            if self.seat == self.burier:
                store(view["buried"], self.question.planes(self.buried or []))
            under_way = self.decision == FOLLOW
            view["position"] = len(self.tricks[-1]["plays"]) if under_way else 0
        return view

    # --- reading ---

    def read_calls(self) -> tuple[np.void, list[int]]:
        """The calls as kernels keep them, and who took the bottom after an overcall.

        In a first deal an overcaller is the declarer, so he buries in any case.
        """
        calls = self.question.value("calls")
        if not isinstance(calls, list):
            raise QuestionError(f"calls = {shown(calls)} must be a list of calls")
        if self.question.rules.bid.when == BidWhen.AUCTION:
            self.check_auction(calls)
            return self.replayed([]), []
        history: list[Call] = [
            read_call(self.question, f"calls[{place}]", call)
            for place, call in enumerate(calls)
        ]
        rebury = self.question.codes.overcall_when == OVERCALL_AFTER_BURY
        overcallers = [call.seat for call in history if call.kind == "overcall"]
        return self.replayed(history), overcallers if rebury else []

    def check_auction(self, calls: list[Any]) -> None:
        """The calls of an auction show no card: targets and passes."""
        for place, call in enumerate(calls):
            kind = call.get("kind") if isinstance(call, Mapping) else None
            if kind not in ("target", "pass"):
                raise QuestionError(
                    f"calls[{place}] = {shown(call)} is no call of an auction: "
                    "target or pass"
                )

    def replayed(self, history: list[Call]) -> np.void:
        """The calls as kernels keep them, if they are a later deal's or a first one's.

        Which of the two it is, a position does not say.
        """
        try:
            return replay_calls(
                self.question, history, self.declarer, "after_bury", "calls"
            )
        except QuestionError:
            if not history or history[-1].seat != self.declarer:
                raise
            return replay_calls(self.question, history, None, "after_deal", "calls")

    def read_buried(self, buriers: set[int]) -> list[int] | None:
        """The cards that the seat buried last; None if it knows of none.

        `buriers` are the seats that have had the bottom in hand.
        """
        if self.question.value("buried") is None:
            if self.decision != BURY and self.seat == self.burier:
                raise QuestionError(
                    f"buried is null, but seat {self.seat} buried and knows the cards"
                )
            return None
        buried = self.question.cards("buried")
        bottom = BOTTOM_CARDS[self.question.decks]
        if len(buried) != bottom:
            raise QuestionError(f"buried holds {len(buried)} cards instead of {bottom}")
        if self.seat not in buriers:
            raise QuestionError(f"buried must be null: seat {self.seat} buries nothing")
        return buried

    def read_tricks(self) -> list[dict[str, Any]]:
        """The tricks, their cards as faces; the last may be under way."""
        tricks = self.question.value("tricks")
        if not isinstance(tricks, list):
            raise QuestionError(f"tricks = {shown(tricks)} must be a list of tricks")
        last = len(tricks) - 1
        return [
            self.read_trick(
                f"tricks[{place}]",
                trick,
                under_way=self.decision == FOLLOW and place == last,
            )
            for place, trick in enumerate(tricks)
        ]

    def read_trick(self, name: str, trick: Any, under_way: bool) -> dict[str, Any]:
        """One trick, its cards as faces. `name` is where it stands in the question."""
        if not isinstance(trick, Mapping):
            raise QuestionError(f"{name} = {shown(trick)} must be an object")
        for key in trick:
            if key not in TRICK_KEYS:
                raise QuestionError(f"unknown key {quoted(key)} in {name}")
        needed = ("leader", "plays") if under_way else TRICK_KEYS
        for key in needed:
            if key not in trick:
                raise QuestionError(f"missing key {key!r} in {name}")
        leader, plays, tried = trick["leader"], trick["plays"], trick.get("tried")
        if not is_whole(leader) or leader not in range(4):
            raise QuestionError(f"{name}.leader = {shown(leader)} must be 0, 1, 2 or 3")
        allowed = (1, 2, 3) if under_way else (4,)
        if not isinstance(plays, list) or len(plays) not in allowed:
            words = "one to three plays" if under_way else "four plays"
            raise QuestionError(f"{name}.plays must be {words}")
        cards = [
            self.question.faces(f"{name}.plays[{turn}]", play, least=1)
            for turn, play in enumerate(plays)
        ]
        if len({len(play) for play in cards}) > 1:
            raise QuestionError(f"{name}.plays are not all of as many cards")
        self.question.check_one_suit(f"{name}.plays[0]", cards[0])
        if tried is not None:
            thrown = self.question.faces(f"{name}.tried", tried, least=2)
            self.question.check_one_suit(f"{name}.tried", thrown)
            if lacking(cards[0], thrown) or len(cards[0]) == len(thrown):
                raise QuestionError(
                    f"{name}.plays[0] is not forced out of {name}.tried"
                )
        outcome = {key: trick.get(key) for key in ("winner", "points")}
        for key, value in outcome.items():
            if under_way and value is not None:
                raise QuestionError(f"{name}.{key} is given, but it is under way")
            if not under_way and not is_whole(value):
                raise QuestionError(
                    f"{name}.{key} = {shown(value)} must be a whole number"
                )
        return {"leader": leader, "plays": cards, **outcome}

    # --- checking ---

    def check_turn(self) -> None:
        """It is this seat that decides now."""
        if self.decision == BURY:
            if self.tricks:
                raise QuestionError("tricks must be [] when it is time to bury")
            due = self.burier
        elif self.decision == FOLLOW:
            if not self.tricks:
                raise QuestionError("tricks holds no lead to follow")
            due = (self.tricks[-1]["leader"] + len(self.tricks[-1]["plays"])) % 4
        else:
            due = self.tricks[-1]["winner"] if self.tricks else self.declarer
        if self.seat != due:
            raise QuestionError(
                f"seat {self.seat} is asked to {self.question.value('decision')}, "
                f"but it is seat {due}'s turn"
            )

    def read_called_card(self) -> int | None:
        """The face that the declarer has called; None where partners are fixed."""
        called = self.question.value("called_card")
        if self.question.rules.partners == Partners.FIXED:
            if called is not None:
                raise QuestionError(
                    f"called_card = {shown(called)} must be null: partners are fixed"
                )
            return None
        if self.decision == BURY:
            if called is not None:
                raise QuestionError(
                    f"called_card = {shown(called)} must be null: a card is called "
                    "once the bottom is buried"
                )
            return None
        if called is None:
            raise QuestionError("called_card is null, but the declarer calls a friend")
        return parse_card(called)

    # --- sides ---

    def friend(self) -> int | None:
        """The friend as far as this seat knows, from the called card.

        He is the nearest who has played it, and everybody knows him then; before, only
        who holds it does.
        """
        if self.called_card is None:
            return None
        for step in range(1, 4):
            seat = (self.declarer + step) % 4
            if any(self.called_card in cards for cards in self.played_by(seat)):
                return seat
        holds = self.called_card in self.hand and self.seat != self.declarer
        return self.seat if holds else None

    def played_by(self, seat: int) -> list[list[int]]:
        """What a seat has played, trick by trick."""
        turns = [((seat - trick["leader"]) % 4, trick) for trick in self.tricks]
        return [it["plays"][turn] for turn, it in turns if turn < len(it["plays"])]

    def declarers_known(self) -> int:
        """The declarer's side as this seat knows it: bit s for seat s."""
        partner = (self.declarer + 2) % 4
        if self.question.rules.partners == Partners.CALLED:
            partner = self.declarer if self.friend() is None else self.friend()
        return 1 << self.declarer | 1 << partner

    def sides_known(self) -> bool:
        """Whether this seat knows who plays with whom."""
        fixed = self.question.rules.partners == Partners.FIXED
        return fixed or self.friend() is not None

    def check_cards(self) -> None:
        """The hand is as long as the play has left it; no card is there too often."""
        finished = [trick for trick in self.tricks if len(trick["plays"]) == 4]
        held = HAND_CARDS[self.question.decks] - sum(
            len(t["plays"][0]) for t in finished
        )
        if self.decision == BURY:
            held += BOTTOM_CARDS[self.question.decks]
        if len(self.hand) != held or held <= 0:
            raise QuestionError(
                f"hand holds {len(self.hand)} cards, after these tricks it is {held}"
            )
        out = [play for trick in self.tricks for play in trick["plays"]]
        known = (
            self.buried if self.seat == self.burier and self.decision != BURY else []
        )
        check_copies(self.question.decks, self.hand, known or [], *out)
        if self.decision == FOLLOW and len(self.tricks[-1]["plays"][0]) > held:
            raise QuestionError(
                f"more cards are led than the {held} that the hand has left"
            )

    def check_outcomes(self, tricks: np.ndarray) -> None:
        """Leaders, winners and points are what the plays make them."""
        leader = self.declarer
        for place, (written, row) in enumerate(zip(self.tricks, tricks, strict=True)):
            name = f"tricks[{place}]"
            if written["leader"] != leader:
                raise QuestionError(
                    f"{name}.leader is {written['leader']}, should be {leader}"
                )
            if written["winner"] is None:
                continue
            for key in ("winner", "points"):
                if written[key] != row[key]:
                    raise QuestionError(
                        f"{name}.{key} is {written[key]}, should be {row[key]}"
                    )
            leader = written["winner"]

    def trick_rows(self) -> np.ndarray:
        """The tricks as kernels take them."""
        rows = np.zeros(len(self.tricks), TRICK_DTYPE[self.question.decks])
        for row, trick in zip(rows, self.tricks, strict=True):
            row["leader"], row["played"] = trick["leader"], len(trick["plays"])
            for turn, play in enumerate(trick["plays"]):
                store(row["plays"][turn], self.question.planes(play))
        return rows
