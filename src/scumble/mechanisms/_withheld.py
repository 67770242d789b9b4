"""A withheld attribute: no report at all."""

import math
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from scumble.entropy import Stream
from scumble.schema import Categorical, CellSet, Domain, Mechanism, Silence
from scumble.schema._cells import MISSING
from scumble.schema._parameters import share


@dataclass(frozen=True, kw_only=True)
class Withheld(Mechanism):
    """Every report is missing.

    Examples
    --------
    >>> from scumble import Numeric
    >>> from scumble.mechanisms import Withheld
    >>> Withheld().epsilon_on(Numeric(0, 1))
    0.0
    """

    name: ClassVar[str] = "withheld"
    kinds: ClassVar[tuple[str, ...]] = ("numeric", "date", "categorical")

    def report_domain(self, domain: Domain) -> Domain:
        return domain.told

    def disguise(
        self, truth: NDArray[Any], domain: Domain, stream: Stream, *, coin: Stream | None = None
    ) -> NDArray[Any]:
        return np.full_like(truth, MISSING if isinstance(domain, Categorical) else math.nan)

    def report_cells(self, domain: Domain, truth: CellSet) -> CellSet:
        return Silence()

    def matrix(self, domain: Domain, truth: CellSet, report: CellSet) -> NDArray[np.float64]:
        return np.ones((len(truth), len(report)))

    def epsilon_on(self, domain: Domain) -> float:
        return 0.0

    def interval_privacy(self, domain: Domain, *, confidence: float = 0.95) -> float | None:
        """Return that share of the whole range: nothing narrower is known."""
        whole = None if isinstance(domain, Categorical) else domain.width
        return None if whole is None else share("confidence", confidence) * whole

    def with_noise(self, factor: float) -> Self:
        return self
