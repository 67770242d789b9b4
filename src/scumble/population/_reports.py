"""A table of reports as codes, factor by factor, with what leads from truths to them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scumble.declared import conformed
from scumble.errors import DomainError, SpecificationError
from scumble.population._coin import Coin, seen_combinations
from scumble.population._factors import Codes, Factor, Single
from scumble.schema import (
    Cells,
    CellSet,
    Channel,
    Domain,
    Numeric,
    Specification,
    own_mechanism,
)
from scumble.tables import Table

FloatArray = NDArray[np.float64]
_CELLS = 100
# One code more is that of a missing report.
MOST_REPORTS = 2**16 - 1
_NOWHERE: FloatArray = np.empty(0)


@dataclass(frozen=True)
class OrMissing:
    """Cells, and before them one for missing values.

    Attributes
    ----------
    cells : CellSet
        The other cells.
    """

    cells: CellSet

    def __len__(self) -> int:
        return len(self.cells) + 1

    def codes(self, values: Any, /) -> NDArray[np.int32]:
        """Return the cell of each value; 0 where it is missing."""
        return self.cells.codes(values) + np.int32(1)


@dataclass(frozen=True, eq=False)
class CodedReports:
    """Reports of several attributes, and the class of each record where it is known.

    Attributes
    ----------
    attributes : mapping of str to Numeric or Categorical
        The attributes.
    cells : list of CellSet
        The truth cells of each.
    factors : list of Factor
        What makes up a report.
    codes : array of uint16 or uint32, (records, factors)
        The code of each factor; 0 is missing.
    labels : array of int
        The class that each record reports, as its place; -1 where it does not, and where
        the class shares a coin with attributes: then a factor tells it.
    label_matrix : array, (classes, classes)
        P(reported class | class).
    """

    attributes: Mapping[str, Domain]
    cells: Sequence[CellSet]
    factors: Sequence[Factor]
    codes: Codes
    labels: NDArray[np.int64]
    label_matrix: FloatArray

    def __len__(self) -> int:
        return len(self.codes)

    @property
    def parts(self) -> "tuple[CodedReports, ...]":
        """The reports of each party: of one alone."""
        return (self,)

    @property
    def class_count(self) -> int:
        """The number of classes."""
        return len(self.label_matrix)

    @property
    def class_is_disguised(self) -> bool:
        """Whether the class that a record reports may be another one than its own."""
        shares_coin = self.class_factor is not None
        return shares_coin or not np.array_equal(self.label_matrix, np.eye(self.class_count))

    @cached_property
    def offsets(self) -> NDArray[np.int64]:
        """Where the codes of each factor begin among those of all."""
        return np.cumsum([0, *(factor.size for factor in self.factors)])[:-1]

    @property
    def class_factor(self) -> int | None:
        """The factor that tells the class, where it shares a coin with attributes."""
        return next(
            (f for f, own in enumerate(self.factors) if len(self.cells) in own.attributes), None
        )

    def without_class(self) -> "CodedReports":
        """Return the same reports as if no record told its class."""
        factors, place = list(self.factors), self.class_factor
        if place is not None:
            coin = factors[place]
            assert isinstance(coin, Coin)
            factors[place] = coin.without(len(self.cells))
        return replace(self, factors=factors, labels=np.full(len(self), -1))

    @cached_property
    def by_label(self) -> list[tuple[int, Codes]]:
        """The records of each reported class, -1 of those that report none."""
        return [
            (int(label), np.ascontiguousarray(self.codes[self.labels == label]))
            for label in np.unique(self.labels)
        ]

    def some(self, rows: NDArray[Any]) -> "CodedReports":
        """Return some of the records."""
        codes = np.ascontiguousarray(self.codes[rows])
        return replace(self, codes=codes, labels=self.labels[rows])


def code_reports(
    table: Table,
    spec: Specification,
    *,
    names: Sequence[str],
    labels: NDArray[np.int64] | None = None,
    label_matrix: FloatArray | None = None,
    cells: int = _CELLS,
    clear_cells: int = _CELLS,
    cuts: Mapping[str, FloatArray] | None = None,
    missing_cells: bool = False,
    truth: Mapping[str, CellSet] | None = None,
) -> CodedReports:
    """Code the reports of some attributes.

    Parameters
    ----------
    table : Table
        The reports.
    spec : Specification
        What disguised them.
    names : sequence of str
        The attributes; none of them withheld.
    labels : array of int, optional
        The reported class of each record as its place, -1 where it is missing. By
        default there is one class.
    label_matrix : array, optional
        P(reported class | class); by default classes are in clear.
    cells : int
        The number of truth cells of a disguised number.
    clear_cells : int
        The number of cells of a number in clear.
    cuts : mapping of str to array, optional
        For numbers in clear, where a cell must end: a cell lies on one side of a cut.
    missing_cells : bool
        Whether "missing" is a truth like any other, with a cell of its own before all
        others where a column has missing reports. By default a missing report says
        nothing of its truth.
    truth : mapping of str to CellSet, optional
        The truth cells of numbers, where they are given: several parties need the same.

    Examples
    --------
    >>> import pyarrow as pa
    >>> from scumble import Categorical
    >>> from scumble.mechanisms import Warner
    >>> spec = Specification({"smoker": Categorical(["no", "yes"], mechanism=Warner(keep=0.8))})
    >>> table = Table(pa.table({"smoker": ["yes", None, "no"]}))
    >>> code_reports(table, spec, names=["smoker"]).codes.tolist()
    [[2], [0], [1]]
    """
    attributes = {name: spec.domain(name) for name in names}
    if labels is None:
        labels = np.zeros(len(table), dtype=np.int64)
    if label_matrix is None:
        label_matrix = np.eye(int(labels.max()) + 1)
    cuts = cuts or {}
    given = truth or {}
    single = [
        _single(
            table,
            name,
            attribute,
            (cells, clear_cells),
            cuts.get(name, _NOWHERE),
            truth=given.get(name),
        )
        for name, attribute in attributes.items()
    ]
    if missing_cells:
        single = [_told_missing(*column) for column in single]
    parts = [(channel.matrix, codes) for channel, codes in single]
    members = list(names)
    told = spec.class_attribute
    if told is not None and _shares_coin(spec, told, names):
        members.append(told)
        parts.append((label_matrix, (labels + 1).astype(np.uint16)))
        labels = np.full(len(table), -1)
    factors, codes = _grouped(spec, members, [channel for channel, _ in single], parts)
    return CodedReports(
        attributes,
        [channel.truth for channel, _ in single],
        factors,
        np.column_stack(codes),
        labels,
        label_matrix,
    )


def _shares_coin(spec: Specification, name: str, others: Sequence[str]) -> bool:
    """Say whether an attribute shares its coin with some of the others."""
    return any(name in members and set(members) & set(others) for members in spec.groups.values())


def attribute_reports(
    table: Table, spec: Specification, *, names: Sequence[str]
) -> list[tuple[Channel, Codes]]:
    """Return the channel of each attribute alone, and the codes of its reports.

    These are from 1 on; 0 is missing.

    Examples
    --------
    >>> import pyarrow as pa
    >>> from scumble import Categorical
    >>> spec = Specification({"smoker": Categorical(["no", "yes"])})
    >>> table = Table(pa.table({"smoker": ["yes", None, "no"]}))
    >>> [codes.tolist() for _, codes in attribute_reports(table, spec, names=["smoker"])]
    [[2, 0, 1]]
    """
    return [_single(table, name, spec.domain(name), (_CELLS, _CELLS), _NOWHERE) for name in names]


def _single(
    table: Table,
    name: str,
    attribute: Domain,
    cells: tuple[int, int],
    cuts: FloatArray,
    *,
    truth: CellSet | None = None,
) -> tuple[Channel, Codes]:
    """Return the channel of one attribute, and the codes of its reports.

    `cells` are the number of cells where it is disguised, and where it is in clear.
    """
    mechanism = own_mechanism(attribute)
    values = conformed(table, name, mechanism.report_domain(attribute))
    if isinstance(attribute, Numeric) and truth is None:
        clear = mechanism.name == "identity"
        truth = cells_of_values(values, cells[1], cuts) if clear else attribute.cells(cells[0])
    channel = mechanism.channel(attribute, truth)
    if len(channel.report) > MOST_REPORTS:
        raise SpecificationError(
            f"attributes.{name}: expected at most {MOST_REPORTS:,} different reports, got "
            f"{len(channel.report):,}; group them"
        )
    codes = channel.report.codes(values)
    missing = np.isnan(values) if isinstance(attribute, Numeric) else values < 0
    stray = int(np.count_nonzero((codes < 0) & ~missing))
    if stray:
        raise DomainError(
            f"column {name!r}: {stray} of {len(values)} reports are of no kind that this mechanism "
            "makes; they come from another mechanism or another specification"
        )
    return channel, (codes + 1).astype(np.uint16)


def _told_missing(channel: Channel, codes: Codes) -> tuple[Channel, Codes]:
    """Return a channel that tells missing truths as such, where there are missing reports."""
    if codes.all():
        return channel, codes
    truth, report = OrMissing(channel.truth), OrMissing(channel.report)
    return Channel(truth, report, lambda _: _with_missing(channel.matrix)), codes + np.uint16(1)


def _with_missing(matrix: FloatArray) -> FloatArray:
    """Return a matrix to which "missing" was added: it is always told truly."""
    larger = np.pad(matrix, ((1, 0), (1, 0)))
    larger[0, 0] = 1
    return larger


def cells_of_values(values: FloatArray, cells: int, cuts: FloatArray) -> Cells:
    """Return the cells of a public column: its few values, or intervals equally full."""
    known = np.unique(values[~np.isnan(values)])
    if len(known) <= cells:
        return Cells.points(known if len(known) else [0.0])
    # The last interval holds its upper end: above the greatest value, since a cut may be there.
    edges = np.quantile(known, np.linspace(0, 1, cells + 1))
    edges[-1] = np.nextafter(known[-1], np.inf)
    inner = cuts[(cuts > known[0]) & (cuts <= known[-1])]
    return Cells.between(np.unique(np.append(edges, inner)))


def _grouped(
    spec: Specification,
    names: list[str],
    channels: Sequence[Channel],
    parts: Sequence[tuple[FloatArray, Codes]],
) -> tuple[list[Factor], list[NDArray[np.unsignedinteger[Any]]]]:
    """Return the factors and their codes; attributes that share a coin are one factor."""
    factors: list[Factor] = []
    codes: list[NDArray[np.unsignedinteger[Any]]] = []
    groups = {name: members for members in spec.groups.values() for name in members}
    done: set[str] = set()
    for j, name in enumerate(names):
        members = [member for member in groups.get(name, []) if member in names]
        if name in done:
            continue
        if len(members) < 2:
            factors.append(Single(j, channels[j]))
            codes.append(parts[j][1])
            continue
        done |= set(members)
        places = sorted(names.index(member) for member in members)
        matrices, told = zip(*(parts[place] for place in places), strict=True)
        seen, found = seen_combinations(told, [matrix.shape[1] + 1 for matrix in matrices])
        keep = getattr(own_mechanism(spec[name]), "keep")  # noqa: B009
        factors.append(Coin(places, float(keep), matrices, seen))
        codes.append(found.astype(np.uint16 if len(seen) <= 2**16 else np.uint32))
    return factors, codes
