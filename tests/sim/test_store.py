"""Parts are whole or absent, and what a folder holds is checked, never assumed."""

import errno
import json
import shutil

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from stand_in import rows_of

from sim import parts as parts_module
from sim import store as store_module
from sim.driver import columns_of
from sim.parts import identity_hash
from sim.schema import COLUMNS, DEAL_SCHEMA, DEALS, SCHEMA_VERSION
from sim.store import PartWriter, Span, Store, StoreError, differences, gaps


class Marked:
    """A task as the store knows it: an id, and what to write in task.json."""

    def __init__(self, **settings):
        common = {"level": 2, "rules": {"decks": 2}, "schema_version": SCHEMA_VERSION}
        self.settings = {"seed": 1, **common, **settings}

    kind = DEALS._replace(group_size=500)

    def id(self) -> str:
        return identity_hash(self.settings)

    def to_dict(self) -> dict:
        return self.settings


PART_DEALS = DEALS.part_size
ROWS = rows_of(1, 3000)


def write(part: PartWriter, rows: np.ndarray) -> None:
    part.write((columns_of(rows),), len(rows))


def save(store: Store, start: int, stop: int, pieces: int = 1) -> None:
    part = store.part(start)
    for rows in np.array_split(ROWS[start:stop], pieces):
        write(part, rows)
    part.finish()


@pytest.fixture
def store(tmp_path):
    with Store(tmp_path / "run", Marked()).opened() as store:
        yield store


def names(store: Store) -> list[str]:
    return sorted(path.name for path in store.folder.iterdir())


def test_rows_come_back_as_they_were(store):
    save(store, 0, 1000, pieces=3)
    save(store, 1000, 3000)
    assert store.spans() == [Span(0, 1000), Span(1000, 3000)]
    table = pa.concat_tables(pq.read_table(path) for path in part_paths(store))
    assert table.schema.equals(DEAL_SCHEMA)
    for column in COLUMNS:
        assert np.array_equal(table[column.name].to_numpy(), ROWS[column.name])


def part_paths(store: Store):
    return sorted(store.folder.glob("*.parquet"))


def test_columns_carry_their_meaning(store):
    save(store, 0, 10)
    schema = pq.read_schema(part_paths(store)[0])
    assert schema.metadata[b"task_id"].decode() == store.id
    assert schema.metadata[b"schema_version"] == b"2"
    for column in COLUMNS:
        facts = schema.field(column.name).metadata
        assert facts[b"meaning"].decode() == column.meaning


@pytest.mark.parametrize(
    ("present", "deals", "want"),
    [
        ([], 5, [(0, 5)]),
        ([(0, 5)], 5, []),
        ([(0, 9)], 5, []),
        ([(0, 5)], 7, [(5, 7)]),
        ([(2, 3), (4, 6)], 8, [(0, 2), (3, 4), (6, 8)]),
        ([(7, 9)], 5, [(0, 5)]),
        ([], PART_DEALS + 1, [(0, PART_DEALS), (PART_DEALS, PART_DEALS + 1)]),
        (
            [(0, 10)],
            2 * PART_DEALS,
            [(10, PART_DEALS), (PART_DEALS, 2 * PART_DEALS)],
        ),
    ],
)
def test_gaps(present, deals, want):
    assert gaps([Span(*span) for span in present], deals, PART_DEALS) == [
        Span(*span) for span in want
    ]


def test_a_discarded_part_leaves_nothing(store):
    part = store.part(0)
    write(part, ROWS[:100])
    part.discard()
    assert names(store) == ["task.json"]


@pytest.mark.parametrize("error", [errno.ENOSPC, errno.EDQUOT, errno.EFBIG])
@pytest.mark.parametrize("step", ["write", "finish"])
def test_a_full_disk_leaves_nothing_half_written(store, monkeypatch, error, step):
    save(store, 0, 1000)
    part = store.part(1000)
    write(part, ROWS[1000:2000])

    def refuse(*_):
        raise OSError(error, "no room")

    monkeypatch.setattr(store_module.os, "fsync", refuse)
    monkeypatch.setattr(part.files[0].writer, "write_batch", refuse)
    with pytest.raises(StoreError, match="no room on the disk"):
        write(part, ROWS[2000:]) if step == "write" else part.finish()
    monkeypatch.undo()
    assert store.spans() == [Span(0, 1000)]
    assert names(store) == [part_paths(store)[0].name, "task.json"]


def test_another_error_of_the_disk_is_not_hidden(store, monkeypatch):
    part = store.part(0)

    def refuse(*_):
        raise OSError(errno.EIO, "broken")

    monkeypatch.setattr(part.files[0].writer, "write_batch", refuse)
    with pytest.raises(OSError, match="broken"):
        write(part, ROWS[:500])
    assert names(store) == ["task.json"]


def test_leftovers_of_a_killed_run_are_removed(tmp_path):
    folder = tmp_path / "run"
    folder.mkdir()
    (folder / "part-000000000000.parquet.tmp").write_bytes(b"half")
    with Store(folder, Marked()).opened() as store:
        assert names(store) == ["task.json"]


