"""A large matrix as a sum of few products: one small matrix for each attribute and side."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import reduce
from typing import Any

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Sides:
    """A matrix over combinations of attributes, from truths to reports.

    Its entry for truths v and reports y is the sum over sides s of
    coefficients[s] times the product over attributes j of matrices[s][j][v_j, y_j]. The
    sides are those of a coin; attributes that share none have a single side. A group of M
    attributes would need a matrix of 2^M rows; this is as large as its attributes are.

    Attributes
    ----------
    coefficients : array, (sides,)
        How much each side counts.
    matrices : tuple of tuples of sparse arrays
        For each side a matrix for each attribute, one row for each truth cell.

    Examples
    --------
    >>> from scipy.sparse import csc_array
    >>> same, other = csc_array(np.eye(2)), csc_array(np.eye(2)[::-1])
    >>> coin = Sides(np.array([0.8, 0.2]), ((same, same), (other, other)))
    >>> coin.weights([np.array([0.0, 1.0])] * 2, [np.array([1, 0, 0]), np.array([1, 0, 1])])
    array([0.8, 0.2, 0. ])
    """

    coefficients: FloatArray
    matrices: tuple[tuple[Any, ...], ...]

    def __len__(self) -> int:
        """Return the number of sides."""
        return len(self.coefficients)

    def weights(
        self, inside: Sequence[FloatArray | None], codes: Sequence[NDArray[Any]]
    ) -> FloatArray:
        """Return the sum of the entries over some truths, for the reports of each record.

        Parameters
        ----------
        inside : sequence of array or None
            For each attribute how much each truth cell counts; None where all do and the
            columns of the matrix sum to one.
        codes : sequence of array of int
            The reports of each attribute.
        """
        total = np.zeros(len(codes[0]))
        for coefficient, matrices in zip(self.coefficients, self.matrices, strict=True):
            product: Any = coefficient
            for cells, matrix, reports in zip(inside, matrices, codes, strict=True):
                if cells is not None:
                    product = product * (cells @ matrix)[reports]
            total += product
        return total

    def spread(self, table: FloatArray, axes: Sequence[int]) -> FloatArray:
        """Return a table over reports, multiplied by this matrix: one over truths.

        Parameters
        ----------
        table : array
            One axis for each attribute.
        axes : sequence of int
            The axes of the attributes of this matrix.
        """
        return _products(self, table, axes, transposed=False)

    def expected(self, table: FloatArray, axes: Sequence[int]) -> FloatArray:
        """Return a table over truths, multiplied by the transpose: one over reports."""
        return _products(self, table, axes, transposed=True)

    def squared(self) -> "Sides":
        """Return the matrix of the squares of the entries, which has the same form."""
        pairs = [(s, t) for s in range(len(self)) for t in range(len(self))]
        return Sides(
            np.array([self.coefficients[s] * self.coefficients[t] for s, t in pairs]),
            tuple(
                tuple(a.multiply(b).tocsc() for a, b in zip(*pair, strict=True))
                for pair in ((self.matrices[s], self.matrices[t]) for s, t in pairs)
            ),
        )

    def reordered(self, place: int, order: NDArray[Any]) -> "Sides":
        """Return the matrix with the cells of one attribute, truths and reports, in an order."""
        return replace(
            self,
            matrices=tuple(
                tuple(m[order][:, order].tocsc() if j == place else m for j, m in enumerate(side))
                for side in self.matrices
            ),
        )


def _products(
    sides: Sides, table: FloatArray, axes: Sequence[int], *, transposed: bool
) -> FloatArray:
    parts = []
    for coefficient, matrices in zip(sides.coefficients, sides.matrices, strict=True):
        part = coefficient * table
        for axis, matrix in zip(axes, matrices, strict=True):
            small = matrix.toarray().T if transposed else matrix.toarray()
            part = np.moveaxis(np.tensordot(small, part, axes=(1, axis)), 0, axis)
        parts.append(part)
    return reduce(np.add, parts)
