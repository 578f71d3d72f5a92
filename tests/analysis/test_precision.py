"""When to stop: at the same deal however a run went, and with honest intervals."""

import json
from itertools import islice, pairwise

import numpy as np
import pytest
from click.testing import CliRunner
from stand_in import Game

from analysis import precision
from analysis.estimate import Estimate, mean, proportion
from analysis.labels import CAPTURE_RATE, DECLARERS_LEVELS, TAKE_OVER_RATE
from analysis.load import AnalysisError, open_runs
from analysis.precision import FEWEST, STEP, Wanted, estimate, looks, names, wanted
from cli import cli
from sim.driver import Played, play
from sim.task import make_task

TASK = make_task(policy="random")


def test_looks_are_at_fixed_places():
    found = list(islice(looks(), 100))
    assert found[0] == FEWEST
    for one, next_one in pairwise(found):
        assert next_one % STEP == 0
        assert STEP <= next_one - one <= max(STEP, one / 10 + STEP)
    for after in (0, 1, FEWEST, FEWEST + 1, 1_234_567):
        kept = [number for number in found if after <= number < 2_000_001]
        assert list(looks(after, 2_000_001)) == [*kept, 2_000_001]
    assert list(looks(10**6, 1000)) == [1000]


@pytest.fixture
def quick(monkeypatch):
    """Looks at 1,000 deals and every 500: the stand-in's rows are soon enough."""
    monkeypatch.setattr(precision, "FEWEST", 1000)
    monkeypatch.setattr(precision, "STEP", 500)


def run_until(folder, half: float, cap: int = 50_000, **how: object) -> Played:
    until = wanted(TASK.rules, half, how.pop("of", TAKE_OVER_RATE), folder)
    return play(TASK, folder, cap, player=Game(), until=until, **how)


def deals(folder) -> int:
    return open_runs(folder).deals


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize("keep", ["rows", "summary"])
def test_the_number_of_deals_depends_on_nothing_else(tmp_path, keep):
    """Not on threads, blocks, interruptions, or what was played before."""
    found = set()
    for number, how in enumerate(({}, {"threads": 3, "block": 77}, {"block": 4000})):
        folder = tmp_path / str(number)
        run_until(folder, 1.0, keep=keep, **how)
        found.add(deals(folder))
    for before in (1, 700, 1000, 5003):
        folder = tmp_path / f"resumed {before}"
        play(TASK, folder, before, player=Game(), keep=keep)  # as if interrupted
        run_until(folder, 1.0, keep=keep)
        found.add(deals(folder))
    run_until(folder, 3.0, keep=keep)
    found.add(deals(folder))
    (number,) = found
    assert number > 6000
    assert number in list(looks(0, 50_000))
    half = Wanted(1.0, TAKE_OVER_RATE, folder).half_of
    assert half(estimate(open_runs(folder), TAKE_OVER_RATE)) <= 1.0
    assert run_until(folder, 1.0, keep=keep).deals == 0
    assert deals(folder) == number
    *_, last = json.loads((folder / "task.json").read_text())["sessions"]
    assert last["precision"] == 1.0
    assert last["of"] == TAKE_OVER_RATE


@pytest.mark.usefixtures("quick")
def test_never_before_the_first_look_nor_beyond_the_cap(tmp_path):
    run_until(tmp_path / "easy", 50.0)
    assert deals(tmp_path / "easy") == 1000
    run_until(tmp_path / "hard", 0.01, cap=2345)
    assert deals(tmp_path / "hard") == 2345
    assert run_until(tmp_path / "hard", 0.01, cap=2345).deals == 0
    assert run_until(tmp_path / "hard", 0.01, cap=2000).deals == 0
    told = Wanted(0.01, TAKE_OVER_RATE, tmp_path / "hard").sentence()
    assert told.startswith("Precision not reached before -n: take-over rate +-")
    assert "after 2,345 deals" in told


def test_every_name_is_an_estimate(tmp_path):
    play(TASK, tmp_path, 500, player=Game())
    run = open_runs(tmp_path)
    for name in names(TASK.rules):
        assert isinstance(estimate(run, name), Estimate)
    assert {TAKE_OVER_RATE, DECLARERS_LEVELS, CAPTURE_RATE} < set(names(TASK.rules))
    with pytest.raises(AnalysisError, match=r"no estimate 'luck'; allowed: take-over"):
        wanted(TASK.rules, 1.0, "luck", tmp_path)


@pytest.mark.parametrize("half", ["0", "-1", "nan", "inf", "x"])
def test_a_half_width_that_is_none(tmp_path, half):
    words = ["run", "-o", str(tmp_path / "run"), "--precision", half]
    result = CliRunner().invoke(cli, words)
    assert result.exit_code == 2
    assert not (tmp_path / "run").exists()


# --- coverage at the stopping time ----------------------------------------------------


def stopping(draw, estimated, half: float, unit: float = 1.0) -> Estimate:
    """One sequential run: counts of each value at every look, until it is enough."""
    goal = Wanted(half, TAKE_OVER_RATE if unit == 100 else "mean", None)
    counts, reached = 0, 0
    for look in looks(0, 10**8):
        counts = counts + draw(look - reached)
        reached = look
        if goal.reached(it := estimated(counts)):
            return it
    raise AssertionError("not reached")


def coverage(truth: float, runs: list[Estimate]) -> float:
    return sum(it.low <= truth <= it.high for it in runs) / len(runs)


REPLICATIONS = 4000
# Three standard errors of the share of 4,000 intervals that miss.
SLACK = 3 * (0.95 * 0.05 / REPLICATIONS) ** 0.5


@pytest.mark.slow
@pytest.mark.parametrize("share", [0.5, 0.1, 0.01, 0.001])
@pytest.mark.parametrize("looks_passed", [3, 20])
def test_coverage_of_shares_at_the_stopping_time(share, looks_passed):
    rng = np.random.default_rng([looks_passed, int(1000 * share)])
    half = 100 * 1.96 * (share * (1 - share) / (FEWEST + STEP * looks_passed)) ** 0.5

    def draw(number: int) -> np.ndarray:
        hits = rng.binomial(number, share)
        return np.array([hits, number])

    runs = [
        stopping(draw, lambda it: proportion(*it), half, 100)
        for _ in range(REPLICATIONS)
    ]
    assert abs(coverage(share, runs) - 0.95) < SLACK


@pytest.mark.slow
@pytest.mark.parametrize(("tail", "less"), [(0.3, 0), (0.02, 0), (0.002, 0.015)])
def test_coverage_of_skewed_means_at_the_stopping_time(tail, less):
    """Mostly nothing, and with chance `tail` up to a hundred: the spread is unsure.

    Of rare contributions it is missed more often, as `analysis.precision` says.
    """
    rng = np.random.default_rng(int(1000 * tail))
    values = np.array([0, 1, 5, 20, 100])
    chances = np.array([1 - tail, *(tail * np.array([0.6, 0.3, 0.09, 0.01]))])
    truth = values @ chances
    spread = ((values - truth) ** 2 @ chances) ** 0.5
    half = 1.96 * spread / (FEWEST + 10 * STEP) ** 0.5
    runs = [
        stopping(
            lambda number: rng.multinomial(number, chances),
            lambda it: mean(values, it, (0, 100)),
            half,
        )
        for _ in range(REPLICATIONS)
    ]
    assert abs(coverage(truth, runs) - 0.95 + less) < SLACK
