"""The reports of one disguised attribute, and the cells they are associated with (AS 4.2)."""

from functools import cached_property
from typing import Any, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from scumble.engines import Rows
from scumble.errors import DomainError, SpecificationError
from scumble.mining._cuts import Cuts, cuts_of_cells, ordered_cells
from scumble.reconstruction import EM, Bayes, Method, ResponseLikelihood
from scumble.schema import Categorical, Cells, CellSet, Channel, Domain, own_mechanism

FloatArray = NDArray[np.float64]
_FINE = 4096
MOST_CODES = 2**16 - 2


class InOrder(NamedTuple):
    """Where reports go that keep their order, by problem (a class of a node) and report cell.

    Attributes
    ----------
    first, last : array of uint16, (problems, fine report cells + 1)
        The cells over which a report cell is spread; of a missing report (0) the missing.
    below : array of float, (problems, fine report cells + 1)
        The number of reports below a report cell.
    running : array of float, (problems, truth cells)
        The number of reports wanted up to each cell.
    """

    first: NDArray[np.uint16]
    last: NDArray[np.uint16]
    below: FloatArray
    running: FloatArray


class ByChance(NamedTuple):
    """Where reports of categories go, by problem and report.

    Attributes
    ----------
    stay : array of float, (problems, values + 1)
        The chance that a report keeps its value.
    others : array of float, (problems, values)
        How often each value is taken instead.
    """

    stay: FloatArray
    others: FloatArray


