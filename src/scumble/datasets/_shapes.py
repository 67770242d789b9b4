"""Distributions with a piecewise linear density, and the two of a well-known figure."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from scumble.datasets._random import checked_count, generator_from
from scumble.errors import SpecificationError


@dataclass(frozen=True)
class PiecewiseLinear:
    """A distribution whose density is linear between knots and zero outside.

    Parameters
    ----------
    knots : tuple of float
        At least two, strictly increasing.
    heights : tuple of float
        The density at each knot, up to a common factor: it is scaled to integrate
        to one.

    Examples
    --------
    >>> from scumble.datasets import PiecewiseLinear
    >>> ramp = PiecewiseLinear((0.0, 1.0), (0.0, 1.0))
    >>> float(ramp.pdf(0.5)), float(ramp.cdf(0.5)), float(ramp.quantile(0.25))
    (1.0, 0.25, 0.5)

    Notes
    -----
    The cdf is piecewise quadratic, and its inverse exact up to rounding: from a knot
    of height a the mass m is reached after s = 2 m / (a + sqrt(a^2 + 2 m b)), b the
    slope. This is the form of the root in which nothing cancels.
    """

    knots: tuple[float, ...]
    heights: tuple[float, ...]

    def __post_init__(self) -> None:
        knots, heights = np.array(self.knots, dtype=float), np.array(self.heights, dtype=float)
        if len(knots) < 2 or not np.isfinite(knots).all() or (np.diff(knots) <= 0).any():
            raise SpecificationError(
                f"knots: expected at least two increasing numbers, got {self.knots}; sort them"
            )
        if heights.shape != knots.shape or not np.isfinite(heights).all() or (heights < 0).any():
            raise SpecificationError(
                f"heights: expected {len(knots)} numbers that are not negative, "
                f"got {self.heights}; give one for each knot"
            )
        if not heights.any():
            raise SpecificationError(
                "heights: expected at least one above zero, got none; a density needs mass"
            )

    def pdf(self, x: ArrayLike) -> NDArray[np.float64]:
        """Return the density at x."""
        knots, heights, _ = self._pieces()
        values = np.asarray(x, dtype=float)
        return np.asarray(np.interp(values, knots, heights, left=0.0, right=0.0))

    def cdf(self, x: ArrayLike) -> NDArray[np.float64]:
        """Return the probability of a value of at most x."""
        knots, heights, below = self._pieces()
        inside = np.clip(np.asarray(x, dtype=float), knots[0], knots[-1])
        piece = np.clip(np.searchsorted(knots, inside, side="right") - 1, 0, len(knots) - 2)
        step = inside - knots[piece]
        slope = (np.diff(heights) / np.diff(knots))[piece]
        return np.asarray(below[piece] + step * (heights[piece] + slope * step / 2))

    def quantile(self, u: ArrayLike) -> NDArray[np.float64]:
        """Return the smallest x whose cdf reaches u, for u in [0, 1]."""
        levels = np.asarray(u, dtype=float)
        if not ((levels >= 0) & (levels <= 1)).all():
            raise SpecificationError(
                "u: expected probabilities in [0, 1], got others; clip them first"
            )
        knots, heights, below = self._pieces()
        piece = np.minimum(np.searchsorted(below[1:], levels, side="left"), len(knots) - 2)
        width, slope = np.diff(knots)[piece], (np.diff(heights) / np.diff(knots))[piece]
        left, right = levels - below[piece], below[piece + 1] - levels
        # From the nearer end: near the other one the mass has lost its last digits.
        x = np.where(
            left < right,
            knots[piece] + _reach(left, start=heights[piece], slope=slope, width=width),
            knots[piece + 1] - _reach(right, start=heights[piece + 1], slope=-slope, width=width),
        )
        return np.asarray(x)

    def sample(self, n: int, *, seed: int | None = None) -> NDArray[np.float64]:
        """Return n independent draws."""
        return self.quantile(generator_from(seed).random(checked_count(n)))

    def _pieces(self) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
        """Return the knots, the scaled heights and the mass below each knot."""
        knots, heights = np.array(self.knots, dtype=float), np.array(self.heights, dtype=float)
        masses = np.diff(knots) * (heights[1:] + heights[:-1]) / 2
        below = np.concatenate([[0.0], np.cumsum(masses)])
        # Dividing by the last sum itself makes the cdf end at exactly one.
        return knots, heights / below[-1], below / below[-1]


def _reach(
    mass: NDArray[np.float64],
    *,
    start: NDArray[np.float64],
    slope: NDArray[np.float64],
    width: NDArray[np.float64],
) -> NDArray[np.float64]:
    """Return how far from a knot the given mass is reached, within its piece."""
    # Rounding can push the discriminant of a piece that falls to zero below it.
    divisor = start + np.sqrt(np.maximum(start**2 + 2 * mass * slope, 0))
    step = np.divide(2 * mass, divisor, out=np.zeros(np.shape(mass)), where=divisor > 0)
    return np.clip(step, 0, width)


PLATEAU = PiecewiseLinear((0.0, 0.25, 0.75, 1.0), (0.0, 1.0, 1.0, 0.0))
"""Flat in the middle half of [0, 1], falling to zero on both sides."""

TRIANGLES = PiecewiseLinear((0.0, 0.25, 0.5, 0.75, 1.0), (0.0, 1.0, 0.0, 1.0, 0.0))
"""Two equal triangles side by side on [0, 1]."""


def make_plateau(n: int, *, seed: int | None = None) -> NDArray[np.float64]:
    """Draw from `PLATEAU`, the first test shape of Agrawal and Srikant (2000).

    Examples
    --------
    >>> from scumble.datasets import make_plateau
    >>> values = make_plateau(1000, seed=0)
    >>> bool((values >= 0).all() and (values <= 1).all())
    True

    Notes
    -----
    The figure names and draws the shape but gives no numbers: its knots and heights
    are our reading of the idea, not the authors' data.
    """
    return PLATEAU.sample(n, seed=seed)


def make_triangles(n: int, *, seed: int | None = None) -> NDArray[np.float64]:
    """Draw from `TRIANGLES`, the second test shape of Agrawal and Srikant (2000).

    Examples
    --------
    >>> from scumble.datasets import make_triangles
    >>> len(make_triangles(1000, seed=0))
    1000

    Notes
    -----
    The figure names and draws the shape but gives no numbers: its knots and heights
    are our reading of the idea, not the authors' data.
    """
    return TRIANGLES.sample(n, seed=seed)
