"""Says of a run on disk what is whole, file by file, to the last bit.

Opening a run, as every command does, verifies the end of each file. Here every byte is
read: a file's seal (`sim.seal`) knows each of them; of an older file the pages have
checksums. What is found is told, never changed: `sim.repair` does that.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from sim.histograms import DEALS_COLUMN, HISTOGRAMS, SUMMARY_TABLE, read_histogram
from sim.parts import (
    PART_NAME,
    ROWS,
    STORED_TASK_KEY,
    SUMMARY,
    TASK_FILE,
    TASK_KEY,
    UNFINISHED,
    PartError,
    Span,
    State,
    StoreError,
    check_part,
    damaged,
    identity_hash,
    kept_by,
    kind_of,
    open_parquet,
    part_name,
    read_document,
    read_metadata,
)
from sim.places import Place
from sim.referee.reading import read_json
from sim.schema import Kind, Table
from sim.seal import SealError, check_seal, is_sealed, read_footer
from sim.store import gaps, locked


class Found(NamedTuple):
    """A file of the folder, or deals that are in none, and how it is with them."""

    name: str  # the file's; empty for deals that are in none
    state: State
    told: str  # as it ends a sentence which the name begins
    span: Span | None = None  # of a part


class Checked(NamedTuple):
    """All that a folder holds, and what it lacks."""

    folder: Place
    task: dict | None  # what is played in it, where that is known
    found: tuple[Found, ...]
    spans: tuple[Span, ...]  # of the parts that are whole and count, in order
    stop: int  # the folder is to hold deals (or matches) 0..stop - 1
    unsealed: int  # whole files of an older version, without a seal
    busy: bool  # a run is writing there now
    keep: str  # rows, or a summary

    @property
    def kind(self) -> Kind:
        return kind_of(self.task or {}, self.keep)

    @property
    def bad(self) -> list[Found]:
        """What keeps the folder from being whole."""
        return [it for it in self.found if it.state not in (State.WHOLE, State.OTHER)]

    @property
    def held(self) -> int:
        """Deals (or matches) in whole parts."""
        return sum(span.deals for span in self.spans)


def check(folder: Place, busy: bool | None = None) -> Checked:
    """Read every byte of a run's folder, and say how it is with each file.

    `busy`: whether a run is writing there, where the caller knows.
    """
    names = listed(folder)
    parts = [name for name in names if PART_NAME.fullmatch(name)]
    if TASK_FILE not in names and not parts:
        raise StoreError(
            f"{folder} is not a run's folder: it has no {TASK_FILE} and no parts"
        )
    busy = is_busy(folder) if busy is None else busy
    task, document, said = find_task(folder, names)
    keep = kept_by(document) if document else kept_in(parts)
    kind = kind_of(task or {}, keep)
    files, unsealed = examined(folder, parts, task, kind)
    spans = counted(files, kind)
    stop = wanted(files, document, kind)
    lacking = missing(files, spans, stop, kind)
    held, told = sum(span.deals for span in spans), document.get(kind.unit)
    if said.state == State.WHOLE and not busy and told in range(held):
        words = f"counts {told:,} {kind.unit}, but the parts hold {held:,}"
        said = said._replace(state=State.BEHIND, told=words)
    found = (said, *files, *lacking, *others(names, busy))
    return Checked(folder, task, found, tuple(spans), stop, unsealed, busy, keep)


def listed(folder: Place) -> list[str]:
    """The names in a folder, in order."""
    if folder.is_file():
        raise StoreError(f"{folder} is a file, not a run's folder")
    if not folder.is_dir():
        raise StoreError(f"there is no folder {folder}")
    return sorted(path.name for path in folder.iterdir())


def kept_in(parts: Sequence[str]) -> str:
    """What a run keeps, by its parts' names."""
    summaries = [name for name in parts if name.startswith(SUMMARY_TABLE.prefix)]
    return SUMMARY if len(summaries) > len(parts) / 2 else ROWS


def is_busy(folder: Place) -> bool:
    """Whether a run is writing to the folder now."""
    try:
        with locked(folder):
            return False
    except StoreError:
        return True


def others(names: Sequence[str], busy: bool) -> list[Found]:
    """What is neither a part nor the task."""
    found = []
    for name in names:
        if name == TASK_FILE or PART_NAME.fullmatch(name):
            continue
        if UNFINISHED.fullmatch(name):
            state = State.OTHER if busy else State.LEFTOVER
            told = "is being written" if busy else "was left by a run that was killed"
        elif name.endswith(".parquet"):
            state, told = State.FOREIGN, "is not a part of this run"
        else:
            state, told = State.OTHER, "is no file of a run's"
        found.append(Found(name, state, told))
    return found


