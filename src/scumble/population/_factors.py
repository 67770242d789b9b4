"""Factors: the parts of a report that are independent of each other, given the component.

A factor is one attribute seen through its channel, or several that share a coin. To the
loop over records it is a column of codes and a table of probabilities; what a code says
of the truths behind it, the factor knows.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from functools import cached_property
from typing import Any, ClassVar

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
    steps : int
        How many steps of EM are worth their time for one reading of the records.
    """

    attributes: tuple[int, ...]
    steps: ClassVar[int]

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
    def told(self, attribute: int) -> NDArray[Any]:
        """Return for each code which report of one attribute it tells; 0 is a missing one."""

    @abstractmethod
    def matrix(self, attribute: int) -> FloatArray:
        """Return P(report | truth) of one attribute alone."""

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

    @abstractmethod
    def drawn(
        self, shares: Sequence[FloatArray], counts: NDArray[np.int64], rng: np.random.Generator
    ) -> list[NDArray[np.int64]]:
        """Return truths drawn from what is likely behind reports, by component and cell.

        Truths of which nothing is reported are not drawn.

        Parameters
        ----------
        shares : sequence of array
            As for `tables`.
        counts : array of int, (codes, components)
            How often each code came from each component.
        rng : Generator
            What draws.

        Returns
        -------
        list of array of int, (components, cells)
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

    steps = 3

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

    def told(self, attribute: int) -> NDArray[Any]:
        return np.arange(self.size)

    def matrix(self, attribute: int) -> FloatArray:
        return self.channel.matrix

    def expected(self, shares: Sequence[FloatArray], counts: FloatArray) -> list[FloatArray]:
        own = shares[self.attributes[0]]
        reports = np.maximum(own @ self.channel.matrix, 1e-300)
        behind = own * ((counts[1:].T / reports) @ self._back)
        # A missing report says nothing: its truth is like any of the component's.
        return [behind + counts[0][:, None] * own]

    def drawn(
        self, shares: Sequence[FloatArray], counts: NDArray[np.int64], rng: np.random.Generator
    ) -> list[NDArray[np.int64]]:
        return [drawn_behind(shares[self.attributes[0]], self.channel.matrix, counts[1:], rng)]


def drawn_behind(
    shares: FloatArray, matrix: FloatArray, counts: NDArray[np.int64], rng: np.random.Generator
) -> NDArray[np.int64]:
    """Draw the cells behind reports of one attribute, by component.

    shares is (components, cells), matrix (cells, reports), counts (reports, components).
    """
    behind = shares[:, None, :] * matrix.T
    behind /= np.maximum(behind.sum(axis=2, keepdims=True), 1e-300)
    return np.asarray(rng.multinomial(counts.T, behind).sum(axis=1))
