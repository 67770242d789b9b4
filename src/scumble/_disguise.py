"""From a table of truths to a table of reports."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scumble.dates import as_dates
from scumble.declared import conformed, declared_table
from scumble.entropy import Entropy, Fixed, Stream, entropy_from
from scumble.errors import EntropyError, SpecificationError
from scumble.schema import Attribute, Categorical, Date, Specification, Text, own_mechanism
from scumble.tables import Provenance, Table, stamped

_EITHER = (
    "disguise: expected secret and entities together and no seed; noise is either fixed "
    "per entity or seeded"
)


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
    return Disguiser(spec, seed=seed, secret=secret).reports(X, entities=entities)


class Disguiser:
    """Disguises a table part by part, as `disguise` would the whole of it.

    Every attribute draws from one stream from the first part to the last, so that no noise
    is used twice and it does not matter where a table is cut.

    Parameters
    ----------
    spec : Specification
        What is declared of each column.
    seed : int, optional
        For experiments. Without it the noise is cryptographic.
    secret : bytes, optional
        For noise that is fixed per entity.

    Examples
    --------
    >>> import numpy as np
    >>> from scumble import Numeric, Specification, disguise
    >>> from scumble.mechanisms import UniformNoise
    >>> spec = Specification({"age": Numeric(20, 80, mechanism=UniformNoise(half_width=30))})
    >>> truth = np.array([[34.0], [51.0], [67.0]])
    >>> disguiser = Disguiser(spec, seed=1)
    >>> parts = [disguiser.reports(part) for part in (truth[:2], truth[2:])]
    >>> bool((np.concatenate(parts) == disguise(truth, spec, seed=1)).all())
    True
    """

    def __init__(
        self, spec: Specification, *, seed: int | None = None, secret: bytes | None = None
    ) -> None:
        if not isinstance(spec, Specification):
            raise SpecificationError(f"spec: expected a Specification, got {type(spec).__name__}")
        if secret is not None and seed is not None:
            raise EntropyError(_EITHER)
        self.spec = spec
        self._secret = secret
        self._entropy = entropy_from(seed)
        self._streams: dict[str, Streams] = {}

    @property
    def provenance(self) -> Provenance:
        """How the reports are made."""
        return Provenance(self.spec.digest, self._entropy.seeded)

    def reports(self, X: Any, *, entities: Sequence[Any] | NDArray[Any] | None = None) -> Any:
        """Return the reports of the next part of a table.

        Parameters
        ----------
        X : DataFrame or array
            The truths.
        entities : sequence of int or str, optional
            With a secret: one identifier for each record.
        """
        if (self._secret is None) != (entities is None):
            raise EntropyError(_EITHER)
        fixed = (
            None
            if self._secret is None
            else Fixed(self._secret, entities=() if entities is None else entities)
        )
        table = declared_table(X, self.spec)
        columns: dict[str, Any] = {}
        for name in table.names:
            attribute = self.spec[name]
            if attribute.sensitivity == "withheld":
                # Never looked at: a date or a name need not fit a domain to be left out.
                columns[name] = np.full(len(table), np.nan if attribute.kind == "numeric" else None)
            elif attribute.sensitivity == "private":
                columns[name] = _reports(table, name, attribute, self._drawn_from(name, fixed))
            else:
                columns |= public_column(table, name, attribute)
        return stamped(table.replaced(columns), self.provenance)

    def _drawn_from(self, name: str, fixed: Entropy | None) -> "Streams":
        """Return the streams of an attribute: new ones of these entities, or those going on."""
        if fixed is not None:
            return streams_of(name, self.spec, fixed)
        if name not in self._streams:
            self._streams[name] = streams_of(name, self.spec, self._entropy)
        return self._streams[name]


@dataclass(frozen=True, eq=False)
class Streams:
    """What an attribute draws from: its noise, and the coin of its group."""

    noise: Stream
    coin: Stream | None


def streams_of(name: str, spec: Specification, entropy: Entropy) -> Streams:
    """Return the streams of an attribute, from their beginning."""
    group = getattr(own_mechanism(spec[name]), "group", None)
    declared = _label(spec, [name] if group is None else spec.groups[group])
    coin = None if group is None else entropy.stream(f"coin {declared}")
    return Streams(entropy.stream(f"noise {name!r} {declared}"), coin)


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
    return _reports(table, name, spec[name], streams_of(name, spec, entropy))


def _reports(table: Table, name: str, attribute: Attribute, streams: Streams) -> Any:
    assert not isinstance(attribute, Text)  # of which none is private
    mechanism = own_mechanism(attribute)
    truth = conformed(table, name, attribute)
    reports = mechanism.disguise(truth, attribute, streams.noise, coin=streams.coin)
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
