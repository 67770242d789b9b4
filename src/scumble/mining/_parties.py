"""Several parties that learn together: by rows, of other people, or by columns, of the same."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scumble.columns import as_arrow
from scumble.declared import declared_table
from scumble.errors import ScumbleError, SpecificationError, TableError
from scumble.mining._checks import check_classes
from scumble.mining._labelled import Labelled, Told, label_matrix
from scumble.mining._labels import encoded_labels
from scumble.mining._training import declared_attributes
from scumble.mining._undecided import LEAST_KNOWN, known_of
from scumble.schema import Attribute, Categorical, Specification
from scumble.schema._attribute import with_mechanism


@dataclass(frozen=True, eq=False)
class Party:
    """What one party hands over.

    Attributes
    ----------
    reports : DataFrame or array
        Its reports, as `disguise` makes them; that of a specification that disguises
        nothing are truths.
    spec : Specification
        What disguised them.
    y : array or Series, optional
        The class that each record reports. By default the class column of the reports.
    """

    # Records are not shown: neither in a notebook nor in the text of an error.
    reports: Any = field(repr=False)
    spec: Specification
    y: Any = field(default=None, repr=False)

    def labels(self) -> Any:
        """Return the classes as given, or as the reports have them."""
        if self.y is not None:
            return self.y
        table = declared_table(self.reports, self.spec, withheld=False)
        if self.spec.class_attribute not in table.names:
            raise TableError("y: expected the class of each record, got none; give it")
        return table.column(str(self.spec.class_attribute))


def side_by_side(parties: Sequence[Party]) -> Party:
    """Join parties that know other columns of the same people, in the same order.

    What one disguises another may hand over in clear: the specification says of each
    column what was done to it.

    Parameters
    ----------
    parties : sequence of Party
        The parties; no column is of two of them.

    Returns
    -------
    Party
        All columns, as an Arrow table, with the specification of all.

    Examples
    --------
    >>> import pyarrow as pa
    >>> from scumble import Categorical, Specification
    >>> from scumble.mechanisms import Warner
    >>> from scumble.mining import Party, side_by_side
    >>> answer = Categorical(["no", "yes"])
    >>> told = Categorical(["no", "yes"], mechanism=Warner(keep=0.8))
    >>> clinic = Party(pa.table({"smoker": ["yes", "no"]}), Specification({"smoker": told}))
    >>> school = Party(pa.table({"sports": ["no", "yes"]}), Specification({"sports": answer}))
    >>> both = side_by_side([clinic, school])
    >>> both.reports.column_names, both.spec["sports"].sensitivity
    (['smoker', 'sports'], 'public')
    """
    import pyarrow as pa

    columns: dict[str, Any] = {}
    attributes: dict[str, Attribute] = {}
    for place, party in enumerate(parties, 1):
        table = declared_table(party.reports, party.spec, withheld=False)
        twice = set(party.spec) & set(attributes)
        groups = set(party.spec.groups) & {
            getattr(attribute.mechanism, "group", None) for attribute in attributes.values()
        }
        if twice or groups:
            which = sorted(map(str, twice or groups))[0]
            raise SpecificationError(
                f"party {place}: expected columns and groups of its own, got {which!r} once more; "
                "rename it, or leave it to one party"
            )
        if columns and len(table) != len(next(iter(columns.values()))):
            raise TableError(
                f"party {place}: expected as many records as the others have, got {len(table)}; "
                "bring the same people into the same order"
            )
        attributes |= party.spec.attributes
        columns |= {name: as_arrow(table.column(name)) for name in table.names}
    target = [p.spec.class_attribute for p in parties if p.spec.class_attribute is not None]
    given = [party.y for party in parties if party.y is not None]
    twice_told = bool(given) and bool(set(target) & set(columns))
    if len(set(target)) > 1 or len(given) > 1 or twice_told:
        raise SpecificationError("class: expected one, got several; drop all but one")
    spec = Specification(attributes, class_attribute=target[0] if target else None)
    return Party(pa.table(columns), spec, given[0] if given else None)


def labelled_parties(parties: Sequence[Party], spec: Specification) -> Labelled:
    """Return the records of parties that know the same columns of other people.

    Parameters
    ----------
    parties : sequence of Party
        The parties.
    spec : Specification
        What the columns are; how they are disguised, each party says itself.
    """
    if not parties:
        raise TableError("parties: expected at least one")
    attributes = declared_attributes(spec)
    for place, party in enumerate(parties, 1):
        _check_domains(party.spec, spec, attributes, where=f"party {place}")
    encoded = [_encoded(party, where=f"party {k}") for k, party in enumerate(parties, 1)]
    classes = np.unique(np.concatenate([own for own, _ in encoded]))
    told = []
    for place, (party, (own, labels)) in enumerate(zip(parties, encoded, strict=True), 1):
        table = declared_table(party.reports, party.spec, withheld=False)
        if len(table) != len(labels):
            raise TableError(
                f"party {place}: expected a class for each of {len(table)} records, "
                f"got {len(labels)}"
            )
        places = np.searchsorted(classes, own)[labels].astype(np.int64)
        told.append(Told(table, party.spec, places, label_matrix(party.spec, classes)))
    for place, party in enumerate(parties, 1):
        with _within(f"party {place}"):
            check_classes(classes, party.spec, method="likelihood")
    records = [(party.spec, len(party.labels)) for party in told]
    if known_of(spec.class_attribute or "", records) < LEAST_KNOWN:
        raise TableError(
            "class: the coins that it shares are too fair for so few records: truths and their "
            "opposites cannot be told apart; add records, or a party that tells it in clear"
        )
    return Labelled(told, attributes, classes)


def _encoded(party: Party, *, where: str) -> tuple[NDArray[Any], NDArray[np.uint16]]:
    """Return the classes that a party reports, and the place of each record's among them."""
    with _within(where):
        if not len(declared_table(party.reports, party.spec, withheld=False)):
            raise TableError("expected at least one record, got none")
        classes, labels = encoded_labels(party.labels())
        declared = party.spec.declared_class
        if isinstance(declared, Categorical):
            declared.conform(classes)
        return classes, labels


@contextmanager
def _within(where: str) -> Iterator[None]:
    """Say in errors whose records they are about."""
    try:
        yield
    except ScumbleError as error:
        raise type(error)(f"{where}: {error}") from None


def _check_domains(
    own: Specification, spec: Specification, attributes: Mapping[str, Attribute], *, where: str
) -> None:
    """Raise where a party takes an attribute for something else."""
    if own.class_attribute != spec.class_attribute:
        raise SpecificationError(
            f"{where}: class: expected {spec.class_attribute!r}, got {own.class_attribute!r}"
        )
    declared = spec.declared_class
    if declared is not None:
        attributes = {**attributes, str(spec.class_attribute): declared}
    for name, attribute in attributes.items():
        try:
            same = with_mechanism(own[name], None) == with_mechanism(attribute, None)
        except ScumbleError as error:
            raise SpecificationError(f"{where}: {error}") from None
        if not same or own[name].sensitivity == "withheld":
            raise SpecificationError(
                f"{where}: attributes.{name}: expected the domain that the others declare, told or "
                "disguised; parties may differ in how they disguise it, not in what it is"
            )
