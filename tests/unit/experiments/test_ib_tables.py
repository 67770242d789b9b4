import numpy as np
import pytest

from scumble.errors import DatasetError, SpecificationError
from scumble.experiments import IB_TABLES, ib_table


def _table(name, subset):
    try:
        return ib_table(name, subset=subset)
    except DatasetError as error:
        pytest.skip(str(error))


@pytest.mark.parametrize(
    ("name", "cases", "attributes"), [(IB_TABLES[0], 300, 13), (IB_TABLES[1], 350, 9)]
)
def test_a_table_has_as_many_cases_as_the_paper_and_no_identifier(name, cases, attributes):
    records = _table(name, 1)

    assert len(records) == cases
    assert len(records.attributes) == attributes
    assert "sample_id" not in records.table.column_names
    assert len(set(records.y.tolist())) == 2


def test_a_subset_is_drawn_again_and_another_is_another():
    first, again, other = (_table("boston", subset) for subset in (1, 1, 2))

    assert first.table == again.table
    assert first.table != other.table


def test_a_fifth_of_the_tracts_is_at_the_top():
    shares = [np.mean(_table("boston", subset).y == "top 20%") for subset in range(1, 11)]

    # 101 of 506; drawn without replacement, the mean of ten shares has a deviation of .005.
    assert np.mean(shares) == pytest.approx(101 / 506, abs=0.02)


def test_an_unknown_table_is_refused():
    with pytest.raises(SpecificationError, match="name: expected one of boston"):
        ib_table("iris", subset=1)
