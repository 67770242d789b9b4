"""Boxes of truths: the leaves of a tree, each an interval or a set of values by attribute."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from scumble.schema import Cells, CellSet

FloatArray = NDArray[np.float64]
Interval = tuple[float, float]
EVERYTHING: Interval = (-np.inf, np.inf)


@dataclass(frozen=True)
class Box:
    """A box of truths.

    Attributes
    ----------
    bounds : mapping of int to (float, float)
        By the place of a number, the least value inside and the least above. A number
        that is not there is not bounded.
    values : mapping of int to tuple of bool
        By the place of an attribute of categories, which of them are inside.

    Examples
    --------
    >>> from scumble.mining.leaves import Box
    >>> low, high = Box().cut(0, 40.0)
    >>> low.bounds, high.bounds
    ({0: (-inf, 40.0)}, {0: (40.0, inf)})
    """

    bounds: Mapping[int, Interval] = field(default_factory=dict)
    values: Mapping[int, tuple[bool, ...]] = field(default_factory=dict)

    def cut(self, attribute: int, at: "float | tuple[bool, ...]") -> "tuple[Box, Box]":
        """Return the two parts: below a number and not, or some values and the others."""
        if isinstance(at, tuple):
            own = self.values.get(attribute, (True,) * len(at))
            sides = (
                tuple(a and b for a, b in zip(own, at, strict=True)),
                tuple(a and not b for a, b in zip(own, at, strict=True)),
            )
            return (
                replace(self, values={**self.values, attribute: sides[0]}),
                replace(self, values={**self.values, attribute: sides[1]}),
            )
        low, high = self.bounds.get(attribute, EVERYTHING)
        return (
            replace(self, bounds={**self.bounds, attribute: (low, at)}),
            replace(self, bounds={**self.bounds, attribute: (at, high)}),
        )

    def moved(self, attribute: int, old: float, new: float) -> "Box":
        """Return the box with a threshold of one attribute moved; itself if it has it not."""
        if attribute not in self.bounds or old not in self.bounds[attribute]:
            return self
        low, high = (new if end == old else end for end in self.bounds[attribute])
        return replace(self, bounds={**self.bounds, attribute: (low, high)})

    @property
    def empty(self) -> bool:
        """Whether nothing can be inside."""
        return any(low >= high for low, high in self.bounds.values()) or any(
            not any(inside) for inside in self.values.values()
        )

    def inside(self, attribute: int, cells: CellSet) -> FloatArray | None:
        """Return how much of each cell of an attribute lies inside; None: all of each."""
        if attribute in self.values:
            return np.array(self.values[attribute], dtype=float)
        if attribute not in self.bounds:
            return None
        assert isinstance(cells, Cells)
        return share_below(cells, self.bounds[attribute][1]) - share_below(
            cells, self.bounds[attribute][0]
        )


def share_below(cells: Cells, threshold: float) -> FloatArray:
    """Return how much of each cell lies below a threshold."""
    found = (cells.lower < threshold).astype(float)
    # Nothing but the cells that it parts is in part below it.
    parted = np.flatnonzero((cells.lower < threshold) & (threshold < cells.upper))
    lower, upper = cells.lower[parted], cells.upper[parted]
    found[parted] = (threshold - lower) / (upper - lower)
    return found


def thresholds(
    boxes: Sequence[Box], cells: Sequence[CellSet]
) -> dict[tuple[int, float], list[int]]:
    """Return the thresholds that can be moved by little, and the boxes that end at each.

    Between whole numbers a threshold has no place of its own.
    """
    found: dict[tuple[int, float], list[int]] = {}
    for place, box in enumerate(boxes):
        for attribute, bounds in box.bounds.items():
            own = cells[attribute]
            if isinstance(own, Cells) and not own.is_point.all():
                for end in bounds:
                    if np.isfinite(end):
                        found.setdefault((attribute, end), []).append(place)
    return found
