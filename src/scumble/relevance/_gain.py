"""What cells tell about the class, in bits and as shares of what there is to tell."""

import numpy as np
from numpy.typing import ArrayLike

from scumble.relevance._counts import as_counts, entropy


def information_gain(table: ArrayLike) -> float:
    """Return how many bits of the class a cell tells, on average.

    Parameters
    ----------
    table : array of shape (cells, classes)
        How many records of each class lie in each cell.

    Examples
    --------
    >>> from scumble.relevance import information_gain
    >>> information_gain([[2, 0], [0, 2]]), information_gain([[1, 1], [1, 1]])
    (1.0, 0.0)

    Notes
    -----
    The mutual information of cell and class: H(class) - H(class | cell). It grows with the
    number of cells even if these tell nothing: see `corrected_gain`.
    """
    counts = as_counts(table)
    if not counts.size:
        return 0.0
    total = counts.sum()
    # Each count beside what it would be if the cell told nothing: no difference of large sums.
    alone = (counts.sum(axis=1, keepdims=True) / total) * counts.sum(axis=0)
    some = counts > 0
    return max(0.0, float(np.sum(counts[some] * np.log2(counts[some] / alone[some])) / total))


def gain_ratio(table: ArrayLike) -> float:
    """Return the information gain as a share of the entropy of the cells.

    Examples
    --------
    >>> from scumble.relevance import gain_ratio
    >>> gain_ratio([[2, 0], [0, 2]]), gain_ratio([[1, 0], [1, 0], [0, 1], [0, 1]])
    (1.0, 0.5)

    Notes
    -----
    As in C4.5. It is 0 where there is one cell only.
    """
    cells = entropy(as_counts(table).sum(axis=1))
    return information_gain(table) / cells if cells > 0 else 0.0


def symmetric_uncertainty(table: ArrayLike) -> float:
    """Return the information gain as a share of the mean entropy of cells and classes.

    Examples
    --------
    >>> from scumble.relevance import symmetric_uncertainty
    >>> symmetric_uncertainty([[2, 0], [0, 2]])
    1.0

    Notes
    -----
    It is 1 where each tells the other, and 0 where there is one cell or one class only.
    """
    counts = as_counts(table)
    both = entropy(counts.sum(axis=1)) + entropy(counts.sum(axis=0))
    return 2 * information_gain(counts) / both if both > 0 else 0.0
