"""Where to cut, found on the reports of a pilot: nobody's truth is looked at."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scumble.binarise._gain import parted
from scumble.binarise._sides import sides_of_categories, sides_of_lists, sides_of_numbers
from scumble.declared import conformed
from scumble.errors import SpecificationError
from scumble.population import code_reports, pair_tables
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
    """The reports of some people, and what disguised them.

    Attributes
    ----------
    table : Table or None
        The reports.
    declared : mapping of str to Attribute
        What disguised them.
    class_attribute : str or None
        The class, which may be disguised too.
    """

    table: Table | None
    declared: Mapping[str, Attribute]
    class_attribute: str | None

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
        own, (cells, counts) = self.declared[name], self._behind[name]
        if order is not None and (not isinstance(own, Categorical) or own.coding is not None):
            raise SpecificationError("expected no order of what has one; leave it out of orders")
        if isinstance(cells, Cells):
            place = len(_parted(counts, stated=True)[0])
            number = half_way(cells.middles[place - 1], cells.middles[place])
            day = isinstance(own, Date)
            return sides_of_numbers(Day(np.floor(number)) if day else number, missing=missing)
        assert isinstance(own, Categorical)
        coding = own.coding
        if coding is not None and coding.cuts is not None:
            place = len(_parted(counts, stated=True)[0])
            return sides_of_numbers(coding.cuts[place - 1], missing=missing)
        line = [own.values.index(value) for value in order or own.values]
        behind = [coding.behind(k) if coding else (own.values[k],) for k in line]
        stated = order is not None or own.ordered
        first, second = (
            [value for place in side for value in behind[place]]
            for side in _parted(counts[line], stated=stated)
        )
        if stated:
            return sides_of_categories([*first, *second], len(first), missing=missing)
        return sides_of_lists(first, second, missing=missing)

    @cached_property
    def _behind(self) -> dict[str, tuple[CellSet, Counts]]:
        """How many people of each class have each truth, as far as reports tell."""
        target, declared = self.class_attribute, self.declared
        if self.table is None or target not in declared or target not in self.table.names:
            raise SpecificationError(
                "expected the reports with the class, and its domain, for cut='gain'; name it in "
                "class_attribute"
            )
        names = [name for name in declared if name != target and is_reported(declared[name])]
        spec = Specification(declared, class_attribute=target)
        domain = spec.domain(target)
        mechanism = own_mechanism(domain)
        labels = conformed(self.table, target, mechanism.report_domain(domain)).astype(np.int64)
        matrix = mechanism.channel(domain).matrix
        reports = code_reports(self.table, spec, names=names, labels=labels, label_matrix=matrix)
        tables = [np.rint(len(self.table) * own).astype(np.int64) for own in pair_tables(reports)]
        return dict(zip(names, zip(reports.cells, tables, strict=True), strict=True))


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
