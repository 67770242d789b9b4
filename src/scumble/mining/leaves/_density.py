"""The density of one attribute: the exponential of a polynomial, as smooth as it can be."""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from scumble.schema import Cells, CellSet

FloatArray = NDArray[np.float64]
_DEGREE = 4
_FEW_VALUES = 12
# The standard deviation of the coefficients lies between these.
SPREADS = (0.02, 5.0)
_STEPS = 30


@dataclass(frozen=True, eq=False)
class Density:
    """Shares of cells, proportional to exp(features @ coefficients) times their widths.

    Attributes
    ----------
    features : array, (cells, features)
        Polynomials of the place of a cell; a feature of its own for each atom, and for
        each of few values.
    base : array, (cells,)
        The widths of the cells.
    coefficients : array
        What multiplies the features. They are taken to be normal around zero.
    spread : float
        Their standard deviation, learned along with them: a density that is uniform but
        for noise becomes uniform.
    """

    features: FloatArray
    base: FloatArray
    coefficients: FloatArray
    spread: float = 1.0

    @cached_property
    def shares(self) -> FloatArray:
        """The share of each cell."""
        logs = self.features @ self.coefficients
        shares = self.base * np.exp(logs - logs.max())
        return np.asarray(shares / shares.sum())

    @cached_property
    def reach(self) -> FloatArray:
        """How far the logarithm of the density goes, at the most, by one of each coefficient."""
        return np.asarray(np.abs(self.features).max(axis=0, initial=0.0))

    @property
    def penalty(self) -> float:
        """Minus the log of the prior of the coefficients, up to a constant."""
        return float((self.coefficients**2).sum() / (2 * self.spread**2))

    def moved(self, step: FloatArray) -> "Density":
        """Return the density with coefficients changed."""
        return replace(self, coefficients=self.coefficients + step)

    def relaxed(self, variances: FloatArray) -> "Density":
        """Return the density with the spread that its coefficients now suggest.

        Notes
        -----
        The fixed point of the evidence (MacKay 1992): the squares of the coefficients
        over the number of them that the reports determine.
        """
        determined = float((1 - variances / self.spread**2).sum())
        spread = np.sqrt((self.coefficients**2).sum() / max(determined, 1e-3))
        spread = np.clip(spread, 0.4 * self.spread, 2.5 * self.spread)
        return replace(self, spread=float(np.clip(spread, *SPREADS)))

    def fitted(self, counts: FloatArray, given: FloatArray) -> "Density":
        """Return the density fitted to counts of reports.

        Parameters
        ----------
        counts : array, (codes,)
            How often each report occurs.
        given : array, (cells, codes)
            P(code | cell).
        """
        density = self
        if counts.sum() <= 0 or not len(self.coefficients):
            return density
        for _ in range(_STEPS):
            shares = density.shares
            behind = shares[:, None] * given / np.maximum(shares @ given, 1e-300)
            scores = self.features.T @ behind - (self.features.T @ shares)[:, None]
            precision = np.eye(len(self.coefficients)) / density.spread**2
            information = (scores * counts) @ scores.T + precision
            gradient = scores @ counts - density.coefficients / density.spread**2
            step = np.linalg.solve(information, gradient)
            step /= max(1.0, float((np.abs(step) * self.reach).max()))
            before = density.spread
            density = density.moved(np.asarray(step)).relaxed(np.diag(np.linalg.inv(information)))
            if (np.abs(step) * self.reach).max() < 1e-3 and abs(
                density.spread - before
            ) < 0.01 * before:
                break
        return density


def uniform_density(cells: CellSet) -> Density:
    """Return the density that says nothing yet."""
    features, base = _features(cells)
    return Density(features, base / base.sum(), np.zeros(features.shape[1]))


def _features(cells: CellSet) -> tuple[FloatArray, FloatArray]:
    count = len(cells)
    if not isinstance(cells, Cells) or (cells.is_point.all() and count <= _FEW_VALUES):
        return np.eye(count)[:, 1:], np.ones(count)
    points = cells.is_point
    low, high = cells.lower.min(), cells.upper.max()
    place = 2 * (cells.middles - low) / (high - low) - 1
    # The more a density bends, the less it is to be expected: under much noise, thresholds and a
    # bend that is not there are as likely as the truth.
    degrees = np.arange(1, _DEGREE + 1)
    features = np.polynomial.legendre.legvander(place, _DEGREE)[:, 1:] / degrees**2
    if points.all():
        return features, np.ones(count)
    features[points] = 0
    atoms = np.eye(count)[:, points]
    width = cells.upper - cells.lower
    return np.column_stack((features, atoms)), np.where(points, width[~points].mean(), width)
