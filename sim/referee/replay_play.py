"""The play of a deal record: every lead, follow, winner and count of points."""

from collections.abc import Mapping, Sequence
from typing import Any

from sim.referee.cards import Layout, count_points, show
from sim.referee.components import read_components
from sim.referee.fault import Broken
from sim.referee.follow import why_not_follow
from sim.referee.replay_calls import remove
from sim.referee.throw import forced_component
from sim.referee.trick import winning_place


class Play:
    """The tricks of a deal, replayed from the hands after the last bury.

    After `replay`: trick_points of the attackers, failed_throws a seat, and last, the
    (leader, winner, plays) of the last trick.
    """

    def __init__(
        self,
        hands: Sequence[Sequence[str]],
        layout: Layout,
        throw_follow: str,
        declarer: int,
        attackers: Sequence[int],
    ) -> None:
        self.hands = [list(hand) for hand in hands]
        self.layout = layout
        self.throw_follow = throw_follow
        self.leader = declarer
        self.attackers = attackers
        self.trick_points = 0
        self.failed_throws = [0, 0, 0, 0]
        self.last: tuple[int, int, Sequence[Sequence[str]]] | None = None

    def replay(self, tricks: Sequence[Mapping[str, Any]]) -> None:
        """Play all tricks; raise Broken at the first thing that is wrong."""
        for number, trick in enumerate(tricks, start=1):
            if not self.hands[0]:
                raise Broken("all cards have been played before it", number)
            self._trick(trick, number)
        if self.hands[0]:
            raise Broken(
                f"the deal stops after {len(tricks)} tricks with"
                f" {len(self.hands[0])} cards left in each hand"
            )

    def _trick(self, trick: Mapping[str, Any], number: int) -> None:
        leader, plays = trick["leader"], trick["plays"]
        if leader != self.leader:
            raise Broken(f"leader is {leader}, should be {self.leader}", number)
        seats = [(leader + turn) % 4 for turn in range(4)]
        self._lead(trick, seats, number)
        for seat, play in zip(seats[1:], plays[1:], strict=True):
            self._follow(seat, plays[0], play, number)
        winner = seats[winning_place(plays, self.layout)]
        if trick["winner"] != winner:
            raise Broken(f"winner is {trick['winner']}, should be {winner}", number)
        points = count_points(card for play in plays for card in play)
        if trick["points"] != points:
            raise Broken(f"points is {trick['points']}, should be {points}", number)
        if winner in self.attackers:
            self.trick_points += points
        self.leader = winner
        self.last = leader, winner, plays

    def _lead(
        self, trick: Mapping[str, Any], seats: Sequence[int], number: int
    ) -> None:
        leader, lead, tried = seats[0], trick["plays"][0], trick["tried"]
        shown = lead if tried is None else tried
        doing = f"seat {leader} leads"
        hand = list(self.hands[leader])
        remove(hand, shown, doing, number)
        if self.layout.suit_of_all(shown) is None:
            raise Broken(f"{doing} {show(shown)}, not of one effective suit", number)
        forced = forced_component(
            shown, [self.hands[seat] for seat in seats[1:]], self.layout
        )
        if tried is None and forced is not None:
            raise Broken(
                f"{doing} {show(lead)}, a throw that fails: {show(forced.cards)} is"
                " forced",
                number,
            )
        if tried is not None:
            if forced is None:
                what = "is no throw"
                if len(read_components(tried, self.layout)) > 1:
                    what = "is a throw that stands"
                raise Broken(f"tried is {show(tried)}, which {what}", number)
            if sorted(lead) != sorted(forced.cards):
                raise Broken(
                    f"{doing} {show(lead)} after the failed throw {show(tried)},"
                    f" forced is {show(forced.cards)}",
                    number,
                )
            self.failed_throws[leader] += 1
        if tried is None:
            self.hands[leader] = hand
        else:
            remove(self.hands[leader], lead, doing, number)

    def _follow(
        self, seat: int, lead: Sequence[str], play: Sequence[str], number: int
    ) -> None:
        hand = list(self.hands[seat])
        remove(self.hands[seat], play, f"seat {seat} plays", number)
        why = why_not_follow(hand, lead, play, self.layout, self.throw_follow)
        if why is not None:
            raise Broken(
                f"seat {seat} plays {show(play)} to {show(lead)}: {why}", number
            )
