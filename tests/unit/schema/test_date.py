import datetime
import json
import pickle
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from error_texts import all_texts
from hypothesis import given
from hypothesis import strategies as st

from scumble import Categorical, Coding, Date, Numeric, Specification
from scumble.errors import DomainError, SpecificationError
from scumble.mechanisms import (
    GaussianNoise,
    MultiplicativeNoise,
    RandomizedResponse,
    SquareWave,
    UniformNoise,
    ValueClasses,
)
from scumble.schema import DayCells, own_mechanism, with_mechanism

BORN = Date("1940-01-01", "2009-12-31")
TOML = """
[attributes.born]
kind = "date"
low = 1940-01-01
high = 2009-12-31
mechanism = { name = "gaussian", sd = 365 }

[attributes.hired]
kind = "date"
low = "1990-01-01"
high = "2026-12-31"
mechanism = { name = "value-classes", cuts = [2000-01-01, 2010-01-01] }

[attributes.era]
kind = "categorical"
values = ["before", "after"]
coding = { cuts = [1989-11-09] }
"""


def _written(tmp_path, text, name="people.toml"):
    path = tmp_path / name
    path.write_text(text)
    return path


@pytest.mark.parametrize(
    "low",
    [
        datetime.date(1940, 1, 1),
        datetime.datetime(1940, 1, 1, 12, 30),
        "1940-01-01",
        "1.1.1940",
        "1940/1/1",
        np.datetime64("1940-01-01"),
        pd.Timestamp("1940-01-01"),
    ],
)
def test_a_bound_may_be_any_date(low):
    assert Date(low, "2009-12-31") == BORN
    assert str(Date(low, "2009-12-31").low) == "1940-01-01"


@pytest.mark.parametrize("low", [1940, -10957.0, "1/1/1940", "1940", True, None, pd.NaT])
def test_a_bound_that_is_no_date_is_refused(low):
    with pytest.raises(SpecificationError, match="low: expected a date such as 1990-01-01, got"):
        Date(low, "2009-12-31")


def test_a_domain_of_one_day_or_less_says_what_to_do():
    with pytest.raises(SpecificationError, match="high: expected a date after low = 1990-01-01"):
        Date("1990-01-01", "1990-01-01")


def test_a_date_is_a_number_of_days():
    assert isinstance(BORN, Numeric)
    assert (BORN.step, BORN.atoms, BORN.width) == (1, (), 25_567)
    assert own_mechanism(BORN).name == "identity"
    with pytest.raises(TypeError):
        Date("1940-01-01", "2009-12-31", step=7)


def test_it_reads_as_dates():
    assert repr(BORN).startswith(
        "Date(low=1940-01-01, high=2009-12-31, sensitivity='public', mechanism=None"
    )


def test_it_can_be_changed_and_pickled():
    noisy = with_mechanism(BORN, GaussianNoise(sd=30))

    assert (noisy.low, noisy.sensitivity) == (BORN.low, "private")
    assert with_mechanism(noisy, None) == BORN
    assert replace(BORN, high="1999-12-31") == Date("1940-01-01", "1999-12-31")
    assert pickle.loads(pickle.dumps(noisy)) == noisy
    assert hash(pickle.loads(pickle.dumps(noisy))) == hash(noisy)
    assert Numeric(BORN.low, BORN.high, step=1) != BORN


def test_dates_outside_are_counted_and_not_shown():
    with pytest.raises(DomainError, match=r"1 of 3 values lie outside .* 1940-01-01 to") as caught:
        BORN.conform(["1939-12-31", "1950-01-01", None])

    assert "1939" not in all_texts(caught.value)
    assert "steps" not in str(caught.value)


def test_times_are_cut_off_to_the_day():
    late = datetime.datetime(2009, 12, 31, 23, 59, 59)

    assert BORN.conform([late]).tolist() == [BORN.high]


def test_numbers_are_no_dates():
    with pytest.raises(DomainError, match="expected dates"):
        BORN.conform([1984.0])


def test_an_infinite_bound_takes_any_date():
    always = Date(-np.inf, "inf")

    assert always.conform(["0001-01-01", "9999-12-31"]).shape == (2,)
    assert always.to_dict()["low"] == "-inf"
    with pytest.raises(SpecificationError, match="declare the bounds"):
        always.cells()


def test_cells_hold_whole_days():
    cells = BORN.cells(50)

    assert isinstance(cells, DayCells)
    assert len(cells) == 50
    assert not (cells.lower % 1 - 0.5).any()
    assert len(Date("2024-01-01", "2024-12-31").cells()) == 366


def test_toml_has_dates_of_its_own_and_json_has_text(tmp_path):
    spec = Specification.from_toml(_written(tmp_path, TOML))

    assert spec["born"] == Date("1940-01-01", "2009-12-31", mechanism=GaussianNoise(sd=365))
    assert spec["era"].coding == Coding(cuts=[datetime.date(1989, 11, 9)])
    assert "low = 1940-01-01\n" in spec.to_toml(tmp_path / "a.toml")
    assert "    2000-01-01,\n" in spec.to_toml()
    assert json.loads(spec.to_json(tmp_path / "a.json"))["attributes"]["hired"]["mechanism"] == {
        "name": "value-classes",
        "cuts": ["2000-01-01", "2010-01-01"],
    }
    for copy in (
        Specification.from_toml(tmp_path / "a.toml"),
        Specification.from_json(tmp_path / "a.json"),
        pickle.loads(pickle.dumps(spec)),
    ):
        assert copy == spec
        assert dict(copy.attributes) == dict(spec.attributes)


