import json

import numpy as np
import pandas as pd
import pytest
from error_texts import all_texts

from scumble import Categorical, Criteria, Date, Numeric, Specification, Text, disguise
from scumble.audit import posteriors
from scumble.errors import DomainError, SpecificationError
from scumble.mechanisms import (
    GaussianNoise,
    RandomizedResponse,
    UniformNoise,
    ValueClasses,
    Warner,
)

N = 20_000


def _uniform(low, high, seed=1, n=N):
    return np.random.default_rng(seed).uniform(low, high, n)


def _of(domain, truth, *, seed=2, **options):
    spec = Specification({"x": domain})
    return posteriors(disguise(pd.DataFrame({"x": truth}), spec, seed=seed), spec, **options)["x"]


def test_uniform_noise_shows_truths_at_the_edge_of_the_domain():
    """A report that only an extreme truth can have made pins it down; one in the middle not."""
    row = _of(Numeric(0, 100, mechanism=UniformNoise(half_width=25)), _uniform(0, 100))

    assert row.widths.quantiles()[0.5] == pytest.approx(0.95 * 50, rel=0.03)
    assert row.widths.values.min() < 3
    # Truth and noise add up to less than w - 25 with probability w^2 / (2 * 100 * 50), twice.
    assert row.exposed_share(10.0) == pytest.approx(2 * (10 / 0.95) ** 2 / 10_000, rel=0.2)


def test_gaussian_noise_in_a_wide_domain_leaves_the_interval_that_it_promises():
    row = _of(Numeric(0, 100, mechanism=GaussianNoise(sd=3)), _uniform(0, 100))

    assert row.widths.quantiles()[0.5] == pytest.approx(3.92 * 3, rel=0.05)
    assert row.pinned[0.05] < row.pinned[0.25] == 1
    assert row.exposed_share(0.0) == 0
    assert row.exposed_share(101.0) == 1


def test_the_interval_holds_as_many_truths_as_it_says_and_the_guess_is_as_good():
    """The best interval of a tenth of the range, tried on the truths themselves."""
    truth = 100 * np.random.default_rng(3).beta(2, 5, 50_000)
    noise = UniformNoise(half_width=20)

    row = _of(Numeric(0, 100, mechanism=noise), truth, within=0.1)

    # Behind a report the truths are those within 20 of it, with their own density.
    reports = truth + np.random.default_rng(4).uniform(-20, 20, len(truth))
    grid = np.arange(0, 100.1, 2)
    density = np.histogram(truth, bins=np.arange(0, 100.5, 0.5))[0]
    middles = np.arange(0.25, 100, 0.5)
    hits = 0
    for report, own in zip(reports[:4000], truth[:4000], strict=True):
        near = density * (np.abs(middles - report) < 20)
        upto = np.append(0, np.cumsum(near))
        start = grid[np.argmax(np.interp(grid + 10, np.arange(0, 100.5, 0.5), upto)
                     - np.interp(grid, np.arange(0, 100.5, 0.5), upto))]  # fmt: skip
        hits += start <= own <= start + 10
    # Error rate about 1e-6: five standard errors, and a little for the coarse grid.
    assert row.mean_guess == pytest.approx(hits / 4000, abs=5 * np.sqrt(0.25 / 4000) + 0.01)
    assert row.base_guess < row.mean_guess


def test_categories_are_guessed_as_often_as_bayes_says():
    truth = np.random.default_rng(5).choice(["a", "b", "c"], N, p=[0.7, 0.2, 0.1])
    domain = Categorical(["a", "b", "c"], mechanism=RandomizedResponse(keep=0.6))

    row = _of(domain, truth)

    # Reports of a, b and c: the likeliest truth behind each times how often both occur.
    expected = 0.7 * 0.6 + max(0.7 * 0.2, 0.2 * 0.6) + max(0.7 * 0.2, 0.1 * 0.6)
    assert row.mean_guess == pytest.approx(expected, abs=0.02)
    assert row.base_guess == pytest.approx(0.7, abs=0.03)
    assert row.unchanged == pytest.approx(0.6)
    assert (row.widths, row.pinned, row.smallest_group, row.exposed) == (None, None, None, 0)
    with pytest.raises(SpecificationError, match="expected a number or a date"):
        row.exposed_share(1.0)


def test_an_almost_sure_coin_exposes_everyone():
    truth = np.random.default_rng(5).choice(["no", "yes"], N)

    row = _of(Categorical(["no", "yes"], mechanism=Warner(keep=0.99)), truth)

    assert row.exposed == 1
    assert "almost certain for 100 %" in row.explanation


def test_value_classes_have_groups_and_small_ones_are_counted():
    spec = Specification(
        {"age": Numeric(0, 100, mechanism=ValueClasses(cuts=[50, 90]))},
        release=Criteria(minimum_group=5),
    )
    truth = pd.DataFrame({"age": [10.0] * 40 + [60.0] * 8 + [95.0] * 3 + [None]})

    row = posteriors(disguise(truth, spec), spec)["age"]

    assert (row.smallest_group, row.in_small_groups) == (3, 3)
    assert (row.records, row.missing) == (51, 1)
    assert row.exposed_share(10.0) == pytest.approx(3 / 51)


