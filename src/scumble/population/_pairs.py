"""What each attribute tells of the class, from pairs of reports alone."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from scumble.population._coin import Coin
from scumble.population._factors import Factor, FloatArray
from scumble.population._joined import Reports
from scumble.population._reports import CodedReports

# A matrix that is closer to singular tells too little to start from its inverse.
_CLEARLY_INVERTIBLE = 1e5
# Steps from elsewhere are fewer: they would fit the noise of the counts.
_STEPS, _FROM_INVERSE = 50, 300
# Steps that move a smaller share of the truths are not worth their time.
_AT_REST = 1e-6


def pair_tables(reports: Reports) -> list[FloatArray]:
    """Return P(cell of an attribute, class) for each attribute, by maximum likelihood.

    Parameters
    ----------
    reports : CodedReports or JoinedReports
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
    found: dict[int, list[tuple[NDArray[np.int64], FloatArray]]] = {}
    for part in reports.parts:
        labels = told_classes(part)
        for factor, codes in zip(part.factors, part.codes.T, strict=True):
            for attribute in factor.attributes:
                if attribute < len(part.cells):
                    matrix = _pair_matrix(part, factor, attribute)
                    told = factor.told(attribute)[codes]
                    known = (told > 0) & (labels >= 0)
                    place = (told[known] - 1).astype(np.int64) * part.class_count + labels[known]
                    counts = np.bincount(place, minlength=matrix.shape[1])
                    found.setdefault(attribute, []).append((counts, matrix))
    return [
        shares_behind(*stacked(found[place])).reshape(-1, reports.class_count)
        for place in range(len(reports.cells))
    ]


def _pair_matrix(reports: CodedReports, factor: Factor, attribute: int) -> FloatArray:
    """Return P(report, reported class | truth, class), the classes faster."""
    if isinstance(factor, Coin) and len(reports.cells) in factor.attributes:
        return factor.pair(attribute, len(reports.cells))
    return np.asarray(np.kron(factor.matrix(attribute), reports.label_matrix))


def told_classes(reports: CodedReports) -> NDArray[np.int64]:
    """Return the class that each record reports, whoever tells it; -1 where it does not."""
    place = reports.class_factor
    if place is None:
        return reports.labels
    told = reports.factors[place].told(len(reports.cells))
    return np.asarray(told[reports.codes[:, place]] - 1)


def stacked(
    parts: Sequence[tuple[NDArray[np.int64], FloatArray]],
) -> tuple[NDArray[np.int64], FloatArray]:
    """Return counts of reports and P(report | truth) of several parties as if of one.

    A report is one of a party, and truths are of a party as often as it has records.
    """
    total = max(1, sum(int(counts.sum()) for counts, _ in parts))
    counts = np.concatenate([own for own, _ in parts])
    return counts, np.hstack([matrix * (own.sum() / total) for own, matrix in parts])


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
    if truths <= matrix.shape[1] and np.linalg.cond(matrix) < _CLEARLY_INVERTIBLE:
        # Where little is told truly, steps from equal shares would hardly leave them.
        solved = np.linalg.lstsq(matrix.T, counts / total, rcond=None)[0]
        shares = np.maximum(solved, 1 / (1 + total))
        shares, steps = shares / shares.sum(), _FROM_INVERSE
    for _ in range(steps):
        before = shares
        shares = before * (matrix @ (counts / np.maximum(before @ matrix, 1e-300)))
        shares /= max(shares.sum(), 1e-300)
        if np.abs(shares - before).sum() < _AT_REST:
            break
    return np.asarray(shares)
