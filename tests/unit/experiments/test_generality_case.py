import numpy as np
import pytest

from scumble.declared import declared_table
from scumble.errors import DatasetError, SpecificationError
from scumble.experiments import generality_cases

CASES = {case.name: case for case in generality_cases()}
PUBLISHED = ("adult", "pima", "breast cancer", "votes")
# Balancing them takes millions of draws.
SLOW = ("skewed F10", "dependent F10")


def _problem(name, *, n=300, seed=1):
    return CASES[name].with_records(n).problem(seed=seed)


def test_names_are_distinct_and_short_enough_for_the_table():
    assert len(CASES) == len(generality_cases())
    assert all(len(name) < 20 and case.trap for name, case in CASES.items())


@pytest.mark.parametrize("name", [name for name in CASES if name not in PUBLISHED + SLOW])
def test_a_case_gives_reports_and_other_truths_that_fit_its_specification(name):
    problem = _problem(name)

    assert len(problem.y) == problem.reports.num_rows == problem.truths.num_rows == 300
    assert len(problem.y_test) == problem.X_test.num_rows == 5000
    assert set(problem.y) <= set(problem.y_test)
    declared_table(problem.reports, problem.spec)
    declared_table(problem.X_test, problem.spec)
    assert not problem.reports.equals(problem.truths)
    disguised = "class" in name.split() and name != "7 classes"
    assert problem.has_disguised_class == disguised


@pytest.mark.parametrize(
    ("name", "test_records"), [("pima", 256), ("breast cancer", 233), ("votes", 145)]
)
def test_a_published_table_is_parted(name, test_records):
    try:
        problem = CASES[name].problem(seed=1)
    except DatasetError as error:
        pytest.skip(str(error))

    assert len(problem.y_test) == test_records


def test_a_seed_gives_the_same_problem_and_another_one_another():
    first, again, other = (_problem("mixed", seed=seed) for seed in (1, 1, 2))

    assert first.reports.equals(again.reports)
    assert not first.truths.equals(other.truths)


@pytest.mark.parametrize(
    ("name", "classes", "rarest"),
    [
        ("7 classes", 7, 0.13),
        ("6 clusters", 6, 0.15),
        ("one in 20", 2, 0.04),
        ("nothing to learn", 2, 0.38),
    ],
)
def test_classes_are_as_many_and_as_rare_as_meant(name, classes, rarest):
    found, counts = np.unique(_problem(name).y_test, return_counts=True)

    assert len(found) == classes
    assert rarest < counts.min() / counts.sum() < rarest + 0.03


def test_in_the_mixed_table_a_tenth_of_some_columns_is_missing():
    test = _problem("mixed").X_test

    assert 0.08 < np.isnan(test["age"].to_numpy()).mean() < 0.12
    assert 0.08 < test["region"].null_count / len(test) < 0.12


def test_a_case_without_records_is_refused():
    with pytest.raises(SpecificationError, match="at least one training record"):
        CASES["mixed"].with_records(0)


def test_a_case_that_leaves_nothing_for_the_test_is_refused():
    try:
        CASES["votes"].problem(seed=1)
    except DatasetError as error:
        pytest.skip(str(error))

    with pytest.raises(SpecificationError, match="left over for a test, got 435 in all"):
        _problem("votes", n=435)
