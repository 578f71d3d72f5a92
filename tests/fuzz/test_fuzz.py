"""Inputs that a stranger or an accident might write: never a traceback, a hang, or a
file half-written; what is refused is refused by one clear sentence."""

import pytest
from hypothesis import HealthCheck, Phase, given, seed, settings
from kinds import KINDS, Kind
from luck import drawn


def fuzz(kind: Kind, examples: int, number: int | None = None) -> None:
    """Check so many examples of a kind: the same ones each time, or those of a seed."""

    @settings(
        max_examples=examples,
        derandomize=number is None,
        database=None,
        deadline=None,  # a hang ends by `inside`; no other time is asserted
        suppress_health_check=list(HealthCheck),
        phases=(Phase.generate, Phase.shrink),
    )
    @given(drawn(kind.make))
    def check(example: object) -> None:
        kind.check(example)

    (check if number is None else seed(number)(check))()


@pytest.mark.parametrize("name", KINDS)
def test_fuzz(name, workplace, monkeypatch, request):
    monkeypatch.chdir(workplace)
    wanted = request.config.getoption("--fuzz")
    examples = wanted or KINDS[name].examples
    fuzz(KINDS[name], examples, number=wanted)
