"""Measure every hot kernel, deals and every command: one line of JSON for each.

    python tests/bench [WORD]    only works whose names hold WORD

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


def main(word: str = "") -> None:
    for work in works(FULL.positions, FULL.least):
        if word in work.name:
            measure(work, max(1, ROUND_UNITS // work.count), outside=False)
    for work in deal_works(FULL):
        if word in work.name:
            measure(work, 1, outside=False)
    with TemporaryDirectory(prefix="shengji-bench-") as folder:
        for work in command_works(Path(folder), FULL):
            if word in work.name:
                measure(work, 1, outside=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