def test_a_truncated_part(store):
    save(store, 0, 1000)
    path = part_paths(store)[0]
    path.write_bytes(path.read_bytes()[:-100])
    with pytest.raises(StoreError, match=rf"{path.name} is truncated .* delete it"):
        store.spans()


def test_an_empty_part(store):
    save(store, 0, 1000)
    part_paths(store)[0].write_bytes(b"")
    with pytest.raises(StoreError, match="is truncated"):
        store.spans()


def test_a_part_of_another_task(store, tmp_path):
    with Store(tmp_path / "other", Marked(seed=2)).opened() as other:
        save(other, 0, 1000)
        shutil.copy(part_paths(other)[0], store.folder)
    with pytest.raises(StoreError, match="belongs to another task"):
        store.spans()


def test_a_parquet_file_of_something_else(store):
    path = store.folder / "part-000000000000-000000000002.parquet"
    pq.write_table(pa.table({"x": [1, 2]}), path)
    with pytest.raises(StoreError, match="belongs to another task"):
        store.spans()


def test_a_parquet_file_with_a_name_of_its_own(store):
    pq.write_table(pa.table({"x": [1, 2]}), store.folder / "mine.parquet")
    with pytest.raises(StoreError, match=r"mine.parquet is not a part of this run"):
        store.spans()


def test_a_part_under_a_wrong_name(store):
    save(store, 0, 1000)
    path = part_paths(store)[0]
    path.rename(path.with_name("part-000000001000-000000002000.parquet"))
    with pytest.raises(StoreError, match="does not hold the deals that its name says"):
        store.spans()


def test_what_a_part_holds_depends_on_its_rows_alone(store, tmp_path):
    """Whatever pieces the rows come in; equal to the byte, so that two may write it."""
    save(store, 0, 2999)
    (path,) = part_paths(store)
    whole = path.read_bytes()
    groups = pq.ParquetFile(path).metadata
    sizes = [groups.row_group(n).num_rows for n in range(groups.num_row_groups)]
    assert sizes == [500, 500, 500, 500, 500, 499]
    for pieces in (2, 3, 7, 2999):
        with Store(tmp_path / str(pieces), Marked()).opened() as other:
            save(other, 0, 2999, pieces)
            assert part_paths(other)[0].read_bytes() == whole


def test_two_writers_of_the_same_part_do_no_harm(store):
    first, second = store.part(0), store.part(0)
    write(first, ROWS[:700])
    write(second, ROWS[:1000])
    write(first, ROWS[700:1000])
    second.finish()
    whole = part_paths(store)[0].read_bytes()
    first.finish()
    assert store.spans() == [Span(0, 1000)]
    assert part_paths(store)[0].read_bytes() == whole
    assert names(store) == [part_paths(store)[0].name, "task.json"]


@pytest.mark.parametrize("stop", [1, 499, 500, 700, 1000])
def test_a_short_part_is_replaced_by_a_longer_one(store, tmp_path, stop):
    save(store, 0, stop, pieces=3)
    (short,) = part_paths(store)
    part = store.part_from(stop, store.spans())
    write(part, ROWS[stop:2000])
    assert part_paths(store) == [short]
    part.finish()
    assert store.spans() == [Span(0, 2000)]
    (path,) = part_paths(store)
    with Store(tmp_path / "at once", Marked()).opened() as other:
        save(other, 0, 2000)
        assert part_paths(other)[0].read_bytes() == path.read_bytes()


def test_while_a_short_part_and_the_longer_one_are_there_the_longer_counts(store):
    save(store, 0, 700)
    save(store, 0, 2000)
    save(store, 0, 900)
    save(store, 2000, 3000)
    assert store.spans() == [Span(0, 2000), Span(2000, 3000)]
    store.sweep()
    assert [part.name for part in part_paths(store)] == [
        store_module.part_name(span) for span in store.spans()
    ]


def test_a_short_part_stays_while_the_longer_one_is_damaged(store):
    save(store, 0, 700)
    save(store, 0, 2000)
    short, path = part_paths(store)
    path.write_bytes(path.read_bytes()[:-100])
    with pytest.raises(StoreError, match=rf"{path.name} is truncated"):
        store.sweep()
    assert part_paths(store) == [short, path]


