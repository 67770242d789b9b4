"""Each method against what is known of it."""

import numpy as np
import pytest
from mechanism_cases import NOISY, name

from scumble import Categorical, Numeric
from scumble.engines import Counts
from scumble.mechanisms import (
    GaussianNoise,
    Identity,
    RandomizedResponse,
    UniformNoise,
    UnrelatedQuestion,
    Warner,
)
from scumble.reconstruction import EM, EMS, Bayes, Inversion, ResponseLikelihood, reconstruct_counts
from scumble.reconstruction._em import Observed
from scumble.schema import Cells, Channel

UNIT = Numeric(0, 1)
COLOUR = Categorical(["red", "green", "blue"])


def _expected_counts(channel, shares, n=1_000_000):
    return n * (shares @ channel.matrix)


@pytest.mark.parametrize(("mechanism", "domain"), NOISY, ids=name)
def test_exact_expected_counts_give_back_the_truth(mechanism, domain):
    """By inversion, where the channel can be inverted; for Bayes' rule it is at rest."""
    cells = None if isinstance(domain, Categorical) or domain.step else domain.cells(5)
    channel = mechanism.channel(domain, cells)
    truth = np.random.default_rng(0).dirichlet(np.full(len(channel.truth), 3.0))
    counts = _expected_counts(channel, truth)

    if np.linalg.cond(channel.matrix) < 1e6:
        np.testing.assert_allclose(Inversion().fit(counts, channel).shares, truth, atol=1e-8)
    observed = Observed(counts, channel.matrix)
    np.testing.assert_allclose(observed.step(truth, observed.expected(truth)), truth)


def test_the_published_step_is_equation_3():
    """Written out by hand for two cells and three reports."""
    channel = GaussianNoise(sd=0.5).channel(UNIT, UNIT.cells(2))
    counts = np.zeros(len(channel.report))
    counts[[3, 7, 11]] = 5, 2, 4
    prior = np.array([0.5, 0.5])

    posterior = np.zeros(2)
    for cell, count in enumerate(counts):
        if count:
            joint = channel.matrix[:, cell] * prior
            posterior += count * joint / joint.sum()

    one_step = Bayes(most=1).fit(counts, channel).shares
    np.testing.assert_allclose(one_step, posterior / counts.sum())


def test_the_published_stop_compares_successive_estimates():
    from scipy.stats import chi2

    channel = GaussianNoise(sd=0.3).channel(UNIT, UNIT.cells(20))
    counts = _expected_counts(channel, np.random.default_rng(0).dirichlet(np.ones(20)), 10_000)
    fit = Bayes().fit(counts, channel)
    before = Bayes(most=fit.iterations - 1).fit(counts, channel)
    earlier = Bayes(most=fit.iterations - 2).fit(counts, channel)
    limit = 0.01 * chi2.ppf(0.95, 19)

    def distance(new, old):
        return counts.sum() * ((new.shares - old.shares) ** 2 / old.shares).sum()

    assert distance(fit, before) < limit <= distance(before, earlier)


def test_em_climbs_and_rests_at_the_maximum():
    channel = UniformNoise(half_width=0.3).channel(UNIT, UNIT.cells(20))
    counts = (
        np.random.default_rng(0).multinomial(5000, np.full(20, 0.05) @ channel.matrix).astype(float)
    )
    likelihood = [
        counts
        @ np.log(np.maximum(EM(most=most).fit(counts, channel).shares @ channel.matrix, 1e-300))
        for most in (1, 2, 5, 20, 100, 10_000)
    ]

    assert (np.diff(likelihood) >= 0).all()


@pytest.mark.parametrize("total", [3, 30, 3000])
def test_em_by_default_rests_at_the_exact_maximum(total):
    channel = Warner(keep=0.8).channel(Categorical(["no", "yes"]))
    counts = np.array([1.0, 2.0]) * total / 3

    exact = ResponseLikelihood().fit(counts, channel).shares

    np.testing.assert_allclose(EM().fit(counts, channel).shares, exact, atol=1e-3)


