"""A plan for a release: which attributes to keep, protect or remove."""

import warnings
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from scumble.entropy import Seeded
from scumble.errors import ScumbleError, ScumbleWarning, SpecificationError, TableError
from scumble.progress import bar
from scumble.release._column import ReleasedColumn
from scumble.release._criteria import checks_of
from scumble.release._notation import other_notation
from scumble.release._proposal import are_values, proposed_domain
from scumble.relevance import Relevance, Relevances, relevance
from scumble.relevance._result import Measure
from scumble.schema import (
    Attribute,
    Categorical,
    Criteria,
    Numeric,
    Sensitivity,
    Specification,
    Text,
)
from scumble.schema._named import column_suggestion, suggestion
from scumble.tables import Table
from scumble.treatments import ColumnTreatment, Discretize, GroupRare, Shuffle
from scumble.treatments._records import Records

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(frozen=True)
class Planned:
    """What is proposed for an attribute, and why.

    Attributes
    ----------
    relevance : Relevance
        What is known of the attribute.
    sensitivity : {"public", "private", "withheld"}
        As the custodian says.
    relevant : bool
        Whether it tells enough of the class.
    attribute : Numeric, Categorical, Date or Text
        What the specification declares of it.
    why : str
        The reason.
    domain : Numeric, Categorical, Date or Text
        What the column holds; no part of what is proposed and not shown, since it lists the
        values of categories that are to be removed, too.
    """

    relevance: Relevance
    sensitivity: Sensitivity
    relevant: bool
    attribute: Attribute
    why: str
    domain: Attribute = field(repr=False)

    @property
    def name(self) -> str:
        """The name of the attribute."""
        return self.relevance.name

    @property
    def proposal(self) -> str:
        """What becomes of it, in a word or two."""
        if self.attribute.treatment is not None:
            return self.attribute.treatment.name
        return "remove" if self.attribute.sensitivity == "withheld" else "as it is"


@dataclass(frozen=True)
class Plan:
    """A plan: sensitivity against relevance, and a specification to edit.

    Attributes
    ----------
    attributes : tuple of Planned
        In the order of the table; without the class.
    relevances : Relevances
        All measures.
    measure, threshold
        An attribute is relevant where the measure is above the threshold.
    specification : Specification
        What is proposed. `to_toml` writes it to a file, to be read and changed.
    """

    attributes: tuple[Planned, ...]
    relevances: Relevances
    measure: Measure
    threshold: float
    specification: Specification

    def __iter__(self) -> Iterator[Planned]:
        return iter(self.attributes)

    def __getitem__(self, name: str) -> Planned:
        for row in self.attributes:
            if row.name == name:
                return row
        raise SpecificationError(
            f"attribute: unknown {name!r}{suggestion(name, [row.name for row in self])}"
        )

    def contingency(self) -> dict[tuple[str, str], tuple[str, ...]]:
        """Return the attributes by sensitivity and relevance (LSL, Figure 2).

        Identifiers stand apart, as ("identifier", "").
        """
        cells: dict[tuple[str, str], list[str]] = {}
        for row in self:
            key: tuple[str, str] = ("identifier", "")
            if row.relevance.identifier is None or row.relevant:
                key = (row.sensitivity, "relevant" if row.relevant else "irrelevant")
            cells.setdefault(key, []).append(row.name)
        return {key: tuple(names) for key, names in cells.items()}

    def to_text(self) -> str:
        """Return the plan as a table of at most 80 columns, and the contingency table."""
        from scumble.release._plan_text import plan_as_text

        return plan_as_text(self)

    def plot(self, ax: "Axes | None" = None) -> "Axes":
        """Draw relevance against sensitivity, with what is proposed for each attribute."""
        from scumble.release._plan_plot import plot_plan

        return plot_plan(self, ax=ax)


