"""A fitted tree, applied to truths."""

from collections.abc import Iterator
from typing import Any

import narwhals as nw
import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted, validate_data

from scumble.declared import declared_table
from scumble.errors import TableError
from scumble.mining._grow import CriterionName
from scumble.mining._training import plain_numbers, truth_blocks
from scumble.mining._tree import Tree
from scumble.schema import Specification
from scumble.tables import Table

FloatArray = NDArray[np.float64]


class AppliedTree:
    """What a classifier that has learned a tree can do with it."""

    spec: Specification | None
    criterion: CriterionName
    tree_: Tree
    classes_: NDArray[Any]

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the most frequent class of the leaf that each truth reaches.

        Parameters
        ----------
        X : DataFrame or array
            The truths.
        """
        places = [self.tree_.predicted(block) for block in self._blocks(X)]
        return np.asarray(self.classes_[np.concatenate(places)])

    def predict_proba(self, X: Any) -> FloatArray:
        """Return the share of each class in the leaf that each truth reaches.

        Parameters
        ----------
        X : DataFrame or array
            The truths.
        """
        return np.concatenate([self.tree_.chances(block) for block in self._blocks(X)])

    def predict_log_proba(self, X: Any) -> FloatArray:
        """Return the logarithm of `predict_proba`."""
        with np.errstate(divide="ignore"):
            return np.asarray(np.log(self.predict_proba(X)))

    def apply(self, X: Any) -> NDArray[np.int64]:
        """Return the leaf that each truth reaches, as the number of its node.

        Where a missing value goes down every branch, it is the leaf of most weight.
        """
        return np.concatenate([self.tree_.leaves(block) for block in self._blocks(X)])

    def _blocks(self, X: Any) -> Iterator[FloatArray]:
        """Yield truths as rows of numbers, block by block."""
        check_is_fitted(self, "tree_")
        table = self._read(X, reset=False)
        if self.spec is None:
            # Where one of the tables has no names, columns are known by their place.
            table = table.renamed(self.tree_.names)
        yield from truth_blocks(table, self.tree_, lenient=self.spec is None)

    def decision_path(self, X: Any) -> Any:
        """Return which nodes each truth passes, as a sparse matrix of 0 and 1."""
        from scipy.sparse import csr_matrix

        leaves = self.apply(X)
        paths = {leaf: self.tree_.path(leaf) for leaf in np.unique(leaves).tolist()}
        passed = [paths[leaf] for leaf in leaves.tolist()]
        pointers = np.append(0, np.cumsum([len(path) for path in passed]))
        nodes = np.concatenate(passed)
        shape = (len(leaves), len(self.tree_))
        return csr_matrix((np.ones(len(nodes), dtype=np.int64), nodes, pointers), shape=shape)

    def get_depth(self) -> int:
        """Return how many tests lead to the deepest leaf."""
        check_is_fitted(self, "tree_")
        return int(self.tree_.depths.max())

    def get_n_leaves(self) -> int:
        """Return the number of leaves."""
        check_is_fitted(self, "tree_")
        return self.tree_.leaf_count

    @property
    def feature_importances_(self) -> FloatArray:
        """How much each attribute decreases the impurity; they sum to one."""
        check_is_fitted(self, "tree_")
        return self.tree_.importances(self.criterion)

    def _read(self, X: Any, *, reset: bool) -> Table:
        """Return the columns of X, checked against the specification or what was fitted."""
        if self.spec is not None:
            return declared_table(X, self.spec, withheld=False)
        if nw.dependencies.is_into_dataframe(X):
            # First ours, whose errors show no name that might be a value.
            table = Table(X)
            validate_data(self, X, reset=reset, skip_check_array=True)
            if not len(table):
                raise TableError("table: expected at least one record, got none")
            return table
        array = validate_data(
            self, plain_numbers(X), reset=reset, dtype=np.float64, ensure_all_finite="allow-nan"
        )
        return Table(array, names=[f"x{j}" for j in range(array.shape[1])])

    def _labels(self, table: Table, y: Any) -> Any:
        """Return the classes as given, or as the table has them."""
        if y is not None:
            return y
        name = None if self.spec is None else self.spec.class_attribute
        if name is None or name not in table.names:
            raise TableError(
                f"{type(self).__name__} requires y to be passed, but the target y is None"
            )
        return table.column(name)
