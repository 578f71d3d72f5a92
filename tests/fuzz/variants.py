"""Variants and policies as users write them: right ones, and wrong in one place."""

from collections.abc import Callable
from typing import Any, NamedTuple

from luck import Luck
from mutate import ODD_VALUES, TOML_ONLY, Raw, mutate, mutate_bytes, toml_text

from sim.option_values import RulesError
from sim.options import OPTIONS, Option
from sim.policies.catalog import POLICIES, POLICY
from sim.rules import PRESETS, resolve_rules

Tree = dict[str, Any]
ODD = (*ODD_VALUES, *TOML_ONLY)


class Written(NamedTuple):
    """A file's bytes, and what is known of it."""

    text: bytes
    right: bool = False  # it can be played
    wrong: str | None = None  # the one key that is wrong, where that is known


def own_rows(luck: Luck) -> list[list]:
    """A level table: bounds ascend, the declarers' rows first."""
    bound, rows = 0, []
    kept, all_rows = 1 + luck.below(5), 2 + luck.below(10)
    for number in range(max(kept + 1, all_rows)):
        side = "declarers" if number < kept else "attackers"
        rows.append([bound, side, luck.pick((0, 1, 2, 3, 6, 100))])
        bound += luck.pick((5, 10, 40, 80, 1_000))
    return rows


def own_multipliers(luck: Luck) -> Tree:
    values = (0, 1, 2, 4, 1_000, 1_000_000)
    table: Tree = {key: luck.pick(values) for key in ("single", "pair")}
    table |= {key: luck.pick(values) for key in ("triple", "quad")}
    for run in ("tractor", "titanic", "quad_run"):
        table[run] = sorted(luck.pick(values) for _ in range(1 + luck.below(11)))
    return table


# How right values are drawn, where an option's own list does not say it.
RIGHT: dict[str, Callable[[Luck], Any]] = {
    "decks": lambda luck: luck.pick((2, 3, 4)),
    "redeal.weak_attacker_points": lambda luck: luck.pick(("none", 5, 15, 100)),
    "failed_throw.coins": lambda luck: luck.pick((0, 0.5, 1, 2.25, 1000)),
    "failed_throw.points": lambda luck: luck.pick((0, 5, 200)),
    "bottom.table": lambda luck: "none" if luck.one_in(4) else own_multipliers(luck),
    "level_table": lambda luck: (
        luck.pick(("menghuan", "bianfeng", "joker-bid"))
        if luck.one_in(3)
        else own_rows(luck)
    ),
    "level_step": lambda luck: luck.pick(("none", 5, 40, 1000)),
    "match.laps": lambda luck: luck.pick((1, 2, 3)),
    "match.stop_levels": lambda luck: luck.some(range(2, 16), 4),
}


def right_value(option: Option, luck: Luck) -> Any:
    if option.name in RIGHT:
        return RIGHT[option.name](luck)
    word = luck.pick(tuple(option.values))
    return {"true": True, "false": False}.get(word, word)


IN_AUCTION = ("bid.with_joker", "bid.later_deals", "bid.opens_with", "reinforce")
IN_AUCTION += ("nobody_bids",)
OF_OVERCALLS = ("overcall.joker_pairs", "overcall.order", "overcall.self")
PLAIN = {
    "bid.with_joker": False,
    "bid.later_deals": "anyone",
    "bid.opens_with": "either",
    "reinforce": "no",
    "nobody_bids": "third_card",
    "overcall.joker_pairs": True,
    "overcall.order": "kinds",
    "overcall.self": "never",
}


def right_options(luck: Luck, decks: tuple[int, ...] = (2, 3, 4)) -> Tree:
    """{dotted name: value} of changes to a base that can be played."""
    base = luck.pick(PRESETS)
    every = luck.one_in(2)
    changes = {
        option.name: right_value(option, luck)
        for option in OPTIONS
        if every or luck.one_in(4)
    }
    if "decks" in changes:
        changes["decks"] = luck.pick(decks)
    return {"base": base, **agreeing(base, changes)}


