import numpy as np
import pyarrow as pa
import pytest

from scumble import Categorical, Numeric, Specification, disguise
from scumble.mechanisms import GaussianNoise, RandomizedResponse
from scumble.mining.leaves import Box, coarser, counted, finer, regridded, rough_leaves
from scumble.mining.leaves._classes import fit_classes, nearer_classes
from scumble.mining.leaves._grid import grid_axes, on_grid
from scumble.population import code_reports
from scumble.tables import Table

SPEC = Specification(
    {
        "age": Numeric(0, 100, mechanism=GaussianNoise(privacy=0.5)),
        "salary": Numeric(0, 100, mechanism=GaussianNoise(privacy=0.5)),
        "town": Categorical(["a", "b", "c"], mechanism=RandomizedResponse(keep=0.7)),
    }
)


@pytest.fixture(scope="module")
def reports():
    """Return reports of people whose class is a chessboard of age and salary, but in town a."""
    rng = np.random.default_rng(1)
    n = 30_000
    age, salary = rng.uniform(0, 100, (2, n))
    town = rng.choice(["a", "b", "c"], n)
    label = ((age < 40) ^ (salary < 60)) | (town == "a")
    table = disguise(pa.table({"age": age, "salary": salary, "town": town}), SPEC, seed=1)
    coded = code_reports(
        Table(table), SPEC, names=["age", "salary", "town"], labels=label.astype(np.int64)
    )
    return finer(coded)


def _boxes():
    """Return leaves that place both thresholds twice, on either side of where they are."""
    town, rest = Box().cut(2, (True, False, False))
    low, high = rest.cut(0, 35.0)
    middle, high = high.cut(0, 46.0)
    return [town, *low.cut(1, 54.0), *middle.cut(1, 50.0), *high.cut(1, 66.0)]


def test_fewer_cells_leave_fewer_patterns_of_the_same_records(reports):
    fine = counted(reports)
    coarse = coarser(fine)

    assert coarse.total == fine.total == 30_000
    assert len(coarse.counts) < len(fine.counts) / 3
    for old, new in zip(reports.factors, coarse.reports.factors, strict=True):
        shares = [np.full((1, len(cells)), 1 / len(cells)) for cells in reports.cells]
        assert new.tables(shares)[1:].sum() == pytest.approx(old.tables(shares)[1:].sum())


def test_categories_and_what_is_in_clear_keep_their_cells(reports):
    assert coarser(counted(reports)).reports.factors[2] is reports.factors[2]


def test_a_grid_has_every_threshold_and_tells_the_values_apart_that_leaves_do():
    axes = grid_axes(_boxes())

    assert [axis.attribute for axis in axes] == [0, 1, 2]
    assert axes[0].thresholds.tolist() == [35, 46]
    assert axes[1].thresholds.tolist() == [50, 54, 66]
    assert sorted(axes[2].values.tolist()) == [[False, True, True], [True, False, False]]


def test_cells_of_the_grid_start_as_their_leaves(reports):
    model = rough_leaves(coarser(counted(reports)), _boxes())

    grid = on_grid(model, grid_axes(model.boxes))

    sizes = [len(axis) for axis in grid_axes(model.boxes)]
    assert len(grid.boxes) == np.prod(sizes)
    assert grid.shares.sum() == pytest.approx(1)
    in_town = [box.values[2] == (True, False, False) for box in grid.boxes]
    assert len(np.unique(grid.chances[in_town].round(9), axis=0)) == 1


def test_steps_of_em_climb_towards_newtons(reports):
    model = rough_leaves(coarser(counted(reports)), _boxes())
    grid = on_grid(model, grid_axes(model.boxes))

    levels = [nearer_classes(grid, steps=steps).log_likelihood for steps in (0, 1, 5, 40)]

    assert levels == sorted(levels)
    assert fit_classes(grid, steps=50).log_likelihood == pytest.approx(levels[-1], abs=20)


def test_a_cell_in_which_nobody_can_be_keeps_its_chances(reports):
    model = rough_leaves(coarser(counted(reports)), _boxes())
    grid = on_grid(model, grid_axes(model.boxes))
    grid.masses[:, 0] = 0

    found = nearer_classes(grid, steps=3)

    assert found.chances[0] == pytest.approx(grid.chances[0])
    assert found.chances.sum(axis=1) == pytest.approx(1)


def test_thresholds_that_were_placed_twice_are_found_on_the_grid(reports):
    model = rough_leaves(coarser(counted(reports)), _boxes())

    axes = grid_axes(regridded(model).boxes)

    assert [len(axis) for axis in axes] == [2, 2, 2]
    assert axes[0].thresholds[0] == pytest.approx(40, abs=2)
    assert axes[1].thresholds[0] == pytest.approx(60, abs=2)


def test_a_grid_of_too_many_cells_is_none(reports):
    boxes = [Box()]
    for j in (0, 1):
        for at in np.linspace(4, 96, 24):
            *kept, last = boxes
            boxes = [*kept, *last.cut(j, float(at))]
    patterns = coarser(counted(reports))
    start = rough_leaves(patterns, [Box()])

    assert regridded(start.with_boxes(boxes, np.full((len(boxes), 2), 0.5))) is None
    assert regridded(start) is None
