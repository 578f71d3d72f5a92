"""Mean and squares of what was counted: exact of whole numbers, however many."""

import numpy as np

EXACT = 2**53  # whole numbers below it are exact as floats


def moments(values: np.ndarray, counts: np.ndarray) -> tuple[float, float]:
    """The mean, and the sum of squares about it.

    Of whole numbers both are exact but for one rounding at the end, whatever the number
    of deals: so they do not depend on how counts were split or in what order they come.
    """
    n = int(counts.sum())
    if (
        len(values)
        and np.abs(values).max() < EXACT
        and (values == np.rint(values)).all()
    ):
        whole = values.astype(np.int64)
        total, squares = _dot(whole, counts), _dot(whole, counts, squared=True)
        return total / n, (n * squares - total * total) / n
    value = float(values @ counts) / n
    return value, float((values - value) ** 2 @ counts)


def _dot(values: np.ndarray, counts: np.ndarray, squared: bool = False) -> int:
    """Exact sum of whole numbers, or of their squares, each as often as it counts."""
    power = 2 if squared else 1
    if int(np.abs(values).max()) ** power * int(counts.sum()) < 2**63:
        return int(values**power @ counts)
    pairs = zip(values.tolist(), counts.tolist(), strict=True)
    return sum(value**power * count for value, count in pairs)
