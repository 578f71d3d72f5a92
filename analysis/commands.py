"""The commands that measure saved deals; what they call is imported inside them."""

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from analysis.load import Run
    from sim.places import Place


class RunFolder(click.ParamType):
    """A run's folder: a path, or the URI of a filesystem elsewhere."""

    name = "folder"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> "Place":
        from sim.places import StoreError, place_of

        try:
            return place_of(value)
        except StoreError as error:
            self.fail(str(error), param, ctx)


FOLDER = RunFolder()


def checked_plot(
    context: click.Context, option: click.Parameter, path: Path | None
) -> Path | None:
    """Refuse a plot that cannot be written before the work, not after it."""
    if path is not None:
        from analysis.plot_file import checked_path

        checked_path(path)
    return path


def measure_options(command):
    """The options of every command that measures saved deals."""
    for option in reversed(
        (
            click.option(
                "--plot",
                type=click.Path(path_type=Path, dir_okay=False),
                metavar="FILE",
                callback=checked_plot,
                help="Also draw it: a .png, .svg or .pdf file.",
            ),
            click.option(
                "--json",
                "as_json",
                is_flag=True,
                help="Instead of a table: a list of {name, by, value, low, high, n}. "
                "Rates are from 0 to 1; low to high is the 95 % interval; n counts the "
                "deals behind it, of whole matches the matches.",
            ),
        )
    ):
        command = option(command)
    return command


KEEP = click.option(
    "--keep",
    type=click.Choice(["rows", "summary"]),
    default="rows",
    show_default=True,
    help="A row a deal; or only counts, of a size that hardly grows, from which "
    "levels, compare and bottom tell the same.",
)
PRECISION = click.option(
    "--precision",
    type=click.FloatRange(min=0, min_open=True),
    metavar="HALF",
    help="Stop before -n once a 95 % interval is no wider than +-HALF (percentage "
    "points, of a share); not before 100,000 deals.",
)
OF = click.option(
    "--of",
    default="take-over rate",
    show_default=True,
    metavar="NAME",
    help="The estimate of --precision: as levels, bottom and --json name them.",
)


def keep_options(command):
    """The options which say what is kept of single deals, and how many are enough."""
    for option in (OF, PRECISION, KEEP):
        command = option(command)
    return command


@click.command()
@click.argument("runs", metavar="RUN...", nargs=-1, required=True, type=FOLDER)
@click.option(
    "--by",
    metavar="COLUMN",
    help="Apart for each value of a column: level, trump, declarer, bid (kind of the "
    "first call), call, jokers, trumps, ... (`shengji columns` lists them).",
)
@click.option(
    "--matches",
    is_flag=True,
    help="RUN holds whole matches: their lengths, winners, levels and moves.",
)
@measure_options
def levels(
    runs: "tuple[Place, ...]",
    by: str | None,
    matches: bool,
    plot: Path | None,
    as_json: bool,
) -> None:
    """Tell who gains how many levels in the deals of RUN.

    The share of deals that end with each result, the attackers' take-over rate, and
    mean totals and levels. Several folders of the same task count together.

    \b
    Example:
        shengji levels results/first
        shengji levels results/first --by level --plot levels.png
        shengji levels --matches results/matches --plot matches.png
    """
    if matches:
        if by is not None:
            raise click.UsageError("--by splits deals; with --matches leave it away")
        from analysis.match_report import matches_text
        from analysis.matches import match_distribution

        with reading(runs, "matches") as run:
            frame = match_distribution(run)
        show(run, frame, matches_text, "plot_matches", plot, as_json)
        return
    from analysis import report
    from analysis.levels import level_distribution

    with reading(runs) as run:
        frame = level_distribution(run, by)
    show(run, frame, report.levels_text, "plot_levels", plot, as_json)


