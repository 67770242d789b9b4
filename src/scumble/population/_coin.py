"""Attributes that share a coin: one factor of a report."""

from collections.abc import Sequence
from copy import copy
from functools import cached_property
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.linalg import block_diag

from scumble.population._factors import Codes, Factor, FloatArray, drawn_behind

_MOST = 2**62


class Coin(Factor):
    """Attributes that share a coin: all told truly, or none (MRR).

    Parameters
    ----------
    attributes : sequence of int
        Their places. The class may be among them: it stands after all attributes.
    keep : float
        The probability that all are told truly.
    matrices : sequence of array
        P(report | truth) of each attribute alone.
    reports : array of int, (codes, attributes), optional
        The combinations of reports that the codes stand for; 0 is a missing report, and
        the first combination is all missing. By default every combination that there is.

    Notes
    -----
    Given the coin, the reports are independent: the truth, or what the rest of the channel
    makes of it (its reverse, or a harmless answer). So the table is a mixture of two
    products. Of the combinations only those that occur have a code: there are no more of
    them than records, however large the group.

    Examples
    --------
    >>> from scumble import Categorical
    >>> from scumble.mechanisms import Warner
    >>> matrix = Warner(keep=0.8).channel(Categorical(["no", "yes"])).matrix
    >>> factor = Coin([0, 1], 0.8, [matrix, matrix], [[0, 0], [1, 1], [2, 2]])
    >>> certainly_no = np.array([[1.0, 0.0]])
    >>> factor.tables([certainly_no] * 2)[:, 0].round(2).tolist()
    [1.0, 0.8, 0.2]
    """

    steps = 1

    def __init__(
        self,
        attributes: Sequence[int],
        keep: float,
        matrices: Sequence[FloatArray],
        reports: ArrayLike | None = None,
    ) -> None:
        self.attributes = tuple(attributes)
        self.sizes = [matrix.shape[1] for matrix in matrices]
        if reports is None:
            reports = list(product(*(range(size + 1) for size in self.sizes)))
        self.reports = np.asarray(reports, dtype=np.int64)
        truly = [np.eye(size) for size in self.sizes]
        # A coin that always tells the truth has no other side; its weight is 0.
        rest = [
            np.maximum(matrix - keep * eye, 0) / (1 - keep) if keep < 1 else eye
            for matrix, eye in zip(matrices, truly, strict=True)
        ]
        # Of each side its chance, and P(report | truth) of all attributes, block by block; the
        # first report of a block is the missing one.
        self._sides = [
            (chance, block_diag(*(np.pad(m, ((0, 0), (1, 0)), constant_values=1) for m in own)))
            for chance, own in ((keep, truly), (1 - keep, rest))
        ]
        self._starts = np.cumsum([0, *(size + 1 for size in self.sizes)])
        #: Whether a lie is the opposite of the truth: then truths all reversed, told by the
        #: opposite coin, make the same reports.
        self.mirrors = all(np.allclose(own, np.eye(2)[::-1]) for own in rest if own.shape == (2, 2))
        self.mirrors &= set(self.sizes) == {2}

    @property
    def size(self) -> int:
        return len(self.reports)

    def without(self, attribute: int) -> "Coin":
        """Return the same coin of reports that do not tell one of the attributes."""
        coin = copy(self)
        coin.__dict__.pop("_told", None)
        coin.reports = self.reports.copy()
        coin.reports[:, self.attributes.index(attribute)] = 0
        return coin

    def by_side(self, shares: Sequence[FloatArray]) -> list[FloatArray]:
        """Return P(code and side of the coin | component) for both sides, truly told first."""
        own = np.hstack([shares[attribute] for attribute in self.attributes])
        return [
            chance * self._products(np.ascontiguousarray((own @ matrix).T))
            for chance, matrix in self._sides
        ]

    def _products(self, seen: FloatArray) -> FloatArray:
        """Return the products of the probabilities of the reports that each code tells."""
        from scumble.population._kernels import code_products

        found = np.empty((self.size, seen.shape[1]))
        code_products(self.reports + self._starts[:-1], seen, found)
        return found

    def tables(self, shares: Sequence[FloatArray]) -> FloatArray:
        return np.asarray(np.add(*self.by_side(shares)))

    def told(self, attribute: int) -> NDArray[Any]:
        return self.reports[:, self.attributes.index(attribute)]

    def matrix(self, attribute: int) -> FloatArray:
        place = self.attributes.index(attribute)
        kept, other = (
            chance * self._matrix(place, side)[:, 1:]
            for side, (chance, _) in enumerate(self._sides)
        )
        return np.asarray(kept + other)

    def pair(self, first: int, second: int) -> FloatArray:
        """Return P(reports | truths) of two of the attributes, the second one faster."""
        places = [self.attributes.index(attribute) for attribute in (first, second)]
        kept, other = (
            chance * np.kron(*(self._matrix(place, side)[:, 1:] for place in places))
            for side, (chance, _) in enumerate(self._sides)
        )
        return np.asarray(kept + other)

    def expected(self, shares: Sequence[FloatArray], counts: FloatArray) -> list[FloatArray]:
        own = np.hstack([shares[attribute] for attribute in self.attributes])
        given = self.by_side(shares)
        share_of = counts / np.maximum(np.add(*given), 1e-300)
        behind = np.zeros_like(own)
        for table, (_, matrix) in zip(given, self._sides, strict=True):
            told = (self._told @ (table * share_of)).T
            behind += own * ((told / np.maximum(own @ matrix, 1e-300)) @ matrix.T)
        return np.split(behind, np.cumsum(self.sizes)[:-1], axis=1)

    def drawn(
        self, shares: Sequence[FloatArray], counts: NDArray[np.int64], rng: np.random.Generator
    ) -> list[NDArray[np.int64]]:
        kept, other = self.by_side(shares)
        truly = rng.binomial(counts, np.minimum(kept / np.maximum(kept + other, 1e-300), 1))
        found = [np.zeros(shares[j].shape, dtype=np.int64) for j in self.attributes]
        for side, own in enumerate((truly, counts - truly)):
            told = (self._told @ own).astype(np.int64)
            for place, (attribute, start) in enumerate(
                zip(self.attributes, self._starts, strict=False)
            ):
                reported = told[start + 1 : start + 1 + self.sizes[place]]
                matrix = self._matrix(place, side)[:, 1:]
                found[place] += drawn_behind(shares[attribute], matrix, reported, rng)
        return found

    @cached_property
    def _told(self) -> FloatArray:
        """Which code tells which report, the reports of one attribute below another's."""
        told = np.zeros((self._starts[-1], self.size))
        told[(self.reports + self._starts[:-1]).T, np.arange(self.size)] = 1
        return told

    def _matrix(self, place: int, side: int) -> FloatArray:
        """Return P(report | truth, side of the coin) of one attribute, the missing report first."""
        rows = np.cumsum([0, *self.sizes])
        columns = self._starts
        matrix = self._sides[side][1]
        return np.asarray(
            matrix[rows[place] : rows[place + 1], columns[place] : columns[place + 1]]
        )

    def cells_of_side(self, shares: Sequence[FloatArray], place: int, side: int) -> FloatArray:
        """Return P(report and truth in a cell | component, side of the coin) of one attribute.

        Parameters
        ----------
        shares : sequence of array
            As for `tables`.
        place : int
            The place of the attribute in this group.
        side : {0, 1}
            0 where all is told truly.

        Returns
        -------
        array, (cells, reports, components)
            The first report is the missing one.
        """
        given = self._matrix(place, side)
        return np.asarray(given[:, :, None] * shares[self.attributes[place]].T[:, None, :])


def seen_combinations(
    parts: Sequence[Codes], sizes: Sequence[int]
) -> tuple[NDArray[Any], NDArray[np.int64]]:
    """Return the combinations of codes that occur, all missing first, and which each record has.

    Parameters
    ----------
    parts : sequence of array
        The codes of each attribute.
    sizes : sequence of int
        How many codes each has.

    Examples
    --------
    >>> parts = [np.array([1, 2, 1], dtype=np.uint16), np.array([2, 2, 2], dtype=np.uint16)]
    >>> seen, codes = seen_combinations(parts, [3, 3])
    >>> seen.tolist(), codes.tolist()
    ([[0, 0], [1, 2], [2, 2]], [1, 2, 1])
    """
    # One record more, of which all is missing, comes first in every order.
    parts = [np.append(np.uint16(0), part) for part in parts]
    place, many = np.zeros(len(parts[0]), dtype=np.int64), 1
    for part, size in zip(parts, sizes, strict=True):
        if many > _MOST // size:
            known, place = np.unique(place, return_inverse=True)
            many = len(known)
        place, many = size * place + part, size * many
    _, first, place = np.unique(place, return_index=True, return_inverse=True)
    return np.column_stack([part[first] for part in parts]), place[1:]
