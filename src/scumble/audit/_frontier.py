"""Privacy against accuracy: what each level of noise costs."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from scumble._disguise import disguise
from scumble.audit._plain import plain_table
from scumble.audit._record_epsilon import record_epsilon
from scumble.declared import declared_table
from scumble.errors import SpecificationError
from scumble.schema import Numeric, Specification, with_mechanism
from scumble.schema._parameters import number, share
from scumble.tables import Table
from scumble.wording import amount, percent

if TYPE_CHECKING:
    from scumble.mining._sources import MethodName


@dataclass(frozen=True, kw_only=True)
class FrontierRow:
    """One level of noise: what it hides, and what can still be learned.

    Attributes
    ----------
    factor : float
        What the noise of the specification was multiplied by; 0 is in clear.
    interval : float or None
        The 95 % interval as a share of the range, the mean over disguised numbers.
    epsilon : float
        The epsilon of what is disguised of a record.
    accuracy : float
        The mean accuracy on test records in clear.
    spread : float
        The standard deviation of the accuracy over the seeds; 0 of one seed.
    accuracies : tuple of float
        The accuracy of each seed.
    """

    factor: float
    interval: float | None
    epsilon: float
    accuracy: float
    spread: float
    accuracies: tuple[float, ...]

    @property
    def explanation(self) -> str:
        """The row in a sentence."""
        if self.factor == 0:
            return f"In clear a tree is right for {percent(self.accuracy)} of new records."
        hidden = "" if self.interval is None else f" ({percent(self.interval)} of the range)"
        return (
            f"With {amount(self.factor)} times the noise{hidden} a tree is right for "
            f"{percent(self.accuracy)} of new records."
        )

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values, for JSON."""
        return plain_table(self) | {"explanation": self.explanation}


def frontier(
    spec: Specification,
    X: Any,
    y: Any,
    *,
    factors: Sequence[float] = (0, 0.25, 0.5, 1, 1.5, 2),
    seeds: Sequence[int] = (1, 2, 3),
    method: "MethodName" = "byclass",
    test_share: float = 0.25,
) -> list[FrontierRow]:
    """Grow trees at several levels of noise and test them on records in clear.

    Parameters
    ----------
    spec : Specification
        What disguises, at level 1. The class is taken in clear.
    X : DataFrame or array
        Truths: an auditor's sample, or generated ones.
    y : array
        Their classes.
    factors : sequence of float
        What the noise is multiplied by; 0 is in clear.
    seeds : sequence of int
        Of each a split into training and test records, and the noise.
    method : str
        How trees correct for the disguise, as of `DisguisedTreeClassifier`. "likelihood" is
        more accurate and takes longer.
    test_share : float
        The share of the records held out for the test.

    Examples
    --------
    >>> from scumble.audit import frontier
    >>> from scumble.datasets import make_quest, quest_specification
    >>> from scumble.mechanisms import GaussianNoise
    >>> X, y = make_quest(function=1, n=3_000, seed=1)
    >>> spec = quest_specification(GaussianNoise(privacy=1.0))
    >>> clear, noisy = frontier(spec, X, y, factors=[0, 1], seeds=[1])
    >>> clear.accuracy > 0.98, clear.accuracy > noisy.accuracy > 0.6, round(noisy.interval, 2)
    (True, True, 1.0)
    """
    spec = _with_clear_class(spec)
    table, labels = declared_table(X, spec), np.asarray(y)
    if spec.class_attribute in table.names:
        table = table.chosen([name for name in table.names if name != spec.class_attribute])
    if not len(factors) or not len(seeds):
        raise SpecificationError("frontier: expected at least one factor and one seed")
    if len(labels) != len(table):
        raise SpecificationError(
            f"y: expected one class for each of {len(table)} records, got {len(labels)}"
        )
    held = share("test_share", test_share)
    rows = []
    for factor in factors:
        scaled = scaled_noise(spec, factor=factor)
        found = [_accuracy(scaled, table, labels, seed, method, held) for seed in seeds]
        rows.append(_row(float(factor), scaled, found))
    return rows


def scaled_noise(spec: Specification, *, factor: float) -> Specification:
    """Return a specification with all noise multiplied by a factor; 0 is in clear.

    Examples
    --------
    >>> from scumble import Numeric, Specification
    >>> from scumble.mechanisms import GaussianNoise
    >>> spec = Specification({"age": Numeric(20, 80, mechanism=GaussianNoise(sd=10))})
    >>> scaled_noise(spec, factor=2)["age"].mechanism.sd
    20.0
    """
    factor = number("factor", factor)
    if factor < 0 or math.isinf(factor):
        raise SpecificationError(f"factor: expected a finite number from 0, got {factor!r}")
    attributes = {}
    for name, attribute in spec.attributes.items():
        mechanism = attribute.mechanism
        if mechanism is not None and attribute.sensitivity == "private":
            attribute = with_mechanism(attribute, mechanism.with_noise(factor) if factor else None)
        attributes[name] = attribute
    return replace(spec, attributes=attributes)


def _with_clear_class(spec: Specification) -> Specification:
    name = spec.class_attribute
    if name is None or name not in spec.attributes:
        return spec
    return replace(spec, attributes={**spec.attributes, name: with_mechanism(spec[name], None)})


def _accuracy(
    spec: Specification,
    table: Table,
    labels: NDArray[Any],
    seed: int,
    method: "MethodName",
    held: float,
) -> float:
    from scumble.mining import DisguisedTreeClassifier

    # The same split at every level: levels are compared on the same records.
    tested = np.random.default_rng(seed).random(len(labels)) < held
    reports = disguise(table.where(~tested).native, spec, seed=seed)
    tree = DisguisedTreeClassifier(spec, method=method, random_state=seed)
    tree.fit(reports, labels[~tested])
    return float(tree.score(table.where(tested).native, labels[tested]))


def _row(factor: float, spec: Specification, found: list[float]) -> FrontierRow:
    widths = [
        (attribute.mechanism.interval_privacy(attribute) or 0.0) / attribute.width
        for attribute in spec.attributes.values()
        if isinstance(attribute, Numeric) and attribute.mechanism is not None
    ]
    return FrontierRow(
        factor=factor,
        interval=float(np.mean(widths)) if widths else None,
        epsilon=record_epsilon(spec).disguised if factor else math.inf,
        accuracy=float(np.mean(found)),
        spread=float(np.std(found, ddof=1)) if len(found) > 1 else 0.0,
        accuracies=tuple(found),
    )
