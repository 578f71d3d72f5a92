"""Whole parts as the tasks of an executor: each worker plays and writes its own.

Any executor in the manner of `concurrent.futures` will do, whose workers share the
run's storage with the driver: a pool of processes, Dask's (`sim.cluster`), mpi4py's. Of
the deals only counts come back. What a part holds depends on its task and block alone,
so it does no harm if the same part is played twice, or by two at once.
"""

import os
import platform
import threading
import uuid
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, NamedTuple

from sim.parts import ROWS, TASK_FILE, Span, StoreError, check_part, part_name
from sim.places import Place, write_whole
from sim.store import Store
from sim.task import Task

if TYPE_CHECKING:
    from sim.driver import BlockPlayer, Player

AHEAD = 1_000  # parts given to the executor at a time
TICK_SECONDS = 0.2  # how soon an interruption is noticed


class PartJob(NamedTuple):
    """One part to play and write."""

    task: dict
    task_id: str
    folder: Place
    token: str  # a file that the driver has put in the folder
    span: Span  # what to play
    shorter: Span | None = None  # what is there of the same block, and goes then
    deals_before: int = 0  # in that
    player: "Player | None" = None  # replaces the compiled game
    keep: str = ROWS  # or a summary

    @property
    def whole(self) -> Span:
        """What the part holds in the end."""
        return Span((self.shorter or self.span).start, self.span.stop)


class Done(NamedTuple):
    """A part that is there now."""

    job: PartJob
    deals: int  # in it, whoever played them


class Workers(Executor):
    """An executor that knows its workers, and can ask each before it plays."""

    def ahead(self) -> int:
        """How many parts it should be given at a time, to keep all of them busy."""
        return AHEAD

    def refuse_unfit(self, fault: Callable[[PartJob], str], job: PartJob) -> None:
        """Raise if any worker's answer is not empty, naming the worker."""
        raise NotImplementedError


def fault(job: PartJob) -> str:
    """Why this process cannot play a part, in words that follow its name; or nothing.

    The folder may be there and not be the same: hence the token.
    """
    if not (job.folder / job.token).exists():
        return (
            f"does not see what the driver has written to {job.folder}: choose a "
            "folder that all workers share"
        )
    try:
        agrees = Task.from_dict(job.task).id() == job.task_id
    except (ValueError, KeyError, TypeError) as error:
        return f"has another version of shengji: {error}"
    return "" if agrees else "has another version of shengji: its task has another id"


def this_worker() -> str:
    return f"the worker on {platform.node() or 'this machine'} (process {os.getpid()})"


def play_part(job: PartJob) -> Done:
    """Play a part and write it to the run's folder; what a worker does."""
    if told := fault(job):
        raise StoreError(f"{this_worker()} {told}")
    store = Store(job.folder, Task.from_dict(job.task), job.keep)
    if is_there(store, job.whole):  # somebody was quicker
        return Done(job, store.deals([job.whole]))
    span, shorter = job.span, job.shorter
    if shorter is not None and not is_there(store, shorter):
        span, shorter = job.whole, None
    play_span = block_player(job)
    part = store.part((shorter or span).start, shorter)
    try:
        for start in range(span.start, span.stop, store.kind.group_size):
            stop = min(start + store.kind.group_size, span.stop)
            part.write(play_span(Span(start, stop)).tables, stop - start)
        part.finish()
    except BaseException:
        part.discard()
        raise
    return Done(job, store.deals([job.whole]))


def is_there(store: Store, span: Span) -> bool:
    """Whether the part of a span is there, and whole."""
    table = store.kind.tables[-1]
    path = store.folder / part_name(span, table)
    return path.exists() and check_part(path, store.id, table) == span


# By the task's id, and what is kept.
PLAYERS: dict[tuple[str, str], "BlockPlayer"] = {}
COMPILING = threading.Lock()  # a worker may play on several threads


def block_player(job: PartJob) -> "BlockPlayer":
    """What plays a job's blocks in this process; compiled once."""
    from sim.driver import Silent, ready_blocks

    task = Task.from_dict(job.task)
    if job.player is not None:
        return ready_blocks(task, Silent(), job.player, job.keep)
    with COMPILING:
        kept = (job.task_id, job.keep)
        if kept not in PLAYERS:
            PLAYERS[kept] = ready_blocks(task, Silent(), None, job.keep)
        return PLAYERS[kept]


def finished(
    executor: Executor, jobs: Iterable[PartJob], interrupted: threading.Event
) -> Iterator[Done]:
    """The parts as they come; ends early when interrupted, with those that run."""
    todo = iter(jobs)
    waiting: set[Future] = set()
    try:
        while True:
            ahead = executor.ahead() if isinstance(executor, Workers) else AHEAD
            while not interrupted.is_set() and len(waiting) < ahead:
                if (job := next(todo, None)) is None:
                    break
                waiting.add(executor.submit(play_part, job))
            if interrupted.is_set():
                waiting -= {future for future in waiting if future.cancel()}
            if not waiting:
                return
            ended, waiting = wait(waiting, TICK_SECONDS, FIRST_COMPLETED)
            for future in ended:
                yield future.result()
    finally:
        for future in waiting:
            future.cancel()


@contextmanager
def token_in(folder: Place) -> Iterator[str]:
    """A file in the folder by which workers tell that they see the same one."""
    name = f"{TASK_FILE}-{uuid.uuid4().hex}.tmp"  # swept away if it is left
    write_whole(folder / name, this_worker())
    try:
        yield name
    finally:
        with suppress(OSError, StoreError):
            (folder / name).unlink(missing_ok=True)


def play_parts(
    store: Store,
    missing: Sequence[Span],
    executor: Executor,
    interrupted: threading.Event,
    player: "Player | None" = None,
) -> Iterator[Done]:
    """Let an executor's workers play what a store lacks; the parts as they come."""
    present = set(store.spans())
    with token_in(store.folder) as token:
        common = (store.task.to_dict(), store.id, store.folder.resolve(), token)

        def job_of(span: Span) -> PartJob:
            shorter = store.shorter(span.start, present)
            before = 0 if shorter is None else store.deals([shorter])
            return PartJob(*common, span, shorter, before, player, store.keep)

        if isinstance(executor, Workers):
            executor.refuse_unfit(fault, PartJob(*common, missing[0]))
        yield from finished(executor, map(job_of, missing), interrupted)
