import pytest

from scumble import Categorical, Specification
from scumble.errors import DomainError, SpecificationError
from scumble.schema import Product

ANSWER = Categorical(["no", "yes"])
COLOUR = Categorical(["red", "green", "blue"])


def test_the_last_part_counts_fastest():
    both = Product([ANSWER, COLOUR])

    assert both.values[:4] == (("no", "red"), ("no", "green"), ("no", "blue"), ("yes", "red"))
    assert both.conform([["no", "yes"], ["blue", "red"]]).tolist() == [2, 3]


def test_a_record_with_a_missing_part_is_missing():
    assert Product([ANSWER, COLOUR]).conform([[None, "no"], ["red", None]]).tolist() == [-1, -1]


@pytest.mark.parametrize("columns", [[["no"]], [["no"], ["red", "red"]]])
def test_columns_that_do_not_fit_are_refused(columns):
    with pytest.raises(DomainError, match="expected"):
        Product([ANSWER, COLOUR]).conform(columns)


def test_a_product_is_no_attribute_of_a_table():
    with pytest.raises(SpecificationError, match=r"expected Numeric, Categorical, .*, got Product"):
        Specification({"both": Product([ANSWER, ANSWER])})
