import numpy as np
import pytest

from scumble.errors import DatasetError
from scumble.experiments import ib_figure_2, ib_figure_2_tree


def test_the_published_tree_has_300_cases_in_seven_leaves():
    tree = ib_figure_2_tree()

    assert tree.counts[0].tolist() == [249, 51]
    assert tree.leaf_count == 7
    assert sorted(tree.counts.sum(axis=1)[tree.attribute < 0].tolist()) == [2, 3, 5, 6, 10, 26, 248]


def test_a_number_that_is_a_bound_lies_below_it():
    tree = ib_figure_2_tree()
    leaves = tree.leaves(np.array([[5.49, 6.485, 17, 0.5], [5.4901, 6.485, 17, 0.5]]))

    assert [tree.counts[leaf].sum() for leaf in leaves] == [5, 248]


def test_our_trees_answer_like_the_published_one():
    try:
        found = ib_figure_2(subsets=[1, 2, 3])
    except DatasetError as error:
        pytest.skip(str(error))

    assert len(found.rows) == 7
    assert sum(row.support for row in found.rows) == pytest.approx(1)
    assert min(one.agreement for one in found.published) > 0.9
    assert [len(one.rules) for one in found.published] == [7, 7, 7]
    assert len(found.ours) == 2
