"""What is left to learn from a released or recovered table."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from itertools import combinations
from typing import Any, Literal

import numpy as np

from scumble.audit._associations import MOST_CATEGORIES, associations
from scumble.audit._distances import Distances, Weighted, distances
from scumble.audit._kept_accuracy import KeptAccuracy, kept_accuracy
from scumble.audit._two_tables import ColumnKind, TwoColumns, TwoTables, table_of
from scumble.audit._utility_text import utility_as_text
from scumble.columns import as_arrow
from scumble.errors import SpecificationError
from scumble.reconstruction import Reconstruction
from scumble.relevance import relevance
from scumble.schema import Cells

# An attribute that tells less of the class than this, in bits, has nothing to lose.
_NOTHING = 1e-6


@dataclass(frozen=True, kw_only=True)
class AttributeUtility:
    """What is left of one attribute.

    Attributes
    ----------
    name : str
        The attribute.
    kind : {"number", "date", "category", "coarsened"}
        What its values are; coarsened where they are not of the same kind in both tables, such as
        numbers and their intervals. Then only the gains are compared.
    total_variation, wasserstein, kolmogorov_smirnov : float or None
        How far its distribution is from the true one, see `utility`; None where that has no
        meaning, or one of the tables has no value.
    gain, other_gain : float or None
        The information gain about the class in the truth and in the other table, in bits.

    Examples
    --------
    >>> from scumble.audit import AttributeUtility
    >>> AttributeUtility(name="age", kind="number", gain=0.5, other_gain=0.4).information_loss
    0.2
    """

    name: str
    kind: ColumnKind | Literal["coarsened"]
    total_variation: float | None = None
    wasserstein: float | None = None
    kolmogorov_smirnov: float | None = None
    gain: float | None = None
    other_gain: float | None = None

    @property
    def information_loss(self) -> float | None:
        """The share of the information gain that is lost; below 0 where it grew."""
        if self.gain is None or self.other_gain is None or self.gain <= _NOTHING:
            return None
        return round(1 - self.other_gain / self.gain, 12)


@dataclass(frozen=True, kw_only=True)
class CorrelationChange:
    """How much the correlation of two attributes has changed.

    Attributes
    ----------
    names : (str, str)
        The attributes.
    truth, other : float
        The correlation in both tables: Pearson's of numbers, Cramer's V of categories, the
        correlation ratio of one of each.

    Examples
    --------
    >>> from scumble.audit import CorrelationChange
    >>> CorrelationChange(names=("age", "income"), truth=0.5, other=0.3).change
    0.2
    """

    names: tuple[str, str]
    truth: float
    other: float

    @property
    def change(self) -> float:
        """The absolute change."""
        return round(abs(self.truth - self.other), 12)


@dataclass(frozen=True, kw_only=True)
class Utility:
    """What a table that was released or recovered keeps of the truth.

    Attributes
    ----------
    attributes : tuple of AttributeUtility
        In the order of the columns.
    correlations : tuple of CorrelationChange
        Of each two attributes, the most changed first.
    accuracy : KeptAccuracy or None
        Of models learned from both; where there is a class.
    left_out : tuple of str
        Columns of the truth that are no part of the models: the other table lacks them, or
        holds values of another kind, such as intervals of numbers, and `told` does not say how.
    records, other_records : int
        The number of records of both; of distributions, 0.

    Examples
    --------
    >>> import pyarrow as pa
    >>> from scumble.audit import utility
    >>> truth = pa.table({"age": [20, 40, 60, 80], "size": ["s", "s", "l", "l"]})
    >>> print(utility(truth, truth).to_text())
    utility: 4 records of 4
    attribute               variation  Wasserstein       KS      gain  information
    age                         0.000        0.000    0.000
    size                        0.000
    correlations: changed by 0.000 on average, 0.000 at the most (age and size)
    """

    attributes: tuple[AttributeUtility, ...]
    correlations: tuple[CorrelationChange, ...] = ()
    accuracy: KeptAccuracy | None = None
    left_out: tuple[str, ...] = ()
    records: int = 0
    other_records: int = 0

    def __getitem__(self, name: str) -> AttributeUtility:
        for row in self.attributes:
            if row.name == name:
                return row
        raise SpecificationError(f"utility: no attribute {name!r}")

    @property
    def mean_change(self) -> float | None:
        """How much correlations change on average; None where there is no pair."""
        return float(np.mean([own.change for own in self.correlations])) if self._pairs else None

    @property
    def greatest_change(self) -> float | None:
        """How much the most changed correlation changes."""
        return self.correlations[0].change if self._pairs else None

    @property
    def _pairs(self) -> int:
        return len(self.correlations)

    @property
    def information_loss(self) -> float | None:
        """The share of the gain of all attributes together that is lost."""
        told = [(row.gain, row.other_gain) for row in self.attributes]
        known = [(a, b) for a, b in told if a is not None and b is not None]
        whole = sum(a for a, _ in known)
        return round(1 - sum(b for _, b in known) / whole, 12) if whole > _NOTHING else None

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values, for JSON."""
        given = asdict(self)
        for row, own in zip(given["attributes"], self.attributes, strict=True):
            row["information_loss"] = own.information_loss
            row |= {key: "inf" for key, value in row.items() if value == float("inf")}
        for row, pair in zip(given["correlations"], self.correlations, strict=True):
            row |= {"names": list(pair.names), "change": pair.change}
        if self.accuracy is not None:
            given["accuracy"]["loss"] = self.accuracy.loss
        for key in ("attributes", "correlations", "left_out"):
            given[key] = list(given[key])
        given["mean_change"], given["greatest_change"] = self.mean_change, self.greatest_change
        return given | {"information_loss": self.information_loss}

    def to_text(self) -> str:
        """Return the figures as a table, at most 80 columns wide."""
        return utility_as_text(self)


