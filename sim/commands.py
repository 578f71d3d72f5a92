"""The commands that play, check and describe; what they call is imported inside them.

`shengji run` is in `cli`, because it also prints what `analysis` says of the deals.
"""

from collections.abc import Iterable
from pathlib import Path
from typing import TextIO

import click

from sim.asks import help_text
from sim.plain import one_line, quoted

# The most that -n takes: a week of one core. Its list of parts is still a small one.
MOST_DEALS = 999_999_999_999

# Some eighteen deals each.
MOST_MATCHES = 1_000_000_000

MOST_THREADS = 256

# Fewer are over before files and threads are made: 5,000 deals told half the time
# a deal takes, 1,000 a third of the deals a second on all cores.
FEWEST_BENCH_DEALS = 20_000


class Whole(click.IntRange):
    """A whole number within bounds; whoever writes another is told which may be."""

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> int:
        try:
            return super().convert(value, param, ctx)
        except click.BadParameter:
            most = "on" if self.max is None else f"to {self.max:,}"
            self.fail(
                f"{quoted(value)} is not a whole number from {self.min:,} {most}; "
                "a million may be written 1000000 or 1_000_000",
                param,
                ctx,
            )


VARIANT = click.argument("variant", default="menghuan")
LEVEL = click.option(
    "--level",
    default="2",
    show_default=True,
    help="2..10, J, Q, K, A, joker, or all: 2 + deal index mod 13.",
)
DECKS = click.option(
    "--decks",
    type=Whole(2, 4),
    default=None,
    help="Instead of the variant's own two, where it is played with more.",
)
POLICY = click.option(
    "--policy",
    default="textbook",
    show_default=True,
    help="One name or file for all; two: declarer's side, attackers; or four by seat.",
)
SEED = click.option(
    "--seed",
    type=Whole(0, 2**64 - 1),
    default=1,
    show_default=True,
    help="Same seed, same cards: whatever the variant or the policies.",
)
FIRST_DEAL = click.option(
    "--first-deal",
    is_flag=True,
    help="The first deal of a match: nobody is declarer yet.",
)


def task_options(command):
    """The options which say what is played; the same wherever deals are played."""
    for option in (FIRST_DEAL, SEED, POLICY, DECKS, LEVEL, VARIANT):
        command = option(command)
    return command


def match_options(command):
    """The options which say what is played, where it is whole matches."""
    for option in (SEED, POLICY, DECKS, VARIANT):
        command = option(command)
    return command


@click.command()
@task_options
@click.option(
    "-n",
    "--deals",
    type=Whole(1, MOST_DEALS),
    help="How many deals, from deal 0 on.  [default: 100; 1 match]",
)
@click.option(
    "--index",
    type=Whole(0, MOST_DEALS - 1),
    help="Only this deal of the run with that seed.",
)
@click.option(
    "--matches",
    is_flag=True,
    help="Whole matches, all their deals: -n and --index then count matches.",
)
@click.option(
    "-o",
    "--out",
    type=click.Path(path_type=Path, dir_okay=False),
    help="A file, written whole or not at all.  [default: standard output]",
)
def record(
    variant: str,
    level: str,
    decks: int | None,
    policy: str,
    seed: int,
    first_deal: bool,
    deals: int | None,
    index: int | None,
    matches: bool,
    out: Path | None,
) -> None:
    """Write deals of VARIANT down, card by card: one line of JSON a deal.

    Deal K here is deal K of `shengji run` with the same options; with --matches, match
    K is that of `shengji matches`.

    \b
    Example:
        shengji record bianfeng -n 100 --level all -o deals.jsonl
        shengji record menghuan --seed 7 --index 41
        shengji record casual --matches -n 3 -o matches.jsonl
    """
    if index is not None and deals is not None:
        raise click.UsageError("give -n or --index, not both: --index is one deal")

    if matches and (first_deal or level != "2"):
        raise click.UsageError(
            "--matches goes without --level and --first-deal: a match begins with a "
            "first deal at level 2"
        )

    from sim.record import Recorder, write_record
    from sim.task import make_task, match_task

    if matches:
        recorder = Recorder(match_task(variant, policy=policy, seed=seed, decks=decks))
        wanted = range(deals or 1) if index is None else (index,)
        told = (record for number in wanted for record in recorder.match(number))
        write_records(map(write_record, told), out)
        return
    task = make_task(
        variant,
        level=level,
        policy=policy,
        seed=seed,
        first_deal=first_deal,
        decks=decks,
    )
    recorder = Recorder(task)
    wanted = range(deals or 100) if index is None else (index,)
    write_records((write_record(recorder.deal(deal)) for deal in wanted), out)


