"""From a table of truths to a table of reports."""

import json
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scumble.dates import as_dates
from scumble.declared import conformed, declared_table
from scumble.entropy import Entropy, Fixed, entropy_from
from scumble.errors import EntropyError
from scumble.schema import Attribute, Categorical, Date, Specification, Text, own_mechanism
from scumble.tables import Provenance, Table, stamped


def disguise(
    X: Any,
    spec: Specification,
    *,
    seed: int | None = None,
    secret: bytes | None = None,
    entities: Sequence[Any] | NDArray[Any] | None = None,
) -> Any:
    """Disguise a table of truths, column by column, as a specification says.

    Parameters
    ----------
    X : DataFrame or array
        The truths (pandas, polars, pyarrow, or a two-dimensional array with one
        column for each attribute). A missing value stays missing, unless a coding says
        what it counts as.
    spec : Specification
        What is declared of each column. A column that is not declared is an error,
        never passed on in silence; the class column may be absent, not undeclared.
    seed : int, optional
        For experiments. Without it the noise is cryptographic.
    secret : bytes, optional
        With `entities`: noise that is fixed per entity, so that asking again tells
        nothing new.
    entities : sequence of int or str, optional
        One identifier for each record.

    Returns
    -------
    DataFrame or array
        The reports, of the same kind. A column with a coding holds declared values, also
        where it is public. Dates come back as the column has them: as dates, times at
        midnight or ISO text. A withheld column is all missing; the index of
        a pandas table starts anew, since it may name the people.

    Examples
    --------
    >>> import pyarrow as pa
    >>> from scumble import Numeric, Specification, disguise
    >>> from scumble.mechanisms import UniformNoise
    >>> spec = Specification({"age": Numeric(20, 80, mechanism=UniformNoise(half_width=30))})
    >>> reports = disguise(pa.table({"age": [34.0, None]}), spec)
    >>> noisy, missing = reports["age"].to_pylist()
    >>> 4 <= noisy <= 64, missing
    (True, None)

    Notes
    -----
    Each attribute draws from a stream of its own; attributes of a group draw their
    coin from the stream of the group. Fixed noise depends on all that is declared of
    an attribute: the same draw at two scales would give the truth away.
    """
    entropy = _entropy(seed, secret, entities)
    table = declared_table(X, spec)
    columns: dict[str, Any] = {}
    for name in table.names:
        if spec[name].sensitivity == "withheld":
            # Never looked at: a date or a name need not fit a domain to be left out.
            columns[name] = np.full(len(table), np.nan if spec[name].kind == "numeric" else None)
        elif spec[name].sensitivity == "private":
            columns[name] = disguised_column(table, name, spec, entropy)
        else:
            columns |= public_column(table, name, spec[name])
    return stamped(table.replaced(columns), Provenance(spec.digest, entropy.seeded))


def _entropy(seed: int | None, secret: bytes | None, entities: Any) -> Entropy:
    if secret is None and entities is None:
        return entropy_from(seed)
    if secret is None or entities is None or seed is not None:
        raise EntropyError(
            "disguise: expected secret and entities together and no seed; noise is either fixed "
            "per entity or seeded"
        )
    return Fixed(secret, entities=entities)


def public_column(table: Table, name: str, attribute: Attribute) -> dict[str, Any]:
    """Return what replaces a public column: nothing, unless more is behind its values."""
    values = conformed(table, name, attribute)
    if isinstance(attribute, Categorical) and (
        attribute.coding is not None or table.lists_values(name)
    ):
        return {name: attribute.decode(values)}
    if isinstance(attribute, Text) and table.lists_values(name):
        return {name: values}
    if isinstance(attribute, Date):
        # Days alone are declared: a time of day is not passed on.
        return {name: as_dates(values, table.column(name), low=attribute.low, high=attribute.high)}
    return {}


def disguised_column(table: Table, name: str, spec: Specification, entropy: Entropy) -> Any:
    """Return the reports of a private column."""
    attribute = spec[name]
    assert not isinstance(attribute, Text)  # of which none is private
    mechanism = own_mechanism(attribute)
    truth = conformed(table, name, attribute)
    group = getattr(mechanism, "group", None)
    declared = _label(spec, [name] if group is None else spec.groups[group])
    coin = None if group is None else entropy.stream(f"coin {declared}")
    stream = entropy.stream(f"noise {name!r} {declared}")
    reports = mechanism.disguise(truth, attribute, stream, coin=coin)
    if isinstance(attribute, Categorical):
        return attribute.decode(reports)
    if isinstance(attribute, Date):
        told = mechanism.report_domain(attribute)
        assert isinstance(told, Date)
        return as_dates(reports, table.column(name), low=told.low, high=told.high)
    return reports


def _label(spec: Specification, names: list[str]) -> str:
    """Return the label of a stream: all that is declared of the attributes that draw from it."""
    return json.dumps({name: spec[name].to_dict() for name in names})
