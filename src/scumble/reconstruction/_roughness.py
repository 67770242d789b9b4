"""Priors on a log density: smooth ones are likelier than rough ones."""

from functools import lru_cache
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]
Mask = NDArray[np.bool_]

#: Prior precision of every log share: keeps empty regions finite.
RIDGE = 0.01
# What Laplace's approximation misses for a Cauchy difference of which the data say nothing.
_CAUCHY_GAP = 0.5 * np.log(np.pi)


class Prior(Protocol):
    """A log-concave or nearly log-concave prior on coefficients.

    Attributes
    ----------
    log_norm : float
        The logarithm of what normalises it, without the powers of 2 pi that cancel
        in Laplace's approximation.
    """

    log_norm: float

    def log_density(self, at: FloatArray) -> float:
        """Return the logarithm of the density, not normalised."""
        ...

    def curvature(self, at: FloatArray) -> FloatArray:
        """Return a matrix whose product with the coefficients is the slope."""
        ...

    def evidence_gap(self, at: FloatArray, factor: FloatArray) -> float:
        """Return what Laplace's approximation of the evidence misses."""
        ...


@lru_cache(maxsize=64)
def differences(cells: int, order: int) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return the differences D of an order, D'D, and the eigenvalues of D'D."""
    diff = np.diff(np.eye(cells), n=order, axis=0)
    square = diff.T @ diff
    eigenvalues = np.clip(np.linalg.eigvalsh(square), 0.0, None)
    eigenvalues[:order] = 0.0  # polynomials below the order have no differences
    return diff, square, eigenvalues


@lru_cache(maxsize=64)
def polynomials(cells: int, order: int) -> FloatArray:
    """Return an orthonormal basis of what differences of an order do not see."""
    at = np.linspace(-1.0, 1.0, cells)
    basis: FloatArray = np.linalg.qr(np.polynomial.legendre.legvander(at, order - 1))[0]
    return basis


class GaussianPrior:
    """A quadratic penalty: half of c'Pc."""

    def __init__(self, precision: FloatArray, log_determinant: float) -> None:
        self.precision = precision
        self.log_norm = 0.5 * log_determinant

    @classmethod
    def smooth(
        cls, grid: Mask, *, order: int, weight: float, ridge: float, free: int = 0
    ) -> "GaussianPrior":
        """Return the penalty of the differences of an order along the grid.

        Cells off the grid, and a number of further free coefficients, have the ridge
        alone.
        """
        cells, size = int(grid.sum()), len(grid) + free
        _, square, eigenvalues = differences(cells, order)
        precision = ridge * np.eye(size)
        along = np.flatnonzero(grid)
        precision[np.ix_(along, along)] += weight * square
        log_determinant = float(np.log(weight * eigenvalues + ridge).sum())
        return cls(precision, log_determinant + (size - cells) * float(np.log(ridge)))

    @classmethod
    def flat(cls, size: int, *, ridge: float) -> "GaussianPrior":
        """Return a weak penalty of each coefficient alone."""
        return cls(ridge * np.eye(size), size * float(np.log(ridge)))

    def log_density(self, at: FloatArray) -> float:
        """Return the logarithm of the density, not normalised."""
        return -0.5 * float(at @ self.precision @ at)

    def curvature(self, at: FloatArray) -> FloatArray:
        """Return the precision."""
        return self.precision

    def evidence_gap(self, at: FloatArray, factor: FloatArray) -> float:
        """Return nothing: Laplace's approximation is exact for this part."""
        return 0.0


class CauchyPrior:
    """Cauchy differences: most are small, a few jumps or kinks are cheap."""

    def __init__(self, grid: Mask, *, order: int, scale: float) -> None:
        cells, size = int(grid.sum()), len(grid)
        diff, _, eigenvalues = differences(cells, order)
        self.scale = scale
        self.diff = np.zeros((cells - order, size))
        self.diff[:, grid] = diff
        unseen = polynomials(cells, order)
        self.ridge = np.diag(np.where(grid, 0.0, RIDGE))
        self.ridge[np.ix_(grid, grid)] += RIDGE * (unseen @ unseen.T)
        self.log_norm = 0.5 * float(
            np.log(eigenvalues[order:]).sum()
            + (order + size - cells) * np.log(RIDGE)
            + (cells - order) * np.log(2.0 / (np.pi * scale**2))
        )

    def log_density(self, at: FloatArray) -> float:
        """Return the logarithm of the density, not normalised."""
        steps = self.diff @ at / self.scale
        return -float(np.log1p(steps**2).sum()) - 0.5 * float(at @ self.ridge @ at)

    def curvature(self, at: FloatArray) -> FloatArray:
        """Return the curvature of the quadratic that touches the density from below."""
        return np.asarray((self.diff.T * self._weights(at)) @ self.diff + self.ridge)

    def evidence_gap(self, at: FloatArray, factor: FloatArray) -> float:
        """Return Laplace's error for the differences that are left to the prior."""
        from scipy.linalg.lapack import dtrtrs

        half = dtrtrs(factor, self.diff.T, lower=1)[0]
        left_to_prior = self._weights(at) * np.einsum("ij,ij->j", half, half)
        return float(_CAUCHY_GAP * np.clip(left_to_prior, 0.0, 1.0).sum())

    def _weights(self, at: FloatArray) -> FloatArray:
        return np.asarray(2.0 / (self.scale**2 + (self.diff @ at) ** 2))
