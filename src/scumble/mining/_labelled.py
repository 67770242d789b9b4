"""Reports with the class that each record reports, of one party or of several."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scumble.declared import conformed
from scumble.mining._screen import telling_attributes
from scumble.mining._sources import is_disguised
from scumble.mining._undecided import LEAST_KNOWN, known_of
from scumble.population import JoinedReports, Reports, attribute_reports, code_reports
from scumble.population._reports import cells_of_values
from scumble.schema import (
    Attribute,
    Categorical,
    CellSet,
    Channel,
    Domain,
    Numeric,
    Specification,
    own_mechanism,
)
from scumble.tables import Table

FloatArray = NDArray[np.float64]
_CELLS = (15, 100)
_RECORDS_PER_CELL = 40


@dataclass(frozen=True, eq=False)
class Told:
    """What one party tells.

    Attributes
    ----------
    table : Table
        The reports.
    spec : Specification
        What disguised them.
    labels : array of int
        The reported class of each record, as its place.
    matrix : array, (classes, classes)
        P(reported class | class).
    """

    table: Table
    spec: Specification
    labels: NDArray[np.int64]
    matrix: FloatArray

    def class_counts(self) -> FloatArray:
        """Return how many records each class has, as far as the reported ones tell."""
        reported = np.bincount(self.labels[self.labels >= 0], minlength=len(self.matrix))
        share = reported / max(1, reported.sum())
        shares = np.linalg.lstsq(self.matrix.T, share, rcond=None)[0]
        return np.asarray(np.maximum(shares, 0) * len(self.labels))


@dataclass(frozen=True, eq=False)
class Labelled:
    """The records that a tree is learned from.

    Attributes
    ----------
    parties : sequence of Told
        What each party tells.
    attributes : mapping of str to Numeric or Categorical
        What the tree may test.
    classes : array
        The labels of the classes.
    """

    parties: Sequence[Told]
    attributes: Mapping[str, Domain]
    classes: NDArray[Any]

    def __len__(self) -> int:
        """Return the number of records."""
        return sum(len(party.labels) for party in self.parties)

    @property
    def names(self) -> list[str]:
        """The names of the attributes."""
        return list(self.attributes)

    @cached_property
    def _reports(self) -> list[list[tuple[Channel, NDArray[np.uint16]]]]:
        """The channel of each attribute at each party, and the codes of its reports."""
        return [attribute_reports(p.table, p.spec, names=self.names) for p in self.parties]

    @property
    def missing_seen(self) -> frozenset[str]:
        """The attributes that some record does not tell."""
        return frozenset(
            name
            for own in self._reports
            for name, (_, codes) in zip(self.names, own, strict=True)
            if not codes.all()
        )

    def class_counts(self) -> FloatArray:
        """Return how many records each class has, as one row."""
        return np.asarray(np.sum([p.class_counts() for p in self.parties], axis=0)[None])

    def coded(self) -> Reports | None:
        """Return the codes of the attributes that tell of the class; None if none does."""
        names = self._telling()
        if not names:
            return None
        cells = int(np.clip(len(self) // _RECORDS_PER_CELL, *_CELLS))
        truth: dict[str, CellSet] = {}
        if len(self.parties) > 1:
            # Numbers in clear have cells of their own values: parties need the same.
            for name in names:
                attribute = self.attributes[name]
                if isinstance(attribute, Numeric):
                    truth[name] = self._common_cells(name, attribute, cells)
        parts = tuple(
            code_reports(
                party.table,
                party.spec,
                names=names,
                labels=party.labels,
                label_matrix=party.matrix,
                cells=cells,
                truth=truth,
            )
            for party in self.parties
        )
        return parts[0] if len(parts) == 1 else JoinedReports(parts)

    def _common_cells(self, name: str, attribute: Numeric, cells: int) -> CellSet:
        """Return cells of a number that suit all parties: of all values, where all are in clear."""
        if any(is_disguised(party.spec[name]) for party in self.parties):
            return attribute.cells(cells)
        values = [conformed(party.table, name, attribute) for party in self.parties]
        return cells_of_values(np.concatenate(values), _CELLS[1], np.empty(0))

    def _telling(self) -> list[str]:
        """Return the attributes that tell of the class at some party, and those beside them."""
        records = [(party.spec, len(party.labels)) for party in self.parties]
        told = [
            telling_attributes(
                np.column_stack([codes for _, codes in own]),
                party.labels,
                classes=len(self.classes),
                channels=[channel for channel, _ in own],
                weakened=[_is_weakened(party.spec[name]) for name in self.names],
            )
            for own, party in zip(self._reports, self.parties, strict=True)
        ]
        known = {name for name in self.names if known_of(name, records) >= LEAST_KNOWN}
        kept = known & {
            name for name, tells in zip(self.names, np.any(told, axis=0), strict=True) if tells
        }
        for party in self.parties:
            groups = list(party.spec.groups.values())
            if any(
                party.spec.class_attribute in members and len(members) > 1 for members in groups
            ):
                # What other groups tell of the class shows only once it is known which way
                # their coins fell.
                kept |= known & {name for members in groups for name in members}
        # Members of a group tell which way its coin fell.
        for party in self.parties:
            for members in party.spec.groups.values():
                if kept & set(members):
                    kept |= set(members)
        return [name for name in self.names if name in kept]


def _is_weakened(attribute: Attribute) -> bool:
    """Say whether an attribute is a category that was disguised."""
    return isinstance(attribute, Categorical) and is_disguised(attribute)


def label_matrix(spec: Specification, classes: NDArray[Any]) -> FloatArray:
    """Return P(reported class | class), in the order of the classes."""
    declared = spec.declared_class
    if not isinstance(declared, Categorical) or not is_disguised(declared):
        return np.eye(len(classes))
    places = declared.conform(classes)
    matrix = own_mechanism(declared).channel(declared).matrix
    return np.asarray(matrix[np.ix_(places, places)])
