"""The decorators of every jitted function, and which sources its machine code is from.

Machine code is kept (`kernels.code_cache`) in a folder whose name is a hash of every
source that holds jitted code, of all that those import, and of the compiler. It lies
beside the sources in a checkout, and in the user's cache folder when those are not
writable (or installed); NUMBA_CACHE_DIR names another.
"""

import ast
import hashlib
import os
from collections.abc import Callable
from pathlib import Path

import numba
import platformdirs

from kernels.code_cache import CodeCache, compiler_words, keep
from kernels.linking import Kernel

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


def sources_digest() -> str:
    """Names the folder of the machine code of these sources by this compiler."""
    digest = hashlib.sha256(compiler_words().encode())
    for path in sources():
        digest.update(path.relative_to(ROOT).as_posix().encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def base_folders() -> list[Path]:
    """Where machine code may be kept, the best place first."""
    named = os.environ.get("NUMBA_CACHE_DIR")
    if named:
        return [Path(named)]
    users = Path(platformdirs.user_cache_dir("shengji"))
    checkout = (ROOT / "pyproject.toml").exists()
    return [ROOT / ".numba_cache", users] if checkout else [users]


keep.open(base_folders(), sources_digest())


def compiled(function: Callable, inline: bool) -> Callable:
    """Compile a kernel, once for each set of types of its arguments."""
    if numba.config.DISABLE_JIT:
        return function
    options = {
        "nopython": True,
        "nogil": True,
        "no_cfunc_wrapper": True,
        "forceinline": inline,
    }
    kernel = Kernel(function, targetoptions=options)
    kernel._cache = CodeCache(function)
    return kernel


def jit(function: Callable) -> Callable:
    """Compile a kernel; LLVM decides where it is inlined."""
    return compiled(function, inline=False)


def jit_inline(function: Callable) -> Callable:
    """Compile a kernel that is part of its caller: called for every card, and short."""
    return compiled(function, inline=True)
