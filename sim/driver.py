"""Plays a task's missing deals in blocks on an executor, and saves them in order.

By default that is threads of this process; or any executor of `concurrent.futures`,
whose workers then play and write whole parts (`sim.jobs`).

The kernel releases the GIL, so plain threads fill the cores. This thread only writes:
it takes the blocks in deal order, so what a part holds does not depend on how many
threads played it or how large the blocks were. At most a few blocks wait to be written,
which bounds the memory whatever the number of deals.
"""

import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import NamedTuple, Protocol

import numpy as np

from sim.interrupts import interrupt_flag, swallowed_in_silence
from sim.jobs import Done, play_parts
from sim.parts import ROWS, SUMMARY, TASK_FILE
from sim.places import Place
from sim.policies.catalog import setting_codes
from sim.progress import duration
from sim.provenance import provenance
from sim.schema import DEAL_DTYPE, DEALS
from sim.store import PartWriter, Span, Store, gaps
from sim.task import Task
from sim.until import All, Until

BLOCK_DEALS = DEALS.group_size
TICK_SECONDS = 1.0


class Progress(Protocol):
    """Who is told how a run goes; `sim.progress` tells people."""

    def compiling(self, seconds: float) -> None:
        """The game is being compiled; called about once a second meanwhile."""

    def played(self, done: int, of: int, seconds: float, unit: str = "deals") -> None:
        """This many of the missing deals (or matches) are saved or being saved."""


class Silent:
    """Progress that nobody follows."""

    def compiling(self, seconds: float) -> None: ...

    def played(
        self, done: int, of: int, seconds: float, unit: str = "deals"
    ) -> None: ...


class Played(NamedTuple):
    """What a call of `play` did."""

    deals: int  # played now; 0: all were there
    seconds: float  # without compiling
    matches: int = 0  # likewise, where whole ones are played

    def sentence(self, folder: Place) -> str:
        """What was done, in words."""
        if not self.deals:
            return f"Nothing to play: {folder} holds these already."
        rate = self.deals / max(self.seconds, 1e-9)
        matches = f"{self.matches:,} matches, " if self.matches else ""
        return (
            f"{matches}{self.deals:,} deals played in {duration(self.seconds)} "
            f"({rate:,.0f} deals/s), saved in {folder}"
        )


class Block(NamedTuple):
    """What one thread plays at a time: the columns of each table of the task's kind."""

    span: Span
    deals: int
    tables: tuple  # of each an array for each column; or a summary of the deals


# (start, rows): fills rows with deals start, start + 1, ...
Player = Callable[[int, np.ndarray], None]
# Plays a span's deals, or matches.
BlockPlayer = Callable[[Span], Block]


def compiled_player(task: Task) -> Player:
    """The jitted game of single deals, bound to the task."""
    from sim.deal_flow import play_block

    codes = task.rules.codes()
    policy_ids, parameters = setting_codes(task.policies)
    level = np.int64(task.level_code)
    seed = np.uint64(task.seed)
    first_deal = bool(task.first_deal)

    def player(start: int, rows: np.ndarray) -> None:
        play_block(
            codes,
            policy_ids,
            parameters,
            level,
            first_deal,
            seed,
            np.int64(start),
            rows,
        )

    return player


def deals_player(player: Player) -> BlockPlayer:
    """Plays blocks of single deals."""

    def play(span: Span) -> Block:
        rows = np.empty(span.deals, DEAL_DTYPE)
        player(span.start, rows)
        return Block(span, span.deals, (columns_of(rows),))

    return play


def matches_player(task: Task) -> BlockPlayer:
    """Plays blocks of whole matches of a task."""
    from sim.match_flow import play_block

    codes = task.rules.codes()
    settings = setting_codes(task.policies)

    def play(span: Span) -> Block:
        told, rows, steps = play_block(
            codes, *settings, task.seed, span.start, span.deals
        )
        deals = {**columns_of(rows), **columns_of(steps)}
        return Block(span, len(rows), (deals, columns_of(told)))

    return play


def columns_of(rows: np.ndarray) -> dict[str, np.ndarray]:
    """The columns of structured rows."""
    return {name: rows[name] for name in rows.dtype.names}


