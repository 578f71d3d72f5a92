"""Results from disk, in bounded memory: run folders in, counts out.

A run folder holds `task.json` (what was played) and `part-<start>-<stop>.parquet`
(the deals, one row each; columns in `sim.schema`). Every analysis is a function of how
often each combination of a few small columns occurred, so rows are counted batch by
batch and never held: ten million deals become some thousand rows of counts.
"""

import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import pairwise

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from analysis.counts import Counts, in_threads, thread_count
from analysis.labels import level_label
from analysis.summaries import count_summary
from kernels.codes import (
    ATTACKERS,
    CALL_KIND_NAMES,
    CALL_PAIR,
    DECLARERS,
    FACES,
    HAS_QUAD_RUN,
    JOKER_LEVEL,
    LONGEST_RUN,
    LOWEST_LEVEL,
    TRUMP_NAMES,
)
from sim.heading import policy_words, variant_words
from sim.parts import (
    MATCH_MODE,
    TASK_FILE,
    Part,
    Span,
    StoreError,
    is_summary,
    kept_by,
    kind_of,
    open_parquet,
    read_document,
    read_parts,
)
from sim.places import Place, place_of, trouble
from sim.rules import Rules
from sim.schema import COLUMNS

# Rows in memory at a time, of the wanted columns only: in one thread, and in all.
BATCH_ROWS = 1_000_000
ALL_BATCHES_ROWS = 2_000_000

# Lowest and highest of the columns that hold codes: what stands for a word, or is
# looked up in a table.
CODES = {
    "level": (LOWEST_LEVEL, JOKER_LEVEL),
    "trump": (0, len(TRUMP_NAMES) - 1),
    "declarer": (0, 3),
    "bidder": (-1, 3),
    "bid_kind": (0, CALL_PAIR),
    "caller": (-1, 3),
    "call_kind": (0, len(CALL_KIND_NAMES) - 1),
    "captured": (0, 1),
    "called_card": (-1, FACES - 1),
    "friend": (-1, 3),
    **dict.fromkeys(("lead_kinds", "win_kinds"), (0, 2 * HAS_QUAD_RUN - 1)),
    **{
        f"{whose}_{runs}": (0, LONGEST_RUN)
        for whose in ("lead", "win")
        for runs in ("run", "triples", "quads")
    },
    "side": (DECLARERS, ATTACKERS),
}

# What decides the distribution, in the order in which a difference is told.
IDENTITY = (
    "variant",
    "rules",
    "level",
    "mode",
    "policies",
    "policy_parameters",
    "seed",
    "stream_version",
    "schema_version",
)

# Told on the way: deals (or matches) read, of how many, in how many seconds.
Progress = Callable[[int, int, float], None]


def untold(done: int, of: int, seconds: float) -> None:
    """Progress that nobody wants to know of."""


class AnalysisError(ValueError):
    """Results that cannot be read, pooled or drawn; the message is one sentence."""


@dataclass(frozen=True)
class Run:
    """Deals of one task, from one or several folders."""

    folders: tuple[Place, ...]
    task: dict
    parts: tuple[Part, ...]
    progress: Progress = untold

    @property
    def deals(self) -> int:
        """Number of deals saved; of whole matches, of those."""
        return sum(part.span.deals for part in self.parts)

    @property
    def variant(self) -> str:
        return str(self.task["variant"])

    @cached_property
    def rules(self) -> Rules:
        """The rules that were played."""
        return Rules.from_dict(self.task["rules"])

    def describe(self, number: int | None = None) -> str:
        """Under what these deals hold: variant, level, mode, policies, seed, count.

        `number`: of how many of them something is told, where not of all.
        """
        number = self.deals if number is None else number
        played = [_level_words(self.task["level"]), _mode_words(self.task["mode"])]
        unit = "deal"
        if self.task["mode"] == MATCH_MODE:
            played, unit = ["whole matches"], "match"
        several = "" if number == 1 else "es" if unit == "match" else "s"
        return " · ".join(
            (
                variant_words(self.rules),
                *([f"{self.rules.decks} decks"] if self.rules.decks > 2 else []),
                *played,
                policy_words(self.task["policies"], self.task["policy_parameters"]),
                f"seed {self.task['seed']}",
                f"{number:,} {unit}{several}",
            )
        )


