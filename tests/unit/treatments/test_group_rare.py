import pandas as pd
import pyarrow as pa
import pytest

from scumble.errors import DomainError, SpecificationError, TableError
from scumble.schema import Treatment
from scumble.treatments import GroupRare, Treat


def _grouped(values, **options):
    table = pd.DataFrame({"x": values})
    return Treat({"x": GroupRare(**options)}).fit_transform(table)["x"].tolist()


def test_rare_values_become_one():
    assert _grouped(list("aaabbbcd"), minimum=2) == [*"aaabbb", "other", "other"]


def test_where_the_rare_ones_are_too_few_the_next_one_joins_them():
    assert _grouped(list("aaaabbbc"), minimum=3) == [*"aaaa", *["other"] * 4]


def test_where_no_value_is_rare_all_stay():
    assert _grouped(list("aabb"), minimum=2) == list("aabb")


def test_a_value_that_is_called_other_joins_the_others():
    values = ["other", "a", "a", "b"]

    assert _grouped(values, minimum=2) == ["other", "a", "a", "other"]


def test_missing_values_stay_missing_and_numbers_become_text():
    treated = _grouped([1, 1, 1, 1, None, 2, 3], minimum=2)

    assert [str(value) for value in treated[:4]] == ["1.0"] * 4 or treated[:4] == ["1"] * 4
    assert pd.isna(treated[4])
    assert treated[5:] == ["other", "other"]


def test_a_table_that_is_too_small_is_refused():
    with pytest.raises(TableError, match="expected at least 5 known values"):
        _grouped(["a", "b", None])


def test_all_values_unique_become_one_group():
    assert set(_grouped([str(number) for number in range(20)])) == {"other"}


def test_parameters_that_make_no_sense_are_refused():
    with pytest.raises(SpecificationError):
        GroupRare(minimum=0)
    with pytest.raises(SpecificationError):
        GroupRare(other="")
    learned = GroupRare(minimum=3, kept=["a"])
    assert Treatment.from_dict(learned.to_dict()) == learned


@pytest.mark.parametrize("column", [[[1], [1], [2]], [b"\xff\xfesecret", b"a", b"a"]])
def test_what_is_no_text_is_refused_and_not_shown(column):
    with pytest.raises(DomainError, match="column 'x': expected categories or text") as caught:
        Treat({"x": GroupRare(minimum=2)}).fit(pa.table({"x": column}))

    assert caught.value.__context__ is None
