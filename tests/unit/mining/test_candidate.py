import numpy as np
import pytest

from scumble.mining._candidate import SIMPLER, mean_weight, mean_weights


def _scores(weight, seed=1, n=8_000):
    """Return how likely two find classes that follow the first with this weight."""
    rng = np.random.default_rng(seed)
    one, two = rng.uniform(0.05, 0.95, (2, n))
    classes = rng.random(n) < weight * one + (1 - weight) * two
    return [np.log(np.where(classes, own, 1 - own)) for own in (one, two)]


@pytest.mark.parametrize("weight", [0.1, 0.3, 0.5, 0.7, 0.9])
def test_records_decide_whatever_weights_there_were_before(weight):
    """Standard errors of a weight are .02 at the most."""
    one, two = _scores(weight)

    found = mean_weights({"one": one, "two": two}, {"two": 1 + SIMPLER})

    assert found["one"] == pytest.approx(weight, abs=0.08)
    assert found["two"] == pytest.approx(mean_weight(two - one, power=SIMPLER), abs=0.02)


def test_of_three_those_that_say_the_same_share_what_both_are_worth():
    one, two = _scores(0.7)

    found = mean_weights({"one": one, "two": two, "three": two}, {"two": 11, "three": 11})

    assert found["one"] == pytest.approx(0.7, abs=0.08)
    assert found["two"] == pytest.approx(found["three"], abs=0.05)
