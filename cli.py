"""The `shengji` command: its group, its errors in words, and `run`.

The other commands stand in the rooms that they belong to: `sim.commands` and
`analysis.commands`. Every heavy import is inside the command that needs it, so that
`--help` is instant. Results go to stdout; progress and errors go to stderr.
"""

import errno
import io
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from analysis.commands import FOLDER, bottom, compare, keep_options, levels
from sim.commands import (
    MOST_DEALS,
    MOST_MATCHES,
    MOST_THREADS,
    Whole,
    bench,
    check,
    columns,
    judge,
    match_options,
    policies,
    record,
    task_options,
    variants,
    verify,
)
from sim.plain import one_line

if TYPE_CHECKING:
    from sim.places import Place
    from sim.rules import Rules
    from sim.task import Task
    from sim.until import Until

INTERRUPTED = 130  # what a shell expects of a command ended by Ctrl-C


class Refusal(click.ClickException):
    """Input or files that cannot be used, or a full disk: one sentence, exit code 2."""

    exit_code = 2


@contextmanager
def quoting_plainly() -> Iterator[None]:
    """Errors raised inside are told in one line, whatever they quote."""
    try:
        yield
    except click.ClickException as error:
        error.message = one_line(error.message)
        raise


class Commands(click.Group):
    """The group of all commands: lists them as written here, and words their errors.

    Only errors that this project raises on purpose become one sentence. Anything else
    is a mistake in the program, and shows its traceback.
    """

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.commands)

    def make_context(self, *words: Any, **more: Any) -> click.Context:
        with quoting_plainly():
            return super().make_context(*words, **more)

    def invoke(self, ctx: click.Context) -> object:
        with quoting_plainly():
            return self.invoke_refusing(ctx)

    def invoke_refusing(self, ctx: click.Context) -> object:
        """Run a command; what it raises on purpose becomes a refusal."""
        try:
            return super().invoke(ctx)
        except ValueError as error:
            # Our own kinds (RulesError, TaskError, StoreError...) are told by where
            # they are defined: importing them here would load numba for `--help`.
            if type(error).__module__.partition(".")[0] not in ("sim", "analysis"):
                raise
            raise Refusal(str(error)) from error
        except OSError as error:
            if error.errno in (None, errno.EPIPE):  # no system's; click's own
                raise
            if error.errno not in (errno.ENOSPC, errno.EDQUOT):
                place = f"{error.filename}: " if error.filename else ""
                raise Refusal(f"{place}{error.strerror}") from error
            where = f" writing {error.filename}" if error.filename else ""
            raise Refusal(
                f"the disk is full{where}; what was saved before is whole: "
                "free some space and repeat the command to go on"
            ) from error
        except KeyboardInterrupt:
            ctx.exit(INTERRUPTED)


def show_version(ctx: click.Context, param: click.Parameter, asked: bool) -> None:
    if not asked:
        return
    from importlib import metadata  # reads the disk: only when asked

    try:
        version = metadata.version("shengji")
    except metadata.PackageNotFoundError:
        version = "unknown (not installed)"
    click.echo(f"shengji {version}")
    ctx.exit()


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=show_version,
    help="Show the version and exit.",
)
@click.pass_context
def cli(ctx: click.Context) -> None:
    """Simulate millions of deals of Shengji (升级, 拖拉机, 80 分) and measure them.

    \b
    Example:
        shengji run menghuan -n 1_000_000 --level all -o results/first
        shengji levels results/first
    """
    # What measures may have to play, but does not know how to.
    ctx.obj = play_tables


def play_into(
    task: "Task",
    folder: "Place",
    wanted: int,
    threads: int | None,
    address: str | None = None,
    keep: str = "rows",
    until: "Until | None" = None,
) -> None:
    """Play what a folder lacks of a task, telling on stderr how it goes.

    `address`: of a cluster's scheduler, whose workers then play in place of threads.
    """
    import os

    from sim.driver import play
    from sim.progress import ProgressLine, say

    if address is None:
        engine = nullcontext()
    elif threads is not None:
        raise click.UsageError(
            "--threads is of this machine; how many a cluster's workers have is said "
            "where they are started"
        )
    else:
        from sim.cluster import cluster

        engine = cluster(address)
    line = ProgressLine(sys.stderr)
    try:
        with engine as executor:
            played = play(
                task,
                folder,
                wanted,
                threads=threads or os.cpu_count() or 1,
                progress=line,
                executor=executor,
                keep=keep,
                until=until,
            )
    except KeyboardInterrupt:
        line.close()
        if any(folder.glob("*.parquet")):
            told = f"What was played is saved in {folder}; repeat the same command "
            told += "to go on."
        else:
            told = "Nothing was played yet; repeat the same command to begin."
        say(sys.stderr, f"Interrupted. {told}\n")
        raise
    finally:
        line.close()
    say(sys.stderr, played.sentence(folder) + "\n")


def play_tables(
    variant: str,
    tables: list[tuple[str, "Rules"]],
    number: int,
    policy: str,
    seed: int,
    out: "Place | None",
) -> "list[Place]":
    """Play matches under each of some rules, a folder each; for `compare --matches`."""
    from sim.task import default_folder, match_task

    folders = []
    for name, rules in tables:
        task = match_task(rules, policy=policy, seed=seed)
        words = f"{default_folder(task, variant, policy)}-tables"
        folder = (out or Path("results") / words) / re.sub(r"[^\w.+-]", "_", name)
        play_into(task, folder, number, None)
        folders.append(folder)
    return folders


threads_option = click.option(
    "--threads",
    type=Whole(1, MOST_THREADS),
    help="How many deals are played at a time.  [default: one for each core]",
)

