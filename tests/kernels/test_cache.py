"""Machine code on disk: keyed on all that can change it, and never believed if broken.

Each process here is a real one, of a small tree of sources with two tiny kernels.
"""

import os
import resource
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import numba
import pytest

from kernels import code_cache, jit

HELPER = "from kernels.jit import jit\n\n@jit\ndef helper(x):\n    return x + {step}\n"
CALLER = """
import sys
from kernels.jit import jit
from kernels.code_cache import keep
from sim.helper import helper

@jit
def caller(x, y):
    return helper(x) * 2 + y

print(caller(20, 0), caller(20, 0.5) if "float" in sys.argv else "")
print("kept", sum(caller.stats.cache_hits.values()), keep.folder)
"""
SENTENCE = "shengji: compiled code "


class Tree:
    """Sources that hold the kernels' decorators, and tiny kernels in two files."""

    def __init__(self, folder: Path, cache: Path | str):
        self.folder = folder
        shutil.copytree(
            jit.ROOT / "kernels",
            folder / "kernels",
            ignore=shutil.ignore_patterns("__pycache__"),
        )
        (folder / "sim").mkdir()
        # Without it, an installed `sim` would be taken for it.
        (folder / "sim" / "__init__.py").touch()
        (folder / "sim" / "helper.py").write_text(HELPER.format(step=1))
        (folder / "sim" / "caller.py").write_text(CALLER)
        self.env = {**os.environ, "PYTHONPATH": str(folder)}
        self.env |= {"NUMBA_CACHE_DIR": str(cache)}

    def start(
        self, *words: str, limit: Callable[[], None] | None = None
    ) -> subprocess.Popen:
        return subprocess.Popen(
            [sys.executable, "-c", "import sim.caller", *words],
            cwd=self.folder,
            env=self.env,
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            preexec_fn=limit,
        )

    def run(self, *words: str, **more: Callable) -> tuple[str, str, str]:
        """What the caller answers, what it found kept and where, and what is told."""
        return ended(self.start(*words, **more))

    def files(self) -> list[Path]:
        base = Path(self.env["NUMBA_CACHE_DIR"])
        return sorted(path for path in base.glob("*/sim.*") if path.is_file())


def ended(process: subprocess.Popen) -> tuple[str, str, str]:
    out, told = process.communicate(timeout=300)
    assert process.returncode == 0, told
    answer, found = out.splitlines()
    return answer.strip(), found, told


@pytest.fixture
def tree(tmp_path):
    return Tree(tmp_path / "tree", tmp_path / "cache")


def test_sources_hold_all_jitted_code_and_what_it_imports():
    names = {path.relative_to(jit.ROOT).as_posix() for path in jit.sources()}
    # Codes and dtypes are no jitted code, but are compiled into it.
    assert {"kernels/codes.py", "kernels/jit.py", "sim/deal_flow.py"} <= names
    assert {"kernels/linking.py", "kernels/code_cache.py"} <= names
    assert {"sim/policies/ids.py", "sim/policies/textbook/parameters.py"} <= names
    # What is only parsed and stored may change without compiling anew.
    assert not names & {"sim/rules.py", "sim/driver.py", "sim/commands.py"}


def test_every_jitted_file_is_a_source():
    sources = set(jit.sources())
    for room in ("kernels", "sim"):
        for path in (jit.ROOT / room).rglob("*.py"):
            assert path in sources or "jit import" not in path.read_text("utf-8"), path


@pytest.mark.parametrize(
    ("place", "value"),
    [
        ((numba, "__version__"), "0.0"),
        ((code_cache.llvmlite, "__version__"), "0.0"),
        ((sys, "version"), "4"),
        ((numba.config, "BOUNDSCHECK"), 1 - (numba.config.BOUNDSCHECK or 0)),
    ],
    ids=lambda it: it[1] if isinstance(it, tuple) else "",
)
def test_another_compiler_has_its_own_folder(monkeypatch, place, value):
    ours = jit.sources_digest()
    monkeypatch.setattr(*place, value)
    assert jit.sources_digest() != ours


def test_kept_code_is_used_and_stale_code_is_not(tree):
    assert tree.run()[:2] == ("42", f"kept 0 {tree.files()[0].parent}")
    assert tree.run()[1].startswith("kept 1 ")
    # Numba itself would not see that the caller must be compiled again.
    (tree.folder / "sim" / "helper.py").write_text(HELPER.format(step=1000))
    answer, found, _ = tree.run()
    assert (answer, found.split()[1]) == ("2040", "0")


def test_another_processor_has_its_own_code(tree):
    tree.run()
    tree.env["NUMBA_CPU_NAME"] = "generic"
    assert tree.run()[:2] == ("42", f"kept 0 {tree.files()[0].parent}")
    assert tree.run()[1].startswith("kept 1 ")
    del tree.env["NUMBA_CPU_NAME"]
    assert tree.run()[1].startswith("kept 1 ")


