"""Randomized response: a truth is kept, or a value of known odds is reported."""

import math
from abc import abstractmethod
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from scumble.entropy import Stream
from scumble.schema import CellSet, Domain, Mechanism


class Response(Mechanism):
    """A channel of the form *a on the diagonal, plus b for each report*.

    Every categorical mechanism here is of this form, so that a million categories
    need two numbers and no matrix.
    """

    kinds: ClassVar[tuple[str, ...]] = ("categorical",)

    @abstractmethod
    def mixture(self, domain: Domain) -> tuple[float, NDArray[np.float64]]:
        """Return a and b: P(report | truth) = a [report = truth] + b[report]."""

    def report_domain(self, domain: Domain) -> Domain:
        return domain.told

    def report_cells(self, domain: Domain, truth: CellSet) -> CellSet:
        return truth

    def matrix(self, domain: Domain, truth: CellSet, report: CellSet) -> NDArray[np.float64]:
        kept, base = self.mixture(domain)
        matrix = np.tile(base, (len(truth), 1))
        np.fill_diagonal(matrix, kept + base)
        return matrix

    def epsilon_on(self, domain: Domain) -> float:
        kept, base = self.mixture(domain)
        if base.min() == 0 or (kept + base).min() <= 0:
            return math.inf
        return float(np.abs(np.log((kept + base) / base)).max())

    def interval_privacy(self, domain: Domain, *, confidence: float = 0.95) -> None:
        return None


def keep_missing(reports: NDArray[Any], truth: NDArray[Any]) -> NDArray[Any]:
    """Return the reports, missing where the truth is."""
    return np.where(truth < 0, truth, reports).astype(truth.dtype, copy=False)


def scaled_keep(keep: float, factor: float) -> float:
    """Return the probability of the truth when that of a lie is multiplied."""
    return min(1.0, max(0.0, 1 - (1 - keep) * factor))


def told(draw: Stream, count: int, keep: float) -> NDArray[np.bool_]:
    """Return for each record whether its coin says to tell the truth."""
    return draw.uniform(count) < keep
