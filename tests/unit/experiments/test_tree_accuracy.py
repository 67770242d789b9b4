import json

import pytest
from sklearn.base import BaseEstimator

from scumble.errors import SpecificationError, TableError
from scumble.experiments import ALGORITHMS, PUBLISHED, TreeCase, TreeRow, tree_accuracy, tree_cases
from scumble.mining import DisguisedTreeClassifier

CASES = tree_cases(
    functions=[1],
    algorithms=["Original", "ByClass", "Randomized"],
    privacies=[0.5],
    seeds=[1],
    n=2000,
)


@pytest.fixture
def fits(monkeypatch):
    """Return the trees that were fitted, with what they were fitted to."""
    made = []
    fit = DisguisedTreeClassifier.fit

    def counted(self, X, y):
        made.append((self, X, y))
        return fit(self, X, y)

    monkeypatch.setattr(DisguisedTreeClassifier, "fit", counted)
    return made


def _at_fit(number, monkeypatch):
    """Break off at the fit of this number."""
    fit, made = DisguisedTreeClassifier.fit, []

    def broken(self, X, y):
        made.append(self)
        if len(made) == number:
            raise KeyboardInterrupt
        return fit(self, X, y)

    monkeypatch.setattr(DisguisedTreeClassifier, "fit", broken)


def test_a_grid_has_original_once_and_the_others_for_each_disguise():
    cases = tree_cases(
        functions=[1, 2], algorithms=tuple(PUBLISHED), privacies=[0.25, 1.0], seeds=[1, 2, 3]
    )

    assert len(cases) == len(set(cases)) == 2 * 3 * (1 + 2 * 2 * 4)
    assert sum(case.algorithm == "Original" for case in cases) == 2 * 3


@pytest.mark.parametrize(
    "wrong",
    [
        {"function": 11},
        {"algorithm": "Best"},
        {"noise": None},
        {"noise": "laplace"},
        {"privacy": 0.0},
        {"algorithm": "Original"},
    ],
)
def test_a_case_that_cannot_be_is_refused(wrong):
    right = {"function": 1, "algorithm": "Local", "noise": "uniform", "privacy": 1.0}

    with pytest.raises(SpecificationError, match="expected"):
        TreeCase(**{**right, **wrong}, seed=1, n=10)


def test_rows_come_in_the_order_of_the_cases_and_tell_what_was_measured():
    rows = tree_accuracy(CASES)

    assert [row.case for row in rows] == CASES
    assert rows[0].accuracy > 0.95
    assert all(row.leaves >= 2 and row.seconds > 0 for row in rows)


def test_the_same_seed_gives_the_same_rows_and_another_seed_others():
    other = [TreeCase(c.function, c.algorithm, c.noise, c.privacy, 2, c.n) for c in CASES]

    assert tree_accuracy(CASES) == tree_accuracy(CASES)
    assert [r.accuracy for r in tree_accuracy(other)] != [r.accuracy for r in tree_accuracy(CASES)]


def test_all_algorithms_see_the_same_reports_whatever_else_is_measured(fits):
    cases = tree_cases(
        functions=[1], algorithms=tuple(PUBLISHED), privacies=[0.5], noises=["uniform"],
        seeds=[1], n=500,
    )  # fmt: skip
    tree_accuracy(cases)
    tree_accuracy(cases[2:3])

    original, *others = [X for _, X, _ in fits]
    assert all(reports.equals(others[0]) for reports in others)
    assert not original.equals(others[0])
    assert [tree.spec is None for tree, *_ in fits[:5]] == [True, False, False, False, False]
    assert [tree.method for tree, *_ in fits[1:5]] == [ALGORITHMS[name] for name in PUBLISHED[1:]]


def test_settings_of_the_tree_are_taken_over(fits):
    tree_accuracy(CASES, tree=DisguisedTreeClassifier(max_depth=1))

    assert all(tree.get_depth() == 1 for tree, *_ in fits)