def test_whole_numbers_that_are_known_exactly_have_no_width():
    domain = Numeric(0, 9, step=1, mechanism=UniformNoise(half_width=0.6, grid=0.1))

    row = _of(domain, np.random.default_rng(1).integers(0, 10, N).astype(float))

    assert row.widths.quantiles()[0.05] == 0
    # A report is at most 0.4 from its truth, and so from no other, two times in three.
    assert row.pinned[0.01] == pytest.approx(2 / 3, abs=0.1)


def test_dates_are_told_in_days():
    days = pd.to_datetime("2000-01-01") + pd.to_timedelta(
        np.random.default_rng(1).integers(0, 3000, N), unit="D"
    )

    row = _of(Date("2000-01-01", "2008-12-31", mechanism=GaussianNoise(sd=100)), days)

    assert row.widths.quantiles()[0.5] == pytest.approx(392, rel=0.06)
    assert "days" in row.explanation


def test_records_of_independent_attributes_are_guessed_with_the_product():
    answer = Categorical(["no", "yes"], mechanism=Warner(keep=0.8))
    spec = Specification({"a": answer, "b": answer, "town": Categorical(["x", "y"]), "t": Text()})
    rng = np.random.default_rng(1)
    table = {name: rng.choice(["no", "yes"], N) for name in "ab"}
    table |= {"town": np.full(N, "x"), "t": np.full(N, "secret")}

    found = posteriors(disguise(pd.DataFrame(table), spec, seed=1), spec)

    assert found.record.attributes == ("a", "b")
    assert found.record.mean_guess == pytest.approx(0.64, abs=0.02)
    assert found.record.guessed == {0.5: 1.0, 0.95: 0.0}
    assert "independent" in found.explanation
    assert set(found.exposed_share(0.1)) == set()


def test_a_record_is_pinned_down_where_one_of_its_numbers_is():
    edge = Numeric(0, 100, mechanism=UniformNoise(half_width=25))
    spec = Specification({"a": edge, "b": edge})
    truth = pd.DataFrame({"a": _uniform(0, 100, 1), "b": _uniform(0, 100, 2)})

    found = posteriors(disguise(truth, spec, seed=3), spec)

    alone = found.exposed_share(0.1)
    both = 1 - (1 - alone["a"]) * (1 - alone["b"])
    assert found.record.pinned[0.1] == pytest.approx(both, abs=0.005)


def test_a_missing_report_leaves_the_guess_of_the_crowd():
    answer = Categorical(["no", "yes"], mechanism=Warner(keep=0.9))
    spec = Specification({"a": answer})
    reports = pd.DataFrame({"a": ["no"] * 500 + ["yes"] * 500 + [None] * 1000})

    found = posteriors(reports, spec)

    assert found["a"].missing == 1000
    assert found.record.mean_guess == pytest.approx((0.9 + 0.5) / 2, abs=0.01)


def test_everything_is_plain_in_json():
    spec = Specification({"x": Numeric(0, 1, mechanism=GaussianNoise(sd=1))})
    found = posteriors(disguise(_uniform(0, 1)[:, None], spec, seed=1), spec)

    given = json.loads(json.dumps(found.to_dict(), allow_nan=False))

    assert given["attributes"][0]["pinned"]["0.05"] == 0
    assert given["record"]["explanation"].startswith("Whole records")


def test_what_is_not_disguised_by_a_mechanism_cannot_be_asked_for():
    spec = Specification({"x": Numeric(0, 1), "y": Numeric(0, 1, mechanism=GaussianNoise(sd=1))})
    table = pd.DataFrame({"x": [0.5], "y": [0.5]})

    with pytest.raises(SpecificationError, match="names: expected"):
        posteriors(table, spec, names=["x"])
    with pytest.raises(SpecificationError, match="names: expected"):
        posteriors(table[["x"]], Specification({"x": Numeric(0, 1)}))
    with pytest.raises(SpecificationError, match="no disguised attribute"):
        posteriors(table, spec)["x"]
    with pytest.raises(SpecificationError, match="at least one record"):
        posteriors(table[:0], spec)


def test_an_error_counts_records_and_shows_none():
    spec = Specification({"age": Numeric(0, 100, mechanism=ValueClasses(count=4))})

    with pytest.raises(DomainError, match="column 'age': 1 of 2 reports") as caught:
        posteriors(pd.DataFrame({"age": [12.5, 77.7]}), spec)

    assert "77.7" not in all_texts(caught.value)


def test_a_shared_coin_is_told_by_all_reports_of_its_group():
    """Twelve answers that are mostly no: reports that are mostly yes tell how the coin fell."""
    names = [f"q{place}" for place in range(12)]
    shared = Categorical(["no", "yes"], mechanism=Warner(keep=0.7, group="all"))
    own = Categorical(["no", "yes"], mechanism=Warner(keep=0.7))
    truth = np.where(np.random.default_rng(0).random((4000, 12)) < 0.1, "yes", "no").astype(object)

    found = {}
    for kind, attribute in (("shared", shared), ("own", own)):
        spec = Specification(dict.fromkeys(names, attribute))
        found[kind] = posteriors(disguise(truth, spec, seed=1), spec)["q0"]

    assert found["own"].exposed < 0.8
    assert found["shared"].exposed > 0.9
