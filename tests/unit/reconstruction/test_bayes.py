import numpy as np
import pytest

from scumble import Numeric
from scumble.mechanisms import GaussianNoise
from scumble.reconstruction import Bayes


def test_many_are_fitted_at_once_each_as_if_it_were_alone():
    channel = GaussianNoise(privacy=0.5).channel(Numeric(0, 1))
    rng = np.random.default_rng(1)
    law = rng.dirichlet(np.ones(len(channel.truth))) @ channel.matrix
    counts = np.array([rng.multinomial(n, law) for n in (100, 10_000, 1_000_000)], dtype=float)

    shares, iterations = Bayes().fit_many(counts, channel.matrix)

    alone = [Bayes().fit(row, channel) for row in counts]
    assert iterations == max(fit.iterations for fit in alone)
    for row, fit in zip(shares, alone, strict=True):
        assert row == pytest.approx(fit.shares, rel=1e-9)
