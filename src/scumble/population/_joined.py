"""Reports of several parties, each with its own channels, as if of one."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scumble.population._reports import CodedReports
from scumble.schema import CellSet, Domain

FloatArray = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class JoinedReports:
    """Reports of the same attributes, of several parties one after another.

    What one party disguises another may tell in clear, or with another coin. A population
    is fitted to all of them at once: the likelihood of each record is that of its party.

    Attributes
    ----------
    parts : tuple of CodedReports
        The reports of each party; their truth cells are the same.
    """

    parts: tuple[CodedReports, ...]

    def __len__(self) -> int:
        return sum(len(part) for part in self.parts)

    @property
    def attributes(self) -> Mapping[str, Domain]:
        """The attributes."""
        return self.parts[0].attributes

    @property
    def cells(self) -> Sequence[CellSet]:
        """The truth cells of each attribute."""
        return self.parts[0].cells

    @property
    def class_count(self) -> int:
        """The number of classes."""
        return self.parts[0].class_count

    @property
    def class_is_disguised(self) -> bool:
        """Whether some party may report another class than a record has."""
        return any(part.class_is_disguised for part in self.parts)

    def some(self, rows: NDArray[Any]) -> "JoinedReports":
        """Return some of the records, in the order of their parties."""
        rows = np.sort(rows)
        ends = np.cumsum([len(part) for part in self.parts])
        inner = np.split(rows, np.searchsorted(rows, ends[:-1]))
        starts = ends - [len(part) for part in self.parts]
        return JoinedReports(
            tuple(
                part.some(own - start)
                for part, own, start in zip(self.parts, inner, starts, strict=True)
            )
        )

    def without_class(self) -> "JoinedReports":
        """Return the same reports as if no record told its class."""
        return JoinedReports(tuple(part.without_class() for part in self.parts))


Reports = CodedReports | JoinedReports
"""What a population is fitted to."""
