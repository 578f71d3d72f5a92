"""What a run's folder holds on disk: `task.json` and Parquet parts, read and checked.

A part is `part-<start>-<stop>.parquet`: the rows of deals start <= deal_index < stop,
in order; its file metadata carry the task's id. Of whole matches it is two files,
`deals-...` and `matches-...`; the second is written last, and without it the first does
not count. Parts end at multiples of the kind's `part_size`; only the last, where a run
ends or was interrupted, may be shorter. A run that goes on replaces it by the longer
part from the same start: while both are there, the longer counts.

With `--keep summary` a part is `summary-<start>-<stop>.parquet` (`sim.histograms`). Ten
of them become one, and ten of those again: it counts, whatever of theirs is still
there.

Which deals a folder holds is read from the names, and every name is checked against the
file's own metadata, so that a truncated or foreign file is noticed, never counted. The
task's id is a hash of it, and is reckoned again when `task.json` is read, so that an
edited task is never believed.
`sim.store` writes such folders, `analysis.load` reads them.
"""

import hashlib
import json
import re
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq

from sim.histograms import SUMMARIES, SUMMARY_TABLE, is_whole
from sim.places import Place, StoreError, trouble
from sim.plain import quoted
from sim.referee.reading import read_json
from sim.schema import DEALS, MATCHES, SCHEMA_VERSION, Kind, Table
from sim.seal import SealError, read_footer

TASK_FILE = "task.json"
TASK_FORMAT = "shengji-task/1"
TASK_KEY = b"task_id"
STORED_TASK_KEY = b"task"  # the task itself: each part can restore task.json
DOCUMENT_TYPES = {
    "format": str,
    "id": str,
    "deals": int,
    "task": dict,
    "sessions": list,
}
PART_NAME = re.compile(r"(part|deals|matches|summary)-(\d+)-(\d+)\.parquet")
# What a run that was killed leaves: a file that was being written.
UNFINISHED = re.compile(r"((part|deals|matches|summary)-\d{12}.*|task\.json.*)\.tmp")
REPLACED_MEANWHILE = 5  # parts, while a folder's are checked
MATCH_MODE = "match"  # of a task: whole matches are played
ROWS, SUMMARY = "rows", "summary"  # what a run keeps of its deals


class State(StrEnum):
    """How it is with a file of a run's folder, or with deals that are in none."""

    WHOLE = "whole"
    TRUNCATED = "truncated"
    CHANGED = "changed"  # bits of it are not as they were written
    MISSING = "missing"
    MISNAMED = "misnamed"  # whole, but it holds other deals than its name says
    OVERLAPPING = "overlapping"
    FOREIGN = "foreign"
    VERSION = "another version"
    UNREADABLE = "unreadable"
    LEFTOVER = "leftover"  # of a run that was killed, or replaced: does not count
    BEHIND = "behind"  # whole, but it does not tell of all that was saved
    OTHER = "other"  # whoever put it there: it is in nobody's way


class PartError(StoreError):
    """A part's file cannot be used: how it is with it, and what to do about it."""

    def __init__(self, path: Place, state: State, told: str, advice: str):
        super().__init__(f"{path} {told}; {advice}")
        self.state, self.told = state, told
        self.words = (path, state, told, advice)

    def __reduce__(self) -> tuple:
        return PartError, self.words  # a worker's errors are sent to the driver


class Span(NamedTuple):
    """Deals start <= deal_index < stop."""

    start: int
    stop: int

    @property
    def deals(self) -> int:
        return self.stop - self.start


class Part(NamedTuple):
    """What one part holds, and its file; of matches the one that makes it count."""

    span: Span
    path: Place


def kept_by(document: dict) -> str:
    """What a run keeps, as its `task.json` says."""
    return str(document.get("keep", ROWS))


def kind_of(task: dict, keep: str = ROWS) -> Kind:
    """What a task's dict, as `task.json` has it, plays, and what is kept of it."""
    if keep == SUMMARY:
        return SUMMARIES
    return MATCHES if task.get("mode") == MATCH_MODE else DEALS


def is_summary(part: Part) -> bool:
    """Whether a part holds counts instead of rows."""
    return part.path.name.startswith(SUMMARY_TABLE.prefix)


def part_name(span: Span, table: Table = DEALS.tables[0]) -> str:
    """File name of a part's table; zero-padded so that names sort as deals do."""
    return f"{table.prefix}-{span.start:012d}-{span.stop:012d}.parquet"


def beside(part: Part, table: Table) -> Place:
    """The file of another table of the same part."""
    return part.path.with_name(part_name(part.span, table))


def files_of(part: Part, kind: Kind) -> list[Place]:
    """All files of a part; the last makes it count."""
    return [beside(part, table) for table in kind.tables]


