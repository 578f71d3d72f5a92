"""A great many inputs: `python tests/fuzz/many.py INPUTS [--seconds S] [--first N]`.

Inputs have numbers, and number N is the same input every time. Goes on after a fault,
which is told with its kind and number; prints at last, as JSON, how many inputs there
were of each kind, how their commands ended, and the slowest of each.
"""

import argparse
import json
import os
import random
import sys
import tempfile
import time
import traceback
from collections import Counter
from itertools import count
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent), str(HERE.parent.parent)]

from inside import TALLY  # noqa: E402
from kinds import KINDS  # noqa: E402
from luck import Luck  # noqa: E402
from workplace import furnish  # noqa: E402


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("inputs", type=int)
    parser.add_argument("--first", type=int, default=0, metavar="N")
    parser.add_argument("--seconds", type=float, default=float("inf"))
    parser.add_argument("--kinds", nargs="*", choices=list(KINDS), default=list(KINDS))
    asked = parser.parse_args()
    shares = [KINDS[name].share for name in asked.kinds]
    done: Counter[str] = Counter()
    faults: Counter[str] = Counter()
    seconds: Counter[str] = Counter()
    slowest: dict[str, tuple[float, int]] = {}
    end = time.monotonic() + asked.seconds
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        furnish(Path(folder))
        for number in count(asked.first):
            began = time.monotonic()
            if number == asked.first + asked.inputs or began > end:
                break
            chance = random.Random(number)
            (name,) = chance.choices(asked.kinds, shares)
            try:
                KINDS[name].check(KINDS[name].make(Luck(chance.randrange)))
            except Exception:
                faults[name] += 1
                told = traceback.format_exc(limit=-6)[:6_000]
                sys.stderr.write(f"\n{name} {number}: {told}\n")
            took = time.monotonic() - began
            done[name] += 1
            seconds[name] += took
            slowest[name] = max(slowest.get(name, (0.0, 0)), (took, number))
    ends: dict[str, dict[str, int]] = {}
    for (command, code), times in sorted(TALLY.codes.items()):
        ends.setdefault(command, {})[str(code)] = times
    told = {
        "first": asked.first,
        "inputs": done.total(),
        "by_kind": done,
        "faults": faults,
        "seconds": {name: round(spent, 1) for name, spent in seconds.items()},
        "slowest": slowest,
        "commands_by_exit_code": ends,
        "slowest_command": TALLY.slowest,
    }
    print(json.dumps(told))


if __name__ == "__main__":
    main()