def compiled_mark(task: Task) -> Path | None:
    """The file beside the machine code which says that all is there for such tasks."""
    from kernels.code_cache import keep

    keep.tell_last_resort()
    decks = task.rules.decks
    return keep.folder and keep.folder / f"{task.kind.unit}-of-{decks}-decks.compiled"


def play(
    task: Task,
    folder: Place,
    wanted: int,
    *,
    threads: int = 1,
    block: int | None = None,
    progress: Progress | None = None,
    player: Player | None = None,
    executor: Executor | None = None,
    keep: str = ROWS,
    until: Until | None = None,
) -> Played:
    """Play what the folder lacks of deals 0 <= deal_index < `wanted`, or of matches.

    A KeyboardInterrupt comes out only after the deals played so far are saved, so that
    the same call later goes on from there. A folder that was made for it and got no
    deals goes again. `player` replaces the compiled game. `keep`: rows, or a summary.

    With an `executor`, in place of threads, its workers play parts and write them to
    the folder, which they must share. With `until`, no more are played than it asks
    for, and not more than `wanted`.
    """
    progress = progress or Silent()
    until = until or All()
    with opened(folder, task, keep) as store:
        present = store.spans()
        stages = until.looks(present[-1].stop if present else 0, wanted)
        missing = gaps(present, next(stages), store.kind.part_size)
        if not missing and (until.enough() or not (missing := more(stages, store))):
            store.recount(present)
            return Played(0, 0.0)
        engine = {"threads": threads}
        if executor is not None:
            engine = {"executor": type(executor).__name__}
        session = {**provenance(), **engine, **until.told, "deals": 0, "seconds": 0.0}
        document = store.document()
        document["sessions"].append(session)
        held = {
            "deals": store.deals(present),
            "matches": sum(span.deals for span in present),
        }

        units, deals, lacking = 0, 0, 0

        def note(more_units: int, more_deals: int) -> None:
            nonlocal units, deals
            units += more_units
            deals += more_deals
            progress.played(
                units, lacking, time.perf_counter() - started, task.kind.unit
            )

        def part_saved() -> None:
            store.merge_parts()
            played = {"deals": deals, **({"matches": units} if task.matches else {})}
            for name, number in played.items():
                session[name] = number
                document[name] = held[name] + number
            session["seconds"] = round(time.perf_counter() - started, 3)
            store.save(document)

        def play_missing(spans: list[Span]) -> None:
            nonlocal lacking
            lacking += sum(span.deals for span in spans)
            if executor is None:
                size = block or task.kind.group_size
                played = blocks(play_span, spans, size, threads, interrupted)
                with closing(played):
                    write_parts(
                        store,
                        spans,
                        played,
                        lambda block: note(block.span.deals, block.deals),
                        part_saved,
                    )
            else:
                done = play_parts(store, spans, executor, interrupted, player)
                with closing(done):
                    note_parts(done, note, part_saved)

        if executor is None:
            play_span = ready_blocks(task, progress, player, keep)
        started = time.perf_counter()
        with interrupt_flag() as interrupted:
            while missing:
                play_missing(missing)
                if interrupted.is_set() or until.enough():
                    break
                missing = more(stages, store)
        if interrupted.is_set():
            raise KeyboardInterrupt
        seconds = time.perf_counter() - started
        return Played(deals, seconds, units if task.matches else 0)


def more(stages: Iterator[int], store: Store) -> list[Span]:
    """What the next stage lacks; nothing when all are done."""
    stage = next(stages, 0)
    return gaps(store.spans(), stage, store.kind.part_size)


@contextmanager
def opened(folder: Place, task: Task, keep: str = ROWS) -> Iterator[Store]:
    """The task's store; a folder made for it goes again if nothing came into it."""
    made = not folder.exists()
    with Store(folder, task, keep).opened() as store:
        try:
            yield store
        except BaseException:
            if made and not store.spans():
                (folder / TASK_FILE).unlink(missing_ok=True)
                with suppress(OSError):  # somebody else put something there
                    folder.rmdir()
            raise


