"""What a table must fulfil to be released."""

from dataclasses import dataclass, fields
from typing import Any

from scumble.errors import SpecificationError
from scumble.schema._named import suggestion
from scumble.schema._parameters import probability


@dataclass(frozen=True, kw_only=True)
class Criteria:
    """The privacy-control criteria of a release; `release` in a file.

    Parameters
    ----------
    minimum_group : int
        The least number of records that must look alike in each private attribute.
    identification : float
        How much an intruder may learn of a private attribute of a record: the greatest part
        of the values that a blind guess misses and that may be guessed right. The intruder
        knows how often each value occurs, how the table was treated, and what was released
        of the record in that attribute. Of an attribute of many values this is about the
        probability that a value is identified.
    disclosure : float
        The greatest share of records whose value of a private attribute may be certain.
    minimum_together : int
        The least number of records that must look alike in all attributes together that are
        told in clear or coarsened, but for the class. By default 1, which asks nothing: how many
        do is measured, and told in the manifest.
    shuffle_rows : bool
        Whether the rows are released in a random order.

    Examples
    --------
    >>> from scumble import Criteria
    >>> Criteria(minimum_group=10).to_dict()
    {'minimum_group': 10, 'identification': 0.5, 'disclosure': 0.0, 'minimum_together': 1, \
'shuffle_rows': True}
    """

    minimum_group: int = 5
    identification: float = 0.5
    disclosure: float = 0.0
    minimum_together: int = 1
    shuffle_rows: bool = True

    def __post_init__(self) -> None:
        for key in ("minimum_group", "minimum_together"):
            least = getattr(self, key)
            if isinstance(least, bool) or not isinstance(least, int) or least < 1:
                raise SpecificationError(f"{key}: expected a whole number above 0, got {least!r}")
        for key in ("identification", "disclosure"):
            object.__setattr__(self, key, probability(key, getattr(self, key)))
        if not isinstance(self.shuffle_rows, bool):
            raise SpecificationError(
                f"shuffle_rows: expected true or false, got {self.shuffle_rows!r}"
            )

    def to_dict(self) -> dict[str, Any]:
        """Return the criteria as a table of a specification."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    @classmethod
    def from_dict(cls, given: Any) -> "Criteria":
        """Return the criteria that a table of a specification describes."""
        if not isinstance(given, dict):
            raise SpecificationError("expected a table, such as { minimum_group = 5 }")
        known = [field.name for field in fields(cls)]
        for key in given:
            if key not in known:
                raise SpecificationError(f"{key}: unknown key{suggestion(key, known)}")
        return cls(**given)
