"""Do reports tell about truths of others? Error rate of all right cases together: 1e-6."""

from itertools import count

import numpy as np
import pytest
from broken_twins import Doubled, Reused
from mechanism_cases import AGE, ALL, ANSWER, BORN, COLOUR, SALARY, name

from scumble import Categorical, Date, Numeric, Specification, disguise
from scumble.audit import check_attributes_independent, check_records_independent
from scumble.entropy import Cryptographic, Fixed
from scumble.errors import MechanismCheckError
from scumble.mechanisms import (
    GaussianNoise,
    LaplaceNoise,
    MultiplicativeNoise,
    RandomizedResponse,
    SquareWave,
    UniformNoise,
    Warner,
)

# Half of the error rate is for what single reports tell.
CONFIDENCE = 1 - 0.5e-6 / (len(ALL) + 2)
TWINS = [
    (LaplaceNoise(epsilon=1), AGE),
    (GaussianNoise(privacy=0.25), SALARY),
    (GaussianNoise(privacy=0.5), BORN),
    (UniformNoise(privacy=1.0), AGE),
    (MultiplicativeNoise(privacy=1.0), SALARY),
    (SquareWave(epsilon=0.5), AGE),
    (RandomizedResponse(epsilon=1), COLOUR),
    (Warner(keep=0.8), ANSWER),
    (Warner(keep=0.4), ANSWER),
]
NO, YES = "no", "yes"


@pytest.mark.parametrize(("mechanism", "domain"), ALL, ids=name)
def test_records_of_every_mechanism_are_independent(mechanism, domain):
    check_records_independent(mechanism, domain, confidence=CONFIDENCE)


@pytest.mark.parametrize(
    "reuse",
    [
        pytest.param(lambda stream: Reused(stream, period=1), id="one coin for all"),
        pytest.param(Doubled, id="one coin for two neighbours"),
        pytest.param(lambda stream: Reused(stream, period=4999), id="begun anew"),
    ],
)
@pytest.mark.parametrize(("mechanism", "domain"), TWINS, ids=name)
def test_a_coin_that_is_used_again_is_caught(mechanism, domain, reuse):
    def disguised(truth):
        return mechanism.disguise(truth, domain, reuse(Cryptographic().stream("broken")))

    with pytest.raises(MechanismCheckError, match="reports of different records"):
        check_records_independent(mechanism, domain, disguise=disguised)


def test_a_coin_that_is_used_again_now_and_then_is_caught():
    """One record of ten repeats the draw of the record before."""

    class Sometimes(Doubled):
        def words(self, count):
            words = self._stream.words(count)
            again = np.flatnonzero(self._stream.uniform(count - 1) < 0.1) + 1
            words[again] = words[again - 1]
            return words

    def disguised(truth):
        return LaplaceNoise(epsilon=1).disguise(truth, AGE, Sometimes(Cryptographic().stream("")))

    with pytest.raises(MechanismCheckError, match="at a distance of 1 "):
        check_records_independent(LaplaceNoise(epsilon=1), AGE, disguise=disguised)


@pytest.mark.parametrize("names", ["different", "equal"])
def test_noise_that_is_fixed_per_entity_is_independent_where_entities_differ(names):
    tables = count()

    def disguised(truth):
        start = next(tables) * len(truth)  # other people in every table
        ids = start + np.arange(len(truth)) // (2 if names == "equal" else 1)
        stream = Fixed(b"sixteen bytes or more", entities=ids).stream("age")
        return GaussianNoise(privacy=1.0).disguise(truth, AGE, stream)

    def check():
        check_records_independent(
            GaussianNoise(privacy=1.0), AGE, disguise=disguised, confidence=CONFIDENCE
        )

    if names == "different":
        check()
    else:
        with pytest.raises(MechanismCheckError, match="draw noise afresh"):
            check()


def _spec(*, group=None):
    answer = Categorical([NO, YES], mechanism=Warner(keep=0.8, group=group))
    return Specification(
        {
            "age": Numeric(20, 80, mechanism=LaplaceNoise(epsilon=1)),
            "salary": Numeric(0, 1000, mechanism=GaussianNoise(privacy=0.5)),
            "hired": Date("2024-01-01", "2024-12-31", mechanism=GaussianNoise(sd=30)),
            "colour": Categorical(["red", "green"], mechanism=RandomizedResponse(epsilon=1)),
            "smoker": answer,
            "drinker": answer,
            "town": Categorical(["a", "b"]),
        }
    )


def test_attributes_are_independent_unless_they_share_a_coin():
    check_attributes_independent(_spec(group="health"), confidence=CONFIDENCE)


def test_a_coin_that_is_shared_unasked_is_caught():
    def shared(X, spec):
        return disguise(X, Specification({n: _spec(group="health")[n] for n in spec.attributes}))

    with pytest.raises(MechanismCheckError, match=r"attributes\.(smoker|drinker): expected noise"):
        check_attributes_independent(_spec(), disguise=shared)


def test_noise_that_two_attributes_share_is_caught():
    def shared(X, spec):
        table = disguise(X, spec)
        key = Cryptographic()
        for place, column in enumerate(["age", "salary"]):
            truth = X[column].to_numpy()
            reports = spec[column].mechanism.disguise(truth, spec[column], key.stream("same"))
            table = table.set_column(place, column, [reports])
        return table

    with pytest.raises(MechanismCheckError, match=r"attributes\.(age|salary): expected noise"):
        check_attributes_independent(_spec(), disguise=shared)
