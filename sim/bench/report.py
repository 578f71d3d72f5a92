"""What `shengji bench` measures, as numbers and in words."""

from statistics import median

from sim.bench.deals import ROUNDS, WRITING, measure
from sim.bench.kernels import DEALS, SETTINGS, measure_kernels
from sim.progress import ProgressLine
from sim.provenance import provenance
from sim.table import PARTS
from sim.task import level_word, make_task

POLICIES = ("random", "textbook")
KERNEL_ROUNDS = 7
MEDIAN_WIDTH, CELL_WIDTH = 10, 32  # of a median; with its spread


def bench(deals: int, line: ProgressLine) -> dict:
    """Measure each policy: what `shengji bench --json` prints.

    Parameters
    ----------
    deals : int
        Deals of a round.
    line : ProgressLine
        Told what is being done.
    """
    tasks = {policy: make_task(**SETTINGS, policy=policy) for policy in POLICIES}
    task = tasks[POLICIES[0]]
    machine = provenance()
    del machine["started"]
    return {
        "machine": machine,
        "variant": task.rules.name,
        "level": level_word(task.level),
        "mode": "first" if task.first_deal else "later",
        "seed": task.seed,
        "deals": deals,
        "rounds": ROUNDS,
        "policies": [
            {"policy": policy, **measure(policy, task, deals, line)}
            for policy, task in tasks.items()
        ],
        "kernels": [
            figure._asdict()
            for figure in measure_kernels(DEALS, KERNEL_ROUNDS, line.doing)
        ],
    }


def bench_text(measured: dict) -> str:
    """The same for people: a column for each policy."""
    machine, policies = measured["machine"], measured["policies"]
    rows = [
        ("", [f"{each['policy']:>{MEDIAN_WIDTH}}" for each in policies]),
        ("ns a deal", _cells("ns_per_deal", policies)),
        ("  times the floor", _cells("times_floor", policies, 1)),
        ("ns a card played", _cells("ns_per_card_played", policies)),
        ("deals/s on one core", _cells("deals_per_second_one_core", policies)),
        (
            f"deals/s on all {machine['cores']} cores",
            _cells("deals_per_second_all_cores", policies),
        ),
        ("ns a deal more in a run", _cells("run_ns_per_deal", policies)),
        ("  times the floor", _cells("run_times_floor", policies, 1)),
        ("share of a deal", [""] * len(policies)),
        *(
            (
                f"  {part}",
                [
                    f"{each['share_of_time'][part]:>{MEDIAN_WIDTH}.1%}"
                    for each in policies
                ],
            )
            for part in (*PARTS, WRITING)
        ),
    ]
    floor_ns = median(each["floor_ns_per_deal"] for each in policies)
    versions = " · ".join(
        f"{name} {machine[name]}" for name in ("python", "numba", "numpy", "pyarrow")
    )
    return "\n".join(
        (
            f"{measured['variant']} · level {measured['level']} · "
            f"{measured['mode']} deals · seed {measured['seed']} · medians of "
            f"{measured['rounds']} rounds of {measured['deals']:,} deals",
            f"{machine['cpu']} · {machine['cores']} cores · {machine['platform']}",
            versions,
            "",
            *(
                (f"{told:24}" + "".join(f"{it:{CELL_WIDTH}}" for it in cells)).rstrip()
                for told, cells in rows
            ),
            "",
            f"The floor, {floor_ns:,.0f} ns: two decks shuffled and dealt, just before "
            "and after.",
            "ns a deal: played, and its row written. In a run, on one thread: (time of",
            "2 N deals - time of N) / N. In brackets: least..most of the rounds.",
            "",
            f"{'a kernel, on positions of played deals':40}{'ns':>10}  times the floor",
            *(kernel_line(each) for each in measured["kernels"]),
        )
    )


def kernel_line(figure: dict) -> str:
    """One kernel's times."""
    least, most = figure["spread"]
    told = f"{figure['name']}, a {figure['unit']}"
    return (
        f"{told:40}{figure['ns']:>10,.1f}  {figure['times_floor']:.4f} "
        f"[{least:.4f}..{most:.4f}]"
    )


def _cells(name: str, policies: list[dict], digits: int = 0) -> list[str]:
    """The median of each policy, and the least and the most where they are known."""
    cells = []
    for each in policies:
        cell = f"{each[name]:>{MEDIAN_WIDTH},.{digits}f}"
        if name in each["spread"]:
            least, most = each["spread"][name]
            cell += f" [{least:,.{digits}f}..{most:,.{digits}f}]"
        cells.append(cell)
    return cells
