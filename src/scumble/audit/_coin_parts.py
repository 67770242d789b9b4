"""The parts of a report that are told with one coin each: how likely a report is from a truth."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from scumble.mechanisms import Warner
from scumble.population._coin import seen_combinations
from scumble.schema import Categorical, Specification, own_mechanism

FloatArray = NDArray[np.float64]
Codes = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class CoinPart:
    """One attribute, or several that share a coin.

    A report can come from the truth that it shows and from one *other*: its reverse, where
    a lie reverses all answers, else the most frequent. From further truths it comes never,
    or as likely as from the other.

    Attributes
    ----------
    places : list of int
        The attributes.
    values : array, (combinations, attributes)
        The combinations of codes that are spoken of below by their place.
    shares : array, (combinations,)
        How frequent each is among the known records, smoothed by products of attributes.
    known, told, other : array of int
        The combinations of the known records, of the reports, and the other truth of each
        report.
    logs : array of float, (reports, 3)
        For each report the logarithm of its probability, given that the truth is what it
        shows, given the other, and given any further one.
    """

    places: list[int]
    values: Codes
    shares: FloatArray
    known: Codes
    told: Codes
    other: Codes
    logs: FloatArray

    def alone(self) -> tuple[Codes, FloatArray]:
        """Return the likeliest combination behind each report, by this part alone; its score."""
        same = np.log(self.shares[self.told]) + self.logs[:, 0]
        changed = np.log(self.shares[self.other]) + self.logs[:, 1]
        best = np.where(same >= changed, self.told, self.other)
        return best, np.maximum(same, changed)


def coin_parts(
    spec: Specification, names: Sequence[str], *, known: Codes, counts: Codes, reports: Codes
) -> list[CoinPart]:
    """Return the parts of reports of some categorical attributes.

    Parameters
    ----------
    spec : Specification
        What disguised them.
    names : sequence of str
        The attributes, in the order of the columns below.
    known, counts : array
        The different known records as codes, and how often each occurs.
    reports : array
        The different reports, as codes.
    """
    groups = {name: group for group, members in spec.groups.items() for name in members}
    members: dict[Any, list[int]] = {}
    for place, name in enumerate(names):
        members.setdefault(groups.get(name, (name,)), []).append(place)
    return [_part(spec, names, own, known, counts, reports) for own in members.values()]


def _part(
    spec: Specification,
    names: Sequence[str],
    places: list[int],
    known: Codes,
    counts: Codes,
    reports: Codes,
) -> CoinPart:
    attributes = [cast("Categorical", spec[names[place]]) for place in places]
    sizes = [len(attribute) for attribute in attributes]
    own, told = known[:, places], reports[:, places]
    reverses = isinstance(attributes[0].mechanism, Warner)
    stacked = np.vstack((own, told, 1 - told if reverses else told))
    # One more of each, since the first code is that of a missing value.
    values, ids = seen_combinations(
        [column.astype(np.uint16) for column in (stacked + 1).T], [size + 1 for size in sizes]
    )
    values = values[1:].astype(np.int64) - 1
    own_ids, told_ids, other = np.split(ids - 1, [len(own), len(own) + len(told)])
    shares = _shares(values, own_ids, counts, sizes)
    if not reverses:
        most, next_most = np.argsort(-shares)[[0, min(1, len(shares) - 1)]]
        other = np.where(told_ids == most, next_most, most)
    with np.errstate(divide="ignore"):
        logs = np.log(np.column_stack(_probabilities(attributes, told, reverses)))
    return CoinPart(places, values, shares, own_ids, told_ids, other, logs)


def _shares(values: Codes, ids: Codes, counts: Codes, sizes: Sequence[int]) -> FloatArray:
    """Return how frequent combinations are; half a record is spread as if they were independent."""
    total = np.bincount(ids, weights=counts, minlength=len(values))
    product = np.ones(len(values))
    for column, size in zip(values.T, sizes, strict=True):
        own = np.bincount(column, weights=total, minlength=size) + 0.5
        product *= (own / own.sum())[column]
    return np.asarray((total + 0.5 * product) / (total.sum() + 0.5))


def _probabilities(
    attributes: Sequence[Categorical], told: Codes, reverses: bool
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return P(report | truth) where the truth is what it shows, the other, and any further one."""
    nothing, all_ = np.zeros(len(told)), np.ones(len(told))
    mechanism = own_mechanism(attributes[0])
    if reverses:
        keep = cast("Warner", mechanism).keep
        return keep * all_, (1 - keep) * all_, nothing
    mixture = mechanism.mixture(attributes[0])
    if mixture is None:  # in clear
        return all_, nothing, nothing
    # P(report | truth) is kept [report = truth] + base[report]; of attributes that share a
    # coin it falls once, so that 1 - keep, a factor of each base, counts once.
    kept, base = mixture[0], all_
    for attribute, column in zip(attributes, told.T, strict=True):
        own = own_mechanism(attribute).mixture(attribute)
        assert own is not None
        base = base * own[1][column]
    if len(attributes) > 1:
        base = base / (1 - kept) ** (len(attributes) - 1) if kept < 1 else nothing
    return kept + base, base, base
