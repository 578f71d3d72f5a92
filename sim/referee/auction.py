"""The auction (叫分) of targets that makes the declarer in some variants."""

from collections.abc import Mapping, Sequence
from typing import Any

from sim.referee.fault import Broken
from sim.referee.score import Rules, take_over_bound

LOWEST = STEP = 5


def replay_auction(
    rules: Rules, calls: Sequence[Mapping[str, Any]], first: int
) -> tuple[int, int]:
    """Follow the auction from the first drawer; return (declarer, target)."""
    bound = take_over_bound(rules)
    waiting = [(first + turn) % 4 for turn in range(4)]  # the next to speak first
    caller: int | None = None
    target = bound
    for call in calls:
        if not waiting or waiting == [caller]:
            raise Broken(f"seat {call['seat']} calls after the auction has ended")
        seat = waiting.pop(0)
        if call["seat"] != seat:
            raise Broken(f"seat {call['seat']} calls in the auction on {seat}'s turn")
        if call["kind"] == "pass":
            continue
        if call["kind"] != "target":
            raise Broken(f"{call['kind']!r} is no call of an auction: target or pass")
        highest = bound if caller is None else target - STEP
        if call["target"] % STEP or not LOWEST <= call["target"] <= highest:
            raise Broken(
                f"seat {seat} calls the target {call['target']}, allowed are multiples"
                f" of {STEP} from {LOWEST} to {highest}"
            )
        caller, target = seat, call["target"]
        waiting.append(seat)
    if waiting and waiting != [caller]:
        raise Broken(f"the auction stops before seat {waiting[0]} has spoken")
    return (first if caller is None else caller), target
