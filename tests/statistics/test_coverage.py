"""95 % intervals of `analysis` hold the long-run value as often as they say.

Every estimator, with the values and the bounds that the commands give it, on deals and
matches that were really played: see `covering`. What the intervals of few deals cannot
do is told in the docstrings of `analysis.estimate`. The quick form takes samples of one
size of a smaller pool.
"""

import math
from functools import cache

import pytest
from chance import LIMIT
from covering import Coverage, Deals, Matches, cover, play_deals, play_matches

from analysis import estimate

DEALS, DEALS_EACH, MOST_SAMPLES = 200_000, 200, 1_000
FAULT_SAMPLES = 400
MATCHES, MATCHES_EACH = 8_000, 20
MORE_DEALS, MORE_MATCHES = 4_000_000, 100_000
LEAST = 0.935
# Whose interval never is much longer than it must be either: the others are of rare
# things, or jump from one whole number to the next.
CLOSE = (
    *("levels: mean total", "levels: mean trick points", "levels: take-over rate"),
    *("levels: mean levels gained by the declarers", "compare: own: spread"),
    *("matches: deals", "matches: take-over rate", "matches: mean total, tables"),
    "matches: capture rate, tables",
)
MOST = 0.965


def of_at_most(held: int, samples: int, share: float) -> float:
    """Chance that so few or fewer of some samples are held, each with some chance."""
    tail = 0.0
    for number in range(held, -1, -1):
        ways = math.lgamma(samples + 1)
        ways -= math.lgamma(number + 1) + math.lgamma(samples - number + 1)
        missed = (samples - number) * math.log(1 - share)
        term = math.exp(ways + number * math.log(share) + missed)
        tail += term
        if term < tail * 1e-9:
            break
    return min(1.0, tail)


def wrong(found: dict[str, Coverage]) -> dict[str, str]:
    """Those that hold the value too seldom for chance, or much too often."""
    told = {}
    for name, it in found.items():
        missed = it.samples - it.held
        if of_at_most(it.held, it.samples, LEAST) < LIMIT or (
            name in CLOSE and of_at_most(missed, it.samples, 1 - MOST) < LIMIT
        ):
            told[name] = f"{it.share:.1%} of {it.samples}"
    return told


@cache
def deals(number: int) -> Deals:
    return play_deals(number)


@cache
def matches(number: int) -> Matches:
    return play_matches(number)


def of_deals(number: int, each: int, most: int) -> dict[str, Coverage]:
    return cover(deals(number).of, number, each, most)


def of_matches(number: int, each: int, most: int) -> dict[str, Coverage]:
    return cover(matches(number).of, number, each, most)


def test_intervals_over_deals():
    found = of_deals(DEALS, DEALS_EACH, MOST_SAMPLES)
    assert wrong(found) == {}
    assert len(found) > 55


def test_intervals_over_matches():
    found = of_matches(MATCHES, MATCHES_EACH, MOST_SAMPLES)
    few = of_few(MATCHES_EACH)
    assert wrong({name: it for name, it in found.items() if name not in few}) == {}
    assert len(found) >= 50


def of_few(each: int) -> set[str]:
    """What so few matches cannot tell: an end at 10 % takes 35 to be found."""
    return {f"matches: quantile {it}%" for it in (10, 90)} if each < 35 else set()


def shortened(it: estimate.Estimate) -> estimate.Estimate:
    """An interval three fifths as long."""
    return it._replace(
        low=it.value - 0.6 * (it.value - it.low),
        high=it.value + 0.6 * (it.high - it.value),
    )


ESTIMATORS = {
    "proportion": "levels: take-over rate",
    "mean": "levels: mean total",
    "spread": "compare: own: spread",
    "paired_mean": "compare: table minus own: down",
    "paired_spread": "compare: table minus own: spread",
    "paired_proportion": "matches: first side wins, tables",
    "ratio": "matches: capture rate",
    "paired_ratio": "matches: mean total, tables",
}


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_intervals_that_are_too_short_are_seen(estimator, monkeypatch):
    right = getattr(estimate, estimator)

    def short(*given: object, **named: object) -> estimate.Estimate:
        return shortened(right(*given, **named))

    monkeypatch.setattr(estimate, estimator, short)
    name = ESTIMATORS[estimator]
    told = of_matches if name.startswith("matches") else of_deals
    sizes = (MATCHES, MATCHES_EACH) if told is of_matches else (DEALS, DEALS_EACH)
    assert name in wrong(told(*sizes, FAULT_SAMPLES))


@pytest.mark.slow
@pytest.mark.parametrize("each", [50, 200, 1_000, 10_000])
def test_intervals_over_many_deals(each):
    found = of_deals(MORE_DEALS, each, 4_000)
    few = {"compare: table minus own: spread"} if each < 200 else set()
    assert wrong({name: it for name, it in found.items() if name not in few}) == {}


@pytest.mark.slow
@pytest.mark.parametrize("each", [50, 200, 1_000])
def test_intervals_over_many_matches(each):
    assert wrong(of_matches(MORE_MATCHES, each, 4_000)) == {}
