"""From training records to counts: one source of node statistics for each method."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from scumble.declared import conformed
from scumble.engines import Rows, Source
from scumble.errors import DomainError
from scumble.mining._cuts import MOST_CUTS, Column, cuts_of_values
from scumble.mining._local import LocalSource
from scumble.mining._reports import Reports
from scumble.mining._training import Training
from scumble.reconstruction import Bayes, Method, published_interval_count
from scumble.schema import Attribute, Categorical, own_mechanism

MethodName = Literal["byclass", "local", "global", "inversion", "uncorrected", "likelihood"]
# The published rule, stopped later than published (docs/trees.md): not so late at a node,
# where there are fewer records to fit too closely.
_RULES = {False: Bayes(tolerance=0.0002), True: Bayes(tolerance=0.001)}
METHODS: tuple[MethodName, ...] = ("byclass", "local", "global", "uncorrected")


@dataclass(frozen=True, kw_only=True)
class Reading:
    """How reports are read.

    Attributes
    ----------
    method : str
        Whose distribution is reconstructed: "global", of all records at once;
        "byclass", of each class; "local", of each class at each node; "uncorrected",
        none: reports are taken for truths.
    cells : int, optional
        The number of cells of a disguised number; by default as published.
    reconstruction : Method, optional
        How to reconstruct.
    least : float
        For "local": nodes of fewer records keep the cells of the node above.
    workers : int
        How many threads may work.
    """

    method: MethodName
    cells: int | None
    reconstruction: Method | None
    least: float
    workers: int = 1


def read(training: Training, reading: Reading) -> tuple[Source, list[Column], frozenset[str]]:
    """Return who counts the records, their cells, and which attributes have missing ones."""
    names = list(training.attributes)
    disguised = [
        j
        for j, attribute in enumerate(training.attributes.values())
        if is_disguised(attribute) and reading.method != "uncorrected"
    ]
    local = reading.method == "local"
    carried = disguised if local else []
    codes = np.empty((len(training), len(names) + len(carried)), dtype=np.uint16)

    def column(j: int) -> Column | Reports:
        if j not in disguised:
            return read_clear(training, names[j], codes[:, j])
        cells = reading.cells or published_interval_count(round(training.weight))
        attribute = training.attributes[names[j]]
        reports = Reports(attribute, cells=cells, method=reading.reconstruction or _RULES[local])
        fine = _fine_codes(training, names[j], reports)
        if carried:
            codes[:, len(names) + carried.index(j)] = fine
        else:
            _associate_once(fine, codes, j, training, reports, pooled=reading.method == "global")
        return reports

    with ThreadPoolExecutor(reading.workers) as pool:
        read_columns = list(pool.map(column, range(len(names))))
    columns = [c.column if isinstance(c, Reports) else c for c in read_columns]
    rows = Rows(
        codes,
        training.labels,
        sizes=[len(c) + 1 for c in columns],
        classes=training.classes,
        weights=training.weights,
        workers=reading.workers,
    )
    missing = frozenset(
        name
        for j, name in enumerate(names)
        if not codes[:, len(names) + carried.index(j) if j in carried else j].all()
    )
    if not carried:
        return rows, columns, missing
    found = [(j, c) for j, c in enumerate(read_columns) if isinstance(c, Reports)]
    source = LocalSource(rows, found, least=reading.least, cells=reading.cells)
    return source, columns, missing


def is_disguised(attribute: Attribute) -> bool:
    """Say whether what is known of an attribute are reports."""
    return own_mechanism(attribute).name != "identity"


def read_clear(
    training: Training, name: str, codes: NDArray[np.uint16], *, most: int = MOST_CUTS
) -> Column:
    """Write the cells of a column that is taken as it is, and return them."""
    attribute = training.attributes[name]
    domain = own_mechanism(attribute).report_domain(attribute)
    values = training.rows_of(conformed(training.table, name, domain))
    if isinstance(attribute, Categorical):
        codes[:] = values + 1
        return attribute
    cuts = cuts_of_values(values, weights=training.weights, most=most)
    codes[:] = cuts.codes(values)
    return cuts


def _fine_codes(training: Training, name: str, reports: Reports) -> NDArray[np.uint16]:
    try:
        return training.rows_of(reports.codes(training.table.column(name)))
    except DomainError as error:
        raise DomainError(f"column {name!r}: {error}") from None


def _associate_once(
    fine: NDArray[np.uint16],
    codes: NDArray[np.uint16],
    j: int,
    training: Training,
    reports: Reports,
    *,
    pooled: bool,
) -> None:
    """Write the cells that the reports of all records, or of each class, are sent to."""
    labels = np.zeros_like(training.labels) if pooled else training.labels
    rows = Rows(
        fine[:, None],
        labels,
        sizes=[len(reports.fine) + 1],
        classes=1 if pooled else training.classes,
        weights=training.weights,
    )
    reports.associate(rows, np.array([0]), column=0, codes=codes, place=j)
