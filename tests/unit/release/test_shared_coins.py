import numpy as np
import pandas as pd
import pytest

from scumble import Categorical, Criteria, Specification, disguise
from scumble.errors import ReleaseError
from scumble.mechanisms import Warner
from scumble.release import release


def _answers(count, size=4000):
    rng = np.random.default_rng(0)
    return pd.DataFrame(
        {f"q{i}": np.where(rng.random(size) < 0.3, "yes", "no") for i in range(count)}
    )


def _spec(answers, criteria=None):
    own = {
        name: Categorical(["no", "yes"], mechanism=Warner(keep=0.6, group="g")) for name in answers
    }
    return Specification(own, release=criteria)


def test_a_coin_that_many_share_is_seen_through():
    """Twelve answers of one coin: one report tells nothing, all of them nearly everything."""
    with pytest.raises(ReleaseError, match=r"expected identification of .* share its coin"):
        release(_answers(12), _spec(_answers(12)))


def test_the_guess_is_that_of_an_intruder_who_tries():
    """Each value is guessed by the posterior of the whole report, worked out by hand."""
    answers = _answers(6)
    spec = _spec(answers, criteria=Criteria(identification=1, disclosure=1))
    yes = disguise(answers, spec, seed=1).to_numpy() == "yes"
    shares = (answers == "yes").mean().to_numpy()
    truly = 0.6 * np.where(yes, shares, 1 - shares).prod(axis=1)
    lying = 0.4 * np.where(yes, 1 - shares, shares).prod(axis=1)
    told = truly / (truly + lying) > 0.5
    right = (np.where(told[:, None], yes, ~yes) == (answers == "yes")).to_numpy().mean()

    found = release(answers, spec).manifest.attributes

    mean = np.mean([row["exposure"]["identified"] for row in found])
    # Two samples of 4,000 coins: five standard errors of their difference.
    assert mean == pytest.approx(right, abs=5 * np.sqrt(2 * 0.25 / 4000))
    assert right > 0.75


def test_coins_of_their_own_tell_no_more_than_one_report():
    answers = _answers(4)
    single = Specification(
        {name: Categorical(["no", "yes"], mechanism=Warner(keep=0.6)) for name in answers}
    )

    for row in release(answers, single).manifest.attributes:
        assert row["exposure"]["identified"] == pytest.approx(row["exposure"]["base"], abs=0.01)
