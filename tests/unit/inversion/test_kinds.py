"""Records that report the same are one kind, however many bits it takes."""

import numpy as np
import pytest

from scumble.inversion._kinds import kinds_of


@pytest.mark.parametrize(
    "sizes",
    [
        [2],
        [3] * 21,
        # More than one word: a column never stands in two of them.
        [3] * 40,
        [60_000, 2, 40_000, 3, 5, 65_536, 1, 7],
    ],
)
def test_each_record_has_the_codes_of_its_kind(sizes):
    rng = np.random.default_rng(1)
    codes = np.column_stack([rng.integers(0, size, 400) for size in sizes]).astype(np.uint16)
    codes = codes[rng.integers(0, 400, 1000)]
    kinds, kind_of = kinds_of(codes, np.array(sizes))
    found = np.column_stack([kinds.codes(j) for j in range(len(sizes))])
    np.testing.assert_array_equal(found[kind_of], codes)
    different, first = np.unique(codes, axis=0, return_index=True)
    assert len(found) == len(different)
    np.testing.assert_array_equal(found, codes[np.sort(first)])