def agreeing(base: str, changes: Tree) -> Tree:
    """Changes brought to agree with each other: what belongs to a choice goes with it,
    and what still cannot be played is left to the base."""
    changes = dict(changes)
    if {"bid.when", "overcall.when"} & changes.keys():
        auction = changes.setdefault("bid.when", "draw") == "auction"
        if auction:
            changes["overcall.when"] = "none"
        never = changes.setdefault("overcall.when", "none") == "none"
        for absent, names in ((auction, IN_AUCTION), (never, OF_OVERCALLS)):
            for name in names:
                value = changes.get(name, "none")
                if absent:
                    changes[name] = "none"
                elif value == "none":
                    changes[name] = PLAIN[name]
    for name in (None, *tuple(changes)):
        changes.pop(name, None)
        if playable(base, changes):
            return changes
    return changes


def playable(base: str, changes: Tree) -> bool:
    try:
        resolve_rules(nested({"base": base, **changes}))
    except RulesError:
        return False
    return True


def nested(options: Tree) -> Tree:
    """Options by their dotted names, as a file has them: tables in a table."""
    tree: Tree = {}
    for name, value in options.items():
        section, _, key = name.rpartition(".")
        (tree.setdefault(section, {}) if section else tree)[key] = value
    return tree


def variant_file(luck: Luck) -> Written:
    """A variant: right, wrong in one value, or changed anywhere."""
    options = right_options(luck)
    way = luck.below(6)
    if way <= 1:
        return Written(toml_text(nested(options)).encode(), right=True)
    if way <= 3:
        option, value = luck.pick(OPTIONS), luck.pick(ODD)
        options[option.name] = value
        wrong = None if may_be(option, value) else option.name
        return written(toml_text(nested(options)), wrong=wrong)
    if way == 4:
        tree = mutate(nested(options), luck, ODD, times=1 + luck.below(2))
        return written(toml_text(tree) if isinstance(tree, dict) else "")
    text = toml_text(nested(options)).encode()
    return Written(mutate_bytes(text, luck))


def written(text: str, wrong: str | None = None) -> Written:
    return Written(text.encode("utf-8", "surrogatepass"), wrong=wrong)


def may_be(option: Option, value: Any) -> bool:
    """Whether an option may have a value, or whether that is told elsewhere."""
    if isinstance(value, Raw):
        return True  # what it says is known to whoever reads TOML
    try:
        option.value_of("none" if value is None else value)
    except RulesError:
        return False
    return True


def right_policy(luck: Luck) -> Tree:
    """A policy with some of its parameters at their bounds or between."""
    policy = luck.pick(POLICIES)
    tree: Tree = {"base": policy.name}
    for parameter in luck.some(policy.parameters, 4) if policy.parameters else ():
        low, high = parameter.low, parameter.high
        tree[parameter.name] = luck.pick((low, high, (low + high) // 2))
    return tree


def policy_file(luck: Luck) -> Written:
    """A policy of one's own, the same way."""
    tree = right_policy(luck)
    policy = POLICY[tree["base"]]
    way = luck.below(6)
    if way <= 1:
        return Written(toml_text(tree).encode(), right=True)
    if way <= 3 and policy.parameters:
        parameter, value = luck.pick(policy.parameters), luck.pick(ODD)
        tree[parameter.name] = value
        low, high = parameter.low, parameter.high
        may = isinstance(value, Raw) or (type(value) is int and low <= value <= high)
        return written(toml_text(tree), wrong=None if may else parameter.name)
    if way <= 4:
        changed = mutate(tree, luck, ODD, times=1 + luck.below(2))
        return written(toml_text(changed) if isinstance(changed, dict) else "")
    return Written(mutate_bytes(toml_text(tree).encode(), luck))
