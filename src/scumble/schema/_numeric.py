"""Numeric attributes."""

import math
from dataclasses import KW_ONLY, dataclass
from typing import Any, ClassVar, Literal, cast

import numpy as np
from numpy.typing import NDArray

from scumble.columns import as_numbers
from scumble.errors import DomainError, SpecificationError
from scumble.schema._cells import Cells
from scumble.schema._mechanism import Mechanism
from scumble.schema._parameters import number, numbers, positive
from scumble.schema._sensitivity import Sensitivity, disguise_to_dict, settle_sensitivity
from scumble.schema._treatment import Treatment

MOST_POINTS = 400
_NEAR = 1e-6
_BLOCK = 1 << 16


@dataclass(frozen=True)
class Numeric:
    """A number between two declared bounds.

    Parameters
    ----------
    low, high : float
        The bounds, declared and never read off private data. An infinite bound is
        allowed where nothing needs a range.
    step : float, optional
        The distance between possible values, such as 1 for whole numbers; counted
        from `low` (from 0 where that is infinite). None: any number.
    atoms : sequence of float
        Values that many people share, such as 0 for a commission or 40 for hours of
        work. Each gets a cell of its own.
    sensitivity : {"public", "private", "withheld"}, optional
        By default private with a mechanism or treatment and public without.
    mechanism : Mechanism, optional
        What disguises a private attribute, answer by answer.
    treatment : Treatment, optional
        Instead, what a custodian who holds the whole table does to it before a release.

    Examples
    --------
    >>> from scumble import Numeric
    >>> from scumble.mechanisms import GaussianNoise
    >>> Numeric(20, 80, mechanism=GaussianNoise(privacy=1.0)).sensitivity
    'private'
    """

    kind: ClassVar[Literal["numeric", "date"]] = "numeric"
    # What reports must be multiples of, and how far they may lie, where the kind says so.
    unit: ClassVar[float | None] = None
    extent: ClassVar[tuple[float, float]] = (-math.inf, math.inf)
    low: float
    high: float
    _: KW_ONLY
    step: float | None = None
    atoms: tuple[float, ...] = ()
    sensitivity: Sensitivity | None = None
    mechanism: Mechanism | None = None
    treatment: Treatment | None = None

    def __post_init__(self) -> None:
        low, high = number("low", self.low), number("high", self.high)
        if not low < high:
            raise SpecificationError(
                f"high: expected more than low = {self.low}, got {self.high}; a domain of zero "
                "width has nothing to hide, leave the attribute out or widen it"
            )
        object.__setattr__(self, "low", low)
        object.__setattr__(self, "high", high)
        if self.step is not None:
            object.__setattr__(self, "step", _whole_steps(low, high, positive("step", self.step)))
        atoms = tuple(sorted(numbers("atoms", self.atoms)))
        if any(not low <= atom <= high for atom in atoms) or len(set(atoms)) < len(atoms):
            raise SpecificationError(f"atoms: expected distinct values from {low:g} to {high:g}")
        if self.step is not None:
            atoms = tuple(self._on_step(np.array(atoms)).tolist())
            if any(math.isnan(atom) for atom in atoms):
                raise SpecificationError(f"atoms: expected multiples of the step {self.step:g}")
        object.__setattr__(self, "atoms", atoms)
        settle_sensitivity(self)

    @property
    def width(self) -> float:
        """The distance between the bounds."""
        return self.high - self.low

    @property
    def told(self) -> "Numeric":
        """The domain of what is told of a truth where it is not disguised: this one."""
        return self

    def between(self, low: float, high: float) -> "Numeric":
        """Return all numbers between two others, as a public domain of the same kind."""
        return Numeric(low, high)

    def numbers(self, values: Any) -> NDArray[np.float64]:
        """Return a column as floats, nan where missing, whatever the bounds."""
        return as_numbers(values)

    def cells(self, count: int = 100) -> Cells:
        """Return the cells of this domain.

        A point for each possible value where there are at most 400 of them, else
        `count` intervals of equal width, and a point for each atom.
        """
        if not math.isfinite(self.width):
            raise SpecificationError(
                f"domain: expected finite bounds, got {self.low:g} to {self.high:g}; declare the "
                "bounds of this attribute"
            )
        if self.step is None:
            edges = np.linspace(self.low, self.high, count + 1)
        elif self._steps < MOST_POINTS:
            points = self.low + self.step * np.arange(self._steps + 1)
            return Cells.points(np.minimum(points, self.high))
        else:
            # Half-way between possible values: every cell holds its values in its middle.
            edges = np.rint(np.linspace(0, self._steps + 1, count + 1)) - 0.5
            edges = self.low + self.step * np.unique(edges)
        return Cells.between(edges).with_points(self.atoms)

    @property
    def _steps(self) -> int:
        return round(self.width / cast("float", self.step))

    def _on_step(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the nearest possible values, nan where there is none near."""
        start, step = self.low if math.isfinite(self.low) else 0.0, cast("float", self.step)
        nearest = np.clip(start + step * np.rint((values - start) / step), self.low, self.high)
        return np.where(np.abs(values - nearest) <= _NEAR * step, nearest, np.nan)

    def conform(self, values: Any) -> NDArray[np.float64]:
        """Return values as floats, nan where missing, checked against the domain.

        Raises
        ------
        DomainError
            If values are not possible; it tells how many.
        """
        given = self.numbers(values)
        result = given if self.step is None else np.empty_like(given)
        outside = 0
        # Block by block, so that a long column is not held many times over.
        for start in range(0, len(given), _BLOCK):
            part = slice(start, start + _BLOCK)
            block = given[part]
            possible = np.isfinite(block) & (block >= self.low) & (block <= self.high)
            if self.step is not None:
                result[part] = self._on_step(block)
                possible &= ~np.isnan(result[part])
            outside += int(np.count_nonzero(~possible & ~np.isnan(block)))
        if outside:
            raise DomainError(
                f"{outside} of {len(given)} values lie outside the declared domain {self._told}; "
                "widen it in the specification or drop the records"
            )
        return result

    @property
    def _told(self) -> str:
        """The domain as text."""
        steps = "" if self.step is None else f" in steps of {self.step:g}"
        return f"{self.low:g} to {self.high:g}{steps}"

    def to_dict(self) -> dict[str, Any]:
        """Return the attribute as a table of a specification."""
        given: dict[str, Any] = {
            "kind": self.kind,
            "low": self.low if math.isfinite(self.low) else str(self.low),
            "high": self.high if math.isfinite(self.high) else str(self.high),
        }
        if self.step is not None:
            given["step"] = self.step
        if self.atoms:
            given["atoms"] = list(self.atoms)
        return given | disguise_to_dict(self)


def _whole_steps(low: float, high: float, step: float) -> float:
    """Return a step that divides the domain, where the domain has both ends."""
    if math.isfinite(high - low):
        steps = (high - low) / step
        if steps > 2**50 or round(steps) < 1 or abs(steps - round(steps)) > _NEAR * max(1.0, steps):
            raise SpecificationError(
                f"step: expected a whole number of steps from {low:g} to {high:g}, got {step:g}"
            )
    return step
