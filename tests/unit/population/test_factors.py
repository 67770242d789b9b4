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
        "coin": (Coin([0, 1, 2], 0.7, [warner] * 3), [2, 2, 2]),
        "unrelated": (Coin([0, 1], 0.6, [asked] * 2), [3, 3]),
    }


def _full(factor):
    """Say which codes are reports of which nothing is missing."""
    if isinstance(factor, Coin):
        return (factor.reports >= 0).all(axis=1)
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

    factor = Coin([0, 1, 2], 0.7, [Warner(keep=0.7).channel(YES_NO)] * 3)
    tables = factor.tables(shares)[:, 0]

    full = (factor.reports >= 0).all(axis=1)
    assert tables[full] == pytest.approx(joint @ channel.matrix)
    assert isinstance(channel.truth, Product)


def test_a_missing_member_of_a_coin_is_summed_out():
    factor = Coin([0, 1], 0.7, [Warner(keep=0.7).channel(YES_NO)] * 2)
    shares = _shares([2, 2])

    tables = {
        tuple(report): row
        for report, row in zip(factor.reports.tolist(), factor.tables(shares), strict=True)
    }

    assert tables[(0, -1)] == pytest.approx(tables[(0, 0)] + tables[(0, 1)])
    assert tables[(-1, 1)] == pytest.approx(tables[(0, 1)] + tables[(1, 1)])


def test_codes_of_a_coin_are_the_rows_of_its_reports():
    factor = Coin([0, 1], 0.6, [RandomizedResponse(keep=0.6).channel(COLOUR)] * 2)
    parts = [np.array([0, 1, 3], dtype=np.uint16), np.array([2, 0, 3], dtype=np.uint16)]

    codes = factor.codes(parts)

    assert (factor.reports[codes] + 1).T.tolist() == [part.tolist() for part in parts]


def test_a_coin_that_always_tells_the_truth_has_one_side():
    channel = Warner(keep=1).channel(Categorical(["no", "yes"]))
    shares = np.array([[0.3, 0.7]])
    coin = Coin([0, 1], 1.0, [channel, channel])

    table = coin.tables([shares, shares])[:, 0]

    full = (coin.reports >= 0).all(axis=1)
    assert table[full] == pytest.approx([0.09, 0.21, 0.21, 0.49])
