"""A tiny random player: whole legal deal records, made with the referee itself."""

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from referee.variants import Rules, preset
from sim.referee import calls, cards, components, follow, score, throw, trick

Record = dict[str, Any]


def random_record(
    variant: str,
    seed: int,
    *,
    rules: Rules | None = None,
    levels: Sequence[int] = (2, 2),
    laps: Sequence[int] = (0, 0, 0, 0),
    declarer: int | None = None,
    eager: float = 0.3,
) -> Record:
    """Play one deal at random and write it down.

    levels : of the four seats, or of seats 0 and 2, and of seats 1 and 3
    declarer : the given one, None for a first deal
    eager : how likely a seat makes a call that it may make
    """
    rules_played = rules or preset(variant)
    player = RandomPlay(rules_played, seed, levels, laps, declarer, eager)
    record = player.play()
    return {
        "format": "shengji-deal/1",
        "variant": variant if rules is None else "custom",
        "rules": player.rules,
        "seed": seed,
        "index": 0,
        "stream_version": 1,
        "match": None,
        "deal": None,
        "policies": ["random"] * 4,
        "policy_parameters": [{}, {}, {}, {}],
        **record,
    }


def random_match(
    variant: str, seed: int, *, rules: Rules | None = None, deals: int = 1000
) -> Iterator[Record]:
    """Play a match at random to its end, or so many deals of it."""
    levels, laps, declarer = [2] * 4, [0] * 4, None
    for deal in range(deals):
        record = random_record(
            variant,
            seed * 1000 + deal,
            rules=rules,
            levels=levels,
            laps=laps,
            declarer=declarer,
        )
        yield record | {"seed": seed, "index": None, "match": 0, "deal": deal}
        if record["match_won"]:
            return
        levels, laps = record["levels_after"], record["laps_after"]
        declarer = record["next_declarer"]


