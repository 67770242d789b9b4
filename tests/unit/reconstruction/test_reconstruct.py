import datetime

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from mechanism_cases import ALL

from scumble import Categorical, Date, Numeric, Specification, Text, disguise, reconstruct
from scumble.engines import Counts
from scumble.entropy import Seeded
from scumble.errors import (
    ConvergenceWarning,
    DomainError,
    ReconstructionError,
    SpecificationError,
)
from scumble.mechanisms import (
    GaussianNoise,
    LaplaceNoise,
    RandomizedResponse,
    UniformNoise,
    Withheld,
)
from scumble.reconstruction import EM, Bayes, reconstruct_counts
from scumble.schema import Cells, Channel

UNIT = Numeric(0, 1)
NOISE = GaussianNoise(sd=0.2)
METHODS = ["auto", "bayes", "em", "ems", "inversion", "penalised"]


def _reports(n=2000, mechanism=NOISE, domain=UNIT):
    truth = np.random.default_rng(0).beta(5, 2, n)
    return mechanism.disguise(truth, domain, Seeded(1).stream("x"))


CASES = [
    pytest.param(mechanism, domain, method, id=f"{mechanism.name}-{domain.kind}-{method}")
    for mechanism, domain in ALL
    for method in METHODS
    if mechanism.name != "withheld" and (method, domain.kind) != ("penalised", "categorical")
]


@pytest.mark.parametrize(("mechanism", "domain", "method"), CASES)
def test_every_method_works_through_every_channel(mechanism, domain, method):
    channel = mechanism.channel(domain)
    truth = np.random.default_rng(0).dirichlet(np.ones(len(channel.truth)))
    counts = np.random.default_rng(1).multinomial(20_000, truth @ channel.matrix)

    found = reconstruct_counts(Counts(counts, missing=0), channel, method=method)

    assert found.shares.shape == truth.shape
    assert found.shares.min() >= 0
    assert found.shares.sum() == pytest.approx(1)
    assert np.isfinite(found.log_likelihood)
    assert found.iterations >= 0


@pytest.mark.parametrize(
    "column", [np.asarray, list, pd.Series, pl.Series, pa.array, lambda x: pa.chunked_array([x])]
)
def test_any_column_of_reports_goes_in(column):
    reports = _reports()

    found = reconstruct(column(reports), NOISE, domain=UNIT, method="bayes")

    assert np.array_equal(
        found.shares, reconstruct(reports, NOISE, domain=UNIT, method="bayes").shares
    )


@pytest.mark.parametrize("column", [pd.Series, pl.Series, pa.array, list])
def test_any_column_of_categories_goes_in(column):
    found = reconstruct(
        column(["a", "b", None, "b"]), RandomizedResponse(keep=0.9), domain=Categorical(["a", "b"])
    )

    assert found.missing == 1
    assert found.counts.cells.tolist() == [1, 2]


def test_an_attribute_brings_its_domain():
    spec = Specification({"x": Numeric(0, 1, mechanism=NOISE)})
    truth = pa.table({"x": np.random.default_rng(0).beta(5, 2, 1000)})
    reports = disguise(truth, spec, seed=1)

    one = reconstruct(reports["x"], spec["x"], method="bayes")
    other = reconstruct(reports["x"], NOISE, domain=UNIT, method="bayes")

    assert np.array_equal(one.shares, other.shares)


def test_a_public_attribute_is_counted_as_it_is():
    found = reconstruct(["a", "b", "b", None], Categorical(["a", "b"]))

    assert found.shares.tolist() == pytest.approx([1 / 3, 2 / 3])


def test_missing_reports_are_counted_and_left_aside():
    reports = _reports()

    found = reconstruct(np.append(reports, [np.nan] * 7), NOISE, domain=UNIT, method="em")

    assert found.missing == 7
    assert found.counts.total == 2000


def test_the_published_rule_takes_the_published_number_of_intervals():
    assert len(reconstruct(_reports(2000), NOISE, domain=UNIT, method="bayes").cells) == 20
    assert len(reconstruct(_reports(50), NOISE, domain=UNIT, method="bayes").cells) == 10
    assert len(reconstruct(_reports(2000), NOISE, domain=UNIT).cells) == 100


def test_cells_can_be_chosen():
    assert len(reconstruct(_reports(), NOISE, domain=UNIT, cells=40, method="em").cells) == 40


