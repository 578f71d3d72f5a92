"""A run on disk: one folder, holding `task.json` and Parquet parts (`sim.parts`).

A part is written as `.tmp` beside its place, flushed to the disk and only then renamed,
so a part is whole or absent (`sim.part_files`).

`task.json` says what was played (the task, whose id is its identity) and how it came
about (the sessions: versions, platform, seconds).
"""

import json
import os
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from sim.heading import value_words
from sim.histograms import SUMMARIES
from sim.part_files import PartWriter, delete_part
from sim.parts import (
    PART_NAME,
    ROWS,
    STORED_TASK_KEY,
    SUMMARY,
    TASK_FILE,
    TASK_FORMAT,
    TASK_KEY,
    UNFINISHED,
    Part,
    PartError,
    Span,
    StoreError,
    kept_by,
    open_parquet,
    part_name,
    read_document,
    read_metadata,
    read_parts,
    superseded,
)
from sim.places import Place, write_whole
from sim.schema import DEALS

if TYPE_CHECKING:
    from sim.summary import SummaryWriter
    from sim.task import Task

try:
    import fcntl
except ImportError:  # Windows: no lock; the renames still keep every part whole
    fcntl = None


# What a folder keeps, in words.
KEPT = {ROWS: "the rows", SUMMARY: "a summary"}


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


class Store:
    """The folder of one run; knows which deals it holds."""

    def __init__(self, folder: Place, task: "Task", keep: str = ROWS):
        self.folder, self.task, self.id, self.keep = folder, task, task.id(), keep
        self.kind = SUMMARIES if keep == SUMMARY else task.kind

    # --- task.json ------------------------------------------------------------------

    def document(self) -> dict:
        """`task.json` as stored, or a new one."""
        path = self.folder / TASK_FILE
        return read_document(self.folder) if path.exists() else self.new_document()

    def new_document(self) -> dict:
        """What `task.json` says before anything is played."""
        return {
            "format": TASK_FORMAT,
            "id": self.id,
            "deals": 0,
            **({} if self.keep == ROWS else {"keep": self.keep}),
            "task": self.task.to_dict(),
            "sessions": [],
        }

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
            self.check_folder()  # again: another run may have come and gone meanwhile
            self.sweep()
            if not (self.folder / TASK_FILE).exists():
                self.save(self.document())
            yield self

    def sweep(self) -> None:
        """Remove what a run that was killed outright has left and does not count.

        Far away, where nothing is locked, it may be what another run is just writing.
        """
        *others, last = self.kind.tables
        alone = isinstance(self.folder, Path)
        for leftover in self.folder.glob("*.tmp") if alone else ():
            if UNFINISHED.fullmatch(leftover.name):
                leftover.unlink()
        for table in others if alone else ():
            for path in self.folder.glob(f"{table.prefix}-*.parquet"):
                counting = path.name.replace(table.prefix, last.prefix, 1)
                if path.with_name(counting).exists():
                    continue
                # Whatever else lies there is somebody's own.
                if PART_NAME.fullmatch(path.name) and self.is_own(path):
                    path.unlink()
        if shorter := superseded(sorted(self.folder.glob("*.parquet")), self.kind):
            self.spans()  # nothing goes before what stands for it is known to be whole
            for part in shorter:
                delete_part(part, self.kind)

    def is_own(self, path: Place) -> bool:
        """Whether a file says that it is of this task."""
        try:
            keys = read_metadata(path).metadata or {}
        except PartError:
            return False
        return keys.get(TASK_KEY) == self.id.encode()

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
            if (kept := kept_by(document)) != self.keep:
                raise StoreError(
                    f"{self.folder} keeps {KEPT[kept]} of this task, not "
                    f"{KEPT[self.keep]}; choose another folder with -o, or give "
                    f"--keep {kept}"
                )
            return
        others = [path.name for path in self.folder.iterdir() if path.suffix != ".tmp"]
        if others:
            raise StoreError(
                f"{self.folder} is not empty and holds no {TASK_FILE} (but "
                f"{sorted(others)[0]}); choose another folder with -o, or if it was a "
                "run's let `shengji check --repair` restore it"
            )

    # --- the parts ------------------------------------------------------------------

    def spans(self) -> list[Span]:
        """The spans of the parts present, checked, in order."""
        return [part.span for part in read_parts(self.folder, self.id, self.kind)]

    def keys(self) -> dict[bytes, bytes]:
        """What each part says of the task."""
        stored = json.dumps(self.task.to_dict(), ensure_ascii=False)
        return {TASK_KEY: self.id.encode(), STORED_TASK_KEY: stored.encode()}

    def deals(self, spans: Sequence[Span]) -> int:
        """How many deals the parts of some spans hold: by themselves, or in matches."""
        table = self.kind.tables[0]
        if self.kind.unit == DEALS.unit:
            return sum(span.deals for span in spans)
        number = 0
        for span in spans:
            with open_parquet(self.folder / part_name(span, table)) as file:
                number += file.metadata.num_rows
        return number

    def recount(self, spans: Sequence[Span], document: dict | None = None) -> bool:
        """Let `task.json` tell what the parts hold; whether it had to be told.

        A run that was killed between the two has saved more than is told.
        """
        document = self.document() if document is None else document
        told = {"deals": self.deals(spans)}
        if self.task.matches:
            told["matches"] = sum(span.deals for span in spans)
        if all(document.get(name) == number for name, number in told.items()):
            return False
        self.save({**document, **told})
        return True

    def part(
        self, start: int, shorter: Span | None = None
    ) -> "PartWriter | SummaryWriter":
        """Begin the part whose first unit is `start`; its rows begin with a shorter's,
        which then has the same start, and goes when this one is there."""
        kept = None
        if shorter is not None:
            path = self.folder / part_name(shorter, self.kind.tables[-1])
            kept = Part(shorter, path)
        if self.keep == SUMMARY:
            from sim.summary import SummaryWriter  # loads numba

            return SummaryWriter(self.folder, start, self.keys(), kept)
        return PartWriter(self.folder, start, self.keys(), self.kind, kept)

    def merge_parts(self) -> None:
        """Make few files of many, where the kind's parts are merged."""
        if self.kind.merged > 1:
            from sim.summary import merge_parts

            parts = read_parts(self.folder, self.id, self.kind)
            merge_parts(self.folder, parts, self.keys())

    def part_from(
        self, start: int, present: Collection[Span]
    ) -> "PartWriter | SummaryWriter":
        """The part that lacks the units from `start` on, where a gap begins.

        It begins where its block does: what of the block is there is taken over, so
        that a part's name and content depend on its block alone, once it is whole.
        """
        shorter = self.shorter(start, present)
        return self.part(start if shorter is None else shorter.start, shorter)

    def shorter(self, start: int, present: Collection[Span]) -> Span | None:
        """The part that holds a block's units before `start`, if there is that one.

        There is none for a block's first, and between parts of older versions.
        """
        begin = start // self.kind.part_size * self.kind.part_size
        return Span(begin, start) if Span(begin, start) in present else None


@contextmanager
def locked(folder: Place) -> Iterator[None]:
    """Keep a second run out of the folder; released when the process ends, too."""
    if fcntl is None or not isinstance(folder, Path):
        # Far away nothing can be locked, and need not be: what two runs write is equal.
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
