import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scumble.audit._pinning import narrowest_widths, window_masses
from scumble.schema import Cells

positions = st.integers(0, 30)
cell_sets = st.builds(
    lambda edges, points: Cells.between(sorted(edges)).with_points(
        [p for p in points if p <= max(edges)]
    ),
    st.sets(positions, min_size=2, max_size=7),
    st.sets(positions, max_size=3),
)


@st.composite
def distributions(draw):
    cells = draw(cell_sets)
    weights = draw(st.lists(st.integers(0, 9), min_size=len(cells), max_size=len(cells)))
    weights[0] += not any(weights)
    shares = np.array(weights) / sum(weights)
    return cells, shares


def _mass(cells, shares, low, high):
    """Return how much lies from low to high, cell by cell."""
    total = 0.0
    for lower, upper, share in zip(cells.lower, cells.upper, shares, strict=True):
        if lower == upper:
            total += share * (low <= lower <= high)
        else:
            total += share * max(0, min(upper, high) - max(lower, low)) / (upper - lower)
    return total


@given(given=distributions(), confidence=st.sampled_from([0.5, 0.9, 0.95]))
def test_no_interval_on_a_grid_is_narrower_than_the_narrowest(given, confidence):
    cells, shares = given
    width = narrowest_widths(cells, shares[:, None], confidence=confidence)[0]

    places = np.arange(-1, 32, 0.25)
    if width > 0.01:
        held = [_mass(cells, shares, low, low + width - 0.01) for low in places]
        assert max(held) < confidence + 1e-6
    # And it is wide enough: the best window of its width holds as much.
    assert window_masses(cells, shares[:, None], width=width + 1e-6)[0] >= confidence - 1e-6


@given(given=distributions(), width=st.floats(0, 40))
def test_the_best_window_holds_at_least_what_any_window_holds(given, width):
    cells, shares = given

    found = window_masses(cells, shares[:, None], width=width)[0]

    held = [_mass(cells, shares, low, low + width) for low in np.arange(-1, 32, 0.5)]
    assert found >= max(held) - 1e-9
    assert found <= 1


def test_a_sure_point_has_no_width_and_whole_numbers_are_as_far_apart_as_they_are():
    ages = Cells.points(np.arange(20.0, 25.0))

    behind = np.array([[0, 1, 0, 0, 0], [0.1, 0.3, 0.3, 0.3, 0], [0.2] * 5]).T

    assert narrowest_widths(ages, behind, confidence=0.9).tolist() == [0, 2, 4]


def test_a_gap_between_two_heaps_counts_as_width():
    cells = Cells.between([0, 1, 9, 10])

    found = narrowest_widths(cells, np.array([[0.5], [0.0], [0.5]]), confidence=0.95)

    assert found[0] == pytest.approx(9.9)
