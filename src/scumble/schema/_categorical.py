"""Categorical attributes."""

from collections.abc import Iterable, Mapping
from dataclasses import KW_ONLY, dataclass
from functools import cached_property
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from scumble.columns import as_arrow
from scumble.errors import DomainError, SpecificationError
from scumble.schema._cells import MISSING
from scumble.schema._mechanism import Mechanism
from scumble.schema._sensitivity import Sensitivity, disguise_to_dict, settle_sensitivity


@dataclass(frozen=True)
class Categorical:
    """One of a declared list of values.

    Parameters
    ----------
    values : sequence of str, int or bool
        The possible values, all of one type, at least two.
    ordered : bool
        Whether the order of the values means something.
    sensitivity, mechanism
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
    sensitivity: Sensitivity | None = None
    mechanism: Mechanism | None = None

    def __post_init__(self) -> None:
        if isinstance(self.values, str | Mapping) or not isinstance(self.values, Iterable):
            raise SpecificationError(f"values: expected a list, got {self.values!r}")
        values = tuple(v.item() if isinstance(v, np.generic) else v for v in self.values)
        object.__setattr__(self, "values", values)
        types = {type(value) for value in values}
        if len(types) > 1 or not types <= {str, int, bool, tuple}:
            raise SpecificationError("values: expected all text, all whole numbers or all booleans")
        if types == {int} and not -(2**63) <= min(values) <= max(values) < 2**63:
            raise SpecificationError("values: expected whole numbers of at most 64 bits")
        if not isinstance(self.ordered, bool):
            raise SpecificationError(f"ordered: expected true or false, got {self.ordered!r}")
        if len(values) < 2:
            raise SpecificationError(
                f"values: expected at least two, got {len(values)}; a constant has nothing to hide"
            )
        if len(set(values)) < len(values):
            raise SpecificationError("values: expected each value once, got some more than once")
        settle_sensitivity(self)

    def __len__(self) -> int:
        return len(self.values)

    def cells(self, count: int | None = None) -> "Categorical":
        """Return the cells of this domain: its values, however many are asked for."""
        return self

    def codes(self, values: Any, /) -> NDArray[np.int32]:
        """Return the cell of each code: a code is its own cell."""
        return np.asarray(values, dtype=np.int32)

    def conform(self, values: Any) -> NDArray[np.int32]:
        """Return the place of each value in the list, -1 where it is missing.

        Raises
        ------
        DomainError
            If values are not in the list; it tells how many.
        """
        codes, missing = self._look_up(as_arrow(values))
        unknown = int(np.count_nonzero((codes == MISSING) & ~missing))
        if unknown:
            raise DomainError(
                f"{unknown} of {len(codes)} values are not among the {len(self)} declared ones; "
                "add them to the specification or drop the records"
            )
        return codes

    def places(self, values: Any) -> NDArray[np.int32]:
        """Return the place of each value in the list, -1 where it is missing or not in it."""
        return self._look_up(as_arrow(values))[0]

    def _look_up(self, column: Any) -> tuple[NDArray[np.int32], NDArray[np.bool_]]:
        """Return the place of each value, -1 where there is none, and which are missing."""
        import pyarrow.compute as pc

        kind = str(column.type).partition("<")[0]
        missing = np.asarray(pc.is_null(column, nan_is_null=True))
        if missing.all():
            # Whatever its type: a column without a value has that of an empty cell.
            return np.full(len(missing), MISSING, dtype=np.int32), missing
        value_set = _matching(self._arrow_values, column.type)
        column = None if value_set is None else _cast(column, value_set.type)
        if column is None:
            raise DomainError(
                f"expected values of type {type(self.values[0]).__name__}, "
                f"got a column of type {kind}"
            )
        codes = pc.fill_null(pc.index_in(column, value_set=value_set), MISSING)
        result = np.asarray(codes).astype(np.int32)
        result[missing] = MISSING
        return result, missing

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
        return given | disguise_to_dict(self)


def _cast(column: Any, kind: Any) -> Any:
    """Return a column in another type, or None: the library's error would quote a value."""
    import pyarrow as pa

    try:
        return column if column.type == kind else column.cast(kind)
    except pa.ArrowException:
        return None


def _matching(values: Any, column: Any) -> Any:
    """Return declared values in a type in which a column can be compared with them.

    Numbers are compared as numbers, so that 1, 1.0 and true are the same and 5 is not
    true; whole numbers may stand for text that spells them. Else None.
    """
    import pyarrow as pa

    def numeric(kind: Any) -> bool:
        return bool(
            pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_boolean(kind)
        )

    if column == values.type or pa.types.is_null(column):
        return values
    if numeric(values.type) and numeric(column):
        whole = values.cast(pa.int64())
        return _cast(whole, pa.float64()) if pa.types.is_floating(column) else whole
    text = pa.types.is_string(values.type)
    if text and (pa.types.is_large_string(column) or pa.types.is_string_view(column)):
        return values
    return values if text and pa.types.is_integer(column) else None
