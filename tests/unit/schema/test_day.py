import pickle

import pytest

from scumble.errors import SpecificationError
from scumble.schema import Day
from scumble.schema._day import bounds, day, plain_bounds


def test_a_day_is_a_number_that_reads_as_a_date():
    low = Day(5174)

    assert low == 5174
    assert (str(low), repr(low), f"{low:g}") == ("1984-03-02",) * 3
    assert type(low + 1) is float


def test_a_day_can_be_pickled():
    copy = pickle.loads(pickle.dumps(Day(5174)))

    assert type(copy) is Day
    assert copy == 5174


def test_an_infinite_day_has_no_date():
    assert str(day("low", "-inf")) == "-inf"
    assert day("high", float("inf")) == float("inf")


def test_bounds_are_all_numbers_or_all_dates():
    assert bounds("cuts", ["1984-03-02", Day(5175)]) == (5174, 5175)
    assert bounds("cuts", (1, 2.5)) == (1.0, 2.5)
    with pytest.raises(SpecificationError, match="cuts: expected a date such as 1990-01-01, got 3"):
        bounds("cuts", ["1984-03-02", 3])
    with pytest.raises(SpecificationError, match="cuts: expected a number, got 'x'"):
        bounds("cuts", ["x"])
    with pytest.raises(SpecificationError, match="cuts: expected a list"):
        bounds("cuts", "1984-03-02")


def test_bounds_are_plain_in_a_file():
    assert plain_bounds(bounds("cuts", ["1984-03-02"])) == ["1984-03-02"]
    assert plain_bounds(bounds("cuts", [3])) == [3.0]
