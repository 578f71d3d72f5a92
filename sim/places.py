"""Where a run lies: a folder of this machine, or of any filesystem that pyarrow knows.

A place is a `pathlib.Path`, or a `FarPath`, which has the same words for what is needed
here. Options of a far filesystem stand in its URI, as pyarrow takes them
(`s3://bucket/run?endpoint_override=...&scheme=http`), or in the environment.

A file is made as a `Draft` and published whole. Here that is a `.tmp` beside its place,
flushed to the disk and renamed; on object storage, which shows an upload when it is
complete, it is made in memory and sent at once.
"""

import errno
import io
import os
import re
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO
from urllib.parse import unquote, urlsplit

if TYPE_CHECKING:
    from pyarrow import NativeFile
    from pyarrow.fs import FileInfo, FileSystem

URI = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+://")  # `C:\` is none

# Of filesystems that have buckets, and no folders to make.
BUCKETS = ("s3", "gcs")

# What a system says when a file cannot grow: disk, quota, largest file.
NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)

# What the storage says, and what it means.
TROUBLES = (
    (r"NO_SUCH_BUCKET|Bucket '.*' not found", "there is no such bucket"),
    (
        r"ACCESS_DENIED|INVALID_ACCESS_KEY_ID|SIGNATURE_DOES_NOT_MATCH|UNRECOGNIZED_"
        r"CLIENT|INVALID_CLIENT_TOKEN|EXPIRED_TOKEN|HTTP response code 40[13]|"
        r"PERMISSION_DENIED|UNAUTHENTICATED|[Nn]o credentials|[Nn]o AWS [Cc]redentials",
        "the storage refuses these credentials",
    ),
    (
        r"NETWORK_CONNECTION|REQUEST_TIMEOUT|curlCode|UNAVAILABLE|[Tt]imed? ?out",
        "the storage cannot be reached; see to the endpoint and the network",
    ),
)


class StoreError(ValueError):
    """A results folder or one of its parts cannot be used."""


def trouble(place: "Place", error: BaseException) -> StoreError | None:
    """What storage far away says is wrong with it; None where nothing says so."""
    text = " ".join(str(error).split())
    if isinstance(place, Path) or not isinstance(error, OSError):
        return None
    for pattern, words in TROUBLES:
        if re.search(pattern, text):
            return StoreError(f"{place}: {words}")
    if "AWS Error" in text or "google::cloud" in text:
        return StoreError(f"{place}: the storage says {text[:200]!r}")
    return None


@cache
def filesystem(uri: str) -> tuple["FileSystem", str]:
    """The filesystem that a URI names, and the path on it."""
    from pyarrow.fs import FileSystem

    return FileSystem.from_uri(uri)