def test_finished_rows_are_found_again_and_not_computed(tmp_path, fits):
    first = tree_accuracy(CASES, resume=tmp_path / "rows")
    again = tree_accuracy(CASES, resume=tmp_path / "rows")

    assert len(fits) == len(CASES)
    assert again == first
    assert [row.seconds for row in again] == [row.seconds for row in first]


def test_a_found_row_is_believed(tmp_path):
    tree_accuracy(CASES, resume=tmp_path / "rows")
    heading, first, *others = (tmp_path / "rows").read_text().splitlines()
    altered = json.dumps({**json.loads(first), "accuracy": 0.123})
    (tmp_path / "rows").write_text("\n".join([heading, altered, *others]))

    assert tree_accuracy(CASES, resume=tmp_path / "rows")[0].accuracy == 0.123


def test_a_run_that_is_broken_off_loses_nothing(tmp_path, monkeypatch, fits):
    whole = tree_accuracy(CASES)
    fits.clear()
    with monkeypatch.context() as patch:
        _at_fit(3, patch)
        with pytest.raises(KeyboardInterrupt):
            tree_accuracy(CASES, resume=tmp_path / "rows")
    assert len(fits) == 2

    assert tree_accuracy(CASES, resume=tmp_path / "rows") == whole
    assert len(fits) == len(CASES)
    assert [p.name for p in tmp_path.iterdir()] == ["rows"]


def test_rows_of_another_seed_or_size_are_other_cases(tmp_path, fits):
    original = CASES[:1]
    tree_accuracy(original, resume=tmp_path / "rows")
    larger = tree_cases(functions=[1], algorithms=["Original"], privacies=[], seeds=[1], n=2001)
    other = tree_cases(functions=[1], algorithms=["Original"], privacies=[], seeds=[2], n=2000)
    tree_accuracy(larger + other, resume=tmp_path / "rows")

    assert len(fits) == 3
    tree_accuracy(original + larger + other, resume=tmp_path / "rows")
    assert len(fits) == 3


@pytest.mark.parametrize(
    "change",
    [
        {"accuracy": 2.0},
        {"algorithm": "Best"},
        {"privacy": "much"},
        {"colour": "red"},
        {"seed": [1]},
    ],
)
def test_a_row_that_is_none_is_refused_in_one_line(tmp_path, change):
    tree_accuracy(CASES[:1], resume=tmp_path / "rows")
    heading, row = (tmp_path / "rows").read_text().splitlines()
    (tmp_path / "rows").write_text(heading + "\n" + json.dumps({**json.loads(row), **change}))

    with pytest.raises(TableError, match="line 2: expected a finished row") as error:
        tree_accuracy(CASES, resume=tmp_path / "rows")
    assert "\n" not in str(error.value)


def test_rows_of_another_tree_are_not_mixed_in(tmp_path):
    tree_accuracy(CASES[:1], resume=tmp_path / "rows")

    with pytest.raises(TableError, match="another tree"):
        tree_accuracy(CASES, resume=tmp_path / "rows", tree=DisguisedTreeClassifier(pruning="sliq"))


def test_nothing_is_shown_unless_asked_and_found_rows_count(tmp_path, capsys):
    tree_accuracy(CASES[:2], resume=tmp_path / "rows")
    assert capsys.readouterr() == ("", "")

    tree_accuracy(CASES, resume=tmp_path / "rows", progress=True)
    shown = capsys.readouterr()
    assert shown.out == ""
    assert f"{len(CASES)}/{len(CASES)}" in shown.err


def test_the_tree_that_is_handed_in_is_left_as_it_was():
    tree = DisguisedTreeClassifier(max_depth=2)
    tree_accuracy(CASES[:2], tree=tree)

    assert isinstance(tree, BaseEstimator)
    assert tree.spec is None
    assert not hasattr(tree, "tree_")


def test_time_does_not_make_rows_differ():
    quick, slow = (TreeRow(1, "Original", None, 0.0, 1, 10, 0.9, 2, s) for s in (0.1, 9.0))

    assert quick == slow
