import numpy as np
import pytest

from scumble.mining._stable_sort import sort_by


@pytest.mark.parametrize("size", [0, 1, 2, 3, 7, 64, 1000])
def test_equal_keys_keep_their_order(size):
    keys = np.random.default_rng(size).integers(0, 10, size + 3).astype(float)
    items = np.arange(size + 3)
    expected = np.argsort(keys[:size], kind="stable").tolist()

    sort_by(keys, items, size)

    assert items[:size].tolist() == expected
    assert (np.diff(keys[:size]) >= 0).all()
    assert items[size:].tolist() == [size, size + 1, size + 2]
