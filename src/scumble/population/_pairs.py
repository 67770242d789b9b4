"""What each attribute tells of the class, from pairs of reports alone."""

import numpy as np
from numpy.typing import NDArray

from scumble.population._factors import Coin, FloatArray
from scumble.population._reports import CodedReports

# A matrix that is closer to singular tells too little to start from its inverse.
_CLEARLY_INVERTIBLE = 1e5
# Steps from elsewhere are fewer: they would fit the noise of the counts.
_STEPS, _FROM_INVERSE = 50, 300


def pair_tables(reports: CodedReports) -> list[FloatArray]:
    """Return P(cell of an attribute, class) for each attribute, by maximum likelihood.

    Parameters
    ----------
    reports : CodedReports
        The reports with the classes that they tell.

    Returns
    -------
    list of array, (cells, classes)

    Examples
    --------
    >>> import pandas as pd
    >>> from scumble import Categorical, Specification
    >>> from scumble.mechanisms import Warner
    >>> from scumble.population import code_reports, pair_tables
    >>> from scumble.tables import Table
    >>> answer = Categorical(["no", "yes"], mechanism=Warner(keep=0.8, group="all"))
    >>> spec = Specification({"smoker": answer, "ill": answer}, class_attribute="ill")
    >>> table = Table(pd.DataFrame({"smoker": ["yes"] * 80 + ["no"] * 20}))
    >>> reports = code_reports(table, spec, names=["smoker"], labels=np.repeat([1, 0], [80, 20]),
    ...     label_matrix=Warner(keep=0.8).channel(answer).matrix)
    >>> pair_tables(reports)[0].round(2).tolist()
    [[0.0, 0.0], [0.0, 1.0]]

    Notes
    -----
    The table of one attribute and the class is small: it is estimated through the channel
    of the two alone, inverted and then made a distribution by EM. No table of more
    attributes is made non-negative, which would spoil those of few.
    """
    classes = len(reports.label_matrix)
    labels = told_classes(reports)
    tables = []
    for factor, codes in zip(reports.factors, reports.codes.T, strict=True):
        for attribute in factor.attributes:
            if attribute == len(reports.cells):
                continue
            told = factor.told(attribute)[codes]
            known = (told > 0) & (labels >= 0)
            if isinstance(factor, Coin) and len(reports.cells) in factor.attributes:
                matrix = factor.pair(attribute, len(reports.cells))
            else:
                matrix = np.asarray(np.kron(factor.matrix(attribute), reports.label_matrix))
            place = (told[known] - 1).astype(np.int64) * classes + labels[known]
            counts = np.bincount(place, minlength=matrix.shape[1])
            tables.append((attribute, shares_behind(counts, matrix).reshape(-1, classes)))
    return [table for _, table in sorted(tables, key=lambda found: found[0])]


def told_classes(reports: CodedReports) -> NDArray[np.int64]:
    """Return the class that each record reports, whoever tells it; -1 where it does not."""
    place = reports.class_factor
    if place is None:
        return reports.labels
    told = reports.factors[place].told(len(reports.cells))
    return np.asarray(told[reports.codes[:, place]] - 1)


def shares_behind(counts: NDArray[np.int64], matrix: FloatArray) -> FloatArray:
    """Return the shares of truths behind counts of reports, by maximum likelihood.

    Parameters
    ----------
    counts : array
        How often each report was made.
    matrix : array, (truths, reports)
        P(report | truth).
    """
    truths, total = len(matrix), max(1, int(counts.sum()))
    shares, steps = np.full(truths, 1 / truths), _STEPS
    if matrix.shape == (truths, truths) and np.linalg.cond(matrix) < _CLEARLY_INVERTIBLE:
        # Where little is told truly, steps from equal shares would hardly leave them.
        shares = np.maximum(np.linalg.solve(matrix.T, counts / total), 1 / (1 + total))
        shares, steps = shares / shares.sum(), _FROM_INVERSE
    for _ in range(steps):
        shares = shares * (matrix @ (counts / np.maximum(shares @ matrix, 1e-300)))
        shares /= max(shares.sum(), 1e-300)
    return np.asarray(shares)
