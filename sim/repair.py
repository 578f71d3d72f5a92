"""Makes a run on disk whole again: plays what is bad or missing, and nothing else.

A deal is a function of the task and its index, so what was lost can be had again. A bad
file is replaced only once its successor is on the disk, by a rename; what is whole, or
is not of this run, stays as it is, and is named where it is in the way.
"""

import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq

from sim.check import Checked, Found, check, span_words
from sim.driver import BlockPlayer, Player, Progress, Silent, ready_blocks
from sim.histograms import SPAN_KEY, SUMMARY_TABLE
from sim.part_files import stored_rows
from sim.parts import (
    SUMMARY,
    TASK_FILE,
    Part,
    Span,
    State,
    StoreError,
    identity_hash,
    part_name,
    read_metadata,
)
from sim.places import Place
from sim.provenance import provenance
from sim.referee.reading import read_json
from sim.schema import Table
from sim.store import Store, gaps, locked
from sim.task import Task

# Of this run, and worth nothing.
WORTHLESS = (State.TRUNCATED, State.CHANGED, State.MISSING, State.LEFTOVER)
COMPARED = {"deals": 1_000, "matches": 20}  # played again and compared before all else


def repair(
    folder: Place,
    *,
    threads: int = 1,
    progress: Progress | None = None,
    player: Player | None = None,
) -> list[str]:
    """Make a folder whole as far as that can be done; what was done, a line each.

    `player` replaces the compiled game.
    """
    done: list[str] = []
    checked = check(folder)
    if not checked.bad:
        return done
    with locked(folder):
        checked = check(folder, busy=False)
        store = Store(folder, task_of(checked), checked.keep)
        restore_task(store, checked.found[0], done)
        if any([rename(store, it, done) for it in checked.found]):
            checked = check(folder, busy=False)
        spans, sessions = list(checked.spans), []
        if lacking := free_gaps(store, checked, done):
            progress = progress or Silent()
            play_span = ready_blocks(store.task, progress, player, store.keep)
            compare(store, spans, play_span)
            session = {**provenance(), "threads": threads, "repaired": []}
            for lack in play(store, lacking, spans, play_span, threads, progress):
                done.append(f"played {span_words(lack, store.kind)}")
                session["repaired"].append(list(lack))
            sessions.append(session)
        remove_worthless(store, checked, spans, done)
        if store.kind.merged > 1 and lacking:
            store.merge_parts()
            spans = store.spans()
        recount(store, spans, sessions, done)
    return done


# --- the task -----------------------------------------------------------------------


def task_of(checked: Checked) -> Task:
    """The task of a folder, if this program plays it as it was played."""
    path, said = checked.folder / TASK_FILE, checked.found[0]
    if checked.task is None:
        raise StoreError(
            f"{path} {said.told}: repeat the command that began the run with another "
            "folder, and move the parts of that run there"
        )
    if said.state in (State.VERSION, State.UNREADABLE):
        raise StoreError(
            f"{path} {said.told}; move it elsewhere and repeat this: a part can "
            "restore it"
        )
    task = Task.from_dict(checked.task)
    if task.id() != identity_hash(checked.task):
        raise StoreError(
            f"{checked.folder} was played by another version of shengji's, which knew "
            "other rules or policies: only that one can repair it"
        )
    return task


def restore_task(store: Store, said: Found, done: list[str]) -> None:
    """Write `task.json` again where it is missing or damaged."""
    if said.state not in (State.MISSING, State.CHANGED):
        return
    document = store.new_document()
    # How the deals came about, as far as that is known.
    with suppress(OSError, ValueError, LookupError, TypeError):
        text = (store.folder / TASK_FILE).read_text("utf-8")
        sessions = read_json(text)["sessions"]
        document["sessions"] = [dict(session) for session in sessions]
    store.save(document)
    done.append(f"restored {TASK_FILE} from a part")


def recount(
    store: Store, spans: Sequence[Span], sessions: Sequence[dict], done: list[str]
) -> None:
    """Let `task.json` tell how much is saved, and what was played for it."""
    document = store.document()
    document["sessions"].extend(sessions)
    if store.recount(spans, document):
        done.append(f"counted in {TASK_FILE} what is saved")
    elif sessions:
        store.save(document)


# --- the parts ----------------------------------------------------------------------


def rename(store: Store, it: Found, done: list[str]) -> bool:
    """Give a whole part the name of what it holds, if that name is free."""
    if it.state != State.MISNAMED:
        return False
    table = next(
        table for table in store.kind.tables if it.name.startswith(f"{table.prefix}-")
    )
    span = span_of(read_metadata(store.folder / it.name), table)
    place = store.folder / part_name(span, table)
    if place.exists():
        return False
    move(store.folder / it.name, place)
    done.append(f"renamed {it.name} to {place.name}, which says what it holds")
    return True