def blocks(
    play_span: BlockPlayer,
    spans: list[Span],
    block: int,
    threads: int,
    interrupted: threading.Event,
) -> Iterator[Block]:
    """The spans in order, block by block; ends early when interrupted.

    No block crosses the border of a span.
    """

    todo = iter(
        Span(start, min(start + block, span.stop))
        for span in spans
        for start in range(span.start, span.stop, block)
    )
    waiting: deque[Future] = deque()
    with ThreadPoolExecutor(threads, thread_name_prefix="deals") as pool:
        try:
            while not interrupted.is_set():
                # More blocks than threads: none idles while this thread writes.
                while len(waiting) < 2 * threads + 1 and (span := next(todo, None)):
                    waiting.append(pool.submit(play_span, span))
                if not waiting:
                    return
                yield waiting.popleft().result()
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def write_parts(
    store: Store,
    spans: list[Span],
    played: Iterator[Block],
    note: Callable[[Block], None],
    part_saved: Callable[[], None],
) -> None:
    """Write the blocks into one part a span; an early end keeps the part begun.

    A span that goes on where a short part ends makes that part longer.
    """
    present = set(store.spans())
    ends = {span.stop for span in spans}
    part: PartWriter | None = None

    def finish(part: PartWriter) -> None:
        part.finish()
        part_saved()

    try:
        for block in played:
            if part is None:
                part = store.part_from(block.span.start, present)
            part.write(block.tables, block.span.deals)
            note(block)
            if part.span.stop in ends:
                finish(part)
                part = None
        if part is not None:
            finish(part)
            part = None
    finally:
        if part is not None:
            part.discard()


def note_parts(
    done: Iterator[Done],
    note: Callable[[int, int], None],
    parts_saved: Callable[[], None],
) -> None:
    """Count the parts that others have written; tells now and then, and in the end."""
    told = time.perf_counter()
    try:
        for part in done:
            note(part.job.span.deals, part.deals - part.job.deals_before)
            if time.perf_counter() - told > TICK_SECONDS:
                parts_saved()
                told = time.perf_counter()
    finally:
        parts_saved()


def ready_blocks(
    task: Task,
    progress: Progress,
    player: Player | None = None,
    keep: str = ROWS,
) -> BlockPlayer:
    """What plays a task's blocks; `player` replaces the compiled game of deals."""
    if keep == SUMMARY:
        return counting(ready_blocks(task, progress, player))
    if player is not None:
        return deals_player(player)
    if not task.matches:
        return deals_player(ready_player(task, progress))
    play_span = matches_player(task)
    compile_now(lambda: play_span(Span(0, 1)), task, progress)
    return play_span


def counting(play_span: BlockPlayer) -> BlockPlayer:
    """Plays blocks of single deals, and keeps their summaries instead of rows."""
    from sim.summary import summary_of

    def play(span: Span) -> Block:
        block = play_span(span)
        return block._replace(tables=(summary_of(block.tables[0]),))

    return play


def ready_player(task: Task, progress: Progress) -> Player:
    """The compiled game of single deals, compiled now if it never was before."""
    player = compiled_player(task)
    compile_now(lambda: player(0, np.empty(1, DEAL_DTYPE)), task, progress)
    return player


def compile_now(
    first_use: Callable[[], object], task: Task, progress: Progress
) -> None:
    """Let the first use of the game compile it, telling so if that is not yet done."""
    mark = compiled_mark(task)
    cold = mark is None or not mark.exists()
    started, ready = time.perf_counter(), threading.Event()

    def tell() -> None:
        while cold and not ready.is_set():
            progress.compiling(time.perf_counter() - started)
            ready.wait(TICK_SECONDS)

    # Compiling stays in this thread, so that Ctrl-C can end it; the telling does not.
    teller = threading.Thread(target=tell, daemon=True)
    teller.start()
    try:
        with interrupt_flag(at_once=True) as interrupted, swallowed_in_silence():
            try:
                first_use()
            except Exception:
                if not interrupted.is_set():
                    raise
        # A callback of LLVM's swallows it, and numba stumbles later, or does not.
        if interrupted.is_set():
            raise KeyboardInterrupt
    finally:
        ready.set()
        teller.join()
    if mark is not None:
        with suppress(OSError):  # a cache that cannot be written: told again next time
            mark.touch()
