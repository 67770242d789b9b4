"""Rules drawn as often as they are likely: a walk through fields at several heats."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scumble.mining.fields._axis import FieldAxis, field_axes
from scumble.mining.fields._field import Field, Fields
from scumble.mining.fields._state import AXES, MOST_SLABS, Axes, Room, Seen, State
from scumble.mining.leaves import LeafModel, Patterns, coarser

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]
# Rules are told line by line: how many lines an axis has, and how often a cell is of the class of
# one beside it.
_LINES = 1.0
_ALIKE = 0.87
_FIRST_ERROR = 0.003
_HEATS = 8.0 ** np.linspace(0, 1, 6)
# Rules are taken from so many of the heats, the coldest first.
_HEARD = 3
_STEPS = 200
_FOUND_AFTER = 0.4
_KEPT = 40
# Of each number the reports are taken in about so many cells, by how many numbers there are: in
# few at first, which is faster, and then in more.
_CELLS = {1: (30, 60), 2: (16, 30), 3: (11, 16)}
_PARTS = (0.75, 0.25)
# Rounds times reports, of each of the two.
_MOST_WORK = 1_250_000
_MOST_REPORTS = 10_000


@dataclass(frozen=True, eq=False)
class Grid:
    """What is known of a grid before its lines are drawn.

    Attributes
    ----------
    tables : Axes
        What truths below each place of each axis report, and how many they are.
    codes : tuple of int
        The number of codes of each axis.
    given : array, (classes, labels)
        P(reported class | class).
    shares : array, (classes,)
        The share of each class in the table.
    """

    tables: Axes
    codes: tuple[int, ...]
    given: FloatArray
    shares: FloatArray

    @classmethod
    def of(cls, model: LeafModel, axes: Sequence[FieldAxis]) -> "Grid":
        """Return the grid of a model's reports and densities."""
        below = [axis.below(model) for axis in axes]
        shares = [axis.shares_below(model) for axis in axes]
        codes = tuple(table.shape[1] for table in below)
        none = AXES - len(axes)
        everything = np.array([0.0, 1.0])
        nothing_told = everything[:, None].astype(np.float32)
        tables = Axes((*[nothing_told] * none, *below), (*[everything] * none, *shares))
        return cls(tables, codes, model.reports.label_matrix, model.patterns.class_shares())

    @property
    def reports(self) -> int:
        """The number of reports."""
        return int(np.prod(self.codes))

    def states(self, count: int) -> State:
        """Return room for so many fields."""
        classes = len(self.shares)
        return State(
            np.zeros((count, AXES, MOST_SLABS + 2), dtype=np.int64),
            np.ones((count, AXES), dtype=np.int64),
            np.zeros((count, *(MOST_SLABS + 1,) * AXES), dtype=np.int8),
            np.zeros((count, classes, self.reports), dtype=np.float32),
            np.zeros((count, classes)),
            np.full((count, 3), _FIRST_ERROR),
        )

    def room(self) -> Room:
        """Return room to work in."""
        change, beside = np.zeros((2, len(self.shares), self.reports), dtype=np.float32)
        slabs = np.zeros((AXES, max(self.codes)), dtype=np.float32)
        plane, likelihoods = np.zeros((2, self.reports), dtype=np.float32)
        bounds = np.zeros((4, AXES), dtype=np.int64)
        return Room(change, beside, np.zeros(len(self.shares)), slabs, plane, likelihoods, *bounds)

    def resumed(self, states: State) -> State:
        """Return the same fields, for other reports."""
        shape = (*states.masses.shape[:2], self.reports)
        return states._replace(masses=np.zeros(shape, dtype=np.float32))

    def seen(self, patterns: Patterns, factors: Sequence[int]) -> Seen:
        """Return how often each report occurs with each class."""
        reports = patterns.reports
        counts = np.zeros((patterns.classes, *self.codes), dtype=np.float32)
        np.add.at(counts, (reports.labels, *reports.codes[:, factors].T), patterns.counts)
        whole = self.tables.below[0][-1]
        for below in self.tables.below[1:]:
            whole = np.multiply.outer(whole, below[-1])
        flat = counts.reshape(len(counts), -1)
        return Seen(flat, np.ravel(whole), self.given, self.shares)

    def likelihoods(self, draw: Field, codes: NDArray[np.integer[Any]]) -> FloatArray:
        """Return P(class and report), over what a report is worth, (classes, records).

        Parameters
        ----------
        draw : Field
            The rule.
        codes : array, (records, axes)
            The reports.
        """
        none, classes = AXES - len(self.codes), len(self.shares)
        cells = draw.classes.reshape((1,) * none + draw.classes.shape)
        inside = (np.arange(classes).reshape(-1, 1, 1, 1) == cells).astype(float)
        slabs, shares = [], inside
        for own, below, whole in zip([()] * none + list(draw.lines), *self.tables, strict=True):
            ends = np.array([0, *own, len(whole) - 1])
            slabs.append(np.diff(below[ends].astype(float), axis=0))
            shares = np.tensordot(shares, np.diff(whole[ends]), axes=([1], [0]))
        places = [np.zeros(len(codes), dtype=np.int64)] * none + list(codes.T.astype(np.int64))
        # What two of the axes say is worked out for all their codes, which are few.
        plane = np.tensordot(inside @ slabs[2], slabs[1], axes=([2], [0]))
        both = places[2] * plane.shape[3] + places[1]
        beside = plane.reshape(*plane.shape[:2], -1).take(both, axis=2)
        masses = np.einsum("cir,ir->cr", beside, slabs[0].take(places[0], axis=1))
        norms = draw.chances.T @ shares
        weights = draw.chances @ (self.given * (self.shares / norms)[:, None])
        return np.asarray(weights.T @ masses)


