"""Rules drawn at random: legal mixes of every option there is, and any mix at all."""

import random
from typing import Any

from sim.option_values import RulesError
from sim.options import OPTIONS
from sim.rules import resolved_options

Rules = dict[str, Any]

# The values drawn for each option; a function draws one of many.
VALUES: dict[str, Any] = {
    "decks": (2, 2, 3, 4),
    "partners": ("fixed", "fixed", "called"),
    "bid.when": ("draw", "draw", "after_deal", "auction"),
    "bid.with_joker": (False, True),
    "bid.later_deals": ("anyone", "declarer_side_first"),
    "bid.opens_with": ("single", "pair", "either"),
    "overcall.when": ("draw", "after_deal", "after_bury", "none"),
    "overcall.joker_pairs": (False, True),
    "overcall.order": ("kinds", "suits", "latest"),
    "overcall.self": ("never", "after_other", "always"),
    "reinforce": ("any", "no"),
    "nobody_bids": ("third_card", "random_card", "no_trump"),
    "redeal.weak_attacker_points": (None, 5, 15, 30),
    "throw_follow": ("shape", "suit"),
    "failed_throw.coins": (0, 0.5, 2),
    "failed_throw.points": (0, 5, 20, 200),
    "bottom.scheme": ("linear", "power", "flat", "by_cards"),
    "bottom.read_from": ("trick", "winner"),
    "bottom.table": lambda draw: None if draw.random() < 0.6 else own_multipliers(draw),
    "level_table": lambda draw: own_table(draw),
    "level_step": (None, 5, 40, 75),
    "match.after_ace": ("loop", "jokers", "end"),
    "match.laps": (1, 1, 2, 3),
    "match.stop_levels": lambda draw: sorted(
        draw.sample(range(2, 16), draw.choice((0, 0, 1, 3)))
    ),
}
IN_AUCTION = ("bid.with_joker", "bid.later_deals", "bid.opens_with", "reinforce")
IN_AUCTION += ("nobody_bids",)
WITHOUT_OVERCALLS = ("overcall.joker_pairs", "overcall.order", "overcall.self")
ABSENT = tuple(option.name for option in OPTIONS if option.absent)


def own_multipliers(draw: random.Random) -> Rules:
    """A multiplier table of one's own; lists do not fall."""
    table: Rules = {
        kind: draw.randrange(10) for kind in ("single", "pair", "triple", "quad")
    }
    for run in ("tractor", "titanic", "quad_run"):
        length = draw.randrange(1, 6)
        table[run] = sorted(draw.randrange(30) for _ in range(length))
    return table


def own_table(draw: random.Random) -> list[list]:
    """A level table of one's own: the declarers' rows, then the attackers'."""
    bounds = sorted(draw.sample(range(5, 400, 5), draw.randrange(1, 12)))
    kept = draw.randrange(1, len(bounds) + 1)
    sides = ["declarers"] * kept + ["attackers"] * (len(bounds) + 1 - kept)
    return [
        [bound, side, draw.randrange(8)]
        for bound, side in zip([0, *bounds], sides, strict=True)
    ]


def nested(options: Rules) -> Rules:
    """Options by their dotted names, as a record has them."""
    tree: Rules = {}
    for name, value in options.items():
        section, _, key = name.rpartition(".")
        (tree.setdefault(section, {}) if section else tree)[key] = value
    return tree


def drawn_value(name: str, draw: random.Random) -> Any:
    """One value of an option."""
    values = VALUES[name]
    return values(draw) if callable(values) else draw.choice(values)


def any_mix(draw: random.Random) -> Rules:
    """Every option at random, absent ones too, whether or not they go together."""
    options = {}
    for name in VALUES:
        absent = name in ABSENT and draw.random() < 0.3
        options[name] = None if absent else drawn_value(name, draw)
    return nested(options)


def refusal(rules: Rules) -> str | None:
    """Why nobody can play these rules, None if somebody can."""
    try:
        resolved_options(rules)
    except RulesError as error:
        return str(error)
    return None


def legal_mix(draw: random.Random, **fixed: Any) -> Rules:
    """Every option at random, so that they go together.

    fixed : options by their names with `_` for the dot, as `bid_when`
    """
    chosen = {
        name: fixed[name.replace(".", "_")]
        for name in VALUES
        if name.replace(".", "_") in fixed
    }
    while True:
        options = {name: drawn_value(name, draw) for name in VALUES} | chosen
        if options["bid.when"] == "auction":
            options |= dict.fromkeys(IN_AUCTION) | {"overcall.when": "none"}
        if options["overcall.when"] == "none":
            options |= dict.fromkeys(WITHOUT_OVERCALLS)
        rules = nested(options)
        if refusal(rules) is None and chosen.items() <= options.items():
            return rules
