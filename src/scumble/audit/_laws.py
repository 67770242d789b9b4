"""How unlikely a released value is, for somebody whose true value is known."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scumble.audit._two_tables import FloatArray, IntArray, TwoColumns, TwoTables
from scumble.declared import conformed
from scumble.errors import SpecificationError
from scumble.mechanisms import Identity
from scumble.schema import (
    Attribute,
    Cells,
    Domain,
    Mechanism,
    Numeric,
    Specification,
    Text,
    own_mechanism,
)
from scumble.schema._parameters import numbers, positive
from scumble.treatments import InnocentNoise
from scumble.treatments._proportional import STEPS, snapped_chances, step_chances

Rows = slice | IntArray
# For a person, a row of the truth, the costs of some released rows, none below zero.
CostsOf = Callable[[int, Rows], FloatArray]
# The probability, or density, of reports given one truth.
Density = Callable[[float, FloatArray], FloatArray]
# Reports are counted in cells: four times as many as elsewhere, since one person is sought.
_CELLS = 400


@dataclass(frozen=True, eq=False)
class Costs:
    """What released values cost a person: minus the logarithm of their probability.

    Attributes
    ----------
    of : callable
        For a person (a row of the truth) the costs of some released rows, shifted so that
        none is below zero.
    shift : callable
        For a person, what was taken from the costs; the same for all released rows.
    """

    of: CostsOf
    shift: Callable[[int], float] = lambda _: 0.0


@dataclass(frozen=True)
class Lattice:
    """A released number is the true one times one of few factors.

    Parameters
    ----------
    factors : sequence of float
        The factors; by default those of the discrete law of `InnocentNoise`.
    chances : sequence of float, optional
        How likely each is; None: the intruder knows only that they are possible.
    tolerance : float
        How far a released number may be off, as a share of the true one: above what
        rounding makes of it.

    Examples
    --------
    >>> from scumble.audit import Lattice
    >>> len(Lattice().factors), Lattice((0.9, 1.1)).chances
    (13, None)
    """

    factors: tuple[float, ...] = tuple((1 + STEPS).tolist())
    chances: tuple[float, ...] | None = None
    tolerance: float = 1e-9

    def __post_init__(self) -> None:
        factors = numbers("factors", self.factors)
        chances = None if self.chances is None else numbers("chances", self.chances)
        if not factors or list(factors) != sorted(set(factors)):
            raise SpecificationError("factors: expected at least one, in ascending order")
        if chances is not None and (
            len(chances) != len(factors) or min(chances) < 0 or abs(sum(chances) - 1) > 1e-6
        ):
            raise SpecificationError(
                f"chances: expected {len(factors)} probabilities that sum to one, got "
                f"{len(chances)} that sum to {sum(chances):g}"
            )
        object.__setattr__(self, "factors", factors)
        object.__setattr__(self, "chances", chances)
        object.__setattr__(self, "tolerance", positive("tolerance", self.tolerance))

    @classmethod
    def published(cls) -> "Lattice":
        """Return the discrete law of `InnocentNoise`, with its chances.

        Examples
        --------
        >>> round(sum(Lattice.published().chances), 9)
        1.0
        """
        return cls(chances=tuple(step_chances().tolist()))


Law = Attribute | InnocentNoise | Lattice | Density
Noise = Specification | Mapping[str, Law]


def costs_by_law(both: TwoTables, name: str, noise: Noise, people: IntArray) -> Costs:
    """Return the costs of an attribute by the law of its noise.

    Parameters
    ----------
    both : TwoTables
        Truth and released table.
    name : str
        The attribute.
    noise : Specification or mapping
        The laws; an attribute without one is released as it is.
    people : array of int
        The persons whom the costs will be asked of.
    """
    law = _law_of(name, noise)
    declared = _declared(name, noise)
    if isinstance(law, InnocentNoise) and isinstance(declared, Numeric) and declared.step:
        return Costs(_on_steps(both[name], law, declared))
    if isinstance(law, InnocentNoise):
        if law.law == "normal":
            return _normal(both[name], law.sd)
        law = Lattice.published()
    if isinstance(law, Lattice):
        return Costs(_proportional(both[name], _on_lattice(law)))
    if law is None or isinstance(law, Text):
        return Costs(_unchanged(both[name]))
    if isinstance(law, Domain):
        mechanism = own_mechanism(law)
        # What is coded is told by another word than the truth, in clear too.
        if isinstance(mechanism, Identity) and getattr(law, "coding", None) is None:
            return Costs(_unchanged(both[name]))
        return Costs(_by_channel(both, name, law, mechanism, people))
    if not callable(law):
        raise SpecificationError(
            f"noise: expected for {name!r} an attribute with its mechanism, InnocentNoise, a "
            f"Lattice or a density, got {type(law).__name__}"
        )
    return _by_density(both[name], law)


def _declared(name: str, noise: Noise) -> Law | None:
    return noise.attributes.get(name) if isinstance(noise, Specification) else noise.get(name)


def _law_of(name: str, noise: Noise) -> Law | None:
    law = _declared(name, noise)
    treatment = law.treatment if isinstance(law, Attribute) else None
    return treatment if isinstance(treatment, InnocentNoise) else law


def costs_by_distance(column: TwoColumns) -> Costs:
    """Return squared distances in standard deviations of the truth.

    A category that differs costs what two random records do on average, which of numbers is 2;
    a value that is missing in one of two records costs 1.

    Examples
    --------
    >>> column = TwoColumns("age", "number", np.array([0.0, 2.0]), np.array([0.0, 5.0, np.nan]))
    >>> costs_by_distance(column).of(0, slice(None)).tolist()
    [0.0, 25.0, 1.0]
    """
    truth, other = column.truth, column.other
    known = truth[~np.isnan(truth)]
    if column.is_ordered:
        spread = float(known.std()) if len(known) else 0.0
        weight = 1 / spread**2 if spread > 0 else 0.0
    else:
        same = float(np.sum((np.bincount(known.astype(np.int64)) / max(1, len(known))) ** 2))
        weight = 2 / (1 - same) if same < 1 and len(known) else 0.0
    missing = np.isnan(other)
    complete = not missing.any()

    def costs(person: int, rows: Rows) -> FloatArray:
        true = truth[person]
        if np.isnan(true):
            return np.where(missing[rows], 0.0, 1.0)
        # In place, since this is what takes the time of the attack.
        gaps = other[rows] - true if column.is_ordered else (other[rows] != true).astype(float)
        gaps *= gaps
        gaps *= weight
        return gaps if complete else np.where(missing[rows], 1.0, gaps)

    return Costs(costs)


def _unchanged(column: TwoColumns) -> CostsOf:
    """Return the costs where values are released as they are."""

    def costs(person: int, rows: Rows) -> FloatArray:
        true, shown = column.truth[person], column.other[rows]
        same = np.isnan(shown) if np.isnan(true) else shown == true
        return np.where(same, 0.0, np.inf)

    return costs


def _proportional(column: TwoColumns, cost: Callable[[FloatArray], FloatArray]) -> CostsOf:
    """Return the costs of noise in proportion to the value, given those of the ratio."""
    if column.kind != "number":
        raise SpecificationError(
            f"noise: expected numbers in {column.name!r}, since its noise is in proportion to "
            f"them, got a {column.kind}"
        )
    unchanged = _unchanged(column)

    def costs(person: int, rows: Rows) -> FloatArray:
        true = column.truth[person]
        if np.isnan(true) or true == 0:  # these get no noise
            return unchanged(person, rows)
        shown = column.other[rows]
        impossible = np.isnan(shown) | (shown == 0)
        return np.where(impossible, np.inf, cost(np.where(impossible, true, shown) / true))

    return costs


def _normal(column: TwoColumns, sd: float) -> Costs:
    """Return the costs of a normal share of the value: a density as wide as the value is large."""

    def width(person: int) -> float:
        size = abs(float(column.truth[person]))
        return float(np.log(size)) if size > 0 else 0.0

    return Costs(_proportional(column, lambda ratio: ((ratio - 1) / sd) ** 2 / 2), width)


def _on_steps(column: TwoColumns, law: InnocentNoise, declared: Numeric) -> CostsOf:
    """Return the costs where a number is released on the steps of its domain."""
    reports, codes = np.unique(column.other, return_inverse=True)
    missing = np.isnan(reports)

    # A person is asked for several times in a row.
    @lru_cache(maxsize=1)
    def prices(person: int) -> FloatArray:
        true = float(column.truth[person])
        if np.isnan(true):
            return np.where(missing, 0.0, np.inf)
        shown = np.where(missing, true, reports)
        chances = snapped_chances(true, shown, declared, law=law.law, sd=law.sd)
        return np.where(missing, np.inf, _minus_log(chances))

    return lambda person, rows: np.asarray(prices(person)[codes[rows]])


def _on_lattice(law: Lattice) -> Callable[[FloatArray], FloatArray]:
    factors = np.array(law.factors)
    middles = (factors[1:] + factors[:-1]) / 2
    chances = np.ones(len(factors)) if law.chances is None else np.array(law.chances)
    prices = _minus_log(chances)

    def cost(ratio: FloatArray) -> FloatArray:
        nearest = np.searchsorted(middles, ratio)
        fits = np.abs(ratio - factors[nearest]) <= law.tolerance
        return np.where(fits, prices[nearest], np.inf)

    return cost


def _by_channel(
    both: TwoTables, name: str, domain: Domain, mechanism: Mechanism, people: IntArray
) -> CostsOf:
    """Return the costs through a channel; cells of reports stand for the reports in them."""
    mechanism.check(domain)
    truth = conformed(both.truth, name, domain)
    told = conformed(both.other, name, mechanism.report_domain(domain))
    channel = mechanism.channel(domain, None if domain.kind == "categorical" else _fine(domain))
    codes = channel.report.codes(told)
    if channel.mixture is not None:
        return _by_mixture(truth, codes, *channel.mixture)
    if isinstance(channel.truth, Cells):
        points = np.unique(truth[people][~np.isnan(truth[people])])
        cells = Cells.points(points) if len(points) else channel.truth
        places, matrix = cells.codes(truth), channel.rows(cells)
    else:
        places, matrix = channel.truth.codes(truth), channel.matrix
    # The last row and column, which a code of -1 finds, are of what is missing.
    prices = np.pad(_minus_log(matrix), ((0, 1), (0, 1)), constant_values=np.inf)
    prices[-1, -1] = 0.0
    return lambda person, rows: np.asarray(prices[places[person]][codes[rows]])


def _fine(domain: Any) -> Cells:
    cells: Cells = domain.cells(_CELLS)
    return cells


def _by_mixture(truth: NDArray[Any], codes: IntArray, kept: float, other: FloatArray) -> CostsOf:
    """Return the costs where P(report | truth) = kept [report = truth] + other[report]."""
    told, changed = _minus_log(kept + other), np.append(_minus_log(other), np.inf)

    def costs(person: int, rows: Rows) -> FloatArray:
        true = truth[person]
        if true < 0:
            return np.where(codes[rows] < 0, 0.0, np.inf)
        return np.where(codes[rows] == true, told[true], changed[codes[rows]])

    return costs


def _by_density(column: TwoColumns, density: Density) -> Costs:
    """Return the costs by a density; those of a person begin at zero."""
    lowest: dict[int, float] = {}

    def raw(person: int, rows: Rows) -> FloatArray:
        return _minus_log(np.asarray(density(float(column.truth[person]), column.other[rows])))

    def shift(person: int) -> float:
        if person not in lowest:
            least = float(np.min(raw(person, slice(None))))
            lowest[person] = least if np.isfinite(least) else 0.0
        return lowest[person]

    return Costs(lambda person, rows: raw(person, rows) - shift(person), shift)


def _minus_log(chances: FloatArray) -> FloatArray:
    with np.errstate(divide="ignore"):
        return np.asarray(-np.log(chances))
