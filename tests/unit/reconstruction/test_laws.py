"""The shapes of standard laws."""

import numpy as np
import pytest
from scipy import stats

from scumble import Numeric
from scumble.mechanisms import GaussianNoise
from scumble.reconstruction._climb import Problem
from scumble.reconstruction._laws import edge_shapes, law_shapes
from scumble.reconstruction._members import plain_members

GRID = np.ones(40, dtype=bool)
AT = (np.arange(40) + 0.5) / 40
LAWS = [
    ("beta", stats.beta(3, 1.5).logpdf(AT)),
    ("gamma", stats.gamma(2.5, scale=0.2).logpdf(AT)),
    ("gamma from above", stats.gamma(2.5, scale=0.2).logpdf(1 - AT)),
    ("lognormal", stats.lognorm(0.6, scale=0.3).logpdf(AT)),
    ("lognormal from above", stats.lognorm(0.6, scale=0.3).logpdf(1 - AT)),
]


@pytest.mark.parametrize(("law", "log_density"), LAWS)
def test_the_shapes_of_a_law_and_a_constant_make_its_log_density(law, log_density):
    basis = np.column_stack((np.ones(40), law_shapes(GRID)[law]))

    coefficients = np.linalg.lstsq(basis, log_density, rcond=None)[0]

    np.testing.assert_allclose(basis @ coefficients, log_density, atol=1e-9)


@pytest.mark.parametrize(("law", "log_density"), LAWS)
def test_the_fit_of_a_law_finds_a_truth_of_its_kind(law, log_density):
    truth = np.exp(log_density) / np.exp(log_density).sum()
    channel = GaussianNoise(privacy=0.5).channel(Numeric(0, 1), Numeric(0, 1).cells(40))
    counts = 100_000 * (truth @ channel.matrix)

    members = plain_members(Problem(counts, channel.matrix, np.zeros(40)), GRID)
    found = next(member for member in members if member.family == law)

    assert np.abs(np.cumsum(found.shares - truth)).max() < 2e-3
    assert found.evidence > max(m.evidence for m in members if m.family == "gauss 1")


def test_cells_off_the_grid_have_no_shape():
    grid = np.append(GRID, False)

    assert (edge_shapes(grid)[-1] == 0).all()
    assert all((shapes[-1] == 0).all() for shapes in law_shapes(grid).values())
