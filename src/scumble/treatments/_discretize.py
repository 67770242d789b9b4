"""Discretization: a number gives way to the interval in which it lies."""

import math
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, ClassVar, Literal, Self, get_args

import numpy as np
from numpy.typing import NDArray

from scumble.entropy import Stream
from scumble.errors import SpecificationError, TableError
from scumble.schema import Attribute, Numeric
from scumble.schema._day import Day, are_days, bounds, plain_bounds
from scumble.schema._named import suggestion
from scumble.schema._parameters import exactly_one
from scumble.treatments._exposure import exposure_of_groups
from scumble.treatments._records import Records
from scumble.treatments._treatment import ColumnTreatment, Treated, labelled

FloatArray = NDArray[np.float64]
MethodName = Literal["mdlp", "width", "frequency"]


@dataclass(frozen=True, kw_only=True)
class Discretize(ColumnTreatment):
    """The interval of a number is released instead of the number.

    Parameters
    ----------
    method : {"mdlp", "width", "frequency"}, optional
        Where to cut: so that the intervals tell as much as possible of the class, and no
        more than the records bear out ("mdlp", Fayyad and Irani 1993); in intervals of
        equal width; or of equally many records.
    cuts : sequence of float
        Instead of `method`, where one interval ends and the next begins. A number that is
        a cut lies in the upper one.
    bins : int
        The number of intervals by width or frequency.
    minimum : int
        The least number of records in an interval. Intervals by width and frequency that
        hold fewer are joined with a neighbour; MDLP does not cut where a side would.

    Examples
    --------
    >>> import pandas as pd
    >>> from scumble.treatments import Discretize, Treat
    >>> people = pd.DataFrame({"age": [31, 45, 62, 70]})
    >>> Treat({"age": Discretize(cuts=[40, 65])}).fit_transform(people)["age"].tolist()
    ['below 40', '40 to 65', '40 to 65', '65 and above']

    Notes
    -----
    Li, Shaw and Lin 2003: an interval that holds k people hides each among k, as long as it
    does not hold one value alone. Cuts by MDLP or frequency are read off the records, and
    the released labels show them.
    """

    name: ClassVar[str] = "discretize"
    kinds: ClassVar[tuple[str, ...]] = ("numeric", "date")
    coarsens: ClassVar[bool] = True
    method: MethodName | None = None
    cuts: tuple[float, ...] | None = None
    bins: int = 10
    minimum: int = 5

    def __post_init__(self) -> None:
        if exactly_one(method=self.method, cuts=self.cuts) == "cuts":
            cuts = bounds("cuts", self.cuts)
            if not all(map(math.isfinite, cuts)) or any(a >= b for a, b in pairwise(cuts)):
                raise SpecificationError("cuts: expected finite numbers or dates, ascending")
            object.__setattr__(self, "cuts", cuts)
        elif self.method not in get_args(MethodName):
            raise SpecificationError(
                f"method: unknown {self.method!r}{suggestion(self.method, get_args(MethodName))}"
            )
        for key, least in (("bins", 2), ("minimum", 1)):
            check_count(key, getattr(self, key), least)

    def to_dict(self) -> dict[str, Any]:
        given = super().to_dict()
        return given if self.cuts is None else given | {"cuts": plain_bounds(self.cuts)}

    def check(self, domain: Attribute) -> None:
        super().check(domain)
        if self.cuts and are_days(self.cuts) != (domain.kind == "date"):
            expected = "dates" if domain.kind == "date" else "numbers"
            raise SpecificationError(f"treatment.cuts: expected {expected}")

    def learned(self, name: str, records: Records) -> Self:
        if self.cuts is not None:
            return self
        values = records.numbers(name)
        known = values[~np.isnan(values)]
        if len(known) < self.minimum:
            raise TableError(
                f"column {name!r}: expected at least {self.minimum} known values for a group of "
                f"that size, got {len(known)}; lower `minimum` or withhold the attribute"
            )
        if self.method == "mdlp":
            from scumble.relevance import mdlp_cuts

            cuts = mdlp_cuts(values, records.classes, minimum=self.minimum)
        else:
            declared = records.attributes.get(name)
            cuts = _joined(_cuts(known, self.method, self.bins, declared), known, self.minimum)
        if records.is_date(name):
            # Half-way between two days is the beginning of the second one.
            cuts = tuple(Day(cut) for cut in sorted({math.ceil(cut) for cut in cuts}))
        else:
            cuts = _short(cuts, known)
        return replace(self, method=None, cuts=cuts)

    def treated(self, name: str, records: Records, stream: Stream) -> Treated:
        values = records.numbers(name)
        codes = np.searchsorted(self.cuts or (), values, side="right").astype(np.int32)
        codes[np.isnan(values)] = -1
        del values
        return Treated(
            labelled(codes, interval_labels(self.cuts or ()), ordered=True),
            exposure_of_groups(records.truths(name), codes),
        )


