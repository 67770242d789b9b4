import json

import numpy as np
import pytest

from scumble.errors import DatasetError, ScumbleWarning, SpecificationError, TableError
from scumble.experiments import (
    GENERALITY_METHODS,
    GeneralityCase,
    GeneralityRow,
    generality,
    generality_cases,
)
from scumble.experiments._generality import calibration_error
from scumble.mining import DisguisedTreeClassifier

CASES = {case.name: case for case in generality_cases()}
SMALL = [CASES[name].with_records(400) for name in ("logistic", "mixed")]
QUICK = ("clear", "byclass", "uncorrected")


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


def test_rows_come_in_the_order_of_cases_seeds_and_methods():
    rows = generality(SMALL, methods=QUICK, seeds=[1, 2])

    assert [row.trial for row in rows] == [
        (case.name, 400, seed, method) for case in SMALL for seed in (1, 2) for method in QUICK
    ]
    assert all(0 <= row.calibration <= 1 and row.leaves >= 1 and row.seconds > 0 for row in rows)


def test_every_method_can_be_asked_for():
    rows = generality(SMALL[:1])

    assert [row.method for row in rows] == list(GENERALITY_METHODS)


def test_the_same_seed_gives_the_same_rows():
    asked = {"methods": ("likelihood", "byclass"), "seeds": [3]}

    assert generality(SMALL[:1], **asked) == generality(SMALL[:1], **asked)


def test_all_methods_see_the_same_reports_and_clear_the_truths(fits):
    generality(SMALL[:1], methods=("clear", "byclass", "local", "uncorrected"))

    (clear, truths, _), *others = fits
    assert clear.spec is None
    assert all(X.equals(others[0][1]) for _, X, _ in others)
    assert not truths.equals(others[0][1])
    assert [tree.method for tree, *_ in others] == ["byclass", "local", "uncorrected"]


def test_with_a_disguised_class_methods_that_need_it_in_clear_are_left_out(fits):
    case = CASES["class disguised"].with_records(2000)
    rows = generality([case], methods=QUICK)

    assert [row.method for row in rows] == ["clear", "uncorrected"]
    (_, _, true), (_, _, reported) = fits
    assert 0.15 < np.mean(true != reported) < 0.25


def test_a_table_that_is_not_there_is_left_out_with_a_reason():
    def draw(n, seed):
        raise DatasetError("adult: expected a file, got none")

    absent = GeneralityCase("adult", "real records", draw, 10)
    with pytest.warns(ScumbleWarning, match="'adult' is left out: adult: expected a file"):
        rows = generality([absent, SMALL[0]], methods=["clear"])

    assert [row.case for row in rows] == ["logistic"]


def test_a_crash_tells_where(monkeypatch):
    def broken(self, X, y):
        raise ZeroDivisionError

    monkeypatch.setattr(DisguisedTreeClassifier, "fit", broken)
    with pytest.raises(ZeroDivisionError) as error:
        generality(SMALL[:1], methods=["local"])

    assert error.value.__notes__ == ["generality: local on 'logistic', seed 1"]


def test_finished_rows_are_found_again_and_not_computed(tmp_path, fits):
    first = generality(SMALL, methods=QUICK, resume=tmp_path / "rows")
    again = generality(SMALL, methods=QUICK, resume=tmp_path / "rows")

    assert len(fits) == len(SMALL) * len(QUICK)
    assert again == first


@pytest.mark.parametrize("change", [{"method": "best"}, {"accuracy": 2.0}, {"colour": "red"}])
def test_a_row_that_is_none_is_refused_in_one_line(tmp_path, change):
    generality(SMALL[:1], methods=["clear"], resume=tmp_path / "rows")
    heading, row = (tmp_path / "rows").read_text().splitlines()
    (tmp_path / "rows").write_text(heading + "\n" + json.dumps({**json.loads(row), **change}))

    with pytest.raises(TableError, match="line 2: expected a finished row"):
        generality(SMALL, methods=["clear"], resume=tmp_path / "rows")


def test_settings_of_the_tree_are_taken_over_and_the_tree_left_as_it_was(fits):
    tree = DisguisedTreeClassifier(max_depth=1)
    generality(SMALL[:1], methods=QUICK, seeds=[5], tree=tree)

    assert all(fitted.get_depth() <= 1 and fitted.random_state == 5 for fitted, *_ in fits)
    assert tree.spec is None
    assert tree.random_state is None


def test_nothing_is_shown_unless_asked(capsys):
    generality(SMALL[:1], methods=["clear"])
    assert capsys.readouterr() == ("", "")

    generality(SMALL[:1], methods=["clear"], progress=True)
    assert "1/1" in capsys.readouterr().err


def test_the_calibration_error_is_that_of_the_bins():
    said = np.array([0.55, 0.55, 0.95, 1.0])
    right = np.array([True, False, True, True])

    # Bins of 0.5 and 0.9: off by 0.1 and by 0.05 altogether, among four records.
    assert calibration_error(said, right) == pytest.approx((0.1 + 0.05) / 4)


def test_a_probability_that_is_none_is_sure_and_wrong():
    assert calibration_error(np.array([np.nan, 1.0]), np.array([True, True])) == 0.5


def test_a_row_of_an_unknown_method_is_refused():
    with pytest.raises(SpecificationError, match="method: expected one of"):
        GeneralityRow("votes", 290, 1, "best", 0.9, 0.6, 0.1, 3, 0.1)
