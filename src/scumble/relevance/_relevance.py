"""How much each attribute of a table tells about a class."""

from collections.abc import Callable, Collection
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from scumble.errors import SpecificationError, TableError
from scumble.progress import bar
from scumble.relevance._association import class_correlation, cramers_v, gini_decrease
from scumble.relevance._classes import class_codes
from scumble.relevance._column import Column, read_column
from scumble.relevance._expected import corrected_gain
from scumble.relevance._gain import gain_ratio, information_gain, symmetric_uncertainty
from scumble.relevance._mdlp import checked_minimum, cuts_of_counts
from scumble.relevance._result import Relevance, Relevances
from scumble.schema._named import column_suggestion, suggestion
from scumble.tables import Table

Discretization = Literal["mdlp", "values", "bytes"]
Counts = NDArray[np.int64]
# Counts of values by classes are held at once: 400 megabytes.
MOST_COUNTS = 50_000_000
_OF_CELLS: dict[str, Callable[[Counts], float]] = {
    "gain": information_gain,
    "gain_ratio": gain_ratio,
    "gini_decrease": gini_decrease,
    "symmetric_uncertainty": symmetric_uncertainty,
    "cramers_v": cramers_v,
}


def relevance(
    X: Any,
    y: Any,
    *,
    discretization: Discretization = "mdlp",
    minimum: int = 1,
    missing_as_value: Collection[str] = (),
    progress: bool = False,
) -> Relevances:
    """Return how much each attribute of a table in clear tells about a class.

    Parameters
    ----------
    X : DataFrame or array
        The table: pandas, polars, pyarrow, or a two-dimensional array, whose columns are
        called x0, x1 and so on.
    y : array, list, Series or str
        The class of each record, or the name of the column that holds it.
    discretization : {"mdlp", "values", "bytes"}
        What the cells of numbers and dates are: intervals between cuts that pay for their
        description (see `mdlp_cuts`), the different values, or the values as unsigned
        bytes (without their fraction, modulo 256), which is what a published table has and
        nobody should want. Each value of a category is a cell.
    minimum : int
        How many records an interval must hold.
    missing_as_value : collection of str
        Attributes of which a missing value means something, as an abstention does: it
        counts as a cell of its own.
    progress : bool
        Whether to show how far the work has come.

    Returns
    -------
    Relevances
        A row for each attribute; `to_text`, `plot`, `to_dict`.

    Raises
    ------
    TableError
        If the table and the class do not fit together, or the class is none.
    DomainError
        If a column holds values of several types, or lists.

    Examples
    --------
    >>> import pyarrow as pa
    >>> from scumble.relevance import relevance
    >>> table = pa.table({
    ...     "age": [20, 21, 22, 24, 60, 61, 65, 65],
    ...     "size": ["m", "l", "m", "l", "m", "l", "m", None],
    ...     "name": ["Ann", "Bo", "Cy", "Di", "Ed", "Flo", "Gus", "Hal"],
    ... })
    >>> print(relevance(table, ["well"] * 4 + ["ill"] * 4).to_text())
    attribute           kind     missing distinct   gain corrected      V
    age                 number         0        7  1.000     0.143  1.000
    name                category       0        8  1.000     0.000  1.000 unique
    size                category       1        2  0.018    -0.107  0.146
    <BLANKLINE>
    cuts
      age: 42

    Notes
    -----
    Measures are those of the records whose value is known, times their share, as in C4.5:
    of what is missing nothing is learnt. The correlation alone is not scaled. The gain of
    a category and of a name grows with the number of values; the corrected gain, which is
    of values and not of intervals, has no such bias.

    The table is read as it is and the result tells of it: it is for who holds the table.
    """
    if discretization not in get_args(Discretization):
        raise SpecificationError(
            f"discretization: unknown {discretization!r}"
            f"{suggestion(discretization, get_args(Discretization))}"
        )
    minimum = checked_minimum(minimum)
    table, names, labels = _parts(X, y)
    classes, codes = class_codes(labels)
    if len(codes) != len(table):
        raise TableError(f"y: expected a class for each of {len(table)} records, got {len(codes)}")
    _check_names(missing_as_value, names)
    rows = []
    with bar("relevance", shown=progress, total=len(names), unit=" columns") as done:
        for name in names:
            column = read_column(table, name)
            meant = name in missing_as_value
            counted = _counted(str(name), column, codes, len(classes))
            rows.append(_row(str(name), column, counted, discretization, minimum, meant))
            done.update()
    return Relevances(tuple(rows), classes, tuple(np.bincount(codes).tolist()), discretization)


