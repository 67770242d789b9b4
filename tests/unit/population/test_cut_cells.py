import numpy as np
import pytest

from scumble import Categorical, Numeric
from scumble.population import Population, cut_at, in_wider
from scumble.schema import Cells

AGE = Numeric(0, 100)
SMOKER = Categorical(["no", "yes"])


def _population(cells=None):
    rng = np.random.default_rng(1)
    cells = AGE.cells(10) if cells is None else cells
    return Population(
        {"age": AGE, "smoker": SMOKER},
        [cells, SMOKER],
        np.array([0.3, 0.3, 0.4]),
        np.array([0, 1, 1]),
        [rng.dirichlet(np.ones(len(cells)), 3), rng.dirichlet(np.ones(2), 3)],
        2,
    )


def test_parts_of_a_cell_share_its_people_by_width():
    before = _population()

    after, wholes = cut_at(before, {"age": [12.5, 40.0, 77.0]})

    assert len(after.cells[0]) == 12  # 40 was an end already
    assert after.shares[0][:, 1] == pytest.approx(before.shares[0][:, 1] / 4)
    for place in range(10):
        parts = after.shares[0][:, wholes[0][1:] == place + 1]
        assert parts.sum(axis=1) == pytest.approx(before.shares[0][:, place])


def test_what_is_said_of_truths_stays_the_same():
    before = _population()
    after, wholes = cut_at(before, {"age": [3.0, 12.5, 77.0]})
    codes, _ = after.sample(500, seed=1)
    codes[:20, 0] = 0
    whole = np.column_stack([own[column] for own, column in zip(wholes, codes.T, strict=True)])

    assert after.class_probabilities(codes) == pytest.approx(
        before.class_probabilities(whole), abs=1e-5
    )


def test_points_and_categories_are_not_cut():
    cells = Cells.between([0, 50, 100]).with_points([0, 50])

    after, wholes = cut_at(_population(cells), {"age": [-5.0, 0.0, 25.0, 300.0]})

    assert np.flatnonzero(after.cells[0].is_point).tolist() == [0, 3]
    assert wholes[0].tolist() == [0, 1, 2, 2, 3, 4]
    assert wholes[1].tolist() == [0, 1, 2]
    assert after.shares[0].sum(axis=1) == pytest.approx(1)


def test_where_nothing_is_cut_the_cells_are_the_same():
    before = _population()

    after, _ = cut_at(before, {})

    assert after.cells[0] is before.cells[0]
    assert np.array_equal(after.shares[0], before.shares[0])


def test_a_piece_with_a_point_in_its_middle_is_no_point():
    cells = Numeric(0, 100, atoms=[15.0]).cells(10)
    before = _population(cells)
    point = int(np.flatnonzero(cells.is_point)[0])

    after, wholes = cut_at(before, {"age": [14.0, 16.0]})

    assert after.shares[0].sum(axis=1) == pytest.approx(np.ones(3))
    assert (wholes[0] == point + 1).sum() == 1
    whole = in_wider(after.shares[0][0], after.cells[0], cells)
    assert whole == pytest.approx(before.shares[0][0])