class RandomPlay:
    """One deal in the making."""

    def __init__(
        self,
        rules: Rules,
        seed: int,
        levels: Sequence[int],
        laps: Sequence[int],
        declarer: int | None,
        eager: float,
    ) -> None:
        self.rules = rules
        self.random = random.Random(seed)
        self.levels = [*levels] if len(levels) == 4 else [*levels, *levels]
        self.laps = list(laps)
        self.given = declarer
        self.first = declarer or 0
        self.eager = eager
        self.redeals = 0

    def play(self) -> Record:
        """Return the record's keys from the levels on."""
        while True:
            self._deal()
            if self.rules["bid"]["when"] == "auction":
                self._auction()
            else:
                self._call()
                if not self.history and not self._turn():
                    self.redeals += 1
                    continue
            if not self._is_demanded():
                break
            self.redeals += 1
        self._finish_calls()
        if not self.buries:
            self._bury(self.declarer)
        called_card, friend = self._name_friend()
        self.attackers = score.attackers_of(self.rules, self.declarer, friend)
        self._play_tricks()
        return {**self._opening_keys(called_card, friend), **self._score_keys(friend)}

    def _deal(self) -> None:
        decks = self.rules["decks"]
        pack = sorted(cards.whole_pack(decks).elements())
        self.random.shuffle(pack)
        size = cards.HAND_CARDS[decks]
        self.drawn = [pack[seat * size : (seat + 1) * size] for seat in range(4)]
        self.bottom = pack[4 * size :]
        self.all_drawn = 4 * size
        self.hands = [list(hand) for hand in self.drawn]
        self.pile = list(self.bottom)
        self.history: list[calls.Call] = []
        self.entries: list[Record] = []
        self.buries: list[Record] = []
        self.turned: str | None = None
        self.target: int | None = None
        self.declarer = self.first
        self.level = self.levels[self.first]
        self.trump = cards.NO_TRUMP

    # ---- calls

    def _call(self) -> None:
        after_deal = self.rules["bid"]["when"] == "after_deal"
        if not after_deal:
            for after in range(1, self.all_drawn):
                drawer = (self.first + after - 1) % 4
                for turn in range(4):
                    self._ask((drawer + turn) % 4, after, calls.DRAW)
        # Overcalls after the bury have a round of their own.
        own_round = self.rules["overcall"]["when"] == "after_bury"
        self._round(self.first, calls.AFTER_DEAL, bids_only=own_round)
        if not after_deal and self.history:
            self._ask(self.history[-1].seat, self.all_drawn, calls.AFTER_DEAL)
        if own_round and self.history and self.given is None:
            self._round(self.history[-1].seat + 1, calls.AFTER_DEAL)
        if self.history:
            self.trump = self.history[-1].suit
            if self.given is None:
                self.declarer = self.history[-1].seat

    def _is_demanded(self) -> bool:
        """Say whether an attacker demands a new deal for his weak hand (暴动)."""
        least = self.rules["redeal"]["weak_attacker_points"]
        if least is None or self.given is None:
            return False
        attackers = score.attackers_of(self.rules, self.declarer, None)
        weak = [s for s in attackers if cards.count_points(self.drawn[s]) < least]
        return bool(weak) and self.random.random() < 0.5

    def _finish_calls(self) -> None:
        """Make the calls that come after the bottom has been taken."""
        rebury = self.rules["overcall"]["when"] == "after_bury"
        if rebury and self.history and self.given is not None:
            self._bury(self.declarer)
            self._round(self.declarer + 1, calls.AFTER_BURY)
            self.trump = self.history[-1].suit

    def _round(self, start: int, stage: str, bids_only: bool = False) -> None:
        passed, seat = 0, start % 4
        while passed < 4:
            standing = self.history[-1].seat if self.history else None
            done = bids_only and standing is not None
            if seat != standing and not done and self._ask(seat, self.all_drawn, stage):
                passed = 0
                if stage == calls.AFTER_BURY:
                    self._bury(seat)
            passed += 1
            seat = (seat + 1) % 4

    def _ask(self, seat: int, after: int, stage: str) -> bool:
        """Let a seat call if it may and likes to."""
        rounds, rest = divmod(after, 4)
        hand = self.hands[seat]
        if after < self.all_drawn:
            hand = hand[: rounds + ((seat - self.first) % 4 < rest)]
        side_first = self.rules["bid"]["later_deals"] == "declarer_side_first"
        level, attacker, could = self.level, False, None
        if side_first and self.given is not None:
            attacker = (seat - self.given) % 2 == 1
            level = self.levels[seat] if attacker and not self.history else level
            given_level = self.levels[self.given]
            could = any(
                calls.could_bid(self.rules, self.drawn[each], given_level)
                for each in (self.given, (self.given + 2) % 4)
            )
        legal = calls.legal_calls(
            self.rules, hand, level, seat, self.given, stage, self.history, could
        )
        if not legal or self.random.random() >= self.eager:
            return False
        call = self.random.choice(legal)
        if not self.history and attacker:
            self.level, self.declarer = level, seat
        self.history.append(call)
        self.entries.append(
            {"seat": seat, "kind": call.kind, "cards": list(call.cards), "after": after}
        )
        return True

    def _turn(self) -> bool:
        """Turn a card where nobody bid; False if the deal is thrown away."""
        how = self.rules["nobody_bids"]
        if self.given is None and how != "random_card":
            return False
        if self.level == cards.JOKER_LEVEL or how == "no_trump":
            return True
        self.turned = self.bottom[2]
        if how == "random_card":
            self.turned = self.random.choice(self.bottom)
        if self.turned not in cards.JOKERS:
            self.trump = self.turned[0]
        if how == "random_card":
            order = [(self.first + turn) % 4 for turn in range(4)]
            holders = [seat for seat in order if self.turned in self.drawn[seat]]
            if not holders:
                return self.given is not None
            self.declarer = holders[0]
            self.level = self.levels[self.declarer]
            if self.level == cards.JOKER_LEVEL:
                self.trump = cards.NO_TRUMP
        return True

    def _auction(self) -> None:
        self.target = bound = score.take_over_bound(self.rules)
        waiting = [(self.first + turn) % 4 for turn in range(4)]
        caller = None
        while waiting and waiting != [caller]:
            seat = waiting.pop(0)
            highest = bound if caller is None else self.target - 5
            if highest < 5 or self.random.random() < 0.5:
                self.entries.append({"seat": seat, "kind": "pass"})
                continue
            caller = seat
            self.target = self.random.randrange(max(5, highest - 15), highest + 1, 5)
            self.entries.append({"seat": seat, "kind": "target", "target": self.target})
            waiting.append(seat)
        self.declarer = self.first if caller is None else caller
        self.level = self.levels[self.declarer]
        if self.level != cards.JOKER_LEVEL:
            self.trump = self.random.choice(cards.SUITS)

    def _bury(self, seat: int) -> None:
        took = self.pile
        self.hands[seat] = self.hands[seat] + took
        self.pile = self.random.sample(self.hands[seat], len(took))
        for card in self.pile:
            self.hands[seat].remove(card)
        self.buries.append({"seat": seat, "took": took, "buried": self.pile})

    def _name_friend(self) -> tuple[str | None, int | None]:
        if self.rules["partners"] == "fixed":
            return None, None
        card = self.random.choice(cards.KINDS)
        for turn in (1, 2, 3):
            seat = (self.declarer + turn) % 4
            if card in self.hands[seat]:
                return card, seat
        return card, None

    # ---- play

    def _play_tricks(self) -> None:
        self.layout = cards.Layout(self.level, self.trump)
        self.tricks: list[Record] = []
        self.failed = [0] * 4
        self.points = 0
        self.buried = self.pile
        leader = self.declarer
        hands = [list(hand) for hand in self.hands]
        while hands[0]:
            seats = [(leader + turn) % 4 for turn in range(4)]
            lead = tried = self._lead(hands[leader])
            forced = throw.forced_component(
                lead, [hands[seat] for seat in seats[1:]], self.layout
            )
            if forced is None:
                tried = None
            else:
                lead = list(forced.cards)
                self.failed[leader] += 1
            plays = [lead, *(self._follow(hands[seat], lead) for seat in seats[1:])]
            for seat, play in zip(seats, plays, strict=True):
                for card in play:
                    hands[seat].remove(card)
            leader = seats[trick.winning_place(plays, self.layout)]
            points = cards.count_points(card for play in plays for card in play)
            self.points += points * (leader in self.attackers)
            self.tricks.append(
                {
                    "leader": seats[0],
                    "tried": tried,
                    "plays": plays,
                    "winner": leader,
                    "points": points,
                }
            )

    def _lead(self, hand: list[str]) -> list[str]:
        suit = self.layout.suit(self.random.choice(hand))
        held = self.layout.of_suit(hand, suit)
        parts = components.read_components(held, self.layout)
        chance = self.random.random()
        if chance < 0.1:
            return self.random.sample(held, min(len(held), 2))
        if chance < 0.2:
            return [card for part in parts[:2] for card in part.cards]
        if chance < 0.7:
            return list(parts[0].cards)  # the largest
        return list(self.random.choice(parts).cards)

    def _follow(self, hand: list[str], lead: list[str]) -> list[str]:
        held = self.layout.of_suit(hand, self.layout.suit(lead[0]))
        need = len(lead)
        if len(held) <= need:
            others = [card for card in hand if card not in held]
            return self._fill(held, others, need)
        for _ in range(10):
            play = self.random.sample(held, need)
            if self._is_legal(hand, lead, play):
                return play
        asked = components.read_components(lead, self.layout)
        paid = follow.pay(held, asked, self.layout).cards
        rest = list((Counter(held) - Counter(paid)).elements())
        play = paid + self.random.sample(rest, need - len(paid))
        assert self._is_legal(hand, lead, play)
        return play

    def _fill(self, held: list[str], others: list[str], need: int) -> list[str]:
        """Add other cards; now and then a ruff that matches, if there is one."""
        missing = need - len(held)
        trumps = self.layout.of_suit(others, cards.TRUMP)
        if not held and self.random.random() < 0.7 and len(trumps) >= need:
            parts = components.read_components(trumps, self.layout)
            ruff = [card for part in parts for card in part.cards][:need]
            return self.random.choice([ruff, self.random.sample(trumps, need)])
        return held + self.random.sample(others, missing)

    def _is_legal(self, hand: list[str], lead: list[str], play: list[str]) -> bool:
        shape = self.rules["throw_follow"]
        return follow.why_not_follow(hand, lead, play, self.layout, shape) is None

    # ---- writing it down

    def _opening_keys(self, called_card: str | None, friend: int | None) -> Record:
        return {
            "levels": self.levels,
            "laps": self.laps,
            "declarer_before": self.given,
            "drawn": self.drawn,
            "bottom": self.bottom,
            "redeals": self.redeals,
            "calls": self.entries,
            "turned": self.turned,
            "level": self.level,
            "trump": self.trump,
            "declarer": self.declarer,
            "buries": self.buries,
            "called_card": called_card,
            "friend": friend,
            "tricks": self.tricks,
            "attackers": self.attackers,
        }

    def _score_keys(self, friend: int | None) -> Record:
        rules, last = self.rules, self.tricks[-1]
        captured = last["winner"] in self.attackers
        winning = last["plays"][(last["winner"] - last["leader"]) % 4]
        bottom_points = cards.count_points(self.buried)
        factor = None
        if captured:
            factor = score.multiplier(rules, last["plays"][0], winning, self.layout)
        failures = sum(
            -n if seat in self.attackers else n for seat, n in enumerate(self.failed)
        )
        penalty = failures * rules["failed_throw"]["points"]
        total = self.points + bottom_points * (factor or 0) + penalty
        result = score.read_level_table(rules, total, self.target)
        levels, laps = score.levels_after(
            rules, self.levels, self.laps, self.declarer, friend, result
        )
        overcalls = sum(call.kind == calls.OVERCALL for call in self.history)
        return {
            "trick_points": self.points,
            "bottom_points": bottom_points,
            "captured": captured,
            "multiplier": factor,
            "penalty_points": penalty,
            "total": total,
            "failed_throws": self.failed,
            "overcalls": overcalls,
            "coin_factor": 2**overcalls,
            "result": result.as_record(),
            "levels_after": levels,
            "laps_after": laps,
            "next_declarer": score.next_declarer(rules, self.declarer, friend, result),
            "match_won": score.match_winners(rules, laps),
        }
