"""What a change did: figures kept in a file, and compared with those measured later."""

import json
import os
from pathlib import Path
from typing import Any

from sim.plain import quoted
from sim.referee.reading import read_json
from sim.store import write_whole

FORMAT = "shengji-bench/1"
# What ratios to the floor do not make up for.
MACHINE = ("cpu", "cores", "platform", "python", "numba", "numpy", "pyarrow")
SETTINGS = ("variant", "level", "mode", "seed", "deals")
OF_A_POLICY = {"times_floor": "a deal", "run_times_floor": "a deal more in a run"}
NAME_WIDTH = 40
INFINITY = float("inf")


class BenchError(ValueError):
    """A file of figures that cannot be used: one sentence that says why."""


def check_place(path: Path) -> None:
    """Refuse a file that could not be written: before all the measuring."""
    if not os.access(path.absolute().parent, os.W_OK):
        raise BenchError(
            f"{path} cannot be written: {path.absolute().parent} is no folder, or not "
            "writable; name another file"
        )


def save(measured: dict, path: Path) -> None:
    """Keep what was measured."""
    text = json.dumps({"format": FORMAT, **measured}, indent=1, ensure_ascii=False)
    write_whole(path, text + "\n")


def read(path: Path) -> dict:
    """What was measured earlier, checked."""
    try:
        document = read_json(path.read_text("utf-8"))
    except OSError as error:
        raise BenchError(f"{path}: {error.strerror}") from None
    except ValueError:
        raise BenchError(
            f"{path} holds no JSON; name a file that bench --save wrote"
        ) from None
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        found = document.get("format") if isinstance(document, dict) else None
        raise BenchError(
            f"{path} is of format {quoted(found)}, not {FORMAT!r}; name a file that "
            "bench --save wrote"
        )
    try:
        figures(document)
        for name in SETTINGS:
            document[name]
        for name in MACHINE:
            document["machine"][name]
        text(document["machine"].get("commit") or "")
    except (KeyError, TypeError, ValueError, OverflowError) as error:
        told = f"{type(error).__name__}: {error}"
        raise BenchError(f"{path} is not whole ({told}); save it again") from None
    return document


def figures(measured: dict) -> dict[str, dict[str, Any]]:
    """Every figure of what was measured, by its name: times the floor, and its work."""
    found = {}
    for each in measured["policies"]:
        for key, words in OF_A_POLICY.items():
            found[f"{text(each['policy'])}: {words}"] = figure(
                each[key], each["spread"][key], None
            )
    for each in measured["kernels"]:
        found[text(each["name"])] = figure(
            each["times_floor"], each["spread"], str(each["checksum"])
        )
    return found


def text(value: Any) -> str:
    """A name, checked."""
    if not isinstance(value, str):
        raise TypeError(f"{quoted(value)} is no name")
    return value


def figure(median: float, spread: list[float], checksum: str | None) -> dict[str, Any]:
    """One figure, checked: numbers, the median among them."""
    least, most = (float(value) for value in spread)
    if not -INFINITY < least <= float(median) <= most < INFINITY:
        raise ValueError(
            f"{quoted(median)} with {quoted(spread)} is no median with its spread"
        )
    return {
        "times_floor": float(median),
        "spread": [least, most],
        "checksum": checksum,
    }


def compare(before: dict, now: dict) -> dict:
    """Each figure's ratio now / before, on the floor's scale, and what to mind.

    The spread of a ratio runs from the least of now over the most of before to the most
    over the least: while it holds 1, nothing is shown.
    """
    then, here = figures(before), figures(now)
    changes = []
    for name, new in here.items():
        old = then.get(name)
        if old is None or not tells(old, new):
            continue
        least = new["spread"][0] / old["spread"][1]
        most = new["spread"][1] / old["spread"][0]
        changes.append(
            {
                "name": name,
                "before": old["times_floor"],
                "now": new["times_floor"],
                "ratio": new["times_floor"] / old["times_floor"],
                "spread": [least, most],
                "shown": "slower" if least > 1 else "faster" if most < 1 else None,
                "same_work": old["checksum"] == new["checksum"],
            }
        )
    return {
        "before": {
            "commit": before["machine"].get("commit"),
            "machine": {name: before["machine"][name] for name in MACHINE},
        },
        "changes": changes,
        "warnings": warnings(before, now, then, here),
    }


def tells(*both: dict[str, Any]) -> bool:
    """Whether figures have a ratio: differences of few deals' times may be below 0."""
    return all(each["spread"][0] > 0 for each in both)


def warnings(before: dict, now: dict, then: dict, here: dict) -> list[str]:
    """What makes two measurements less alike than they look."""
    told = []
    for name in MACHINE:
        old, new = before["machine"][name], now["machine"][name]
        if old != new:
            told.append(f"{name} was {old}, is {new}")
    for name in SETTINGS:
        if before[name] != now[name]:
            told.append(f"{name} was {before[name]}, is {now[name]}")
    changed = [
        name
        for name in here
        if name in then and then[name]["checksum"] != here[name]["checksum"]
    ]
    if changed:
        told.append(f"not the same work: {', '.join(changed)}")
    blurred = [
        name for name in here if name in then and not tells(then[name], here[name])
    ]
    if blurred:
        told.append(f"too few deals to tell: {', '.join(blurred)}")
    missing = [*(then.keys() - here.keys()), *(here.keys() - then.keys())]
    if missing:
        told.append(f"measured only once: {', '.join(sorted(missing))}")
    return told


def comparison_text(compared: dict, path: Path) -> str:
    """The comparison for people."""
    commit = compared["before"]["commit"]
    lines = [
        f"against {path}" + (f" (commit {commit[:12]})" if commit else ""),
        f"{'times the floor':{NAME_WIDTH}}{'before':>10}{'now':>10}   now / before",
    ]
    for change in compared["changes"]:
        least, most = change["spread"]
        lines.append(
            f"{change['name']:{NAME_WIDTH}}{change['before']:>10.4g}"
            f"{change['now']:>10.4g}   {change['ratio']:.3f} "
            f"[{least:.3f}..{most:.3f}] {change['shown'] or ''}".rstrip()
        )
    lines += [f"Mind: {warning}." for warning in compared["warnings"]]
    return "\n".join(lines)
