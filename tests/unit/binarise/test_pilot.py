"""Where to cut, found on reports alone."""

import datetime
import warnings

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from error_texts import all_texts

from scumble import (
    Categorical,
    Coding,
    Date,
    Numeric,
    Specification,
    binary_specification,
    disguise,
)
from scumble.binarise._pilot import Pilot
from scumble.errors import DomainError, ScumbleWarning, SpecificationError
from scumble.mechanisms import GaussianNoise, RandomizedResponse, UniformNoise, Warner
from scumble.tables import Table

TOWNS = ("Rome", "Oslo", "Bergen", "Paris")
KEEP = RandomizedResponse(keep=0.5)


def _pilot(n=20_000, seed=1):
    """Return people whose class hangs on each column alike: the first half of each is mostly ill.

    A cut beside the best one loses a tenth of the gain or more: with 20,000 reports twelve
    standard errors of it, in each column.
    """
    rng = np.random.default_rng(seed)
    ill = rng.random(n) < 0.5
    half = ill ^ (rng.random(n) < 0.1)
    day = datetime.date(1960, 1, 1).toordinal()
    return pd.DataFrame({
        "age": np.where(half, rng.uniform(20, 40, n), rng.uniform(40, 80, n)),
        "born": [datetime.date.fromordinal(day + int(d))
                 for d in np.where(half, rng.integers(0, 3000, n), rng.integers(3000, 10000, n))],
        "pay": np.where(half, rng.uniform(0, 20, n), rng.uniform(20, 50, n)),
        "town": np.where(half, rng.choice(["Rome", "Bergen"], n), rng.choice(["Oslo", "Paris"], n)),
        "size": np.where(half, rng.choice(["s", "m"], n), rng.choice(["l", "xl"], n)),
        "home": np.where(half, rng.choice(["a", "b", "c"], n), rng.choice(["d", "e"], n)),
        "ill": np.where(ill, "yes", "no"),
    })  # fmt: skip


def _domains(mechanism=None, noise=None, label=None):
    homes = Coding(lists=[["a"], ["d", "e"], ["b", "c"]])
    return {
        "age": Numeric(20, 80, mechanism=noise),
        "born": Date("1960-01-01", "1987-05-18", mechanism=noise),
        "pay": Categorical(list("12345"), coding=Coding(cuts=[10, 20, 30, 40]),
                           mechanism=mechanism),
        "town": Categorical(TOWNS, mechanism=mechanism),
        "size": Categorical(["s", "m", "l", "xl"], ordered=True, mechanism=mechanism),
        "home": Categorical(["x", "y", "z"], coding=homes, mechanism=mechanism),
        "ill": Categorical(["no", "yes"], mechanism=label),
    }  # fmt: skip


@pytest.mark.parametrize("kind", [pa.Table.from_pandas, pd.DataFrame, pl.DataFrame])
@pytest.mark.parametrize("label", [None, Warner(keep=0.8)], ids=["class in clear", "disguised"])
def test_reports_tell_where_the_class_changes(kind, label):
    declared = Specification(
        _domains(KEEP, UniformNoise(privacy=0.5), label), class_attribute="ill"
    )
    reports = disguise(kind(_pilot()), declared, seed=2)

    with warnings.catch_warnings():
        # Nothing is read but reports: nothing to allow, and nothing to warn of.
        warnings.simplefilter("error", ScumbleWarning)
        spec = binary_specification(reports, cut="gain", domains=declared)

    assert spec["age"].coding.cuts[0] == pytest.approx(40, abs=1.5)
    assert spec["born"].coding.cuts[0] == pytest.approx(-3653 + 3000, abs=250)
    assert spec["pay"].values == ("<= 20", "> 20")
    assert {frozenset(own) for own in spec["town"].coding.lists} == {
        frozenset({"Rome", "Bergen"}),
        frozenset({"Oslo", "Paris"}),
    }
    assert spec["size"].values == ("s..m", "l..xl")
    assert {frozenset(own) for own in spec["home"].coding.lists} == {
        frozenset("abc"),
        frozenset("de"),
    }
    assert spec["ill"] == Categorical(["no", "yes"])
    assert spec.class_attribute == "ill"
    assert Specification.from_dict(spec.to_dict()) == spec


def test_counts_behind_reports_are_those_of_truths():
    """Within five standard errors of 40,000 reports; what is reported is further off."""
    people = _pilot(40_000)
    declared = _domains(KEEP, GaussianNoise(privacy=0.5), Warner(keep=0.8))
    reports = disguise(people, Specification(declared, class_attribute="ill"), seed=3)

    cells, counts = Pilot.of(Table(reports), declared, "ill").behind["town"]

    truth = pd.crosstab(people["town"], people["ill"]).loc[list(cells.values)].to_numpy()
    told = pd.crosstab(reports["town"], reports["ill"]).loc[list(cells.values)].to_numpy()
    # The variance of an inverted count is n q (1 - q) times the squared row of the inverse.
    matrix = np.kron(
        KEEP.channel(declared["town"]).matrix, Warner(keep=0.8).channel(declared["ill"]).matrix
    )
    error = np.sqrt((np.linalg.inv(matrix) ** 2).T @ told.ravel()).reshape(truth.shape)
    assert (np.abs(counts - truth) < 5 * error).all()
    assert (np.abs(told - truth) > 5 * error).any()


