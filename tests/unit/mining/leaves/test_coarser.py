"""Reports in fewer cells."""

import numpy as np

from scumble.mining.leaves._coarser import _starts


def test_where_reports_are_spread_alike_cells_are_of_the_same_width():
    starts = _starts(np.full(160, 100.0), 16)

    assert starts.tolist() == list(range(0, 160, 10))


def test_a_long_tail_does_not_take_all_cells():
    counts = np.append(np.full(16, 1000.0), np.full(144, 5.0))

    starts = _starts(counts, 16)

    # Cells of equal width would part the first sixteen once.
    assert np.count_nonzero(starts < 16) > 7
    assert len(starts) <= 16


def test_few_cells_stay_as_they_are():
    assert _starts(np.array([3.0, 0.0, 5.0]), 16).tolist() == [0, 1, 2]
