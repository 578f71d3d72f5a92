"""The commands that measure saved deals; what they call is imported inside them."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

PATH = click.Path(path_type=Path)


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
                "deals behind it.",
            ),
        )
    ):
        command = option(command)
    return command


@click.command()
@click.argument("runs", metavar="RUN...", nargs=-1, required=True, type=PATH)
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
    runs: tuple[Path, ...],
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
        from analysis.load import open_runs
        from analysis.match_report import matches_text
        from analysis.matches import match_distribution

        run = open_runs(runs)
        frame = match_distribution(run)
        show(run, frame, matches_text, "plot_matches", plot, as_json)
        return
    from analysis import report
    from analysis.levels import level_distribution
    from analysis.load import open_runs

    run = open_runs(runs)
    frame = level_distribution(run, by)
    show(run, frame, report.levels_text, "plot_levels", plot, as_json)


@click.command()
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


@click.command()
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
        # matplotlib is slow, and most calls draw nothing
        from analysis import match_plots, plots

        module = match_plots if hasattr(match_plots, drawing) else plots
        getattr(module, drawing)(run, frame, plot)
        click.echo(f"Drawn: {plot}", err=True)
    click.echo(json_of(frame) if as_json else text(run, frame))
