"""The part of a deal record before the play: the draw, the calls, the buries."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from sim.referee import calls as calling
from sim.referee.auction import replay_auction
from sim.referee.calls import AFTER_BURY, AFTER_DEAL, DRAW, Call
from sim.referee.cards import (
    BOTTOM_CARDS,
    HAND_CARDS,
    JOKER_LEVEL,
    JOKERS,
    NO_TRUMP,
    SUITS,
    missing_from,
    show,
    whole_pack,
)
from sim.referee.fault import Broken, said

Record = Mapping[str, Any]


class Opening:
    """A deal from the shuffle to the last bury.

    After `replay` the attributes hold what the cards and calls came to, each checked
    against the record: declarer, level, trump, target, hands, bottom.
    """

    def __init__(self, record: Record) -> None:
        self.record = record
        self.rules = record["rules"]
        self.given: int | None = record["declarer_before"]
        self.first = 0 if self.given is None else self.given
        self.all_drawn = 4 * HAND_CARDS[self.rules["decks"]]
        self.hands = [list(cards) for cards in record["drawn"]]
        self.bottom = list(record["bottom"])
        self.buries = 0
        self.calls: list[Call] = []
        self.declarer = self.first
        self.level = record["levels"][self.first]
        self.trump = NO_TRUMP
        self.target: int | None = None

    def replay(self) -> None:
        """Go through it all; raise Broken at the first thing that is wrong."""
        self._check_pack()
        self._check_redeals()
        if self.rules["bid"]["when"] == "auction":
            self._auction()
        else:
            self._calls()
        self._compare("level", self.level)
        self._compare("trump", self.trump)
        self._compare("declarer", self.declarer)
        overcalls = sum(call.kind == calling.OVERCALL for call in self.calls)
        self._compare("overcalls", overcalls)
        self._compare("coin_factor", 2**overcalls)
        if not self.buries:
            self._bury(self.declarer)
        if len(self.record["buries"]) > self.buries:
            seat = self.record["buries"][self.buries]["seat"]
            raise Broken(f"seat {seat} buries, but is not the declarer and has not")
        self._check_turned_is_due()

    def _compare(self, key: str, value: object) -> None:
        if self.record[key] != value:
            raise Broken(f"{key} is {said(self.record[key])}, should be {said(value)}")

    def _check_pack(self) -> None:
        decks = self.rules["decks"]
        for seat, cards in enumerate(self.hands):
            if len(cards) != HAND_CARDS[decks]:
                raise Broken(
                    f"seat {seat} drew {len(cards)} cards, with {decks} decks a hand"
                    f" is {HAND_CARDS[decks]}"
                )
        if len(self.bottom) != BOTTOM_CARDS[decks]:
            raise Broken(
                f"the bottom has {len(self.bottom)} cards, with {decks} decks it is"
                f" {BOTTOM_CARDS[decks]}"
            )
        dealt = Counter(card for hand in self.hands for card in hand)
        dealt.update(self.bottom)
        for card, copies in whole_pack(decks).items():
            if dealt[card] != copies:
                raise Broken(f"{dealt[card]} {card} were dealt with {decks} decks")

    def _check_redeals(self) -> None:
        if self.given is None:
            possible = self.rules["bid"]["when"] != "auction"
        else:
            possible = self.rules["redeal"]["weak_attacker_points"] is not None
        if self.record["redeals"] and not possible:
            raise Broken(
                f"redeals is {self.record['redeals']}, but nothing in these rules"
                " throws this shuffle away"
            )

    def _auction(self) -> None:
        self.declarer, self.target = replay_auction(
            self.rules, self.record["calls"], self.first
        )
        self.level = self.record["levels"][self.declarer]
        self.trump = self.record["trump"]
        allowed = (NO_TRUMP,) if self.level == JOKER_LEVEL else tuple(SUITS)
        if self.trump not in allowed:
            raise Broken(
                f"trump is {self.trump!r}, the declarer picks one of"
                f" {', '.join(allowed)}"
            )

    def _calls(self) -> None:
        last = 0
        last_word = False
        for place, entry in enumerate(self.record["calls"]):
            where = f"calls[{place}]"
            if entry["kind"] not in (calling.BID, calling.REINFORCE, calling.OVERCALL):
                raise Broken(f"{where}: {entry['kind']!r} belongs to an auction")
            if not last <= entry["after"] <= self.all_drawn:
                raise Broken(
                    f"{where}: after is {entry['after']}, allowed is {last} to"
                    f" {self.all_drawn}"
                )
            last = entry["after"]
            stage = self._stage(entry)
            if last_word and stage != AFTER_BURY:
                raise Broken(f"{where}: the caller has had the last word before it")
            if stage == AFTER_BURY and not self.buries:
                self._bury(self.declarer)
            self._call(where, entry, stage)
            # Once all others have passed, the caller may add to his own call, once.
            last_word = (
                stage == AFTER_DEAL
                and len(self.calls) > 1
                and self.calls[-1].seat == self.calls[-2].seat
                and self.rules["overcall"]["when"] == DRAW
            )
            if stage == AFTER_BURY:
                self._bury(entry["seat"])
        if self.calls:
            self.trump = self.calls[-1].suit
            if self.given is None:
                self.declarer = self.calls[-1].seat
        else:
            self._nobody_bid()

    def _stage(self, entry: Mapping[str, Any]) -> str:
        if entry["after"] < self.all_drawn:
            return DRAW
        rebury = self.rules["overcall"]["when"] == "after_bury" and self.calls
        if rebury and self.given is not None and entry["kind"] == calling.OVERCALL:
            return AFTER_BURY
        return AFTER_DEAL

    def _call(self, where: str, entry: Mapping[str, Any], stage: str) -> None:
        seat, kind, cards = entry["seat"], entry["kind"], entry["cards"]
        try:
            call = calling.read_call(seat, kind, cards, self.rules)
        except ValueError as error:
            raise Broken(f"{where}: {error}") from None
        hand = self._held(seat, entry["after"])
        if missing := missing_from(hand, cards):
            raise Broken(
                f"{where}: seat {seat} shows {show(cards)} without holding"
                f" {show(missing)} at that moment"
            )
        level = self.level
        if not self.calls and self._attacker_bids(seat):
            level = self.record["levels"][seat]
        legal = calling.legal_calls(
            self.rules,
            hand,
            level,
            seat,
            self.given,
            stage,
            self.calls,
            self._declarer_side_could_bid(),
        )
        kinds = [c.kind for c in legal if sorted(c.cards) == sorted(cards)]
        if kind not in kinds:
            if kinds:
                raise Broken(f"{where}: kind is {kind!r}, this call is {kinds[0]!r}")
            options = ", ".join(show(c.cards) for c in legal) or "nothing"
            raise Broken(
                f"{where}: seat {seat} may not call {show(cards)} here, allowed is"
                f" {options}"
            )
        if not self.calls and self._attacker_bids(seat):
            self.level, self.declarer = level, seat
        self.calls.append(call)

    def _held(self, seat: int, after: int) -> list[str]:
        """Return a seat's cards once `after` cards have been drawn by all."""
        if after == self.all_drawn:
            return self.hands[seat]
        rounds, rest = divmod(after, 4)
        return self.hands[seat][: rounds + ((seat - self.first) % 4 < rest)]

    def _attacker_bids(self, seat: int) -> bool:
        """Say whether a bid by this seat makes it declarer in a later deal."""
        return (
            self.given is not None
            and self.rules["bid"]["later_deals"] == "declarer_side_first"
            and (seat - self.given) % 2 == 1
        )

    def _declarer_side_could_bid(self) -> bool | None:
        if self.given is None:
            return None
        level = self.record["levels"][self.given]
        return any(
            calling.could_bid(self.rules, self.hands[seat], level)
            for seat in (self.given, (self.given + 2) % 4)
        )

    def _nobody_bid(self) -> None:
        """Make trump without a call, by the turned card where there is one."""
        turned = self.record["turned"]
        nobody_bids = self.rules["nobody_bids"]
        if self.given is None and nobody_bids != "random_card":
            raise Broken("nobody called in a first deal, which is then dealt again")
        if self.level == JOKER_LEVEL or nobody_bids == "no_trump":
            return
        if turned is None:
            raise Broken("turned is null, but nobody bid and a card makes trump")
        if nobody_bids == "third_card" and turned != self.bottom[2]:
            raise Broken(
                f"turned is {said(turned)}, the third card of the bottom is "
                f"{said(self.bottom[2])}"
            )
        if turned not in self.bottom:
            raise Broken(f"turned is {said(turned)}, which is not in the bottom")
        self.trump = NO_TRUMP if turned in JOKERS else turned[0]
        if nobody_bids == "random_card":
            order = [(self.first + turn) % 4 for turn in range(4)]
            holders = [seat for seat in order if turned in self.hands[seat]]
            if holders:
                self.declarer = holders[0]
                self.level = self.record["levels"][self.declarer]
                if self.level == JOKER_LEVEL:
                    self.trump = NO_TRUMP
            elif self.given is None:
                raise Broken(
                    f"nobody holds a {turned} and nobody called in a first deal,"
                    " which is then dealt again"
                )

    def _check_turned_is_due(self) -> None:
        if self.record["turned"] is None:
            return
        no_card = self.target is not None or self.rules["nobody_bids"] == "no_trump"
        at_jokers = self.record["levels"][self.first] == JOKER_LEVEL
        if self.calls or no_card or at_jokers:
            raise Broken(
                f"turned is {self.record['turned']}, but no card is turned in this deal"
            )

    def _bury(self, seat: int) -> None:
        """Let a seat take the bottom and bury as many cards."""
        where = f"buries[{self.buries}]"
        if self.buries >= len(self.record["buries"]):
            raise Broken(f"{where} is missing: seat {seat} buries")
        bury = self.record["buries"][self.buries]
        if bury["seat"] != seat:
            raise Broken(f"{where}: seat is {bury['seat']}, should be {seat}")
        if sorted(bury["took"]) != sorted(self.bottom):
            raise Broken(
                f"{where}: took {show(bury['took'])}, the bottom was"
                f" {show(self.bottom)}"
            )
        if len(bury["buried"]) != len(self.bottom):
            raise Broken(
                f"{where}: {len(bury['buried'])} cards buried instead of"
                f" {len(self.bottom)}"
            )
        self.hands[seat] += self.bottom
        remove(self.hands[seat], bury["buried"], f"{where}: seat {seat} buries")
        self.bottom = list(bury["buried"])
        self.buries += 1


def remove(
    hand: list[str], cards: Sequence[str], doing: str, trick: int | None = None
) -> None:
    """Take cards out of a hand; Broken if it does not hold them."""
    missing = []
    for card in cards:
        if card in hand:
            hand.remove(card)
        else:
            missing.append(card)
    if missing:
        raise Broken(f"{doing} {show(missing)} without holding it", trick)