cluster_option = click.option(
    "--cluster",
    metavar="ADDRESS",
    help="Play on the workers of a Dask scheduler, tcp://HOST:8786, which share the "
    "folder (the extra shengji[cluster]).",
)


@cli.command()
@task_options
@click.option(
    "-n",
    "--deals",
    type=Whole(1, MOST_DEALS),
    default=1_000_000,
    show_default=True,
    help="Deals wanted in all, those already saved included.",
)
@click.option(
    "-o",
    "--out",
    type=FOLDER,
    help="Folder of the run.  [default: results/VARIANT-LEVEL-POLICY-seedSEED]",
)
@keep_options
@threads_option
@cluster_option
def run(
    variant: str,
    level: str,
    decks: int | None,
    policy: str,
    seed: int,
    first_deal: bool,
    deals: int,
    out: "Place | None",
    keep: str,
    precision: float | None,
    of: str,
    threads: int | None,
    cluster: str | None,
) -> None:
    """Play deals of VARIANT and save them, one row a deal.

    VARIANT is a preset's name or a TOML file. Deals already saved for the same task
    count: repeating an interrupted command goes on, repeating a finished one only
    prints, and a larger -n extends the run.

    \b
    Example:
        shengji run menghuan -n 1_000_000 --level all -o results/first
        shengji run bianfeng -n 200_000 --policy textbook,random --seed 7
    """
    from sim.task import default_folder, make_task

    task = make_task(
        variant,
        level=level,
        policy=policy,
        seed=seed,
        first_deal=first_deal,
        decks=decks,
    )
    folder = out or Path("results") / default_folder(task, variant, policy)
    until = None
    if precision is not None:
        from analysis.precision import wanted

        until = wanted(task.rules, precision, of, folder)
    play_into(task, folder, deals, threads, cluster, keep, until)

    from analysis.report import print_level_distribution  # not before: pandas is slow

    print_level_distribution(folder)
    if until is not None:
        click.echo(f"\n{until.sentence()}")


@cli.command()
@match_options
@click.option(
    "-n",
    "--matches",
    type=Whole(1, MOST_MATCHES),
    default=10_000,
    show_default=True,
    help="Matches wanted in all, those already saved included.",
)
@click.option(
    "-o",
    "--out",
    type=FOLDER,
    help="Folder of the run.  [default: results/VARIANT-matches-POLICY-seedSEED]",
)
@threads_option
@cluster_option
def matches(
    variant: str,
    decks: int | None,
    policy: str,
    seed: int,
    matches: int,
    out: "Place | None",
    threads: int | None,
    cluster: str | None,
) -> None:
    """Play whole matches of VARIANT, and save a row a deal and a row a match.

    A match goes from its first deal, everyone at 2, until a side has completed its
    laps (with called partners a seat). Match K of a seed is the same match on any
    machine. Repeating a command goes on, or only prints; a larger -n extends the run.

    \b
    Example:
        shengji matches menghuan -n 10_000 -o results/matches
        shengji levels --matches results/matches --plot matches.png
    """
    from sim.task import default_folder, match_task

    task = match_task(variant, policy=policy, seed=seed, decks=decks)
    folder = out or Path("results") / default_folder(task, variant, policy)
    play_into(task, folder, matches, threads, cluster)

    from analysis.match_report import print_match_distribution

    print_match_distribution(folder)


@cli.command()
@click.option(
    "-n",
    "--matches",
    type=Whole(1, MOST_MATCHES),
    default=2_000,
    show_default=True,
    help="Matches of each variant.",
)
@click.option("--policy", default="textbook", show_default=True, help="As in run.")
@click.option("--seed", type=Whole(0, 2**64 - 1), default=1, show_default=True)
@click.option(
    "-o",
    "--out",
    type=FOLDER,
    help="Folder of the runs.  [default: results/survey-POLICY-seedSEED]",
)
@click.option("--json", "as_json", is_flag=True, help="A list instead of a table.")
@threads_option
def survey(
    matches: int,
    policy: str,
    seed: int,
    out: "Place | None",
    as_json: bool,
    threads: int | None,
) -> None:
    """Play whole matches of every variant, and set the variants side by side.

    Take-over rate, levels a deal for each side, captured bottoms, deals a match, and
    how often the side that declares first wins: each with its interval.

    \b
    Example:
        shengji survey -n 2_000
    """
    from sim.rules import PRESETS
    from sim.task import default_folder, match_task

    tasks = [match_task(variant, policy=policy, seed=seed) for variant in PRESETS]
    words = default_folder(tasks[0], "survey", policy).replace("-matches", "")
    folder = out or Path("results") / words
    folders = [folder / variant for variant in PRESETS]
    for task, its in zip(tasks, folders, strict=True):
        play_into(task, its, matches, threads)

    from analysis.load import open_runs
    from analysis.match_report import survey_text
    from analysis.match_scoring import survey as survey_of
    from analysis.report import as_json as json_of
    from sim.heading import policy_words

    frame = survey_of([open_runs(its) for its in folders])
    told = tasks[0].to_dict()
    players = policy_words(told["policies"], told["policy_parameters"])
    head = f"Every variant, whole matches\nTwo decks · {players} · seed {seed}"
    click.echo(json_of(frame) if as_json else survey_text(head, frame))


for command in (
    levels,
    compare,
    bottom,
    check,
    record,
    verify,
    judge,
    variants,
    policies,
    columns,
    bench,
):
    cli.add_command(command)


def main() -> None:
    """Entry point of the `shengji` command."""
    import os

    if sys.stderr is None:  # closed by the shell: what is told there goes nowhere
        sys.stderr = Path(os.devnull).open("w", encoding="utf-8")
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # a terminal may know no Chinese
            stream.reconfigure(errors="replace")
    cli(prog_name="shengji")


if __name__ == "__main__":
    main()
