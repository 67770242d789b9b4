"""Rows of several seeds as means and spreads."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np

from scumble.errors import SpecificationError
from scumble.experiments._tree_accuracy import ALGORITHMS, AlgorithmName, NoiseName, TreeRow

#: A function, an algorithm, a noise and a privacy: what seeds are averaged over.
Case = tuple[int, AlgorithmName, NoiseName | None, float]


@dataclass(frozen=True)
class Points:
    """A mean over seeds and its spread, in percentage points.

    Attributes
    ----------
    mean : float
        The mean.
    spread : float
        The standard deviation over seeds; nan for a single seed.

    Examples
    --------
    >>> from scumble.experiments import Points
    >>> print(Points.over([0.91, 0.92, 0.93]))
    92.0 ±1.0
    """

    mean: float
    spread: float

    @classmethod
    def over(cls, shares: Sequence[float]) -> "Points":
        """Return the summary of a share for each seed."""
        spread = float(np.std(shares, ddof=1)) if len(shares) > 1 else math.nan
        return cls(100 * float(np.mean(shares)), 100 * spread)

    def __str__(self) -> str:
        return f"{self.mean:.1f}" + ("" if math.isnan(self.spread) else f" ±{self.spread:.1f}")


class Accuracies:
    """The accuracies in rows, looked up by case and compared seed by seed.

    Examples
    --------
    >>> from scumble.experiments import Accuracies, TreeRow
    >>> rows = [TreeRow(1, "ByClass", "uniform", 1.0, seed, 1000, share, 5, 0.1)
    ...     for seed, share in [(1, 0.97), (2, 0.99)]]
    >>> print(Accuracies(rows).of(1, "ByClass", "uniform", 1.0))
    98.0 ±1.4
    """

    def __init__(self, rows: Sequence[TreeRow]) -> None:
        if len({row.n for row in rows}) > 1:
            raise SpecificationError(
                "rows: expected one number of training records, got several; summarise each apart"
            )
        self._by_seed: dict[Case, dict[int, float]] = {}
        for row in rows:
            case: Case = (row.function, row.algorithm, row.noise, row.privacy)
            self._by_seed.setdefault(case, {})[row.seed] = row.accuracy

    @property
    def functions(self) -> list[int]:
        """The functions, in order."""
        return sorted({function for function, *_ in self._by_seed})

    @property
    def privacies(self) -> list[float]:
        """The levels of privacy, in order, without that of Original."""
        return sorted({privacy for *_, privacy in self._by_seed if privacy})

    def has(self, *cases: Case) -> bool:
        """Tell whether all of these were measured."""
        return all(case in self._by_seed for case in cases)

    def of(
        self, function: int, algorithm: AlgorithmName, noise: NoiseName | None, privacy: float
    ) -> Points:
        """Return the accuracy of one case."""
        return Points.over(list(self._by_seed[function, algorithm, noise, privacy].values()))

    def between(self, case: Case, other: Case) -> Points:
        """Return how much higher the one accuracy is than the other, on the same seeds."""
        return self.mean_between([(case, other)])

    def mean_between(self, pairs: Sequence[tuple[Case, Case]]) -> Points:
        """Return how much higher the first accuracies are, on average over the pairs."""
        by_seed = [(self._by_seed[case], self._by_seed[other]) for case, other in pairs]
        seeds = {tuple(sorted(found)) for both in by_seed for found in both}
        if len(seeds) != 1:
            raise SpecificationError("rows: expected the same seeds in all, got others; add them")
        differences = [
            [ours[seed] - theirs[seed] for ours, theirs in by_seed] for seed in next(iter(seeds))
        ]
        return Points.over(np.mean(differences, axis=1).tolist())


def accuracy_table(rows: Sequence[TreeRow]) -> str:
    """Return the mean accuracies in percent, with their spread, as plain text.

    A line for each algorithm, noise and privacy; a column for each function, five of
    which fit into 80 characters.

    Examples
    --------
    >>> from scumble.experiments import TreeRow, accuracy_table
    >>> print(accuracy_table([
    ...     TreeRow(1, "Original", None, 0.0, 1, 1000, 0.99, 3, 0.1),
    ...     TreeRow(1, "ByClass", "uniform", 1.0, 1, 1000, 0.97, 5, 0.1),
    ...     TreeRow(2, "ByClass", "uniform", 1.0, 1, 1000, 0.75, 5, 0.1)]))
    algorithm  noise      %          F1         F2
    Original                       99.0
    ByClass    uniform  100        97.0       75.0
    """
    found = Accuracies(rows)
    lines = [_line("algorithm", "noise", "%", [f"F{f}" for f in found.functions])]
    noises: tuple[NoiseName | None, ...] = (None, "gaussian", "uniform")
    for algorithm, noise, privacy in product(ALGORITHMS, noises, [0.0, *found.privacies]):
        cases = [(f, algorithm, noise, privacy) for f in found.functions]
        figures = [str(found.of(*case)) if found.has(case) else "" for case in cases]
        if any(figures):
            percent = f"{100 * privacy:g}" if noise else ""
            lines.append(_line(algorithm, noise or "", percent, figures))
    return "\n".join(lines)


def _line(algorithm: str, noise: str, percent: str, figures: Sequence[str]) -> str:
    return f"{algorithm:10} {noise:8}{percent:>4}" + "".join(f"{f:>11}" for f in figures)
