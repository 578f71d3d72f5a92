"""One complete variant of Shengji, checked: what every other room asks for a rule.

A variant is a preset (`sim/presets/*.toml`), a user's TOML file (`base = "menghuan"`
and what it changes), the same as an object in a question, or the resolved dict that a
task or a record carries. `sim.options` says what each option means; kernels see
`Rules.codes()`.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cache
from operator import attrgetter
from pathlib import Path
from typing import Any, NamedTuple

from kernels.codes import RuleCodes
from sim.contradictions import contradictions
from sim.level_tables import Row, named_table, take_over_bound
from sim.option_values import (
    AfterAce,
    BidWhen,
    BottomScheme,
    BottomTable,
    LaterDeals,
    NobodyBids,
    OpensWith,
    OvercallOrder,
    OvercallSelf,
    OvercallWhen,
    Partners,
    ReadFrom,
    Reinforce,
    RulesError,
    ThrowFollow,
    did_you_mean,
    shown,
)
from sim.options import OPTIONS, Option
from sim.plain import quoted
from sim.rule_codes import CODES, bottom_count, bottom_table, level_rows
from sim.toml_file import read_toml, told_with_its_path

PRESET_FOLDER = Path(__file__).resolve().parent / "presets"
PRESETS = (
    "menghuan",
    "shuangsheng",
    "bianfeng",
    "bianfeng-friend",
    "joker-bid",
    "casual",
    "pick-trump",
    "competition",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Bid:
    when: BidWhen
    with_joker: bool | None
    later_deals: LaterDeals | None
    opens_with: OpensWith | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Overcall:
    when: OvercallWhen
    joker_pairs: bool | None
    order: OvercallOrder | None
    self: OvercallSelf | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Redeal:
    weak_attacker_points: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class FailedThrow:
    coins: int | float
    points: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Bottom:
    scheme: BottomScheme
    read_from: ReadFrom
    table: BottomTable | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    after_ace: AfterAce
    laps: int
    stop_levels: tuple[int, ...]


SECTIONS = {
    "bid": Bid,
    "overcall": Overcall,
    "redeal": Redeal,
    "failed_throw": FailedThrow,
    "bottom": Bottom,
    "match": Match,
}
OPTION = {option.name: option for option in OPTIONS}


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """One complete variant. No field has a default: a preset states every rule."""

    decks: int
    partners: Partners
    bid: Bid
    overcall: Overcall
    reinforce: Reinforce | None
    nobody_bids: NobodyBids | None
    redeal: Redeal
    throw_follow: ThrowFollow
    failed_throw: FailedThrow
    bottom: Bottom
    level_table: tuple[Row, ...]
    level_step: int | None
    match: Match

    def __post_init__(self) -> None:
        for sentence in contradictions(self):
            raise RulesError(sentence)

    @property
    def name(self) -> str:
        """The preset that these rules equal (with as many decks), or "custom"."""
        for name in PRESETS:
            if self.decks in preset(name).decks and _preset(name, self.decks) == self:
                return name
        return "custom"

    def value(self, option: str) -> Any:
        """The value of an option by its dotted name."""
        return attrgetter(option)(self)

    def to_dict(self) -> dict[str, Any]:
        """Every option, resolved and nested: plain values, ready for JSON."""
        tree: dict[str, Any] = {}
        for option in OPTIONS:
            section, _, key = option.name.rpartition(".")
            branch = tree.setdefault(section, {}) if section else tree
            branch[key] = _plain(self.value(option.name))
        return tree

    @classmethod
    def from_dict(cls, tree: Mapping[str, Any]) -> "Rules":
        """The rules that `to_dict` wrote: every option must be there, and resolved."""
        return _build(_read_resolved(tree))

    def codes(self) -> RuleCodes:
        """These rules as the kernels see them."""
        code = {name: known[self.value(name)] for name, known in CODES.items()}
        return RuleCodes(
            decks=self.decks,
            partners=code["partners"],
            bid_when=code["bid.when"],
            with_joker=int(self.bid.with_joker is True),
            declarer_side_first=int(
                self.bid.later_deals == LaterDeals.DECLARER_SIDE_FIRST
            ),
            opens_with=code["bid.opens_with"],
            overcall_when=code["overcall.when"],
            joker_pairs=int(self.overcall.joker_pairs is True),
            overcall_order=code["overcall.order"],
            overcall_self=code["overcall.self"],
            reinforce=int(self.reinforce == Reinforce.ANY),
            nobody_bids=code["nobody_bids"],
            weak_points=self.redeal.weak_attacker_points or 0,
            throw_follow=code["throw_follow"],
            failed_throw_points=self.failed_throw.points,
            read_from=code["bottom.read_from"],
            bottom_count=bottom_count(self.bottom.scheme, self.bottom.table),
            bottom_table=bottom_table(self.bottom.scheme, self.bottom.table),
            level_count=len(self.level_table),
            level_rows=level_rows(self.level_table),
            take_over=take_over_bound(self.level_table),
            level_step=self.level_step or 0,
            after_ace=code["match.after_ace"],
            laps=self.match.laps,
            stop_levels=sum(1 << level for level in self.match.stop_levels),
        )


def load_rules(name_or_path: str | Path, decks: int | None = None) -> Rules:
    """A preset by name, or a user's own variant by the path of its TOML file.

    `decks` replaces the variant's number of decks, where it is given.
    """
    text = str(name_or_path)
    if not text.endswith(".toml"):
        played = preset(text).decks
        if decks is not None and decks not in played:
            raise RulesError(
                f"{text} is played with {' or '.join(map(str, played))} decks, not "
                f'{decks}; a file of your own with base = "{text}" and decks = {decks} '
                "may be"
            )
        return _preset(text, decks)
    with told_with_its_path(text, RulesError):
        return resolve_rules(read_toml(text, RulesError), decks)


def resolve_rules(spec: str | Mapping[str, Any], decks: int | None = None) -> Rules:
    """The rules that a question names: a preset, or {"base": preset, changes...}."""
    if isinstance(spec, str):
        return _preset(spec, decks)
    if not isinstance(spec, Mapping):
        raise RulesError(
            f"rules must be a variant's name or a table, not {shown(spec)}"
        )
    if "base" not in spec:
        raise RulesError(
            'base is missing: a variant of one\'s own needs one, as base = "menghuan"'
        )
    base = spec["base"]
    if not isinstance(base, str):
        raise RulesError(f"base = {shown(base)} must be a variant's name")
    changes = _read({key: value for key, value in spec.items() if key != "base"})
    # A table brings its own step: the base's must not reach past another table's end.
    if "level_table" in changes:
        changes.setdefault("level_step", _TABLE_STEP)
    if decks is not None:
        decks = OPTION["decks"].value_of(decks)
        if changes.setdefault("decks", decks) != decks:
            raise RulesError(
                f"decks = {changes['decks']} in the rules, but {decks} are asked for"
            )
    return _build({**_preset_options(base), **changes})


def resolved_options(tree: Mapping[str, Any]) -> dict[str, Any]:
    """{dotted name: value} of a resolved dict; a contradiction is refused."""
    options = _read_resolved(tree)
    _build(options)
    return options


def preset_options(name: str, decks: int) -> dict[str, Any]:
    """The same of a preset with a number of decks."""
    return _with_rows({**_preset_options(name), "decks": decks})


# Stands for "the step that comes with the table" until the table is looked up.
_TABLE_STEP = object()


class Preset(NamedTuple):
    """What a preset's file says of itself, apart from its options."""

    name: str
    title: str
    summary: str
    decks: tuple[int, ...]  # with how many it is played


