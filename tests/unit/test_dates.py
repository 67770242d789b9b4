import datetime

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from error_texts import all_texts

from scumble.dates import FIRST, LAST, as_dates, as_days, day_of, iso
from scumble.errors import DomainError

DATES = [datetime.date(1969, 12, 31), None, datetime.date(1984, 3, 2)]
TIMES = [datetime.datetime(1969, 12, 31, 23, 59), None, datetime.datetime(1984, 3, 2, 0, 1)]
TEXTS = ["1969-12-31", None, "1984-03-02"]
ZONE = "America/Sao_Paulo"
COLUMNS = [
    DATES,
    TIMES,
    TEXTS,
    ["1969-12-31T23:59:59Z", None, "1984-03-02 12:00"],
    np.array(DATES, dtype="datetime64[D]"),
    np.array(TIMES, dtype="datetime64[ns]"),
    np.array(DATES, dtype=object),
    np.ma.array(np.array(["1969-12-31", "1990-01-01", "1984-03-02"], "M8[D]"), mask=[0, 1, 0]),
    pd.Series(TIMES),
    pd.Series(TIMES, dtype="datetime64[s]"),
    pd.Series(TIMES).dt.tz_localize(ZONE),
    pd.Series(DATES, dtype=object),
    pd.Series(TEXTS),
    pd.Series(TEXTS, dtype="category"),
    pd.Series(DATES, dtype=pd.ArrowDtype(pa.date32())),
    pl.Series(DATES),
    pl.Series(TIMES),
    pl.Series(TIMES).dt.replace_time_zone(ZONE),
    pl.Series(TEXTS),
    pa.array(DATES),
    pa.array(DATES).cast(pa.date64()),
    pa.array(TIMES),
    pa.array(TIMES).cast(pa.timestamp("s")),
    pa.chunked_array([pa.array(TEXTS[:1]), pa.array(TEXTS[1:])]),
]


@pytest.mark.parametrize("column", COLUMNS, ids=lambda c: str(getattr(c, "dtype", type(c))))
def test_any_column_of_dates_is_days(column):
    np.testing.assert_array_equal(as_days(column), [-1, np.nan, 5174])


@pytest.mark.parametrize("column", [[None, None], np.array([np.nan]), pl.Series([None]), []])
def test_a_column_without_a_value_is_all_missing(column):
    assert np.isnan(as_days(column)).all()
    assert len(as_days(column)) == len(column)


@pytest.mark.parametrize(
    "column", [[19840302], [True], pd.Series([5174.0]), pl.Series([datetime.time(12)])]
)
def test_what_is_no_date_is_refused(column):
    with pytest.raises(DomainError, match="expected dates, got a column of type"):
        as_days(column)


@pytest.mark.parametrize("text", ["02/03/1984", "1984-02-31", "1984", "19840302", "secret", ""])
def test_text_that_is_no_date_is_counted_and_not_shown(text):
    with pytest.raises(DomainError, match="2 of 4 values are no dates such as") as caught:
        as_days(["1984-03-02", text, None, text])

    assert text == "" or text not in all_texts(caught.value).replace("1990-01-01", "")


@pytest.mark.parametrize("column", COLUMNS, ids=lambda c: str(getattr(c, "dtype", type(c))))
def test_days_come_back_as_the_dates_that_came_in(column):
    days = np.array([-1, np.nan, 5174, 10_000])

    dates = as_dates(days, column, low=-1, high=10_000)

    np.testing.assert_array_equal(as_days(dates), days)


def test_the_type_of_a_column_stays():
    kinds = [
        pa.date32(),
        pa.date64(),
        pa.string(),
        pa.large_string(),
        pa.timestamp("s"),
        pa.timestamp("ns"),
        pa.timestamp("us", tz=ZONE),
    ]
    days = np.array([0.0, np.nan])

    assert [as_dates(days, pa.array([None], kind), low=0, high=1).type for kind in kinds] == kinds


def test_nanoseconds_become_microseconds_where_they_cannot_tell_every_date():
    column, days = pa.array([None], pa.timestamp("ns")), np.array([-200_000.0])

    dates = as_dates(days, column, low=-np.inf, high=np.inf)

    assert dates.type == pa.timestamp("us")
    assert as_days(dates).tolist() == days.tolist()


def test_days_beyond_the_calendar_are_its_first_and_last():
    days = np.array([-1e9, 1e9, FIRST, LAST])

    dates = as_dates(days, TEXTS, low=-np.inf, high=np.inf)

    assert dates.to_pylist() == ["0001-01-01", "9999-12-31"] * 2


def test_a_day_that_began_late_is_that_day():
    # In São Paulo the clocks went from midnight to one o'clock on this day.
    day = as_days(["2018-11-04"])
    column = pa.array([None], pa.timestamp("us", tz=ZONE))

    assert as_days(as_dates(day, column, low=0, high=1e5)).tolist() == day.tolist()


@pytest.mark.parametrize(
    "value", [pd.NaT, None, 5174, 5174.0, "1984-02-31", "\uff11984-03-02", np.datetime64("NaT")]
)
def test_what_is_no_date_has_no_day(value):
    assert day_of(value) is None


def test_a_day_reads_as_iso_text_and_back():
    for day in (FIRST, -1.0, 0.0, 5174.0, LAST):
        assert day_of(iso(day)) == day


@pytest.mark.parametrize("text", ["2001-02-03", "2001/02/03", "2001/2/3", "03.02.2001", "3.2.2001"])
def test_text_that_is_a_date_in_one_way_only_is_read(text):
    assert iso(day_of(text)) == "2001-02-03"


@pytest.mark.parametrize("text", ["02/03/2001", "31.02.2001", "2001.02.03", "3.2.01", "20010203"])
def test_text_that_may_be_another_date_or_none_is_not_read(text):
    assert day_of(text) is None
