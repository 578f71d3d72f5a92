"""Making trump: which calls a seat may make (亮主, 反主, 加固)."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sim.referee.cards import JOKER_LEVEL, JOKERS, NO_TRUMP, RANKS, SUITS

Rules = Mapping[str, Any]

BID, REINFORCE, OVERCALL = "bid", "reinforce", "overcall"
SINGLE, PAIR = "single", "pair"
DRAW, AFTER_DEAL, AFTER_BURY = "draw", "after_deal", "after_bury"

# The joker of matching colour that `bid.with_joker` shows beside a level card.
COLOUR = {"S": "LJ", "C": "LJ", "H": "BJ", "D": "BJ"}

STRENGTHS = {
    "kinds": {SINGLE: 1, PAIR: 2, "LJ": 3, "BJ": 4},
    "latest": {SINGLE: 1, PAIR: 2, "LJ": 3, "BJ": 4},
    "suits": {SINGLE: 1, "D": 2, "C": 3, "H": 4, "S": 5, "LJ": 6, "BJ": 7},
}


@dataclass(frozen=True)
class Call:
    """A call that was or could be made.

    form is "single", "pair", "LJ" or "BJ"; suit the trump suit it names.
    """

    seat: int
    kind: str
    form: str
    suit: str
    cards: tuple[str, ...]


def read_call(seat: int, kind: str, cards: Sequence[str], rules: Rules) -> Call:
    """Tell the form and suit of the cards shown; ValueError if they are no call."""
    shown = tuple(cards)
    if len(shown) == 2 and shown[0] == shown[1] and shown[0] in JOKERS:
        return Call(seat, kind, shown[0], NO_TRUMP, shown)
    level_cards = list(shown)
    if rules["bid"]["with_joker"]:
        level_cards = [card for card in shown if card not in JOKERS]
        jokers = [card for card in shown if card in JOKERS]
        if level_cards and jokers != [COLOUR[level_cards[0][0]]]:
            wanted = COLOUR[level_cards[0][0]]
            raise ValueError(f"a call of {level_cards[0]} shows one {wanted} beside it")
    if (
        len(level_cards) not in (1, 2)
        or len(set(level_cards)) != 1
        or level_cards[0] in JOKERS
    ):
        raise ValueError(
            f"{' '.join(shown) or 'nothing'} is no call: one or two identical level"
            " cards, or a pair of jokers"
        )
    form = SINGLE if len(level_cards) == 1 else PAIR
    return Call(seat, kind, form, level_cards[0][0], shown)


def beats(call: Call, standing: Call, rules: Rules) -> bool:
    """Say whether a call is strong enough to stand over another."""
    order = rules["overcall"]["order"]
    if order == "latest" and call.form == PAIR and standing.form == PAIR:
        return True
    return _strength(call, order) > _strength(standing, order)


def _strength(call: Call, order: str) -> int:
    by_suit = order == "suits" and call.form == PAIR
    return STRENGTHS[order][call.suit if by_suit else call.form]


def possible_calls(rules: Rules, hand: Sequence[str], seat: int, level: int) -> list:
    """List every call the hand has the cards for, whatever has been called before."""
    counts = Counter(hand)
    calls = []
    if level == JOKER_LEVEL:
        return calls
    for copies, form in ((1, SINGLE), (2, PAIR)):
        for suit in SUITS:
            cards = (suit + RANKS[level - 2],) * copies
            if rules["bid"]["with_joker"]:
                cards += (COLOUR[suit],)
            if not Counter(cards) - counts:
                calls.append(Call(seat, OVERCALL, form, suit, cards))
    for joker in JOKERS:
        if rules["overcall"]["joker_pairs"] and counts[joker] >= 2:
            calls.append(Call(seat, OVERCALL, joker, NO_TRUMP, (joker, joker)))
    return calls


def could_bid(rules: Rules, hand: Sequence[str], level: int) -> bool:
    """Say whether a hand has the cards of a bid at a level."""
    calls = possible_calls(rules, hand, 0, level)
    return any(_opens(rules, call) for call in calls)


def _opens(rules: Rules, call: Call) -> bool:
    return call.suit != NO_TRUMP and rules["bid"]["opens_with"] in ("either", call.form)


def legal_calls(
    rules: Rules,
    hand: Sequence[str],
    level: int,
    seat: int,
    declarer: int | None,
    stage: str,
    history: Sequence[Call],
    declarer_side_could_bid: bool | None = None,
) -> list[Call]:
    """List the calls a seat may make now, each with its kind.

    Parameters
    ----------
    hand : the cards held now
    level : that of the cards this seat would show
    declarer : the given declarer, None in a match's first deal
    stage : "draw"; "after_deal", all cards drawn and the bottom not yet taken, a first
        deal's overcalls included; "after_bury", between a bury and the play
    history : the calls so far
    declarer_side_could_bid : whether declarer or partner held the cards of a bid;
        asked only with `declarer_side_first`
    """
    possible = possible_calls(rules, hand, seat, level)
    if not history:
        if not may_bid(rules, seat, declarer, stage, declarer_side_could_bid):
            return []
        return [as_kind(call, BID) for call in possible if _opens(rules, call)]
    standing = history[-1]
    legal = []
    for call in possible:
        if _repeats(call, history):
            continue
        if standing.seat == seat:
            if may_reinforce(rules, stage) and _reinforces(call, standing):
                legal.append(as_kind(call, REINFORCE))
            elif (
                rules["overcall"]["self"] == "always"
                and may_overcall(rules, declarer, stage)
                # In the rounds a caller gets no turn while his call stands.
                and rules["overcall"]["when"] == DRAW
                and rules["bid"]["when"] == DRAW
                and call.suit != standing.suit
                and beats(call, standing, rules)
            ):
                legal.append(call)
        elif may_overcall(rules, declarer, stage) and beats(call, standing, rules):
            has_called = any(earlier.seat == seat for earlier in history)
            if not has_called or rules["overcall"]["self"] != "never":
                legal.append(call)
    return legal


def as_kind(call: Call, kind: str) -> Call:
    """Return the call under another kind."""
    return Call(call.seat, kind, call.form, call.suit, call.cards)


def may_bid(
    rules: Rules,
    seat: int,
    declarer: int | None,
    stage: str,
    declarer_side_could_bid: bool | None,
) -> bool:
    """Say whether the seat may open the calling at this stage."""
    stages = {DRAW: (DRAW, AFTER_DEAL), AFTER_DEAL: (AFTER_DEAL,)}
    if stage not in stages[rules["bid"]["when"]]:
        return False
    if declarer is None or rules["bid"]["later_deals"] == "anyone":
        return True
    if seat == declarer:
        return True
    if seat == (declarer + 2) % 4 or stage == DRAW:
        return False
    return declarer_side_could_bid is False


def may_overcall(rules: Rules, declarer: int | None, stage: str) -> bool:
    """Say whether overcalls are made at this stage."""
    when = rules["overcall"]["when"]
    if when == DRAW:
        # Bids made after the deal leave no other moment for their overcalls.
        return stage in (DRAW, AFTER_DEAL)
    if when == AFTER_DEAL:
        return stage == AFTER_DEAL
    if when == AFTER_BURY:
        # A first deal's bottom waits until the overcalls are over (反主反打).
        return stage == (AFTER_DEAL if declarer is None else AFTER_BURY)
    return False


def may_reinforce(rules: Rules, stage: str) -> bool:
    """Say whether a standing single may be reinforced at this stage."""
    if rules["reinforce"] != "any" or rules["bid"]["when"] != DRAW:
        # With bids in a round the caller has no turn while his call stands.
        return False
    return stage in (DRAW, AFTER_DEAL)


def _reinforces(call: Call, standing: Call) -> bool:
    return (call.form, standing.form, call.suit) == (PAIR, SINGLE, standing.suit)


def _repeats(call: Call, history: Sequence[Call]) -> bool:
    """Say whether the seat has shown this very pair before."""
    return call.form != SINGLE and any(
        (earlier.seat, earlier.form, earlier.suit) == (call.seat, call.form, call.suit)
        for earlier in history
    )
