"""Checking a file of deal records: by the rules, and by playing the deals again.

The rules are the referee's, in plain Python. Playing again says more: that this very
version of the simulator, given the record's seed and index, still writes this line.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from kernels.codes import LOWEST_LEVEL
from sim.option_values import RulesError, did_you_mean, shown
from sim.options import OPTIONS
from sim.plain import quoted
from sim.referee.fault import Broken, Fault
from sim.referee.replay import deal_name, verify_each
from sim.rules import PRESETS, Rules, preset_options, resolved_options

if TYPE_CHECKING:
    from sim.record import Recorder

CUSTOM = "custom"


class VerifyError(ValueError):
    """Records that cannot be checked: one sentence that says why."""


def check_lines(lines: Iterable[str], replay: bool) -> Iterator[str | None]:
    """For each line what is wrong with it, as `line N: deal I: trick T: what`."""
    replayer = Replayer() if replay else None
    for number, record, fault in verify_each(lines, check_variant):
        if fault is None and replayer is not None:
            what = replayer.difference(record)
            if what is not None:
                fault = Fault(None, what, deal_name(record))
        yield None if fault is None else f"line {number}: {fault}"


def check_variant(record: Mapping[str, Any]) -> None:
    """Refuse rules that nobody can play, and a name that is not theirs."""
    try:
        options = resolved_options(record["rules"])
    except RulesError as error:
        raise Broken(f"rules: {error}") from None
    name = record["variant"]
    known = (*PRESETS, CUSTOM)
    if name not in known:
        raise Broken(
            f"variant is {quoted(name)}{did_you_mean(name, known)}, allowed is "
            f"{', '.join(known)}"
        )
    if name == CUSTOM:
        return
    preset = preset_options(name, options["decks"])
    for option in OPTIONS:
        if options[option.name] != preset[option.name]:
            raise Broken(
                f"rules.{option.name} is not {shown(preset[option.name])}, as the "
                f"variant {name!r} has it"
            )


class Replayer:
    """Plays recorded deals again; keeps what it needs for the next one of a task."""

    def __init__(self) -> None:
        self.task: dict[str, Any] | None = None
        self.recorder: Recorder | None = None
        self.match: tuple[int, list[dict[str, Any]]] | None = None  # the last one

    def difference(self, record: dict[str, Any]) -> str | None:
        """How a record that keeps the rules differs from the deal played now."""
        from sim.record import RecordError  # loads numba: only where it is asked for
        from sim.task import STREAM_VERSION

        if record["stream_version"] != STREAM_VERSION:
            return (
                f"stream_version is {record['stream_version']}, this version of "
                f"shengji plays {STREAM_VERSION}"
            )
        try:
            played = self.played(record)
        except (RecordError, VerifyError) as error:
            return str(error)
        for key, value in played.items():
            # The rules were read from this very record; they may be spelt otherwise.
            if key != "rules" and record[key] != value:
                return f"{key} differs from the deal played again"
        return None

    def played(self, record: dict[str, Any]) -> dict[str, Any]:
        """The record of the same deal, played now."""
        recorder = self.recorder_of(record)
        if record["match"] is None:
            return recorder.deal(record["index"])
        if self.match is None or self.match[0] != record["match"]:
            self.match = (record["match"], list(recorder.match(record["match"])))
        deals = self.match[1]
        if record["deal"] >= len(deals):
            raise VerifyError(
                f"deal is {record['deal']}: the match played again is over after "
                f"{len(deals)} deals"
            )
        return deals[record["deal"]]

    def recorder_of(self, record: dict[str, Any]) -> "Recorder":
        """The recorder of a record's task."""
        from sim.policies.catalog import PolicyError, setting_of
        from sim.record import Recorder
        from sim.task import Task, TaskError

        in_match = record["match"] is not None
        keys = ["rules", "seed", "policies", "policy_parameters"]
        task = {key: record[key] for key in keys}
        task["matches"] = in_match
        if not in_match:
            task["levels"] = record["levels"]
            task["first_deal"] = record["declarer_before"] is None
        if task == self.task and self.recorder is not None:
            return self.recorder
        alone = len(set(record["levels"])) == 1
        alone = alone and record["declarer_before"] in (None, 0)
        if not in_match and not alone:
            raise VerifyError(
                "cannot be played again: a deal by itself has all at one level, and "
                "seat 0 for its declarer unless it is a first deal"
            )
        try:
            recorder = Recorder(
                Task(
                    rules=Rules.from_dict(record["rules"]),
                    policies=tuple(
                        setting_of(name, values)
                        for name, values in zip(
                            record["policies"], record["policy_parameters"], strict=True
                        )
                    ),
                    level=LOWEST_LEVEL if in_match else record["levels"][0],
                    first_deal=in_match or record["declarer_before"] is None,
                    seed=record["seed"],
                    matches=in_match,
                )
            )
        except (RulesError, PolicyError, TaskError) as error:
            raise VerifyError(f"cannot be played again: {error}") from None
        self.task, self.recorder, self.match = task, recorder, None
        return recorder