def plan(
    X: Any,
    *,
    class_attribute: str,
    public: Collection[str] = (),
    withheld: Collection[str] = (),
    measure: Measure = "gain",
    threshold: float = 0.05,
    criteria: Criteria | None = None,
    progress: bool = False,
) -> Plan:
    """Propose how to release a table that is to be mined for a class.

    Parameters
    ----------
    X : DataFrame or path
        The table in clear, the class among its columns; a .csv, .csv.gz or .parquet file.
    class_attribute : str
        The class. It is released as it is, unless the specification is changed.
    public, withheld : collection of str
        The attributes that may be seen by all, and those that must not be released. All
        others are private.
    measure : str
        How relevance is measured; see `scumble.relevance.relevance`.
    threshold : float
        An attribute is relevant where the measure is above it.
    criteria : Criteria, optional
        What the release must fulfil.
    progress : bool
        Whether to show how far the work has come.

    Returns
    -------
    Plan
        A row for each attribute, and a specification to edit.

    Examples
    --------
    >>> import numpy as np
    >>> import pandas as pd
    >>> from scumble.release import plan
    >>> rng = np.random.default_rng(0)
    >>> ill = rng.random(500) < 0.4
    >>> people = pd.DataFrame({
    ...     "id": np.arange(500), "age": rng.integers(20, 60, 500) + 20 * ill,
    ...     "height": rng.normal(170, 9, 500), "ill": np.where(ill, "yes", "no")})
    >>> proposed = plan(people, class_attribute="ill")
    >>> {row.name: row.proposal for row in proposed}
    {'id': 'remove', 'age': 'discretize', 'height': 'remove'}

    Notes
    -----
    Li, Shaw and Lin 2003, Figure 2. What is irrelevant is removed, private or not: it only
    helps those who link records. What is public and relevant stays; rare categories are put
    together. What is private and relevant is discretized where cuts by MDLP tell enough,
    else shuffled within the class, else among all records: the first of these that meets
    the criteria. Identifiers are removed, but dates that tell of the class are discretized.
    Categories of which more than half of the gain is chance, such as short notes that many
    records have of their own, count as irrelevant.

    The table is looked at, and the proposed specification tells something of it: values of
    categories that are to be released, cut-points, round bounds. Categories that are to be
    removed are declared as text; whoever wants to keep them lists their values.
    """
    table = Table(_read(X, progress=progress))
    criteria = criteria or Criteria()
    _check_names(table, class_attribute, public, withheld)
    found = relevance(
        table.native, class_attribute, minimum=criteria.minimum_group, progress=progress
    )
    _tell_notations(table, withheld)
    domains = {row.name: proposed_domain(table, row) for row in found}
    records = Records(table, attributes=domains, class_name=class_attribute)
    rows = []
    with bar("plan", shown=progress, total=len(found), unit=" columns") as done:
        for row in found:
            sensitivity: Sensitivity = "private"
            if row.name in public or row.name in withheld:
                sensitivity = "public" if row.name in public else "withheld"
            # A date names few records once it is an interval; a number or a name may be a key.
            coarse = row.identifier is None or row.kind == "date"
            relevant = coarse and row.of(measure) > threshold and not _by_chance(row)
            attribute, why = _proposed(row, sensitivity, relevant, records, criteria)
            rows.append(Planned(row, sensitivity, relevant, attribute, why, domains[row.name]))
            done.update()
    proposed = {row.name: row.attribute for row in rows}
    proposed[class_attribute] = _class_domain(table, class_attribute)
    spec = Specification(
        {name: proposed[name] for name in table.names},
        class_attribute=class_attribute,
        release=criteria,
    )
    return Plan(tuple(rows), found, measure, threshold, spec)


def _read(X: Any, *, progress: bool) -> Any:
    from scumble.engines import read_table

    return read_table(X, progress=progress) if isinstance(X, str) or hasattr(X, "__fspath__") else X


def _tell_notations(table: Table, withheld: Collection[str]) -> None:
    for name in table.names:
        told = None if name in withheld else other_notation(table.column(name))
        if told is not None:
            warnings.warn(
                f"column {name!r}: read as text, but {told}", ScumbleWarning, stacklevel=3
            )


