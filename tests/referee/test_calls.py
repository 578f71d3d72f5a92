"""Who may call what, and when."""

import pytest

from referee.variants import Rules, preset, resolve
from sim.referee.calls import legal_calls, read_call


def legal(
    rules: Rules | str,
    hand: str,
    seat: int,
    history: list[tuple[int, str, str]],
    *,
    stage: str = "draw",
    declarer: int | None = None,
    level: int = 2,
    could: bool | None = None,
) -> list[str]:
    """List the legal calls as "kind cards"."""
    if isinstance(rules, str):
        rules = preset(rules)
    calls = [read_call(s, kind, cards.split(), rules) for s, kind, cards in history]
    found = legal_calls(rules, hand.split(), level, seat, declarer, stage, calls, could)
    return [f"{call.kind} {' '.join(call.cards)}" for call in found]


BID = [(0, "bid", "H2")]


def test_bids() -> None:
    """Level cards only; what opens is the variant's."""
    hand = "H2 H2 S2 LJ LJ"
    assert legal("menghuan", hand, 0, []) == ["bid S2", "bid H2"]
    assert legal("competition", hand, 0, []) == ["bid S2", "bid H2", "bid H2 H2"]
    assert legal("bianfeng", hand, 0, []) == []  # bids come after the deal
    assert legal("bianfeng", hand, 0, [], stage="after_deal")
    assert legal("menghuan", hand, 0, [], stage="after_bury", declarer=0) == []
    assert legal("menghuan", hand, 0, [], level=15) == []


def test_with_joker() -> None:
    """A level card shows the joker of its colour beside it."""
    assert legal("joker-bid", "H2 H2 S2 LJ", 0, []) == ["bid S2 LJ"]
    with pytest.raises(ValueError, match="shows one BJ"):
        read_call(0, "bid", ["H2", "LJ"], preset("joker-bid"))


def test_reinforce() -> None:
    """One's own standing single, in its suit, before the bottom is taken."""
    hand = "H2 H2 S2 S2"
    assert legal("menghuan", hand, 0, BID) == ["reinforce H2 H2"]
    assert legal("menghuan", hand, 0, BID, stage="after_bury", declarer=1) == []
    shown = [*BID, (0, "reinforce", "H2 H2")]
    assert legal("menghuan", hand, 0, shown) == []
    assert legal("casual", hand, 0, BID) == []


def test_overcalls_of_each_moment() -> None:
    """After the bury, in a first deal before the bottom is taken; or in the draw."""
    pair = ["overcall S2 S2"]
    assert legal("menghuan", "S2 S2", 1, BID) == []
    assert legal("menghuan", "S2 S2", 1, BID, stage="after_deal") == pair
    assert legal("menghuan", "S2 S2", 1, BID, stage="after_deal", declarer=0) == []
    assert legal("menghuan", "S2 S2", 1, BID, stage="after_bury", declarer=0) == pair
    assert legal("competition", "S2 S2", 1, BID) == pair
    assert legal("casual", "S2 S2", 1, BID) == []


def test_strengths() -> None:
    """kinds, suits, latest."""
    over = [(0, "bid", "H2 H2")]
    hand = "S2 S2 D2 D2 LJ LJ BJ BJ"
    jokers = ["overcall LJ LJ", "overcall BJ BJ"]
    assert legal("competition", hand, 1, over) == jokers
    suits = resolve({"base": "competition", "overcall": {"order": "suits"}})
    assert legal(suits, hand, 1, over) == ["overcall S2 S2", *jokers]
    assert legal("shuangsheng", hand, 1, over) == ["overcall S2 S2", "overcall D2 D2"]
    assert legal("competition", hand, 1, [*over, (2, "overcall", "LJ LJ")]) == [
        "overcall BJ BJ"
    ]


def test_self() -> None:
    """never, after_other, always."""
    hand = "H2 H2 S2 S2 LJ LJ"
    overcalled = [*BID, (1, "overcall", "C2 C2")]

    def allowed(own: str, history: list[tuple[int, str, str]]) -> list[str]:
        rules = resolve({"base": "competition", "overcall": {"self": own}})
        return legal(rules, hand, 0, history)

    assert allowed("never", overcalled) == []
    assert allowed("after_other", overcalled) == ["overcall LJ LJ"]
    assert allowed("after_other", BID) == ["reinforce H2 H2"]
    assert allowed("always", BID) == [
        "overcall S2 S2",
        "reinforce H2 H2",
        "overcall LJ LJ",
    ]


def test_the_same_pair_is_not_shown_twice() -> None:
    """With `latest` a pair beats a pair, but not one shown before by this seat."""
    history = [(0, "bid", "H2 H2"), (1, "overcall", "C2 C2")]
    assert legal("shuangsheng", "H2 H2 S2 S2", 0, history) == ["overcall S2 S2"]


def test_declarer_side_first() -> None:
    """Later deals: the declarer; the attackers only if his side could not."""
    hand = "S2 LJ"
    assert legal("joker-bid", hand, 0, [], declarer=0) == ["bid S2 LJ"]
    assert legal("joker-bid", hand, 1, [], declarer=0) == []
    after = {"stage": "after_deal", "declarer": 0}
    assert legal("joker-bid", hand, 1, [], could=True, **after) == []
    assert legal("joker-bid", hand, 1, [], could=False, **after) == ["bid S2 LJ"]
    assert legal("joker-bid", hand, 2, [], could=False, **after) == []
    assert legal("joker-bid", hand, 2, [], declarer=None) == ["bid S2 LJ"]


@pytest.mark.parametrize("cards", ["", "H2 S2", "H2 H2 H2", "LJ", "LJ BJ"])
def test_no_call(cards: str) -> None:
    """Cards that are no call are refused."""
    with pytest.raises(ValueError, match="no call"):
        read_call(0, "bid", cards.split(), preset("menghuan"))
