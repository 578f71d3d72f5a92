"""Counts the deals of blocks into histograms, adds summaries up, and writes them.

A block is counted in the thread that played it; a part's summary is the sum of its
blocks', and the file of ten parts the sum of theirs. Sums of whole numbers in one fixed
order: what a file holds, to the byte, depends on its deals alone.
"""

import io
from collections.abc import Mapping, Sequence

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from kernels.tally import add_up, refine
from sim.histograms import (
    BOTTOM,
    COUNTED,
    DEALS_COLUMN,
    HISTOGRAMS,
    NAME,
    RESULT,
    SPAN_KEY,
    SUMMARIES,
    SUMMARY_SCHEMA,
    SUMMARY_TABLE,
    Histogram,
    one_of,
    span_words,
)
from sim.part_files import Keys, delete_part
from sim.parts import (
    STORED_TASK_KEY,
    TASK_KEY,
    Part,
    Span,
    damaged,
    open_parquet,
    part_name,
    unreadable,
)
from sim.places import Place, disk_told, write_whole
from sim.seal import SEALED_KEY, SealedFile

# Of every histogram, in their order.
Summary = Sequence[Histogram]


class Numbering:
    """Combinations of columns numbered one column at a time."""

    def __init__(self, size: int):
        self.numbers = np.zeros(size, np.int32)
        self.count = min(size, 1)
        self.first = np.zeros(size, np.int32)  # place of each number's first deal

    def refined(self, columns: Sequence[np.ndarray]) -> "Numbering":
        """The same, some more columns told apart."""
        finer = Numbering(len(self.numbers))
        numbers, count = self.numbers, self.count
        for values in columns:
            count = refine(numbers, count, values, finer.first, finer.numbers)
            numbers = finer.numbers
        finer.count = int(count)
        return finer

    def histogram(self, columns: Sequence[np.ndarray], deals: np.ndarray) -> Histogram:
        """How many deals each combination of these columns had."""
        first = self.first[: self.count]
        told = np.zeros(self.count, np.int64)
        add_up(self.numbers, deals, told)
        return Histogram(np.stack([values[first] for values in columns]), told)


def summary_of(rows: Mapping[str, np.ndarray]) -> Summary:
    """The histograms of a block's deals, an array of rows for each column."""
    columns = {name: rows[name].astype(np.int32) for name in COUNTED}
    size = len(columns[RESULT[0]])
    once = np.ones(size, np.int64)
    result = Numbering(size).refined([columns[name] for name in RESULT])
    more = BOTTOM[len(RESULT) :]
    bottom = result.refined([columns[name] for name in more])
    counted = []
    for told in HISTOGRAMS.values():
        if told[: len(BOTTOM)] == BOTTOM:
            known, base = bottom, BOTTOM
        else:
            known, base = result, RESULT
        finer = known.refined([columns[name] for name in told[len(base) :]])
        counted.append(finer.histogram([columns[name] for name in told], once))
    return counted


def added(summaries: Sequence[Summary]) -> Summary:
    """The sum of several summaries."""
    sums = []
    for histograms in zip(*summaries, strict=True):
        values = np.concatenate([it.values for it in histograms], axis=1)
        deals = np.concatenate([it.deals for it in histograms])
        numbering = Numbering(len(deals)).refined(list(values))
        sums.append(numbering.histogram(list(values), deals))
    return sums


def as_file(summary: Summary, span: Span, keys: Keys) -> bytes:
    """A summary as its Parquet file holds it."""
    metadata = {
        **SUMMARY_SCHEMA.metadata,
        TASK_KEY: keys[TASK_KEY],
        SPAN_KEY: span_words(*span),
    }
    schema = SUMMARY_SCHEMA.with_metadata(metadata)
    sink = io.BytesIO()
    sealed = SealedFile(sink)
    writer = pq.ParquetWriter(
        sealed,
        schema,
        use_dictionary=[name for name in schema.names if name != DEALS_COLUMN],
        compression="zstd",
        compression_level=3,
        write_statistics=False,
        write_page_checksum=True,
    )
    stored = {STORED_TASK_KEY: keys[STORED_TASK_KEY], SEALED_KEY: b"1"}
    writer.add_key_value_metadata(stored)
    told = pa.concat_tables(
        rows_of(name, histogram)
        for name, histogram in zip(HISTOGRAMS, summary, strict=True)
    )
    writer.write_table(told, row_group_size=len(told) + 1)  # one, however many
    sealed.hold()
    writer.close()
    sealed.seal()
    return sink.getvalue()


