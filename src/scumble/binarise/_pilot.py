"""Where to cut, found on the reports of a pilot: nobody's truth is looked at."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scumble.binarise._gain import parted
from scumble.binarise._sides import sides_of_categories, sides_of_lists, sides_of_numbers
from scumble.declared import conformed
from scumble.errors import SpecificationError
from scumble.population import attribute_reports, code_reports, pair_tables
from scumble.relevance._mdlp import half_way
from scumble.schema import (
    Attribute,
    Categorical,
    Cells,
    CellSet,
    Date,
    Day,
    Specification,
    is_mined,
    own_mechanism,
)
from scumble.tables import Table

Counts = NDArray[np.int64]
Places = NDArray[np.intp]


def is_reported(attribute: Attribute | None) -> bool:
    """Say whether a column holds reports, by what is declared of it."""
    if attribute is None or not is_mined(attribute) or attribute.mechanism is None:
        return False
    return attribute.mechanism.name != "identity"


@dataclass(frozen=True, eq=False)
class Pilot:
    """What the reports of some people tell, and what disguised them.

    Attributes
    ----------
    declared : mapping of str to Attribute
        What disguised them.
    behind : mapping of str to (CellSet, array)
        Of each attribute that was disguised, its cells, and how many people of each class have
        each.
    """

    declared: Mapping[str, Attribute]
    behind: Mapping[str, tuple[CellSet, Counts]]

    @classmethod
    def of(
        cls, table: Table | None, declared: Mapping[str, Attribute], class_attribute: str | None
    ) -> "Pilot":
        """Return what reports tell.

        Parameters
        ----------
        table : Table or None
            The reports.
        declared : mapping of str to Attribute
            What disguised them.
        class_attribute : str or None
            The class, which may be disguised too.
        """
        names = [n for n, own in declared.items() if n != class_attribute and is_reported(own)]
        if not names:
            return cls(declared, {})
        if table is None or class_attribute not in declared or class_attribute not in table.names:
            raise SpecificationError(
                "class_attribute: expected the reports with the class, and its domain, for "
                "cut='gain'"
            )
        spec = Specification(declared, class_attribute=class_attribute)
        domain = spec.domain(class_attribute)
        mechanism = own_mechanism(domain)
        labels = conformed(table, class_attribute, mechanism.report_domain(domain))
        reports = code_reports(
            table,
            spec,
            names=names,
            labels=labels.astype(np.int64),
            label_matrix=mechanism.channel(domain).matrix,
        )
        own = attribute_reports(table, spec, names=names)
        known = [np.count_nonzero((codes > 0) & (labels >= 0)) for _, codes in own]
        counts = [
            np.rint(count * shares).astype(np.int64)
            for count, shares in zip(known, pair_tables(reports), strict=True)
        ]
        return cls(declared, dict(zip(names, zip(reports.cells, counts, strict=True), strict=True)))

    def sides(self, name: str, order: Sequence[Any] | None, *, missing: bool) -> Categorical:
        """Return the attribute of two values that tells most of the class.

        Parameters
        ----------
        name : str
            The column.
        order : sequence, optional
            Of categories, the order that is cut; by default any may be on either side,
            unless they are declared to have an order.
        missing : bool
            Whether those that are missing count as the first side.
        """
        own, (cells, counts) = self.declared[name], self.behind[name]
        if order is not None and (not isinstance(own, Categorical) or own.coding is not None):
            raise SpecificationError("expected no order of what has one; leave it out of orders")
        if not counts.any():
            raise SpecificationError(
                "expected some reports of people whose class is known, got none; leave this column "
                "out of domains, or take another pilot"
            )
        if isinstance(cells, Cells):
            number = _between(cells, len(_parted(counts, stated=True)[0]))
            day = isinstance(own, Date)
            return sides_of_numbers(Day(np.floor(number)) if day else number, missing=missing)
        assert isinstance(own, Categorical)
        coding = own.coding
        if coding is not None and coding.cuts is not None:
            place = len(_parted(counts, stated=True)[0])
            return sides_of_numbers(coding.cuts[place - 1], missing=missing)
        line = [own.values.index(v) for v in (own.values if order is None else order)]
        behind = [coding.behind(k) if coding else (own.values[k],) for k in line]
        stated = order is not None or own.ordered
        first, second = (
            [value for place in side for value in behind[place]]
            for side in _parted(counts[line], stated=stated)
        )
        if stated:
            return sides_of_categories([*first, *second], len(first), missing=missing)
        return sides_of_lists(first, second, missing=missing)


def _between(cells: Cells, place: int) -> float:
    """Return the number that lies between some cells and those above, which begin at a place."""
    below, above = cells.upper[place - 1], cells.lower[place]
    if below < above:
        return half_way(below, above)
    if cells.is_point[place] and not cells.is_point[place - 1]:
        # What equals a cut lies below it, and the point is to lie above.
        return half_way(cells.lower[place - 1], above)
    return float(below)


def _parted(counts: Counts, *, stated: bool) -> tuple[Places, Places]:
    """Return the cells of either side; where no cut is worth its description, at the median."""
    every = np.arange(len(counts))
    sides = parted(counts, every if stated else None)
    if sides is not None:
        return sides
    below = np.cumsum(counts.sum(axis=1))
    middle = int(np.searchsorted(below, below[-1] / 2)) + 1
    place = min(max(1, middle), len(counts) - 1)
    return every[:place], every[place:]
