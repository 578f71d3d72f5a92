"""The keys of a deal record and what may stand under each."""

from collections.abc import Callable, Mapping
from typing import Any

from sim.referee.cards import (
    HAND_CARDS,
    JOKER_LEVEL,
    NO_TRUMP,
    SPELLINGS,
    SUITS,
    parse_card,
)
from sim.referee.fault import Broken, quoted, said

FORMAT = "shengji-deal/1"
_SPELLINGS = set(SPELLINGS)

# A check is given where a value stands and the value; it raises Broken or returns.
Check = Callable[[str, Any], None]


def _refuse(where: str, value: object, allowed: str) -> None:
    raise Broken(f"{where} is {said(value)}, allowed is {allowed}")


def integer(low: int, high: int | None = None) -> Check:
    """Allow whole numbers from low to high."""
    allowed = f"a whole number from {low}" + ("" if high is None else f" to {high}")

    def check(where: str, value: Any) -> None:
        # True and False are integers to Python, but not to a reader.
        inside = type(value) is int and low <= value and (high is None or value <= high)
        if not inside:
            _refuse(where, value, allowed)

    return check


def whole(where: str, value: Any) -> None:
    """Allow any whole number, negative ones too."""
    if type(value) is not int:
        _refuse(where, value, "a whole number")


def number(where: str, value: Any) -> None:
    """Allow numbers that are not negative."""
    if type(value) not in (int, float) or not value >= 0:
        _refuse(where, value, "a number from 0")


def boolean(where: str, value: Any) -> None:
    """Allow true and false."""
    if type(value) is not bool:
        _refuse(where, value, "true or false")


def text(where: str, value: Any) -> None:
    """Allow any string."""
    if not isinstance(value, str):
        _refuse(where, value, "a string")


def mapping(where: str, value: Any) -> None:
    """Allow any object."""
    if not isinstance(value, dict):
        _refuse(where, value, "an object")


def card(where: str, value: Any) -> None:
    """Allow a card."""
    try:
        parse_card(value)
    except ValueError as error:
        raise Broken(f"{where}: {error}") from None


def cards(where: str, value: Any) -> None:
    """Allow lists of cards."""
    # Looked at one by one only to say which is none.
    known = isinstance(value, list) and all(isinstance(each, str) for each in value)
    if not known or not _SPELLINGS.issuperset(value):
        list_of(card)(where, value)


def one_of(*values: object) -> Check:
    """Allow the values listed."""

    def check(where: str, value: Any) -> None:
        if not any(type(value) is type(each) and value == each for each in values):
            _refuse(where, value, ", ".join(str(each) for each in values))

    return check


def optional(inner: Check) -> Check:
    """Allow null too."""

    def check(where: str, value: Any) -> None:
        if value is not None:
            inner(where, value)

    return check


def list_of(inner: Check, length: int | None = None) -> Check:
    """Allow lists, of one length if it is given."""

    def check(where: str, value: Any) -> None:
        if not isinstance(value, list):
            _refuse(where, value, "a list")
        if length is not None and len(value) != length:
            raise Broken(f"{where} has {len(value)} entries instead of {length}")
        for place, each in enumerate(value):
            inner(f"{where}[{place}]", each)

    return check


def keys(checks: Mapping[str, Check]) -> Check:
    """Allow objects with just these keys."""

    def check(where: str, value: Any) -> None:
        mapping(where or "the record", value)
        dot = f"{where}." if where else ""
        for key in value:
            if key not in checks:
                raise Broken(f"unknown key {quoted(dot + key)}")
        for key, inner in checks.items():
            if key not in value:
                raise Broken(f"missing key {dot + key!r}")
            inner(dot + key, value[key])

    return check


def call(where: str, value: Any) -> None:
    """Allow the calls of a draw or round, and those of an auction."""
    mapping(where, value)
    shown = {"cards": cards, "after": integer(0)}
    by_kind: dict[str, dict[str, Check]] = {
        "bid": shown,
        "reinforce": shown,
        "overcall": shown,
        "target": {"target": integer(5)},
        "pass": {},
    }
    kind = value.get("kind")
    more = by_kind.get(kind, {}) if isinstance(kind, str) else {}
    keys({"seat": SEAT, "kind": one_of(*by_kind), **more})(where, value)


def level_table(where: str, value: Any) -> None:
    """Allow rows [lower bound, side, levels], ascending, the declarers' first."""
    list_of(list_of(lambda where, each: None, 3))(where, value)
    bounds, sides = [], []
    for place, (low, side, levels) in enumerate(value):
        integer(0)(f"{where}[{place}][0]", low)
        one_of("declarers", "attackers")(f"{where}[{place}][1]", side)
        integer(0)(f"{where}[{place}][2]", levels)
        bounds.append(low)
        sides.append(side)
    if bounds[:1] != [0] or bounds != sorted(set(bounds)) or any(b % 5 for b in bounds):
        raise Broken(
            f"{where}: lower bounds {said(bounds)} do not ascend from 0 in fives"
        )
    if sides != sorted(sides, reverse=True) or len(set(sides)) != 2:
        raise Broken(f"{where}: rows of the declarers come first, then the attackers'")


