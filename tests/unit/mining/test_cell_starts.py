"""Reports joined so that least is lost."""

import numpy as np
import pytest

from scumble import Numeric
from scumble.mechanisms import GaussianNoise, UniformNoise
from scumble.mining._cell_starts import cell_starts

AGE = Numeric(0, 100)


def _lost(counts, matrix, starts):
    """Return how much less reports tell of the truth, each as likely before, when joined."""

    def told(matrix, counts):
        behind = matrix / matrix.sum(axis=0)
        seen = behind > 0
        logs = np.log(np.where(seen, behind, 1) * len(matrix))
        return counts @ (behind * logs).sum(axis=0) / counts.sum()

    joined = np.add.reduceat(matrix, starts, axis=1)
    return told(matrix, counts) - told(joined, np.add.reduceat(counts, starts))


@pytest.mark.parametrize(
    ("mechanism", "at_most"),
    [(UniformNoise(privacy=2.0), 0.7), (GaussianNoise(privacy=0.5), 1.0)],
)
def test_less_is_lost_than_by_cells_of_the_same_width(mechanism, at_most):
    matrix = mechanism.channel(AGE).matrix
    counts = matrix.mean(axis=0) * 100_000
    starts = cell_starts(counts, matrix, 16)
    wide = np.unique(np.linspace(0, len(counts), 16, endpoint=False).astype(int))

    assert len(starts) <= 16
    assert _lost(counts, matrix, starts) < at_most * _lost(counts, matrix, wide)


def test_reports_that_tell_nothing_are_one_cell():
    """Noise that reaches farther than the domain: whatever the truth, the middle is as likely."""
    channel = UniformNoise(privacy=2.0).channel(AGE)
    starts = cell_starts(channel.matrix.mean(axis=0) * 100_000, channel.matrix, 16)
    nothing = np.flatnonzero(np.ptp(channel.matrix, axis=0) < 1e-9)

    assert len(nothing) > len(channel.report) / 4
    assert np.count_nonzero(np.isin(starts, nothing)) <= 1


def test_a_long_tail_does_not_take_all_cells():
    matrix = GaussianNoise(privacy=0.1).channel(AGE).matrix
    counts = (np.exp(-np.arange(matrix.shape[0]) / 4) * 10_000) @ matrix

    starts = cell_starts(counts, matrix, 16)

    # Nine tenths of all reports, in a fifth of their cells.
    most = np.searchsorted(counts.cumsum(), 0.9 * counts.sum())
    assert np.count_nonzero(starts < most) > 7
    assert len(starts) <= 16


def test_few_cells_stay_as_they_are():
    assert cell_starts(np.array([3.0, 0.0, 5.0]), np.eye(3), 16).tolist() == [0, 1, 2]


def test_where_no_report_tells_anything_all_are_one_cell():
    assert cell_starts(np.full(40, 3.0), np.full((5, 40), 1 / 40), 16).tolist() == [0]
