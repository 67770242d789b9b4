"""Value-class membership: the interval in which the truth lies, and no more."""

import math
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, ClassVar, Self, cast

import numpy as np
from numpy.typing import NDArray

from scumble.entropy import Stream
from scumble.errors import SpecificationError
from scumble.schema import Cells, CellSet, Date, Domain, Mechanism, Numeric
from scumble.schema._day import are_days, bounds, plain_bounds
from scumble.schema._parameters import exactly_one, share


@dataclass(frozen=True, kw_only=True)
class ValueClasses(Mechanism):
    """The truth is replaced by the middle of its interval.

    Parameters
    ----------
    cuts : sequence of float or date
        Where one interval ends and the next begins, within the domain; the
        intervals need not be of equal width.
    count : int
        Instead of `cuts`, the number of intervals of equal width.

    Examples
    --------
    >>> from scumble import Numeric
    >>> from scumble.mechanisms import ValueClasses
    >>> ValueClasses(cuts=[30, 50]).middles_on(Numeric(20, 80)).tolist()
    [25.0, 40.0, 65.0]

    Notes
    -----
    AS section 2 (discretization). At confidence c an interval of width W hides a
    truth within c W; the narrowest one counts. No noise, so epsilon is infinite.
    """

    name: ClassVar[str] = "value-classes"
    kinds: ClassVar[tuple[str, ...]] = ("numeric", "date")
    cuts: tuple[float, ...] | None = None
    count: int | None = None

    def __post_init__(self) -> None:
        if exactly_one(cuts=self.cuts, count=self.count) == "cuts":
            cuts = bounds("cuts", self.cuts)
            if not cuts or any(a >= b for a, b in pairwise(cuts)):
                raise SpecificationError("cuts: expected ascending numbers or dates")
            object.__setattr__(self, "cuts", cuts)
        elif (
            isinstance(self.count, bool)
            or not isinstance(self.count, int)
            or not 0 < self.count < 10**6
        ):
            raise SpecificationError(f"count: expected a whole number above 0, got {self.count!r}")

    def check(self, domain: Domain) -> None:
        super().check(domain)
        domain = cast("Numeric", domain)
        if not math.isfinite(domain.width):
            raise SpecificationError("mechanism: value classes need finite bounds; declare them")
        dates = isinstance(domain, Date)
        inside = self.cuts is None or domain.low < self.cuts[0] <= self.cuts[-1] < domain.high
        if not inside or (self.cuts is not None and are_days(self.cuts) != dates):
            raise SpecificationError(
                f"mechanism.cuts: expected {'dates' if dates else 'numbers'} between "
                f"{domain.low:g} and {domain.high:g}"
            )
        if self.count is not None and dates and self.count > domain.width:
            raise SpecificationError(
                f"mechanism.count: expected at most {domain.width:g}, so that each interval holds "
                f"a day, got {self.count}"
            )

    def edges_on(self, domain: Numeric) -> NDArray[np.float64]:
        """Return the ends of the intervals."""
        if self.cuts is None:
            edges = np.linspace(domain.low, domain.high, cast("int", self.count) + 1)
            return edges if domain.unit is None else np.rint(edges)
        return np.array([domain.low, *self.cuts, domain.high])

    def middles_on(self, domain: Numeric) -> NDArray[np.float64]:
        """Return the possible reports."""
        middles = Cells.between(self.edges_on(domain)).middles
        return middles if domain.unit is None else np.floor(middles)

    def report_domain(self, domain: Domain) -> Numeric:
        domain = cast("Numeric", domain)
        return domain.between(domain.low, domain.high)

    def disguise(
        self, truth: NDArray[Any], domain: Domain, stream: Stream, *, coin: Stream | None = None
    ) -> NDArray[Any]:
        domain = cast("Numeric", domain)
        middles = np.append(self.middles_on(domain), math.nan)
        return middles[Cells.between(self.edges_on(domain)).codes(truth)]

    def report_cells(self, domain: Domain, truth: CellSet) -> Cells:
        return Cells.points(self.middles_on(cast("Numeric", domain)))

    def matrix(self, domain: Domain, truth: CellSet, report: CellSet) -> NDArray[np.float64]:
        domain = cast("Numeric", domain)
        classes = Cells.between(self.edges_on(domain))
        shares = overlap(cast("Cells", truth), classes)
        if domain.step is not None:
            _count_possible(shares, cast("Cells", truth), classes, domain)
        codes = cast("Cells", report).codes(self.middles_on(domain))
        matrix = np.zeros((len(truth), len(report)))
        matrix[:, codes] = shares
        return matrix

    def epsilon_on(self, domain: Domain) -> float:
        return math.inf

    def interval_privacy(self, domain: Domain, *, confidence: float = 0.95) -> float:
        widths = np.diff(self.edges_on(cast("Numeric", domain)))
        return share("confidence", confidence) * float(widths.min())

    def with_noise(self, factor: float) -> Self:
        return self

    def to_dict(self) -> dict[str, Any]:
        cuts = {} if self.cuts is None else {"cuts": plain_bounds(self.cuts)}
        return super().to_dict() | cuts


def _count_possible(
    shares: NDArray[np.float64], truth: Cells, classes: Cells, domain: Numeric
) -> None:
    """Correct the shares of intervals that hold a few possible values: these are what counts."""
    step = cast("float", domain.step)

    def below(ends: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.ceil((ends - domain.low) / step - 1e-9).clip(0, round(domain.width / step) + 1)

    edges = np.append(below(classes.lower), math.inf)
    upper = np.where(truth.upper == truth.upper[-1], math.inf, below(truth.upper))[:, None]
    lower = below(truth.lower)[:, None]
    # The last interval holds its upper end, and so does the last class.
    all_there_are = below(np.array([math.inf]))
    shared = np.minimum(upper, edges[1:]).clip(max=all_there_are) - np.maximum(lower, edges[:-1])
    total = shared.clip(min=0).sum(axis=1)
    counted = ~truth.is_point & (total > 0)
    shares[counted] = shared.clip(min=0)[counted] / total[counted, None]


def overlap(truth: Cells, intervals: Cells) -> NDArray[np.float64]:
    """Return which share of each truth cell lies in each interval."""
    shared = np.minimum(truth.upper[:, None], intervals.upper)
    shared = shared - np.maximum(truth.lower[:, None], intervals.lower)
    widths = np.where(truth.is_point, 1, truth.upper - truth.lower)
    shares = shared.clip(min=0) / widths[:, None]
    points = np.flatnonzero(truth.is_point)
    shares[points, intervals.codes(truth.lower[points])] = 1
    return shares