def test_smoothing_leaves_points_alone_and_keeps_the_total():
    channel = Identity().channel(
        Numeric(0, 1, atoms=[0]), Cells.between(np.linspace(0, 1, 11)).with_points([0.0])
    )
    counts = np.zeros(11)
    counts[[0, 6]] = 600, 400

    shares = EMS(most=1, tolerance=0).fit(counts, channel).shares

    assert shares[0] == pytest.approx(0.6)
    assert shares[5:8].tolist() == pytest.approx([0.1, 0.2, 0.1])


@pytest.mark.parametrize(
    "mechanism",
    [RandomizedResponse(keep=0.6), UnrelatedQuestion(keep=0.3, shares=[0.2, 0.3, 0.5])],
    ids=lambda m: m.name,
)
@pytest.mark.parametrize("counts", [[300, 500, 200], [900, 60, 40], [1000, 0, 0], [1, 0, 0]])
def test_exact_likelihood_equals_em_at_rest(mechanism, counts):
    channel = mechanism.channel(COLOUR)
    counts = np.array(counts, dtype=float)

    exact = ResponseLikelihood().fit(counts, channel).shares
    rest = EM(tolerance=1e-12, most=200_000).fit(counts, channel).shares

    np.testing.assert_allclose(exact, rest, atol=1e-4)


def test_exact_likelihood_equals_inversion_where_nothing_is_negative():
    channel = RandomizedResponse(keep=0.6).channel(COLOUR)
    counts = np.array([300.0, 400, 300])

    np.testing.assert_allclose(
        ResponseLikelihood().fit(counts, channel).shares,
        Inversion(project=False).fit(counts, channel).shares,
    )


def test_a_coin_that_lies_more_often_than_not_is_as_good_as_its_opposite():
    answer = Categorical(["no", "yes"])
    counts = np.array([300.0, 700])

    honest = ResponseLikelihood().fit(counts, Warner(keep=0.8).channel(answer)).shares
    liar = ResponseLikelihood().fit(counts[::-1], Warner(keep=0.2).channel(answer)).shares

    np.testing.assert_allclose(honest, liar, atol=1e-5)


def test_inversion_is_warners_estimate():
    answer = Categorical(["no", "yes"])
    counts = np.array([450.0, 550])

    fit = Inversion().fit(counts, Warner(keep=0.8).channel(answer))

    share = (0.55 - 0.2) / 0.6
    assert fit.shares[1] == pytest.approx(share)
    assert fit.uncertainty.share_sd[1] == pytest.approx(np.sqrt(0.55 * 0.45 / 1000) / 0.6)


def test_inversion_with_and_without_a_matrix_agree():
    channel = RandomizedResponse(keep=0.6).channel(COLOUR)
    counts = np.array([300.0, 450, 250])
    dense = Channel(channel.truth, channel.report, channel.rows)
    one, other = (Inversion(project=False).fit(counts, c) for c in (channel, dense))

    np.testing.assert_allclose(one.shares, other.shares)
    np.testing.assert_allclose(one.uncertainty.share_sd, other.uncertainty.share_sd)
    np.testing.assert_allclose(
        one.uncertainty.cumulative_sd[:-1], other.uncertainty.cumulative_sd[:-1]
    )


def test_a_million_categories_need_no_matrix():
    domain = Categorical(range(1_000_000))
    channel = RandomizedResponse(epsilon=14).channel(domain)
    truth = np.zeros(1_000_000)
    truth[:3] = 0.5, 0.3, 0.2
    kept, base = channel.mixture
    counts = np.rint(1e12 * (kept * truth + base)).astype(int)

    for method in ("auto", "inversion"):
        found = reconstruct_counts(Counts(counts, missing=0), channel, method=method)

        np.testing.assert_allclose(found.shares, truth, atol=1e-6)
        assert np.isfinite(found.log_likelihood)