def test_what_tells_nothing_is_cut_at_its_median():
    domains = {"x": Categorical(["a", "b", "c", "d"], mechanism=KEEP), "ill": Categorical([0, 1])}
    reports = pa.table({"x": ["a", "b", "c", "d"] * 20, "ill": [0] * 40 + [1] * 40})

    spec = binary_specification(reports, cut="gain", domains=domains, class_attribute="ill")

    assert spec["x"].coding.lists == (("a", "b"), ("c", "d"))


def test_reports_that_are_missing_do_not_count():
    """Ten values of which few are known, and tell nothing: cut near the median, not by noise."""
    values = [f"v{k}" for k in range(10)]
    domain = Categorical(values, mechanism=RandomizedResponse(keep=0.9))
    domains = {"x": domain, "ill": Categorical(["no", "yes"])}
    for seed in range(10):
        rng = np.random.default_rng(seed)
        truths = rng.choice(values, 20_000).astype(object)
        truths[200:] = None
        people = pa.table({"x": list(truths), "ill": rng.choice(["no", "yes"], 20_000)})
        reports = disguise(people, Specification(domains, class_attribute="ill"), seed=seed)

        spec = binary_specification(reports, cut="gain", domains=domains, class_attribute="ill")

        assert 4 <= len(spec["x"].coding.lists[0]) <= 7


def test_what_lies_at_a_declared_point_is_cut_off_there():
    noise = UniformNoise(privacy=0.001)
    ill = Categorical(["no", "yes"])
    for at, others in ((0, (15, 45)), (900, (400, 880))):
        pay = Numeric(0, 1000, atoms=[at], mechanism=noise)
        rng = np.random.default_rng(6)
        some = rng.random(2000) < 0.5
        people = pa.table({
            "pay": np.where(some, at, rng.uniform(*others, 2000)),
            "ill": np.where(some, "no", "yes"),
        })  # fmt: skip
        declared = Specification({"pay": pay, "ill": ill}, class_attribute="ill")

        spec = binary_specification(
            disguise(people, declared, seed=7), cut="gain", domains=declared
        )

        sides = spec["pay"].conform(people["pay"].to_numpy())
        assert (sides == sides[some][0])[some].all()
        assert (sides[~some] != sides[some][0]).mean() > 0.97


def test_a_stated_order_is_cut_in_it():
    domains = _domains(KEEP, UniformNoise(privacy=0.5))
    reports = disguise(_pilot(), Specification(domains, class_attribute="ill"), seed=4)
    options = {"cut": "gain", "domains": domains, "class_attribute": "ill"}

    order = ["Oslo", "Paris", "Rome", "Bergen"]
    for stated in (order, np.array(order)):
        spec = binary_specification(reports, orders={"town": stated}, **options)

        assert spec["town"].values == ("Oslo..Paris", "Rome..Bergen")
    with pytest.raises(SpecificationError, match=r"attributes\.age: expected no order"):
        binary_specification(reports, orders={"age": [1, 2]}, **options)
    with pytest.raises(SpecificationError, match=r"attributes\.town: expected the values of"):
        binary_specification(reports, orders={"town": ["Oslo", "Rome"]}, **options)


def test_a_column_in_clear_is_read_only_where_that_is_allowed():
    domains = _domains(KEEP, UniformNoise(privacy=0.5)) | {"age": Numeric(20, 80)}
    reports = disguise(_pilot(), Specification(domains, class_attribute="ill"), seed=5)
    options = {"cut": "gain", "domains": domains, "class_attribute": "ill"}

    with pytest.raises(SpecificationError, match=r"attributes\.age: expected infer=True"):
        binary_specification(reports, **options)
    with pytest.warns(ScumbleWarning, match="of 7 columns were read"):
        spec = binary_specification(reports, infer=True, **options)

    assert spec["age"].coding.cuts[0] == pytest.approx(40, abs=0.1)


@pytest.mark.parametrize(
    ("columns", "options", "error", "message"),
    [
        ({}, {"class_attribute": None}, SpecificationError,
         "^class_attribute: expected the reports with the class"),
        ({}, {"cut": "median"}, SpecificationError,
         r"attributes\.x: expected no mechanism in domains; .* or take cut='gain'"),
        ({"x": ["a", "SECRET"]}, {}, DomainError, "^column 'x': 1 of 2 values are not among"),
        ({"x": [None, None]}, {}, SpecificationError,
         r"attributes\.x: expected some reports of people whose class is known, got none"),
        ({"ill": pa.array([None, None], pa.int64())}, {}, SpecificationError,
         r"attributes\.x: expected some reports of people whose class is known, got none"),
        ({"ill": [0, 7]}, {}, DomainError, "^column 'ill': 1 of 2 values are not among"),
    ],
    ids=["no class", "median", "a report of no kind", "no report", "no class known",
         "a class of no kind"],
)  # fmt: skip
def test_wrong_pilots_are_refused(columns, options, error, message):
    coin = Warner(keep=0.7)
    domains = {"x": Categorical(["a", "b"], mechanism=coin), "ill": Categorical([0, 1])}
    reports = pa.table({"x": ["a", "b"], "ill": [0, 1]} | columns)
    given = {"cut": "gain", "domains": domains, "class_attribute": "ill"} | options

    with pytest.raises(error, match=message) as caught:
        binary_specification(reports, **given)

    assert "SECRET" not in all_texts(caught.value)
