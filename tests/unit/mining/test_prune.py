import itertools
import math

import numpy as np
import pytest

from scumble import Categorical
from scumble.mining._cuts import cuts_of_values
from scumble.mining._nodes import Nodes
from scumble.mining._prune import Both, Mdl, Sliq

CUTS = cuts_of_values(np.arange(5.0))
COLUMNS = [CUTS, CUTS]


def _nodes(attribute, counts):
    """Return nodes level by level; children follow each other."""
    attribute = np.array(attribute)
    inner = attribute >= 0
    child = np.where(inner, 2 * np.cumsum(inner) - 1, -1)
    branch = np.zeros((len(attribute), 6), dtype=np.int16)
    ends = np.zeros((len(attribute), 2), dtype=np.int64)
    return Nodes(attribute, child, 2 * inner, branch, ends, np.array(counts, dtype=float))


def test_a_split_that_tells_the_classes_apart_stays():
    nodes = _nodes([0, -1, -1], [[50, 50], [50, 0], [0, 50]])

    for pruning in (Both(), Mdl(), Sliq()):
        assert len(pruning.prune(nodes, COLUMNS)) == 3


def test_a_split_that_tells_nothing_is_cut():
    nodes = _nodes([0, -1, -1], [[60, 60], [30, 30], [30, 30]])

    for pruning in (Both(), Mdl(), Sliq()):
        pruned = pruning.prune(nodes, COLUMNS)
        assert pruned.attribute.tolist() == [-1]
        assert pruned.counts.tolist() == [[60, 60]]


def test_a_split_that_tells_nothing_stays_above_splits_that_tell_all():
    exclusive_or = _nodes(
        [0, 1, 1, -1, -1, -1, -1],
        [[60, 60], [30, 30], [30, 30], [30, 0], [0, 30], [0, 30], [30, 0]],
    )

    for pruning in (Both(), Mdl(), Sliq()):
        assert len(pruning.prune(exclusive_or, COLUMNS)) == 7


def test_cutting_back_keeps_the_rest_of_the_tree_in_place():
    nodes = _nodes(
        [0, 1, 1, -1, -1, -1, -1],
        [[90, 90], [50, 40], [40, 50], [50, 0], [0, 40], [20, 25], [20, 25]],
    )

    pruned = Mdl().prune(nodes, COLUMNS)

    assert pruned.attribute.tolist() == [0, 1, -1, -1, -1]
    assert pruned.child.tolist() == [1, 3, -1, -1, -1]
    assert pruned.counts.tolist() == [[90, 90], [50, 40], [40, 50], [50, 0], [0, 40]]


def test_the_bits_of_a_leaf_are_a_code_the_probabilities_of_all_sequences_sum_to_one():
    length, classes = 5, 3
    total = 0.0
    for sequence in itertools.product(range(classes), repeat=length):
        counts = np.bincount(sequence, minlength=classes).astype(float)
        total += 2 ** -Mdl().class_bits(counts[None])[0]

    assert total == pytest.approx(1)


def test_the_bits_of_a_leaf_are_its_entropy_and_half_a_logarithm_per_free_share():
    counts = np.array([[3000.0, 7000.0]])

    n, entropy = 10_000, -(0.3 * math.log2(0.3) + 0.7 * math.log2(0.7))
    expected = n * entropy + 0.5 * math.log2(math.pi * n / 2)
    assert Mdl().class_bits(counts)[0] == pytest.approx(expected, abs=0.01)


FOUR = [CUTS, Categorical(list("abcd")), Categorical(list("abcd"), ordered=True), CUTS]


def test_a_cut_costs_half_the_choice_of_attribute_and_place():
    nodes = _nodes([0, 2, -1, -1, -1], np.ones((5, 2)))

    assert Mdl().test_bits(nodes, FOUR)[:2] == pytest.approx([1 + 1, 1 + math.log2(3) / 2])


def test_a_subset_costs_a_bit_for_each_value_that_the_node_has_but_one():
    nodes = _nodes([1, 1, -1, -1, -1], np.ones((5, 2)))
    nodes.ends[:2, 0] = [4, 2]

    assert Mdl().test_bits(nodes, FOUR)[:2] == pytest.approx([1 + 3, 1 + 1])


def test_the_cheapest_test_is_no_dearer_than_any():
    for pruning in (Mdl(), Sliq()):
        for attribute in range(4):
            nodes = _nodes([attribute, -1, -1], np.ones((3, 2)))
            nodes.ends[0, 0] = 2
            assert pruning.least_test_bits(FOUR) <= pruning.test_bits(nodes, FOUR)[0] + 1e-9


def test_the_published_costs():
    nodes = _nodes([0, 1, 1, -1, -1, -1, -1], np.ones((7, 2)))

    assert Sliq().class_bits(np.array([[3.0, 10.0, 2.0]])).tolist() == [5]
    assert Sliq().test_bits(nodes, FOUR)[:3] == pytest.approx([1, math.log(2), math.log(2)])


@pytest.mark.parametrize("pruning", [Mdl(), Sliq()])
def test_a_hopeless_node_would_be_cut_whatever_the_best_split_below(pruning):
    rng = np.random.default_rng(1)
    counts = rng.integers(0, 40, (300, 2)).astype(float) + 1

    hopeless = pruning.hopeless(counts, COLUMNS)

    assert 0 < hopeless.sum() < len(hopeless)
    for both in counts[hopeless]:
        # The best that any split can do: one leaf for each class.
        nodes = _nodes([0, -1, -1], [both, [both[0], 0], [0, both[1]]])
        assert len(pruning.prune(nodes, COLUMNS)) == 1


def test_leaves_that_decide_alike_are_joined_where_errors_count_too():
    nodes = _nodes([0, -1, -1], [[900, 300], [500, 10], [400, 290]])

    assert len(Mdl().prune(nodes, COLUMNS)) == 3
    assert len(Both().prune(nodes, COLUMNS)) == 1
