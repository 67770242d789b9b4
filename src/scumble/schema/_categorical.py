"""Categorical attributes."""

from dataclasses import KW_ONLY, dataclass, replace
from functools import cached_property
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from scumble.columns import as_arrow
from scumble.errors import DomainError, SpecificationError
from scumble.schema._cells import MISSING
from scumble.schema._coding import Coding
from scumble.schema._mechanism import Mechanism
from scumble.schema._sensitivity import Sensitivity, disguise_to_dict, settle_sensitivity
from scumble.schema._treatment import Treatment
from scumble.schema._value_list import look_up, plain_values


@dataclass(frozen=True)
class Categorical:
    """One of a declared list of values.

    Parameters
    ----------
    values : sequence of str, int or bool
        The possible values, all of one type, at least two.
    ordered : bool
        Whether the order of the values means something.
    coding : Coding, optional
        How a raw column becomes one of the values; by default truths are the values
        themselves.
    sensitivity, mechanism, treatment
        As for `Numeric`.

    Examples
    --------
    >>> from scumble import Categorical
    >>> Categorical(["no", "yes"]).conform(["yes", None, "no"]).tolist()
    [1, -1, 0]
    """

    kind: ClassVar[Literal["categorical"]] = "categorical"
    values: tuple[Any, ...]
    _: KW_ONLY
    ordered: bool = False
    coding: Coding | None = None
    sensitivity: Sensitivity | None = None
    mechanism: Mechanism | None = None
    treatment: Treatment | None = None

    def __post_init__(self) -> None:
        values = plain_values("values", self.values)
        object.__setattr__(self, "values", values)
        if not isinstance(self.ordered, bool):
            raise SpecificationError(f"ordered: expected true or false, got {self.ordered!r}")
        if len(values) < 2:
            raise SpecificationError(
                f"values: expected at least two, got {len(values)}; a constant has nothing to hide"
            )
        if self.coding is not None:
            if not isinstance(self.coding, Coding):
                raise SpecificationError(
                    f"coding: expected a Coding, got {type(self.coding).__name__}"
                )
            self.coding.check(values)
        settle_sensitivity(self)

    def __len__(self) -> int:
        return len(self.values)

    @property
    def told(self) -> "Categorical":
        """The domain of what is told of a truth: the declared values, whatever is behind them."""
        return self if self.coding is None else replace(self, coding=None)

    def cells(self, count: int | None = None) -> "Categorical":
        """Return the cells of this domain: its values, however many are asked for."""
        return self

    def codes(self, values: Any, /) -> NDArray[np.int32]:
        """Return the cell of each code: a code is its own cell."""
        return np.asarray(values, dtype=np.int32)

    def conform(self, values: Any) -> NDArray[np.int32]:
        """Return the place of each value in the list, -1 where it is missing.

        With a coding, of the declared value that each raw value counts as.

        Raises
        ------
        DomainError
            If values are not in the list; it tells how many.
        """
        codes, outside = self._look_up(values)
        if outside:
            declared = f"not among the {len(self)} declared ones; add them to the specification"
            where = declared if self.coding is None else self.coding.elsewhere
            raise DomainError(f"{outside} of {len(codes)} values are {where} or drop the records")
        return codes

    def places(self, values: Any) -> NDArray[np.int32]:
        """Return the place of each value in the list, -1 where it is missing or not in it."""
        return self._look_up(values)[0]

    def _look_up(self, values: Any) -> tuple[NDArray[np.int32], int]:
        """Return the place of each value, -1 where there is none, and how many lie outside."""
        if self.coding is None:
            codes, missing = look_up(as_arrow(values), self._arrow_values)
        else:
            codes, missing = self.coding.places(values)
        outside = int(np.count_nonzero((codes == MISSING) & ~missing))
        if self.coding is not None and self.coding.missing is not None:
            codes[missing] = self.values.index(self.coding.missing)
        return codes, outside

    @cached_property
    def _arrow_values(self) -> Any:
        import pyarrow as pa

        return pa.array(self.values)

    def decode(self, codes: NDArray[np.integer[Any]]) -> NDArray[Any]:
        """Return the value of each code, None where it is missing."""
        if type(self.values[0]) is not str and not (codes == MISSING).any():
            return np.asarray(np.array(self.values)[codes])
        table = np.empty(len(self.values) + 1, dtype=object)
        table[:-1] = self.values
        decoded: NDArray[np.object_] = table[codes]
        return decoded

    def to_dict(self) -> dict[str, Any]:
        """Return the attribute as a table of a specification."""
        given: dict[str, Any] = {"kind": self.kind, "values": list(self.values)}
        if self.ordered:
            given["ordered"] = True
        if self.coding is not None:
            given["coding"] = self.coding.to_dict()
        return given | disguise_to_dict(self)
