"""The Parquet files of one part, while they are written: whole in the end, or absent.

What a part's files hold, to the byte, depends on its rows alone: rows are cut into row
groups of one size, whatever pieces they come in. So two writers of the same part, with
the same library versions, write the same files, and either may come last.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from sim.parts import (
    STORED_TASK_KEY,
    TASK_KEY,
    Part,
    Span,
    beside,
    damaged,
    open_parquet,
    part_name,
    unreadable,
)
from sim.places import Place, disk_told, draft
from sim.schema import DEALS, Kind, Table
from sim.seal import SEALED_KEY, SealedFile

# What one table's rows of some units are written from: an array for each column.
Columns = Mapping[str, np.ndarray]

# What a file's metadata say of the task: its id, and itself.
Keys = Mapping[bytes, bytes]


def encoding(table: Table) -> dict[str, Any]:
    """How a table's columns are written.

    Parquet stores a byte as four; split into streams of first, second, ... bytes
    three of them are all but empty, and the first is what zstd sees. Measured on rows
    of deals, one core, in bytes and processor time a deal: 7.5 bytes, 147 ns to
    write; deltas, with dictionaries for points: 8.9 bytes, 205 ns; dictionaries
    everywhere: 7.3 bytes, 332 ns. Counting reads streams 15 % faster than deltas.
    The index goes up by one, which deltas tell in next to nothing.
    """
    others = [name for name in table.schema.names if name != table.index]
    return {
        "use_dictionary": False,
        "column_encoding": {
            table.index: "DELTA_BINARY_PACKED",
            **dict.fromkeys(others, "BYTE_STREAM_SPLIT"),
        },
        "compression": "zstd",
        "compression_level": 1,
        "write_statistics": [table.index],
        "write_page_checksum": True,  # verified by who reads rows: +0.01 bytes a deal
    }


class FileWriter:
    """One table's file while it is being written; a `Draft` until it is published."""

    def __init__(self, folder: Place, start: int, keys: Keys, table: Table):
        self.folder, self.table = folder, table
        metadata = {**table.schema.metadata, TASK_KEY: keys[TASK_KEY]}
        self.schema = table.schema.with_metadata(metadata)
        with disk_told(folder):
            self.draft = draft(folder, f"{table.prefix}-{start:012d}.parquet")
        self.sealed = SealedFile(self.draft.file)
        with self.cleaning_up():
            self.writer = pq.ParquetWriter(self.sealed, self.schema, **encoding(table))
            # The task is not among the schema's metadata: those are written twice.
            stored = {STORED_TASK_KEY: keys[STORED_TASK_KEY], SEALED_KEY: b"1"}
            self.writer.add_key_value_metadata(stored)

    def write(self, columns: Columns) -> None:
        """Append rows as one row group."""
        arrays = [
            pa.array(np.ascontiguousarray(columns[name])) for name in self.schema.names
        ]
        batch = pa.RecordBatch.from_arrays(arrays, schema=self.schema)
        with self.cleaning_up():
            self.writer.write_batch(batch)

    def close(self) -> None:
        """The file is complete, and not yet to be seen."""
        with self.cleaning_up():
            self.sealed.hold()
            self.writer.close()
            self.sealed.seal()
            self.draft.close()

    def publish(self, span: Span) -> None:
        """Make the file visible under its final name."""
        with self.cleaning_up():
            self.draft.publish(part_name(span, self.table))

    def discard(self) -> None:
        """Leave nothing of an unfinished file."""
        # An open Parquet writer writes its footer when it is collected: too late then.
        if hasattr(self, "writer"):
            self.writer.is_open = False
        self.draft.discard()

    @contextmanager
    def cleaning_up(self) -> Iterator[None]:
        with disk_told(self.folder):
            try:
                yield
            except BaseException:
                self.discard()
                raise


