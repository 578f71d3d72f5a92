"""The one decorator of every jitted function, and where its machine code is cached.

Numba keys a cached function on its own file only: edit a helper in another file and
the stale machine code is still served. So the cache folder's name is a hash of every
source that holds jitted code, and of all that those import. It lies beside the sources
in a checkout and in the user's cache folder when they are not writable (or installed).
"""

import ast
import hashlib
import os
from collections.abc import Callable
from pathlib import Path

import numba
import platformdirs
from numba import types
from numba.core.dispatcher import Dispatcher

ROOT = Path(__file__).resolve().parent.parent


def sources() -> list[Path]:
    """Every file that holds jitted code and what these import, in a fixed order."""
    rooms = [*ROOT.glob("kernels/**/*.py"), *ROOT.glob("sim/**/*.py")]
    found: set[Path] = set()
    waiting = [path for path in rooms if "@jit" in path.read_text("utf-8")]
    while waiting:
        path = waiting.pop()
        if path not in found:
            found.add(path)
            waiting += imported(path)
    return sorted(found)


def imported(path: Path) -> list[Path]:
    """The project's files that a file imports when it is loaded."""
    names: list[str] = []
    for node in ast.parse(path.read_text("utf-8")).body:
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            # `from sim.policies import random` names a file too.
            names += [node.module, *(f"{node.module}.{it.name}" for it in node.names)]
    files = [ROOT.joinpath(*name.split(".")).with_suffix(".py") for name in names]
    return [file for file in files if file.is_file()]


def cache_folder() -> Path:
    """Where this version's machine code is kept."""
    digest = hashlib.sha256(numba.__version__.encode())
    for path in sources():
        digest.update(path.relative_to(ROOT).as_posix().encode())
        digest.update(path.read_bytes())
    checkout = (ROOT / "pyproject.toml").exists() and os.access(ROOT, os.W_OK)
    base = (
        ROOT / ".numba_cache"
        if checkout
        else Path(platformdirs.user_cache_dir("shengji"))
    )
    return base / digest.hexdigest()[:16]


if "NUMBA_CACHE_DIR" not in os.environ:
    numba.config.CACHE_DIR = str(cache_folder())


def compiled(function: Callable, inline: bool) -> Dispatcher:
    """Compile a kernel, once for each set of types of its arguments."""
    dispatcher = numba.njit(
        cache=True, nogil=True, no_cfunc_wrapper=True, forceinline=inline
    )(function)
    template = dispatcher.get_call_template

    # Numba would compile a caller's constant into a copy of the kernel for each one:
    # a third of all compiling. LLVM does the same where it is worth it, by inlining.
    def without_constants(args: tuple, kws: dict) -> tuple:
        return template(
            tuple(types.unliteral(arg) for arg in args),
            {name: types.unliteral(arg) for name, arg in kws.items()},
        )

    dispatcher.get_call_template = without_constants
    return dispatcher


def jit(function: Callable) -> Dispatcher:
    """Compile a kernel; LLVM decides where it is inlined."""
    return compiled(function, inline=False)


def jit_inline(function: Callable) -> Dispatcher:
    """Compile a kernel that is part of its caller: called for every card, and short."""
    return compiled(function, inline=True)
