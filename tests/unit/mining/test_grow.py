import numpy as np
import pytest

from scumble import Categorical
from scumble.engines import Rows
from scumble.mining._cuts import cuts_of_values
from scumble.mining._grow import Growth, grow
from scumble.mining._prune import Mdl, Sliq


def _grown(X, labels, **growth):
    columns = [cuts_of_values(column) for column in X.T]
    codes = np.column_stack([cuts.codes(x) for cuts, x in zip(columns, X.T, strict=True)])
    labels = np.asarray(labels, dtype=np.uint16)
    rows = Rows(codes, labels, sizes=[len(c) + 1 for c in columns], classes=int(labels.max()) + 1)
    return grow(rows, columns, Growth(**growth))


def _noise(n=2000, seed=0):
    rng = np.random.default_rng(seed)
    return rng.random((n, 3)), rng.integers(0, 2, n)


def test_exclusive_or_is_grown_although_no_first_split_helps():
    X = np.array([[0, 0], [0, 1], [1, 0], [1, 1]] * 50, dtype=float)
    labels = X[:, 0] != X[:, 1]

    nodes = _grown(X, labels, pruning=Mdl())

    assert len(nodes) == 7
    assert (nodes.counts[nodes.attribute < 0].min(axis=1) == 0).all()


def test_children_share_out_the_records_of_their_parent():
    nodes = _grown(*_noise())

    for node in nodes.parents:
        children = nodes.counts[nodes.child[node]] + nodes.counts[nodes.child[node] + 1]
        assert (children == nodes.counts[node]).all()


def test_every_node_but_the_root_is_the_child_of_one_node_before_it():
    nodes = _grown(*_noise())

    parents = nodes.parents
    children = np.concatenate((nodes.child[parents], nodes.child[parents] + 1))
    assert (np.sort(children) == np.arange(1, len(nodes))).all()
    assert (nodes.child[parents] > parents).all()


def test_without_pruning_noise_is_learned_by_heart():
    nodes = _grown(*_noise())

    assert (nodes.counts[nodes.attribute < 0].min(axis=1) == 0).all()


def test_with_pruning_noise_is_not_learned():
    assert len(_grown(*_noise(), pruning=Mdl())) == 1


@pytest.mark.parametrize("pruning", [Mdl(), Sliq()])
def test_leaving_hopeless_nodes_alone_changes_nothing(pruning):
    rng = np.random.default_rng(1)
    X = rng.random((3000, 3))
    labels = (X[:, 0] > 0.5) ^ (X[:, 1] > 0.5) ^ (rng.random(3000) < 0.2)
    columns = [cuts_of_values(column) for column in X.T]

    eager = _grown(X, labels, pruning=pruning)

    full = pruning.prune(_grown(X, labels), columns)
    assert eager.attribute.tolist() == full.attribute.tolist()
    assert eager.counts.tolist() == full.counts.tolist()


def test_stop_rules():
    X, labels = _noise()

    assert len(_grown(X, labels, depth=1)) == 3
    by_size = _grown(X, labels, split=500)
    assert by_size.counts[by_size.parents].sum(axis=1).min() >= 500
    by_leaf = _grown(X, labels, leaf=200)
    assert by_leaf.counts[by_leaf.attribute < 0].sum(axis=1).min() >= 200
    assert len(_grown(X, labels, decrease=0.4)) == 1


def test_categories_are_split_into_subsets():
    codes = np.array([[1], [2], [3], [4]] * 50, dtype=np.uint16)
    labels = np.isin(codes[:, 0], [1, 4]).astype(np.uint16)
    rows = Rows(codes, labels, sizes=[5], classes=2)

    nodes = grow(rows, [Categorical(list("abcd"))], Growth(pruning=Mdl()))

    assert len(nodes) == 3
    assert nodes.branch[0, 1:].tolist() in ([1, 0, 0, 1], [0, 1, 1, 0])


def test_ordered_categories_are_split_at_a_cut():
    codes = np.array([[1], [2], [3], [4]] * 50, dtype=np.uint16)
    labels = np.isin(codes[:, 0], [1, 4]).astype(np.uint16)
    rows = Rows(codes, labels, sizes=[5], classes=2)

    nodes = grow(rows, [Categorical(list("abcd"), ordered=True)], Growth(pruning=Mdl()))

    assert len(nodes) == 5