class Reports:
    """One disguised attribute, as the miner sees it.

    Reports are coded by fine report cells: the cells of the channel, cut further, so
    that the order of the reports can be read off counts and nothing is sorted.

    Parameters
    ----------
    attribute : Numeric or Categorical
        The attribute with its mechanism.
    cells : int
        The number of truth cells of a numeric attribute.
    method : Method
        How to reconstruct numbers. Categories are always reconstructed by maximum
        likelihood.
    """

    def __init__(self, attribute: Domain, *, cells: int, method: Method) -> None:
        self.attribute = attribute
        self.method = _method_for(attribute, method)
        self.mechanism = own_mechanism(attribute)
        truth = attribute if isinstance(attribute, Categorical) else ordered_cells(attribute, cells)
        self.channel: Channel = self.mechanism.channel(attribute, truth)
        if len(self.channel.report) > MOST_CODES:
            raise SpecificationError(
                f"mechanism: a tree takes at most {MOST_CODES:,} different reports, got "
                f"{len(self.channel.report):,}; use fewer intervals"
            )
        self.fine, self.starts = _cut_further(self.channel.report)
        self._known: dict[int, tuple[Channel, FloatArray]] = {}

    @cached_property
    def column(self) -> Cuts | Categorical:
        """The cells of the attribute, as a tree takes them."""
        if isinstance(self.attribute, Categorical):
            return self.attribute
        return cuts_of_cells(cast("Cells", self.channel.truth))

    def codes(self, reports: Any) -> NDArray[np.uint16]:
        """Return the fine cell of each report, from 1 on; 0 is missing."""
        domain = self.mechanism.report_domain(self.attribute)
        values = domain.conform(reports)
        if isinstance(self.fine, Cells) and _equally_spaced(self.fine):
            from scumble.engines._kernels import code_intervals

            codes = np.empty(len(values), dtype=np.uint16)
            stray = code_intervals(values, self.fine.edges, codes)
        else:
            codes = (self.fine.codes(values) + 1).astype(np.uint16)
            missing = values < 0 if isinstance(domain, Categorical) else np.isnan(values)
            stray = int(np.count_nonzero(codes == 0)) - int(np.count_nonzero(missing))
        if stray:
            raise DomainError(
                f"{stray} of {len(values)} reports are of no kind that this mechanism makes; they "
                "come from another mechanism or another specification"
            )
        return codes

    def associate(
        self,
        rows: Rows,
        nodes: NDArray[np.int64],
        *,
        column: int,
        codes: NDArray[np.uint16],
        place: int,
        cells: int | None = None,
    ) -> None:
        """Reconstruct each class of each node, and associate its reports with cells.

        Parameters
        ----------
        rows : Rows
            The records.
        nodes : array of int
            The nodes.
        column : int
            The column of the rows that holds the fine codes of this attribute.
        codes : array of uint16
            Where the cells are written, and `place` in which column.
        cells : int, optional
            Reconstruct on so many cells at most, each of several truth cells.
        """
        from scumble.engines._kernels import associate_by_chance, associate_in_order

        offsets = np.array([0, len(self.fine) + 1])
        counts = rows.count(nodes, offsets=offsets, column=column)
        fine = np.ascontiguousarray(counts[:, 1:].transpose(0, 2, 1))
        plan = self.plan(fine.reshape(-1, fine.shape[2]), cells=cells)
        associate = associate_in_order if isinstance(plan, InOrder) else associate_by_chance
        associate(
            rows.codes,
            column,
            codes,
            place,
            rows.labels,
            rows.starts,
            nodes,
            *(table.reshape(*fine.shape[:2], table.shape[1]) for table in plan),
        )

    def plan(self, fine: FloatArray, *, cells: int | None = None) -> InOrder | ByChance:
        """Return where the reports of each problem go.

        Parameters
        ----------
        fine : array, (problems, fine report cells)
            Counts of reports.
        cells : int, optional
            As for `associate`.
        """
        totals = fine.sum(axis=1)
        shares = np.full((len(fine), len(self.channel.truth)), 1 / len(self.channel.truth))
        some = totals > 0
        if some.any():
            counts = np.add.reduceat(fine[some], self.starts, axis=1)
            shares[some] = self._shares(counts, cells)
        wanted = shares * totals[:, None]
        if not isinstance(self.attribute, Categorical):
            return _in_order(fine, wanted)
        diagonal = np.diag(self.channel.matrix)
        if (diagonal >= self.channel.matrix.max(axis=0)).all():
            return _least_moved(fine, wanted)
        # The report is not the likeliest truth: draw the truth behind it.
        behind = np.maximum(shares @ self.channel.matrix, 1e-300)
        stay = np.pad(shares * diagonal / behind, ((0, 0), (1, 0)))
        return ByChance(stay, shares)

    def _shares(self, counts: FloatArray, cells: int | None) -> FloatArray:
        channel, members = self._merged(cells or len(self.channel.truth))
        if isinstance(self.method, Bayes):
            shares, _ = self.method.fit_many(counts, channel.matrix)
        else:
            shares = np.array([self.method.fit(row, channel).shares for row in counts])
        return shares @ members

    def _merged(self, most: int) -> tuple[Channel, FloatArray]:
        """Return the channel on fewer truth cells, and what each has of the old ones."""
        if most not in self._known:
            truth = self.channel.truth
            if isinstance(truth, Cells):
                truth, members = _merged_cells(truth, -(-len(truth) // most))
            else:
                members = np.eye(len(truth))
            channel = Channel(truth, self.channel.report, self.channel.rows, self.channel.mixture)
            self._known[most] = channel, members
        return self._known[most]


def _method_for(attribute: Domain, method: Method) -> Method:
    if isinstance(attribute, Categorical) and own_mechanism(attribute).mixture(attribute):
        return ResponseLikelihood()
    return EM() if isinstance(attribute, Categorical) else method


def _cut_further(report: CellSet) -> tuple[CellSet, NDArray[np.int64]]:
    """Return finer report cells, and where those of each report cell begin."""
    pieces = _FINE // len(report)
    if not isinstance(report, Cells) or report.is_point.any() or pieces < 2:
        return report, np.arange(len(report))
    finite = np.isfinite(report.lower) & np.isfinite(report.upper)
    steps = np.arange(pieces) / pieces
    edges = [
        low + (high - low) * steps if whole else np.array([low])
        for low, high, whole in zip(report.lower, report.upper, finite, strict=True)
    ]
    starts = np.cumsum([0, *(len(e) for e in edges)])[:-1]
    return Cells.between(np.append(np.concatenate(edges), report.upper[-1])), starts


def _equally_spaced(cells: Cells) -> bool:
    """Say whether all cells are intervals of one width, but for infinite ones at the ends."""
    widths = np.diff(cells.edges[1:-1])
    return not cells.is_point.any() and bool(len(widths) and np.ptp(widths) <= 1e-6 * widths[0])


def _merged_cells(cells: Cells, factor: int) -> tuple[Cells, FloatArray]:
    """Join intervals, so many to one, and say which share of each joint cell each has."""
    intervals = np.flatnonzero(~cells.is_point)
    group = np.full(len(cells), -1)
    group[intervals] = np.arange(len(intervals)) // factor
    # A point stays alone, and parts the intervals on its sides.
    new = np.diff(group, prepend=-2) != 0
    new |= cells.is_point
    place = np.cumsum(new) - 1
    first = np.flatnonzero(new)
    last = np.append(first[1:], len(cells)) - 1
    width = np.where(cells.is_point, 1, cells.upper - cells.lower)
    members = np.zeros((len(first), len(cells)))
    members[place, np.arange(len(cells))] = width
    members /= members.sum(axis=1, keepdims=True)
    return Cells(cells.lower[first], cells.upper[last]), members


def _in_order(fine: FloatArray, wanted: FloatArray) -> InOrder:
    """Sort and assign, read off counts."""
    from scumble.engines._kernels import in_order

    shape = (len(fine), fine.shape[1] + 1)
    first, last = np.zeros(shape, dtype=np.uint16), np.zeros(shape, dtype=np.uint16)
    below = np.zeros(shape)
    in_order(fine, wanted, first, last, below)
    return InOrder(first, last, below, np.cumsum(wanted, axis=1))


def _least_moved(fine: FloatArray, wanted: FloatArray) -> ByChance:
    """Send as many reports as wanted to each value, and as few as can be elsewhere."""
    stay = np.pad(np.minimum(1, wanted / np.maximum(fine, 1e-300)), ((0, 0), (1, 0)))
    return ByChance(stay, np.maximum(wanted - fine, 0))
