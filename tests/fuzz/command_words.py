"""Command lines: the options that each command has, and what a hand may put there.

Which options there are is read off the commands themselves, so that a new one is met
here as soon as there is one.
"""

from collections.abc import Sequence

import click
from luck import Luck

import cli

WORDS = (
    "x", "", " ", "-", "--", "0", "1", "2", "3", "-1", "1.5", "1e3", "1_0", "٣", "nan",
    "9" * 30, "true", "none", "menghuan", "Menghuan", "menghuan ", "bianfeng", "casual",
    "textbook", "random", "random,textbook", "a,b", "a,b,c", "random,,random", ",",
    "random,random,random,random", "all", "joker", "J", "ALL", "1", "15", "level",
    "trumps", "jokers", "power/winner", "linear,flat", "power/", "/", "梦幻", "\udcff",
    "\x1b[31m", "a\nb", "\u202e", "x" * 5_000, "--help", "-h", "-n", "--json",
    "folder", "missing", "missing/deep", "file.toml", "missing.toml", "folder.toml",
    "empty", "empty.toml", "binary", "binary.toml", "deals.jsonl", "run", "run/x",
    "plot.png", "plot.xyz", "folder/plot.png", "missing/plot.png", "run/task.json",
    ".", "..", "/", "/dev/null", "~", "file.toml,folder.toml", "v" * 300 + ".toml",
    "nosuch://x", "file:///nowhere/x", "s3:", "://",
)  # fmt: skip
SMALL = ("1", "2", "3")  # deals that are soon played
PLAYING = {"run", "matches", "survey", "record", "compare", "bench"}
# What takes long though nothing is wrong: all variants, or a lot of deals, or a name
# that somebody in the net must be asked for.
NOT_TRIED = {"--cluster"}


def command_line(luck: Luck) -> list[str]:
    """A command and some of its options and arguments, some right and some not."""
    if luck.one_in(30):
        return [luck.pick(WORDS) for _ in range(luck.below(3))]
    commands = cli.cli.commands
    name = luck.pick(tuple(commands))
    words: list[str] = []
    counted = False
    for param in commands[name].params:
        if isinstance(param, click.Argument):
            wanted = param.nargs if param.nargs > 0 else 1 + luck.below(2)
            if param.required or luck.one_in(2):
                words += [value_for(param, luck) for _ in range(wanted)]
            continue
        counts = "-n" in param.opts
        if NOT_TRIED.intersection(param.opts):
            continue
        if not (counts and name in PLAYING) and not luck.one_in(4):
            continue
        flag = luck.pick(param.opts)
        if getattr(param, "is_flag", False):
            words.append(flag)
            continue
        value = value_for(param, luck)
        if counts:
            counted = True
            value = few(value)
        words.append(f"{flag}={value}" if flag[1] == "-" and luck.one_in(3) else flag)
        if words[-1] == flag:
            words.append(value)
    if luck.one_in(10):
        words.insert(luck.below(len(words) + 1), luck.pick(WORDS))
    if name in ("survey", "bench") and counted:
        words.append("--seed=x" if name == "survey" else "-n0")  # never played
    return [name, *words]


def few(value: str) -> str:
    """A count as it is unless it is a right one, which may only be a small one."""
    try:
        return value if int(value) < 4 or len(value) > 15 else "3"
    except ValueError:
        return value


def value_for(param: click.Parameter, luck: Luck) -> str:
    """A value that an option may well have, or any word."""
    if luck.one_in(2):
        return luck.pick(WORDS)
    return luck.pick(likely(param))


def likely(param: click.Parameter) -> Sequence[str]:
    kind = param.type
    if isinstance(kind, click.Choice):
        return tuple(map(str, kind.choices))
    if isinstance(kind, click.IntRange):
        low, high = kind.min or 0, kind.max
        return tuple(map(str, (low, low - 1, high or 3, (high or 3) + 1)))
    return {
        "level": ("2", "A", "all", "joker"),
        "policy": ("textbook", "random,textbook", "file.toml"),
        "by": ("level", "trump", "trumps", "jokers"),
        "variant": ("menghuan", "bianfeng", "pick-trump", "file.toml"),
        "name": ("menghuan", "textbook", "file.toml"),
        "tables": ("menghuan,bianfeng", "file.toml", "joker-bid"),
        "multipliers": ("linear,power", "flat", "power/winner"),
        "out": ("folder", "run", "new", "deals.jsonl"),
        "plot": ("plot.png", "new.svg"),
        "file": ("deals.jsonl", "-", "questions.jsonl"),
        "run": ("run",),
        "runs": ("run", "folder"),
    }.get(param.name or "", SMALL)
