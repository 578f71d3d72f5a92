"""Data runs one way: no room imports one above it; `--help` imports nothing heavy."""

import ast
import subprocess
import sys
from pathlib import Path

import click
import pytest

import cli as cli_module
from cli import cli

ROOT = Path(cli_module.__file__).resolve().parent
ROOMS = ("kernels", "sim", "analysis")
ALLOWED = {
    "kernels": ("kernels", "numba", "numpy", "llvmlite", "platformdirs"),
    "sim": ("sim", "kernels", "numba", "numpy", "pyarrow"),
    "analysis": (
        *("analysis", "sim.schema", "sim.parts", "sim.places", "sim.rules"),
        *("sim.histograms", "sim.level_tables", "sim.heading", "sim.progress"),
        *("kernels.score", "kernels.codes"),
        *("click", "matplotlib", "numpy", "pandas", "pyarrow"),
    ),
    "cli": ("analysis", "sim", "click"),
    "sim/cluster": ("sim", "distributed"),
    # Only what the command line calls parses words.
    "sim/commands": ("sim", "click"),
    # The referee is handed a Rules object: it computes everything else by itself.
    "sim/referee": ("sim.referee",),
}
FILES = sorted(
    path.relative_to(ROOT)
    for path in [ROOT / "cli.py", *(p for r in ROOMS for p in (ROOT / r).rglob("*.py"))]
)
MOST_LINES = 450  # "no file much over 400"
HEAVY = ("numba", "pandas", "pyarrow", "numpy", "matplotlib", "distributed")


def room_of(path: Path) -> str:
    if path.is_relative_to("sim/referee"):
        return "sim/referee"
    if path in (Path("sim/commands.py"), Path("sim/cluster.py")):
        return path.with_suffix("").as_posix()
    return path.parts[0].removesuffix(".py")


def imports(path: Path) -> list[tuple[int, str]]:
    """(line, module) of every import, those inside functions included."""
    found = []
    for node in ast.walk(ast.parse((ROOT / path).read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found += [(node.lineno, alias.name) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}:{node.lineno}: a relative import"
            names = [alias.name for alias in node.names]
            assert "*" not in names, f"{path}:{node.lineno}: import *"
            found += [(node.lineno, f"{node.module}.{name}") for name in names]
    return found


def is_within(module: str, allowed: tuple[str, ...]) -> bool:
    return any(module == name or module.startswith(f"{name}.") for name in allowed)


@pytest.mark.parametrize("path", FILES, ids=str)
def test_imports_run_one_way(path):
    allowed = ALLOWED[room_of(path)]
    wrong = [
        f"{path}:{line}: {module}"
        for line, module in imports(path)
        if module.partition(".")[0] not in sys.stdlib_module_names
        and not is_within(module, allowed)
    ]
    assert not wrong


def test_no_circles():
    """Within the project, at import time: a file never needs itself."""
    modules = {
        ".".join(path.with_suffix("").parts).removesuffix(".__init__"): path
        for path in FILES
    }
    needs = {
        name: {
            other
            for _, module in top_imports(path)
            for other in (module, module.rpartition(".")[0])
            if other in modules and other != name
        }
        for name, path in modules.items()
    }
    while leaves := {name for name, needed in needs.items() if not needed}:
        needs = {
            name: needed - leaves
            for name, needed in needs.items()
            if name not in leaves
        }
    assert not needs, f"circle among {sorted(needs)}"


def top_imports(path: Path) -> list[tuple[int, str]]:
    """The imports at the top level of a file."""
    tree = ast.parse((ROOT / path).read_text("utf-8"))
    top = {node.lineno for node in tree.body}
    return [(line, module) for line, module in imports(path) if line in top]


@pytest.mark.parametrize("path", FILES, ids=str)
def test_no_long_files(path):
    lines = len((ROOT / path).read_text("utf-8").splitlines())
    assert lines <= MOST_LINES, f"{path} has {lines} lines: split it by meaning"


def test_no_utils():
    assert not [path for path in FILES if path.stem in ("utils", "helpers", "common")]


@pytest.mark.parametrize("name", ["", *cli.commands])
def test_help_is_quick_and_shows_an_example(name):
    command = cli.commands[name] if name else cli
    context = click.Context(command, info_name=name or "shengji")
    text = command.get_help(context)
    assert "Example" in text
    assert f"shengji {name}".strip() in text
    assert max(map(len, text.splitlines())) <= 88


def test_help_imports_nothing_heavy():
    """One process asks for every help there is, then says what it has imported."""
    script = f"""
import sys
from cli import cli
for words in {[[], *([name] for name in cli.commands)]}:
    try:
        cli([*words, "--help"])
    except SystemExit as end:
        assert end.code == 0, words
print("imported:", *(name for name in {HEAVY} if name in sys.modules))
"""
    done = subprocess.run(
        [sys.executable, "-c", script],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.splitlines()[-1].strip() == "imported:"