def rows_of(name: str, histogram: Histogram) -> pa.Table:
    """A histogram's combinations as rows, in ascending order."""
    order = np.lexsort(histogram.values[::-1])
    size = len(order)
    columns = {
        NAME: pa.repeat(name, size),
        DEALS_COLUMN: pa.array(histogram.deals[order]),
    }
    for column, values in zip(HISTOGRAMS[name], histogram.values, strict=True):
        columns[column] = pa.array(values[order])
    arrays = [
        columns.get(field.name, pa.nulls(size, field.type)) for field in SUMMARY_SCHEMA
    ]
    return pa.Table.from_arrays(arrays, schema=SUMMARY_SCHEMA)


def read_summary(part: Part) -> Summary:
    """The histograms of a part's file, checked to count each of its deals once."""
    summary = []
    try:
        with open_parquet(part.path) as file:
            rows = file.read()
        for name, told in HISTOGRAMS.items():
            table = one_of(rows, name)
            values = np.stack([table[column].to_numpy() for column in told])
            summary.append(Histogram(values, table[DEALS_COLUMN].to_numpy()))
    except (pa.ArrowException, OSError, ValueError) as error:
        raise unreadable(part.path, SUMMARIES.unit, error) from error
    if any(it.deals.sum() != part.span.deals for it in summary):
        raise damaged(part.path, SUMMARIES.unit)
    return summary


def write_summary(folder: Place, summary: Summary, span: Span, keys: Keys) -> Part:
    """Put a summary's file in its place, whole."""
    name = part_name(span, SUMMARY_TABLE)
    write_whole(folder / name, as_file(summary, span, keys))
    return Part(span, folder / name)


class SummaryWriter:
    """One part's summary while it is being counted; stands in for a `PartWriter`.

    With `shorter`, a part that begins where this one does, its counts are the first; it
    goes once this one is there.
    """

    def __init__(
        self, folder: Place, start: int, keys: Keys, shorter: Part | None = None
    ):
        self.folder, self.keys, self.shorter = folder, keys, shorter
        self.span = Span(start, start)
        self.waiting: list[Summary] = []
        if shorter is not None:
            with disk_told(folder):
                self.write((read_summary(shorter),), shorter.span.deals)

    def write(self, tables: Sequence[Summary], units: int) -> None:
        """Add the counts of the next deals."""
        self.waiting.append(tables[0])
        self.span = Span(self.span.start, self.span.stop + units)

    def finish(self) -> None:
        """Make the part visible, whole."""
        write_summary(self.folder, added(self.waiting), self.span, self.keys)
        if self.shorter is not None and self.shorter.span != self.span:
            delete_part(self.shorter, SUMMARIES)

    def discard(self) -> None:
        """Nothing is on the disk before all is."""
        self.waiting = []


def merge_parts(folder: Place, parts: Sequence[Part], keys: Keys) -> None:
    """Make one file of the files of ten parts, and of ten such files again.

    A file goes only when the one that holds its counts is there; while both are, the
    longer counts (`sim.parts.superseded`).
    """
    parts = list(parts)
    size = SUMMARIES.part_size * SUMMARIES.merged
    while parts and size <= parts[-1].span.stop:
        for start in sorted({part.span.start // size * size for part in parts}):
            span = Span(start, start + size)
            inside = [part for part in parts if is_inside(part.span, span)]
            if len(inside) < 2 or sum(it.span.deals for it in inside) != size:
                continue
            with disk_told(folder):
                sums = added([read_summary(part) for part in inside])
            merged = write_summary(folder, sums, span, keys)
            for part in inside:
                delete_part(part, SUMMARIES)
            parts = sorted([merged, *(part for part in parts if part not in inside)])
        size *= SUMMARIES.merged


def is_inside(inner: Span, outer: Span) -> bool:
    """Whether all deals of the first are among those of the second."""
    return outer.start <= inner.start and inner.stop <= outer.stop
