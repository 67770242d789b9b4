"""From training records to counts that are inverted at each node (MRR 4.5)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from scumble.inversion._factors import InvertedFactor, inverse_factors, invertible_channel
from scumble.inversion._rows import InvertedRows
from scumble.mining._cuts import Column
from scumble.mining._sources import is_disguised, read_clear
from scumble.mining._training import Training
from scumble.schema import Categorical, Domain, Specification


@dataclass(frozen=True, eq=False)
class Inverted:
    """Training records as codes, and how to invert them.

    Attributes
    ----------
    codes : array of uint16, (records, attributes + 1)
        The cell of each report; 0 is missing. The last column is the class.
    columns : list of Cuts or Categorical
        The cells of each attribute.
    factors : list of InvertedFactor
        How to invert them.
    weights : array of float, optional
        The weight of each record.
    missing : frozenset of str
        The attributes that have missing reports.
    """

    codes: NDArray[np.uint16]
    columns: list[Column]
    factors: list[InvertedFactor]
    weights: NDArray[np.float64] | None
    missing: frozenset[str]

    def rows(self, some: Any = slice(None)) -> InvertedRows:
        """Return who counts some of the records."""
        weights = None if self.weights is None else self.weights[some]
        return InvertedRows(self.codes[some], self.factors, weights=weights)


def read_inverted(
    training: Training, spec: Specification | None, classes: NDArray[Any]
) -> Inverted:
    """Read training records.

    Parameters
    ----------
    training : Training
        The records.
    spec : Specification, optional
        What disguised them; None where they are in clear.
    classes : array
        The labels of the classes.
    """
    names = list(training.attributes)
    check_invertible(training.attributes)
    codes = np.empty((len(training), len(names) + 1), dtype=np.uint16)
    columns = [read_clear(training, name, codes[:, j]) for j, name in enumerate(names)]
    codes[:, -1] = training.labels + 1
    factors = factors_with_class(spec, names, [len(column) for column in columns], classes)
    missing = frozenset(name for j, name in enumerate(names) if not codes[:, j].all())
    return Inverted(codes, columns, factors, training.weights, missing)


def check_invertible(attributes: Mapping[str, Domain]) -> None:
    """Raise where reports of an attribute cannot be inverted."""
    for name, attribute in attributes.items():
        if is_disguised(attribute):
            invertible_channel(name, attribute)


def factors_with_class(
    spec: Specification | None,
    names: Sequence[str],
    sizes: Sequence[int],
    classes: NDArray[Any],
) -> list[InvertedFactor]:
    """Return the factors of attributes and, as the last one, of the class.

    Parameters
    ----------
    spec : Specification, optional
        What disguised them.
    names : sequence of str
        The attributes.
    sizes : sequence of int
        The number of cells of each, without the missing one.
    classes : array
        The labels of the classes: all that are declared, where the class is disguised.
    """
    target = "" if spec is None else spec.class_attribute or ""
    factors = inverse_factors(spec, [*names, target], [*sizes, len(classes)])
    declared = None if spec is None else spec.attributes.get(target)
    if declared is None or not is_disguised(declared):
        return factors
    # From the order in which the values are declared to that of the labels.
    places = cast("Categorical", declared).conform(classes)
    order = np.append(0, places + 1)
    return [_with_order(factor, len(names), order) for factor in factors]


def _with_order(factor: InvertedFactor, place: int, order: NDArray[Any]) -> InvertedFactor:
    if place not in factor.members:
        return factor
    own = factor.members.index(place)
    return InvertedFactor(
        factor.members, factor.channel.reordered(own, order), factor.inverse.reordered(own, order)
    )