class FarPath:
    """A folder or file of a filesystem elsewhere, by a URI.

    Its text leaves out the options, which may hold keys. All its errors are
    StoreErrors, but for a file that is not there.
    """

    def __init__(self, uri: str, *names: str):
        self.uri, self.names = uri, names
        parts = urlsplit(uri)
        host = parts.netloc.rpartition("@")[2]
        path = parts.path.rstrip("/")
        self.shown = "/".join([f"{parts.scheme}://{host}{path}", *names])
        try:
            self.filesystem, root = filesystem(uri)
        except (OSError, ValueError) as error:
            raise self.refused(error) from error
        self.path = "/".join([root.rstrip("/"), *names])
        if not self.path.strip("/"):
            raise StoreError(f"{self.shown} names no folder: s3://BUCKET/FOLDER does")

    def refused(self, error: Exception) -> StoreError:
        """Why no filesystem is found under the URI."""
        if told := trouble(self, error):
            return told
        text = str(error)
        if "Unrecognized filesystem" in text:
            scheme = self.uri.partition(":")[0]
            return StoreError(
                f"{self.shown}: {scheme}:// is unknown; allowed are s3://, gs://, "
                "abfs://, hdfs:// and file://, or a folder's path"
            )
        secret = urlsplit(self.uri)
        for hidden in (self.uri, secret.netloc, secret.query):
            text = text.replace(hidden, "...") if hidden else text
        return StoreError(f"{self.shown} cannot be used: {text.splitlines()[0][:200]}")

    # --- its name -------------------------------------------------------------------

    def __str__(self) -> str:
        return self.shown

    def __repr__(self) -> str:
        return f"FarPath({self.shown!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, FarPath) and self.key() == other.key()

    def __lt__(self, other: "FarPath") -> bool:
        return self.key() < other.key()

    def __hash__(self) -> int:
        return hash(self.key())

    def __reduce__(self) -> tuple:
        return FarPath, (self.uri, *self.names)

    def key(self) -> tuple[str, ...]:
        query = urlsplit(self.uri).query
        return (self.uri.partition(":")[0], self.path, query)

    def __truediv__(self, name: str) -> "FarPath":
        return FarPath(self.uri, *self.names, str(name))

    def with_name(self, name: str) -> "FarPath":
        return self.parent / name

    def resolve(self) -> "FarPath":
        return self

    @property
    def parent(self) -> "FarPath":
        return FarPath(self.uri, *self.names[:-1])

    @property
    def name(self) -> str:
        return self.path.rpartition("/")[2]

    @property
    def suffix(self) -> str:
        return Path(self.name).suffix

    # --- what is there --------------------------------------------------------------

    @contextmanager
    def told(self) -> Iterator[None]:
        """Say in a sentence what the storage complains of."""
        try:
            yield
        except FileNotFoundError:
            raise
        except (OSError, ValueError) as error:
            if isinstance(error, StoreError):
                raise
            raise trouble(self, error) or StoreError(
                f"{self}: {' '.join(str(error).split())[:200]}"
            ) from error

    def info(self) -> "FileInfo":
        with self.told():
            return self.filesystem.get_file_info(self.path)

    def exists(self) -> bool:
        from pyarrow.fs import FileType

        return self.info().type != FileType.NotFound

    def is_file(self) -> bool:
        return self.info().is_file

    def is_dir(self) -> bool:
        from pyarrow.fs import FileType

        kind = self.info().type
        if kind == FileType.NotFound:
            self.check_bucket()
        return kind == FileType.Directory

    def check_bucket(self) -> None:
        """Refuse a bucket that is not there: a folder in it need not be."""
        from pyarrow.fs import FileType

        if self.filesystem.type_name not in BUCKETS:
            return
        bucket = self.path.partition("/")[0]
        with self.told():
            if self.filesystem.get_file_info(bucket).type == FileType.NotFound:
                raise StoreError(f"{self}: there is no bucket {bucket!r}")

    def iterdir(self) -> Iterator["FarPath"]:
        from pyarrow.fs import FileSelector

        with self.told():
            found = self.filesystem.get_file_info(
                FileSelector(self.path, allow_not_found=True)
            )
        return iter([self / info.base_name for info in found])

    def glob(self, pattern: str) -> Iterator["FarPath"]:
        return (path for path in self.iterdir() if fnmatchcase(path.name, pattern))

    # --- reading and writing --------------------------------------------------------

    def open(self, mode: str = "rb") -> "NativeFile":
        """The file, for reading: `mode` is there for its likeness to a `Path`."""
        with self.told():
            return self.filesystem.open_input_file(self.path)

    def read_bytes(self) -> bytes:
        with self.open() as file, self.told():
            return file.read()

    def read_text(self, encoding: str = "utf-8") -> str:
        return self.read_bytes().decode(encoding)

    def write_bytes(self, content: bytes) -> None:
        """Send a whole file: until that is done, none is there."""
        with self.told(), self.filesystem.open_output_stream(self.path) as file:
            file.write(content)

    def mkdir(self, parents: bool = True, exist_ok: bool = True) -> None:
        self.check_bucket()
        if self.filesystem.type_name not in BUCKETS:
            with self.told():
                self.filesystem.create_dir(self.path, recursive=parents)

    def unlink(self, missing_ok: bool = False) -> None:
        try:
            with self.told():
                self.filesystem.delete_file(self.path)
        except FileNotFoundError:
            if not missing_ok:
                raise

    def rmdir(self) -> None:
        if not list(self.iterdir()) and self.exists():
            with self.told():
                self.filesystem.delete_dir(self.path)