@pytest.mark.parametrize("method", METHODS)
def test_a_single_report_gives_a_sensible_answer(method):
    found = reconstruct([0.4], NOISE, domain=UNIT, method=method)

    assert found.shares.sum() == pytest.approx(1)
    assert 0 <= found.mean <= 1
    lower, upper = found.band()
    assert (lower <= upper).all()


@pytest.mark.parametrize("method", METHODS)
def test_reports_that_are_all_alike_give_a_sensible_answer(method):
    found = reconstruct([0.4] * 500, NOISE, domain=UNIT, method=method)

    assert np.isfinite(found.shares).all()
    assert found.shares.sum() == pytest.approx(1)


@pytest.mark.parametrize("reports", [[], [np.nan, np.nan]])
def test_no_reports_are_an_error(reports):
    with pytest.raises(ReconstructionError, match="expected at least one, got none"):
        reconstruct(reports, NOISE, domain=UNIT)


def test_a_table_instead_of_a_column_is_an_error():
    with pytest.raises(ReconstructionError, match="one column"):
        reconstruct(np.zeros((3, 2)), NOISE, domain=UNIT)


def test_a_mechanism_without_a_domain_is_an_error():
    with pytest.raises(ReconstructionError, match=r"domain: missing.*Numeric\(low, high\)"):
        reconstruct([0.5], NOISE)


def test_an_unknown_method_is_suggested():
    with pytest.raises(ReconstructionError, match="did you mean 'bayes'"):
        reconstruct([0.5], NOISE, domain=UNIT, method="bays")


def test_a_withheld_attribute_cannot_be_reconstructed():
    with pytest.raises(ReconstructionError, match="withheld"):
        reconstruct([np.nan], Withheld(), domain=UNIT)


def test_reports_outside_the_report_domain_are_an_error_and_not_clamped():
    with pytest.raises(DomainError, match="1 of 2 values lie outside"):
        reconstruct([0.5, 7.25], UniformNoise(half_width=0.5), domain=UNIT)


def test_counts_for_another_channel_are_an_error():
    channel = UniformNoise(half_width=0.1).channel(UNIT)

    with pytest.raises(ReconstructionError, match=r"expected \d+ report cells, got 3"):
        reconstruct_counts(Counts(np.ones(3, dtype=int), missing=0), channel)


def test_counts_that_no_truth_can_cause_are_an_error():
    """Reports of the whole range, with truths declared in its lower half only."""
    noise = UniformNoise(half_width=0.1)
    channel = noise.channel(UNIT)
    narrow = Channel(Numeric(0, 0.5).cells(), channel.report, channel.rows)
    counts = Counts(np.ones(len(channel.report), dtype=int), missing=0)

    with pytest.raises(ReconstructionError, match="cannot come from any truth"):
        reconstruct_counts(counts, narrow)


def test_a_mechanism_for_another_kind_of_domain_is_an_error():
    with pytest.raises(SpecificationError, match="disguises categorical attributes"):
        reconstruct([0.5], RandomizedResponse(keep=0.9), domain=UNIT)


@pytest.mark.parametrize("cells", [0, -3, 2.5, True, Cells.between([0, np.inf])])
def test_cells_that_make_no_sense_are_an_error(cells):
    with pytest.raises(ReconstructionError, match="cells: expected"):
        reconstruct([0.5], NOISE, domain=UNIT, cells=cells)


@pytest.mark.parametrize("mechanism", ["gaussian", None])
def test_what_is_no_mechanism_is_an_error(mechanism):
    with pytest.raises(ReconstructionError, match="expected a mechanism or an attribute"):
        reconstruct([0.5], mechanism, domain=UNIT)


@pytest.mark.parametrize("method", [5, EM])
def test_what_is_no_method_is_an_error(method):
    with pytest.raises(ReconstructionError, match="method: expected a name or a method"):
        reconstruct([0.5], NOISE, domain=UNIT, method=method)


def test_an_attribute_and_another_domain_are_an_error():
    with pytest.raises(ReconstructionError, match="expected none beside an attribute"):
        reconstruct([0.5], Numeric(0, 1, mechanism=NOISE), domain=Numeric(0, 2))


def test_numeric_cells_for_categories_are_an_error():
    domain = Categorical(["a", "b"])

    with pytest.raises(ReconstructionError, match="for a numeric attribute"):
        reconstruct(["a"], RandomizedResponse(keep=0.9), domain=domain, cells=UNIT.cells())


