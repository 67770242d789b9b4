"""Shapes of the log density of standard laws: powers and logarithms of the place."""

import numpy as np
from numpy.typing import NDArray

from scumble.reconstruction._roughness import Mask

FloatArray = NDArray[np.float64]

# Coefficients have a prior spread of ten. These scales make it three for the power of a standard
# law at an end, and five and one for the two terms of a lognormal law.
_POWER, _LOG, _LOG_SQUARED = 0.3, 0.5, 0.1


def edge_shapes(grid: Mask) -> FloatArray:
    """Return log x and log(1 - x): a density that falls or rises as a power at an end."""
    at = places(int(grid.sum()))
    return _on(grid, np.log(at), np.log(1 - at))


def law_shapes(grid: Mask) -> dict[str, FloatArray]:
    """Return the shapes of each standard law on the domain, by its name."""
    at = places(int(grid.sum()))
    below, above = np.log(at), np.log(1 - at)
    return {
        "beta": _on(grid, _POWER * below, _POWER * above),
        "gamma": _on(grid, _POWER * below, at),
        "gamma from above": _on(grid, _POWER * above, at),
        "lognormal": _on(grid, _LOG * below, _LOG_SQUARED * below**2),
        "lognormal from above": _on(grid, _LOG * above, _LOG_SQUARED * above**2),
    }


def places(cells: int) -> FloatArray:
    """Return the middles of cells of equal width, the domain being 0 to 1."""
    return np.asarray((np.arange(cells) + 0.5) / cells)


def _on(grid: Mask, *along: FloatArray) -> FloatArray:
    """Return shapes as columns; cells off the grid have none."""
    shapes = np.zeros((len(grid), len(along)))
    shapes[grid] = np.column_stack(along)
    return shapes