@click.command()
@click.argument("run", metavar="RUN|VARIANT", type=FOLDER)
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
@click.option(
    "--matches",
    is_flag=True,
    help="Play whole matches of VARIANT under each of --tables, and compare them.",
)
@click.option(
    "-n",
    "--number",
    type=click.IntRange(1, 10**9),
    help="Matches under each table (--matches).  [default: 2000]",
)
@click.option("--policy", help="As in matches (--matches).  [default: textbook]")
@click.option("--seed", type=click.IntRange(0), help="(--matches)  [default: 1]")
@click.option("--decks", type=click.IntRange(2, 4), help="(--matches)")
@click.option(
    "-o",
    "--out",
    type=FOLDER,
    help="Folder of the runs, one a table (--matches).  "
    "[default: results/VARIANT-matches-POLICY-seedSEED-tables]",
)
@measure_options
@click.pass_obj
def compare(
    play_tables: "Callable[..., list[Place]]",
    run: "Place",
    tables: str | None,
    multipliers: str | None,
    cross: bool,
    matches: bool,
    number: int | None,
    policy: str | None,
    seed: int | None,
    decks: int | None,
    out: "Place | None",
    plot: Path | None,
    as_json: bool,
) -> None:
    """Score the same deals of RUN under several tables or multipliers.

    Nothing is played again. Differences are to the first one named, deal by deal; a
    single one is compared with the run's own.

    With --matches a table changes what is played: whole matches of VARIANT are played
    under each, on the same cards, and compared match by match.

    \b
    Example:
        shengji compare results/first --tables menghuan,bianfeng,my.toml
        shengji compare results/first --multipliers linear,power/winner --plot x.svg
        shengji compare results/first --tables menghuan,bianfeng \\
            --multipliers linear,power --cross
        shengji compare --matches menghuan --tables menghuan,bianfeng -n 2000
    """
    if matches:
        if tables is None or multipliers is not None or cross:
            raise click.UsageError("with --matches say which --tables, and only those")
        compare_played(
            play_tables,
            str(run),
            split(tables),
            number or 2_000,
            policy or "textbook",
            1 if seed is None else seed,
            decks,
            out,
            plot,
            as_json,
        )
        return
    for name, value in (
        ("-n", number),
        ("--policy", policy),
        ("--seed", seed),
        ("--decks", decks),
        ("-o", out),
    ):
        if value is not None:
            raise click.UsageError(
                f"{name} needs --matches: without it nothing is played"
            )
    both = tables is not None and multipliers is not None
    if both and not cross:
        raise click.UsageError("give --tables or --multipliers, or both and --cross")
    if cross and not both:
        raise click.UsageError("--cross needs both --tables and --multipliers")
    if tables is None and multipliers is None:
        raise click.UsageError("say what to compare: --tables or --multipliers")

    from analysis import report
    from analysis.scoring import compare_scorings, scorings

    with reading(run) as opened:
        tried = scorings(opened, split(tables), split(multipliers))
        frame = compare_scorings(opened, tried)
    show(opened, frame, report.compare_text, "plot_scorings", plot, as_json)


def compare_played(
    play_tables: "Callable[..., list[Place]]",
    variant: str,
    tables: list[str],
    number: int,
    policy: str,
    seed: int,
    decks: int | None,
    out: "Place | None",
    plot: Path | None,
    as_json: bool,
) -> None:
    """Play whole matches under each table, and tell how they differ.

    `play_tables` is the command line's: measuring knows nothing of playing.
    """
    from analysis.load import open_runs
    from analysis.match_report import compare_matches_text
    from analysis.match_scoring import compare_matches, table_rules
    from analysis.report import as_json as json_of

    found = table_rules(variant, tables, decks)
    folders = play_tables(variant, found, number, policy, seed, out)
    runs = [
        (name, open_runs(folder))
        for (name, _), folder in zip(found, folders, strict=True)
    ]
    frame = compare_matches(runs)
    first = runs[0][1]
    if plot is not None:
        from analysis.match_plots import plot_compared_matches

        plot_compared_matches(first, frame, plot)
        click.echo(f"Drawn: {plot}", err=True)
    number = int(frame["n"].max())
    head = f"Whole matches under each table\n{first.describe(number)} under each"
    click.echo(json_of(frame) if as_json else compare_matches_text(head, frame))


@click.command()
@click.argument("runs", metavar="RUN...", nargs=-1, required=True, type=FOLDER)
@click.option(
    "--by",
    type=click.Choice(["trumps", "jokers"]),
    help="Apart for what the declarer holds at the first lead.",
)
@measure_options
def bottom(
    runs: "tuple[Place, ...]", by: str | None, plot: Path | None, as_json: bool
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

    with reading(runs) as run:
        frame = bottom_odds(run, by)
    show(run, frame, report.bottom_text, "plot_bottom", plot, as_json)


@contextmanager
def reading(folders: "Place | Sequence[Place]", unit: str = "deals") -> Iterator["Run"]:
    """The run in some folders; how far it is counted is told on stderr."""
    from functools import partial

    from analysis.load import open_runs
    from sim.progress import ProgressLine

    line = ProgressLine(sys.stderr)
    try:
        yield open_runs(folders, partial(line.played, unit=unit))
    finally:
        line.close()


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
        # matplotlib is slow, and most calls draw nothing
        from analysis import match_plots, plots

        module = match_plots if hasattr(match_plots, drawing) else plots
        getattr(module, drawing)(run, frame, plot)
        click.echo(f"Drawn: {plot}", err=True)
    click.echo(json_of(frame) if as_json else text(run, frame))
