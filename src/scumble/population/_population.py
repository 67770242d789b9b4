"""The joint distribution of truths and class: a mixture of products."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from scumble.population._joined import Reports
from scumble.population._reports import CodedReports
from scumble.schema import CellSet, Domain

FloatArray = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Population:
    """A mixture of products of distributions, one for each attribute.

    Each component belongs to a class; within it the attributes are independent.

    Attributes
    ----------
    attributes : mapping of str to Numeric or Categorical
        The attributes.
    cells : sequence of CellSet
        The cells of each attribute.
    weights : array, (components,)
        The share of each component in the population; they sum to one.
    classes : array of int, (components,)
        The class of each component, as its place.
    shares : sequence of array, (components, cells)
        For each attribute, the shares of its cells in each component.
    class_count : int
        The number of classes.

    Examples
    --------
    >>> from scumble import Categorical
    >>> smoker = Categorical(["no", "yes"])
    >>> population = Population({"smoker": smoker}, [smoker], np.array([0.5, 0.5]),
    ...     np.array([0, 1]), [np.array([[0.8, 0.2], [0.4, 0.6]])], 2)
    >>> population.marginal("smoker").tolist()
    [0.6000000000000001, 0.4]
    >>> population.class_probabilities(np.array([[2], [0]], dtype=np.uint16)).round(2).tolist()
    [[0.25, 0.75], [0.5, 0.5]]
    """

    attributes: Mapping[str, Domain]
    cells: Sequence[CellSet]
    weights: FloatArray
    classes: NDArray[np.int64]
    shares: Sequence[FloatArray]
    class_count: int

    def __len__(self) -> int:
        """Return the number of components."""
        return len(self.weights)

    @property
    def class_shares(self) -> FloatArray:
        """The share of each class."""
        shares = np.bincount(self.classes, weights=self.weights, minlength=self.class_count)
        return shares.astype(float)

    @property
    def all_shares(self) -> list[FloatArray]:
        """The shares of the attributes, and last of the class, which a component is sure of.

        That is what factors take: one of them may tell the class.
        """
        return [*self.shares, np.eye(self.class_count)[self.classes]]

    def only(self, names: Sequence[str]) -> "Population":
        """Return the population of some of the attributes."""
        places = [list(self.attributes).index(name) for name in names]
        return replace(
            self,
            attributes={name: self.attributes[name] for name in names},
            cells=[self.cells[place] for place in places],
            shares=[self.shares[place] for place in places],
        )

    def marginal(self, name: str) -> FloatArray:
        """Return the shares of the cells of one attribute."""
        return np.asarray(self.weights @ self.shares[list(self.attributes).index(name)])

    def class_probabilities(self, codes: NDArray[np.uint16]) -> FloatArray:
        """Return P(class | truths), one row for each record.

        Parameters
        ----------
        codes : array of uint16, (records, attributes)
            The cell of each truth, from 1 on; 0 is missing.
        """
        tables = [
            np.vstack(
                (np.ones(len(self)), share.T / np.maximum(self.weights @ share, 1e-12)[:, None])
            )
            for share in self.shares
        ]
        return self._class_probabilities(codes, tables)

    def report_class_probabilities(self, reports: CodedReports) -> FloatArray:
        """Return P(class | reports), one row for each record; its own class is not used."""
        reports = reports.without_class()
        tables = [factor.tables(self.all_shares) for factor in reports.factors]
        tables = [table / np.maximum(table @ self.weights, 1e-12)[:, None] for table in tables]
        return self._class_probabilities(reports.codes, tables)

    def report_log_likelihoods(self, reports: Reports) -> FloatArray:
        """Return the log-probability of the reports of each record together with its class."""
        return np.concatenate([self._log_likelihoods(part) for part in reports.parts])

    def _log_likelihoods(self, reports: CodedReports) -> FloatArray:
        from scumble.population._kernels import log_likelihoods

        tables = [factor.tables(self.all_shares) for factor in reports.factors]
        scales = [np.maximum(table @ self.weights, 1e-12) for table in tables]
        stacked = np.concatenate([t / s[:, None] for t, s in zip(tables, scales, strict=True)])
        logs = np.log(np.concatenate(scales))
        found = logs[reports.offsets + reports.codes].sum(axis=1)
        for label in np.unique(reports.labels).tolist():
            rows = np.flatnonzero(reports.labels == label)
            chance = reports.label_matrix[:, label] if label >= 0 else np.ones(self.class_count)
            weights = self.weights * chance[self.classes]
            own = np.flatnonzero(weights > 0)
            table = np.ascontiguousarray(stacked[:, own], dtype=np.float32)
            part = np.empty(len(rows))
            codes = np.ascontiguousarray(reports.codes[rows])
            log_likelihoods(codes, reports.offsets, weights[own].astype(np.float32), table, part)
            found[rows] += part
        return np.asarray(found)

    def _class_probabilities(
        self, codes: NDArray[np.uint16], tables: list[FloatArray]
    ) -> FloatArray:
        from scumble.population._kernels import log_likelihoods

        offsets = np.cumsum([0, *(len(table) for table in tables)])[:-1]
        stacked = np.concatenate(tables).astype(np.float32)
        codes = np.ascontiguousarray(codes)
        logs = np.full((len(codes), self.class_count), -np.inf)
        for c in range(self.class_count):
            own = self.classes == c
            if own.any():
                column = np.empty(len(codes))
                table = np.ascontiguousarray(stacked[:, own])
                log_likelihoods(codes, offsets, self.weights[own].astype(np.float32), table, column)
                logs[:, c] = column
        with np.errstate(invalid="ignore"):
            logs -= logs.max(axis=1, keepdims=True)
        odds = np.exp(logs)
        # What no class can have made tells nothing.
        odds[~np.isfinite(odds.sum(axis=1))] = self.class_shares
        return np.asarray(odds / odds.sum(axis=1, keepdims=True))

    def sample(
        self, n: int, *, seed: int | None = None
    ) -> tuple[NDArray[np.uint16], NDArray[np.int64]]:
        """Draw cells of truths, from 1 on, and their classes.

        Parameters
        ----------
        n : int
            How many.
        seed : int, optional
            Makes the draw repeatable.
        """
        from scumble.population._kernels import draw_cells

        rng = generator(seed)
        chosen = rng.choice(len(self), n, p=self.weights / self.weights.sum())
        codes = np.empty((n, len(self.shares)), dtype=np.uint16)
        for j, share in enumerate(self.shares):
            cumulative = np.cumsum(share, axis=1)
            cumulative /= cumulative[:, -1:]
            drawn = np.empty(n, dtype=np.int64)
            draw_cells(chosen, cumulative, rng.random(n), drawn)
            codes[:, j] = np.minimum(drawn, share.shape[1] - 1) + 1
        return codes, self.classes[chosen]


def generator(seed: int | None) -> np.random.Generator:
    """Return a generator that shares no draws with one that a caller made of the same seed.

    Else the records held out could be those that the caller's own draw had marked.
    """
    return np.random.default_rng(None if seed is None else [seed, 0x5CB])


def averaged(
    populations: Sequence[Population], chances: Sequence[float] | FloatArray | None = None
) -> Population:
    """Return the average of populations of the same cells, by how probable each is."""
    first = populations[0]
    if chances is None:
        chances = np.full(len(populations), 1 / len(populations))
    return replace(
        first,
        weights=np.concatenate([c * p.weights for c, p in zip(chances, populations, strict=True)]),
        classes=np.concatenate([p.classes for p in populations]),
        shares=[np.vstack(parts) for parts in zip(*(p.shares for p in populations), strict=True)],
    )
