"""What columns tell together: how many records look alike in all that is told as it is."""

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from scumble.schema import Specification
from scumble.tables import Table
from scumble.treatments._records import Records
from scumble.treatments._strata import equal_in
from scumble.treatments._treatment import ColumnTreatment
from scumble.wording import percent


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


def together_in(table: Table, spec: Specification) -> Together | None:
    """Return what is told together, or None where a table holds nothing in clear or coarsened.

    Parameters
    ----------
    table : Table
        What is told, columns as they are released.
    spec : Specification
        What is declared of them.
    """
    names = [name for name in telling_names(spec) if name in table.names]
    if not names or not len(table):
        return None
    sizes = np.bincount(equal_in(Records(table), names))
    return Together(
        attributes=tuple(names),
        smallest=int(sizes.min()),
        alone=float(np.count_nonzero(sizes == 1) / len(table)),
        records=len(table),
    )
