"""Table 1 of Agrawal and Srikant: the privacy of three methods at three confidences."""

import math
from dataclasses import dataclass

from scumble.mechanisms import GaussianNoise, UniformNoise, ValueClasses
from scumble.schema import Mechanism, Numeric

_DOMAIN = Numeric(0, 1)
_CONFIDENCES = (0.5, 0.95, 0.999)
# Each method with a parameter of one unit, and the paper's multiples of that unit.
_METHODS: tuple[tuple[str, str, Mechanism, tuple[float, ...]], ...] = (
    ("Discretization", "W", ValueClasses(count=1), (0.5, 0.95, 0.999)),
    ("Uniform", "2 alpha", UniformNoise(half_width=0.5), (0.5, 0.95, 0.999)),
    ("Gaussian", "sigma", GaussianNoise(sd=1.0), (1.34, 3.92, 6.8)),
)


@dataclass(frozen=True)
class Table1Row:
    """One cell of the table.

    Attributes
    ----------
    method, unit : str
        The method, and the parameter that the privacy is a multiple of.
    confidence : float
        How surely the truth lies in the interval.
    paper, ours : float
        The width of the interval in that unit.
    agrees : bool
        Whether the two are the same to the digits that the paper prints.
    """

    method: str
    unit: str
    confidence: float
    paper: float
    ours: float

    @property
    def agrees(self) -> bool:
        """Whether the paper's figure is ours, rounded or cut off."""
        digits = len(f"{self.paper:g}".partition(".")[2])
        cut = math.floor(self.ours * 10**digits + 1e-9) / 10**digits
        return self.paper in (round(self.ours, digits), cut)


def as_table_1() -> list[Table1Row]:
    """Return Table 1, the paper's figures beside ours.

    Examples
    --------
    >>> from scumble.experiments import as_table_1
    >>> for row in as_table_1():
    ...     if not row.agrees:
    ...         print(row.method, row.confidence, row.paper, round(row.ours, 2))
    Gaussian 0.999 6.8 6.58

    Notes
    -----
    Eight of nine figures agree. The ninth does not reproduce: a Gaussian lies within
    3.29 standard deviations of its mean with a probability of 99.9 %, so the interval
    is 6.58 sigma wide and not 6.8. (6.8 belongs to 99.933 %.)
    """
    return [
        Table1Row(
            method,
            unit,
            confidence,
            paper,
            float(mechanism.interval_privacy(_DOMAIN, confidence=confidence) or 0.0),
        )
        for method, unit, mechanism, figures in _METHODS
        for confidence, paper in zip(_CONFIDENCES, figures, strict=True)
    ]
