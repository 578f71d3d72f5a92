"""Counts of combinations: gathered by threads, and added up exactly."""

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor

import pyarrow as pa

from sim.parts import Part

MOST_THREADS = 16  # each holds rows of its own in memory
FOLD_ROWS = 500_000  # partial counts held before they are added up


class Counts:
    """Counts of combinations, added up as they come; in bounded memory."""

    def __init__(self, columns: list[str]):
        self.columns = columns
        self.tables: list[pa.Table] = []
        self.rows = 0
        self.most = FOLD_ROWS

    def add(self, counted: pa.Table) -> None:
        """Add a table of the columns and `deals`."""
        self.tables.append(counted)
        self.rows += len(counted)
        if self.rows > self.most:
            self.tables = [self.table()]
            self.rows = len(self.tables[0])
            self.most = max(FOLD_ROWS, 2 * self.rows)  # not again at every table

    def table(self) -> pa.Table:
        """One row a combination."""
        if len(self.tables) == 1:
            return self.tables[0]
        together = pa.concat_tables(self.tables)
        summed = together.group_by(self.columns, use_threads=False)
        summed = summed.aggregate([("deals", "sum")])
        return summed.rename_columns([*self.columns, "deals"])


def thread_count() -> int:
    """How many parts are counted at the same time."""
    return min(pa.cpu_count(), MOST_THREADS)


def in_threads(
    work: Callable[[Part], pa.Table], parts: Sequence[Part]
) -> Iterator[tuple[Part, pa.Table]]:
    """Each part and what `work` makes of it, in their order; on all cores.

    Arrow and numpy release the interpreter while they work. Only a few parts are begun
    before their turn, so that results do not pile up.
    """
    threads = thread_count()
    begun: deque[tuple[Part, Future]] = deque()
    with ThreadPoolExecutor(threads) as pool:
        try:
            for part in parts:
                begun.append((part, pool.submit(work, part)))
                if len(begun) > 2 * threads:
                    first, future = begun.popleft()
                    yield first, future.result()
            while begun:
                first, future = begun.popleft()
                yield first, future.result()
        finally:  # interrupted, or a part is damaged
            pool.shutdown(cancel_futures=True)
