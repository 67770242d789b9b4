"""The fits that the default averages: families of ever rougher densities."""

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from scumble.reconstruction._bells import bell_members
from scumble.reconstruction._climb import Climb, Member, Problem
from scumble.reconstruction._laws import edge_shapes, law_shapes
from scumble.reconstruction._roughness import (
    RIDGE,
    CauchyPrior,
    GaussianPrior,
    Mask,
    polynomials,
)

FloatArray = NDArray[np.float64]
#: The logarithm of a weight, and the roughness that it stands for.
Step = tuple[float, float]

# log10 of the weight of the squared differences at 100 cells, from smooth to rough.
_GAUSSIAN = {
    1: (4.5, 4.0, 3.5, 3.0, 2.5, 2.0, 1.5, 1.0),
    2: (7.25, 6.5, 5.75, 5.0, 4.25, 3.5, 2.75, 2.0),
    3: (9.0, 8.0, 7.0, 6.0, 5.0, 4.0, 3.0),
}
# Two more steps, for bells two cells wide with nothing between them. They stand for so rare a
# truth that they cost as much as several steps before.
_SPIKY = {1: (0.5, 0.0), 2: (1.25, 0.5), 3: (2.0, 1.0)}
# Scales of Cauchy differences at 100 cells, the same way.
_CAUCHY = {1: (0.3, 0.1, 0.03, 0.01), 2: (0.03, 0.01, 0.003)}
# A family whose log density may fall by hundreds: narrow bells in an empty domain.
_WIDE, _WIDE_RIDGE = (9.0, 7.0, 5.0, 3.0), 1e-5


def plain_members(problem: Problem, grid: Mask) -> list[Member]:
    """Return the fits without mass at the ends; the uniform density is the first."""
    cells = int(grid.sum())
    if cells < 3:
        free = Climb(problem, GaussianPrior.flat(len(grid), ridge=RIDGE))
        return [free.member(np.zeros(len(grid)), family="free", roughness=0.0)]
    members = list(_families(problem, grid, cells))
    if cells >= 5:
        guess = max(members, key=lambda member: member.evidence).shares
        members += bell_members(problem, grid, guess)
    return members


def end_members(problem: Problem, grid: Mask) -> list[Member]:
    """Return the fits of a problem whose last two truths are points at the ends."""
    return _gaussian_family(problem, grid, order=2, steps=_steps(2), family="ends")


def _steps(order: int) -> list[Step]:
    """Return the steps of a family down to spiky fits."""
    spiky = [(log, 1 + rank / 2) for rank, log in enumerate(_SPIKY[order], start=1)]
    return _evenly(_GAUSSIAN[order]) + spiky


def _evenly(logs: Sequence[float]) -> list[Step]:
    """Return steps whose roughness rises evenly to one."""
    return [(log, rank / len(logs)) for rank, log in enumerate(logs, start=1)]


def _families(problem: Problem, grid: Mask, cells: int) -> Iterator[Member]:
    for order in _GAUSSIAN:
        if cells < order + 2:
            continue
        members = _gaussian_family(
            problem, grid, order=order, steps=_steps(order), family=f"gauss {order}"
        )
        yield from members
        if order in _CAUCHY:
            start = max(members[1:], key=lambda member: member.evidence).coefficients
            yield from _cauchy_family(problem, grid, order=order, start=start)
    if cells >= 5:
        yield from _gaussian_family(
            problem, grid, order=3, steps=_evenly(_WIDE), family="wide", ridge=_WIDE_RIDGE
        )
        yield from _gaussian_family(
            problem, grid, order=2, steps=_steps(2), family="edges", shapes=edge_shapes(grid)
        )
        for law, shapes in law_shapes(grid).items():
            yield _limit(problem, grid, order=1, ridge=RIDGE, family=law, shapes=shapes)


def _gaussian_family(
    problem: Problem,
    grid: Mask,
    *,
    order: int,
    steps: Sequence[Step],
    family: str,
    ridge: float = RIDGE,
    shapes: FloatArray | None = None,
) -> list[Member]:
    """Return the smooth limit and ever rougher fits, each started from the one before.

    Shapes are added to the log density at no cost in roughness.
    """
    members = [_limit(problem, grid, order=order, ridge=ridge, family=family, shapes=shapes)]
    basis = None if shapes is None else np.hstack((np.eye(len(grid)), shapes))
    free = 0 if shapes is None else shapes.shape[1]
    for log, roughness in steps:
        # A difference over a cell of half the width is half as large, or less.
        weight = 10.0**log * (grid.sum() / 100.0) ** (2 * order - 1)
        prior = GaussianPrior.smooth(grid, order=order, weight=weight, ridge=ridge, free=free)
        climb, start = Climb(problem, prior, basis), _start(members[-1], shapes)
        members.append(climb.member(start, family=family, roughness=roughness))
    return members


def _start(member: Member, shapes: FloatArray | None) -> FloatArray:
    """Return the coefficients of the next fit: the log density, and that of each shape."""
    if shapes is None:
        return member.log_density
    own = member.coefficients[-shapes.shape[1] :]
    return np.concatenate((member.log_density - shapes @ own, own))


def _limit(
    problem: Problem,
    grid: Mask,
    *,
    order: int,
    ridge: float,
    family: str,
    shapes: FloatArray | None,
) -> Member:
    """Return the fit at infinite weight: a polynomial log density, with atoms free."""
    cells, size = int(grid.sum()), len(grid)
    basis = np.zeros((size, order + size - cells))
    basis[grid, :order] = polynomials(cells, order)
    basis[np.flatnonzero(~grid), order + np.arange(size - cells)] = 1.0
    if shapes is not None:
        basis = np.hstack((basis, shapes))
    prior = GaussianPrior.flat(basis.shape[1], ridge=ridge)
    start = np.zeros(basis.shape[1])
    return Climb(problem, prior, basis).member(start, family=family, roughness=0.0)


def _cauchy_family(
    problem: Problem, grid: Mask, *, order: int, start: FloatArray
) -> Iterator[Member]:
    for scale in _CAUCHY[order]:
        prior = CauchyPrior(grid, order=order, scale=scale * (100.0 / grid.sum()) ** order)
        member = Climb(problem, prior).member(start, family=f"cauchy {order}", roughness=0.5)
        yield member
        start = member.coefficients
