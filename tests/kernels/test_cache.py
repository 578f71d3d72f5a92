"""The cache of machine code is keyed on all that can change it."""

from kernels import jit


def test_sources_hold_all_jitted_code_and_what_it_imports():
    names = {path.relative_to(jit.ROOT).as_posix() for path in jit.sources()}
    # Codes and dtypes are no jitted code, but are compiled into it.
    assert {"kernels/codes.py", "kernels/jit.py", "sim/deal_flow.py"} <= names
    assert {"sim/policies/ids.py", "sim/policies/textbook/parameters.py"} <= names
    # What is only parsed and stored may change without compiling anew.
    assert not names & {"sim/rules.py", "sim/driver.py", "sim/commands.py"}


def test_every_jitted_file_is_a_source():
    sources = set(jit.sources())
    for room in ("kernels", "sim"):
        for path in (jit.ROOT / room).rglob("*.py"):
            assert path in sources or "jit import" not in path.read_text("utf-8"), path