def check_count(key: str, value: Any, least: int) -> None:
    """Raise where a parameter is not a whole number of at least so many."""
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise SpecificationError(f"{key}: expected a whole number from {least} on, got {value!r}")


def interval_labels(cuts: tuple[float, ...]) -> list[str]:
    """Return what the intervals between cuts are called.

    Examples
    --------
    >>> interval_labels((28.5, 40.0))
    ['below 28.5', '28.5 to 40', '40 and above']
    """
    if not cuts:
        return ["any"]
    texts = [_text(cut) for cut in cuts]
    between = [f"{low} to {high}" for low, high in pairwise(texts)]
    return [f"below {texts[0]}", *between, f"{texts[-1]} and above"]


def _text(cut: float) -> str:
    """Return a cut as text: with all digits where twelve would make it another one."""
    text = f"{cut:.12g}"
    return text if isinstance(cut, Day) or float(text) == cut else np.format_float_positional(cut)


def _cuts(
    known: FloatArray, method: str | None, bins: int, declared: Attribute | None
) -> FloatArray:
    """Return cuts of equal width over the declared domain, or of equal frequency."""
    if method == "width":
        ends = (known.min(), known.max())
        if isinstance(declared, Numeric) and math.isfinite(declared.width):
            ends = (declared.low, declared.high)
        return np.linspace(*ends, bins + 1)[1:-1]
    ordered = np.sort(known)
    below = np.flatnonzero(ordered[1:] != ordered[:-1]) + 1
    wanted = len(known) * np.arange(1, bins) / bins
    # The boundary between two values that comes nearest to each wanted number of records.
    near = np.searchsorted(below, wanted).clip(max=max(0, len(below) - 1))
    near -= (near > 0) & (wanted - below[near - 1] < below[near] - wanted) if len(below) else 0
    places = below[np.unique(near)] if len(below) else near[:0]
    return np.asarray((ordered[places - 1] + ordered[places]) / 2)


def _short(cuts: tuple[float, ...], known: FloatArray) -> tuple[float, ...]:
    """Return cuts of few digits that part the same values.

    A cut half-way between two values, with all its digits, would tell what they are.
    """
    return tuple(
        _shortest(
            cut, known[known < cut].max(initial=-np.inf), known[known >= cut].min(initial=np.inf)
        )
        for cut in cuts
    )


def _shortest(cut: float, below: float, above: float) -> float:
    for digits in range(-15, 17):
        rounded = round(cut, digits)
        if below < rounded < above:
            return float(rounded)
    return cut


def _joined(cuts: FloatArray, known: FloatArray, minimum: int) -> tuple[float, ...]:
    """Return the cuts that are left when intervals of too few records join the next one."""
    counts = np.bincount(np.searchsorted(cuts, known, side="right"), minlength=len(cuts) + 1)
    kept: list[float] = []
    held = 0
    for cut, count in zip(cuts.tolist(), counts.tolist(), strict=False):
        held += count
        if held >= minimum:
            kept.append(cut)
            held = 0
    if kept and held + counts[-1] < minimum:
        kept.pop()
    return tuple(kept)