def _check_names(
    table: Table, class_attribute: str, public: Collection[str], withheld: Collection[str]
) -> None:
    if not all(isinstance(name, str) for name in table.names):
        raise TableError("table: expected names of columns that are text; rename the others")
    for key, names in (("public", public), ("withheld", withheld)):
        if isinstance(names, str):
            raise SpecificationError(f"{key}: expected a list of attributes, got one name")
        for name in names:
            if name not in table.names:
                raise SpecificationError(
                    f"{key}: no column {name!r}{column_suggestion(name, table.names)}"
                )
    if class_attribute not in table.names:
        raise TableError(
            f"table: no column {class_attribute!r} for the class"
            f"{column_suggestion(class_attribute, table.names)}"
        )


def _class_domain(table: Table, name: str) -> Categorical:
    from scumble.relevance._classes import class_codes

    found, codes = class_codes(table.column(name))
    alone = int(np.count_nonzero(np.bincount(codes) == 1))
    # Whole numbers that came as floats, because some table cannot hold them otherwise.
    classes = tuple(int(value) if isinstance(value, float) else value for value in found)
    if len(classes) < 2:
        raise TableError(
            f"class {name!r}: expected at least two classes, got one; name the column that is to "
            "be predicted"
        )
    if alone:
        raise TableError(
            f"class {name!r}: expected at least two records of each class, got {alone} with one, "
            "which a release would name; drop these records, or put classes together"
        )
    if not are_values(classes):
        raise TableError(
            f"class {name!r}: expected text, whole numbers or truth values; write the classes so"
        )
    return Categorical(classes)


def _proposed(
    row: Relevance,
    sensitivity: Sensitivity,
    relevant: bool,
    records: Records,
    criteria: Criteria,
) -> tuple[Attribute, str]:
    """Return what to declare of an attribute, and why."""
    domain = records.attributes[row.name]
    # The specification may be shown: it lists no values that are not to be released.
    listed = isinstance(domain, Categorical)
    removed = Text(sensitivity="withheld") if listed else replace(domain, sensitivity="withheld")
    if sensitivity == "withheld":
        return removed, "withheld"
    if row.identifier is not None and not relevant:
        return removed, f"names the records ({row.identifier})"
    if isinstance(domain, Text):
        return removed, "text, or nothing to tell"
    if not relevant:
        why = "gains mostly by chance" if _by_chance(row) else "tells little of the class"
        return removed, why
    if sensitivity == "public" and row.identifier is None:
        return _coarsened(row, domain, records, criteria)
    for treatment in _candidates(domain, row, records, criteria):
        treated = replace(domain, sensitivity="private", treatment=treatment)
        if _passes(treated, row.name, records, criteria):
            return treated, "tells of the class"
    return removed, "no treatment is safe enough"


def _by_chance(row: Relevance) -> bool:
    """Say whether more than half of what a category tells is what as many values do by chance."""
    return row.kind == "category" and row.corrected_gain < row.gain / 2


def _coarsened(
    row: Relevance, domain: Attribute, records: Records, criteria: Criteria
) -> tuple[Attribute, str]:
    """Return a public attribute, with rare categories put together."""
    if isinstance(domain, Categorical):
        counts = np.bincount(records.places(row.name) + 1)[1:]
        # What is declared and does not occur is not rare.
        if ((counts > 0) & (counts < criteria.minimum_group)).any():
            rare = GroupRare(minimum=criteria.minimum_group)
            return replace(domain, sensitivity="public", treatment=rare), "has rare values"
    return domain, "tells of the class"


def _candidates(
    domain: Attribute, row: Relevance, records: Records, criteria: Criteria
) -> Sequence[ColumnTreatment]:
    shuffles = (Shuffle(within=(str(records.class_name),)), Shuffle())
    if isinstance(domain, Numeric) and row.cuts:
        return (Discretize(method="mdlp", minimum=criteria.minimum_group), *shuffles)
    return shuffles


def _passes(attribute: Attribute, name: str, records: Records, criteria: Criteria) -> bool:
    """Say whether a treatment meets the criteria, by trying it; its draws are thrown away."""
    treatment = attribute.treatment
    assert isinstance(treatment, ColumnTreatment)
    try:
        learned = treatment.learned(name, records)
        treated = learned.treated(name, records, Seeded(0).stream("trial"))
    except ScumbleError:
        return False
    column = ReleasedColumn(name, "private", {}, None, treated.exposure)
    return all(check.passed for check in checks_of([column], criteria))
