"""The `shengji` command: parse, call, print.

Every heavy import is inside the command that needs it, so that `--help` is instant.
Results go to stdout; progress and errors go to stderr.
"""

import errno
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, TextIO

import click

PATH = click.Path(path_type=Path)
INTERRUPTED = 130  # what a shell expects of a command ended by Ctrl-C


class Refusal(click.ClickException):
    """Input that cannot be used, or a full disk: one sentence, exit code 2."""

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
            if error.errno not in (errno.ENOSPC, errno.EDQUOT):
                raise
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


def task_options(command):
    """The options which say what is played; the same wherever deals are played."""
    for option in reversed(
        (
            click.argument("variant", default="menghuan"),
            click.option(
                "--level",
                default="2",
                show_default=True,
                help="2..10, J, Q, K, A, joker, or all: 2 + deal index mod 13.",
            ),
            click.option(
                "--decks",
                type=click.IntRange(2, 4),
                default=None,
                help="Must agree with the variant's; two decks only for now.",
            ),
            click.option(
                "--policy",
                default="textbook",
                show_default=True,
                help="One name or file for all; two: declarer's side, attackers; "
                "or four by seat.",
            ),
            click.option(
                "--seed",
                type=click.IntRange(0, 2**64 - 1),
                default=1,
                show_default=True,
                help="Same seed, same cards: whatever the variant or the policies.",
            ),
            click.option(
                "--first-deal",
                is_flag=True,
                help="The first deal of a match: nobody is declarer yet.",
            ),
        )
    ):
        command = option(command)
    return command


# --- playing ------------------------------------------------------------------------