def open_runs(
    folders: Place | str | Sequence[Place | str], progress: Progress = untold
) -> Run:
    """Find the parts of one or several folders of the same task, and check them.

    A folder is a path, or the URI of a filesystem that pyarrow knows.

    Refuses a folder without a task, two different tasks, parts that overlap, and parts
    that are cut off or belong to another task.
    """
    if isinstance(folders, (str, Place)):
        folders = [folders]
    paths = tuple(place_of(folder) for folder in folders)
    if not paths:
        raise AnalysisError("no run folder given")
    for place, path in enumerate(paths):
        if path.resolve() in {it.resolve() for it in paths[:place]}:
            raise AnalysisError(f"{path} is named twice")
    try:
        return replace(_open(paths), progress=progress)
    except StoreError as error:
        raise AnalysisError(str(error)) from error


def _open(paths: tuple[Place, ...]) -> Run:
    (task_id, task), *others = [_read_task(path) for path in paths]
    for path, (other_id, other) in zip(paths[1:], others, strict=True):
        if other_id != task_id:
            raise AnalysisError(
                f"{paths[0]} and {path} hold different tasks, which are never pooled: "
                + _difference(task, other)
            )
    parts = sorted(
        part
        for path in paths
        for part in read_parts(
            path, task_id, kind_of(task, kept_by(read_document(path)))
        )
    )
    if not parts:
        raise AnalysisError(f"{paths[0]} holds no deals yet")
    for before, after in pairwise(parts):
        if after.span.start < before.span.stop:
            twice = Span(after.span.start, min(before.span.stop, after.span.stop))
            raise AnalysisError(
                f"deals {twice.start} to {twice.stop - 1} would count twice: they are "
                f"in {before.path} and in {after.path}"
            )
    return Run(paths, task, tuple(parts))


def batches(run: Run, columns: Sequence[str]) -> Iterator[pa.Table]:
    """The wanted columns of every deal, at most `BATCH_ROWS` rows at a time.

    Parts come in order of deal index, and so do their rows: that is checked on the way.
    """
    refuse_matches(run)
    for part in run.parts:
        yield from part_batches(part, columns, BATCH_ROWS)


def refuse_matches(run: Run) -> None:
    """Refuse whole matches where the unit is the deal."""
    if run.task["mode"] == MATCH_MODE:
        raise AnalysisError(
            f"{run.folders[0]} holds whole matches, whose deals are not independent: "
            "measure it with `shengji levels --matches`"
        )


def part_batches(part: Part, columns: Sequence[str], rows: int) -> Iterator[pa.Table]:
    """The wanted columns of one part, at most so many rows at a time; checked."""
    if is_summary(part):
        raise AnalysisError(
            f"{part.path.parent} keeps a summary: it has no rows, only how often each "
            "combination occurred"
        )
    wanted = list(dict.fromkeys(["deal_index", *columns]))
    reached = part.span.start
    try:
        # Checksums: without them a damaged byte is another number, silently.
        with open_parquet(part.path) as file:
            # Threads read a part each, never the columns of one.
            for batch in file.iter_batches(rows, columns=wanted, use_threads=False):
                stop = reached + len(batch)
                indices = batch.column("deal_index").to_numpy()
                if not np.array_equal(indices, np.arange(reached, stop)):
                    raise _not_in_order(part)
                reached = stop
                check_codes(part.path, batch)
                yield pa.Table.from_batches([batch]).select(list(columns))
    except FileNotFoundError as error:
        raise part_gone(part.path) from error
    except (pa.ArrowException, OSError) as error:
        raise unreadable(part.path, error, "delete it", "deals") from error
    if reached != part.span.stop:
        raise _not_in_order(part)


def check_codes(
    path: Place,
    batch: pa.RecordBatch | pa.Table,
    codes: Mapping[str, tuple[int, int]] = CODES,
) -> None:
    """Refuse rows whose codes stand for nothing."""
    for name in filter(codes.__contains__, batch.schema.names):
        lowest, highest = codes[name]
        found = pc.min_max(batch.column(name)).as_py()
        for value in found.values():
            if not lowest <= value <= highest:
                raise AnalysisError(
                    f"{path} is damaged: {name} {value} is not allowed: "
                    f"{lowest}..{highest}"
                )