@pytest.mark.parametrize("method", ["auto", "inversion"])
def test_the_band_of_categories_covers_with_few_reports(method):
    """2,000 samples of 30 reports: shares covered at least 93 % of the time, each."""
    domain = Categorical(list("abcd"))
    channel = RandomizedResponse(keep=0.7).channel(domain)
    truth = np.array([0.97, 0.01, 0.01, 0.01])
    samples = np.random.default_rng(0).multinomial(30, truth @ channel.matrix, 2000)
    inside = []
    for sample in samples:
        lower, upper = reconstruct_counts(Counts(sample, missing=0), channel, method=method).band()
        inside.append((lower <= truth) & (truth <= upper))

    assert np.mean(inside, axis=0).min() > 0.93


def test_a_single_report_of_a_category_leaves_a_wide_band():
    domain = Categorical(list("abcd"))

    lower, upper = reconstruct(["a"], RandomizedResponse(keep=0.7), domain=domain).band()

    assert (upper - lower).min() > 0.4


def test_a_ragged_list_is_no_column():
    with pytest.raises(ReconstructionError, match="one column"):
        reconstruct([[0.5], [0.5, 0.6]], NOISE, domain=UNIT)


def test_an_infinite_report_is_outside():
    with pytest.raises(DomainError, match="1 of 1"):
        reconstruct([np.inf], NOISE, domain=UNIT)


def test_stopping_early_warns():
    with pytest.warns(ConvergenceWarning, match="'em' stopped after 2 iterations"):
        reconstruct(_reports(), NOISE, domain=UNIT, method=EM(most=2))


def test_a_method_can_be_given_with_its_parameters():
    loose = reconstruct(_reports(), NOISE, domain=UNIT, method=Bayes(tolerance=0.1))
    tight = reconstruct(_reports(), NOISE, domain=UNIT, method=Bayes(tolerance=0.0001))

    assert loose.iterations < tight.iterations
    assert loose.log_likelihood < tight.log_likelihood


def test_dates_are_reconstructed_as_dates():
    born = Date("1940-01-01", "2009-12-31", mechanism=GaussianNoise(privacy=0.25))
    days = np.random.default_rng(1).normal(0, 2000, 5000).clip(born.low, born.high)
    truth = pa.table({"born": days.astype("datetime64[D]")})

    found = reconstruct(disguise(truth, Specification({"born": born}), seed=2)["born"], born)

    assert isinstance(found.mean, datetime.date)
    assert abs(found.mean - datetime.date(1970, 1, 1)) < datetime.timedelta(300)
    assert abs(found.sd - 2000) < 300
    assert found.quantile([0.1, 0.5, 0.9]).dtype == np.dtype("datetime64[D]")
    assert found.cdf("1970-01-01").shape == ()
    assert found.cdf(["1950-01-01", "2000-01-01"]).round(1).tolist() == [0, 1]
    assert found.wasserstein(truth["born"]) < 300


def test_noise_beyond_the_calendar_is_cut_off_and_leads_nobody_astray():
    born = Date("1940-01-01", "2009-12-31", mechanism=LaplaceNoise(epsilon=0.1))
    truth = pa.table({"born": ["1984-03-02"] * 20_000})

    reports = disguise(truth, Specification({"born": born}), seed=1)["born"]

    # The scale is 700 years: one in 34 is noise of more than 2,000 years, one in 1e254 runs none.
    assert "0001-01-01" in reports.to_pylist()
    found = reconstruct(reports, born)
    assert found.missing == 0
    assert found.counts.total == 20_000


def test_few_dates_have_a_cell_each():
    hired = Date("2024-01-01", "2024-01-31", mechanism=UniformNoise(half_width=2))
    truth = pa.table({"hired": ["2024-01-05"] * 500 + ["2024-01-20"] * 500})

    reports = disguise(truth, Specification({"hired": hired}), seed=1)
    found = reconstruct(reports["hired"], hired, method="em")

    assert len(found.shares) == 31
    assert found.shares[[4, 19]].sum() > 0.8


def test_a_picture_of_dates_has_dates_below(tmp_path):
    born = Date("1940-01-01", "2009-12-31", mechanism=GaussianNoise(privacy=0.25))
    truth = pa.table({"born": ["1960-03-02", "1984-03-02"] * 500})
    found = reconstruct(disguise(truth, Specification({"born": born}), seed=1)["born"], born)

    ax = found.plot(truth=truth["born"])

    ax.figure.canvas.draw()
    labels = [label.get_text() for label in ax.get_xticklabels()]
    assert "1980" in labels or "1984" in labels


def test_text_is_not_reconstructed():
    with pytest.raises(ReconstructionError, match=r"got a text attribute") as caught:
        reconstruct(["x"], Text())

    assert "\n" not in str(caught.value)