def draw_fields(
    model: LeafModel,
    *,
    rounds: int,
    axes: Sequence[FieldAxis] | None = None,
    told: Callable[[int], Patterns] | None = None,
    seed: int | None = None,
) -> Fields | None:
    """Draw rules as often as they are likely.

    Parameters
    ----------
    model : LeafModel
        Leaves that are roughly right, where the walk begins; and the densities.
    rounds : int
        How long the walk is.
    axes : sequence of FieldAxis, optional
        The axes, by default those of the attributes that the leaves test.
    told : callable, optional
        Returns what records report of the model's attributes, in about so many codes of each;
        by default the reports of the model.
    seed : int, optional
        Makes it repeatable.

    Returns
    -------
    Fields or None
        None where more than three attributes decide, or reports of them are too many.

    Notes
    -----
    A rule is a grid of lines and a class for each of its cells; how likely it is given
    all reports is the likelihood of the rule times a prior that prefers few lines and
    straight edges. It is walked through by the rule of Metropolis, at several heats at once
    that swap places (Geyer 1991): under much noise very different rules are as likely, and a
    search would end at one of them and be sure of it.
    """
    axes = field_axes(model, most=AXES) if axes is None else axes
    if axes is None:
        return None
    rng = np.random.default_rng(seed)
    states, draws = None, list[Field]()
    for part, cells in zip(_PARTS, _CELLS[len(axes)], strict=True):
        few = coarser(model.patterns, most=cells) if told is None else told(cells)
        grid = Grid.of(model.on(few), axes)
        if grid.reports > _MOST_REPORTS:
            break
        seen = grid.seen(few, [axis.factor(model) for axis in axes])
        states = _started(grid, model, axes) if states is None else grid.resumed(states)
        own = int(min(part * rounds, _MOST_WORK / grid.reports))
        draws = _walked(grid, seen, states, own, rng)
    if not draws:
        return None
    return Fields(model, axes, draws, max(draws, key=lambda draw: draw.log_posterior))


