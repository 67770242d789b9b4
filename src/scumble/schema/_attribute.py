"""Attributes: a declared domain, how sensitive it is, and what disguises it."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import KW_ONLY, dataclass, replace
from functools import cached_property
from typing import Any, ClassVar, Literal, cast, get_args

import numpy as np
from numpy.typing import NDArray

from scumble.columns import as_arrow, as_numbers
from scumble.errors import DomainError, SpecificationError
from scumble.schema._cells import MISSING, Cells
from scumble.schema._mechanism import Mechanism, mechanism_from_dict, suggestion
from scumble.schema._parameters import number, numbers, positive

Sensitivity = Literal["public", "private", "withheld"]
MOST_POINTS = 400
_NEAR = 1e-6


@dataclass(frozen=True)
class Numeric:
    """A number between two declared bounds.

    Parameters
    ----------
    low, high : float
        The bounds, declared and never read off private data. An infinite bound is
        allowed where nothing needs a range.
    step : float, optional
        The distance between possible values, such as 1 for whole numbers; counted
        from `low` (from 0 where that is infinite). None: any number.
    atoms : sequence of float
        Values that many people share, such as 0 for a commission or 40 for hours of
        work. Each gets a cell of its own.
    sensitivity : {"public", "private", "withheld"}, optional
        By default private with a mechanism and public without.
    mechanism : Mechanism, optional
        What disguises a private attribute.

    Examples
    --------
    >>> from scumble import Numeric
    >>> from scumble.mechanisms import GaussianNoise
    >>> Numeric(20, 80, mechanism=GaussianNoise(privacy=1.0)).sensitivity
    'private'
    """

    kind: ClassVar[Literal["numeric"]] = "numeric"
    low: float
    high: float
    _: KW_ONLY
    step: float | None = None
    atoms: tuple[float, ...] = ()
    sensitivity: Sensitivity | None = None
    mechanism: Mechanism | None = None

    def __post_init__(self) -> None:
        low, high = number("low", self.low), number("high", self.high)
        if not low < high:
            raise SpecificationError(
                f"high: expected more than low = {self.low}, got {self.high}; a domain of zero "
                "width has nothing to hide, leave the attribute out or widen it"
            )
        object.__setattr__(self, "low", low)
        object.__setattr__(self, "high", high)
        if self.step is not None:
            object.__setattr__(self, "step", _whole_steps(low, high, positive("step", self.step)))
        atoms = tuple(sorted(numbers("atoms", self.atoms)))
        if any(not low <= atom <= high for atom in atoms) or len(set(atoms)) < len(atoms):
            raise SpecificationError(f"atoms: expected distinct values from {low:g} to {high:g}")
        if self.step is not None:
            atoms = tuple(self._on_step(np.array(atoms)).tolist())
            if any(math.isnan(atom) for atom in atoms):
                raise SpecificationError(f"atoms: expected multiples of the step {self.step:g}")
        object.__setattr__(self, "atoms", atoms)
        _settle_sensitivity(self)

    @property
    def width(self) -> float:
        """The distance between the bounds."""
        return self.high - self.low

    def cells(self, count: int = 100) -> Cells:
        """Return the cells of this domain.

        A point for each possible value where there are at most 400 of them, else
        `count` intervals of equal width, and a point for each atom.
        """
        if not math.isfinite(self.width):
            raise SpecificationError(
                f"domain: expected finite bounds, got {self.low:g} to {self.high:g}; declare the "
                "bounds of this attribute"
            )
        if self.step is None:
            edges = np.linspace(self.low, self.high, count + 1)
        elif self._steps < MOST_POINTS:
            points = self.low + self.step * np.arange(self._steps + 1)
            return Cells.points(np.minimum(points, self.high))
        else:
            # Half-way between possible values: every cell holds its values in its middle.
            edges = np.rint(np.linspace(0, self._steps + 1, count + 1)) - 0.5
            edges = self.low + self.step * np.unique(edges)
        return Cells.between(edges).with_points(self.atoms)

    @property
    def _steps(self) -> int:
        return round(self.width / cast("float", self.step))

    def _on_step(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the nearest possible values, nan where there is none near."""
        start, step = self.low if math.isfinite(self.low) else 0.0, cast("float", self.step)
        nearest = np.clip(start + step * np.rint((values - start) / step), self.low, self.high)
        return np.where(np.abs(values - nearest) <= _NEAR * step, nearest, np.nan)

    def conform(self, values: Any) -> NDArray[np.float64]:
        """Return values as floats, nan where missing, checked against the domain.

        Raises
        ------
        DomainError
            If values are not possible; it tells how many.
        """
        given = as_numbers(values)
        possible = np.isfinite(given) & (given >= self.low) & (given <= self.high)
        result = given
        if self.step is not None:
            result = self._on_step(given)
            possible &= ~np.isnan(result)
        outside = int(np.count_nonzero(~possible & ~np.isnan(given)))
        if outside:
            steps = "" if self.step is None else f" in steps of {self.step:g}"
            raise DomainError(
                f"{outside} of {len(given)} values lie outside the declared domain {self.low:g} to "
                f"{self.high:g}{steps}; widen it in the specification or drop the records"
            )
        return result

    def to_dict(self) -> dict[str, Any]:
        """Return the attribute as a table of a specification."""
        given: dict[str, Any] = {
            "kind": self.kind,
            "low": self.low if math.isfinite(self.low) else str(self.low),
            "high": self.high if math.isfinite(self.high) else str(self.high),
        }
        if self.step is not None:
            given["step"] = self.step
        if self.atoms:
            given["atoms"] = list(self.atoms)
        return given | _disguise_to_dict(self)


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
        _settle_sensitivity(self)

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

    def _look_up(self, column: Any) -> tuple[NDArray[np.int32], NDArray[np.bool_]]:
        """Return the place of each value, -1 where there is none, and which are missing."""
        import pyarrow.compute as pc

        kind = str(column.type).partition("<")[0]
        missing = np.asarray(pc.is_null(column, nan_is_null=True))
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
        return given | _disguise_to_dict(self)


