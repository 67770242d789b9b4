"""A public attribute: the report is the truth."""

import math
from dataclasses import dataclass
from typing import Any, ClassVar, Self, cast

import numpy as np
from numpy.typing import NDArray

from scumble.entropy import Stream
from scumble.mechanisms._value_classes import overlap
from scumble.schema import Categorical, Cells, CellSet, Domain, Mechanism


@dataclass(frozen=True, kw_only=True)
class Identity(Mechanism):
    """No disguise at all.

    Examples
    --------
    >>> from scumble import Categorical
    >>> from scumble.mechanisms import Identity
    >>> Identity().epsilon_on(Categorical(["no", "yes"]))
    inf
    """

    name: ClassVar[str] = "identity"
    kinds: ClassVar[tuple[str, ...]] = ("numeric", "date", "categorical")

    def report_domain(self, domain: Domain) -> Domain:
        return domain.told

    def disguise(
        self, truth: NDArray[Any], domain: Domain, stream: Stream, *, coin: Stream | None = None
    ) -> NDArray[Any]:
        return truth.copy()

    def report_cells(self, domain: Domain, truth: CellSet) -> CellSet:
        return truth

    def matrix(self, domain: Domain, truth: CellSet, report: CellSet) -> NDArray[np.float64]:
        if isinstance(domain, Categorical) or truth is report:
            return np.eye(len(truth))
        return overlap(cast("Cells", truth), cast("Cells", report))

    def mixture(self, domain: Domain) -> tuple[float, NDArray[np.float64]] | None:
        return (1.0, np.zeros(len(domain))) if isinstance(domain, Categorical) else None

    def epsilon_on(self, domain: Domain) -> float:
        return math.inf

    def interval_privacy(self, domain: Domain, *, confidence: float = 0.95) -> float | None:
        return None if isinstance(domain, Categorical) else 0.0

    def with_noise(self, factor: float) -> Self:
        return self
