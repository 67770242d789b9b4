"""What columns tell together: how many records look alike in all that is told as it is."""

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scumble.columns import as_arrow
from scumble.schema import Specification
from scumble.tables import Table
from scumble.treatments._records import places_of
from scumble.treatments._treatment import ColumnTreatment
from scumble.wording import percent

# Odd, so that nothing is lost by multiplication (Steele, Lea and Flood 2014).
_FIRST, _SECOND = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xBF58476D1CE4E5B9)
_DOWN = np.uint64(29)


@dataclass(frozen=True, kw_only=True)
class Together:
    """How many records look alike in the attributes by which an intruder may find a person.

    Attributes
    ----------
    attributes : tuple of str
        Those that are told in clear or coarsened, without the class.
    smallest : int
        The least number of records that look alike in all of them.
    alone : float
        The share of the records that look like no other.
    records : int
        The number of records.

    Examples
    --------
    >>> from scumble.treatments import Together
    >>> print(Together(attributes=("sex", "town"), smallest=1, alone=0.02, records=400).sentence)
    Of what is told in clear or coarsened (sex, town), 2 % of the records have a combination of
    their own: who knows these of a person finds the record, and all else that is told in it.

    Notes
    -----
    Each of them may hide a record among many, and all of them together among none. In the
    words of Sweeney (2002), the table is k-anonymous in these attributes with k = `smallest`.
    What was shuffled or disguised is left out: it names nobody's record, or not surely.
    """

    attributes: tuple[str, ...]
    smallest: int
    alone: float
    records: int

    @property
    def sentence(self) -> str:
        """What that means, for people."""
        start = f"Of what is told in clear or coarsened ({', '.join(self.attributes)}), "
        if self.alone:
            return (
                f"{start}{percent(self.alone)} of the records have a combination of their own: who "
                "knows these of a person finds the record, and all else that is told in it."
            )
        return f"{start}each combination belongs to at least {self.smallest:,} records."

    def to_dict(self) -> dict[str, Any]:
        """Return it as a plain table."""
        return asdict(self) | {"attributes": list(self.attributes)}


def telling_names(spec: Specification) -> list[str]:
    """Return the attributes that are told in clear or coarsened, without the class."""
    return [name for name in spec if name != spec.class_attribute and _tells(spec, name)]


def _tells(spec: Specification, name: str) -> bool:
    own = spec[name]
    if isinstance(own.treatment, ColumnTreatment):
        return own.treatment.coarsens
    return own.sensitivity == "public" and own.mechanism is None


class Combinations:
    """The records by the combination of what is told of them, a column at a time.

    A combination is marked by 64 bits, so that a million records take eight megabytes: lists of
    combinations would take more than the table. Two share a mark in one table of ten million.

    Parameters
    ----------
    spec : Specification
        What is declared of the columns; those that are not told as they are, are passed over.
    size : int
        The number of records.
    """

    def __init__(self, spec: Specification, size: int) -> None:
        self._telling, self._marks = telling_names(spec), np.zeros(size, dtype=np.uint64)
        self._names: list[str] = []

    def add(self, name: str, column: Any) -> None:
        """Add a column as it is released; the order of the records is the same in all."""
        if name not in self._telling:
            return
        self._names.append(name)
        self._marks *= _FIRST
        self._marks ^= _bits(column)
        self._marks *= _SECOND
        self._marks ^= self._marks >> _DOWN

    def counted(self) -> Together | None:
        """Return what is told together, or None where nothing is told in clear or coarsened."""
        if not self._names or not len(self._marks):
            return None
        self._marks.sort()
        starts = np.flatnonzero(np.append(True, self._marks[1:] != self._marks[:-1]))
        sizes = np.diff(starts, append=len(self._marks))
        return Together(
            attributes=tuple(self._names),
            smallest=int(sizes.min()),
            alone=float(np.count_nonzero(sizes == 1) / len(self._marks)),
            records=len(self._marks),
        )


def together_in(table: Table, spec: Specification) -> Together | None:
    """Return what the columns of a table tell together, as they are released.

    Parameters
    ----------
    table : Table
        What is told.
    spec : Specification
        What is declared of it.
    """
    found = Combinations(spec, len(table))
    for name in table.names:
        found.add(name, table.column(name))
    return found.counted()


def _bits(column: Any) -> NDArray[np.uint64]:
    """Return 64 bits for each value of a column, the same for equal values."""
    import pyarrow as pa

    array = as_arrow(column, coded=True)
    if array.null_count or not (
        pa.types.is_floating(array.type) or pa.types.is_integer(array.type)
    ):
        return places_of(array).astype(np.int64).view(np.uint64)
    values = np.asarray(array)
    if values.dtype.kind == "f":
        return np.asarray(values.astype(np.float64) + 0.0).view(np.uint64)  # there are two zeros
    return values.astype(np.int64).view(np.uint64)