# --- the task -----------------------------------------------------------------------


def find_task(folder: Place, names: Sequence[str]) -> tuple[dict | None, dict, Found]:
    """What was played, the contents of `task.json`, and how it is with that file.

    Where the file cannot be used, its parts know.
    """
    if TASK_FILE in names:
        try:
            document = read_document(folder)
            return document["task"], document, Found(TASK_FILE, State.WHOLE, "is whole")
        except PartError as error:
            state, told = error.state, error.told
    else:
        state, told = State.MISSING, "is missing"
    tasks = stored_tasks(folder, names)
    task = next(iter(tasks.values())) if len(tasks) == 1 else None
    if len(tasks) > 1:
        told += f", and the parts are of {len(tasks)} different tasks"
    elif task is None:
        told += ", and no part tells what was played"
    return task, {}, Found(TASK_FILE, state, told)


def stored_tasks(folder: Place, names: Sequence[str]) -> dict[str, dict]:
    """The tasks of which parts say that they are theirs, by id."""
    tasks = {}
    for name in names:
        if not PART_NAME.fullmatch(name):
            continue
        try:
            keys = read_metadata(folder / name).metadata or {}
            task = read_json(keys.get(STORED_TASK_KEY, b"null").decode())
        except (StoreError, ValueError):
            continue
        task_id = keys.get(TASK_KEY, b"").decode(errors="replace")
        if isinstance(task, dict) and identity_hash(task) == task_id:
            tasks[task_id] = task
    return tasks


# --- the parts ----------------------------------------------------------------------


def examined(
    folder: Place, names: Sequence[str], task: Mapping | None, kind: Kind
) -> tuple[list[Found], int]:
    """Each part's files by themselves; and how many of the whole ones have no seal."""
    if task is None:
        told = "cannot be judged: what was played is not known"
        return [Found(name, State.UNREADABLE, told) for name in names], 0
    task_id = identity_hash(task)
    tables = {table.prefix: table for table in kind.tables}
    found, unsealed, spans = [], 0, set()
    for name in names:
        named = PART_NAME.fullmatch(name)
        span = Span(int(named[2]), int(named[3]))
        table = tables.get(named[1], kind.tables[-1])
        try:
            check_part(folder / name, task_id, table)
            unsealed += not check_bytes(folder / name, span, table)
            found.append(Found(name, State.WHOLE, "is whole", span))
        except PartError as error:
            broken = error.state in (State.TRUNCATED, State.CHANGED)
            if broken and not is_block(span, kind):
                told = "is not a part of this run: none has such a name"
                found.append(Found(name, State.FOREIGN, told))
                continue
            own = span if broken else None
            found.append(Found(name, error.state, error.told, own))
        spans.add(span)
    return [*found, *halves(found, kind)], unsealed


def is_block(span: Span, kind: Kind) -> bool:
    """Whether a part of this kind may be the one of such a name."""
    size = kind.part_size
    while kind.merged > 1 and size < span.deals:
        size *= kind.merged
    aligned = size == kind.part_size or span.deals == size
    return span.deals > 0 and aligned and span.start // size == (span.stop - 1) // size


def check_bytes(path: Place, span: Span, table: Table) -> bool:
    """Refuse a file in which a bit has changed; whether a seal was there to tell."""
    try:
        with path.open("rb") as file:
            if sealed := is_sealed(read_footer(file)):
                check_seal(file)
        columns = [table.index] if sealed else None
        with open_parquet(path) as file:
            if table is SUMMARY_TABLE:
                check_counts(path, span, file)
                return sealed
            reached = span.start
            for batch in file.iter_batches(columns=columns):
                index = batch.column(table.index).to_numpy()
                steps = np.diff(index, prepend=reached - table.dense)
                in_order = (steps == 1) if table.dense else (steps >= 0) & (steps <= 1)
                if not in_order.all():
                    raise damaged(path, "deals")
                reached = int(index[-1]) + table.dense
    except (pa.ArrowException, OSError, SealError) as error:
        raise damaged(path, "deals") from error
    return sealed


def check_counts(path: Place, span: Span, file: pq.ParquetFile) -> None:
    """Refuse a summary in which a histogram does not count each deal once."""
    for name, columns in HISTOGRAMS.items():
        counted = read_histogram(file, name, columns)[DEALS_COLUMN].to_numpy()
        if counted.sum() != span.deals:
            raise damaged(path, "deals")


