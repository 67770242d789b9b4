import numpy as np
import pytest

from scumble.engines import ALL, Rows, SharedRows, Splits


def _codes(rng, n=500, missing=0.2):
    codes = rng.integers(1, 5, (n, 3)).astype(np.uint16)
    codes[rng.random(codes.shape) < missing] = 0
    return codes, rng.integers(0, 3, n).astype(np.uint16)


def _source(kind, codes, labels, **options):
    return kind(codes.copy(), labels.copy(), sizes=[5, 5, 5], classes=3, **options)


def _counts(source):
    return np.concatenate(list(source.counts()))


def _four_ways(attribute, *, missing=ALL):
    branch = np.tile(np.array([missing, 0, 1, 2, 3], dtype=np.int16), (len(attribute), 1))
    return Splits(np.array(attribute), branch, np.full(len(attribute), 4))


def test_a_record_with_a_missing_value_counts_for_each_branch_with_its_share():
    codes = np.array([[1, 1, 1]] * 3 + [[2, 1, 1], [0, 2, 2]], dtype=np.uint16)
    source = _source(SharedRows, codes, np.array([0, 0, 0, 1, 2], dtype=np.uint16))

    source.split(_four_ways([0]))

    assert source.node_weights == pytest.approx([3.75, 1.25, 0, 0])
    # The second attribute of the two first children: the missing record has the value 2.
    assert _counts(source)[0, 5:10, 2].tolist() == [0, 0, 0.75, 0, 0]
    assert _counts(source)[1, 5:10, 2].tolist() == [0, 0, 0.25, 0, 0]
    # A branch that no record takes gets nothing, not even a row.
    assert np.diff(source.starts).tolist() == [4, 2, 0, 0]


def test_without_missing_values_it_counts_as_plain_rows_do():
    codes, labels = _codes(np.random.default_rng(0), missing=0)
    plain, shared = (_source(kind, codes, labels) for kind in (Rows, SharedRows))

    for attribute in ([0], [1, -1, 2, 1], [2] * 12):
        for source in (plain, shared):
            source.split(_four_ways(attribute))
        assert (_counts(plain) == _counts(shared)).all()


def test_weights_are_kept_whatever_is_missing():
    codes, labels = _codes(np.random.default_rng(1), missing=0.3)
    weights = np.random.default_rng(2).random(len(codes))
    source = _source(SharedRows, codes, labels, weights=weights.copy())

    source.split(_four_ways([0]))
    source.split(_four_ways([1] * 4))

    by_class = [weights[labels == c].sum() for c in range(3)]
    assert _counts(source)[:, :5].sum(axis=(0, 1)) == pytest.approx(by_class)


def test_missing_values_that_take_one_branch_go_there_whole():
    codes, labels = _codes(np.random.default_rng(3))
    plain, shared = (_source(kind, codes, labels) for kind in (Rows, SharedRows))

    for source in (plain, shared):
        source.split(_four_ways([1], missing=2))

    assert (_counts(plain) == _counts(shared)).all()


def test_where_nothing_is_known_every_branch_gets_the_same():
    codes = np.array([[0, 1, 1]] * 4, dtype=np.uint16)
    source = _source(SharedRows, codes, np.zeros(4, dtype=np.uint16))

    source.split(_four_ways([0]))

    assert source.node_weights == pytest.approx([1, 1, 1, 1])
