"""Plays a task's missing deals in blocks on threads, and saves them in order.

The kernel releases the GIL, so plain threads fill the cores. This thread only writes:
it takes the blocks in deal order, so what a part holds does not depend on how many
threads played it or how large the blocks were. At most a few blocks wait to be written,
which bounds the memory whatever the number of deals.
"""

import signal
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import NamedTuple, Protocol

import numpy as np

from sim.parts import TASK_FILE
from sim.policies.catalog import setting_codes
from sim.progress import duration
from sim.provenance import provenance
from sim.schema import DEAL_DTYPE
from sim.store import PartWriter, Span, Store, gaps
from sim.task import Task

BLOCK_DEALS = 50_000  # a quarter of a second of one core; one row group of a part
TICK_SECONDS = 1.0


class Progress(Protocol):
    """Who is told how a run goes; `sim.progress` tells people."""

    def compiling(self, seconds: float) -> None:
        """The game is being compiled; called about once a second meanwhile."""

    def played(self, deals: int, of: int, seconds: float) -> None:
        """This many of the missing deals are saved or being saved."""


class Silent:
    """Progress that nobody follows."""

    def compiling(self, seconds: float) -> None: ...

    def played(self, deals: int, of: int, seconds: float) -> None: ...


class Played(NamedTuple):
    """What a call of `play` did."""

    deals: int  # played now; 0: all were there
    seconds: float  # without compiling

    def sentence(self, folder: Path) -> str:
        """What was done, in words."""
        if not self.deals:
            return f"Nothing to play: {folder} holds these deals already."
        rate = self.deals / max(self.seconds, 1e-9)
        return (
            f"{self.deals:,} deals played in {duration(self.seconds)} "
            f"({rate:,.0f} deals/s), saved in {folder}"
        )


# (start, rows): fills rows with deals start, start + 1, ...
Player = Callable[[int, np.ndarray], None]


def compiled_player(task: Task) -> Player:
    """The jitted game, bound to the task."""
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


def is_compiled() -> bool:
    """Whether this version's machine code of the game is already on the disk."""
    import numba

    folder = Path(numba.config.CACHE_DIR)
    return any(folder.rglob("deal_flow.play_rows-*.nbi"))


def play(
    task: Task,
    folder: Path,
    deals: int,
    *,
    threads: int = 1,
    block: int = BLOCK_DEALS,
    progress: Progress | None = None,
    player: Player | None = None,
) -> Played:
    """Play what the folder lacks of deals 0 <= deal_index < `deals`.

    A KeyboardInterrupt comes out only after the deals played so far are saved, so that
    the same call later goes on from there. A folder that was made for it and got no
    deals goes again. `player` replaces the compiled game.
    """
    progress = progress or Silent()
    with opened(folder, task) as store:
        present = store.spans()
        missing = gaps(present, deals)
        if not missing:
            return Played(0, 0.0)
        player = player or ready_player(task, progress)
        wanted = sum(span.deals for span in missing)
        session = {**provenance(), "threads": threads, "deals": 0, "seconds": 0.0}
        document = store.document()
        document["deals"] = sum(span.deals for span in present)
        document["sessions"].append(session)

        done, started = 0, time.perf_counter()

        def note(new: int) -> None:
            nonlocal done
            done += new
            progress.played(done, wanted, time.perf_counter() - started)

        def part_saved(span: Span) -> None:
            session["deals"] += span.deals
            session["seconds"] = round(time.perf_counter() - started, 3)
            document["deals"] += span.deals
            store.save(document)

        with interrupt_flag() as interrupted:
            played = blocks(player, missing, block, threads, interrupted)
            with closing(played):
                write_parts(store, missing, played, note, part_saved)
        if interrupted.is_set():
            raise KeyboardInterrupt
        return Played(done, time.perf_counter() - started)


@contextmanager
def opened(folder: Path, task: Task) -> Iterator[Store]:
    """The task's store; a folder made for it goes again if nothing came into it."""
    made = not folder.exists()
    with Store(folder, task).opened() as store:
        try:
            yield store
        except BaseException:
            if made and not store.spans():
                (folder / TASK_FILE).unlink()
                with suppress(OSError):  # somebody else put something there
                    folder.rmdir()
            raise


def blocks(
    player: Player,
    spans: list[Span],
    block: int,
    threads: int,
    interrupted: threading.Event,
) -> Iterator[np.ndarray]:
    """The rows of the spans in order, block by block; ends early when interrupted.

    No block crosses the border of a span.
    """

    def rows_of(span: Span) -> np.ndarray:
        rows = np.empty(span.deals, DEAL_DTYPE)
        player(span.start, rows)
        return rows

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
                    waiting.append(pool.submit(rows_of, span))
                if not waiting:
                    return
                yield waiting.popleft().result()
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def write_parts(
    store: Store,
    spans: list[Span],
    played: Iterator[np.ndarray],
    note: Callable[[int], None],
    part_saved: Callable[[Span], None],
) -> None:
    """Write the blocks into one part a span; an early end keeps the part begun."""
    ends = {span.stop for span in spans}
    part: PartWriter | None = None

    def finish(part: PartWriter) -> None:
        part.finish()
        part_saved(part.span)

    try:
        for rows in played:
            if part is None:
                part = store.part(int(rows["deal_index"][0]))
            part.write(rows)
            note(len(rows))
            if part.span.stop in ends:
                finish(part)
                part = None
        if part is not None:
            finish(part)
            part = None
    finally:
        if part is not None:
            part.discard()


def ready_player(task: Task, progress: Progress) -> Player:
    """The compiled game; compiles it now, telling so, if that was never done before."""
    cold = not is_compiled()
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
                player = compiled_player(task)
                player(0, np.empty(1, DEAL_DTYPE))
            except Exception:
                if not interrupted.is_set():
                    raise
        # A callback of LLVM's swallows it, and numba stumbles later, or does not.
        if interrupted.is_set():
            raise KeyboardInterrupt
    finally:
        ready.set()
        teller.join()
    return player


@contextmanager
def swallowed_in_silence() -> Iterator[None]:
    """No traceback for a KeyboardInterrupt that a C callback swallows."""
    previous = sys.unraisablehook

    def hook(what: "sys.UnraisableHookArgs") -> None:
        if what.exc_type is not KeyboardInterrupt:
            previous(what)

    sys.unraisablehook = hook
    try:
        yield
    finally:
        sys.unraisablehook = previous


@contextmanager
def interrupt_flag(at_once: bool = False) -> Iterator[threading.Event]:
    """Notes Ctrl-C in a flag; a second one, or the first `at_once`, interrupts too."""
    flag = threading.Event()
    if threading.current_thread() is not threading.main_thread():
        yield flag  # only the main thread hears signals
        return
    previous = signal.getsignal(signal.SIGINT)

    def raise_flag(number: int, frame: object) -> None:
        again = flag.is_set()
        flag.set()
        if at_once or again:
            raise KeyboardInterrupt

    signal.signal(signal.SIGINT, raise_flag)
    try:
        yield flag
    finally:
        signal.signal(signal.SIGINT, previous)