def halves(found: Sequence[Found], kind: Kind) -> list[Found]:
    """Of parts of several files: those which are missing."""
    there: dict[Span, set[str]] = {}
    for it in found:
        if it.span is not None:
            there.setdefault(it.span, set()).add(it.name)
    lacking = []
    for span, names in there.items():
        for table in kind.tables:
            if (name := part_name(span, table)) not in names:
                told = f"is missing, without which {min(names)} does not count"
                lacking.append(Found(name, State.MISSING, told, span))
    return lacking


def counted(files: list[Found], kind: Kind) -> list[Span]:
    """The whole parts, in order, each deal in one; tells in `files` of all others."""
    whole: dict[Span, bool] = {}
    for it in files:
        if it.span is not None:
            fine = it.state == State.WHOLE
            whole[it.span] = whole.get(it.span, True) and fine
    spans: list[Span] = []
    for span in sorted(whole, key=lambda span: (span.start, -span.stop)):
        before = spans[-1] if spans else Span(0, 0)
        beginning = before.start == span.start and before.stop > span.stop
        if beginning or (kind.merged > 1 and span.stop <= before.stop):
            told = f"is replaced by {part_name(before, kind.tables[-1])}"
            retold(files, span, State.LEFTOVER, told)
        elif not whole[span]:
            continue
        elif span.start < before.stop:
            told = f"holds {kind.unit} that are also in "
            told += part_name(before, kind.tables[-1])
            retold(files, span, State.OVERLAPPING, told)
        else:
            spans.append(span)
    return spans


def retold(files: list[Found], span: Span, state: State, told: str) -> None:
    """Say something else of all files of a part which are there."""
    for place, it in enumerate(files):
        if it.span == span and it.state != State.MISSING:
            files[place] = Found(it.name, state, told)


def wanted(files: Sequence[Found], document: Mapping, kind: Kind) -> int:
    """Where the deals that were saved once end, as far as anything tells."""
    stops = [it.span.stop for it in files if it.span is not None]
    return max([*stops, document.get(kind.unit, 0)], default=0)


def missing(
    files: Sequence[Found], spans: Sequence[Span], stop: int, kind: Kind
) -> list[Found]:
    """The deals before `stop` which are in no part, whole or not."""
    covered = {*spans, *(it.span for it in files if it.span is not None)}
    merged: list[Span] = []
    for gap in gaps(sorted(covered), stop, kind.part_size):
        if merged and merged[-1].stop == gap.start:
            gap = Span(merged.pop().start, gap.stop)
        merged.append(gap)
    return [
        Found("", State.MISSING, f"{span_words(span, kind)} are in no part", span)
        for span in merged
    ]


def span_words(span: Span, kind: Kind) -> str:
    """`deals 0 to 999`."""
    return f"{kind.unit} {span.start:,} to {span.stop - 1:,}"


# --- words --------------------------------------------------------------------------


def checked_text(checked: Checked) -> str:
    """What was found, a line each; whole parts that follow each other together."""
    lines, kind = [], checked.kind
    together: list[Span] = []
    for span in checked.spans:
        if together and together[-1].stop == span.start:
            span = Span(together.pop().start, span.stop)
        together.append(span)
    lines += [f"{'whole':<16}{span_words(span, kind)}" for span in together]
    for it in checked.found:
        if it.state != State.WHOLE:
            about = f" ({span_words(it.span, kind)})" if it.span and it.name else ""
            lines.append(f"{it.state:<16}{it.name} {it.told}{about}".replace("  ", " "))
    return "\n".join([*lines, summary(checked)])


def summary(checked: Checked) -> str:
    """The last line: how much is whole, and what may be done."""
    unit, bad = checked.kind.unit, checked.bad
    told = f"{checked.held:,} of {checked.stop:,} {unit} are whole, in "
    told += number_of(len(checked.spans), "part")
    if checked.unsealed:
        files = number_of(checked.unsealed, "file")
        told += f"; {files} of an older version without a seal, whose pages were read"
    if checked.busy:
        told += "; a run is writing there now"
    if not bad:
        return f"{checked.folder} is whole: {told}."
    return f"{checked.folder} is not whole: {told}. --repair plays again what it can."


def number_of(number: int, what: str) -> str:
    """`1 part`, `2 parts`."""
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def checked_json(checked: Checked) -> dict:
    """What was found, for programs."""
    return {
        "folder": str(checked.folder),
        "whole": not checked.bad,
        "unit": checked.kind.unit,
        "held": checked.held,
        "wanted": checked.stop,
        "parts": len(checked.spans),
        "unsealed": checked.unsealed,
        "being_written": checked.busy,
        "found": [
            {
                "name": it.name or None,
                "state": str(it.state),
                "start": it.span.start if it.span else None,
                "stop": it.span.stop if it.span else None,
                "told": it.told,
            }
            for it in checked.found
        ],
    }
