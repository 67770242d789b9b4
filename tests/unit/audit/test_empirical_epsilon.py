import json
import math

import pytest

from scumble import Categorical, Date, Numeric
from scumble.audit import EmpiricalEpsilon, empirical_epsilon
from scumble.errors import SpecificationError
from scumble.mechanisms import GaussianNoise, Identity, Warner, Withheld

ANSWER = Categorical(["no", "yes"])


@pytest.mark.parametrize(
    ("mechanism", "domain"),
    [
        (Warner(keep=0.8), ANSWER),
        (GaussianNoise(sd=30), Date("2024-01-01", "2024-12-31")),
        (Withheld(), Numeric(0, 1)),
    ],
)
def test_a_result_is_written_as_json(mechanism, domain):
    seen = empirical_epsilon(mechanism, domain, samples=2000)

    written = json.loads(json.dumps(seen.to_dict(), allow_nan=False))

    assert written["bound"] == seen.bound
    assert written["claimed"] == ("inf" if math.isinf(seen.claimed) else seen.claimed)
    assert written["contradictions"] == []
    assert written["explanation"].endswith(".")


def test_a_seed_repeats_a_result():
    one, again = (empirical_epsilon(Warner(keep=0.8), ANSWER, samples=2000, seed=5) for _ in "ab")

    assert one == again


def test_reports_in_clear_tell_as_much_as_the_samples_can_show():
    """The bound is about the log of the number of reports that were weighed."""
    few, many = (empirical_epsilon(Identity(), ANSWER, samples=n).bound for n in (2000, 200_000))

    assert many - few == pytest.approx(math.log(100), abs=0.2)


def test_withheld_reports_tell_nothing():
    seen = empirical_epsilon(Withheld(), ANSWER, samples=2000)

    assert seen.bound == 0
    assert seen.explanation.startswith("In the reports that were drawn no two truths")


def test_a_contradiction_is_explained():
    seen = EmpiricalEpsilon(
        mechanism="laplace",
        bound=3.0,
        claimed=1.0,
        event="the last bits of the report",
        truths=(20.0, 80.0),
        contradictions=("the last bits of the report",),
        confidence=0.999,
        samples=1000,
    )

    assert seen.contradicted
    assert "but by the last bits of the report more is told" in seen.explanation


@pytest.mark.parametrize("options", [{"samples": 10}, {"confidence": 1}])
def test_odd_options_are_refused(options):
    with pytest.raises(SpecificationError):
        empirical_epsilon(Warner(keep=0.8), ANSWER, **options)
