"""Machine code on disk, for the next process: kept whole, or not believed.

Numba's own cache keys a function on its own file only: edit a helper in another file
and the stale machine code is still served. And it numbers its files by an index that
two processes may write at once, and trusts what it reads. So here the folder's name is
a hash of all sources (`kernels.jit`) and of the compiler, a file's name a hash of the
function, its types and the processor; and a file begins with the hash of what it holds.
There is no index: a file is there, whole, or the function is compiled again. Whatever
cannot be written or read costs time, and nothing else.
"""

import hashlib
import os
import pickle
import re
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import llvmlite
import numba
from numba.core.compiler import CompileResult
from numba.core.serialize import dumps

HEAD = b"shengji machine code 1\n"
DIGEST_BYTES = hashlib.sha256().digest_size
MARK = "last-used"  # a folder of ours; its time says when it was
UNUSED_DAYS = 30  # after these a folder of other sources is removed
DAY_SECONDS = 86_400


class CodeCache:
    """What numba asks for a function's compiled form, and hands it to be kept.

    Parameters
    ----------
    function : function
    rebuild : function
        Makes a CompileResult of what its `_reduce` gave.
    kind : str
        Tells apart what is kept of one function in several ways.
    """

    def __init__(
        self,
        function: Callable,
        rebuild: Callable[..., CompileResult] | None = None,
        kind: str = "run",
    ):
        self.function, self.kind = function, kind
        self.rebuild = rebuild or (
            lambda target, state: CompileResult._rebuild(target, *state)
        )

    @property
    def cache_path(self) -> str | None:
        folder = keep.folder
        return folder and str(folder)

    def load_overload(self, signature: Any, target: Any) -> CompileResult | None:
        """The compiled form for some types of arguments, None if there is none."""
        if keep.folder is None:
            return None
        target.refresh()
        path, key = self.place(signature, target.codegen())
        try:
            content = path.read_bytes()
        except OSError:
            return None
        try:
            return self.rebuild(target, unpacked(content, key))
        except Exception:  # whatever a broken pickle says: it is compiled again
            with suppress(OSError):
                path.unlink()
            return None

    def save_overload(self, signature: Any, result: CompileResult) -> None:
        """Keep a compiled form, if there is where to and it can be kept."""
        if keep.folder is None or result.library.has_dynamic_globals:
            return
        path, key = self.place(signature, result.codegen)
        keep.write(path, packed(key, result._reduce()))

    def place(self, signature: Any, codegen: Any) -> tuple[Path, str]:
        """The file for some types of arguments on this processor, and its key."""
        code = self.function.__code__
        body = hashlib.sha256(code.co_code + repr(code.co_consts).encode()).hexdigest()
        where = f"{self.function.__module__}.{self.function.__qualname__}"
        key = "\n".join(
            (
                *(self.kind, where, str(code.co_firstlineno), body),
                *(str(signature), *map(str, codegen.magic_tuple())),
            )
        )
        name = re.sub(r"[^\w.]", "", where)
        digest = hashlib.sha256(key.encode()).hexdigest()[:24]
        return keep.folder / f"{name}-{self.kind}-{digest}", key

    def enable(self) -> None: ...

    def disable(self) -> None: ...

    def flush(self) -> None: ...


def packed(key: str, state: object) -> bytes:
    """A file's content: what it begins with, the hash of the rest, the key's, state."""
    body = hashlib.sha256(key.encode()).digest() + dumps(state)
    return HEAD + hashlib.sha256(body).digest() + body


def unpacked(content: bytes, key: str) -> tuple:
    """What `packed` made the content of; ValueError if it is broken, or another's."""
    start = len(HEAD) + DIGEST_BYTES
    digest, body = content[len(HEAD) : start], content[start:]
    if not content.startswith(HEAD) or hashlib.sha256(body).digest() != digest:
        raise ValueError("not what was written")
    if body[:DIGEST_BYTES] != hashlib.sha256(key.encode()).digest():
        raise ValueError("another function's")
    return pickle.loads(body[DIGEST_BYTES:])


class Keep:
    """The folder that machine code is kept in; None: nothing is kept."""

    folder: Path | None = None
    last_resort = False  # a temporary folder, since no other can be written

    def open(self, bases: list[Path], digest: str) -> None:
        """Use the first base folder that can be written to.

        Parameters
        ----------
        bases : list of Path
            The best one first; the user's temporary folder comes after them.
        digest : str
            Names the folder of these sources.
        """
        for base in bases:
            if opened(base / digest):
                self.folder = base / digest
                break
        else:
            base = own_temporary_folder()
            self.last_resort = True
            if base is not None and opened(base / digest):
                self.folder = base / digest

    def write(self, path: Path, content: bytes) -> None:
        """Write a file whole or not at all; the first failure is told, and the last."""
        temporary = path.with_name(f"{path.name}.{os.getpid()}.tmp")
        try:
            temporary.write_bytes(content)
            temporary.replace(path)
        except OSError as error:
            with suppress(OSError):
                temporary.unlink(missing_ok=True)
            tell(
                f"compiled code cannot be kept in {self.folder} ({error.strerror}): "
                "the next command compiles it again"
            )
            self.folder = None

    def tell_last_resort(self) -> None:
        """Say where code is kept if not where it should be; once, before compiling."""
        if not self.last_resort:
            return
        self.last_resort = False
        if self.folder is None:
            tell("compiled code can be kept nowhere: every command compiles it again")
        else:
            tell(f"compiled code is kept in {self.folder}, for want of a better place")


keep = Keep()


def tell(sentence: str) -> None:
    with suppress(OSError, ValueError, AttributeError):  # nobody to tell it to
        sys.stderr.write(f"shengji: {sentence}\n")


def opened(folder: Path) -> bool:
    """Make a folder ready; whether it can be written to."""
    mark = folder / MARK
    try:
        if mark.exists() and time.time() - mark.stat().st_mtime < DAY_SECONDS:
            return os.access(folder, os.W_OK | os.X_OK)
        new = not folder.exists()
        folder.mkdir(parents=True, exist_ok=True)
        mark.touch()
        if new:
            sweep(folder.parent)
    except OSError:
        return False
    return True


def own_temporary_folder() -> Path | None:
    """A temporary folder that nobody else can write to: what lies in it is run."""
    user = os.getuid() if hasattr(os, "getuid") else "user"
    folder = Path(tempfile.gettempdir()) / f"shengji-{user}"
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
        found = folder.lstat()
        if os.name == "posix" and (found.st_uid != user or found.st_mode & 0o077):
            return None
        return None if folder.is_symlink() else folder
    except OSError:
        return None


def sweep(base: Path) -> None:
    """Remove the folders of other sources that nothing used for long.

    A process that still reads one finds nothing there any more, and compiles.
    """
    oldest = time.time() - UNUSED_DAYS * DAY_SECONDS
    for folder in unused(base, oldest):
        shutil.rmtree(folder, ignore_errors=True)


def unused(base: Path, oldest: float) -> Iterator[Path]:
    """Our folders in a base that were last used before a time."""
    for mark in base.glob(f"*/{MARK}"):
        with suppress(OSError):
            if mark.stat().st_mtime < oldest and not mark.parent.is_symlink():
                yield mark.parent


def compiler_words() -> str:
    """All but the sources that decides what machine code comes out."""
    config = numba.config
    return "\n".join(
        map(
            str,
            (
                *(sys.version, numba.__version__, llvmlite.__version__),
                *(config.BOUNDSCHECK, config.OPT, config.DEBUGINFO_DEFAULT),
            ),
        )
    )
