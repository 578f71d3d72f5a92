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
from sim.parts import identity_hash
from sim.policies.catalog import PolicySetting, parse_seats, setting_of
from sim.rules import Rules, load_rules
from sim.schema import SCHEMA_VERSION

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
            f"unknown level {text!r}; allowed: 2..10, J, Q, K, A, joker, all"
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
        if len(self.policies) != 4:
            raise TaskError(f"{len(self.policies)} policies for four seats")

    @property
    def level_code(self) -> int:
        """The level as `play_block` takes it: 0 for all."""
        return 0 if self.level == ALL_LEVELS else int(self.level)

    def identity(self) -> dict:
        """All that decides the distribution, as JSON can say it."""
        return {
            "rules": self.rules.to_dict(),
            "level": self.level,
            "mode": "first" if self.first_deal else "later",
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
            first_deal=document["mode"] == "first",
            seed=document["seed"],
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


def default_folder(task: Task, variant: str, policy: str) -> str:
    """A folder's name that tells what was asked: `menghuan-all-textbook-seed1`."""
    seats = [Path(word.strip()).stem for word in policy.split(",")]
    words = [
        Path(variant).stem,
        level_word(task.level),
        *(["first"] if task.first_deal else []),
        "+".join(seats),
        f"seed{task.seed}",
    ]
    return re.sub(r"[^\w.+-]", "_", "-".join(words))
