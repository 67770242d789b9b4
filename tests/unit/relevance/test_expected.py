from itertools import permutations

import numpy as np
import pytest
from sklearn.metrics.cluster import expected_mutual_information

from scumble.errors import DomainError
from scumble.relevance import corrected_gain, expected_gain, information_gain


def _table(cells, labels):
    table = np.zeros((max(cells) + 1, max(labels) + 1), dtype=np.int64)
    np.add.at(table, (np.array(cells), np.array(labels)), 1)
    return table


@pytest.mark.parametrize(
    ("cells", "labels"),
    [
        ([0, 0, 1, 1, 2, 2, 2], [0, 0, 0, 1, 1, 1, 1]),
        ([0, 0, 0, 0, 0, 1, 2], [0, 1, 2, 0, 1, 2, 2]),
        ([0, 1, 2, 3, 4, 5, 6], [0, 0, 0, 0, 0, 0, 1]),
    ],
)
def test_it_is_the_mean_over_all_orders_of_the_labels(cells, labels):
    every = [information_gain(_table(cells, order)) for order in permutations(labels)]

    assert expected_gain(_table(cells, labels)) == pytest.approx(np.mean(every), abs=1e-12)


@pytest.mark.parametrize("shape", [(2, 2), (30, 2), (5, 7)])
@pytest.mark.parametrize("most", [3, 500])
def test_it_is_that_of_scikit_learn(shape, most):
    table = np.random.default_rng(most).integers(1, most, shape)

    theirs = expected_mutual_information(table, int(table.sum())) / np.log(2)
    assert expected_gain(table) == pytest.approx(theirs, rel=1e-8)


def test_leaving_out_what_is_improbable_changes_nothing():
    # Few of a class among many records, and cells of which one holds nearly all.
    table = np.array([[99_000, 30], [400, 2], [3, 1]])

    theirs = expected_mutual_information(table, int(table.sum())) / np.log(2)
    assert expected_gain(table) == pytest.approx(theirs, rel=1e-6)


def test_names_tell_nothing_but_their_own():
    table = np.eye(2, dtype=int)[np.arange(100_000) % 2]

    assert information_gain(table) == pytest.approx(1)
    assert corrected_gain(table) == pytest.approx(0, abs=1e-9)


def test_what_tells_the_class_keeps_its_gain():
    table = np.diag([5000, 5000])

    assert corrected_gain(table) == pytest.approx(1, abs=1e-3)


@pytest.mark.parametrize("table", [[[5], [3]], [[5, 3]], [[0, 0]], np.zeros((0, 2))])
def test_one_cell_one_class_or_no_records_gain_nothing_by_chance(table):
    assert expected_gain(table) == 0
    assert corrected_gain(table) == 0


def test_counts_are_whole():
    with pytest.raises(DomainError, match="expected whole counts"):
        expected_gain([[1.5, 2], [2, 2]])