Attribute = Numeric | Categorical
Domain = Attribute
_KINDS: dict[str, type[Attribute]] = {"numeric": Numeric, "categorical": Categorical}


def own_mechanism(attribute: Attribute) -> Mechanism:
    """Return what disguises an attribute, whatever its sensitivity.

    Examples
    --------
    >>> import scumble.mechanisms
    >>> own_mechanism(Numeric(0, 1))
    Identity()
    """
    if attribute.mechanism is not None:
        return attribute.mechanism
    name = "withheld" if attribute.sensitivity == "withheld" else "identity"
    return mechanism_from_dict({"name": name})


def attribute_from_dict(given: Any) -> Attribute:
    """Return the attribute that a table of a specification describes."""
    if not isinstance(given, dict):
        raise SpecificationError(f"expected a table, got {given!r}")
    kind = given.get("kind")
    if not isinstance(kind, str) or kind not in _KINDS:
        raise SpecificationError(
            f"kind: expected 'numeric' or 'categorical', got {kind!r}{suggestion(kind, _KINDS)}"
        )
    cls = _KINDS[kind]
    known = [name for name in cls.__dataclass_fields__ if name not in ("_", "kind")]
    needed = ["low", "high"] if cls is Numeric else ["values"]
    for key in given:
        if key != "kind" and key not in known:
            raise SpecificationError(f"{key}: unknown key{suggestion(key, known)}")
    for key in needed:
        if key not in given:
            raise SpecificationError(f"{key}: missing; a {kind} attribute declares it")
    parameters = {key: value for key, value in given.items() if key != "kind"}
    if "mechanism" in parameters:
        try:
            parameters["mechanism"] = mechanism_from_dict(parameters["mechanism"])
        except SpecificationError as error:
            raise error.within("mechanism") from None
    return cls(**parameters)


def with_mechanism(attribute: Attribute, mechanism: Mechanism | None) -> Attribute:
    """Return the attribute under another mechanism (None: public).

    Examples
    --------
    >>> from scumble.mechanisms import UniformNoise
    >>> with_mechanism(Numeric(0, 1), UniformNoise(privacy=0.5)).sensitivity
    'private'
    """
    return replace(attribute, mechanism=mechanism, sensitivity=None)


def _settle_sensitivity(attribute: Attribute) -> None:
    mechanism, sensitivity = attribute.mechanism, attribute.sensitivity
    if mechanism is not None and not isinstance(mechanism, Mechanism):
        raise SpecificationError(f"mechanism: expected a mechanism, got {type(mechanism).__name__}")
    if sensitivity is None:
        sensitivity = "public" if mechanism is None else "private"
        object.__setattr__(attribute, "sensitivity", sensitivity)
    if sensitivity not in get_args(Sensitivity):
        raise SpecificationError(
            f"sensitivity: expected public, private or withheld, got {sensitivity!r}"
        )
    if sensitivity == "private" and mechanism is None:
        raise SpecificationError("mechanism: missing; a private attribute needs one")
    if sensitivity != "private" and mechanism is not None:
        raise SpecificationError(
            f"mechanism: expected none for a {sensitivity} attribute, got {mechanism.name!r}; "
            "make it private or drop the mechanism"
        )
    if mechanism is not None and mechanism.name in ("identity", "withheld"):
        clear = "public" if mechanism.name == "identity" else "withheld"
        raise SpecificationError(
            f"mechanism: {mechanism.name!r} disguises nothing; declare the attribute as {clear}"
        )
    if mechanism is not None:
        mechanism.check(attribute)


def _disguise_to_dict(attribute: Attribute) -> dict[str, Any]:
    given: dict[str, Any] = {"sensitivity": attribute.sensitivity}
    if attribute.mechanism is not None:
        given["mechanism"] = attribute.mechanism.to_dict()
    return given


def _whole_steps(low: float, high: float, step: float) -> float:
    """Return a step that divides the domain, where the domain has both ends."""
    if math.isfinite(high - low):
        steps = (high - low) / step
        if steps > 2**50 or round(steps) < 1 or abs(steps - round(steps)) > _NEAR * max(1.0, steps):
            raise SpecificationError(
                f"step: expected a whole number of steps from {low:g} to {high:g}, got {step:g}"
            )
    return step


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