def preset(name: str) -> Preset:
    """A preset's names, its one-line summary, and its decks."""
    tree = _preset_file(name)
    decks = (tree["decks"], *tree.get("more_decks", ()))
    return Preset(name, tree["title"], tree["summary"], decks)


@cache
def _preset_file(name: str) -> Mapping[str, Any]:
    if name not in PRESETS:
        raise RulesError(
            f"unknown variant {quoted(name)}{did_you_mean(name, PRESETS)}: "
            f"there are {', '.join(PRESETS)}, or write the path of a .toml file"
        )
    with (PRESET_FOLDER / f"{name}.toml").open("rb") as file:
        return tomllib.load(file)


@cache
def _preset_options(name: str) -> Mapping[str, Any]:
    tree = dict(_preset_file(name))
    for key in ("title", "summary", "more_decks"):
        tree.pop(key, None)
    options = _read(tree)
    options.setdefault("level_step", _TABLE_STEP)
    return options


@cache
def _preset(name: str, decks: int | None) -> Rules:
    options = dict(_preset_options(name))
    if decks is not None:
        options["decks"] = OPTION["decks"].value_of(decks)
    return _build(options)


def _read(tree: Mapping[str, Any]) -> dict[str, Any]:
    """A nested table as {dotted name: checked value}; unknown keys are errors."""
    if not isinstance(tree, Mapping):
        raise RulesError(f"rules must be a table of options, not {shown(tree)}")
    options: dict[str, Any] = {}
    for key, value in tree.items():
        if key in SECTIONS:
            if not isinstance(value, Mapping):
                raise RulesError(f"{key} = {shown(value)} must be a table of options")
            for inner, written in value.items():
                name = f"{key}.{inner}"
                options[name] = _option(name).value_of(written)
        else:
            options[key] = _option(key).value_of(value)
    return options


