import datetime

import numpy as np
import pandas as pd
import pytest
from error_texts import all_texts

from scumble import Categorical, Date, DisguisedTreeClassifier, Numeric
from scumble.errors import DomainError, TableError
from scumble.mining._training import (
    inferred_attributes,
    plain_numbers,
    training_records,
    truth_blocks,
    truth_column,
)
from scumble.tables import Table


def test_clear_columns_are_numbers_or_else_categories():
    table = Table(
        pd.DataFrame(
            {
                "number": [1.5, 2.5],
                "flag": [True, False],
                "text": ["b", "a"],
                "category": pd.Categorical(["x", "y"]),
                "numbers as objects": pd.Series([1, 2], dtype=object),
                "constant": ["same", "same"],
                "nothing": pd.Series([None, None], dtype=object),
            }
        )
    )

    found = inferred_attributes(table)

    assert list(found) == table.names
    for name in ("number", "flag", "numbers as objects", "nothing"):
        assert isinstance(found[name], Numeric)
    assert found["text"].values == ("a", "b")
    assert found["category"].values == ("x", "y")
    assert found["constant"].values[0] == "same"


def test_categories_of_numbers_are_categories_and_keep_a_declared_order():
    levels = pd.Categorical(["mid", "low"], categories=["low", "mid", "high"], ordered=True)
    table = Table(
        pd.DataFrame(
            {
                "code": pd.Categorical([30, 7]),
                "flag": pd.Categorical([True, False]),
                "level": levels,
            }
        )
    )

    found = inferred_attributes(table)

    assert found["code"].values == (7, 30)
    assert found["flag"].values == (False, True)
    assert found["level"].values == ("low", "mid")
    assert [found[name].ordered for name in found] == [False, False, True]


def test_a_column_that_is_neither_is_refused():
    table = Table(pd.DataFrame({"hour": [datetime.time(12), datetime.time(13)]}))

    with pytest.raises(TableError, match="got a column of type time64"):
        inferred_attributes(table)


def test_dates_and_times_of_dates_are_dates():
    days = [datetime.date(2026, 1, 1), None]
    table = Table(pd.DataFrame({"day": days, "time": pd.to_datetime(days)}))

    assert set(inferred_attributes(table).values()) == {Date(-np.inf, np.inf)}


def test_records_that_weigh_nothing_are_left_out():
    table = Table(np.arange(6.0).reshape(3, 2), names=["a", "b"])
    labels = np.array([0, 1, 0], dtype=np.uint16)

    training = training_records(table, {}, labels, 2, [1, 0, 3])

    assert len(training) == 2
    assert training.weight == 4
    assert training.rows_of(np.array([10, 20, 30])).tolist() == [10, 30]


def test_weights_of_less_than_one_are_scaled_to_one_on_average():
    table = Table(np.zeros((4, 1)), names=["a"])
    labels = np.zeros(4, dtype=np.uint16)

    assert training_records(table, {}, labels, 1, [0.1, 0.3, 0.2, 0.2]).weight == pytest.approx(4)
    assert training_records(table, {}, labels, 1, [1, 3, 2, 2]).weight == 8


def test_weights_must_be_positive_numbers():
    table = Table(np.zeros((2, 1)), names=["a"])
    labels = np.zeros(2, dtype=np.uint16)

    with pytest.raises(ValueError, match="at least one non-zero"):
        training_records(table, {}, labels, 1, [0, 0])
    with pytest.raises(ValueError, match=r"[Nn]egative"):
        training_records(table, {}, labels, 1, [1, -1])


def test_truths_are_numbers_or_places_and_nan_where_missing():
    table = Table(pd.DataFrame({"age": [30, None], "smoker": ["yes", None]}))
    smoker = Categorical(["no", "yes"])

    assert truth_column(table, "age", Numeric(0, 99))[0] == 30
    assert truth_column(table, "smoker", smoker)[0] == 1
    assert np.isnan(truth_column(table, "age", Numeric(0, 99))[1])
    assert np.isnan(truth_column(table, "smoker", smoker)[1])


def test_an_unknown_category_is_an_error_unless_lenient():
    table = Table(pd.DataFrame({"smoker": ["yes", "secret"]}))
    smoker = Categorical(["no", "yes"])

    with pytest.raises(DomainError, match="column 'smoker': 1 of 2 values are not among"):
        truth_column(table, "smoker", smoker)
    assert np.isnan(truth_column(table, "smoker", smoker, lenient=True)[1])


def test_infinity_is_no_truth():
    table = Table(np.array([[np.inf]]), names=["age"])

    with pytest.raises(DomainError, match="column 'age': expected finite numbers"):
        truth_column(table, "age", Numeric(0, 99))


def test_blocks_make_up_the_table():
    values = np.random.default_rng(1).random((100_000, 2))
    tree = DisguisedTreeClassifier(max_depth=2).fit(values, values[:, 0] > 0.5).tree_

    blocks = list(truth_blocks(Table(values, names=["x0", "x1"]), tree))

    assert len(blocks) == 2
    assert (np.concatenate(blocks)[:, 0] == values[:, 0]).all()


def test_what_a_tree_does_not_test_is_not_read():
    values = np.random.default_rng(1).random((100, 1))
    tree = DisguisedTreeClassifier().fit(np.hstack((values, values * 0)), values[:, 0] > 0.5).tree_
    table = Table(pd.DataFrame({"x0": values[:, 0], "x1": ["text"] * 100}))

    (block,) = truth_blocks(table, tree)

    assert np.isnan(block[:, 1]).all()


@pytest.mark.parametrize("X", [[["secret"]], np.array([["secret"]]), [[{"secret": 1}]]])
def test_what_is_no_number_is_refused_and_not_shown(X):
    with pytest.raises((TableError, TypeError)) as error:
        plain_numbers(X)
    assert "secret" not in all_texts(error.value)
