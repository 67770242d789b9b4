"""The Quest generator as a whole.

Statistical checks draw fresh records: each raises a false alarm with probability
1e-6, whatever the seed.
"""

from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from scumble.datasets import QUEST_DOMAINS, make_quest, quest_group
from scumble.errors import SpecificationError

LAWS = ["uniform", "skewed", "dependent"]


def columns(table: pa.Table) -> dict[str, Any]:
    return {name: table[name].to_numpy() for name in table.column_names}


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("function", range(1, 11))
def test_the_groups_are_those_of_the_function(function: int, law: str) -> None:
    X, y = make_quest(function, n=500, attributes=law, balanced=False)
    assert (quest_group(columns(X), function=function) == y).all()


@pytest.mark.parametrize("function", range(1, 11))
def test_balanced_groups_are_equal_and_still_those_of_the_function(function: int) -> None:
    X, y = make_quest(function, n=200)
    assert (y == "A").sum() == (y == "B").sum() == 100
    assert (quest_group(columns(X), function=function) == y).all()


@pytest.mark.parametrize(("n", "in_a"), [(1, 1), (7, 4), (1001, 501)])
def test_an_odd_number_gives_one_more_to_group_a(n: int, in_a: int) -> None:
    X, y = make_quest(2, n=n)
    assert X.num_rows == len(y) == n
    assert (y == "A").sum() == in_a


def test_balanced_records_come_in_random_order() -> None:
    # The first half of a shuffle holds 2,500 of A with standard deviation 25
    # (hypergeometric); five of them are exceeded with probability 6e-7.
    y = make_quest(1, n=10_000)[1]
    assert abs((y[:5_000] == "A").sum() - 2_500) < 5 * 25


def test_unbalanced_groups_have_their_natural_share() -> None:
    # Function 1 puts two thirds in A; 4.9 standard deviations for alpha = 1e-6.
    y = make_quest(1, n=100_000, balanced=False)[1]
    assert abs((y == "A").mean() - 2 / 3) < 4.9 * np.sqrt(2 / 9 / 100_000)


def test_the_columns_are_those_of_the_domains_in_order() -> None:
    X, _ = make_quest(n=10)
    assert X.column_names == list(QUEST_DOMAINS)


@pytest.mark.parametrize("name", ["elevel", "car", "zipcode"])
def test_chosen_attributes_are_integers(name: str) -> None:
    X, _ = make_quest(n=10)
    assert X[name].type == pa.int64()


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("balanced", [True, False])
def test_a_seed_repeats_the_table(law: str, balanced: bool) -> None:
    first, again = (
        make_quest(3, n=300, seed=5, attributes=law, balanced=balanced) for _ in range(2)
    )
    assert first[0].equals(again[0])
    assert (first[1] == again[1]).all()


def test_other_seeds_and_no_seed_give_other_tables() -> None:
    tables = [make_quest(n=20, seed=seed)[0] for seed in (1, 2, None, None)]
    salaries = {tuple(table["salary"].to_pylist()) for table in tables}
    assert len(salaries) == 4


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"function": 11}, "function: expected"),
        ({"n": 0}, "n: expected a positive integer"),
        ({"n": 2.5}, "n: expected a positive integer"),
        ({"n": True}, "n: expected a positive integer"),
        ({"seed": -1}, "seed: expected a non-negative integer"),
        ({"seed": "one"}, "seed: expected a non-negative integer"),
        ({"attributes": "normal"}, "attributes: expected one of uniform, skewed, dependent"),
        ({"backend": "spreadsheet"}, "backend: expected one of"),
    ],
)
def test_bad_arguments_are_refused(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(SpecificationError, match=message):
        make_quest(**arguments)