def test_broken_files_are_not_believed(tree):
    """Machine code with one wrong bit crashes, or worse, does not."""
    tree.run()
    whole = {path: path.read_bytes() for path in tree.files()}
    assert len(whole) == 2  # the caller, and the helper as the caller knows it
    (caller,) = [path for path in whole if ".caller.caller-run-" in path.name]
    (helper,) = [path for path in whole if ".helper.helper-part-" in path.name]
    content = whole[caller]
    middle = len(content) // 2
    flipped = bytes([content[middle] ^ 1])
    for broken in (
        b"",
        b"not machine code",
        content[:-1],
        content[: len(code_cache.HEAD) + 10],
        content[:middle] + flipped + content[middle + 1 :],
        whole[helper],
    ):
        caller.write_bytes(broken)
        helper.write_bytes(broken)
        if broken == whole[helper]:
            helper.unlink()
        assert tree.run()[:2] == ("42", f"kept 0 {caller.parent}"), broken[:20]
        for path in whole:  # written again, and whole
            head, digest, body = parts(path.read_bytes())
            assert (head, digest) == (code_cache.HEAD, sha256(body).digest())
    assert tree.run()[1].startswith("kept 1 ")


def parts(content: bytes) -> tuple[bytes, bytes, bytes]:
    head = len(code_cache.HEAD)
    start = head + code_cache.DIGEST_BYTES
    return content[:head], content[head:start], content[start:]


def test_processes_that_compile_at_once(tree):
    """Numba's own index would name one's file for the other's types."""
    started = [tree.start(*words) for words in ([], ["float"], [], ["float"])]
    answers = [ended(process)[0] for process in started]
    assert answers == ["42", "42 42.5"] * 2
    assert tree.run("float")[:2] == (
        "42 42.5",
        f"kept 2 {tree.files()[0].parent}",
    )
    assert not list(tree.files()[0].parent.glob("*.tmp"))


def test_a_full_disk_costs_time_only(tree):
    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))

    answer, _, told = tree.run(limit=limit)
    assert answer == "42"
    assert told.count(SENTENCE) == 1
    assert "cannot be kept in" in told
    assert tree.files() == []
    assert not list(tree.folder.parent.glob("cache/*/*.tmp"))


def test_nowhere_to_write(tree, tmp_path):
    """Neither beside the sources nor at home: a folder of one's own among temporary."""
    del tree.env["NUMBA_CACHE_DIR"]
    tree.env |= {"HOME": "/dev/null", "XDG_CACHE_HOME": "/dev/null/none"}
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    tree.env["TMPDIR"] = str(temporary)
    found = tree.run()[1]
    assert found.startswith(f"kept 0 {temporary}/shengji-{os.getuid()}/")
    assert tree.run()[1].startswith("kept 1 ")
    # Where others may write, code that is run must not come from.
    (own,) = temporary.iterdir()
    own.chmod(0o777)
    assert tree.run()[:2] == ("42", "kept 0 None")


def test_the_last_resort_is_told_once(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(code_cache.tempfile, "gettempdir", lambda: str(tmp_path))
    keep = code_cache.Keep()
    keep.open([Path("/dev/null/none")], "0" * 16)
    keep.tell_last_resort()
    keep.tell_last_resort()
    told = capsys.readouterr().err
    assert told.count(SENTENCE) == 1
    assert str(tmp_path) in told
    monkeypatch.setattr(code_cache.tempfile, "gettempdir", lambda: "/dev/null")
    keep = code_cache.Keep()
    keep.open([Path("/dev/null/none")], "0" * 16)
    keep.tell_last_resort()
    assert keep.folder is None
    assert "nowhere" in capsys.readouterr().err


def test_folders_that_nothing_used_for_long_are_removed(tmp_path):
    names = {"old": 31, "recent": 29, "foreign": 31, "now": 0}
    now = time.time()
    for name, days in names.items():
        (tmp_path / name).mkdir()
        mark = tmp_path / name / ("mark" if name == "foreign" else code_cache.MARK)
        mark.touch()
        os.utime(mark, (now - days * 86_400,) * 2)
        os.utime(tmp_path / name, (now - days * 86_400,) * 2)
    keep = code_cache.Keep()
    keep.open([tmp_path], "recent")  # in use again, as its mark then says
    keep = code_cache.Keep()
    keep.open([tmp_path], "new")
    assert keep.folder == tmp_path / "new"
    assert {path.name for path in tmp_path.iterdir()} == {*names, "new"} - {"old"}
    assert time.time() - (tmp_path / "recent" / code_cache.MARK).stat().st_mtime < 60


def test_one_wrong_bit_anywhere_is_noticed():
    """Machine code is bytes: most that are wrong would be read without complaint."""
    content = code_cache.packed("key", (b"machine code" * 10,))
    assert code_cache.unpacked(content, "key") == (b"machine code" * 10,)
    for place in range(len(content)):
        wrong = bytearray(content)
        wrong[place] ^= 1
        with pytest.raises(ValueError, match="not what was written"):
            code_cache.unpacked(bytes(wrong), "key")
    with pytest.raises(ValueError, match="another function's"):
        code_cache.unpacked(content, "another key")
