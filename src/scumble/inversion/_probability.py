"""The probability of a conjunction of truths, estimated from reports."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scumble.columns import as_numbers
from scumble.declared import conformed, declared_table
from scumble.errors import DomainError, SpecificationError, TableError
from scumble.inversion._factors import category_count, inverse_factors
from scumble.schema import Categorical, Specification, own_mechanism
from scumble.schema._named import suggestion
from scumble.tables import Table

FloatArray = NDArray[np.float64]
# A code is of 16 bits, and 0 is missing.
_MOST_VALUES = 2**16 - 1


@dataclass(frozen=True)
class Estimate:
    """A probability, as far as reports tell.

    Attributes
    ----------
    probability : float
        The estimate. It is unbiased, and so may lie a little below 0 or above 1.
    error : float
        Its standard error.
    records : int
        The number of records that it rests on.

    Examples
    --------
    >>> print(Estimate(0.2512, 0.0123, 2000))
    0.251 +- 0.012 (2,000 records)
    >>> float(Estimate(0.2512, 0.0123, 2000))
    0.2512
    """

    probability: float
    error: float
    records: int

    def __float__(self) -> float:
        return self.probability

    def __str__(self) -> str:
        return f"{self.probability:.3f} +- {self.error:.3f} ({self.records:,} records)"


def estimate_of_mean(values: FloatArray, weights: FloatArray | None = None) -> Estimate:
    """Return the mean of what each record counts, and its standard error.

    Parameters
    ----------
    values : array
        What each record, or each kind of record, counts.
    weights : array, optional
        How many records of each kind there are.

    Examples
    --------
    >>> print(estimate_of_mean(np.array([1.0, 0.0]), np.array([300.0, 100.0])))
    0.750 +- 0.022 (400 records)
    """
    records = float(len(values) if weights is None else weights.sum())
    mean = float(np.average(values, weights=weights))
    square = float(np.average(values**2, weights=weights))
    error = math.sqrt(max(square - mean**2, 0.0) / records)
    return Estimate(mean, error, round(records))


def probability(
    reports: Any,
    spec: Specification,
    truths: Mapping[str, Any],
    *,
    keep: Mapping[str, Any] | None = None,
) -> Estimate:
    """Estimate how often several things are true at once.

    Parameters
    ----------
    reports : DataFrame or array
        The reports.
    spec : Specification
        What disguised them.
    truths : mapping of str to value or list of values
        For each attribute the truth asked for, or several of which one must hold; None
        is a missing truth.
    keep : mapping of str to array, optional
        For groups, or attributes that share no coin, the probability of the truth for
        each record, where records were disguised differently: 1 where they are in clear.

    Returns
    -------
    Estimate
        The probability, its standard error and the number of records.

    Examples
    --------
    >>> import numpy as np
    >>> import pandas as pd
    >>> from scumble import Categorical, Specification, disguise, probability
    >>> from scumble.mechanisms import Warner
    >>> answer = Categorical(["no", "yes"], mechanism=Warner(keep=0.8, group="health"))
    >>> spec = Specification({"smoker": answer, "drinker": answer})
    >>> people = pd.DataFrame({"smoker": ["yes"] * 3000 + ["no"] * 7000, "drinker": "yes"})
    >>> reports = disguise(people, spec, seed=1)
    >>> found = probability(reports, spec, {"smoker": "yes", "drinker": "yes"})
    >>> bool(abs(found.probability - 0.3) < 3 * found.error)
    True

    Notes
    -----
    A record counts w, the product over groups of what its reports count for the truths
    asked for; the mean of w is the estimate, and its spread gives the standard error. For
    Warner's model in groups (MRR) a group counts t / (2 t - 1) where its reports agree with
    the truths asked for, -(1 - t) / (2 t - 1) where all their opposites do, and else nothing.
    This is the solution of the system of 2^M equations of the paper, in n M steps. It is
    unbiased whatever the joint distribution. Each group that is asked for multiplies the
    variance: by about 1.9 at t = 0.8, 3.6 at 0.7, 13 at 0.6.

    A missing report is a missing truth: it satisfies no value.
    """
    table = declared_table(reports, spec, withheld=False)
    if not len(table):
        raise TableError("table: expected at least one record, got none")
    names = list(truths)
    inside = [_cells(name, truths[name], spec) for name in names]
    codes = category_codes(table, spec, names)
    counted = np.ones(len(table))
    for part, members in _parts(spec, names, keep or {}, len(table)):
        rows = slice(None) if part is None else part[0]
        own = spec if part is None else part[1]
        sizes = [len(inside[place]) - 1 for place in members]
        for factor in inverse_factors(own, [names[place] for place in members], sizes):
            places = [members[place] for place in factor.members]
            counted[rows] *= factor.inverse.weights(
                [inside[place] for place in places], [codes[rows, place] for place in places]
            )
    return estimate_of_mean(counted)


def category_codes(table: Table, spec: Specification, names: Sequence[str]) -> NDArray[np.uint16]:
    """Return the code of each report, from 1 on; 0 is missing.

    Examples
    --------
    >>> import pandas as pd
    >>> spec = Specification({"smoker": Categorical(["no", "yes"])})
    >>> category_codes(Table(pd.DataFrame({"smoker": ["yes", None]})), spec, ["smoker"]).tolist()
    [[2], [0]]
    """
    codes = np.empty((len(table), len(names)), dtype=np.uint16)
    for place, name in enumerate(names):
        count = category_count(name, spec)
        if count > _MOST_VALUES:
            raise SpecificationError(
                f"attributes.{name}: expected at most {_MOST_VALUES:,} values, got {count:,}; "
                "group them"
            )
        domain = own_mechanism(spec[name]).report_domain(spec.domain(name))
        codes[:, place] = conformed(table, name, domain) + 1
    return codes


def _cells(name: str, wanted: Any, spec: Specification) -> FloatArray:
    """Return which cells of an attribute are asked for, the missing one first."""
    inside = np.zeros(category_count(name, spec) + 1)
    attribute = spec[name]
    assert isinstance(attribute, Categorical)
    several = isinstance(wanted, list | tuple | set | frozenset | np.ndarray)
    values = list(wanted) if several else [wanted]
    try:
        places = [
            -1 if value is None else int(attribute.told.conform([value])[0]) for value in values
        ]
    except DomainError:
        raise SpecificationError(
            f"truths.{name}: expected values of the attribute, got another; there are "
            f"{len(attribute)}, see the specification"
        ) from None
    inside[np.array(places, dtype=int) + 1] = 1
    return inside


_Part = tuple[NDArray[np.bool_], Specification] | None


def _parts(
    spec: Specification, names: Sequence[str], keep: Mapping[str, Any], records: int
) -> list[tuple[_Part, list[int]]]:
    """Return which attributes to invert for which records, under which specification."""
    known = {group: [n for n in members if n in names] for group, members in spec.groups.items()}
    known |= {
        name: [name] for name in names if getattr(spec[name].mechanism, "group", None) is None
    }
    parts: list[tuple[_Part, list[int]]] = []
    rest = list(names)
    for key, given in keep.items():
        if key not in spec.groups and key not in spec.attributes:
            raise SpecificationError(
                f"keep.{key}: no such group or attribute{suggestion(key, known)}"
            )
        if key not in known:
            if key in names:
                raise SpecificationError(
                    f"keep.{key}: expected the name of its group, with which it shares the coin"
                )
            continue
        chances = as_numbers(given)
        if chances.shape != (records,):
            raise SpecificationError(
                f"keep.{key}: expected one number for each of the {records} records"
            )
        members = [names.index(name) for name in known[key]]
        rest = [name for name in rest if name not in known[key]]
        for chance in np.unique(chances).tolist():
            own = _with_keep(spec, key, [names[place] for place in members], chance)
            parts.append(((chances == chance, own), members))
    return [*parts, (None, [names.index(name) for name in rest])]


def _with_keep(
    spec: Specification, key: str, members: Sequence[str], chance: float
) -> Specification:
    """Return the specification of some attributes under another coin."""
    attributes = {}
    for name in members:
        mechanism = spec[name].mechanism
        if getattr(mechanism, "keep", None) is None:
            raise SpecificationError(
                f"keep.{key}: expected a mechanism that keeps the truth with some probability, "
                f"got {own_mechanism(spec[name]).name!r}"
            )
        try:
            changed = replace(mechanism, keep=chance)  # type: ignore[type-var]
            attributes[name] = replace(spec[name], mechanism=changed)
            own_mechanism(attributes[name]).check(spec.domain(name))
        except SpecificationError as error:
            raise error.within(f"keep.{key}") from None
    return Specification(attributes) if attributes else spec
