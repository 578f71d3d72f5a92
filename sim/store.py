"""A run on disk: one folder, holding `task.json` and Parquet parts (`sim.parts`).

A part is written as `.tmp` beside its place, flushed to the disk and only then renamed,
so a part is whole or absent.

`task.json` says what was played (the task, whose id is its identity) and how it came
about (the sessions: versions, platform, seconds).
"""

import errno
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from sim.heading import value_words
from sim.parts import (
    PART_NAME,
    TASK_FILE,
    TASK_FORMAT,
    TASK_KEY,
    Span,
    StoreError,
    part_name,
    read_document,
    read_parts,
)
from sim.schema import DEALS, Kind, Table

if TYPE_CHECKING:
    from sim.task import Task

try:
    import fcntl
except ImportError:  # Windows: no lock; the renames still keep every part whole
    fcntl = None

# What one table's rows of a block are written from: an array for each column.
Columns = Mapping[str, np.ndarray]


def encoding(table: Table) -> dict[str, Any]:
    """How a table's columns are written.

    Measured on rows of deals, one core. Dictionaries everywhere: 8.0 bytes a deal,
    3.4 M deals/s; deltas everywhere: 11.4 bytes, 6.6 M deals/s; plain: 15.7 bytes.
    Deltas waste two to three bits on multiples of 5, hence dictionaries for those
    columns only.
    """
    dictionary = [
        field.name
        for field in table.schema
        if field.metadata[b"unit"] == b"points" or field.name == "multiplier"
    ]
    return {
        "use_dictionary": dictionary,
        "column_encoding": {
            name: "DELTA_BINARY_PACKED"
            for name in table.schema.names
            if name not in dictionary
        },
        "compression": "zstd",
        "compression_level": 1,
        "write_statistics": [table.index],
        "write_page_checksum": True,  # verified by who reads rows: +0.01 bytes a deal
    }


# What a system says when a file cannot grow: disk, quota, largest file.
NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


@contextmanager
def whole_or_absent(temporary: Path) -> Iterator[None]:
    """Remove the unfinished file when writing fails; a full disk is told as one."""
    try:
        yield
    except OSError as error:
        remove(temporary)
        if error.errno not in NO_ROOM:
            raise
        raise StoreError(
            f"no room on the disk to write in {temporary.parent}; what was saved "
            "before is whole: free some space and repeat the command to go on"
        ) from error
    except BaseException:
        remove(temporary)
        raise


def remove(temporary: Path) -> None:
    """Remove an unfinished file. What cannot be removed must not hide what failed."""
    with suppress(OSError):
        temporary.unlink(missing_ok=True)


