import numpy as np
import pytest
from matplotlib import pyplot
from scipy import stats

from scumble import Categorical, Numeric
from scumble.engines import Counts
from scumble.errors import ReconstructionError, SpecificationError
from scumble.mechanisms import GaussianNoise, Identity, RandomizedResponse
from scumble.reconstruction import EM, Fit, Reconstruction
from scumble.schema import Cells


def _result(shares, cells):
    """Return a reconstruction with these very shares."""
    channel = Identity().channel(Numeric(0, 10), cells)
    counts = Counts((1000 * np.array(shares)).astype(int), missing=0)
    return Reconstruction(channel, counts, EM(), Fit(np.array(shares, dtype=float)))


@pytest.fixture
def intervals():
    return _result([0.2, 0.5, 0.3], Cells.between([0, 2, 4, 10]))


@pytest.fixture
def with_atoms():
    return _result([0.4, 0.1, 0.2, 0.3], Cells.between([0, 5, 10]).with_points([0, 7]))


def test_the_cdf_is_linear_within_a_cell(intervals):
    np.testing.assert_allclose(
        intervals.cdf([-1, 0, 1, 2, 3, 10, 11]), [0, 0, 0.1, 0.2, 0.45, 1, 1]
    )


def test_the_cdf_jumps_at_an_atom(with_atoms):
    # 0 holds 0.4, [0, 5) 0.1, [5, 10) 0.2 and 7 holds 0.3.
    np.testing.assert_allclose(
        with_atoms.cdf([0, 5, 6.999999, 7, 10]), [0.4, 0.5, 0.58, 0.88, 1], atol=1e-5
    )


def test_quantiles_undo_the_cdf(intervals, with_atoms):
    at = np.array([0.5, 1, 3, 6, 9])

    np.testing.assert_allclose(intervals.quantile(intervals.cdf(at)), at)
    np.testing.assert_allclose(
        with_atoms.quantile([0.1, 0.4, 0.45, 0.6, 0.8, 1]), [0, 0, 2.5, 7, 7, 10]
    )


def test_mean_and_sd_agree_with_draws(intervals, with_atoms):
    """A million draws; six standard errors."""
    for result in (intervals, with_atoms):
        draws = result.quantile(np.random.default_rng(0).random(1_000_000))

        assert result.mean == pytest.approx(draws.mean(), abs=6 * draws.std() / 1000)
        assert result.sd == pytest.approx(draws.std(), rel=0.01)


def test_the_distance_agrees_with_scipy(intervals, with_atoms):
    sample = np.random.default_rng(0).uniform(0, 10, 500)
    for result in (intervals, with_atoms):
        draws = result.quantile((np.arange(200_000) + 0.5) / 200_000)

        expected = stats.wasserstein_distance(draws, sample)

        assert result.wasserstein(sample) == pytest.approx(expected, rel=1e-3)


def test_missing_truths_do_not_spoil_the_distance(intervals):
    assert intervals.wasserstein([1, 3, None]) == intervals.wasserstein([1, 3])
    with pytest.raises(ReconstructionError, match="at least one value"):
        intervals.wasserstein([None])


def test_a_result_is_one_line(intervals):
    assert repr(intervals) == "<Reconstruction of 3 cells from 1,000 reports (0 missing) by 'em'>"


def test_the_distance_to_itself_is_nought(with_atoms):
    draws = with_atoms.quantile((np.arange(100_000) + 0.5) / 100_000)

    assert with_atoms.wasserstein(draws) < 1e-4


def test_a_wider_confidence_gives_a_wider_band():
    channel = GaussianNoise(sd=1).channel(Numeric(0, 10), Numeric(0, 10).cells(10))
    counts = np.random.default_rng(0).multinomial(5000, np.full(10, 0.1) @ channel.matrix)
    method = EM()
    result = Reconstruction(
        channel, Counts(counts, missing=0), method, method.fit(counts.astype(float), channel)
    )

    for of in ("cdf", "shares"):
        narrow, wide = (result.band(confidence=c, of=of) for c in (0.5, 0.99))
        assert (wide[0] <= narrow[0]).all()
        assert (wide[1] >= narrow[1]).all()
        assert (narrow[0] < narrow[1]).any()


def test_a_confidence_is_between_nought_and_one(intervals):
    with pytest.raises(SpecificationError, match="confidence"):
        intervals.band(confidence=95)


def test_categories_have_no_cdf():
    domain = Categorical(["a", "b"])
    channel = RandomizedResponse(keep=0.9).channel(domain)
    result = Reconstruction(
        channel, Counts(np.array([3, 4]), missing=0), EM(), Fit(np.array([0.4, 0.6]))
    )

    with pytest.raises(ReconstructionError, match="no order"):
        result.cdf([1])


@pytest.mark.parametrize("truth", [None, np.random.default_rng(0).uniform(0, 10, 100)])
def test_a_plot_shows_true_reported_and_recovered(with_atoms, truth):
    ax = with_atoms.plot(truth=truth)

    labels = [text.get_text() for text in ax.get_legend().get_texts()]
    assert labels == ["reported", "95 % band", "recovered"] + (
        ["true"] if truth is not None else []
    )
    pyplot.close("all")


def test_categories_are_drawn_as_bars():
    domain = Categorical(["a", "b"])
    channel = RandomizedResponse(keep=0.9).channel(domain)
    result = Reconstruction(
        channel, Counts(np.array([3, 4]), missing=0), EM(), Fit(np.array([0.4, 0.6]))
    )

    ax = result.plot(truth=["a", "b", "b", None])

    assert [text.get_text() for text in ax.get_legend().get_texts()] == [
        "true",
        "reported",
        "recovered",
    ]
    assert [tick.get_text() for tick in ax.get_xticklabels()] == ["a", "b"]
    pyplot.close("all")
