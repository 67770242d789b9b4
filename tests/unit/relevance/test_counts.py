import numpy as np
import pytest

from scumble.errors import DomainError
from scumble.relevance._counts import as_counts, entropy


@pytest.mark.parametrize("table", [[1, 2], [["a", "b"]], [[[1]]]])
def test_counts_have_two_dimensions(table):
    with pytest.raises(DomainError, match="table: expected counts of cells by classes"):
        as_counts(table)


@pytest.mark.parametrize("wrong", [-1, np.nan, np.inf])
def test_counts_are_neither_negative_nor_undefined(wrong):
    with pytest.raises(DomainError, match="negative or not finite"):
        as_counts([[1, wrong]])


def test_empty_tables_are_counts():
    assert as_counts(np.zeros((0, 2))).size == 0
    assert as_counts(np.zeros((3, 2))).size == 0


def test_entropy_of_equal_shares_is_the_logarithm_of_their_number():
    assert entropy(np.full(8, 5.0)) == pytest.approx(3)
    assert entropy(np.array([7.0])) == 0