class PartWriter:
    """One part while it is being written: rows in order, then `finish`.

    Whatever fails on the way, nothing is left behind that counts. With `shorter`, a
    part that begins where this one does, its rows come first; it goes once this one is
    there. Until then a reader finds two, and counts the longer.
    """

    def __init__(
        self,
        folder: Place,
        start: int,
        keys: Keys,
        kind: Kind = DEALS,
        shorter: Part | None = None,
    ):
        self.kind, self.shorter = kind, shorter
        self.span = Span(start, start)
        self.waiting: list[Sequence[Columns]] = []  # for their row group to be full
        self.grouped = start  # units before it are in a row group
        self.files: list[FileWriter] = []
        with self.cleaning_up():
            for table in kind.tables:
                self.files.append(FileWriter(folder, start, keys, table))
            if shorter is not None:
                with disk_told(folder):
                    for units, tables in stored_rows(shorter, kind):
                        self.write(tables, units)

    def write(self, tables: Sequence[Columns], units: int) -> None:
        """Append the rows of the next units, the columns of each table."""
        self.span = Span(self.span.start, self.span.stop + units)
        with self.cleaning_up():
            while (end := self.grouped + self.kind.group_size) <= self.span.stop:
                before, tables = self.cut(tables, end)
                self.waiting.append(before)
                self.write_group(end)
        if self.span.stop > self.grouped:
            self.waiting.append(tables)

    def cut(
        self, tables: Sequence[Columns], end: int
    ) -> tuple[Sequence[Columns], Sequence[Columns]]:
        """The rows of the units before `end`, and the others."""
        before, after = [], []
        for table, columns in zip(self.kind.tables, tables, strict=True):
            place = int(np.searchsorted(columns[table.index], end))
            before.append({name: rows[:place] for name, rows in columns.items()})
            after.append({name: rows[place:] for name, rows in columns.items()})
        return before, after

    def write_group(self, end: int) -> None:
        """Write what waits as one row group of each file."""
        for number, file in enumerate(self.files):
            pieces = [tables[number] for tables in self.waiting]
            names = pieces[0] if len(pieces) > 1 else ()
            joined = {
                name: np.concatenate([piece[name] for piece in pieces])
                for name in names
            }
            file.write(joined or pieces[0])
        self.waiting, self.grouped = [], end

    def finish(self) -> None:
        """Make the part visible, whole: the file that makes it count comes last."""
        with self.cleaning_up():
            if self.waiting:
                self.write_group(self.span.stop)
            for file in self.files:
                file.close()
            for file in self.files:
                file.publish(self.span)
        if self.shorter is not None and self.shorter.span != self.span:
            delete_part(self.shorter, self.kind)

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


def delete_part(part: Part, kind: Kind) -> None:
    """Remove a part's files: first the one that makes it count."""
    for table in reversed(kind.tables):
        beside(part, table).unlink(missing_ok=True)


def stored_rows(part: Part, kind: Kind) -> Iterator[tuple[int, Sequence[Columns]]]:
    """The rows of a part, a row group at a time: how many units, and their columns."""
    paths = [beside(part, table) for table in kind.tables]
    reached = part.span.start
    try:
        with ExitStack() as opened:
            files = [opened.enter_context(open_parquet(path)) for path in paths]
            for number in range(files[-1].num_row_groups):
                tables = [columns_of(file, number) for file in files]
                units = len(tables[-1][kind.tables[-1].index])  # of a dense table
                for table, columns in zip(kind.tables, tables, strict=True):
                    rows = columns[table.index]
                    if rows[0] != reached or rows[-1] != reached + units - 1:
                        raise damaged(part.path, kind.unit)
                reached += units
                yield units, tables
    except (pa.ArrowException, OSError) as error:
        raise unreadable(part.path, kind.unit, error) from error


def columns_of(file: pq.ParquetFile, group: int) -> Columns:
    """The columns of one row group."""
    rows = file.read_row_group(group)
    return {name: rows[name].to_numpy() for name in rows.column_names}