def _walked(
    grid: Grid, seen: Seen, states: State, rounds: int, rng: np.random.Generator
) -> list[Field]:
    """Walk, and return some of the fields met on the way; states end in order of heat.

    They are not of the coldest alone. What is known of densities and of witnesses is an
    estimate itself, and rules drawn as if it were the truth are surer than they may be.
    """
    from scumble.mining.fields._moves import walk
    from scumble.mining.fields._prior import cost_of, prior_of

    prior, none = prior_of(len(grid.shares), alike=_ALIKE, lines=_LINES), np.zeros(AXES, int)
    for numbers, cells, slabs in zip(states.numbers, states.cells, states.slabs, strict=True):
        numbers[1] = cost_of(cells, none, slabs, prior)
    room, order = grid.room(), np.arange(len(_HEATS))
    found = int(_FOUND_AFTER * rounds)
    kept = min(_KEPT, max(1, rounds - found))
    ends = np.linspace(found, rounds, kept + 1).astype(int)
    walk(grid.tables, seen, states, room, _HEATS, order, found, _STEPS, prior, rng)
    draws = []
    for number, part in enumerate(np.diff(ends).tolist()):
        walk(grid.tables, seen, states, room, _HEATS, order, part, _STEPS, prior, rng)
        at = order[number % _HEARD]
        draws.append(_field(State(*(values[at] for values in states)), grid))
    for values in states:
        values[:] = values[order]
    return draws


def _started(grid: Grid, model: LeafModel, axes: Sequence[FieldAxis]) -> State:
    """Return states that all say what leaves say."""
    lines, cells = _first(model, axes)
    states = grid.states(len(_HEATS))
    for place in range(len(_HEATS)):
        _set(states, place, lines, cells, grid)
    return states


def _field(state: State, grid: Grid) -> Field:
    slabs, first = state.slabs, AXES - len(grid.codes)
    lines = tuple(state.lines[a, 1 : slabs[a]].copy() for a in range(first, AXES))
    cells = state.cells[tuple(map(slice, slabs))].reshape(slabs[first:])
    log_likelihood, cost, error = state.numbers.tolist()
    norms = (1 - error) * state.shares + error / len(grid.shares)
    scales = grid.shares / norms
    scales /= np.exp(np.log(scales).mean())
    return Field(lines, cells.copy(), error, scales, log_likelihood - cost)


def _set(states: State, place: int, lines: Sequence[IntArray], cells: IntArray, grid: Grid) -> None:
    """Set a state to lines and cells."""
    none = AXES - len(lines)
    inner = [np.empty(0, dtype=np.int64)] * none + list(lines)
    for axis, (own, shares) in enumerate(zip(inner, grid.tables.shares, strict=True)):
        states.lines[place, axis, : len(own) + 2] = [0, *own, len(shares) - 1]
        states.slabs[place, axis] = len(own) + 1
    whole = cells.reshape((1,) * none + cells.shape)
    states.cells[place][tuple(map(slice, whole.shape))] = whole


def _first(model: LeafModel, axes: Sequence[FieldAxis]) -> tuple[list[IntArray], IntArray]:
    """Return the lines and the cells of what leaves say."""
    inside = []
    for axis in axes:
        cells = model.reports.cells[axis.attribute]
        known = [box.inside(axis.attribute, cells) for box in model.boxes]
        whole = np.ones(len(cells))
        inside.append(np.array([whole if p is None else p for p in known])[:, axis.order] > 0.5)
    lines = []
    for parts in inside:
        changes = 1 + np.flatnonzero((parts[:, 1:] != parts[:, :-1]).any(axis=0))
        some = np.linspace(0, len(changes) - 1, min(len(changes), MOST_SLABS - 1))
        lines.append(changes[np.round(some).astype(np.int64)])
    middles = [
        (np.append(0, at) + np.append(at, len(axis))) // 2
        for at, axis in zip(lines, axes, strict=True)
    ]
    classes = np.zeros([len(own) for own in middles], dtype=np.int64)
    for leaf, chances in enumerate(model.chances):
        block = [own[leaf][middle] for own, middle in zip(inside, middles, strict=True)]
        classes[np.ix_(*block)] = int(chances.argmax())
    return lines, classes
