"""Every branch of every Quest function, on both sides of each threshold."""

from collections.abc import Iterator

import numpy as np
import pytest

from scumble.datasets import quest_group
from scumble.errors import SpecificationError

AGE_BANDS = {"young": (20, 39.999), "middle": (40, 59.999), "old": (60, 80)}
LOW, MEDIUM, HIGH = (25_000, 75_000), (50_000, 100_000), (75_000, 125_000)
SALARY_BY_AGE = {"young": MEDIUM, "middle": HIGH, "old": LOW}
SALARY_BY_AGE_AND_LEVEL = {
    "young": [LOW, LOW, MEDIUM, MEDIUM, None],
    "middle": [None, MEDIUM, MEDIUM, MEDIUM, HIGH],
    "old": [None, LOW, MEDIUM, MEDIUM, MEDIUM],
}


def group(function: int, **record: float) -> str:
    columns = {name: [value] for name, value in record.items()}
    return str(quest_group(columns, function=function)[0])


def edges(interval: tuple[int, int]) -> Iterator[tuple[float, str]]:
    """Yield values on both sides of both ends, with the group they must get."""
    low, high = interval
    yield from [(low - 0.01, "B"), (low, "A"), (high, "A"), (high + 0.01, "B")]


@pytest.mark.parametrize(
    ("age", "expected"),
    [(20, "A"), (39.999, "A"), (40, "B"), (59.999, "B"), (60, "A"), (80, "A")],
)
def test_function_1_takes_the_young_and_the_old(age: float, expected: str) -> None:
    assert group(1, age=age) == expected


@pytest.mark.parametrize("band", AGE_BANDS)
def test_function_2_takes_a_salary_interval_for_each_age(band: str) -> None:
    for age in AGE_BANDS[band]:
        for salary, expected in edges(SALARY_BY_AGE[band]):
            assert group(2, age=age, salary=salary) == expected


@pytest.mark.parametrize("band", AGE_BANDS)
@pytest.mark.parametrize("elevel", range(5))
def test_function_3_takes_a_salary_interval_for_each_age_and_education(
    band: str, elevel: int
) -> None:
    interval = SALARY_BY_AGE_AND_LEVEL[band][elevel]
    for age in AGE_BANDS[band]:
        for salary, expected in edges(interval or LOW):
            wanted = expected if interval else "B"
            assert group(3, age=age, elevel=elevel, salary=salary) == wanted


@pytest.mark.parametrize("salary", range(20_000, 150_001, 5_000))
@pytest.mark.parametrize(("age", "elevel"), [(30, 4), (50, 0), (70, 0)])
def test_function_3_leaves_some_educations_in_group_b_at_any_salary(
    age: float, elevel: int, salary: float
) -> None:
    assert group(3, age=age, elevel=elevel, salary=salary) == "B"


@pytest.mark.parametrize(("salary", "commission"), [(100_000, 0), (60_000, 40_000)])
@pytest.mark.parametrize(("loan", "expected"), [(284_999, "A"), (285_000, "B"), (285_001, "B")])
def test_function_4_weighs_income_against_the_loan(
    salary: float, commission: float, loan: float, expected: str
) -> None:
    assert group(4, salary=salary, commission=commission, loan=loan) == expected


@pytest.mark.parametrize(
    ("hyears", "limit"), [(5, 285_000), (20, 285_000), (21, 385_000), (22, 485_000)]
)
@pytest.mark.parametrize(("salary", "commission"), [(100_000, 0), (60_000, 40_000)])
def test_function_5_counts_the_equity_after_twenty_years(
    salary: float, commission: float, hyears: float, limit: float
) -> None:
    person = {"salary": salary, "commission": commission, "hvalue": 1_000_000, "hyears": hyears}
    assert group(5, **person, loan=limit - 1) == "A"
    assert group(5, **person, loan=limit + 1) == "B"


@pytest.mark.parametrize("band", AGE_BANDS)
@pytest.mark.parametrize("commission", [0, 10_000])
def test_function_6_takes_an_income_interval_for_each_age(band: str, commission: float) -> None:
    for age in AGE_BANDS[band]:
        for income, expected in edges(SALARY_BY_AGE[band]):
            record = {"age": age, "salary": income - commission, "commission": commission}
            assert group(6, **record) == expected


@pytest.mark.parametrize(("salary", "commission"), [(100_000, 0), (60_000, 40_000)])
@pytest.mark.parametrize(("loan", "expected"), [(234_999, "A"), (235_001, "B")])
def test_function_7_weighs_income_against_the_loan_and_a_higher_cost(
    salary: float, commission: float, loan: float, expected: str
) -> None:
    assert group(7, salary=salary, commission=commission, loan=loan) == expected


@pytest.mark.parametrize(
    ("elevel", "enough"), [(0, 29_851), (1, 37_314), (2, 44_777), (3, 52_239), (4, 59_702)]
)
def test_function_8_asks_for_more_income_with_more_education(elevel: int, enough: float) -> None:
    for commission in (0, 5_000):
        record = {"commission": commission, "elevel": elevel}
        assert group(8, salary=enough - commission, **record) == "A"
        assert group(8, salary=enough - 1 - commission, **record) == "B"


@pytest.mark.parametrize(("salary", "commission"), [(100_000, 0), (60_000, 40_000)])
@pytest.mark.parametrize(("elevel", "limit"), [(0, 285_000), (2, 235_000), (4, 185_000)])
def test_function_9_weighs_income_against_education_and_loan(
    salary: float, commission: float, elevel: int, limit: float
) -> None:
    person = {"salary": salary, "commission": commission, "elevel": elevel}
    assert group(9, **person, loan=limit - 1) == "A"
    assert group(9, **person, loan=limit + 1) == "B"


@pytest.mark.parametrize(
    ("elevel", "hyears", "enough"),
    [(4, 5, 44_777), (4, 20, 44_777), (4, 21, 41_792), (3, 20, 37_314), (0, 20, 14_926)],
)
def test_function_10_weighs_income_and_equity_against_education(
    elevel: int, hyears: float, enough: float
) -> None:
    for commission in (0, 5_000):
        house = {"hvalue": 100_000, "hyears": hyears}
        record = {"commission": commission, "elevel": elevel, **house}
        assert group(10, salary=enough - commission, **record) == "A"
        assert group(10, salary=enough - 1 - commission, **record) == "B"


def test_a_group_is_given_for_each_record() -> None:
    ages = np.linspace(20, 80, 7)
    assert quest_group({"age": ages}, function=1).tolist() == ["A", "A", "B", "B", "A", "A", "A"]


@pytest.mark.parametrize("function", [0, 11, -1, True, "2", 1.5])
def test_an_unknown_function_is_refused(function: int) -> None:
    with pytest.raises(SpecificationError, match="function: expected an integer from 1 to 10"):
        quest_group({"age": [30]}, function=function)
