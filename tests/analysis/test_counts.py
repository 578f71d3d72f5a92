"""Counting on any number of threads, against a plain group-by; and how it ends."""

from concurrent.futures import ThreadPoolExecutor
from threading import Event

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from make_run import make_rows, make_run, write_rows

from analysis import counts, load
from analysis.counts import Counts, in_threads
from analysis.load import AnalysisError, count, open_runs
from sim.schema import COLUMNS
from sim.task import make_task

CODED = {"deal_index", *load.CODES}
FREE = [(it.name, it.dtype) for it in COLUMNS if it.name not in CODED]


@pytest.fixture
def threads():
    """Sets how many threads count; puts it back."""
    before = pa.cpu_count()
    yield pa.set_cpu_count
    pa.set_cpu_count(before)


def counted(rows: pd.DataFrame) -> pd.DataFrame:
    """What pandas makes of the same rows."""
    names = list(rows.columns)
    return rows.groupby(names, sort=True).size().rename("deals").reset_index()


@pytest.mark.parametrize("seed", range(4))
def test_any_threads_and_batches_count_as_pandas_does(
    tmp_path, monkeypatch, threads, seed
):
    """Every value that a column's type can hold, a few or many different ones."""
    rng = np.random.default_rng(seed)
    task = make_task(level="all")
    rows = make_rows(task, 1500)
    names = []
    for place in rng.choice(len(FREE), 4, replace=False):
        name, dtype = FREE[place]
        lowest, highest = np.iinfo(dtype).min, np.iinfo(dtype).max
        few = rng.integers(lowest, highest, rng.integers(1, 40), endpoint=True)
        rows[name] = rng.choice(few, len(rows))
        names.append(name)
    names.append("level")
    for part in np.array_split(rows, 7):
        write_rows(tmp_path / "run", task, part)
    run = open_runs(tmp_path / "run")
    want = counted(pd.DataFrame({name: rows[name].astype(np.int64) for name in names}))
    assert len(want) > 1
    for number, batch, fold in (
        (1, 10**6, 10**6),
        (1, 70, 50),
        (3, 70, 50),
        (8, 40, 1),
    ):
        threads(number)
        monkeypatch.setattr(load, "BATCH_ROWS", batch)
        monkeypatch.setattr(counts, "FOLD_ROWS", fold)
        got = count(run, names)
        pd.testing.assert_frame_equal(got, want)


def test_the_first_damaged_part_is_told(tmp_path, threads):
    """Whichever thread was quicker."""
    folder, _ = make_run(tmp_path / "run", 4000, parts=8)
    paths = sorted(folder.glob("part-*.parquet"))
    for path in (paths[5], paths[2]):
        data = bytearray(path.read_bytes())
        data[4:300] = bytes(296)
        path.write_bytes(data)
    for number in (1, 4):
        threads(number)
        with pytest.raises(AnalysisError, match="is damaged") as caught:
            count(open_runs(folder), ["level", "total"])
        assert paths[2].name in str(caught.value)


@pytest.mark.parametrize(("number", "most"), [(1, 100), (2, 100), (4, 50), (64, 12)])
def test_more_threads_hold_no_more_rows(tmp_path, monkeypatch, threads, number, most):
    """However many cores a machine has: rows in memory are bounded altogether."""
    monkeypatch.setattr(load, "BATCH_ROWS", 100)
    monkeypatch.setattr(load, "ALL_BATCHES_ROWS", 200)
    run = open_runs(make_run(tmp_path / "run", 800)[0])
    met, original = [], load.part_batches

    def noted(part, columns, rows):
        for batch in original(part, columns, rows):
            met.append(len(batch))
            yield batch

    monkeypatch.setattr(load, "part_batches", noted)
    threads(number)
    assert count(run, ["level"])["deals"].sum() == 800
    assert max(met) == most
    assert max(met) * min(number, counts.MOST_THREADS) <= 200


def test_progress_is_told_part_by_part(tmp_path):
    folder, _ = make_run(tmp_path / "run", 900, parts=3)
    told = []
    run = open_runs(folder, lambda done, of, seconds: told.append((done, of)))
    count(run, ["level"])
    assert told == [(300, 900), (600, 900), (900, 900)]


def test_few_parts_are_begun_before_their_turn(threads):
    """What is done and not yet added up stays little, however many parts there are."""
    threads(2)
    begun = []
    results = in_threads(lambda part: begun.append(part) or part, list(range(100)))
    assert next(results) == (0, 0)
    assert len(begun) <= 6
    assert [part for part, _ in results] == list(range(1, 100))
    assert sorted(begun) == list(range(100))


def test_an_interrupted_count_begins_no_further_part(threads, monkeypatch):
    threads(1)
    begun, go_on = [], Event()

    class Pool(ThreadPoolExecutor):
        """Whose running part ends once the others are cancelled, or would be."""

        def shutdown(self, wait=True, *, cancel_futures=False):
            super().shutdown(wait=False, cancel_futures=cancel_futures)
            go_on.set()
            super().shutdown()

    def work(part: int) -> int:
        begun.append(part)
        if part:
            go_on.wait(10)
        return part

    monkeypatch.setattr(counts, "ThreadPoolExecutor", Pool)
    results = in_threads(work, list(range(100)))
    assert next(results) == (0, 0)
    with pytest.raises(KeyboardInterrupt):
        results.throw(KeyboardInterrupt)
    assert set(begun) <= {0, 1}


def test_counts_of_a_million_million_deals_keep_every_digit():
    """Sums of counts are exact far beyond 2 ** 53, where floats skip odd numbers."""
    huge = 2**53 + 1
    added = Counts(["level"])
    for deals in (huge, 2, huge):
        columns = {"level": pa.array([2, 3], pa.int8()), "deals": [deals, 1]}
        added.add(pa.table(columns))
    table = added.table().sort_by("level")
    assert table["deals"].to_pylist() == [2 * huge + 2, 3]
