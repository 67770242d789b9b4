"""Factors: the parts of a report that are disguised independently, and how to undo each."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from scumble.errors import SpecificationError
from scumble.inversion._sides import Sides
from scumble.schema import Categorical, Channel, Domain, Numeric, Specification, own_mechanism

FloatArray = NDArray[np.float64]
# Entries nearer to 0 or 1 than this are 0 or 1: what rounding has left.
_ROUNDING = 1e-12


@dataclass(frozen=True, eq=False)
class InvertedFactor:
    """Attributes that share a coin, or all those that share none.

    The first cell of an attribute, truth or report, is "missing". It is a truth like any
    other that is always told truly.

    Attributes
    ----------
    members : tuple of int
        The places of the attributes.
    channel : Sides
        P(reports | truths).
    inverse : Sides
        Its inverse, transposed: what a report counts for each truth.
    """

    members: tuple[int, ...]
    channel: Sides
    inverse: Sides


def inverse_factors(
    spec: Specification | None, names: Sequence[str], sizes: Sequence[int]
) -> list[InvertedFactor]:
    """Return the factors of some attributes: those without a coin first, then each group.

    Parameters
    ----------
    spec : Specification, optional
        What disguised them; None where all are in clear.
    names : sequence of str
        The attributes; one that is not declared is in clear.
    sizes : sequence of int
        The number of cells of each, without the missing one.

    Raises
    ------
    SpecificationError
        If the channel of an attribute cannot be inverted.

    Notes
    -----
    A coin tells all truly with probability t, and else makes of each attribute what a
    matrix R says. Warner's R reverses: done twice it is nothing, and the inverse of
    t I + (1 - t) R is (t I - (1 - t) R) / (2 t - 1). A harmless answer's R forgets: done
    twice it is itself, and the inverse is (I - (1 - t) R) / t. Either way the inverse has
    the two sides of the coin.

    Examples
    --------
    >>> from scumble import Categorical, Specification
    >>> from scumble.mechanisms import Warner
    >>> answer = Categorical(["no", "yes"], mechanism=Warner(keep=0.75, group="health"))
    >>> spec = Specification({"smoker": answer, "drinker": answer})
    >>> [factor] = inverse_factors(spec, ["smoker", "drinker"], [2, 2])
    >>> factor.inverse.coefficients.tolist()
    [1.5, -0.5]
    """
    known = () if spec is None else spec.attributes
    attributes = [spec.domain(name) if spec and name in known else None for name in names]
    alone: list[int] = []
    together: dict[str, list[int]] = {}
    for place, attribute in enumerate(attributes):
        group = getattr(attribute and attribute.mechanism, "group", None)
        if group is not None and 0 < _keep(attribute) < 1:
            together.setdefault(group, []).append(place)
        else:
            alone.append(place)
    factors = [_coin(names, attributes, places) for places in together.values()]
    if alone:
        factors.insert(0, _alone(names, attributes, sizes, alone))
    return factors


def _keep(attribute: Any) -> float:
    return float(attribute.mechanism.keep)


def _alone(
    names: Sequence[str],
    attributes: Sequence[Domain | None],
    sizes: Sequence[int],
    places: list[int],
) -> InvertedFactor:
    """Return the factor of attributes that share no coin: it has one side."""
    channels, inverses = [], []
    for place in places:
        attribute = attributes[place]
        if attribute is None or own_mechanism(attribute).name == "identity":
            same = _identity(sizes[place])
            channels.append(same)
            inverses.append(same)
            continue
        channel = invertible_channel(names[place], attribute)
        channels.append(_with_missing(channel.matrix))
        inverses.append(_with_missing(_inverse(names[place], channel).T))
    one = np.ones(1)
    return InvertedFactor(
        tuple(places), Sides(one, (tuple(channels),)), Sides(one, (tuple(inverses),))
    )


def _coin(
    names: Sequence[str], attributes: Sequence[Domain | None], places: list[int]
) -> InvertedFactor:
    """Return the factor of attributes that share a coin."""
    members = [cast("Domain", attributes[place]) for place in places]
    keep = _keep(members[0])
    truly, other, undone = [], [], []
    for place, member in zip(places, members, strict=True):
        matrix = invertible_channel(names[place], member).matrix
        same = np.eye(len(matrix))
        rest = _rounded((matrix - keep * same) / (1 - keep))
        truly.append(_with_missing(same))
        other.append(_with_missing(rest))
        undone.append(_with_missing(rest.T))
    reverses = np.allclose(rest @ rest, same)
    if not reverses and not np.allclose(rest @ rest, rest):
        raise SpecificationError(
            f"attributes.{names[places[0]]}: the other side of its coin neither reverses nor "
            "forgets the truth, so that it cannot be inverted; take method='likelihood'"
        )
    scale = 2 * keep - 1 if reverses else keep
    return InvertedFactor(
        tuple(places),
        Sides(np.array([keep, 1 - keep]), (tuple(truly), tuple(other))),
        Sides(
            np.array([keep / scale if reverses else 1 / scale, -(1 - keep) / scale]),
            (tuple(truly), tuple(undone)),
        ),
    )


def invertible_channel(name: str, attribute: Domain) -> Channel:
    """Return the channel of an attribute that is disguised; an error where it has no inverse."""
    if isinstance(attribute, Numeric):
        raise SpecificationError(
            f"attributes.{name}: expected categories or a public number, got a disguised number, "
            "which cannot be inverted; take method='likelihood', or cut it into categories"
        )
    mechanism = own_mechanism(attribute)
    if mechanism.name == "withheld":
        raise SpecificationError(
            f"attributes.{name}: it is withheld, so that no report tells of it; leave it out"
        )
    return mechanism.channel(attribute)


def _inverse(name: str, channel: Channel) -> FloatArray:
    """Return the inverse of the channel of one attribute."""
    if channel.mixture is not None:
        # (a I + 1 b')^-1, of which the rows sum to one.
        kept, base = channel.mixture
        return np.asarray((np.eye(len(base)) - base) / kept)
    matrix = channel.matrix
    if matrix.shape[0] != matrix.shape[1] or np.linalg.cond(matrix) > 1 / _ROUNDING:
        raise SpecificationError(
            f"attributes.{name}: its channel has no inverse, several distributions of truths lead "
            "to the same reports; take method='likelihood'"
        )
    return np.asarray(np.linalg.inv(matrix))


def _rounded(matrix: FloatArray) -> FloatArray:
    whole = np.round(matrix)
    return np.where(np.abs(matrix - whole) < _ROUNDING, whole, matrix)


def _identity(size: int) -> Any:
    from scipy.sparse import eye_array

    return eye_array(size + 1, format="csc")


def _with_missing(matrix: FloatArray) -> Any:
    """Return a matrix to which "missing" was added: it is always told truly."""
    from scipy.sparse import csc_array

    larger = np.pad(matrix, ((1, 0), (1, 0)))
    larger[0, 0] = 1
    return csc_array(larger)


def category_count(name: str, spec: Specification) -> int:
    """Return how many values an attribute has; an error where it is a number."""
    attribute = spec[name]
    if not isinstance(attribute, Categorical):
        raise SpecificationError(
            f"attributes.{name}: expected a categorical attribute, got a {attribute.kind} "
            "one; cut it into categories"
        )
    return len(attribute)
