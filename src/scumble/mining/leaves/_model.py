"""Leaves of a tree, seen through the channels."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from scumble.mining.leaves._box import Box, thresholds
from scumble.mining.leaves._density import Density, uniform_density
from scumble.mining.leaves._patterns import Patterns
from scumble.population import CodedReports, Population, in_wider

FloatArray = NDArray[np.float64]
# What a record that no leaf can have made is worth, beside an average one.
STRAY = 1e-5


@dataclass(frozen=True, eq=False)
class LeafModel:
    """Attributes independent of each other, classes that depend on the leaf.

    Attributes
    ----------
    patterns : Patterns
        The reports.
    boxes : tuple of Box
        The leaves.
    densities : tuple of Density
        The density of each attribute, among all people.
    chances : array, (leaves, classes)
        P(class | leaf) among all people.
    scales : array, (classes,)
        How much more often people of each class are in the table than others: tables
        are often drawn so that classes are of equal size.

    Notes
    -----
    The share of truths x of class c in the table is proportional to
    scales[c] chances[leaf of x, c] times the product of the densities at x. Were the
    density of the table itself taken to be smooth, then, where classes are drawn unequally,
    it would jump where the class changes, and thresholds would be misplaced.
    """

    patterns: Patterns
    boxes: tuple[Box, ...]
    densities: tuple[Density, ...]
    chances: FloatArray
    scales: FloatArray

    @property
    def reports(self) -> CodedReports:
        """The reports."""
        return self.patterns.reports

    @cached_property
    def tested(self) -> list[int]:
        """The attributes that some box restricts."""
        return sorted({j for box in self.boxes for j in (*box.bounds, *box.values)})

    @cached_property
    def factors(self) -> NDArray[np.int64]:
        """The factors that tell of the tested attributes."""
        tested = set(self.tested)
        places = [f for f, x in enumerate(self.reports.factors) if tested & set(x.attributes)]
        return np.array(places, dtype=np.int64)

    @cached_property
    def roots(self) -> FloatArray:
        """How often each code occurs: what tables are divided by, to stay near one."""
        counts = self.patterns.code_counts().sum(axis=0)
        return np.asarray(np.maximum(counts / self.patterns.total, 1e-7))

    def root_logs(self, reports: CodedReports, factors: Collection[int]) -> FloatArray:
        """Return the logarithm of what each record's parts are worth.

        Parameters
        ----------
        reports : CodedReports
            The records.
        factors : collection of int
            Those whose tables are divided by it; the others have their own probability.
        """
        logs = np.zeros(len(reports))
        shares = [density.shares[None] for density in self.densities]
        for f, factor in enumerate(self.reports.factors):
            start = self.reports.offsets[f]
            table = self.roots[start : start + factor.size]
            if f not in factors:
                table = factor.tables(shares)[:, 0]
            logs += np.log(np.maximum(table, 1e-12))[reports.codes[:, f]]
        return logs

    def shares_in(self, population: Population) -> dict[int, FloatArray]:
        """Return the shares, among all people, of the cells that a population has.

        By the place that an attribute has there. These cells are no finer than those of leaves.
        """
        places = [list(population.attributes).index(name) for name in self.reports.attributes]
        return {
            place: in_wider(density.shares, fine, population.cells[place])
            for place, density, fine in zip(places, self.densities, self.reports.cells, strict=True)
        }

    def confined(self, box: Box, attributes: Sequence[int]) -> list[FloatArray]:
        """Return the shares of the cells of attributes inside a box, by place."""
        shares = [np.empty((1, 0))] * len(self.densities)
        for j in attributes:
            inside = box.inside(j, self.reports.cells[j])
            own = self.densities[j].shares
            shares[j] = (own if inside is None else own * inside)[None]
        return shares

    @cached_property
    def _parts(self) -> dict[object, tuple[NDArray[np.float32], float]]:
        return {}

    def part(self, f: int, box: Box) -> tuple[NDArray[np.float32], float]:
        """Return what one factor says of a box.

        Returns
        -------
        table, share
            P(code and truth in the box) over its root, by code; and the share of people
            whose truths of this factor lie in the box.
        """
        factor = self.reports.factors[f]
        key = (f, *((box.bounds.get(j), box.values.get(j)) for j in factor.attributes))
        if key not in self._parts:
            own = self.confined(box, factor.attributes)
            start = self.reports.offsets[f]
            table = factor.tables(own)[:, 0] / self.roots[start : start + factor.size]
            share = float(np.prod([own[j].sum() for j in factor.attributes]))
            self._parts[key] = table.astype(np.float32), share
        return self._parts[key]

    @cached_property
    def _masses(self) -> tuple[NDArray[np.float32], FloatArray]:
        from scumble.mining.leaves._kernels import box_products

        reports = self.reports
        tables = np.ones((len(self.boxes), len(self.roots)), dtype=np.float32)
        shares = np.ones(len(self.boxes))
        for f in self.factors.tolist():
            rows = slice(reports.offsets[f], reports.offsets[f] + reports.factors[f].size)
            for place, box in enumerate(self.boxes):
                tables[place, rows], inside = self.part(f, box)
                shares[place] *= inside
        found = np.empty((len(reports), len(self.boxes)), dtype=np.float32)
        box_products(reports.codes, reports.offsets, self.factors, tables, found)
        return found, shares

    @property
    def masses(self) -> NDArray[np.float32]:
        """P(report and truths in the box), over what the report's parts are worth."""
        return self._masses[0]

    @property
    def shares(self) -> FloatArray:
        """The share of all people in each box."""
        return self._masses[1]

    @cached_property
    def weights(self) -> FloatArray:
        """How much each class of each leaf weighs in the table, (leaves, classes)."""
        return np.asarray(self.chances * self.scales)

    @cached_property
    def label_weights(self) -> NDArray[np.float32]:
        """The same for reported classes."""
        return np.asarray(self.weights @ self.reports.label_matrix, dtype=np.float32)

    @cached_property
    def norm(self) -> float:
        """What all weights sum to."""
        return float(self.shares @ self.weights.sum(axis=1))

    @cached_property
    def likelihoods(self) -> NDArray[np.float32]:
        """The likelihood of each report with its class, up to the norm."""
        found = (self.masses * self.label_weights.T[self.reports.labels]).sum(axis=1)
        return np.asarray(found + np.float32(STRAY))

    @cached_property
    def log_likelihood(self) -> float:
        """The log-likelihood of all records."""
        logs = np.log(self.likelihoods, dtype=np.float64)
        return float(self.patterns.counts @ logs - self.patterns.total * np.log(self.norm))

    @property
    def objective(self) -> float:
        """The log-likelihood less what roughness and unequal scales cost."""
        rough = sum(self.densities[j].penalty for j in self.tested)
        return self.log_likelihood - rough - float((np.log(self.scales) ** 2).sum()) / 2

    @property
    def class_shares(self) -> FloatArray:
        """P(class | leaf) in the table, (leaves, classes)."""
        return np.asarray(self.weights / self.weights.sum(axis=1, keepdims=True))

    @property
    def named_thresholds(self) -> dict[str, list[float]]:
        """The thresholds of each number that leaves test."""
        names = list(self.reports.attributes)
        found: dict[str, list[float]] = {}
        for j, at in thresholds(self.boxes, self.reports.cells):
            found.setdefault(names[j], []).append(at)
        return found

    def chances_of(self, population: Population, codes: NDArray[np.uint16]) -> FloatArray:
        """Return P(class | truths), one row for each record; see `leaf_chances`."""
        from scumble.mining.leaves._chances import leaf_chances

        return leaf_chances(self, population, codes)

    def with_classes(self, chances: FloatArray, scales: FloatArray | None = None) -> "LeafModel":
        """Return the model with other chances of the classes: the masses stay."""
        model = replace(self, chances=chances, scales=self.scales if scales is None else scales)
        for name in ("_masses", "_parts", "roots", "tested", "factors"):
            if name in self.__dict__:
                model.__dict__[name] = self.__dict__[name]
        return model

    def with_boxes(self, boxes: Sequence[Box], chances: FloatArray) -> "LeafModel":
        """Return the model with other boxes; those in which nothing can be are left out."""
        kept = [place for place, box in enumerate(boxes) if not box.empty]
        model = replace(self, boxes=tuple(boxes[p] for p in kept), chances=chances[kept])
        model.__dict__["roots"] = self.roots
        return model

    def on(self, patterns: Patterns) -> "LeafModel":
        """Return the model for other reports."""
        return replace(self, patterns=patterns)

    def without_reports(self) -> "LeafModel":
        """Return the same leaves for whoever needs no more than what they say."""
        nobody = self.reports.some(np.empty(0, dtype=np.int64))
        return replace(self, patterns=Patterns(nobody, self.patterns.counts[:0].copy()))

    def settled(self) -> "LeafModel":
        """Return the model with the densities of untested attributes fitted to all reports."""
        from scumble.mining.leaves._untested import fitted_densities

        return replace(self, densities=fitted_densities(self))


def one_leaf(patterns: Patterns) -> LeafModel:
    """Return the model before the first split."""
    densities = tuple(uniform_density(cells) for cells in patterns.reports.cells)
    chances = patterns.class_shares()[None]
    start = LeafModel(patterns, (Box(),), densities, chances, np.ones(patterns.classes))
    return start.settled()
