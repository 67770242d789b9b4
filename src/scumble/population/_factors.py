"""Factors: the parts of a report that are independent of each other, given the component.

A factor is one attribute seen through its channel, or several that share a coin. To the
loop over records it is a column of codes and a table of probabilities; what a code says
of the truths behind it, the factor knows.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from functools import cached_property
from itertools import product

import numpy as np
from numpy.typing import NDArray

from scumble.schema import Channel

FloatArray = NDArray[np.float64]
Codes = NDArray[np.uint16]


class Factor(ABC):
    """A part of a report.

    Attributes
    ----------
    attributes : tuple of int
        The places of the attributes that it tells of.
    """

    attributes: tuple[int, ...]

    @property
    @abstractmethod
    def size(self) -> int:
        """The number of codes, the missing one (0) included."""

    @abstractmethod
    def tables(self, shares: Sequence[FloatArray]) -> FloatArray:
        """Return P(code | component), one row for each code; the missing one says nothing.

        Shares of which some cells are set to zero give the probability of a code and of
        a truth in one of the others: that is how the chance that truths lie in a box is
        read off.

        Parameters
        ----------
        shares : sequence of array, (components, cells)
            The shares of the truth cells of all attributes.
        """

    def by_cell(self, shares: Sequence[FloatArray], attribute: int) -> FloatArray:
        """Return P(code and truth in a cell | component), of one of the attributes.

        Parameters
        ----------
        shares : sequence of array
            As for `tables`.
        attribute : int
            The attribute whose cells are told apart.

        Returns
        -------
        array, (cells, codes, components)
        """
        found = []
        for cell in range(shares[attribute].shape[1]):
            alone = list(shares)
            alone[attribute] = np.zeros_like(shares[attribute])
            alone[attribute][:, cell] = shares[attribute][:, cell]
            found.append(self.tables(alone))
        return np.array(found)

    @abstractmethod
    def expected(self, shares: Sequence[FloatArray], counts: FloatArray) -> list[FloatArray]:
        """Return the expected truths behind reports, by component and cell.

        Parameters
        ----------
        shares : sequence of array
            As for `tables`.
        counts : array, (codes, components)
            How often each code came from each component.

        Returns
        -------
        list of array, (components, cells)
            One for each attribute of the factor.
        """


class Single(Factor):
    """One attribute, seen through its channel.

    Parameters
    ----------
    attribute : int
        Its place.
    channel : Channel
        What made its reports.

    Examples
    --------
    >>> from scumble import Categorical
    >>> from scumble.mechanisms import Warner
    >>> factor = Single(0, Warner(keep=0.8).channel(Categorical(["no", "yes"])))
    >>> factor.tables([np.array([[1.0, 0.0]])]).round(2).tolist()
    [[1.0], [0.8], [0.2]]
    """

    def __init__(self, attribute: int, channel: Channel) -> None:
        self.attributes = (attribute,)
        self.channel = channel

    @property
    def size(self) -> int:
        return len(self.channel.report) + 1

    @cached_property
    def _back(self) -> FloatArray:
        return np.ascontiguousarray(self.channel.matrix.T)

    def tables(self, shares: Sequence[FloatArray]) -> FloatArray:
        own = shares[self.attributes[0]]
        return np.vstack((own.sum(axis=1), (own @ self.channel.matrix).T))

    def by_cell(self, shares: Sequence[FloatArray], attribute: int) -> FloatArray:
        given = np.column_stack((np.ones(len(self.channel.matrix)), self.channel.matrix))
        return np.asarray(given[:, :, None] * shares[attribute].T[:, None, :])

    def expected(self, shares: Sequence[FloatArray], counts: FloatArray) -> list[FloatArray]:
        own = shares[self.attributes[0]]
        reports = np.maximum(own @ self.channel.matrix, 1e-300)
        behind = own * ((counts[1:].T / reports) @ self._back)
        # A missing report says nothing: its truth is like any of the component's.
        return [behind + counts[0][:, None] * own]


class Coin(Factor):
    """Attributes that share a coin: all told truly, or none (MRR).

    Parameters
    ----------
    attributes : sequence of int
        Their places.
    keep : float
        The probability that all are told truly.
    channels : sequence of Channel
        The channel of each attribute alone.

    Notes
    -----
    A code is a combination of reports, each missing or a value. Given the coin, the
    reports are independent: the truth, or what the rest of the channel makes of it (its
    reverse, or a harmless answer). So the table is a mixture of two products.

    Examples
    --------
    >>> from scumble import Categorical
    >>> from scumble.mechanisms import Warner
    >>> channel = Warner(keep=0.8).channel(Categorical(["no", "yes"]))
    >>> factor = Coin([0, 1], 0.8, [channel, channel])
    >>> certainly_no = np.array([[1.0, 0.0]])
    >>> dict(zip(map(tuple, factor.reports.tolist()),
    ...     factor.tables([certainly_no] * 2)[:, 0].round(2).tolist()))[(1, 1)]
    0.2
    """

    def __init__(self, attributes: Sequence[int], keep: float, channels: Sequence[Channel]) -> None:
        self.attributes = tuple(attributes)
        self.sizes = [len(channel.report) for channel in channels]
        # The code of the report of each attribute, one row for each code; -1 is missing.
        self.reports = np.array(list(product(*(range(-1, size) for size in self.sizes))))
        truly = [np.eye(size) for size in self.sizes]
        # A coin that always tells the truth has no other side; its weight is 0.
        rest = [
            (channel.matrix - keep * eye) / (1 - keep) if keep < 1 else eye
            for channel, eye in zip(channels, truly, strict=True)
        ]
        self._sides = [(keep, truly), (1 - keep, rest)]

    @property
    def size(self) -> int:
        return len(self.reports)

    def codes(self, parts: Sequence[Codes]) -> Codes:
        """Return the code of the combination of the codes of the attributes."""
        result = np.zeros(len(parts[0]), dtype=np.int64)
        for part, size in zip(parts, self.sizes, strict=True):
            result = (size + 1) * result + part
        return result.astype(np.uint16)

    def by_side(self, shares: Sequence[FloatArray]) -> list[FloatArray]:
        """Return P(code and side of the coin | component) for both sides, truly told first."""
        found = []
        for chance, matrices in self._sides:
            table = np.full((self.size, len(shares[self.attributes[0]])), chance)
            for place, attribute in enumerate(self.attributes):
                told = self.reports[:, place]
                own = shares[attribute]
                seen = (own @ matrices[place]).T
                table *= np.where(told[:, None] < 0, own.sum(axis=1), seen[told])
            found.append(table)
        return found

    def tables(self, shares: Sequence[FloatArray]) -> FloatArray:
        return np.asarray(np.add(*self.by_side(shares)))

    def expected(self, shares: Sequence[FloatArray], counts: FloatArray) -> list[FloatArray]:
        given = self.by_side(shares)
        share_of = counts / np.maximum(np.add(*given), 1e-300)
        found = []
        for place, attribute in enumerate(self.attributes):
            told, own = self.reports[:, place], shares[attribute]
            behind = counts[told < 0].sum(axis=0)[:, None] * own
            for table, (_, matrices) in zip(given, self._sides, strict=True):
                weights = table * share_of
                seen = np.stack([weights[told == r].sum(axis=0) for r in range(self.sizes[place])])
                reports = np.maximum(own @ matrices[place], 1e-300)
                behind += own * ((seen.T / reports) @ matrices[place].T)
            found.append(behind)
        return found

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
        matrix = self._sides[side][1][place]
        given = np.column_stack((np.ones(len(matrix)), matrix))
        return np.asarray(given[:, :, None] * shares[self.attributes[place]].T[:, None, :])