def utility(
    truth: Any,
    other: Any,
    *,
    class_attribute: str | None = None,
    model: Any = None,
    miner: Any = None,
    told: Any = None,
    records: int = 20_000,
    seed: int | None = None,
) -> Utility:
    """Measure what a released or recovered table keeps of the truth.

    Parameters
    ----------
    truth : DataFrame or array
        The auditor's truth.
    other : DataFrame or array, or mapping of str to Reconstruction
        What was released or recovered; it need not have as many records. Of reconstructed
        distributions, only distances are measured.
    class_attribute : str, optional
        The class. With it information gains and the accuracy of models are compared.
    model, miner : classifier, optional
        What learns from the truth, and from the other table: by default C4.5 from both. For
        reports, `DisguisedTreeClassifier(spec, method="byclass")`, say. None of the records
        that test them has taught either, where the rows of the tables go together; else see
        `KeptAccuracy.held_out`.
    told : DataFrame or array, optional
        The truth as the other table tells it, in the order of the truth: with the same
        intervals in place of numbers, say. The model from the other table is tested on it; else
        no model sees columns that hold another kind of values in the other table.
    records : int
        How many records serve to learn and test, at the most.
    seed : int, optional
        Makes the split into learning and testing repeatable.

    Returns
    -------
    Utility
        Distances of distributions, changes of correlations, information loss, accuracy.

    Examples
    --------
    >>> import pandas as pd
    >>> from scumble.audit import utility
    >>> truth = pd.DataFrame({"age": [20, 40, 60, 80] * 25, "ill": ["no", "no", "yes", "yes"] * 25})
    >>> worse = truth.assign(age=truth["age"].to_numpy()[::-1])
    >>> found = utility(truth, worse, class_attribute="ill", seed=0)
    >>> found["age"].wasserstein, found.greatest_change, found.accuracy.truth, found.accuracy.other
    (0.0, 0.0, 1.0, 0.0)

    Notes
    -----
    Of numbers: the Wasserstein distance, as a share of the range of the truth, the total
    variation on cells, and the Kolmogorov-Smirnov distance. Of categories: the total
    variation. Correlations leave out categories of more than 200 values. The gain is that of
    `scumble.relevance`, with cuts by description length in each table.

    Of a number that was released as an interval, only the gain is compared: its distribution is
    that of the intervals, by construction.
    """
    if isinstance(other, Mapping):
        return _of_distributions(truth, other)
    both = TwoTables(truth, other, called="other")
    columns = list(both.comparable())
    names = [column.name for column in columns]
    gains: list[dict[str, float]] = [{}, {}]
    mined = [name for name in names if name != class_attribute]
    coarsened = [name for name in both.names if name not in (*names, class_attribute)]
    accuracy = None
    if class_attribute is not None:
        both.chosen([class_attribute], where="class_attribute")
        telling = [*mined, *coarsened]
        gains = [_gains(table, telling, class_attribute) for table in (both.truth, both.other)]
        mined = mined if told is None else [n for n in both.names if n != class_attribute]
    if class_attribute is not None and mined:  # where all is coarsened, nothing can be compared
        accuracy = kept_accuracy(
            both,
            mined,
            class_attribute=class_attribute,
            model=model,
            miner=miner,
            told=None if told is None else table_of(told),
            records=records,
            seed=seed,
        )
    rows = {column.name: _attribute(column, *gains) for column in columns}
    for name in coarsened if class_attribute is not None else ():
        rows[name] = _coarsened(name, *gains)
    return Utility(
        attributes=tuple(rows[name] for name in both.names if name in rows),
        correlations=_changes(columns),
        accuracy=accuracy,
        left_out=tuple(n for n in both.truth.names if n not in (*mined, class_attribute)),
        records=len(both.truth),
        other_records=len(both.other),
    )