Place = Path | FarPath


def place_of(text: str | Place) -> Place:
    """The place that a path or a URI names."""
    if isinstance(text, FarPath | Path):
        return text
    if not URI.match(text):
        return Path(text)
    if text.lower().startswith("file://"):
        parts = urlsplit(text)
        if parts.netloc not in ("", "localhost"):
            raise StoreError(
                f"{text} names another machine's folder: file:///FOLDER is one here"
            )
        return Path(unquote(parts.path))
    return FarPath(text)


class Draft:
    """A file of this machine while it is made, under a temporary name of its own.

    Another process may be making the same file: neither touches the other's.
    """

    file: BinaryIO

    def __init__(self, folder: Path, word: str):
        self.folder = folder
        self.temporary = folder / f"{word}-{uuid.uuid4().hex}.tmp"
        self.file = self.temporary.open("wb")

    def close(self) -> None:
        """Everything is on the disk, under the temporary name still."""
        self.file.flush()
        os.fsync(self.file.fileno())
        self.file.close()

    def publish(self, name: str) -> None:
        """Make it visible, in place of what had that name."""
        self.temporary.replace(self.folder / name)

    def discard(self) -> None:
        """Leave nothing of it."""
        # Closing flushes, which a full disk refuses again; the file goes anyway.
        with suppress(OSError):
            self.file.close()
        remove(self.temporary)


class FarDraft:
    """A file of a filesystem elsewhere while it is made, in memory."""

    def __init__(self, folder: FarPath, word: str):
        self.folder, self.temporary = folder, folder / word
        self.file: BinaryIO = io.BytesIO()

    def close(self) -> None:
        """Nothing is sent before it is published."""

    def publish(self, name: str) -> None:
        """Send it."""
        (self.folder / name).write_bytes(self.file.getbuffer())

    def discard(self) -> None:
        """Leave nothing of it."""
        self.file = io.BytesIO()


def draft(folder: Place, word: str) -> Draft | FarDraft:
    """Begin a file in a folder; the word helps a person who finds it unfinished."""
    return (Draft if isinstance(folder, Path) else FarDraft)(folder, word)


def write_whole(path: Place, content: str | bytes) -> None:
    """Write a file so that a reader sees the old one or the new, never half."""
    with disk_told(path.parent):
        made = draft(path.parent, path.name)
        try:
            made.file.write(content.encode() if isinstance(content, str) else content)
            made.close()
            made.publish(path.name)
        except BaseException:
            made.discard()
            raise


@contextmanager
def disk_told(folder: Place) -> Iterator[None]:
    """Tell a full disk as one, and a folder that went while it was written to."""
    try:
        yield
    except FileNotFoundError as error:
        if folder.exists():
            raise
        raise StoreError(
            f"{folder} was removed while a run was writing to it: repeat the command "
            "to begin anew"
        ) from error
    except OSError as error:
        if error.errno not in NO_ROOM:
            raise
        raise StoreError(
            f"no room on the disk to write in {folder}; what was saved before is "
            "whole: free some space and repeat the command to go on"
        ) from error


@contextmanager
def whole_or_absent(temporary: Path) -> Iterator[None]:
    """Remove the unfinished file when writing fails; a full disk is told as one."""
    with disk_told(temporary.parent):
        try:
            yield
        except BaseException:
            remove(temporary)
            raise


def remove(temporary: Path) -> None:
    """Remove an unfinished file. What cannot be removed must not hide what failed."""
    with suppress(OSError):
        temporary.unlink(missing_ok=True)
