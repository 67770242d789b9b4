"""Records that report the same, counted once."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scumble.population import CodedReports

FloatArray = NDArray[np.float64]
_MOST_CELLS = 4_000_000


@dataclass(frozen=True, eq=False)
class Patterns:
    """Reports, each with the number of records that made it.

    Attributes
    ----------
    reports : CodedReports
        The reports with their classes, all of which are known.
    counts : array of float32
        How many records made each.
    """

    reports: CodedReports
    counts: NDArray[np.float32]

    @property
    def total(self) -> float:
        """The number of records."""
        return float(self.counts.sum(dtype=np.float64))

    @property
    def classes(self) -> int:
        """The number of classes."""
        return len(self.reports.label_matrix)

    def class_shares(self) -> FloatArray:
        """Return the share of each class in the table, estimated where it is disguised."""
        labels, matrix = self.reports.labels, self.reports.label_matrix
        reported = np.bincount(labels, weights=self.counts, minlength=self.classes)
        shares = np.linalg.lstsq(matrix.T, reported / self.total, rcond=None)[0]
        shares = np.maximum(shares, 1e-3)
        return np.asarray(shares / shares.sum())

    def code_counts(self) -> FloatArray:
        """Return how often each code of each factor occurs, by label."""
        reports = self.reports
        size = sum(factor.size for factor in reports.factors)
        found = np.zeros((self.classes, size))
        for offset, codes in zip(reports.offsets, reports.codes.T, strict=True):
            place = reports.labels * size + offset + codes
            found += np.bincount(place, weights=self.counts, minlength=found.size).reshape(
                found.shape
            )
        return found


def counted(reports: CodedReports, counts: NDArray[np.float32] | None = None) -> Patterns:
    """Return the records as patterns; those without a class are left out.

    Records may be patterns already, with the number of records that made each.

    Few attributes have fewer patterns than there are records, however many these are.
    Where there could be more, every record is a pattern of its own.

    Examples
    --------
    >>> import pyarrow as pa
    >>> from scumble import Categorical, Specification
    >>> from scumble.mining.leaves._patterns import counted
    >>> from scumble.population import code_reports
    >>> from scumble.tables import Table
    >>> spec = Specification({"smoker": Categorical(["no", "yes"])})
    >>> table = Table(pa.table({"smoker": ["no", "yes", "no", "no"]}))
    >>> counted(code_reports(table, spec, names=["smoker"])).counts.tolist()
    [3.0, 1.0]
    """
    known = np.flatnonzero(reports.labels >= 0)
    if len(known) < len(reports):
        reports = reports.some(known)
        counts = None if counts is None else counts[known]
    sizes = [len(reports.label_matrix), *(factor.size for factor in reports.factors)]
    if math.prod(sizes) > _MOST_CELLS:
        ones = np.ones(len(reports), dtype=np.float32)
        return Patterns(reports, ones if counts is None else counts)
    columns = (reports.labels, *reports.codes.T.astype(np.int64))
    place = np.ravel_multi_index(columns, sizes)
    table = np.bincount(place, weights=counts, minlength=math.prod(sizes))
    filled = np.flatnonzero(table)
    labels, *codes = np.unravel_index(filled, sizes)
    first = reports.some(np.empty(0, dtype=np.int64))
    joint = type(reports)(
        first.attributes,
        first.cells,
        first.factors,
        np.column_stack(codes).astype(reports.codes.dtype),
        labels.astype(np.int64),
        first.label_matrix,
    )
    return Patterns(joint, table[filled].astype(np.float32))
