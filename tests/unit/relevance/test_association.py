import numpy as np
import pytest
from scipy import stats

from scumble.errors import DomainError
from scumble.relevance import class_correlation, cramers_v, gini_decrease

RNG = np.random.default_rng(4)


def test_gini_decrease_is_what_a_tree_gains():
    table = np.array([[8, 2], [1, 9]])
    whole = 1 - (9 / 20) ** 2 - (11 / 20) ** 2
    within = (1 - 0.8**2 - 0.2**2) / 2 + (1 - 0.1**2 - 0.9**2) / 2

    assert gini_decrease(table) == pytest.approx(whole - within)


@pytest.mark.parametrize("shape", [(2, 2), (7, 3), (3, 5)])
def test_cramers_v_is_that_of_scipy(shape):
    table = RNG.integers(1, 20, shape)

    theirs = stats.contingency.association(table, method="cramer", correction=False)
    assert cramers_v(table) == pytest.approx(theirs)


@pytest.mark.parametrize("measure", [gini_decrease, cramers_v])
@pytest.mark.parametrize(
    "table", [[[5], [3]], [[5, 3]], [[0, 0]], np.zeros((0, 2)), [[4, 4], [2, 2]], [[7, 0], [3, 0]]]
)
def test_nothing_is_told_by_one_cell_of_one_class_or_by_no_records(measure, table):
    assert measure(table) == pytest.approx(0, abs=1e-12)
    assert measure(table) >= 0


def _counted(values, labels):
    distinct, places = np.unique(values, return_inverse=True)
    table = np.zeros((len(distinct), labels.max() + 1))
    np.add.at(table, (places, labels), 1)
    return distinct, table


@pytest.mark.parametrize("sign", [1, -1])
def test_with_two_classes_it_is_the_point_biserial_correlation(sign):
    labels = RNG.integers(0, 2, 200)
    values = np.round(1e6 + sign * labels + RNG.normal(size=200), 1)

    theirs = stats.pointbiserialr(labels, values).statistic
    assert sign * theirs > 0
    assert class_correlation(*_counted(values, labels)) == pytest.approx(theirs)


def test_with_several_classes_it_is_the_correlation_ratio():
    labels = RNG.integers(0, 3, 300)
    values = np.round(np.array([2.0, 0.0, 5.0])[labels] + RNG.normal(size=300), 1)
    means = np.array([values[labels == c].mean() for c in range(3)])[labels]

    assert class_correlation(*_counted(values, labels)) == pytest.approx(means.std() / values.std())


def test_a_correlation_that_is_not_defined():
    assert class_correlation([5.0], [[3, 4]]) == 0
    assert class_correlation([1.0, 2.0], [[3], [4]]) == 0
    assert class_correlation([], np.zeros((0, 2))) == 0
    assert np.isnan(class_correlation([1.0, np.inf], [[3, 1], [0, 4]]))


def test_the_size_of_numbers_does_not_matter():
    table = [[4, 1], [1, 4]]
    plain = class_correlation([0.0, 1.0], table)

    assert class_correlation([0.0, 1e308], table) == pytest.approx(plain)
    assert class_correlation([0.0, 1e-300], table) == pytest.approx(plain)


def test_there_is_a_number_for_each_row():
    with pytest.raises(DomainError, match="a number for each row"):
        class_correlation([1.0], [[1, 2], [3, 4]])
