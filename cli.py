"""The `shengji` command: its group, its errors in words, and `run`.

The other commands stand in the rooms that they belong to: `sim.commands` and
`analysis.commands`. Every heavy import is inside the command that needs it, so that
`--help` is instant. Results go to stdout; progress and errors go to stderr.
"""

import errno
import io
import sys
from pathlib import Path

import click

from analysis.commands import bottom, compare, levels
from sim.commands import (
    MOST_DEALS,
    MOST_THREADS,
    Whole,
    bench,
    columns,
    judge,
    policies,
    record,
    task_options,
    variants,
    verify,
)

INTERRUPTED = 130  # what a shell expects of a command ended by Ctrl-C


class Refusal(click.ClickException):
    """Input or files that cannot be used, or a full disk: one sentence, exit code 2."""

    exit_code = 2


class Commands(click.Group):
    """The group of all commands: lists them as written here, and words their errors.

    Only errors that this project raises on purpose become one sentence. Anything else
    is a mistake in the program, and shows its traceback.
    """

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.commands)

    def invoke(self, ctx: click.Context) -> object:
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
def cli() -> None:
    """Simulate millions of deals of Shengji (升级, 拖拉机, 80 分) and measure them.

    \b
    Example:
        shengji run menghuan -n 1_000_000 --level all -o results/first
        shengji levels results/first
    """


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
    type=click.Path(path_type=Path, file_okay=False),
    help="Folder of the run.  [default: results/VARIANT-LEVEL-POLICY-seedSEED]",
)
@click.option(
    "--threads",
    type=Whole(1, MOST_THREADS),
    help="How many deals are played at a time.  [default: one for each core]",
)
def run(
    variant: str,
    level: str,
    decks: int | None,
    policy: str,
    seed: int,
    first_deal: bool,
    deals: int,
    out: Path | None,
    threads: int | None,
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
    import os

    from sim.driver import play
    from sim.progress import ProgressLine, say
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
    line = ProgressLine(sys.stderr)
    try:
        played = play(
            task,
            folder,
            deals,
            threads=threads or os.cpu_count() or 1,
            progress=line,
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

    from analysis.report import print_level_distribution  # not before: pandas is slow

    print_level_distribution(folder)


for command in (
    levels,
    compare,
    bottom,
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