def write_records(lines: Iterable[str], out: Path | None) -> None:
    """Write lines to a file, whole or not at all, or to standard output."""
    from sim.record import save_lines

    if out is not None:
        save_lines(out, lines)
        return
    for line in lines:
        click.echo(line)


@click.command()
@click.argument("file", type=click.File(encoding="utf-8-sig", errors="replace"))
@click.option(
    "--replay",
    is_flag=True,
    help="Also play each deal again from its seed and index, and compare.",
)
@click.pass_context
def verify(ctx: click.Context, file: TextIO, replay: bool) -> None:
    """Check the deal records in FILE (- is standard input) against the rules.

    Each line is replayed by an independent referee; of each that is wrong, the first
    thing wrong is printed, and the exit status is 1.

    \b
    Example:
        shengji record menghuan -n 100 -o deals.jsonl
        shengji verify deals.jsonl --replay
    """
    from sim.verify import check_lines

    deals, wrong = 0, 0
    for told in check_lines(file, replay):
        deals += 1
        if told is not None:
            wrong += 1
            click.echo(one_line(told))
    if deals == 0:
        raise click.UsageError("there are no deal records to verify")
    if wrong:
        click.echo(f"{wrong:,} of {deals:,} deals are wrong", err=True)
        ctx.exit(1)
    click.echo(f"{deals:,} {'deal' if deals == 1 else 'deals'} verified")


@click.command()
@click.argument("run")
@click.option(
    "--repair",
    "repairing",
    is_flag=True,
    help="Play again what is bad or missing, and restore task.json; nothing good, and "
    "nothing that is not of the run, is touched.",
)
@click.option("--json", "as_json", is_flag=True, help="An object instead of text.")
@click.pass_context
def check(ctx: click.Context, run: str, repairing: bool, as_json: bool) -> None:
    """Tell what is whole in the folder RUN, to the last bit, and what is not.

    Every byte is read: parts that are truncated or changed, missing deals, what belongs
    to another run, what a killed run left, and task.json. The exit status is 1 if
    anything is bad.

    \b
    Example:
        shengji check results/first
        shengji check results/first --repair
    """
    import json
    import os
    import sys

    from sim.check import check, checked_json, checked_text
    from sim.places import place_of

    folder = place_of(run)
    if repairing:
        from sim.progress import ProgressLine, say
        from sim.repair import repair

        line = ProgressLine(sys.stderr)
        try:
            done = repair(folder, threads=os.cpu_count() or 1, progress=line)
        finally:
            line.close()
        for told in done:
            say(sys.stderr, f"{told}\n")
    checked = check(folder)
    told = checked_json(checked) if as_json else checked_text(checked)
    click.echo(json.dumps(told, ensure_ascii=False, indent=1) if as_json else told)
    ctx.exit(int(bool(checked.bad)))


@click.command()
@click.argument("name", required=False)
@click.option("--json", "as_json", is_flag=True, help="An object instead of text.")
def variants(name: str | None, as_json: bool) -> None:
    """List the variants and what every option means; with NAME, that variant's rules.

    NAME is a preset's name or a TOML file.

    \b
    Example:
        shengji variants
        shengji variants menghuan
    """
    import json

    from sim import describe
    from sim.rules import load_rules

    if name is None:
        told = describe.variants_json() if as_json else describe.variants_text()
    else:
        rules = load_rules(name)
        told = describe.rules_json(rules) if as_json else describe.rules_text(rules)
    click.echo(json.dumps(told, ensure_ascii=False, indent=1) if as_json else told)