def write_whole(path: Path, text: str) -> None:
    """Write a text file so that a reader sees the old text or the new, never half."""
    temporary = path.with_name(path.name + ".tmp")
    with whole_or_absent(temporary):
        with temporary.open("w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)


def flat(tree: object, prefix: str = "") -> dict[str, object]:
    """Nested options by their dotted names, to name the ones that differ."""
    if isinstance(tree, dict):
        items = tree.items()
    elif isinstance(tree, list | tuple) and any(isinstance(x, dict) for x in tree):
        items = enumerate(tree)
    else:
        return {prefix: tree}
    leaves = {}
    for key, value in items:
        leaves |= flat(value, f"{prefix}.{key}" if prefix else str(key))
    return leaves


ABSENT = "absent"


def differences(there: dict, here: dict) -> str:
    """What differs between two tasks, in words: `seed 1 there, 2 here`."""
    old, new = flat(there), flat(here)
    names = [
        name for name in old | new if old.get(name, ABSENT) != new.get(name, ABSENT)
    ]
    words = [
        f"{name} {value_words(old.get(name, ABSENT))} there, "
        f"{value_words(new.get(name, ABSENT))} here"
        for name in names[:4]
    ]
    if len(names) > 4:
        words.append(f"and {len(names) - 4} more")
    return "; ".join(words)


def gaps(present: list[Span], wanted: int, part_size: int) -> list[Span]:
    """What 0 <= index < `wanted` lacks, cut where parts end."""
    lacking, reached = [], 0
    for span in [*present, Span(wanted, wanted)]:
        stop = min(span.start, wanted)
        while reached < stop:
            part_end = (reached // part_size + 1) * part_size
            lacking.append(Span(reached, min(part_end, stop)))
            reached = lacking[-1].stop
        reached = max(reached, span.stop)
    return lacking


class FileWriter:
    """One table's file while it is being written, under a temporary name."""

    def __init__(self, folder: Path, start: int, task_id: str, table: Table):
        self.folder, self.table = folder, table
        self.temporary = folder / f"{table.prefix}-{start:012d}.parquet.tmp"
        metadata = {**table.schema.metadata, TASK_KEY: task_id.encode()}
        self.schema = table.schema.with_metadata(metadata)
        self.file = self.temporary.open("wb")
        with self.cleaning_up():
            self.writer = pq.ParquetWriter(self.file, self.schema, **encoding(table))

    def write(self, columns: Columns) -> None:
        """Append rows as one row group."""
        arrays = [
            pa.array(np.ascontiguousarray(columns[name])) for name in self.schema.names
        ]
        batch = pa.RecordBatch.from_arrays(arrays, schema=self.schema)
        with self.cleaning_up():
            self.writer.write_batch(batch)

    def close(self) -> None:
        """Everything is on the disk, under the temporary name still."""
        with self.cleaning_up():
            self.writer.close()
            self.file.flush()
            os.fsync(self.file.fileno())
            self.file.close()

    def rename(self, span: Span) -> None:
        """Make the file visible under its final name."""
        with self.cleaning_up():
            self.temporary.replace(self.folder / part_name(span, self.table))

    def discard(self) -> None:
        """Leave nothing of an unfinished file."""
        # An open Parquet writer writes its footer when it is collected: too late then.
        if hasattr(self, "writer"):
            self.writer.is_open = False
        # Closing flushes, which a full disk refuses again; the file goes anyway.
        with suppress(OSError):
            self.file.close()
        remove(self.temporary)

    @contextmanager
    def cleaning_up(self) -> Iterator[None]:
        with whole_or_absent(self.temporary):
            try:
                yield
            except BaseException:
                self.discard()
                raise


class PartWriter:
    """One part while it is being written: row groups in order, then `finish`.

    Whatever fails on the way, nothing is left behind that counts.
    """

    def __init__(self, folder: Path, start: int, task_id: str, kind: Kind = DEALS):
        self.span = Span(start, start)
        self.files: list[FileWriter] = []
        with self.cleaning_up():
            for table in kind.tables:
                self.files.append(FileWriter(folder, start, task_id, table))

    def write(self, tables: Sequence[Columns], units: int) -> None:
        """Append the rows of the next units, the columns of each table."""
        with self.cleaning_up():
            for file, columns in zip(self.files, tables, strict=True):
                file.write(columns)
        self.span = Span(self.span.start, self.span.stop + units)

    def finish(self) -> None:
        """Make the part visible, whole: the file that makes it count comes last."""
        with self.cleaning_up():
            for file in self.files:
                file.close()
            for file in self.files:
                file.rename(self.span)

    def discard(self) -> None:
        """Leave nothing of an unfinished part."""
        for file in self.files:
            file.discard()

    @contextmanager
    def cleaning_up(self) -> Iterator[None]:
        try:
            yield
        except BaseException:
            self.discard()
            raise


class Store:
    """The folder of one run; knows which deals it holds."""

    def __init__(self, folder: Path, task: "Task"):
        self.folder, self.task, self.id = folder, task, task.id()
        self.kind = task.kind

    # --- task.json ------------------------------------------------------------------

    def document(self) -> dict:
        """`task.json` as stored, or a new one."""
        path = self.folder / TASK_FILE
        if not path.exists():
            return {
                "format": TASK_FORMAT,
                "id": self.id,
                "deals": 0,
                "task": self.task.to_dict(),
                "sessions": [],
            }
        return read_document(self.folder)

    def save(self, document: dict) -> None:
        text = json.dumps(document, indent=1, ensure_ascii=False)
        write_whole(self.folder / TASK_FILE, text + "\n")

    # --- the folder -----------------------------------------------------------------

    @contextmanager
    def opened(self) -> Iterator["Store"]:
        """Make or check the folder, and keep other runs out of it meanwhile."""
        self.check_folder()
        self.folder.mkdir(parents=True, exist_ok=True)
        with locked(self.folder):
            self.sweep()
            if not (self.folder / TASK_FILE).exists():
                self.save(self.document())
            yield self

    def sweep(self) -> None:
        """Remove what a run that was killed outright has left and does not count."""
        for leftover in self.folder.glob("*.tmp"):
            leftover.unlink()
        *others, last = self.kind.tables
        for table in others:
            for path in self.folder.glob(f"{table.prefix}-*.parquet"):
                counting = path.name.replace(table.prefix, last.prefix, 1)
                # Whatever else lies there is somebody's own.
                if PART_NAME.fullmatch(path.name) and not (
                    path.with_name(counting).exists()
                ):
                    path.unlink()

    def check_folder(self) -> None:
        """Refuse a folder which holds anything but this task."""
        if not self.folder.exists():
            return
        if not self.folder.is_dir():
            raise StoreError(f"{self.folder} is a file; name a folder with -o")
        if (self.folder / TASK_FILE).exists():
            document = read_document(self.folder)
            if document["id"] != self.id:
                what = differences(document["task"], self.task.to_dict())
                raise StoreError(
                    f"{self.folder} holds another task ({what or 'its id differs'}); "
                    "choose another folder with -o"
                )
            return
        others = [path.name for path in self.folder.iterdir() if path.suffix != ".tmp"]
        if others:
            raise StoreError(
                f"{self.folder} is not empty and holds no {TASK_FILE} (but "
                f"{sorted(others)[0]}); choose another folder with -o"
            )

    # --- the parts ------------------------------------------------------------------

    def spans(self) -> list[Span]:
        """The spans of the parts present, checked, in order."""
        return [part.span for part in read_parts(self.folder, self.id, self.kind)]

    def deals(self, spans: Sequence[Span]) -> int:
        """How many deals the parts of some spans hold: by themselves, or in matches."""
        table = self.kind.tables[0]
        if table.dense:
            return sum(span.deals for span in spans)
        paths = (self.folder / part_name(span, table) for span in spans)
        return sum(pq.read_metadata(path).num_rows for path in paths)

    def part(self, start: int) -> PartWriter:
        """Begin the part whose first unit is `start`."""
        return PartWriter(self.folder, start, self.id, self.kind)


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Keep a second run out of the folder; released when the process ends, too."""
    if fcntl is None:
        yield
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise StoreError(
                f"another run is writing to {folder}; wait for it to end"
            ) from error
        yield
    finally:
        os.close(handle)
