"""Rare categories put together: nobody stands out by a value that few have."""

from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

import numpy as np

from scumble.columns import as_arrow
from scumble.entropy import Stream
from scumble.errors import DomainError, TableError
from scumble.schema._parameters import text
from scumble.treatments._discretize import check_count
from scumble.treatments._exposure import exposure_of_groups
from scumble.treatments._records import Records
from scumble.treatments._treatment import ColumnTreatment, Treated, labelled


@dataclass(frozen=True, kw_only=True)
class GroupRare(ColumnTreatment):
    """Values that fewer than so many records have become one value.

    Parameters
    ----------
    minimum : int
        The least number of records of a released value. Where all rare ones together are
        fewer, the rarest of the others join them.
    other : str
        What they are called.
    kept : sequence of str, optional
        The values that stay; by default learned from the records.

    Examples
    --------
    >>> import pandas as pd
    >>> from scumble.treatments import GroupRare, Treat
    >>> towns = pd.DataFrame({"town": ["Oslo", "Oslo", "Oslo", "Rome", "Bern"]})
    >>> Treat({"town": GroupRare(minimum=2)}).fit_transform(towns)["town"].tolist()
    ['Oslo', 'Oslo', 'Oslo', 'other', 'other']

    Notes
    -----
    The discretization of Li, Shaw and Lin 2003 for categories. A value that stays is
    released as it is: an intruder who knows the record sees it. Shuffle it where that is
    too much.
    """

    name: ClassVar[str] = "group-rare"
    kinds: ClassVar[tuple[str, ...]] = ("categorical", "text")
    coarsens: ClassVar[bool] = True
    minimum: int = 5
    other: str = "other"
    kept: tuple[str, ...] | None = None

    def __post_init__(self) -> None:
        check_count("minimum", self.minimum, 1)
        text("other", self.other)
        if self.kept is not None:
            object.__setattr__(self, "kept", tuple(map(str, self.kept)))

    def learned(self, name: str, records: Records) -> Self:
        if self.kept is not None:
            return self
        values, counts = _values_of(_as_text(name, records))
        if counts.sum() < self.minimum:
            raise TableError(
                f"column {name!r}: expected at least {self.minimum} known values for a group of "
                f"that size, got {counts.sum()}; lower `minimum` or withhold the attribute"
            )
        rare = (counts < self.minimum) | (values == self.other)
        # The rarest of the others join until the rare ones are enough.
        for place in np.argsort(counts, kind="stable"):
            if not rare.any() or counts[rare].sum() >= self.minimum:
                break
            rare[place] = True
        return replace(self, kept=tuple(values[~rare].tolist()))

    def treated(self, name: str, records: Records, stream: Stream) -> Treated:
        import pyarrow as pa
        import pyarrow.compute as pc

        column = _as_text(name, records)
        places = pc.index_in(column, value_set=pa.array(self.kept or (), pa.string()))
        codes = np.asarray(pc.fill_null(places, len(self.kept or ()))).astype(np.int32)
        codes[np.asarray(pc.is_null(column))] = -1
        return Treated(
            labelled(codes, [*(self.kept or ()), self.other], ordered=False),
            exposure_of_groups(records.truths(name), codes),
        )


def _as_text(name: str, records: Records) -> Any:
    """Return a column as Arrow has text, checked against what is declared of it."""
    import pyarrow as pa

    column = as_arrow(records.told(name))
    try:
        text = column.cast(pa.string())
    except pa.ArrowException:
        text = None  # the library's error is not to be the context of ours
    if text is None:
        raise DomainError(
            f"column {name!r}: expected categories or text, got another type; withhold it"
        )
    return text


def _values_of(column: Any) -> tuple[Any, Any]:
    """Return the values of a column of text, and how many records have each."""
    found = column.value_counts()
    values = np.array(found.field("values").to_pylist(), dtype=object)
    counts = np.asarray(found.field("counts"))
    known = np.array([value is not None for value in values], dtype=bool)
    order = np.argsort(values[known].astype(str), kind="stable")
    return values[known][order], counts[known][order]
