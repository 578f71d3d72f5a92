"""What a run's folder holds on disk: `task.json` and Parquet parts, read and checked.

A part is `part-<start>-<stop>.parquet`: the rows of deals start <= deal_index < stop,
in order; its file metadata carry the task's id. Which deals a folder holds is read from
the names, and every name is checked against the file's own metadata, so that a
truncated or foreign file is noticed, never counted. The task's id is a hash of it, and
is reckoned again when `task.json` is read, so that an edited task is never believed.
`sim.store` writes such folders, `analysis.load` reads them.
"""

import hashlib
import json
import re
from pathlib import Path
from typing import NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq

from sim.schema import DEAL_SCHEMA, SCHEMA_VERSION

TASK_FILE = "task.json"
TASK_FORMAT = "shengji-task/1"
TASK_KEY = b"task_id"
DOCUMENT_TYPES = {
    "format": str,
    "id": str,
    "deals": int,
    "task": dict,
    "sessions": list,
}
PART_NAME = re.compile(r"part-(\d+)-(\d+)\.parquet")


class StoreError(ValueError):
    """A results folder or one of its parts cannot be used."""


class Span(NamedTuple):
    """Deals start <= deal_index < stop."""

    start: int
    stop: int

    @property
    def deals(self) -> int:
        return self.stop - self.start


class Part(NamedTuple):
    """One Parquet file and the deals in it."""

    span: Span
    path: Path


def part_name(span: Span) -> str:
    """File name of a part; zero-padded so that names sort as deals do."""
    return f"part-{span.start:012d}-{span.stop:012d}.parquet"


def identity_hash(identity: dict) -> str:
    """SHA-256 of what decides a task's deals: rows of different ids are never pooled.

    The variant's name is left out: it decides nothing.
    """
    deciding = {key: value for key, value in identity.items() if key != "variant"}
    canonical = json.dumps(deciding, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(canonical.encode()).hexdigest()


def read_document(folder: Path) -> dict:
    """The contents of `task.json`; a StoreError when it is not one, or was edited."""
    path = folder / TASK_FILE
    try:
        document = json.loads(path.read_text("utf-8"))
    except OSError as error:
        raise StoreError(f"{path} cannot be read: {error.strerror}") from error
    except ValueError:
        document = None
    check_document(path, document)
    return document


def check_document(path: Path, document: object) -> None:
    """Refuse what is not a task of this version, as it was written."""
    found = document.get("format") if isinstance(document, dict) else None
    if found not in (None, TASK_FORMAT):
        raise StoreError(
            f"{path} is of format {found!r}; this program reads {TASK_FORMAT!r}"
        )
    if not isinstance(document, dict) or not all(
        type(document.get(key)) is kind for key, kind in DOCUMENT_TYPES.items()
    ):
        raise StoreError(
            f"{path} is not a task that shengji wrote: restore it, or choose another "
            "folder"
        )
    task = document["task"]
    if task.get("schema_version") != SCHEMA_VERSION:
        raise StoreError(
            f"{path} is of a run with columns of version {task.get('schema_version')}; "
            f"this program reads version {SCHEMA_VERSION}"
        )
    if document["id"] != identity_hash(task):
        raise StoreError(
            f"{path} was edited: its id is not that of the task it holds; restore it, "
            "or choose another folder"
        )


def read_parts(folder: Path, task_id: str) -> list[Part]:
    """Every part of a run's folder, in order of deals; each one checked."""
    parts: list[Part] = []
    for path in sorted(folder.glob("*.parquet")):
        span = check_part(path, task_id)
        if parts and span.start < parts[-1].span.stop:
            raise StoreError(
                f"{path} overlaps {parts[-1].path.name}: the same deals would count "
                "twice; delete one of the two and repeat the run"
            )
        parts.append(Part(span, path))
    return parts


def check_part(path: Path, task_id: str) -> Span:
    """The span of one part, if the file holds exactly what its name says."""
    named = PART_NAME.fullmatch(path.name)
    if not named:
        raise StoreError(f"{path} is not a part of this run; move it elsewhere")
    span = Span(int(named[1]), int(named[2]))
    damaged = (
        f"{path} is truncated or damaged; delete it and repeat the run, which plays "
        "those deals again"
    )
    try:
        metadata = pq.read_metadata(path)
        schema = metadata.schema.to_arrow_schema()
    except PermissionError as error:
        raise StoreError(f"{path} cannot be read: {error.strerror}") from error
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        raise StoreError(damaged) from error
    keys = metadata.metadata or {}
    if keys.get(TASK_KEY) != task_id.encode():
        raise StoreError(f"{path} belongs to another task; move it elsewhere")
    version = keys.get(b"schema_version", b"none").decode()
    if version != str(SCHEMA_VERSION):
        raise StoreError(
            f"{path} has columns of version {version}; this program reads version "
            f"{SCHEMA_VERSION}"
        )
    if not schema.equals(DEAL_SCHEMA):
        raise StoreError(damaged)
    if metadata.num_rows != span.deals or not holds(metadata, span):
        raise StoreError(
            f"{path} does not hold the deals that its name says; delete it and repeat "
            "the run, which plays those deals again"
        )
    return span


def holds(metadata: pq.FileMetaData, span: Span) -> bool:
    """Whether the row groups' deal_index run from the span's start to its stop."""
    column = DEAL_SCHEMA.get_field_index("deal_index")
    reached = span.start
    for number in range(metadata.num_row_groups):
        group = metadata.row_group(number)
        statistics = group.column(column).statistics
        if statistics is None or statistics.min != reached:
            return False
        reached += group.num_rows
        if statistics.max != reached - 1:
            return False
    return reached == span.stop
