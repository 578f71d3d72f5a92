"""Measure every hot kernel, deals and every command: one line of JSON for each.

    python tests/bench [kernels|deals|commands [WORD]]

WORD: only those whose names hold it.

Times stand between two runs of the floor in this process; `ns` is of one unit.
"""

import json
import sys
import time
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parents[1])]

from bench_works import FULL, command_works, deal_works  # noqa: E402

from sim.bench.floor import figure  # noqa: E402
from sim.bench.kernels import Work, repeat, works  # noqa: E402

ROUNDS = 5
ROUND_UNITS = 200_000


def measure(work: Work, passes: int, outside: bool) -> None:
    """Print one work's figures. What runs in other processes is timed by the wall."""
    told = figure(
        work.name,
        work.unit,
        partial(repeat, work, passes),
        work.count * passes,
        work.checksum(),
        ROUNDS,
        clock=time.perf_counter if outside else time.thread_time,
    )
    print(json.dumps(told._asdict()), flush=True)


def main(kind: str = "", word: str = "") -> None:
    with TemporaryDirectory(prefix="shengji-bench-") as folder:
        kinds = {
            "kernels": lambda: works(FULL.positions, FULL.least),
            "deals": lambda: deal_works(FULL),
            "commands": lambda: command_works(Path(folder), FULL),
        }
        if kind not in ("", *kinds):
            sys.exit(f"{kind!r} is none of {', '.join(kinds)}")
        for name in [kind] if kind else kinds:
            for work in kinds[name]():
                if word not in work.name:
                    continue
                # A kernel's work is over before a clock says much.
                passes = ROUND_UNITS // work.count if name == "kernels" else 1
                measure(work, max(1, passes), outside=name == "commands")


if __name__ == "__main__":
    main(*sys.argv[1:])
