import numpy as np
import pytest

from scumble import Categorical, Numeric, Specification
from scumble.mechanisms import (
    GaussianNoise,
    RandomizedResponse,
    UnrelatedQuestion,
    Warner,
    joint_channel,
)
from scumble.population import Coin, Single
from scumble.population._coin import seen_combinations
from scumble.schema import Product

YES_NO = Categorical(["no", "yes"])
COLOUR = Categorical(["red", "green", "blue"])


def _shares(sizes, *, components=4, seed=0):
    rng = np.random.default_rng(seed)
    return [rng.dirichlet(np.ones(size), components) for size in sizes]


def _factors():
    noisy = GaussianNoise(privacy=0.5).channel(Numeric(0, 1))
    colour = RandomizedResponse(keep=0.6).channel(COLOUR)
    warner = Warner(keep=0.7).channel(YES_NO)
    asked = UnrelatedQuestion(keep=0.6, shares=(0.2, 0.3, 0.5)).channel(COLOUR)
    return {
        "noise": (Single(0, noisy), [100]),
        "randomized": (Single(0, colour), [3]),
        "coin": (Coin([0, 1, 2], 0.7, [warner.matrix] * 3), [2, 2, 2]),
        "unrelated": (Coin([0, 1], 0.6, [asked.matrix] * 2), [3, 3]),
    }


def _full(factor):
    """Say which codes are reports of which nothing is missing."""
    if isinstance(factor, Coin):
        return (factor.reports > 0).all(axis=1)
    return np.arange(factor.size) > 0


@pytest.mark.parametrize("name", _factors())
def test_probabilities_of_full_reports_sum_to_one(name):
    factor, sizes = _factors()[name]

    tables = factor.tables(_shares(sizes))

    full = _full(factor)
    assert tables.shape == (factor.size, 4)
    assert tables[full].sum(axis=0) == pytest.approx(1)
    assert tables[0] == pytest.approx(1)


@pytest.mark.parametrize("name", _factors())
def test_every_report_has_one_truth_behind_it(name):
    factor, sizes = _factors()[name]
    counts = np.random.default_rng(1).random((factor.size, 4))

    behind = factor.expected(_shares(sizes), counts)

    for found in behind:
        assert found.sum(axis=1) == pytest.approx(counts.sum(axis=0))
        assert (found >= 0).all()


@pytest.mark.parametrize("name", _factors())
def test_the_expected_truths_of_expected_reports_are_the_shares(name):
    factor, sizes = _factors()[name]
    shares = _shares(sizes)
    full = _full(factor)
    counts = factor.tables(shares) * full[:, None]

    for own, behind in zip(shares, factor.expected(shares, counts), strict=True):
        assert behind == pytest.approx(own)


def test_a_coin_is_the_joint_channel_of_its_attributes():
    member = Categorical(["no", "yes"], mechanism=Warner(keep=0.7, group="g"))
    spec = Specification(dict.fromkeys("abc", member))
    channel = joint_channel(spec, group="g")
    shares = _shares([2, 2, 2], components=1)
    joint = np.einsum("i,j,k->ijk", *(share[0] for share in shares)).ravel()

    factor = Coin([0, 1, 2], 0.7, [Warner(keep=0.7).channel(YES_NO).matrix] * 3)
    tables = factor.tables(shares)[:, 0]

    full = (factor.reports > 0).all(axis=1)
    assert tables[full] == pytest.approx(joint @ channel.matrix)
    assert isinstance(channel.truth, Product)


def test_a_missing_member_of_a_coin_is_summed_out():
    factor = Coin([0, 1], 0.7, [Warner(keep=0.7).channel(YES_NO).matrix] * 2)
    shares = _shares([2, 2])

    tables = {
        tuple(report): row
        for report, row in zip(factor.reports.tolist(), factor.tables(shares), strict=True)
    }

    assert tables[(1, 0)] == pytest.approx(tables[(1, 1)] + tables[(1, 2)])
    assert tables[(0, 2)] == pytest.approx(tables[(1, 2)] + tables[(2, 2)])


def test_a_coin_without_an_attribute_sums_it_out():
    factor = Coin([0, 1], 0.7, [Warner(keep=0.7).channel(YES_NO).matrix] * 2)
    shares = _shares([2, 2])
    told = factor.reports.tolist()

    without = factor.without(1).tables(shares)

    assert without[told.index([2, 1])] == pytest.approx(factor.tables(shares)[told.index([2, 0])])


def test_all_truth_and_all_lies_are_coins_too():
    for keep, report in ((1.0, 1), (0.0, 2)):
        matrix = np.eye(2) if keep else np.eye(2)[::-1]
        factor = Coin([0, 1], keep, [matrix] * 2, [[0, 0], [report, report]])

        assert factor.tables([np.array([[1.0, 0.0]])] * 2)[1] == pytest.approx(1)


@pytest.mark.parametrize("sizes", [[4, 4], [4] * 70], ids=["few", "more than fit in a number"])
def test_combinations_that_occur_have_codes(sizes):
    rng = np.random.default_rng(0)
    parts = [rng.integers(0, size, 50).astype(np.uint16) for size in sizes]

    seen, codes = seen_combinations(parts, sizes)

    assert not seen[0].any()
    assert seen[codes].T.tolist() == [part.tolist() for part in parts]
    assert len(np.unique(seen, axis=0)) == len(seen)


@pytest.mark.parametrize("name", _factors())
def test_truths_are_drawn_as_often_as_they_are_expected(name):
    """The mean of 400 draws, each cell within five and a half standard errors: alpha 1e-6."""
    factor, sizes = _factors()[name]
    rng, shares = np.random.default_rng(2), _shares(sizes)
    counts = rng.poisson(200 / factor.size, (factor.size, 4)) * _full(factor)[:, None]

    draws = [factor.drawn(shares, counts, rng) for _ in range(400)]

    for place, expected in enumerate(factor.expected(shares, counts.astype(float))):
        own = np.array([draw[place] for draw in draws])
        assert (own.sum(axis=2) == counts.sum(axis=0)).all()
        errors = np.sqrt(np.maximum(own.var(axis=0), expected / 4 + 0.01) / len(draws))
        assert (np.abs(own.mean(axis=0) - expected) < 5.5 * errors).all()
