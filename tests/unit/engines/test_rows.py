import numpy as np
import pytest

from scumble.engines import Rows, Splits


def _rows(n=1000, *, seed=0, weights=False, workers=1, carried=0):
    rng = np.random.default_rng(seed)
    codes = rng.integers(0, 5, (n, 3 + carried)).astype(np.uint16)
    labels = rng.integers(0, 3, n).astype(np.uint16)
    weight = rng.random(n) if weights else None
    rows = Rows(
        codes.copy(), labels.copy(), sizes=[5, 5, 5], classes=3, weights=weight, workers=workers
    )
    return rows, codes, labels, weight


def _counted(codes, labels, weights=None):
    """Count in the slowest and plainest way."""
    counts = np.zeros((15, 3))
    for i in range(len(codes)):
        for j in range(3):
            counts[5 * j + codes[i, j], labels[i]] += 1 if weights is None else weights[i]
    return counts


def _all(rows):
    return np.concatenate(list(rows.counts()))


@pytest.mark.parametrize("weights", [False, True])
def test_counts_are_those_of_a_plain_loop(weights):
    rows, codes, labels, weight = _rows(weights=weights)

    np.testing.assert_allclose(_all(rows)[0], _counted(codes, labels, weight), rtol=1e-12)


def test_counts_without_weights_are_whole_numbers():
    rows, *_ = _rows()

    assert (_all(rows) % 1 == 0).all()


def test_every_attribute_counts_every_record():
    rows, _, labels, _ = _rows()

    by_attribute = _all(rows)[0].reshape(3, 5, 3).sum(axis=1)

    assert (by_attribute == np.bincount(labels)).all()


def test_children_have_the_records_that_the_table_of_a_split_sends_them():
    rows, codes, labels, _ = _rows()
    left = np.array([[1, 0, 1, 0, 0]], dtype=np.uint8)

    rows.split(Splits.in_two(np.array([1]), left))

    goes_left = np.isin(codes[:, 1], [0, 2])
    counts = _all(rows)
    assert (counts[0] == _counted(codes[goes_left], labels[goes_left])).all()
    assert (counts[1] == _counted(codes[~goes_left], labels[~goes_left])).all()


def test_records_of_a_leaf_are_left_behind():
    rows, codes, labels, _ = _rows()
    rows.split(Splits.in_two(np.array([0]), np.array([[1, 1, 0, 0, 0]], dtype=np.uint8)))

    rows.split(
        Splits.in_two(np.array([-1, 2]), np.array([[0] * 5, [1, 1, 1, 0, 0]], dtype=np.uint8))
    )

    kept = codes[:, 0] >= 2
    assert len(rows) == 2
    assert (_all(rows).sum(axis=0) == _counted(codes[kept], labels[kept])).all()


def test_weights_go_with_their_records():
    rows, codes, labels, weight = _rows(weights=True)

    rows.split(Splits.in_two(np.array([2]), np.array([[0, 0, 0, 1, 1]], dtype=np.uint8)))

    left = codes[:, 2] >= 3
    np.testing.assert_allclose(_all(rows)[0], _counted(codes[left], labels[left], weight[left]))


def test_columns_beyond_the_attributes_are_carried_along():
    rows, codes, labels, _ = _rows(carried=1)
    rows.split(Splits.in_two(np.array([0]), np.array([[1, 1, 0, 0, 0]], dtype=np.uint8)))

    counts = rows.count(np.array([1]), offsets=np.array([0, 5]), column=3)

    right = codes[:, 0] >= 2
    expected = np.zeros((5, 3))
    np.add.at(expected, (codes[right, 3], labels[right]), 1)
    assert (counts[0] == expected).all()


def test_two_threads_count_and_deal_the_same():
    split = Splits.in_two(np.array([0]), np.array([[1, 1, 0, 0, 0]], dtype=np.uint8))
    one, *_ = _rows(120_000)
    two, *_ = _rows(120_000, workers=2)

    assert (_all(one) == _all(two)).all()
    for rows in (one, two):
        rows.split(split)
        rows.split(Splits.in_two(np.array([1, 2]), np.repeat(split.left, 2, axis=0)))
    assert (_all(one) == _all(two)).all()
    assert (one.codes == two.codes).all()


def test_batches_of_nodes_make_up_the_level():
    rows, codes, labels, _ = _rows(20_000)
    for _ in range(9):
        level = len(rows)
        left = np.repeat(np.array([[1, 1, 1, 0, 0]], dtype=np.uint8), level, axis=0)
        rows.split(Splits.in_two(np.arange(level) % 3, left))

    counts = _all(rows)

    assert len(counts) == 512
    assert (counts.sum(axis=0) == _counted(codes, labels)).all()
