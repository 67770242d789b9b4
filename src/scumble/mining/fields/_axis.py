"""An axis of a grid: the cells of an attribute in order, and what those below a line report."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scumble.mining.leaves import LeafModel, cut_after
from scumble.population import Single
from scumble.schema import Cells

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class FieldAxis:
    """The cells of an attribute in order; lines lie between them.

    Attributes
    ----------
    attribute : int
        The place of the attribute.
    order : array of int
        Its cells in order: numbers by size, categories by the mean place of their class.
    """

    attribute: int
    order: IntArray

    def __len__(self) -> int:
        return len(self.order)

    def factor(self, model: LeafModel) -> int:
        """Return the place of the factor that tells of it."""
        factors = model.reports.factors
        return next(f for f, own in enumerate(factors) if own.attributes == (self.attribute,))

    def below(self, model: LeafModel) -> NDArray[np.float32]:
        """Return P(code and truth below a line), over what a code is worth, (lines, codes)."""
        f = self.factor(model)
        factor, start = model.reports.factors[f], model.reports.offsets[f]
        shares = [np.empty((1, 0))] * len(model.densities)
        shares[self.attribute] = np.diag(model.densities[self.attribute].shares)[self.order]
        tables = factor.tables(shares).T / model.roots[start : start + factor.size]
        return np.vstack((np.zeros(factor.size), tables.cumsum(axis=0))).astype(np.float32)

    def shares_below(self, model: LeafModel) -> FloatArray:
        """Return P(truth below a line)."""
        shares = model.densities[self.attribute].shares[self.order]
        return np.append(0.0, shares.cumsum())

    def thresholds(self, model: LeafModel, lines: IntArray) -> FloatArray:
        """Return the thresholds of a number at lines between its cells."""
        cells = model.reports.cells[self.attribute]
        assert isinstance(cells, Cells)
        return np.array([cut_after(cells, line - 1) for line in lines.tolist()])


def field_axes(model: LeafModel, *, most: int) -> list[FieldAxis] | None:
    """Return the axes of the attributes that leaves test.

    None where they are more than so many, or one shares a coin with others.
    """
    alone = {x.attributes[0] for x in model.reports.factors if isinstance(x, Single)}
    if not 1 <= len(model.tested) <= most or not alone.issuperset(model.tested):
        return None
    return [FieldAxis(j, _order(model, j)) for j in model.tested]


def _order(model: LeafModel, j: int) -> IntArray:
    cells = model.reports.cells[j]
    if isinstance(cells, Cells):
        return np.arange(len(cells))
    weights = model.shares[:, None] * model.weights
    inside = [box.inside(j, cells) for box in model.boxes]
    whole = np.ones(len(cells))
    behind = np.array([whole if own is None else own for own in inside]).T @ weights
    mean = behind @ np.arange(behind.shape[1]) / np.maximum(behind.sum(axis=1), 1e-300)
    return np.argsort(mean, kind="stable")