@cli.command()
@task_options
@click.option(
    "-n",
    "--deals",
    type=click.IntRange(1),
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
    type=click.IntRange(1),
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
    from sim.progress import ProgressLine
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
        click.echo(
            f"Interrupted. What was played is saved in {folder}; repeat the same "
            "command to go on.",
            err=True,
        )
        raise
    finally:
        line.close()
    click.echo(played.sentence(folder), err=True)

    from analysis.report import print_level_distribution  # not before: pandas is slow

    print_level_distribution(folder)


# --- deals written down -------------------------------------------------------------


@cli.command()
@task_options
@click.option(
    "-n",
    "--deals",
    type=click.IntRange(1),
    help="How many deals, from deal 0 on.  [default: 100]",
)
@click.option(
    "--index",
    type=click.IntRange(0, 2**63 - 1),
    help="Only this deal of the run with that seed.",
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
    out: Path | None,
) -> None:
    """Write deals of VARIANT down, card by card: one line of JSON a deal.

    Deal K here is deal K of `shengji run` with the same options.

    \b
    Example:
        shengji record bianfeng -n 100 --level all -o deals.jsonl
        shengji record menghuan --seed 7 --index 41
    """
    if index is not None and deals is not None:
        raise click.UsageError("give -n or --index, not both: --index is one deal")

    from sim.record import Recorder, save_lines, write_record
    from sim.task import make_task

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
    lines = (write_record(recorder.deal(deal)) for deal in wanted)
    if out is not None:
        save_lines(out, lines)
        return
    for line in lines:
        click.echo(line)


@cli.command()
@click.argument("file", type=click.File(encoding="utf-8", errors="replace"))
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
            click.echo(told)
    if deals == 0:
        raise Refusal(f"{file.name} holds no deal records")
    if wrong:
        click.echo(f"{wrong:,} of {deals:,} deals are wrong", err=True)
        ctx.exit(1)
    click.echo(f"{deals:,} {'deal' if deals == 1 else 'deals'} verified")


# --- measuring ----------------------------------------------------------------------


def measure_options(command):
    """The options of every command that measures saved deals."""
    for option in reversed(
        (
            click.option(
                "--plot",
                type=click.Path(path_type=Path, dir_okay=False),
                metavar="FILE",
                help="Also draw it: a .png, .svg or .pdf file.",
            ),
            click.option(
                "--json",
                "as_json",
                is_flag=True,
                help="Instead of a table: a list of {name, by, value, low, high, n}. "
                "Rates are from 0 to 1; low to high is the 95 % interval; n counts the "
                "deals behind it.",
            ),
        )
    ):
        command = option(command)
    return command


@cli.command()
@click.argument("runs", metavar="RUN...", nargs=-1, required=True, type=PATH)
@click.option(
    "--by",
    metavar="COLUMN",
    help="Apart for each value of a column: level, trump, declarer, bid (kind of the "
    "first call), call, jokers, trumps, ... (`shengji columns` lists them).",
)
@measure_options
def levels(
    runs: tuple[Path, ...], by: str | None, plot: Path | None, as_json: bool
) -> None:
    """Tell who gains how many levels in the deals of RUN.

    Shares of deals that end with each result, the attackers' take-over rate and mean
    totals. Several folders of the same task count together.

    \b
    Example:
        shengji levels results/first
        shengji levels results/first --by level --plot levels.png
    """
    from analysis import report
    from analysis.levels import level_distribution
    from analysis.load import open_runs

    run = open_runs(runs)
    frame = level_distribution(run, by)
    show(run, frame, report.levels_text, "plot_levels", plot, as_json)


@cli.command()
@click.argument("run", metavar="RUN", type=PATH)
@click.option(
    "--tables",
    metavar="A,B,...",
    help="Level tables, with the run's own multiplier: names of tables or variants, "
    "or TOML files.",
)
@click.option(
    "--multipliers",
    metavar="A,B,...",
    help="Bottom multipliers, with the run's own table: linear, power, flat, by_cards, "
    "variants or TOML files. power/winner or power/trick also says which cards it is "
    "read from; power alone leaves that as in the run.",
)
@click.option("--cross", is_flag=True, help="Every table with every multiplier.")
@measure_options
def compare(
    run: Path,
    tables: str | None,
    multipliers: str | None,
    cross: bool,
    plot: Path | None,
    as_json: bool,
) -> None:
    """Score the same deals of RUN under several tables or multipliers.

    Nothing is played again. Differences are to the first one named, deal by deal; a
    single one is compared with the run's own.

    \b
    Example:
        shengji compare results/first --tables menghuan,bianfeng,my.toml
        shengji compare results/first --multipliers linear,power/winner --plot x.svg
        shengji compare results/first --tables menghuan,bianfeng \\
            --multipliers linear,power --cross
    """
    both = tables is not None and multipliers is not None
    if both and not cross:
        raise click.UsageError("give --tables or --multipliers, or both and --cross")
    if cross and not both:
        raise click.UsageError("--cross needs both --tables and --multipliers")
    if tables is None and multipliers is None:
        raise click.UsageError("say what to compare: --tables or --multipliers")

    from analysis import report
    from analysis.load import open_runs
    from analysis.scoring import compare_scorings, scorings

    opened = open_runs(run)
    tried = scorings(opened, split(tables), split(multipliers))
    frame = compare_scorings(opened, tried)
    show(opened, frame, report.compare_text, "plot_scorings", plot, as_json)


@cli.command()
@click.argument("runs", metavar="RUN...", nargs=-1, required=True, type=PATH)
@click.option(
    "--by",
    type=click.Choice(["trumps", "jokers"]),
    help="Apart for what the declarer holds at the first lead.",
)
@measure_options
def bottom(
    runs: tuple[Path, ...], by: str | None, plot: Path | None, as_json: bool
) -> None:
    """Tell what becomes of the points buried in the deals of RUN.

    For each number of points buried: how often the bottom is captured, at which
    multiplier, and what that gives away. These are the odds under the burying of the
    policies that played, not the effect of burying.

    \b
    Example:
        shengji bottom results/first --by trumps --plot bottom.pdf
    """
    from analysis import report
    from analysis.bottom import bottom_odds
    from analysis.load import open_runs

    run = open_runs(runs)
    frame = bottom_odds(run, by)
    show(run, frame, report.bottom_text, "plot_bottom", plot, as_json)


def split(names: str | None) -> list[str]:
    """The words of a list with commas."""
    return [] if names is None else [name.strip() for name in names.split(",")]


def show(
    run: Any,
    frame: Any,
    text: Callable[[Any, Any], str],
    drawing: str,
    plot: Path | None,
    as_json: bool,
) -> None:
    """Draw an analysis' frame of a run if asked to; print it as text or as JSON."""
    from analysis.report import as_json as json_of

    if plot is not None:
        from analysis import plots  # matplotlib is slow, and most calls draw nothing

        getattr(plots, drawing)(run, frame, plot)
        click.echo(f"Drawn: {plot}", err=True)
    click.echo(json_of(frame) if as_json else text(run, frame))


# --- what there is ------------------------------------------------------------------


@cli.command()
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


@cli.command()
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


@cli.command()
@click.argument("file", type=click.File(encoding="utf-8", errors="replace"))
@click.pass_context
def judge(ctx: click.Context, file: TextIO) -> None:
    """Answer questions about the rules, through the kernels that play the deals.

    FILE holds one JSON object, or one on each line; - is standard input. One line of
    JSON comes out for each. The exit status is 1 if any of them was an error.

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


@cli.command()
@click.option("--json", "as_json", is_flag=True, help="A list of objects.")
def columns(as_json: bool) -> None:
    """Tell what each column of a result row means.

    \b
    Example:
        shengji columns
    """
    from sim.schema import COLUMNS

    if as_json:
        import json

        rows = [column._asdict() for column in COLUMNS]
        click.echo(json.dumps(rows, ensure_ascii=False, indent=1))
        return
    name_width = max(len(column.name) for column in COLUMNS)
    unit_width = max(len(column.unit) for column in COLUMNS)
    for column in COLUMNS:
        click.echo(
            f"{column.name:{name_width}}  {column.unit:{unit_width}}  {column.meaning}"
        )


def main() -> None:
    """Entry point of the `shengji` command."""
    cli(prog_name="shengji")


if __name__ == "__main__":
    main()
