"""The leaves of a tree as rules that can be compared: boxes, classes, and who reaches them."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from scumble.declared import declared_table
from scumble.errors import TableError
from scumble.mining import Tree
from scumble.mining._training import plain_numbers, truth_blocks
from scumble.mining.export._conditions import Conditions, Scope
from scumble.mining.export._wording import plain
from scumble.schema import Categorical
from scumble.tables import Table

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]


@dataclass(frozen=True)
class Box:
    """What a rule asks of a record; whether missing values meet it does not matter.

    Attributes
    ----------
    bounds : mapping of (str, str) to float
        For each attribute and side, "low" or "high", the share of the records below the bound.
    values : mapping of str to frozenset
        For each attribute of categories, which of the values that occur are let in.
    """

    bounds: Mapping[tuple[str, str], float]
    values: Mapping[str, frozenset[Any]]

    def is_near(self, other: "Box", *, tolerance: float) -> bool:
        """Tell whether another box has the same sides, each within a share of the records.

        Examples
        --------
        >>> box = Box({("age", "low"): 0.30}, {})
        >>> box.is_near(Box({("age", "low"): 0.35}, {}), tolerance=0.05)
        True
        >>> box.is_near(Box({("age", "high"): 0.30}, {}), tolerance=0.05)
        False
        """
        if self.bounds.keys() != other.bounds.keys() or self.values != other.values:
            return False
        # Shares are quotients of counts: 0.35 - 0.30 exceeds 0.05 by a rounding error.
        limit = tolerance + 1e-9
        return all(abs(share - other.bounds[side]) <= limit for side, share in self.bounds.items())


@dataclass(frozen=True, eq=False)
class TreeOnRecords:
    """A tree, and the records that its rules are measured on.

    Attributes
    ----------
    tree : Tree
        The tree.
    values : array of float, (records, attributes)
        The records as the tree reads them.
    """

    tree: Tree
    values: FloatArray

    @cached_property
    def leaves(self) -> IntArray:
        """The nodes that are leaves."""
        return np.flatnonzero(self.tree.attribute < 0)

    @cached_property
    def reached(self) -> IntArray:
        """The place among the leaves of the one that each record reaches."""
        return np.searchsorted(self.leaves, self.tree.leaves(self.values))

    @cached_property
    def sizes(self) -> IntArray:
        """How many records reach each leaf."""
        return np.bincount(self.reached, minlength=len(self.leaves))

    @cached_property
    def labels(self) -> list[Any]:
        """The class of each leaf."""
        return [_bare(self.tree.label(leaf)) for leaf in self.leaves.tolist()]

    @cached_property
    def answers(self) -> list[Any]:
        """The class that the tree gives each record."""
        classes: list[Any] = self.tree.classes.tolist()
        return [classes[place] for place in self.tree.predicted(self.values).tolist()]

    @cached_property
    def attributes(self) -> frozenset[str]:
        """The attributes that are tested."""
        return frozenset(self.tree.names[place] for place in self.tree.tested)

    @property
    def root(self) -> str | None:
        """The attribute that the root tests; None of a single leaf."""
        place = int(self.tree.attribute[0])
        return None if place < 0 else self.tree.names[place]

    @cached_property
    def boxes(self) -> list[Box]:
        """The box of each leaf."""
        conditions = Conditions(self.tree)
        return [self._box(conditions.scopes(leaf)) for leaf in self.leaves.tolist()]

    @cached_property
    def texts(self) -> list[str]:
        """The rule of each leaf, as text."""
        conditions = Conditions(self.tree)
        return [
            _text(conditions.of_path(leaf), self.tree.label(leaf)) for leaf in self.leaves.tolist()
        ]

    @cached_property
    def first_boxes(self) -> list[Box]:
        """What the branches of the root ask."""
        conditions = Conditions(self.tree)
        children = np.flatnonzero(self.tree.parent == 0).tolist()
        return [self._box(conditions.scopes(node)) for node in children]

    def _box(self, scopes: Mapping[int, Scope]) -> Box:
        bounds: dict[tuple[str, str], float] = {}
        values: dict[str, frozenset[Any]] = {}
        for place, scope in scopes.items():
            name = self.tree.names[place]
            attribute = self.tree.attributes[name]
            if isinstance(attribute, Categorical):
                inside = self._occurring(place) - scope.left_out
                values[name] = frozenset(attribute.values[code] for code in inside)
                continue
            if scope.low > -np.inf:
                bounds[name, "low"] = self._share_below(place, scope.low)
            if scope.high < np.inf:
                bounds[name, "high"] = self._share_below(place, scope.high)
        return Box(bounds, values)

    def _occurring(self, place: int) -> frozenset[int]:
        codes = self.values[:, place]
        return frozenset(codes[~np.isnan(codes)].astype(int).tolist())

    def _share_below(self, place: int, threshold: float) -> float:
        """Return the empirical distribution function of an attribute at a threshold."""
        known = self.values[:, place]
        known = known[~np.isnan(known)]
        return float(np.count_nonzero(known < threshold) / max(1, len(known)))


def on_records(model: Any, X: Any) -> TreeOnRecords:
    """Return a tree, or that of a fitted classifier, beside the records.

    Raises
    ------
    TableError
        If the table does not hold what the tree tests.
    """
    if isinstance(model, Tree):
        tree, spec = model, None
    else:
        check_is_fitted(model, "tree_")
        tree, spec = model.tree_, getattr(model, "spec", None)
    table = _plain_table(X, tree) if spec is None else declared_table(X, spec, withheld=False)
    if not len(table):
        raise TableError("table: expected at least one record, got none")
    return TreeOnRecords(tree, np.concatenate(list(truth_blocks(table, tree, lenient=True))))


def _plain_table(X: Any, tree: Tree) -> Table:
    """Return a table whose columns are called as the tree calls them."""
    X = plain_numbers(np.asarray(X) if isinstance(X, list) else X)
    width = X.shape[1] if getattr(X, "ndim", 0) == 2 else 0
    table = Table(X, names=[f"x{j}" for j in range(width)])
    absent = [name for place, name in enumerate(tree.names) if place in tree.tested]
    absent = [name for name in absent if name not in table.names]
    if not absent:
        return table
    if len(table.names) != len(tree.names):
        raise TableError(
            f"table: expected the attributes that the tree tests, got {len(absent)} of "
            f"{len(tree.tested)} missing; hand over the records that the trees are about"
        )
    # Where one of them has no names, columns are known by their place.
    return table.renamed(tree.names)


def _bare(label: Any) -> Any:
    """Return a label that compares with those of other trees, whatever array it comes from."""
    return label.item() if isinstance(label, np.generic) else label


def _text(conditions: list[str], label: Any) -> str:
    return (
        f"{'if ' + ' and '.join(conditions) + ' then' if conditions else 'always'} {plain(label)}"
    )