def _parts(X: Any, y: Any) -> tuple[Table, list[str], Any]:
    """Return the table, the names of the attributes, and the labels."""
    array = isinstance(X, np.ndarray) and X.ndim == 2
    table = Table(X, names=[f"x{j}" for j in range(X.shape[1])] if array else ())
    if not isinstance(y, str):
        return table, table.names, y
    if y not in table.names:
        raise TableError(f"y: expected the name of a column, got {y!r}, which the table has not")
    return table, [name for name in table.names if name != y], table.column(y)


def _check_names(given: Collection[str], names: list[str]) -> None:
    if isinstance(given, str):
        raise SpecificationError("missing_as_value: expected a list of names, got one name")
    for name in given:
        if name not in names:
            raise SpecificationError(
                f"missing_as_value: no column {name!r}{column_suggestion(name, names)}"
            )


def _counted(name: str, column: Column, codes: NDArray[np.intp], classes: int) -> Counts:
    """Return how many records of each class have each value; missing ones in the last row."""
    size = (column.distinct + 1) * classes
    if size > MOST_COUNTS:
        raise TableError(
            f"column {name!r}: expected at most {MOST_COUNTS:,} counts of values by classes, got "
            f"{column.distinct:,} values and {classes} classes; drop it, or join classes"
        )
    # A code of -1 is the row before the first, which is rolled to the end.
    flat = np.bincount((column.codes + 1) * classes + codes, minlength=size)
    return np.roll(flat.reshape(-1, classes), -1, axis=0)


def _row(
    name: str,
    column: Column,
    counted: Counts,
    discretization: Discretization,
    minimum: int,
    meant: bool,
) -> Relevance:
    values, missing = counted[:-1], counted[-1:]
    cuts: tuple[float, ...] = ()
    cells, correlation = values, None
    if column.numbers is not None:
        cuts = cuts_of_counts(column.numbers, values, minimum=minimum)
        cells = _cells(column.numbers, values, cuts, discretization)
        found = class_correlation(column.numbers, values)
        correlation = None if np.isnan(found) else found
    if meant:
        cells, values = np.vstack((cells, missing)), np.vstack((values, missing))
    share = 1.0 if meant else column.known / len(column.codes)
    return Relevance(
        name=name,
        kind=column.kind,
        records=len(column.codes),
        missing=int(missing.sum()),
        distinct=column.distinct,
        identifier=column.identifier,
        corrected_gain=share * corrected_gain(values),
        correlation=correlation,
        cuts=cuts,
        **{measure: share * function(cells) for measure, function in _OF_CELLS.items()},
    )


def _cells(
    numbers: NDArray[np.float64],
    values: Counts,
    cuts: tuple[float, ...],
    discretization: Discretization,
) -> Counts:
    """Return the counts of values that share a cell, added up."""
    if discretization == "values":
        return values
    if discretization == "mdlp":
        cell = np.searchsorted(np.array(cuts), numbers)
    else:
        # An infinite number has no bytes; the greatest there are stand for it.
        cell = np.trunc(np.clip(numbers, -(2.0**62), 2.0**62)).astype(np.int64) % 256
    counts = np.zeros((256 if discretization == "bytes" else len(cuts) + 1, values.shape[1]), int)
    np.add.at(counts, cell, values)
    return counts