@click.command()
@click.argument("name", required=False)
@click.option("--json", "as_json", is_flag=True, help="Objects instead of text.")
def policies(name: str | None, as_json: bool) -> None:
    """List the policies; with NAME, that policy's parameters.

    NAME is a policy's name or a TOML file.

    \b
    Example:
        shengji policies
        shengji policies textbook
    """
    import json

    from sim import describe
    from sim.policies.catalog import load_policy

    if name is None:
        told = describe.policies_json() if as_json else describe.policies_text()
    else:
        setting = load_policy(name)
        text, data = describe.setting_text, describe.setting_json
        told = data(setting) if as_json else text(setting)
    click.echo(json.dumps(told, ensure_ascii=False, indent=1) if as_json else told)


@click.command(epilog=f"What may be asked, and what it takes:\n\n{help_text()}")
@click.argument("file", type=click.File(encoding="utf-8-sig", errors="replace"))
@click.pass_context
def judge(ctx: click.Context, file: TextIO) -> None:
    """Answer questions about the rules, through the kernels that play the deals.

    FILE holds one JSON object, or one on each line; - is standard input. One line of
    JSON comes out for each. The exit status is 1 if any of them was an error.

    Cards are S, H, C, D and 2..9, T, J, Q, K, A; the jokers are LJ (small) and BJ
    (big). Levels are 2..14 (11 J .. 14 A) and 15, the joker level; trump is S, H, C, D
    or NT. Each question may also carry "id" (echoed), "decks" and "rules": a variant's
    name ("bianfeng" if absent), or an object as {"base": "menghuan", "throw_follow":
    "shape"}.

    \b
    Example:
        echo '{"ask": "components", "level": 5, "trump": "S",
               "cards": ["H4", "H4", "H6", "H6"]}' | shengji judge -
    """
    import json

    from sim.judge import answer_lines

    refused = False
    for told in answer_lines(file):
        refused |= "error" in told
        click.echo(json.dumps(told))
    ctx.exit(int(refused))


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Lists of objects.")
def columns(as_json: bool) -> None:
    """Tell what each column of a result row means.

    \b
    Example:
        shengji columns
    """
    from sim.describe import columns_json, columns_text

    if as_json:
        import json

        click.echo(json.dumps(columns_json(), ensure_ascii=False, indent=1))
        return
    click.echo(columns_text())


@click.command()
@click.option(
    "-n",
    "--deals",
    type=Whole(FEWEST_BENCH_DEALS),
    default=200_000,
    show_default=True,
    help="How many deals each round plays.",
)
@click.option(
    "--save",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Keep the figures in this file, to compare later ones with.",
)
@click.option(
    "--against",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="A file that --save wrote: what has changed since.",
)
@click.option("--json", "as_json", is_flag=True, help="An object instead of text.")
def bench(deals: int, save: Path | None, against: Path | None, as_json: bool) -> None:
    """Measure how fast deals are played here, by each policy, and each hot kernel.

    Times come with their ratio to a floor, a fixed piece of work that is measured just
    before and after: that ratio can be compared between machines. In brackets: the
    least and the most of the rounds. With the default -n this takes about a minute.

    \b
    Example:
        shengji bench
        shengji bench -n 50_000 --json
        shengji bench --save before.json
        shengji bench --against before.json
    """
    import json
    import sys

    from sim.bench import saved
    from sim.bench.report import bench, bench_text
    from sim.progress import ProgressLine

    if save is not None:
        saved.check_place(save)
    before = None if against is None else saved.read(against)
    line = ProgressLine(sys.stderr)
    try:
        measured = bench(deals, line)
    finally:
        line.close()
    if save is not None:
        saved.save(measured, save)
    compared = None if before is None else saved.compare(before, measured)
    if as_json:
        told = measured if compared is None else {**measured, "against": compared}
        click.echo(json.dumps(told, indent=1))
        return
    click.echo(bench_text(measured))
    if compared is not None:
        click.echo("\n" + saved.comparison_text(compared, against))
