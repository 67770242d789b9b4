"""How much a tree changes by itself: trees from most of the records beside that from all."""

from collections.abc import Callable
from typing import Any

import numpy as np

from scumble.audit._similarity import TreeSimilarity, compare_trees
from scumble.columns import taken
from scumble.errors import SpecificationError
from scumble.tables import Table


def natural_instability(
    make: Callable[[], Any],
    X: Any,
    y: Any,
    *,
    share: float = 0.9,
    repeats: int = 10,
    seed: int | None = None,
) -> list[TreeSimilarity]:
    """Compare trees from random parts of the records with the tree from all of them.

    It is the scale for the similarity of a tree from treated records: what differs no more
    than these differ would also have differed with other people in the table.

    Parameters
    ----------
    make : callable
        Returns a classifier that is not fitted yet, such as `C45Classifier`.
    X : DataFrame or array
        The records.
    y : array or Series
        Their classes.
    share : float
        The share of the records that each tree learns from.
    repeats : int
        The number of trees.
    seed : int, optional
        For parts that can be drawn again.

    Examples
    --------
    >>> import numpy as np
    >>> from scumble import DisguisedTreeClassifier
    >>> from scumble.audit import natural_instability
    >>> X = np.arange(100.0)[:, None]
    >>> found = natural_instability(DisguisedTreeClassifier, X, X[:, 0] < 40, repeats=3, seed=1)
    >>> [round(one.recall) for one in found]
    [1, 1, 1]
    """
    if not 0 < share <= 1:
        raise SpecificationError(f"share: expected more than 0 and at most 1, got {share!r}")
    names = [f"x{j}" for j in range(X.shape[1])] if isinstance(X, np.ndarray) else []
    table, rng = Table(X, names=names), np.random.default_rng(seed)
    whole = make().fit(X, y)
    found = []
    for _ in range(repeats):
        chosen = np.sort(rng.permutation(len(table))[: round(share * len(table))])
        kept = np.zeros(len(table), dtype=bool)
        kept[chosen] = True
        part = make().fit(table.where(kept).native, taken(y, chosen))
        found.append(compare_trees(whole, part, X))
    return found