def part_gone(path: Place) -> AnalysisError:
    """What is told of a part that was found, and is not there when it is read."""
    return AnalysisError(
        f"{path} was there and is gone: a run that goes on has replaced it by a longer "
        "part, or somebody deleted it; repeat the command"
    )


def unreadable(
    path: Place, error: Exception, what: str, unit: str
) -> AnalysisError | StoreError:
    """What is told of rows that cannot be read: the storage's trouble, or damage."""
    return trouble(path, error) or AnalysisError(
        f"{path} is damaged: its rows cannot be read; {what} and repeat the run, which "
        f"plays those {unit} again"
    )


def _not_in_order(part: Part) -> AnalysisError:
    return AnalysisError(
        f"{part.path} is damaged: it does not hold each of the deals "
        f"{part.span.start} to {part.span.stop - 1} once and in order"
    )


def count(run: Run, columns: Sequence[str]) -> pd.DataFrame:
    """How often each combination of values occurred: out of rows, or of summaries.

    Returns
    -------
    DataFrame
        The columns asked for, int64, one row a combination, ascending; and `deals`,
        the number of deals with that combination.
    """
    refuse_matches(run)
    counts = Counts(list(columns))
    deals, done, began = run.deals, 0, time.perf_counter()
    for part, counted in in_threads(partial(count_part, columns=columns), run.parts):
        counts.add(counted)
        done += part.span.deals
        run.progress(done, deals, time.perf_counter() - began)
    frame = counts.table().to_pandas().astype(np.int64)
    return frame.sort_values(counts.columns, ignore_index=True)


def count_part(part: Part, columns: Sequence[str]) -> pa.Table:
    """How often each combination occurred in one part; in no order."""
    if is_summary(part):
        return count_summary(part, columns, check_codes)
    counts = Counts(list(columns))
    rows = min(BATCH_ROWS, max(1, ALL_BATCHES_ROWS // thread_count()))
    for batch in part_batches(part, columns, rows):
        grouped = batch.group_by(counts.columns, use_threads=False)
        counted = grouped.aggregate([([], "count_all")])
        counts.add(counted.rename_columns([*columns, "deals"]))
    return counts.table()


def frame(run: Run, columns: Sequence[str] | None = None) -> pd.DataFrame:
    """The rows themselves, for a notebook. Ask for few columns of a large run."""
    names = [column.name for column in COLUMNS] if columns is None else list(columns)
    return pa.concat_tables(batches(run, names)).to_pandas()


def _read_task(folder: Place) -> tuple[str, dict]:
    """The id and the contents of a run's task."""
    path = folder / TASK_FILE
    if folder.is_file():
        raise AnalysisError(f"{folder} is a file, not a run's folder")
    if not folder.is_dir():
        raise AnalysisError(f"there is no folder {folder}")
    if not path.exists():
        raise AnalysisError(f"{folder} is not a run's folder: it has no {TASK_FILE}")
    document = read_document(folder)
    task = document["task"]
    # The id vouches for all but the name, which decides nothing.
    if not isinstance(task.get("variant"), str):
        raise AnalysisError(f"{path}: its variant {task.get('variant')} is no name")
    missing = [key for key in IDENTITY if key not in task]
    if missing:
        raise AnalysisError(f"{path} lacks {', '.join(missing)}")
    return document["id"], task


def _difference(first: dict, second: dict) -> str:
    """Name the settings in which two tasks differ: `seed 1 and 2; level 2 and all`."""
    told = []
    for key in IDENTITY:
        told += _differing(key, first.get(key), second.get(key))
    more = [f"and {len(told) - 4} more"] if len(told) > 4 else []
    return "; ".join([*told[:4], *more]) if told else "their ids differ"


def _differing(name: str, first: object, second: object) -> list[str]:
    if first == second:
        return []
    if isinstance(first, dict) and isinstance(second, dict):
        keys = dict.fromkeys([*first, *second])
        return [
            line
            for key in keys
            for line in _differing(f"{name}.{key}", first.get(key), second.get(key))
        ]
    return [f"{name} {_short(first)} and {_short(second)}"]


def _short(value: object) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 60 else text[:57] + "..."


def _level_words(level: int | str) -> str:
    return "all levels" if level == "all" else f"level {level_label(int(level))}"


def _mode_words(mode: str) -> str:
    return {"later": "later deals", "first": "first deals"}.get(mode, f"{mode} deals")