def multipliers(where: str, value: Any) -> None:
    """Allow a run's multipliers from length 2 up, which never fall."""
    list_of(integer(0))(where, value)
    if not value or value != sorted(value):
        raise Broken(f"{where} is {said(value)}, allowed is a list that does not fall")


SEAT = integer(0, 3)
LEVEL = integer(2, JOKER_LEVEL)
CARDS = cards

BOTTOM_TABLE = keys(
    {
        "single": integer(0),
        "pair": integer(0),
        "triple": integer(0),
        "quad": integer(0),
        "tractor": multipliers,
        "titanic": multipliers,
        "quad_run": multipliers,
    }
)

RULES = keys(
    {
        "decks": one_of(*HAND_CARDS),
        "partners": one_of("fixed", "called"),
        "bid": keys(
            {
                "when": one_of("draw", "after_deal", "auction"),
                "with_joker": optional(boolean),
                "later_deals": optional(one_of("anyone", "declarer_side_first")),
                "opens_with": optional(one_of("single", "pair", "either")),
            }
        ),
        "overcall": keys(
            {
                "when": one_of("draw", "after_deal", "after_bury", "none"),
                "joker_pairs": optional(boolean),
                "order": optional(one_of("kinds", "suits", "latest")),
                "self": optional(one_of("never", "after_other", "always")),
            }
        ),
        "reinforce": optional(one_of("any", "no")),
        "nobody_bids": optional(one_of("third_card", "random_card", "no_trump")),
        "redeal": keys({"weak_attacker_points": optional(integer(0))}),
        "throw_follow": one_of("shape", "suit"),
        "failed_throw": keys({"coins": number, "points": integer(0)}),
        "bottom": keys(
            {
                "scheme": one_of("linear", "power", "flat", "by_cards"),
                "read_from": one_of("trick", "winner"),
                "table": optional(BOTTOM_TABLE),
            }
        ),
        "level_table": level_table,
        "level_step": optional(integer(1)),
        "match": keys(
            {
                "after_ace": one_of("loop", "jokers", "end"),
                "laps": integer(1),
                "stop_levels": optional(list_of(LEVEL)),
            }
        ),
    }
)

RECORD = keys(
    {
        "format": one_of(FORMAT),
        "variant": text,
        "rules": RULES,
        "seed": integer(0, 2**64 - 1),
        "index": optional(integer(0)),
        "stream_version": integer(1),
        "match": optional(integer(0)),
        "deal": optional(integer(0)),
        "policies": list_of(text, 4),
        "policy_parameters": list_of(mapping, 4),
        "levels": list_of(LEVEL, 4),
        "laps": list_of(integer(0), 4),
        "declarer_before": optional(SEAT),
        "drawn": list_of(CARDS, 4),
        "bottom": CARDS,
        "redeals": integer(0),
        "calls": list_of(call),
        "turned": optional(card),
        "level": LEVEL,
        "trump": one_of(*SUITS, NO_TRUMP),
        "declarer": SEAT,
        "buries": list_of(keys({"seat": SEAT, "took": CARDS, "buried": CARDS})),
        "called_card": optional(card),
        "friend": optional(SEAT),
        "tricks": list_of(
            keys(
                {
                    "leader": SEAT,
                    "tried": optional(CARDS),
                    "plays": list_of(CARDS, 4),
                    "winner": SEAT,
                    "points": integer(0),
                }
            )
        ),
        "attackers": list_of(SEAT),
        "trick_points": integer(0),
        "bottom_points": integer(0),
        "captured": boolean,
        "multiplier": optional(integer(0)),
        "penalty_points": whole,
        "total": whole,
        "failed_throws": list_of(integer(0), 4),
        "overcalls": integer(0),
        "coin_factor": integer(1),
        "result": keys(
            {
                "side": one_of("declarers", "attackers"),
                "levels": integer(0),
                "takes_over": boolean,
            }
        ),
        "levels_after": list_of(LEVEL, 4),
        "laps_after": list_of(integer(0), 4),
        "next_declarer": SEAT,
        "match_won": optional(list_of(SEAT)),
    }
)

_CALLING = ("bid.with_joker", "bid.later_deals", "bid.opens_with", "nobody_bids")
_OVERCALLING = ("overcall.joker_pairs", "overcall.order", "overcall.self")


def check_record(record: Any) -> None:
    """Raise Broken on a key, type or value that no deal record has."""
    RECORD("", record)
    check_rules(record["rules"])


def check_rules(rules: Mapping[str, Any]) -> None:
    """Raise Broken where an option that the others need is absent, or in their way."""

    def value(option: str) -> Any:
        group, _, key = option.partition(".")
        return rules[group][key] if key else rules[group]

    auction = rules["bid"]["when"] == "auction"
    if auction and rules["overcall"]["when"] != "none":
        raise Broken("rules.overcall.when: an auction leaves nothing to overcall")
    side_first = rules["bid"]["later_deals"] == "declarer_side_first"
    if side_first and rules["partners"] == "called":
        raise Broken("rules.bid.later_deals: called partners have no declarer's side")
    needed = () if auction else (*_CALLING, "reinforce")
    if rules["overcall"]["when"] != "none":
        needed += _OVERCALLING
    for option in needed:
        if value(option) is None:
            raise Broken(f"rules.{option} is null, but the other rules need it")
