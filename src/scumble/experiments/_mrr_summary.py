"""Rows of many repeats as means and variances."""

import math
from collections.abc import Callable, Sequence
from itertools import product

import numpy as np
from numpy.typing import NDArray

from scumble.errors import SpecificationError
from scumble.experiments._mrr_case import MRR_METHODS, MrrMethod, MrrRow, groups_as_text
from scumble.experiments._mrr_tables import BINARY_TABLES, BinaryTableName
from scumble.experiments._tree_summary import Points

#: A data set, a method, a number of groups and a coin: what repeats are averaged over.
MrrPoint = tuple[BinaryTableName, MrrMethod, int, float]


class MrrAccuracies:
    """The accuracies in rows, looked up by what was compared, repeat by repeat.

    Examples
    --------
    >>> from scumble.experiments import MrrAccuracies, MrrRow
    >>> rows = [MrrRow("votes", "inversion", 2, 0.7, seed, share, 5, 0.1)
    ...     for seed, share in [(1, 0.88), (2, 0.90)]]
    >>> found = MrrAccuracies(rows)
    >>> print(found.of("votes", "inversion", 2, 0.7))
    89.0 ±1.4
    >>> round(found.variance("votes", "inversion", 2, 0.7), 4)
    0.0002
    """

    def __init__(self, rows: Sequence[MrrRow]) -> None:
        self._by_seed: dict[MrrPoint, dict[int, float]] = {}
        for row in rows:
            point: MrrPoint = (row.dataset, row.method, row.groups, row.keep)
            self._by_seed.setdefault(point, {})[row.seed] = row.accuracy

    @property
    def datasets(self) -> list[BinaryTableName]:
        """The data sets, in the order of the paper."""
        return [name for name in BINARY_TABLES if any(name == p[0] for p in self._by_seed)]

    @property
    def groups(self) -> list[int]:
        """The numbers of groups, in order, without the 0 of clean."""
        return sorted({groups for _, _, groups, _ in self._by_seed if groups})

    @property
    def keeps(self) -> list[float]:
        """The coins, in order."""
        return sorted({keep for _, method, _, keep in self._by_seed if method != "clean"})

    def has(self, *points: MrrPoint) -> bool:
        """Tell whether all of these were measured."""
        return all(point in self._by_seed for point in points)

    def of(self, dataset: BinaryTableName, method: MrrMethod, groups: int, keep: float) -> Points:
        """Return the accuracy of one case, mean and standard deviation over repeats."""
        return Points.over(list(self._by_seed[dataset, method, groups, keep].values()))

    def variance(
        self, dataset: BinaryTableName, method: MrrMethod, groups: int, keep: float
    ) -> float:
        """Return the variance of the accuracy, a share, over repeats; nan for one repeat."""
        return (self.of(dataset, method, groups, keep).spread / 100) ** 2

    def by_repeat(self, *points: MrrPoint) -> NDArray[np.float64]:
        """Return a column of accuracies for each of these, a line for each repeat."""
        chosen = [self._by_seed[point] for point in points]
        seeds = sorted(chosen[0])
        if any(sorted(found) != seeds for found in chosen):
            raise SpecificationError("rows: expected the same seeds in all, got others; add them")
        return np.array([[found[seed] for found in chosen] for seed in seeds])


def mean_with_error(shares: NDArray[np.float64]) -> Points:
    """Return a mean over repeats with twice its standard error, in points.

    Examples
    --------
    >>> print(mean_with_error(np.array([0.01, 0.03, 0.01, 0.03])))
    2.0 ±1.2
    """
    point = Points.over(shares.tolist())
    return Points(point.mean, 2 * point.spread / math.sqrt(len(shares)))


def jackknifed(
    statistic: Callable[[NDArray[np.float64]], float], repeats: NDArray[np.float64]
) -> Points:
    """Return a statistic of repeats with twice its standard error, in points.

    Examples
    --------
    >>> shares = np.array([[0.01], [0.03], [0.01], [0.03]])
    >>> print(jackknifed(lambda sample: float(sample.mean()), shares))
    2.0 ±1.2

    Notes
    -----
    The standard error is that of the jackknife: the statistic is computed again with each
    repeat left out.
    """
    n = len(repeats)
    whole = 100 * float(statistic(repeats))
    if n < 3:
        return Points(whole, math.nan)
    others = [100 * float(statistic(np.delete(repeats, i, axis=0))) for i in range(n)]
    return Points(whole, 2 * math.sqrt((n - 1) * float(np.var(others))))


def mrr_table(rows: Sequence[MrrRow]) -> str:
    """Return the mean accuracies in percent, with their spread, as plain text.

    A line for each data set, method and coin; a column for each number of groups. The
    spread is the standard deviation over repeats: the variance is its square.

    Examples
    --------
    >>> from scumble.experiments import MrrRow, mrr_table
    >>> print(mrr_table([
    ...     MrrRow("votes", "clean", 0, 1.0, 1, 0.95, 9, 0.1),
    ...     MrrRow("votes", "inversion", 1, 0.7, 1, 0.91, 9, 0.1),
    ...     MrrRow("votes", "inversion", 2, 0.7, 1, 0.89, 9, 0.1)]))
    data set       method              keep     1 group   2 groups
    votes          clean                           95.0
    votes          inversion            0.7        91.0       89.0
    """
    found = MrrAccuracies(rows)
    lines = [_line("data set", "method", "keep", [groups_as_text(g) for g in found.groups])]
    for dataset, method in product(found.datasets, MRR_METHODS):
        if method == "clean":
            if found.has((dataset, "clean", 0, 1.0)):
                lines.append(_line(dataset, "clean", "", [str(found.of(dataset, "clean", 0, 1.0))]))
            continue
        for keep in found.keeps:
            points: list[MrrPoint] = [(dataset, method, groups, keep) for groups in found.groups]
            figures = [str(found.of(*point)) if found.has(point) else "" for point in points]
            if any(figures):
                lines.append(_line(dataset, method, f"{keep:g}", figures))
    return "\n".join(lines)


def _line(dataset: str, method: str, keep: str, figures: Sequence[str]) -> str:
    return f"{dataset:14} {method:18}{keep:>6} " + "".join(f"{f:>11}" for f in figures)