def span_of(metadata: pq.FileMetaData, table: Table) -> Span:
    """What a file holds, whatever its name says."""
    if table is SUMMARY_TABLE:
        return Span(*map(int, metadata.metadata[SPAN_KEY].split(b"-")))
    column = table.schema.get_field_index(table.index)
    groups = [
        metadata.row_group(number).column(column).statistics
        for number in range(metadata.num_row_groups)
    ]
    return Span(groups[0].min, groups[-1].max + 1)


def move(path: Place, to: Place) -> None:
    """Give a file another name; far away that is a copy, and then one less."""
    if isinstance(path, Path):
        path.rename(to)
        return
    to.write_bytes(path.read_bytes())
    path.unlink()


def free_gaps(store: Store, checked: Checked, done: list[str]) -> list[Span]:
    """What whole parts lack, but where a file that is not ours takes the name."""
    states = {it.name: it.state for it in checked.found if it.name}
    free = []
    for gap in gaps(checked.spans, checked.stop, store.kind.part_size):
        names = [
            part_name(Span(block_start(store, gap, checked.spans), gap.stop), table)
            for table in store.kind.tables
        ]
        whole = (*WORTHLESS, State.WHOLE)  # whole: a part's half, which lacks the other
        taken = [name for name in names if states.get(name, State.WHOLE) not in whole]
        if taken:
            done.append(f"left {taken[0]}, which is in the way: move it elsewhere")
        else:
            free.append(gap)
    return free


def block_start(store: Store, gap: Span, present: Sequence[Span]) -> int:
    """Where the part that fills a gap begins: it may make a short one longer."""
    begin = gap.start // store.kind.part_size * store.kind.part_size
    return begin if Span(begin, gap.start) in present else gap.start


def compare(store: Store, spans: Sequence[Span], play_span: BlockPlayer) -> None:
    """Refuse to mix deals: this program must play those that are there as they are.

    Of a summary's deals nothing is known one by one.
    """
    if not spans or store.keep == SUMMARY:
        return
    span, kind = spans[0], store.kind
    part = Part(span, store.folder / part_name(span, kind.tables[-1]))
    units, stored = next(iter(stored_rows(part, kind)))
    number = min(units, COMPARED[kind.unit])
    played = play_span(Span(span.start, span.start + number)).tables
    for table, was, now in zip(kind.tables, stored, played, strict=True):
        rows = len(now[table.index])
        if any(not np.array_equal(was[name][:rows], now[name]) for name in was):
            raise StoreError(
                f"this program plays other {kind.unit} than {part.path} holds: it "
                "would mix them; repair with the version that played them"
            )


def play(
    store: Store,
    lacking: Sequence[Span],
    spans: list[Span],
    play_span: BlockPlayer,
    threads: int,
    progress: Progress,
) -> Iterator[Span]:
    """Play and save each lacking span; `spans` are those of the whole parts."""
    wanted, saved = sum(span.deals for span in lacking), 0
    started, size = time.perf_counter(), store.kind.group_size
    with threads_of(threads) as pool:
        for lack in lacking:
            part = store.part_from(lack.start, spans)
            try:
                starts = range(lack.start, lack.stop, size)
                pieces = [Span(at, min(at + size, lack.stop)) for at in starts]
                for block in pool.map(play_span, pieces):
                    part.write(block.tables, block.span.deals)
                    saved += block.span.deals
                    seconds = time.perf_counter() - started
                    progress.played(saved, wanted, seconds, store.kind.unit)
                part.finish()
            except BaseException:
                part.discard()
                raise
            # It may have made a short part longer.
            spans[:] = [span for span in spans if span.start != part.span.start]
            spans.append(part.span)
            yield lack


@contextmanager
def threads_of(number: int) -> Iterator[ThreadPoolExecutor]:
    """Threads that begin nothing more once this is left."""
    pool = ThreadPoolExecutor(number, thread_name_prefix="deals")
    try:
        yield pool
    finally:
        pool.shutdown(cancel_futures=True)


def remove_worthless(
    store: Store, checked: Checked, spans: Sequence[Span], done: list[str]
) -> None:
    """Remove what does not count, where all that it may have held is in whole parts."""
    kept = {part_name(span, table) for span in spans for table in store.kind.tables}
    for it in checked.found:
        path = store.folder / it.name
        if it.state not in WORTHLESS or it.name in {"", TASK_FILE, *kept}:
            continue
        held = it.span is None or not gaps(
            sorted([*spans, Span(0, it.span.start)]), it.span.stop, it.span.stop
        )
        if held and path.exists():
            path.unlink()
            done.append(f"removed {it.name}, which {it.told}")