def _attribute(
    column: TwoColumns, gain: Mapping[str, float], other_gain: Mapping[str, float]
) -> AttributeUtility:
    found = distances(
        Weighted.of(column.truth), Weighted.of(column.other), ordered=column.is_ordered
    )
    return AttributeUtility(
        name=column.name,
        kind=column.kind,
        gain=gain.get(column.name),
        other_gain=other_gain.get(column.name),
        **_plain(found),
    )


def _coarsened(
    name: str, gain: Mapping[str, float], other_gain: Mapping[str, float]
) -> AttributeUtility:
    return AttributeUtility(
        name=name, kind="coarsened", gain=gain.get(name), other_gain=other_gain.get(name)
    )


def _plain(found: Distances | None) -> dict[str, Any]:
    return {} if found is None else asdict(found)


def _gains(table: Any, names: list[str], class_attribute: str) -> dict[str, float]:
    known = ~np.asarray(as_arrow(table.column(class_attribute)).is_null()).astype(bool)
    part = table.chosen([*names, class_attribute]).where(known)
    rows = relevance(part.chosen(names).native, part.column(class_attribute)) if names else ()
    return {row.name: row.gain for row in rows}


def _changes(columns: list[TwoColumns]) -> tuple[CorrelationChange, ...]:
    columns = [column for column in columns if column.categories <= MOST_CATEGORIES]
    ordered = [column.is_ordered for column in columns]
    truth = associations([column.truth for column in columns], ordered)
    other = associations([column.other for column in columns], ordered)
    found = [
        CorrelationChange(
            names=(columns[j].name, columns[k].name),
            truth=float(truth[j, k]),
            other=float(other[j, k]),
        )
        for j, k in combinations(range(len(columns)), 2)
    ]
    return tuple(sorted(found, key=lambda own: -own.change))


def _of_distributions(truth: Any, other: Mapping[str, Reconstruction]) -> Utility:
    """Return the distances of reconstructed distributions."""
    table = table_of(truth)
    rows = [
        _reconstructed(name, table.column(name), other[name])
        for name in table.names
        if name in other
    ]
    if not rows:
        raise SpecificationError("other: expected a distribution of a column of the truth")
    return Utility(
        attributes=tuple(rows),
        left_out=tuple(name for name in table.names if name not in other),
        records=len(table),
    )


def _reconstructed(name: str, column: Any, found: Reconstruction) -> AttributeUtility:
    if not isinstance(found, Reconstruction):
        raise SpecificationError(
            f"other: expected a Reconstruction of {name!r}, got {type(found).__name__}"
        )
    cells = found.cells
    if not isinstance(cells, Cells):
        codes = np.asarray(cells.codes(cells.conform(column))).astype(float)
        codes[codes < 0] = np.nan
        recovered = Weighted(np.arange(len(cells), dtype=float), found.shares)
        apart = distances(Weighted.of(codes), recovered, ordered=False)
        return AttributeUtility(name=name, kind="category", **_plain(apart))
    numbers = cells.numbers(column)
    # Values stand for their cells on both sides, so that cells cost no distance.
    codes = cells.codes(numbers)
    known = Weighted.of(np.append(cells.middles, np.nan)[codes])
    apart = distances(known, Weighted(cells.middles, found.shares), ordered=True)
    kind: Literal["number", "date"] = "number" if type(cells) is Cells else "date"
    return AttributeUtility(name=name, kind=kind, **_plain(apart))
