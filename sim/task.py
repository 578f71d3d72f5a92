"""Task: all that decides what a run's deals look like; its hash is its identity.

How many deals, on how many threads and in what blocks is not part of it: deal `index`
of a task is the same deal whoever plays it, and whenever.
"""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from kernels.codes import ACE_LEVEL, JOKER_LEVEL, LOWEST_LEVEL, RANK_LETTERS
from sim.option_values import BidWhen
from sim.parts import MATCH_MODE, identity_hash
from sim.plain import quoted
from sim.policies.catalog import PolicySetting, parse_seats, setting_of
from sim.rules import Rules, load_rules
from sim.schema import DEALS, MATCHES, SCHEMA_VERSION, Kind

# What (seed, index) yields. Raise it, and say so in CHANGELOG.md, with every change
# that makes a task play other deals: rows from before and after are never pooled.
STREAM_VERSION = 1

ALL_LEVELS = "all"
LARGEST_SEED = 2**64 - 1
LEVEL_WORDS = {
    **{str(level): level for level in range(LOWEST_LEVEL, 11)},
    **{RANK_LETTERS[level - 2]: level for level in range(11, ACE_LEVEL + 1)},
    "joker": JOKER_LEVEL,
    ALL_LEVELS: ALL_LEVELS,
}

Level = int | Literal["all"]


class TaskError(ValueError):
    """A task that cannot be played: one sentence that says why."""


def parse_level(text: str) -> Level:
    """The level that a word names: `2`..`10`, `J`, `Q`, `K`, `A`, `joker` or `all`."""
    words = {word.lower(): level for word, level in LEVEL_WORDS.items()} | {"t": 10}
    level = words.get(text.strip().lower())
    if level is None:
        raise TaskError(
            f"unknown level {quoted(text)}; allowed: 2..10, J, Q, K, A, joker, all"
        )
    return level


def level_word(level: Level) -> str:
    """The word of a level, as `--level` takes it."""
    return next(word for word, value in LEVEL_WORDS.items() if value == level)


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """What is played; everything in it but the variant's name decides the results."""

    rules: Rules
    policies: tuple[PolicySetting, ...]  # by seat
    level: Level  # all: 2 + deal_index mod 13
    first_deal: bool  # of a match: no declarer yet; else a later one, seat 0 declaring
    seed: int
    matches: bool = False  # whole matches, each from its first deal at level 2

    def __post_init__(self) -> None:
        if self.level not in LEVEL_WORDS.values():
            raise TaskError(
                f"level {self.level} is not allowed: 2..{ACE_LEVEL}, {JOKER_LEVEL} "
                "(the joker level) or all"
            )
        auction = self.rules.bid.when == BidWhen.AUCTION
        if self.first_deal and self.level == JOKER_LEVEL and not auction:
            raise TaskError(
                "a first deal cannot be at the joker level: a match starts on a rank"
            )
        if not 0 <= self.seed <= LARGEST_SEED:
            raise TaskError(f"seed {self.seed} is not allowed: 0..{LARGEST_SEED}")
        if self.matches and (self.level != LOWEST_LEVEL or not self.first_deal):
            raise TaskError("a match begins with a first deal at level 2")
        if len(self.policies) != 4:
            raise TaskError(f"{len(self.policies)} policies for four seats")

    @property
    def level_code(self) -> int:
        """The level as `play_block` takes it: 0 for all."""
        return 0 if self.level == ALL_LEVELS else int(self.level)

    @property
    def mode(self) -> str:
        """What is played, in one word: `first`, `later` or `match`."""
        if self.matches:
            return MATCH_MODE
        return "first" if self.first_deal else "later"

    @property
    def kind(self) -> Kind:
        """What a run of it stores."""
        return MATCHES if self.matches else DEALS

    def identity(self) -> dict:
        """All that decides the distribution, as JSON can say it."""
        return {
            "rules": self.rules.to_dict(),
            "level": self.level,
            "mode": self.mode,
            "policies": [setting.policy.name for setting in self.policies],
            "policy_parameters": [dict(setting.values) for setting in self.policies],
            "seed": self.seed,
            "stream_version": STREAM_VERSION,
            "schema_version": SCHEMA_VERSION,
        }

    def id(self) -> str:
        """SHA-256 of the identity: rows of different ids are never pooled."""
        return identity_hash(self.identity())

    def to_dict(self) -> dict:
        """The identity and the variant's name, for `task.json`."""
        return {"variant": self.rules.name, **self.identity()}

    @classmethod
    def from_dict(cls, document: dict) -> "Task":
        """The task that `to_dict` wrote; refuses another version's."""
        for name, here in (
            ("stream_version", STREAM_VERSION),
            ("schema_version", SCHEMA_VERSION),
        ):
            if document[name] != here:
                raise TaskError(
                    f"{name} {document[name]} is another version of shengji's; this "
                    f"one plays {here}"
                )
        return cls(
            rules=Rules.from_dict(document["rules"]),
            policies=tuple(
                setting_of(name, values)
                for name, values in zip(
                    document["policies"], document["policy_parameters"], strict=True
                )
            ),
            level=document["level"],
            first_deal=document["mode"] in ("first", MATCH_MODE),
            seed=document["seed"],
            matches=document["mode"] == MATCH_MODE,
        )


def make_task(
    variant: str = "menghuan",
    *,
    level: str = "2",
    policy: str = "textbook",
    seed: int = 1,
    first_deal: bool = False,
    decks: int | None = None,
) -> Task:
    """The task that words name, as the command line takes them."""
    return Task(
        rules=load_rules(variant, decks),
        policies=tuple(parse_seats(policy)),
        level=parse_level(level),
        first_deal=first_deal,
        seed=seed,
    )


def match_task(
    variant: str | Rules = "menghuan",
    *,
    policy: str = "textbook",
    seed: int = 1,
    decks: int | None = None,
) -> Task:
    """The task of whole matches that words name."""
    return Task(
        rules=variant if isinstance(variant, Rules) else load_rules(variant, decks),
        policies=tuple(parse_seats(policy)),
        level=LOWEST_LEVEL,
        first_deal=True,
        seed=seed,
        matches=True,
    )


def default_folder(task: Task, variant: str, policy: str) -> str:
    """A folder's name that tells what was asked: `menghuan-all-textbook-seed1`."""
    seats = [Path(word.strip()).stem for word in policy.split(",")]
    words = [
        Path(variant).stem,
        *([f"{task.rules.decks}decks"] if task.rules.decks > 2 else []),
        *(["matches"] if task.matches else [level_word(task.level)]),
        *(["first"] if task.first_deal and not task.matches else []),
        "+".join(seats),
        f"seed{task.seed}",
    ]
    return re.sub(r"[^\w.+-]", "_", "-".join(words))