def _read_resolved(tree: Mapping[str, Any]) -> dict[str, Any]:
    """The same of a table that says everything, its level table in rows."""
    options = _read(tree)
    for option in OPTIONS:
        if option.name not in options:
            raise RulesError(f"missing option {option.name!r}")
    if isinstance(options["level_table"], str):
        raise RulesError("level_table must be written out as rows here")
    return options


def _option(name: str) -> Option:
    if name in OPTION:
        return OPTION[name]
    section = name.partition(".")[0]
    hint = did_you_mean(name, [*OPTION, *SECTIONS])
    if not hint:
        # `opens_with` alone is most likely bid.opens_with in the wrong place.
        hint = did_you_mean(name.rpartition(".")[2], _LAST_NAMES)
    known = [
        other.removeprefix(f"{section}.") if section in SECTIONS else other
        for other in OPTION
        if section not in SECTIONS or other.startswith(f"{section}.")
    ]
    where = f"{section} has" if section in SECTIONS else "the options are"
    raise RulesError(f"unknown option {quoted(name)}{hint}: {where} {', '.join(known)}")


_LAST_NAMES = [name.rpartition(".")[2] for name in OPTION]


def _with_rows(options: Mapping[str, Any]) -> dict[str, Any]:
    """The same options, a named level table looked up."""
    options = dict(options)
    table, step = options["level_table"], options["level_step"]
    if isinstance(table, str):
        rows, table_step = named_table(table, options["decks"])
    else:
        rows, table_step = table, None
    options["level_table"] = rows
    options["level_step"] = table_step if step is _TABLE_STEP else step
    return options


def _build(options: Mapping[str, Any]) -> Rules:
    """Rules from a complete {dotted name: value}."""
    fields: dict[str, Any] = {}
    for name, value in _with_rows(options).items():
        section, _, key = name.rpartition(".")
        (fields.setdefault(section, {}) if section else fields)[key] = value
    for section, kind in SECTIONS.items():
        fields[section] = kind(**fields[section])
    return Rules(**fields)


def _plain(value: Any) -> Any:
    if isinstance(value, BottomTable):
        return {key: _plain(entry) for key, entry in asdict(value).items()}
    if isinstance(value, tuple):
        return [_plain(entry) for entry in value]
    return str(value) if isinstance(value, str) else value
