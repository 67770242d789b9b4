import numpy as np
import pandas as pd
import pytest

from scumble import Categorical, Numeric, Specification
from scumble.declared import conformed, declared_table
from scumble.errors import DomainError, TableError

SPEC = Specification(
    {
        "age": Numeric(0, 99),
        "name": Categorical(["x", "y"], sensitivity="withheld"),
        "label": Categorical(["a", "b"]),
    },
    class_attribute="label",
)


@pytest.mark.parametrize(
    ("columns", "withheld"),
    [
        (["age", "name", "label"], True),
        (["age", "name"], True),
        (["age", "label"], False),
        (["age"], False),
        (["label", "name", "age"], False),
    ],
)
def test_a_table_may_lack_the_class_and_where_said_what_is_withheld(columns, withheld):
    table = pd.DataFrame({name: [None] for name in columns})

    assert declared_table(table, SPEC, withheld=withheld).names == columns


def test_a_table_may_not_lack_what_is_withheld_where_it_must_be_there():
    with pytest.raises(TableError, match="1 of its own missing: 'name'"):
        declared_table(pd.DataFrame({"age": [1], "label": ["a"]}), SPEC)


@pytest.mark.parametrize(
    ("width", "withheld", "names"),
    [
        (3, True, ["age", "name", "label"]),
        (2, True, ["age", "name"]),
        (1, False, ["age"]),
    ],
)
def test_the_columns_of_an_array_are_told_by_their_number(width, withheld, names):
    assert declared_table(np.zeros((1, width)), SPEC, withheld=withheld).names == names


def test_a_class_that_is_not_declared_is_known_to_a_miner_alone():
    spec = Specification({"age": Numeric(0, 99)}, class_attribute="label")
    table = pd.DataFrame({"age": [1], "label": ["a"]})

    assert declared_table(table, spec, withheld=False).names == ["age", "label"]
    with pytest.raises(TableError, match="1 that it does not declare"):
        declared_table(table, spec)


def test_the_error_of_a_column_names_it_and_shows_no_value():
    table = declared_table(np.array([[4711.0]]), Specification({"age": Numeric(0, 99)}))

    with pytest.raises(DomainError, match="column 'age': 1 of 1 values lie outside") as error:
        conformed(table, "age", Numeric(0, 99))
    assert "4711" not in str(error.value)
