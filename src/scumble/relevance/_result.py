"""The result: a row for each attribute, with all measures."""

import math
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Literal, get_args

from scumble.errors import SpecificationError
from scumble.relevance._column import Identifier, Kind
from scumble.relevance._text import relevances_as_text
from scumble.schema._named import suggestion

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Measure = Literal[
    "gain",
    "corrected_gain",
    "gain_ratio",
    "gini_decrease",
    "symmetric_uncertainty",
    "cramers_v",
    "correlation",
]
MEASURES: tuple[Measure, ...] = get_args(Measure)
"""The measures of `relevance`, by name."""


@dataclass(frozen=True, kw_only=True)
class Relevance:
    """How much one attribute tells about the class.

    Attributes
    ----------
    name : str
        The attribute.
    kind : {"number", "category", "date", "text"}
        What its values are. Strings of which most records have their own are text.
    records, missing, distinct : int
        How many records there are, how many without a value, and how many different
        values.
    identifier : {"unique", "near-unique"} or None
        Whether the values name records: at least 90 % of the known ones differ, and they
        are text, categories, dates or whole numbers. A number with a fraction is a
        measurement.
    gain : float
        The information gain of its cells, in bits.
    corrected_gain : float
        The information gain of its values, in bits, minus what they gain by chance; it may
        be below 0.
    gain_ratio, gini_decrease, symmetric_uncertainty, cramers_v : float
        Further measures of its cells.
    correlation : float or None
        Of a number or a date with the class, on the known records; negative only where
        there are two classes, and the second has the smaller numbers.
    cuts : tuple of float
        Of a number or a date, where it is cut by description length; dates in days since
        1970.

    Examples
    --------
    >>> import pyarrow as pa
    >>> from scumble.relevance import relevance
    >>> relevance(pa.table({"age": [20, 30, 40, 40]}), [0, 0, 1, 1])["age"].distinct
    3
    """

    name: str
    kind: Kind
    records: int
    missing: int
    distinct: int
    identifier: Identifier | None
    gain: float
    corrected_gain: float
    gain_ratio: float
    gini_decrease: float
    symmetric_uncertainty: float
    cramers_v: float
    correlation: float | None
    cuts: tuple[float, ...] = ()

    def of(self, measure: Measure) -> float:
        """Return a measure by its name; a correlation without its sign, 0 where there is none."""
        if measure not in MEASURES:
            raise SpecificationError(f"measure: unknown {measure!r}{suggestion(measure, MEASURES)}")
        value = getattr(self, measure)
        return abs(value) if measure == "correlation" and value is not None else float(value or 0)


@dataclass(frozen=True)
class Relevances:
    """How much each attribute of a table tells about the class.

    Attributes
    ----------
    attributes : tuple of Relevance
        In the order of the table.
    classes : tuple
        The classes, in ascending order.
    class_counts : tuple of int
        How many records each has.
    discretization : str
        What the cells of numbers are.

    Examples
    --------
    >>> import pyarrow as pa
    >>> from scumble.relevance import relevance
    >>> table = pa.table({"age": [20, 21, 22, 24, 60, 61, 65, 65], "size": list("mlmlmlml")})
    >>> found = relevance(table, ["well"] * 4 + ["ill"] * 4)
    >>> found["age"].gain, found["age"].cuts, found["size"].gain
    (1.0, (42.0,), 0.0)
    >>> found.relevant(threshold=0.1)
    ('age',)
    """

    attributes: tuple[Relevance, ...]
    classes: tuple[Any, ...]
    class_counts: tuple[int, ...]
    discretization: str

    def __len__(self) -> int:
        return len(self.attributes)

    def __iter__(self) -> Iterator[Relevance]:
        return iter(self.attributes)

    def __getitem__(self, name: str) -> Relevance:
        for row in self.attributes:
            if row.name == name:
                return row
        names = [row.name for row in self.attributes]
        raise SpecificationError(f"attribute: unknown {name!r}{suggestion(name, names)}")

    @property
    def class_entropy(self) -> float:
        """How many bits there are to tell about the class."""
        total = sum(self.class_counts)
        return sum(n / total * math.log2(total / n) for n in self.class_counts)

    def ranked(self, *, measure: Measure = "gain") -> tuple[Relevance, ...]:
        """Return the attributes, most relevant first; equal ones as the table has them."""
        return tuple(sorted(self.attributes, key=lambda row: -row.of(measure)))

    def relevant(self, *, threshold: float = 0.1, measure: Measure = "gain") -> tuple[str, ...]:
        """Return the names of attributes above a threshold, most relevant first.

        Identifiers are left out: what a name tells of its own record it tells of no other.
        """
        rows = (row for row in self.ranked(measure=measure) if row.identifier is None)
        return tuple(row.name for row in rows if row.of(measure) > threshold)

    def to_text(self, *, measure: Measure = "gain") -> str:
        """Return a table of at most 80 columns, most relevant first, and the cuts below it."""
        return relevances_as_text(self.ranked(measure=measure), measure)

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values, for JSON."""
        rows = [{**asdict(row), "cuts": list(row.cuts)} for row in self.attributes]
        plain = [c if isinstance(c, str | int | float) else str(c) for c in self.classes]
        return {
            "classes": plain,
            "class_counts": list(self.class_counts),
            "discretization": self.discretization,
            "attributes": rows,
        }

    def plot(
        self, *, measure: Measure = "gain", threshold: float = 0.1, ax: "Axes | None" = None
    ) -> "Axes":
        """Draw a bar for each attribute, most relevant on top, and a line at the threshold."""
        from scumble.relevance._plot import plot_relevances

        return plot_relevances(self, measure=measure, threshold=threshold, ax=ax)