def test_the_digest_is_stable(tmp_path):
    # A changed digest orphans every report made before: change it only with the version.
    digest = Specification.from_toml(_written(tmp_path, TOML)).digest

    assert digest == "e64ed2b69245d1cc18a3664c8b3a9ddd01dc0dfcdf00b5e326e9ca8a89bf87b4"


def test_writing_a_date_as_date_time_or_text_does_not_change_the_digest(tmp_path):
    other = TOML.replace("low = 1940-01-01", 'low = "1940-01-01"')
    other = other.replace("high = 2009-12-31", "high = 2009-12-31T00:00:00")
    assert other != TOML

    one = Specification.from_toml(_written(tmp_path, TOML))
    two = Specification.from_toml(_written(tmp_path, other))

    assert one.digest == two.digest


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (("1940-01-01", "1940"), r"born\.low: expected a date such as 1990-01-01, got 1940"),
        (("1940-01-01", '"1/1/1940"'), r"born\.low: expected a date such as 1990-01-01, got '1/"),
        (("high = 2009-12-31\n", ""), r"born\.high: missing; a date attribute declares it"),
        (("2009-12-31", "1939-12-31"), r"born\.high: expected a date after low = 1940-01-01"),
        (('"date"', '"dates"'), r"born\.kind: expected .* did you mean 'date'"),
        (("sd = 365", "sd = 365, grid = 0.5"), r"born\.mechanism\.grid: expected a multiple of 1"),
        (("[2000-01-01,", "[1980-01-01,"), r"mechanism\.cuts: expected dates between 1990-01-01"),
        (("[2000-01-01,", "[2000,"), r"cuts: expected a date such as 1990-01-01, got 2000"),
        (("[2000-01-01, 2010-01-01]", "[8000]"), r"mechanism\.cuts: expected dates between"),
        (('"gaussian", sd = 365', '"warner", keep = 0.8'), r"'warner' .* got a date one"),
        (("high = 2009-12-31", "high = 2009-12-31\nstep = 7"), r"born\.step: unknown key"),
        (("[attr", 'class = "born"\n[attr'), r"class: expected a categorical .* got a date one"),
    ],
)
def test_an_error_names_the_file_the_key_and_the_remedy(tmp_path, wrong, message):
    text = TOML.replace(*wrong, 1)
    assert text != TOML

    with pytest.raises(SpecificationError, match=message) as caught:
        Specification.from_toml(_written(tmp_path, text))

    assert str(caught.value).startswith("people.toml: ")
    assert "\n" not in str(caught.value)


def test_dates_take_noise_and_no_factors_or_categories():
    for mechanism in (MultiplicativeNoise(privacy=1), RandomizedResponse(keep=0.5)):
        with pytest.raises(SpecificationError, match="got a date one"):
            with_mechanism(BORN, mechanism)


def test_numbers_are_not_cut_at_dates():
    with pytest.raises(SpecificationError, match="cuts: expected numbers between 0 and 99999"):
        Numeric(0, 99_999, mechanism=ValueClasses(cuts=["1990-01-01"]))


@pytest.mark.parametrize("mechanism", [UniformNoise(half_width=10**6), SquareWave(epsilon=1e-3)])
def test_noise_that_ends_must_end_within_the_calendar(mechanism):
    with pytest.raises(SpecificationError, match=r"0001-01-01 to 9999-12-31, .* take less noise"):
        Date("0500-01-01", "9500-12-31", mechanism=mechanism)


def test_more_value_classes_than_days_are_refused():
    with pytest.raises(SpecificationError, match=r"mechanism\.count: expected at most 30"):
        Date("2024-01-01", "2024-01-31", mechanism=ValueClasses(count=31))


def test_value_classes_report_a_day_of_their_own():
    month = Date("2024-01-01", "2024-01-31", mechanism=ValueClasses(count=30))
    days = np.arange(month.low, month.high + 1)

    reports = month.mechanism.disguise(days, month, None)

    np.testing.assert_array_equal(reports, np.minimum(days, month.high - 1))


def test_a_coding_cuts_dates():
    era = Categorical(["before", "after"], coding=Coding(cuts=["1989-11-09"]))

    assert era.conform(["1989-11-09", "1989-11-10", None]).tolist() == [0, 1, -1]
    assert era.coding.behind(1) == (Coding(cuts=["1989-11-09"]).cuts[0], np.inf)


dates = st.dates()


@given(pair=st.tuples(dates, dates).filter(lambda pair: pair[0] < pair[1]))
def test_any_dates_survive_toml_json_and_pickle(pair, tmp_path_factory):
    spec = Specification({"born": Date(*pair), "era": Categorical(["a", "b", "c"])})
    path = tmp_path_factory.mktemp("dates") / "a.toml"
    spec.to_toml(path)

    assert Specification.from_toml(path) == spec
    assert Specification.from_dict(json.loads(spec.to_json())) == spec
    assert pickle.loads(pickle.dumps(spec)) == spec
    assert spec["born"].conform(pair).tolist() == [spec["born"].low, spec["born"].high]