def test_a_damaged_short_part_is_not_carried_on(store):
    save(store, 0, 700)
    (path,) = part_paths(store)
    held = bytearray(path.read_bytes())
    held[len(held) // 3] ^= 1
    path.write_bytes(held)
    with pytest.raises(StoreError, match=rf"{path.name} is truncated or damaged"):
        store.part_from(700, store.spans())
    assert names(store) == [path.name, "task.json"]


def test_parts_that_older_versions_cut_elsewhere_are_left_as_they_are(store):
    save(store, 0, 700)
    save(store, 700, 1000)
    part = store.part_from(1000, store.spans())
    write(part, ROWS[1000:1500])
    part.finish()
    assert store.spans() == [Span(0, 700), Span(700, 1000), Span(1000, 1500)]


def test_a_part_that_is_replaced_while_a_reader_looks(store, monkeypatch):
    save(store, 0, 700)
    check, looks = parts_module.check_part, []

    def replaced_meanwhile(path, *words):
        if not looks:
            part = store.part_from(700, [Span(0, 700)])
            write(part, ROWS[700:1000])
            part.finish()
        looks.append(path)
        return check(path, *words)

    monkeypatch.setattr(parts_module, "check_part", replaced_meanwhile)
    assert store.spans() == [Span(0, 1000)]
    assert len(looks) == 2


def test_overlapping_parts(store):
    save(store, 0, 1000)
    save(store, 900, 2000)
    with pytest.raises(StoreError, match=r"overlaps .* delete one of the two"):
        store.spans()


def test_the_folder_of_another_task(store):
    other = Store(store.folder, Marked(seed=2, rules={"decks": 3}))
    with pytest.raises(
        StoreError, match=r"seed 1 there, 2 here; rules.decks 2 there, 3 here"
    ):
        other.check_folder()


def test_a_folder_with_other_things(tmp_path):
    (tmp_path / "letter.txt").write_text("dear")
    with (
        pytest.raises(StoreError, match=r"is not empty .*letter.txt"),
        Store(tmp_path, Marked()).opened(),
    ):
        pass
    assert [path.name for path in tmp_path.iterdir()] == ["letter.txt"]


def test_a_file_in_place_of_the_folder(tmp_path):
    path = tmp_path / "run"
    path.write_text("dear")
    with pytest.raises(StoreError, match="is a file"):
        Store(path, Marked()).check_folder()


@pytest.mark.parametrize("text", ["", "{", "[]", '{"id": 1}', '"x"'])
def test_a_damaged_task_file(store, text):
    (store.folder / "task.json").write_text(text)
    with pytest.raises(StoreError, match="is not a task that shengji wrote"):
        store.check_folder()


def test_a_deal_takes_few_bytes(store):
    store.kind = DEALS
    save(store, 0, 3000)
    assert part_paths(store)[0].stat().st_size / 3000 < 14


def edit(folder, change) -> None:
    path = folder / "task.json"
    document = json.loads(path.read_text("utf-8"))
    change(document)
    path.write_text(json.dumps(document), "utf-8")


EDITS = {
    "another seed": (lambda it: it["task"].update(seed=7), "was edited: its id"),
    "a seed of another type": (lambda it: it["task"].update(seed=1.0), "was edited"),
    "another level": (lambda it: it["task"].update(level="all"), "was edited"),
    "an option": (lambda it: it["task"]["rules"].update(decks=3), "was edited"),
    "a key left out": (lambda it: it["task"].pop("level"), "was edited"),
    "another id": (lambda it: it.update(id="0" * 64), "was edited"),
    "a format to come": (lambda it: it.update(format="shengji-task/2"), "format 'sh"),
    "a format of another type": (lambda it: it.update(format=[1]), "is of format"),
    "columns to come": (
        lambda it: it["task"].update(schema_version=99),
        "columns of version 99; this program reads version 2",
    ),
    "no format": (lambda it: it.pop("format"), "is not a task"),
    "an id of another type": (lambda it: it.update(id=1), "is not a task"),
    "deals of another type": (lambda it: it.update(deals="9"), "is not a task"),
    "sessions of another type": (lambda it: it.update(sessions={}), "is not a task"),
    "no task": (lambda it: it.update(task=None), "is not a task"),
}


@pytest.mark.parametrize(("change", "told"), EDITS.values(), ids=EDITS)
def test_an_edited_task_file_is_not_believed(store, change, told):
    edit(store.folder, change)
    with pytest.raises(StoreError, match=told) as caught:
        store.check_folder()
    assert "task.json" in str(caught.value)


def test_the_name_of_the_variant_decides_nothing(store):
    edit(store.folder, lambda it: it["task"].update(variant="my.toml"))
    store.check_folder()


def test_a_folder_in_place_of_the_task_file(store):
    path = store.folder / "task.json"
    path.unlink()
    path.mkdir()
    with pytest.raises(StoreError, match=r"task.json cannot be read: Is a directory"):
        store.check_folder()


def test_two_runs_at_once(store):
    pytest.importorskip("fcntl")
    with (
        pytest.raises(StoreError, match="another run is writing"),
        Store(store.folder, Marked()).opened(),
    ):
        pass


def test_differences_name_every_kind_of_change():
    there = {"a": 1, "b": [1, 2], "c": [{"x": 1}, {"x": 2}], "old": 1}
    here = {"a": 2, "b": [1, 3], "c": [{"x": 1}, {"x": 3}], "new": 1}
    assert differences(there, here) == (
        "a 1 there, 2 here; b [1, 2] there, [1, 3] here; c.1.x 2 there, 3 here; "
        "old 1 there, absent here; and 1 more"
    )


def test_differences_are_told_without_python():
    there = {"policies": ["a", "b"], "on": True, "gone": None}
    here = {"policies": ["a", "a"], "on": False}
    assert differences(there, here) == (
        "policies [a, b] there, [a, a] here; on true there, false here; "
        "gone none there, absent here"
    )
