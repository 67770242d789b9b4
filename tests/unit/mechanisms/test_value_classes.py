import numpy as np
import pytest

from scumble import Numeric
from scumble.entropy import Seeded
from scumble.errors import SpecificationError
from scumble.mechanisms import ValueClasses
from scumble.schema import Cells

AGE = Numeric(20, 80)


def test_a_truth_is_replaced_by_the_middle_of_its_interval():
    truth = np.array([20, 29.9, 30, 49.9, 50, 80, np.nan])

    reports = ValueClasses(cuts=[30, 50]).disguise(truth, AGE, Seeded(1).stream("x"))

    np.testing.assert_array_equal(reports, [25, 25, 40, 40, 65, 65, np.nan])


def test_the_matrix_splits_a_cell_that_two_intervals_share():
    mechanism = ValueClasses(cuts=[30, 50])
    truth = Cells.between([20, 40, 80]).with_points([30])

    matrix = mechanism.matrix(AGE, truth, mechanism.report_cells(AGE, truth))

    np.testing.assert_allclose(matrix, [[0.5, 0.5, 0], [0, 1, 0], [0, 0.25, 0.75]])


@pytest.mark.parametrize("confidence", [0.5, 0.95, 0.999])
def test_interval_privacy_is_that_share_of_the_narrowest_interval(confidence):
    """Table 1 of AS, where all intervals are equally wide."""
    equal, unequal = ValueClasses(count=6), ValueClasses(cuts=[25, 60])

    assert equal.interval_privacy(AGE, confidence=confidence) == pytest.approx(confidence * 10)
    assert unequal.interval_privacy(AGE, confidence=confidence) == pytest.approx(confidence * 5)


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"cuts": [1], "count": 3},
        {"cuts": []},
        {"cuts": [3, 2]},
        {"count": 0},
        {"count": 2.5},
        {"cuts": ["a"]},
        {"cuts": 5},
    ],
)
def test_bad_parameters_are_refused(options):
    with pytest.raises(SpecificationError):
        ValueClasses(**options)


def test_cuts_outside_the_domain_are_refused():
    with pytest.raises(SpecificationError, match="between 20 and 80"):
        Numeric(20, 80, mechanism=ValueClasses(cuts=[10, 30]))


def test_whole_numbers_in_wide_cells_all_lie_in_some_class():
    domain = Numeric(0, 999, step=1)
    channel = ValueClasses(cuts=[5, 70.5]).channel(domain, domain.cells(10))

    # The first cell holds 0 to 99: five of them below 5, 66 from 5 to 70.
    np.testing.assert_allclose(channel.matrix[0], [0.05, 0.66, 0.29])
    np.testing.assert_allclose(channel.matrix[1:], [[0, 0, 1]] * 9)