def identity_hash(identity: dict) -> str:
    """SHA-256 of what decides a task's deals: rows of different ids are never pooled.

    The variant's name is left out: it decides nothing.
    """
    deciding = {key: value for key, value in identity.items() if key != "variant"}
    canonical = json.dumps(deciding, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(canonical.encode()).hexdigest()


def read_document(folder: Place) -> dict:
    """The contents of `task.json`; a StoreError when it is not one, or was edited."""
    path = folder / TASK_FILE
    try:
        document = read_json(path.read_text("utf-8"))
    except OSError as error:
        told = f"cannot be read: {error.strerror}"
        raise PartError(path, State.UNREADABLE, told, "see to that first") from error
    except StoreError:
        raise
    except ValueError:
        document = None
    check_document(path, document)
    return document


RESTORED = "restore it (`shengji check --repair` can, from a part), or choose another "
RESTORED += "folder"


def check_document(path: Place, document: object) -> None:
    """Refuse what is not a task of this version, as it was written."""
    found = document.get("format") if isinstance(document, dict) else None
    if found not in (None, TASK_FORMAT):
        told = f"is of format {quoted(found)}"
        reads = f"this program reads {TASK_FORMAT!r}"
        raise PartError(path, State.VERSION, told, reads)
    if not isinstance(document, dict) or not all(
        type(document.get(key)) is kind for key, kind in DOCUMENT_TYPES.items()
    ):
        told = "is not a task that shengji wrote"
        raise PartError(path, State.CHANGED, told, RESTORED)
    if (keep := kept_by(document)) not in (ROWS, SUMMARY):
        told = f"says that the run keeps {keep!r}"
        raise PartError(path, State.VERSION, told, f"allowed: {ROWS}, {SUMMARY}")
    task = document["task"]
    own = document["id"] == identity_hash(task)
    if task.get("schema_version") != SCHEMA_VERSION:
        version = quoted(task.get("schema_version"))
        told = f"is of a run with columns of version {version}"
        reads = f"this program reads version {SCHEMA_VERSION}"
        raise PartError(path, State.VERSION if own else State.CHANGED, told, reads)
    if not own:
        told = "was edited: its id is not that of the task it holds"
        raise PartError(path, State.CHANGED, told, RESTORED)


def read_parts(folder: Place, task_id: str, kind: Kind = DEALS) -> list[Part]:
    """Every part of a run's folder, in order of deals; each file of it checked."""
    for _ in range(REPLACED_MEANWHILE):
        paths = sorted(folder.glob("*.parquet"))
        try:
            return checked_parts(paths, task_id, kind)
        except StoreError:
            # A run that goes on replaces its short last part: look again.
            if all(path.exists() for path in paths):
                raise
    return checked_parts(sorted(folder.glob("*.parquet")), task_id, kind)


def checked_parts(paths: list[Place], task_id: str, kind: Kind) -> list[Part]:
    """The parts among a folder's files, in order of deals; each file checked."""
    parts: list[Part] = []
    *others, last = kind.tables
    passed = {path for part in superseded(paths, kind) for path in files_of(part, kind)}
    tables = {table.prefix: table for table in others}
    for path in paths:
        named = PART_NAME.fullmatch(path.name)
        if path in passed:
            continue
        if named and (table := tables.get(named[1])):
            refuse_foreign(path, task_id, table)
            continue  # it is looked for below, where its part counts
        span = check_part(path, task_id, last)
        if parts and span.start < parts[-1].span.stop:
            raise StoreError(
                f"{path} overlaps {parts[-1].path.name}: the same {kind.unit} would "
                "count twice; delete one of the two and repeat the run"
            )
        part = Part(span, path)
        for table in others:
            check_part(beside(part, table), task_id, table)
        parts.append(part)
    return parts


def refuse_foreign(path: Place, task_id: str, table: Table) -> None:
    """Refuse the file of a part which nothing makes count, if it is not of this task.

    One of this task is there while the part is written, or was left by a killed run.
    """
    named = PART_NAME.fullmatch(path.name)
    counting = path.name.replace(table.prefix, MATCHES.tables[-1].prefix, 1)
    if named is None or path.with_name(counting).exists():
        return
    try:
        check_part(path, task_id, table)
    except PartError as error:
        if error.state in (State.FOREIGN, State.VERSION):
            raise


def open_parquet(path: Place) -> pq.ParquetFile:
    """A part's file, for reading; a damaged byte is an error then, not a number."""
    if isinstance(path, Path):
        return pq.ParquetFile(path, page_checksum_verification=True)
    # What is far away is asked for in few large pieces.
    file = path.open()
    return pq.ParquetFile(file, pre_buffer=True, page_checksum_verification=True)


def superseded(paths: list[Place], kind: Kind) -> list[Part]:
    """The parts which do not count, since a longer one stands for them.

    It begins where they do; or, where parts are merged, anywhere before.
    """
    prefix = kind.tables[-1].prefix
    parts = [
        Part(Span(int(named[2]), int(named[3])), path)
        for path in paths
        if (named := PART_NAME.fullmatch(path.name)) and named[1] == prefix
    ]
    counting: Part | None = None
    passed = []
    for part in sorted(parts, key=lambda it: (it.span.start, -it.span.stop)):
        if counting is None or part.span.stop > counting.span.stop:
            counting = part
        elif kind.merged > 1 or part.span.start == counting.span.start:
            passed.append(part)
    return passed


PLAYED_AGAIN = (
    "delete it and repeat the run, which plays those {unit} again (or let `shengji "
    "check --repair` do so)"
)


def damaged(path: Place, unit: str, state: State = State.CHANGED) -> PartError:
    """What is raised of a file that is not as it was written."""
    advice = PLAYED_AGAIN.format(unit=unit)
    return PartError(path, state, "is truncated or damaged", advice)


def missing(path: Place) -> PartError:
    """What is raised of a file that should stand beside others of its part."""
    told = "is missing: its part is not whole"
    advice = PLAYED_AGAIN.format(unit="deals").replace("it", "the rest of it", 1)
    return PartError(path, State.MISSING, told, advice)


def unreadable(path: Place, unit: str, error: Exception) -> Exception:
    """What is raised where reading a file fails that was whole when it was checked.

    If its whole folder is gone, that is for him to tell who writes into it.
    """
    if isinstance(error, FileNotFoundError):
        return missing(path) if path.parent.exists() else error
    return trouble(path, error) or damaged(path, unit)


def read_metadata(path: Place) -> pq.FileMetaData:
    """The metadata of a part's file; its seal vouches for them, if it has one."""
    try:
        with path.open("rb") as file:
            return pq.read_metadata(pa.BufferReader(read_footer(file)))
    except FileNotFoundError as error:
        raise missing(path) from error
    except (PermissionError, IsADirectoryError) as error:
        told = f"cannot be read: {error.strerror}"
        advice = "nothing can be said of it, and nothing is done to it"
        raise PartError(path, State.UNREADABLE, told, advice) from error
    except SealError as error:
        state = State.TRUNCATED if error.cut_off else State.CHANGED
        raise damaged(path, "deals", state) from error
    except (pa.ArrowException, OSError) as error:
        raise trouble(path, error) or damaged(path, "deals") from error


def check_part(path: Place, task_id: str, table: Table) -> Span:
    """The span of one file, if it holds exactly what its name says."""
    named = PART_NAME.fullmatch(path.name)
    elsewhere = "move it elsewhere"
    span = Span(int(named[2]), int(named[3])) if named else Span(0, 0)
    if part_name(span, table) != path.name:
        told = "is not a part of this run"
        raise PartError(path, State.FOREIGN, told, elsewhere)
    metadata = read_metadata(path)
    try:
        schema = metadata.schema.to_arrow_schema()
    except (pa.ArrowException, UnicodeDecodeError) as error:
        raise damaged(path, "deals") from error
    keys = metadata.metadata or {}
    if keys.get(TASK_KEY) != task_id.encode():
        told = "belongs to another task"
        raise PartError(path, State.FOREIGN, told, elsewhere)
    version = keys.get(b"schema_version", b"none").decode(errors="replace")
    if version != str(SCHEMA_VERSION):
        told = f"has columns of version {version}"
        reads = f"this program reads version {SCHEMA_VERSION}"
        raise PartError(path, State.VERSION, told, reads)
    if not schema.equals(table.schema):
        raise damaged(path, "deals")
    if not holds(metadata, span, table):
        told = "does not hold the deals that its name says"
        advice = PLAYED_AGAIN.format(unit="deals")
        raise PartError(path, State.MISNAMED, told, advice)
    return span


def holds(metadata: pq.FileMetaData, span: Span, table: Table) -> bool:
    """Whether the row groups' index runs from the span's start to its stop."""
    if table is SUMMARY_TABLE:
        return is_whole(metadata, *span)
    column = table.schema.get_field_index(table.index)
    reached = span.start
    for number in range(metadata.num_row_groups):
        group = metadata.row_group(number)
        statistics = group.column(column).statistics
        if statistics is None or statistics.min != reached:
            return False
        if table.dense and statistics.max != reached + group.num_rows - 1:
            return False
        reached = statistics.max + 1
    if table.dense and metadata.num_rows != span.deals:
        return False
    return reached == span.stop
