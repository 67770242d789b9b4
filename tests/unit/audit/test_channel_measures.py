import json
import math
from dataclasses import replace

import numpy as np
import pytest
from mechanism_cases import ALL, COMMISSION, name

from scumble import Categorical, Date, Numeric, Text
from scumble.audit import channel_measures, worst_posterior
from scumble.errors import SpecificationError
from scumble.mechanisms import (
    GaussianNoise,
    LaplaceNoise,
    RandomizedResponse,
    UniformNoise,
    Warner,
)
from scumble.schema import with_mechanism
from scumble.treatments import Shuffle

ANSWER = Categorical(["no", "yes"])
CASES = [(m, d) for m, d in ALL if type(d).__name__ != "Product"]


def _declared(domain, mechanism):
    if mechanism.name == "identity":
        return domain
    if mechanism.name == "withheld":
        return replace(domain, sensitivity="withheld")
    return with_mechanism(domain, mechanism)


def _entropy(p):
    return -p * math.log2(p) - (1 - p) * math.log2(1 - p)


def test_gaussian_noise_leaves_an_interval_of_4_standard_deviations_at_95_percent():
    measures = channel_measures(Numeric(0, 100, mechanism=GaussianNoise(sd=10)))

    half, usual, nearly_all = measures.intervals
    assert usual.width == pytest.approx(39.2, abs=0.01)
    assert usual.share == pytest.approx(0.392, abs=1e-4)
    assert (half.confidence, nearly_all.confidence) == (0.5, 0.999)
    assert half.width == pytest.approx(13.49, abs=0.01)
    assert measures.epsilon == math.inf


@pytest.mark.parametrize("keep", [0.6, 0.75, 0.99])
def test_warners_coin_tells_one_bit_less_its_own_entropy(keep):
    measures = channel_measures(with_mechanism(ANSWER, Warner(keep=keep)))

    assert measures.epsilon == pytest.approx(math.log(keep / (1 - keep)))
    assert measures.information.told == pytest.approx(1 - _entropy(keep))
    assert measures.information.remaining == pytest.approx(_entropy(keep))
    assert measures.information.privacy_loss == pytest.approx(1 - 2 ** (_entropy(keep) - 1))
    assert measures.information.equivalent == pytest.approx(2 ** _entropy(keep))
    assert measures.guess.worst == pytest.approx(keep)
    assert measures.intervals == ()


@pytest.mark.parametrize("half_width", [0.02, 0.1, 0.25, 0.5])
def test_uniform_noise_on_uniform_truths_tells_what_its_closed_form_says(half_width):
    """The sum is a trapezoid of entropy a (in nats), the noise has log 2 a."""
    told = (half_width - math.log(2 * half_width)) / math.log(2)

    found = channel_measures(Numeric(0, 1, mechanism=UniformNoise(half_width=half_width)))

    assert found.information.told == pytest.approx(told, rel=0.02)
    assert found.information.equivalent == pytest.approx(2**-told, rel=0.02)


def test_shares_say_how_uncertain_the_truth_was():
    domain = Categorical(["a", "b", "c"], mechanism=RandomizedResponse(keep=0.5))

    found = channel_measures(domain, shares=[0.5, 0.5, 0])

    assert found.information.entropy == pytest.approx(1)
    assert found.guess.base == 0.5
    # A report of c leaves the odds of a and b as they were.
    assert found.guess.worst == pytest.approx(0.5 / 0.75)


def test_shares_of_a_number_are_spread_over_finer_cells_where_the_noise_is_narrow():
    domain = Numeric(0, 1, mechanism=UniformNoise(half_width=0.01))
    shares = np.zeros(100)
    shares[:50] = 0.02

    found = channel_measures(domain, shares=shares).information

    assert found.cells > 100
    assert found.entropy == pytest.approx(math.log2(found.cells / 2))
    # The truths fill half of the range: noise of that scale tells a bit less.
    closed = (0.02 - math.log(0.04)) / math.log(2)
    assert found.told == pytest.approx(closed, rel=0.02)


def test_what_is_withheld_tells_nothing_and_what_is_public_everything():
    withheld = channel_measures(Numeric(0, 10, sensitivity="withheld"))
    public = channel_measures(Numeric(0, 10))

    assert (withheld.epsilon, withheld.information.told) == (0, 0)
    assert withheld.information.equivalent == pytest.approx(10)
    assert withheld.breach(0.05) == pytest.approx(0.05)
    assert (public.epsilon, public.information.privacy_loss) == (math.inf, 1)
    assert (public.information.equivalent, public.guess.worst, public.breach(0.05)) == (0, 1, 1)
    assert "in clear" in public.explanation


def test_a_treatment_and_a_text_have_no_channel():
    assert channel_measures(Numeric(0, 10, treatment=Shuffle())) is None
    assert channel_measures(Text()) is None


def test_without_bounds_intervals_and_epsilon_are_all_that_is_known():
    found = channel_measures(Numeric(-math.inf, math.inf, mechanism=GaussianNoise(sd=1)))

    assert found.intervals[1].width == pytest.approx(3.92, abs=0.001)
    assert (found.intervals[1].share, found.information, found.guess) == (None, None, None)
    assert set(found.sentences) == {"interval", "epsilon", "breach"}


def test_dates_are_measured_in_days():
    found = channel_measures(Date("2000-01-01", "2009-12-31", mechanism=GaussianNoise(sd=30)))

    assert "days" in found.explanation
    assert found.information.equivalent == pytest.approx(30 * math.sqrt(2 * math.pi * math.e), 0.02)


def test_ten_thousand_values_need_no_matrix():
    domain = Categorical(list(range(50_000)), mechanism=RandomizedResponse(epsilon=3))

    found = channel_measures(domain)

    assert 0 < found.information.told < 1
    assert found.guess.worst == pytest.approx(worst_posterior(1 / 50_000, epsilon=3), rel=1e-6)


@pytest.mark.parametrize(("mechanism", "domain"), CASES, ids=name)
def test_measures_keep_their_order_for_every_mechanism(mechanism, domain):
    found = channel_measures(_declared(domain, mechanism))

    told, guess = found.information, found.guess
    assert -1e-9 <= told.told <= told.entropy + 1e-9
    assert 0 <= told.privacy_loss <= 1
    assert guess.base <= guess.mean + 1e-9
    assert guess.mean <= guess.worst + 1e-9 <= 1 + 2e-9
    # No cell is likelier behind a report than epsilon allows.
    assert guess.worst <= found.breach(guess.base) + 1e-9
    assert all(text.endswith(".") for text in found.sentences.values())
    json.dumps(found.to_dict(), allow_nan=False)


def test_an_atom_is_measured_beside_its_interval():
    found = channel_measures(with_mechanism(COMMISSION, LaplaceNoise(epsilon=1)))

    assert found.information.told < 1
    assert found.to_dict()["epsilon"] == pytest.approx(1)


@pytest.mark.parametrize("shares", [[0.5, 0.5], [2, -1, 0], [0.2, 0.2, 0.2]])
def test_shares_that_are_none_are_refused(shares):
    with pytest.raises(SpecificationError, match="shares: expected"):
        channel_measures(Categorical(["a", "b", "c"]), shares=shares)
