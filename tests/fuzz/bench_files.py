"""Files of `bench --save`, changed; nothing is measured here."""

import json
from pathlib import Path
from typing import Any
from unittest import mock

from inside import check_outcome, shengji
from luck import Luck
from mutate import JSON_ONLY, ODD_VALUES, json_text, mutate, mutate_bytes

from sim.bench import report
from sim.bench.saved import FORMAT, MACHINE, OF_A_POLICY

MEASURED = {
    "machine": {**dict.fromkeys(MACHINE, "some"), "cores": 2, "commit": "0" * 40},
    **{"variant": "menghuan", "level": "all", "mode": "later", "seed": 1},
    **{"deals": 20_000, "rounds": 5},
    "policies": [
        {
            "policy": policy,
            **dict.fromkeys(OF_A_POLICY, 7.5),
            "spread": {key: [7.0, 8] for key in OF_A_POLICY},
        }
        for policy in ("random", "textbook")
    ],
    "kernels": [
        {"name": name, "times_floor": 0.5, "spread": [0.4, 0.6], "checksum": 2**63}
        for name in ("shuffle", "follow")
    ],
}


def bench_file(luck: Luck) -> bytes:
    text = json_text(
        mutate({"format": FORMAT, **MEASURED}, luck, (*ODD_VALUES, *JSON_ONLY))
    ).encode("utf-8", "surrogatepass")
    return mutate_bytes(text, luck) if luck.one_in(4) else text


def check_bench_file(text: bytes) -> None:
    """A file is refused before the measuring, or compared with what was measured."""
    path = Path("bench.json")
    path.unlink(missing_ok=True)
    path.write_bytes(text)
    with (
        mock.patch.object(report, "bench", return_value=MEASURED),
        mock.patch.object(report, "bench_text", str),
    ):
        outcome = shengji("bench", "--against", str(path), "--json")
        check_outcome(outcome)
        check_outcome(shengji("bench", "--against", str(path)), (outcome.code,))
    if outcome.code == 0:
        told: Any = json.loads(outcome.out)["against"]
        assert all(change["ratio"] > 0 for change in told["changes"]), told
