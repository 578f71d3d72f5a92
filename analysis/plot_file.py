"""The file a plot goes to: checked before any work, written whole or not at all."""

from contextlib import suppress
from pathlib import Path
from typing import Any

from analysis.load import AnalysisError

SUFFIXES = (".png", ".svg", ".pdf")


def checked_path(path: Path) -> Path:
    """The path of a plot, if it names a format that can be drawn, in a folder."""
    if path.suffix.lower() not in SUFFIXES:
        raise AnalysisError(f"{path}: a plot's name ends in {' or '.join(SUFFIXES)}")
    if not path.parent.is_dir():
        raise AnalysisError(f"{path}: there is no folder {path.parent}")
    return path


def save_figure(figure: Any, path: Path) -> None:
    """Write a matplotlib figure so that a reader sees a whole plot or none."""
    temporary = path.with_name(path.name + ".tmp")
    kind = path.suffix.lower().removeprefix(".")
    undated = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}.get(kind)
    try:
        figure.savefig(temporary, format=kind, metadata=undated)
        temporary.replace(path)
    except BaseException as error:
        with suppress(OSError):  # nothing to remove, or no right to: `error` says why
            temporary.unlink(missing_ok=True)
        if not isinstance(error, OSError) or error.strerror is None:
            raise
        raise AnalysisError(f"{path} cannot be written: {error.strerror}") from error
