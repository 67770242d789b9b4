"""Factors as plain arrays, the way the compiled loops take them."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from scumble.inversion._factors import InvertedFactor

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]


class Packed(NamedTuple):
    """The inverses of factors. The last attribute is the class.

    Attributes
    ----------
    factor : array of int
        The factor of each attribute.
    first_side : array of int
        Where the sides of each factor begin among all sides, and their number.
    coefficients : array
        How much each side counts.
    offsets : array of int
        Where the cells of each attribute begin, and their number. The first is the missing.
    side_offsets : array of int
        Where its cells by side begin: first all cells of its first side, and so on.
    pointers, cells, values : arrays
        For each cell by side, what a report in it counts for which truth cells, in short:
        from pointers[q] to pointers[q + 1], cells[...] count values[...].
    """

    factor: IntArray
    first_side: IntArray
    coefficients: FloatArray
    offsets: IntArray
    side_offsets: IntArray
    pointers: IntArray
    cells: IntArray
    values: FloatArray


def packed(factors: Sequence[InvertedFactor]) -> Packed:
    """Return factors as arrays.

    Examples
    --------
    >>> from scumble import Categorical, Specification
    >>> from scumble.inversion._factors import inverse_factors
    >>> from scumble.mechanisms import Warner
    >>> answer = Categorical(["no", "yes"], mechanism=Warner(keep=0.75, group="health"))
    >>> spec = Specification({"smoker": answer, "drinker": answer})
    >>> arrays = packed(inverse_factors(spec, ["smoker", "drinker"], [2, 2]))
    >>> arrays.offsets.tolist(), arrays.side_offsets.tolist(), arrays.cells[:6].tolist()
    ([0, 3, 6], [0, 6, 12], [0, 1, 2, 0, 2, 1])
    """
    own = {
        member: (place, [side[j] for side in factor.inverse.matrices])
        for place, factor in enumerate(factors)
        for j, member in enumerate(factor.members)
    }
    matrices: list[Any] = [matrix for j in sorted(own) for matrix in own[j][1]]
    sizes = [own[j][1][0].shape[0] for j in sorted(own)]
    return Packed(
        np.array([own[j][0] for j in sorted(own)]),
        np.cumsum([0, *(len(factor.inverse) for factor in factors)]),
        np.concatenate([factor.inverse.coefficients for factor in factors]),
        np.cumsum([0, *sizes]),
        np.cumsum(
            [0, *(size * len(own[j][1]) for j, size in zip(sorted(own), sizes, strict=True))]
        ),
        np.cumsum([0, *np.concatenate([np.diff(matrix.indptr) for matrix in matrices])]),
        np.concatenate([matrix.indices for matrix in matrices]).astype(np.int64),
        np.concatenate([matrix.data for matrix in matrices]),
    )
