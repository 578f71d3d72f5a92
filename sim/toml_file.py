"""Reading a TOML file that a stranger wrote: a table, or one sentence why not."""

import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

DEEPEST = 50  # tables and lists within each other; nothing here needs five


@contextmanager
def told_with_its_path(text: str, kind: type[ValueError]) -> Iterator[None]:
    """Errors of a kind that are raised inside name the file."""
    try:
        yield
    except kind as error:
        raise kind(f"{text}: {error}") from None


def read_toml(text: str, kind: type[ValueError]) -> dict[str, Any]:
    """The table in a file; an error of a kind where there is none.

    A byte order mark, which some editors put in front, says nothing and is passed over.
    """
    try:
        written = Path(text).read_bytes()
    except OSError as error:
        raise kind(f"cannot be read: {error.strerror}") from None
    except ValueError:  # a zero byte
        raise kind("cannot be read: no file can have this name") from None
    try:
        tree = tomllib.loads(written.decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise kind("not TOML: it is not written in UTF-8") from None
    except tomllib.TOMLDecodeError as error:
        raise kind(f"not TOML: {error}") from None
    except RecursionError:
        raise kind("not TOML that can be read: nested too deep") from None
    except ValueError:  # Python's own limit
        raise kind("not TOML that can be read: a number of too many digits") from None
    _check_depth(tree, kind)
    return tree


def _check_depth(tree: dict[str, Any], kind: type[ValueError]) -> None:
    """Refuse what could be read, but not be walked through and shown again."""
    layer: list[Any] = [tree]
    for _ in range(DEEPEST + 1):
        layer = [
            inner
            for each in layer
            for inner in (each.values() if isinstance(each, dict) else each)
            if isinstance(inner, dict | list)
        ]
        if not layer:
            return
    raise kind(f"nested too deep: at most {DEEPEST} tables and lists in each other")
