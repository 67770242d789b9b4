"""Whether a table is fit to be released."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from scumble.release._column import ReleasedColumn
from scumble.schema import Criteria
from scumble.treatments import Together

_REMEDY = {
    "minimum_group": "coarsen it, shuffle it within fewer attributes (which hides what is missing "
    "too), or withhold it",
    "identification": "shuffle it within fewer attributes, coarsen it more, let fewer attributes "
    "share its coin, or withhold it",
    "disclosure": "shuffle it, coarsen it more, or withhold it",
    "minimum_together": "coarsen some of them more, shuffle some, or withhold some",
}


@dataclass(frozen=True)
class Check:
    """A criterion, and what an attribute makes of it.

    Attributes
    ----------
    attribute : str
        The attribute, or several that are looked at together.
    criterion : str
        The name of the criterion.
    value : float
        What the attribute reaches.
    limit : float
        What it must keep to.
    passed : bool
        Whether it does.
    """

    attribute: str
    criterion: str
    value: float
    limit: float
    passed: bool

    def __str__(self) -> str:
        bound = "at least" if self.criterion.startswith("minimum") else "at most"
        return (
            f"{self.attribute!r}: expected {self.criterion} of {bound} {self.limit:.4g}, got "
            f"{self.value:.4g}; {_REMEDY[self.criterion]}"
        )

    def to_dict(self) -> dict[str, Any]:
        """Return it as a plain table."""
        return asdict(self)


def checks_of(
    columns: Sequence[ReleasedColumn], criteria: Criteria, *, together: Together | None = None
) -> list[Check]:
    """Return every check of every protected attribute, and of what is told together.

    Parameters
    ----------
    columns : sequence of ReleasedColumn
        What is to be released.
    criteria : Criteria
        What it must fulfil.
    together : Together, optional
        What is told in clear or coarsened; checked where the criteria ask for it.

    Notes
    -----
    A guess is held against what a blind guess leaves open: of a yes or no that most people
    answer alike, most values are guessed right whatever is released. Of a public attribute
    that is coarsened only the size of its groups is checked.
    """
    found = []
    for column in columns:
        exposure = column.exposure
        if exposure is None or not exposure.group:
            continue
        group, least = float(exposure.group), float(criteria.minimum_group)
        if column.sensitivity == "private":
            share, limit = exposure.disclosed / exposure.records, criteria.disclosure
            found.append(Check(column.name, "disclosure", share, limit, share <= limit))
            limit = exposure.base + criteria.identification * (1 - exposure.base)
            passed = exposure.identified <= limit + 1e-12
            found.append(Check(column.name, "identification", exposure.identified, limit, passed))
        found.append(Check(column.name, "minimum_group", group, least, group >= least))
    if together is not None and criteria.minimum_together > 1:
        group, least = float(together.smallest), float(criteria.minimum_together)
        names = ", ".join(together.attributes)
        found.append(Check(names, "minimum_together", group, least, group >= least))
    return found
