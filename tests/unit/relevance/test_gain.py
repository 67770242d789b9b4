import numpy as np
import pytest
from sklearn.metrics import mutual_info_score

from scumble.relevance import gain_ratio, information_gain, symmetric_uncertainty

MEASURES = [information_gain, gain_ratio, symmetric_uncertainty]


def _records(table):
    cells, classes = np.nonzero(np.ones_like(table))
    return np.repeat(cells, np.ravel(table)), np.repeat(classes, np.ravel(table))


def test_gain_is_the_mutual_information():
    rng = np.random.default_rng(2)
    for shape in ((2, 2), (5, 3), (40, 2)):
        table = rng.integers(0, 9, shape)
        cells, classes = _records(table)

        assert information_gain(table) == pytest.approx(
            mutual_info_score(cells, classes) / np.log(2)
        )


def test_shares_of_the_gain():
    # Four cells of a record each, two classes: 1 bit told by 2 bits.
    table = [[1, 0], [1, 0], [0, 1], [0, 1]]

    assert information_gain(table) == pytest.approx(1)
    assert gain_ratio(table) == pytest.approx(1 / 2)
    assert symmetric_uncertainty(table) == pytest.approx(2 * 1 / (2 + 1))


@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize(
    "table", [[[5], [3]], [[5, 3]], [[0, 0]], np.zeros((0, 2)), [[4, 4], [2, 2]], [[7, 0], [3, 0]]]
)
def test_nothing_is_told_by_one_cell_of_one_class_or_by_no_records(measure, table):
    assert measure(table) == pytest.approx(0, abs=1e-12)
    assert measure(table) >= 0


@pytest.mark.parametrize("measure", MEASURES)
def test_empty_cells_and_classes_change_nothing(measure):
    table = np.array([[5, 1], [2, 6]])

    assert measure(np.pad(table, 1)) == measure(table)
