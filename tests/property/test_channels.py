"""Laws of every channel."""

import datetime
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from mechanism_cases import AGE, ALL, COLOUR, name

from scumble import Categorical, Date, Numeric
from scumble.dates import as_dates
from scumble.entropy import Cryptographic
from scumble.mechanisms import (
    GaussianNoise,
    LaplaceNoise,
    RandomizedResponse,
    SquareWave,
    UniformNoise,
    ValueClasses,
)
from scumble.schema import Cells, mechanism_from_dict

positive = st.floats(1e-3, 1e3)
numeric_mechanisms = st.one_of(
    positive.map(lambda p: GaussianNoise(privacy=p)),
    positive.map(lambda p: UniformNoise(privacy=p)),
    positive.map(lambda p: LaplaceNoise(privacy=p)),
    st.floats(0.01, 8).map(lambda e: SquareWave(epsilon=e)),
    st.integers(1, 50).map(lambda k: ValueClasses(count=k)),
)
domains = st.tuples(st.floats(-1e6, 1e6), st.floats(1e-2, 1e6)).map(
    lambda pair: Numeric(pair[0], pair[0] + pair[1])
)
date_mechanisms = st.one_of(
    positive.map(lambda p: GaussianNoise(privacy=p)),
    st.floats(1e-3, 5).map(lambda p: UniformNoise(privacy=p)),
    positive.map(lambda p: LaplaceNoise(privacy=p)),
    st.floats(0.01, 8).map(lambda e: SquareWave(epsilon=e)),
    st.integers(1, 50).map(lambda k: ValueClasses(count=k)),
)
date_domains = st.tuples(
    st.dates(datetime.date(1600, 1, 1), datetime.date(2400, 1, 1)), st.integers(50, 50_000)
).map(lambda pair: Date(pair[0], pair[0] + datetime.timedelta(pair[1])))


@given(mechanism=numeric_mechanisms, domain=domains, count=st.integers(2, 60))
def test_rows_of_a_numeric_channel_sum_to_one(mechanism, domain, count):
    channel = mechanism.channel(domain, domain.cells(count))

    assert (channel.matrix >= 0).all()
    np.testing.assert_allclose(channel.matrix.sum(axis=1), 1, atol=1e-7)


@given(mechanism=date_mechanisms, domain=date_domains, count=st.integers(2, 60))
def test_rows_of_a_channel_of_dates_sum_to_one(mechanism, domain, count):
    channel = mechanism.channel(domain, domain.cells(count))

    assert (channel.matrix >= 0).all()
    np.testing.assert_allclose(channel.matrix.sum(axis=1), 1, atol=1e-7)


@given(mechanism=date_mechanisms, domain=date_domains)
def test_reports_of_dates_are_dates_in_the_report_domain_and_in_its_cells(mechanism, domain):
    truth = np.rint(np.linspace(domain.low, domain.high, 50))
    reported = mechanism.report_domain(domain)

    reports = mechanism.disguise(truth, domain, Cryptographic().stream("x"))
    dates = as_dates(reports, ["1990-01-01"], low=reported.low, high=reported.high)

    days = reported.conform(dates)
    assert not (reports % 1).any()
    assert (mechanism.report_cells(domain, domain.cells()).codes(days) >= 0).all()


@given(keep=st.floats(0, 1), count=st.integers(2, 40))
def test_rows_of_randomized_response_sum_to_one(keep, count):
    domain = Categorical(list(range(count)))

    matrix = RandomizedResponse(keep=keep).matrix(domain, domain, domain)

    np.testing.assert_allclose(matrix.sum(axis=1), 1, atol=1e-12)


@given(mechanism=numeric_mechanisms, domain=domains)
def test_reports_stay_in_the_report_domain_and_in_its_cells(mechanism, domain):
    truth = np.linspace(domain.low, domain.high, 50)
    reports = mechanism.disguise(truth, domain, Cryptographic().stream("x"))

    mechanism.report_domain(domain).conform(reports)
    assert (mechanism.report_cells(domain, domain.cells()).codes(reports) >= 0).all()


@given(mechanism=numeric_mechanisms)
def test_numeric_parameters_survive_json(mechanism):
    assert mechanism_from_dict(mechanism.to_dict()) == mechanism


CONTINUOUS = [(m, d) for m, d in ALL if isinstance(d, Numeric) and d.step is None]


@pytest.mark.parametrize(("mechanism", "domain"), CONTINUOUS, ids=name)
def test_a_matrix_on_wide_cells_is_the_mean_of_its_parts(mechanism, domain):
    """Integrated over cells, not taken at mid-points."""
    wide = Cells.between(np.linspace(domain.low, domain.high, 4))
    narrow = Cells.between(np.linspace(domain.low, domain.high, 3001))
    report = mechanism.report_cells(domain, domain.cells())
    if len(report) == len(domain.cells()) and mechanism.name == "identity":
        report = wide

    parts = mechanism.matrix(domain, Cells.points(narrow.middles), report)

    # The middle rule is off by the square of the width, and by one part at a jump.
    np.testing.assert_allclose(
        mechanism.matrix(domain, wide, report), parts.reshape(3, 1000, -1).mean(axis=1), atol=2e-3
    )


@given(confidence=st.floats(0.01, 0.999), privacy=positive)
def test_a_privacy_level_is_the_interval_privacy_at_its_confidence(confidence, privacy):
    for cls in (GaussianNoise, UniformNoise, LaplaceNoise):
        mechanism = cls(privacy=privacy, confidence=confidence)

        width = mechanism.interval_privacy(AGE, confidence=confidence)

        assert math.isclose(width, privacy * AGE.width, rel_tol=1e-9)


@given(epsilon=st.floats(0.01, 10))
def test_an_epsilon_asked_for_is_the_epsilon_given(epsilon):
    assert math.isclose(RandomizedResponse(epsilon=epsilon).epsilon_on(COLOUR), epsilon)
    assert math.isclose(LaplaceNoise(epsilon=epsilon).epsilon_on(AGE), epsilon)
    assert math.isclose(SquareWave(epsilon=epsilon).epsilon_on(AGE), epsilon)
