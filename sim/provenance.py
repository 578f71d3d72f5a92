"""How a session came about: versions, platform, processor, start."""

import os
import platform
import subprocess
from contextlib import suppress
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def provenance() -> dict:
    """A session's start (UTC), versions and machine, as `task.json` keeps them."""
    packages = ("numba", "numpy", "pyarrow")
    return {
        "started": datetime.now(UTC).isoformat(timespec="seconds"),
        "shengji": code_version(),
        "commit": git_commit(),
        "python": platform.python_version(),
        **{name: metadata.version(name) for name in packages},
        "platform": platform.platform(),
        "cpu": cpu_name(),
        "cores": os.cpu_count(),
    }


def code_version() -> str | None:
    """This project's version; None where it is not installed."""
    with suppress(metadata.PackageNotFoundError):
        return metadata.version("shengji")
    return None


def git_commit() -> str | None:
    """The checkout's commit, with a + when files were changed since; None elsewhere."""
    if not (ROOT / ".git").exists():
        return None
    git = ["git", "-C", str(ROOT)]
    try:
        commit, changed = (
            subprocess.run(
                [*git, *words], capture_output=True, text=True, check=True, timeout=10
            ).stdout.strip()
            for words in (
                ["rev-parse", "HEAD"],
                ["status", "--porcelain", "--untracked-files=no"],
            )
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return commit + ("+" if changed else "")


def cpu_name() -> str:
    """The processor's name where the system tells it."""
    with suppress(OSError):
        for line in Path("/proc/cpuinfo").read_text("utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()
