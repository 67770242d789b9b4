import numpy as np
import pytest

from scumble import Categorical, Numeric
from scumble.mining._distil import distil
from scumble.mining._grow import Growth
from scumble.mining._prune import Both
from scumble.mining._tree_of_nodes import tree_from_nodes
from scumble.population import Population

AGE = Numeric(0, 100)
COLOUR = Categorical(["red", "green", "blue"])


def _population():
    """Return people below and above 40; of the older, the red ones are of another class."""
    young = np.repeat([1 / 40, 0], [40, 60])
    old = np.repeat([0, 1 / 60], [40, 60])
    return Population(
        {"age": AGE, "colour": COLOUR},
        [AGE.cells(100), COLOUR],
        np.array([0.4, 0.2, 0.4]),
        np.array([0, 1, 0]),
        [
            np.array([young, old, old]),
            np.array([[1 / 3, 1 / 3, 1 / 3], [1.0, 0.0, 0.0], [0.0, 0.5, 0.5]]),
        ],
        2,
    )


def _tree(*, seed, **options):
    population = _population()
    codes, _ = population.sample(20_000, seed=seed)
    chances = population.class_probabilities(codes)
    nodes, columns = distil(codes, chances, population.cells, Growth(pruning=Both()), **options)
    return tree_from_nodes(
        nodes,
        columns,
        population.attributes,
        classes=np.array(["a", "b"]),
        missing_seen=frozenset(),
    )


def test_the_tree_says_what_the_population_says():
    tree = _tree(seed=1)
    values = np.array([[20.0, 0], [39.9, 0], [40.1, 0], [90.0, 0], [90.0, 1], [90.0, 2]])

    labels = [str(tree.label(leaf)) for leaf in tree.leaves(values)]

    assert labels == ["a", "a", "b", "b", "a", "a"]
    assert tree.leaf_count == 3


def test_a_missing_value_takes_the_mean_over_what_it_may_be():
    tree = _tree(seed=1)

    chances = tree.chances(np.array([[np.nan, 0], [np.nan, 1], [90.0, np.nan]]))

    # Four of ten are young; of those who are not, one in three is red.
    assert chances == pytest.approx(np.array([[0.4, 0.6], [1, 0], [2 / 3, 1 / 3]]), abs=0.02)


def test_shares_are_those_of_the_population():
    tree = _tree(seed=1)

    assert tree.counts[0] / tree.counts[0].sum() == pytest.approx([0.8, 0.2], abs=0.02)


def test_a_seed_makes_it_repeatable():
    assert (_tree(seed=1).counts == _tree(seed=1).counts).all()


def test_a_tree_has_no_more_leaves_than_it_may():
    assert _tree(seed=1, leaves=2).leaf_count <= 2


def test_pruning_sees_what_the_draws_weigh():
    assert _tree(seed=1, weight=4).leaf_count == 1
    assert _tree(seed=1, weight=2000).counts[0].sum() == pytest.approx(2000)
