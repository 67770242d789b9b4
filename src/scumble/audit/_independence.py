"""The check that the report of one tells nothing about the truth of another."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scumble._disguise import disguise as disguise_table
from scumble.audit._claim import Claim, claim_of, report_rows
from scumble.audit._empirical_epsilon import SURE
from scumble.audit._joint import LOOKS, Joint, equal_too_often, excess, near_pair
from scumble.audit._lags import suspicious_lags
from scumble.entropy import entropy_from
from scumble.errors import MechanismCheckError, SpecificationError
from scumble.schema import (
    Attribute,
    Categorical,
    Date,
    Domain,
    Mechanism,
    Specification,
    Text,
    own_mechanism,
)
from scumble.schema._parameters import share

Reports = NDArray[Any]
_FEWEST = 10_000


def check_records_independent(
    mechanism: Mechanism,
    domain: Domain,
    *,
    disguise: Callable[[Reports], Reports] | None = None,
    records: int = 200_000,
    confidence: float = SURE,
    seed: int | None = None,
) -> None:
    """Check that the report of a record tells nothing about the truth of another.

    Noise or a coin that is used for two records shows: each report gives away the noise
    of the other.

    Parameters
    ----------
    mechanism : Mechanism
        What is claimed of one report.
    domain : Numeric or Categorical
        The domain of the truths.
    disguise : callable, optional
        What to check: it takes truths (floats, or codes) and returns a report for each. It is
        called twice, for different people: noise that is fixed per entity needs other
        entities. By default, the mechanism's own.
    records : int
        How many records, once to look for a dependence and once to weigh it.
    confidence : float
        How rarely right noise is refused: with probability at most `1 - confidence`.
    seed : int, optional
        For experiments. By default all is drawn afresh.

    Raises
    ------
    MechanismCheckError
        If two reports tell more about a truth than the one that belongs to it.

    Examples
    --------
    >>> from scumble import Numeric
    >>> from scumble.audit import check_records_independent
    >>> from scumble.mechanisms import GaussianNoise
    >>> check_records_independent(GaussianNoise(privacy=1.0), Numeric(20, 80))

    Notes
    -----
    Records get one of two truths at random. If reports are independent, a record and one
    at a distance whose truth is held fixed tell together at most what is claimed of the
    first alone. Distances are one and two, and those at which reports of equal truths are
    most correlated in another draw; pairs of records do not overlap. Two reports of one
    truth must not be equal more often than the channel states.
    """
    if records < _FEWEST:
        raise SpecificationError(f"records: expected at least {_FEWEST}, got {records}")
    entropy, generator = entropy_from(seed), np.random.default_rng(seed)
    pair = near_pair(mechanism, domain)
    tables = []
    for name in ("search", "test"):
        truth = _truths(domain, pair, generator.random(records) < 0.5)
        if disguise is None:
            reports = mechanism.disguise(truth, domain, entropy.stream(f"records {name}"))
        else:
            reports = np.asarray(disguise(truth)).astype(truth.dtype)
        tables.append((truth != truth.dtype.type(pair[0]), reports))
    lags = sorted({1, 2, *suspicious_lags(~tables[0][0], tables[0][1])})
    claims, stated = _claims(mechanism, domain, pair), _stated_equal(mechanism, domain, pair)
    alpha = (1 - share("confidence", confidence)) / (len(lags) * LOOKS)
    for lag in lags:
        search, test = (_neighbours(*table, lag) for table in tables)
        told = excess(search, test, claims, alpha=alpha) > 0
        if told or equal_too_often(test, stated, alpha=alpha):
            what = "give each other's noise away" if told else "are equal too often"
            raise MechanismCheckError(
                f"{mechanism.name}: expected reports of different records to be independent, got "
                f"records at a distance of {lag} that {what}; draw noise afresh for every record"
            )


def _truths(domain: Domain, pair: tuple[float, float], second: NDArray[np.bool_]) -> Reports:
    kind = np.int32 if isinstance(domain, Categorical) else np.float64
    return np.where(second, pair[1], pair[0]).astype(kind)


def _claims(mechanism: Mechanism, domain: Domain, pair: tuple[float, float]) -> tuple[Claim, Claim]:
    return claim_of(mechanism, domain, *pair), claim_of(mechanism, domain, *pair[::-1])


def _stated_equal(mechanism: Mechanism, domain: Domain, pair: tuple[float, float]) -> float:
    """Return how often two independent reports of the first truth are equal, at the most."""
    known = report_rows(mechanism, domain, *pair)
    if known is None:
        return 1.0
    rows, unsure = known
    return float((rows[0] ** 2).sum()) + unsure**2 + 1e-9


def _neighbours(second: NDArray[np.bool_], reports: Reports, lag: int) -> Joint:
    """Return records and those behind them, without overlap, where these have the first truth."""
    first = np.arange(len(reports) - lag)
    first = first[(first // lag % 2 == 0) & ~second[first + lag]]
    return Joint(reports[first], reports[first + lag], second[first])


def check_attributes_independent(
    spec: Specification,
    *,
    disguise: Callable[..., Any] = disguise_table,
    records: int = 100_000,
    confidence: float = SURE,
    seed: int | None = None,
) -> None:
    """Check that the report of an attribute tells nothing about the truth of another.

    Attributes of one group share their coin and are meant to; their pairs are left out.

    Parameters
    ----------
    spec : Specification
        What is claimed. Private attributes are checked.
    disguise : callable, optional
        What to check: it takes a table of truths and a specification, as
        `scumble.disguise`, which is the default.
    records : int
        How many records, once to look for a dependence and once to weigh it.
    confidence : float
        How rarely right noise is refused: with probability at most `1 - confidence`.
    seed : int, optional
        Of the truths that are tried.

    Raises
    ------
    MechanismCheckError
        If two reports tell more about a truth than the one that belongs to it.

    Examples
    --------
    >>> from scumble import Numeric, Specification
    >>> from scumble.audit import check_attributes_independent
    >>> from scumble.mechanisms import LaplaceNoise
    >>> age = Numeric(20, 80, mechanism=LaplaceNoise(epsilon=1))
    >>> check_attributes_independent(Specification({"age": age, "hours": age}))
    """
    if records < _FEWEST:
        raise SpecificationError(f"records: expected at least {_FEWEST}, got {records}")
    private: dict[str, Attribute] = {
        name: each.told
        for name, each in spec.attributes.items()
        if each.sensitivity == "private" and each.mechanism and not isinstance(each, Text)
    }
    pairs = [(own, other) for own in private for other in private if _apart(spec, own, other)]
    if not pairs:
        return
    generator = np.random.default_rng(seed)
    tables = [_drawn(private, disguise, records, generator) for _ in range(2)]
    alpha = (1 - share("confidence", confidence)) / (len(pairs) * LOOKS)
    for own, other in pairs:
        domain = private[own]
        assert not isinstance(domain, Text)
        mechanism = own_mechanism(domain)
        claims = _claims(mechanism, domain, near_pair(mechanism, domain))
        search, test = (_beside(table, own, other) for table in tables)
        if excess(search, test, claims, alpha=alpha) > 0:
            raise MechanismCheckError(
                f"attributes.{own}: expected noise of its own, got reports of {other!r} that give "
                "it away; draw from another stream, or declare both as one group"
            )


def _apart(spec: Specification, own: str, other: str) -> bool:
    return own != other and not any({own, other} <= set(group) for group in spec.groups.values())


Table = dict[str, tuple[NDArray[np.bool_], Reports]]


def _drawn(
    private: dict[str, Attribute],
    disguise: Callable[..., Any],
    records: int,
    generator: np.random.Generator,
) -> Table:
    import pyarrow as pa

    second = {name: generator.random(records) < 0.5 for name in private}
    columns = {}
    for name, domain in private.items():
        assert not isinstance(domain, Text)
        pair = near_pair(own_mechanism(domain), domain)
        columns[name] = _column(domain, _truths(domain, pair, second[name]))
    reports = disguise(pa.table(columns), Specification(private))
    return {name: (second[name], _read(private[name], reports[name])) for name in private}


def _column(domain: Domain, truth: Reports) -> Reports:
    if isinstance(domain, Categorical):
        return domain.decode(truth)
    return truth.astype("datetime64[D]") if isinstance(domain, Date) else truth


def _read(domain: Attribute, reports: Any) -> Reports:
    if isinstance(domain, Categorical):
        return domain.conform(reports)
    assert not isinstance(domain, Text)
    return domain.numbers(reports)


def _beside(table: Table, own: str, other: str) -> Joint:
    second, reports = table[own]
    rows = ~table[other][0]
    return Joint(reports[rows], table[other][1][rows], second[rows])
