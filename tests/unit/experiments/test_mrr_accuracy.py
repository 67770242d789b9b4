import json
import os
from pathlib import Path

import numpy as np
import pytest
from mrr_rows import ALL, small_table

from scumble.errors import SpecificationError, TableError
from scumble.experiments import (
    BINARY_TABLES,
    MRR_KEEPS,
    MrrCase,
    MrrRow,
    _mrr_accuracy,
    binary_table,
    mrr_accuracy,
    mrr_cases,
    mrr_figures,
)
from scumble.mining import DisguisedNaiveBayesClassifier, DisguisedTreeClassifier

CASES = mrr_cases(datasets=["votes"], groups=[1, 2], keeps=[0.0, 0.8, 1.0], seeds=[1, 2])
FILES = dict(
    zip(
        BINARY_TABLES,
        ("adult.csv.gz", "breast_cancer_wisconsin.csv", "house_votes_84.csv"),
        strict=True,
    )
)


@pytest.fixture(autouse=True)
def small(monkeypatch, request):
    """Measure on a small table that needs no file, unless a test asks for the data sets."""
    if "published" not in request.fixturenames:
        monkeypatch.setattr(_mrr_accuracy, "binary_table", small_table)


@pytest.fixture(params=BINARY_TABLES)
def published(request):
    """Return the name of a data set whose file is there."""
    file = FILES[request.param]
    if not (Path(os.environ.get("SCUMBLE_DATA", "")) / file).is_file():
        pytest.skip(f"SCUMBLE_DATA names no directory with {file}")
    return request.param


@pytest.fixture
def fits(monkeypatch):
    """Return the trees that were fitted, with what they were fitted to."""
    made = []
    fit = DisguisedTreeClassifier.fit

    def counted(self, X):
        made.append((self, X))
        return fit(self, X)

    monkeypatch.setattr(DisguisedTreeClassifier, "fit", counted)
    return made


def test_the_figures_have_thirteen_coins_and_leave_out_the_one_that_tells_nothing():
    assert len(MRR_KEEPS) == 13
    assert 0.5 not in MRR_KEEPS
    assert len(mrr_cases(methods=ALL, seeds=range(50))) == 3 * 50 * (1 + 13 * 3 * 4)


@pytest.mark.parametrize(
    "wrong",
    [
        {"dataset": "iris"},
        {"method": "best"},
        {"groups": 0},
        {"keep": 0.5},
        {"keep": 1.1},
        {"method": "clean"},
        {"method": "clean", "groups": 0},
    ],
)
def test_a_case_that_cannot_be_is_refused(wrong):
    settings = {"dataset": "votes", "method": "inversion", "groups": 1, "keep": 0.7, "seed": 1}

    with pytest.raises(SpecificationError, match="expected"):
        MrrCase(**settings | wrong)


def test_all_truth_and_all_lies_give_the_tree_of_the_truths():
    by_case = {row.case: row for row in mrr_accuracy(CASES)}

    for case, row in by_case.items():
        if case.method == "inversion" and case.keep in (0, 1):
            clean = by_case[MrrCase("votes", "clean", 0, 1.0, case.seed)]
            assert (row.accuracy, row.leaves) == (clean.accuracy, clean.leaves)


def test_all_methods_see_the_same_reports_and_each_coin_others(fits):
    mrr_accuracy(mrr_cases(datasets=["votes"], methods=ALL, groups=[2], keeps=[0.7], seeds=[1]))
    clean, *reports = [X for _, X in fits]

    assert not clean.equals(reports[0])
    assert len(reports) == 4
    assert all(X.equals(reports[0]) for X in reports)


def test_naive_bayes_is_measured_on_the_same_reports_and_has_no_leaves(monkeypatch, fits):
    seen = []
    fit = DisguisedNaiveBayesClassifier.fit
    monkeypatch.setattr(
        DisguisedNaiveBayesClassifier, "fit", lambda self, X: seen.append(X) or fit(self, X)
    )

    _, row = mrr_accuracy(
        mrr_cases(
            datasets=["votes"],
            methods=["inversion", "naive-bayes"],
            groups=[2],
            keeps=[0.9],
            seeds=[1],
        )
    )

    assert seen[0].equals(fits[0][1])
    assert row.leaves == 0
    assert row.accuracy > 0.5


def test_each_repeat_has_another_split_and_other_groups(fits):
    cases = mrr_cases(
        datasets=["votes"], methods=["inversion"], groups=[2], keeps=[1.0], seeds=range(4)
    )
    mrr_accuracy(cases)

    assert {X.num_rows for _, X in fits} == {140}
    assert not fits[0][1].equals(fits[1][1])
    assert len({str(tree.spec.groups) for tree, _ in fits}) > 1
    assert all(any("class" in g for g in tree.spec.groups.values()) for tree, _ in fits)


def test_a_case_gives_the_same_row_whenever_it_is_run():
    rows = mrr_accuracy(CASES)

    assert mrr_accuracy(CASES[5:6]) == rows[5:6]
    assert mrr_accuracy(CASES[::-1]) == rows[::-1]


def test_a_run_that_is_broken_off_is_taken_up_again(tmp_path, monkeypatch, fits):
    whole = mrr_accuracy(CASES)
    fits.clear()
    fit = DisguisedTreeClassifier.fit

    def broken(self, X):
        if len(fits) == 5:
            raise KeyboardInterrupt
        return fit(self, X)

    with monkeypatch.context() as patch:
        patch.setattr(DisguisedTreeClassifier, "fit", broken)
        with pytest.raises(KeyboardInterrupt):
            mrr_accuracy(CASES, resume=tmp_path / "rows")

    assert mrr_accuracy(CASES, resume=tmp_path / "rows") == whole
    assert len(fits) == len(CASES)
    assert mrr_accuracy(CASES, resume=tmp_path / "rows") == whole
    assert len(fits) == len(CASES)
    assert [p.name for p in tmp_path.iterdir()] == ["rows"]


@pytest.mark.parametrize("change", [{"accuracy": 2.0}, {"keep": 0.5}, {"colour": "red"}])
def test_a_row_that_is_none_is_refused_in_one_line(tmp_path, change):
    mrr_accuracy(CASES[:1], resume=tmp_path / "rows")
    heading, row = (tmp_path / "rows").read_text().splitlines()
    (tmp_path / "rows").write_text(heading + "\n" + json.dumps({**json.loads(row), **change}))

    with pytest.raises(TableError, match="line 2: expected a finished row") as error:
        mrr_accuracy(CASES, resume=tmp_path / "rows")
    assert "\n" not in str(error.value)


def test_nothing_is_shown_unless_asked_and_found_rows_count(tmp_path, capsys):
    mrr_accuracy(CASES[:2], resume=tmp_path / "rows")
    assert capsys.readouterr() == ("", "")

    mrr_accuracy(CASES, resume=tmp_path / "rows", progress=True)
    shown = capsys.readouterr()
    assert shown.out == ""
    assert f"{len(CASES)}/{len(CASES)}" in shown.err


def test_time_does_not_make_rows_differ():
    quick, slow = (MrrRow("votes", "clean", 0, 1.0, 1, 0.9, 2, s) for s in (0.1, 9.0))

    assert quick == slow


def test_every_attribute_of_a_table_becomes_binary(published):
    table, spec = binary_table(published)

    assert table.num_rows == {"adult": 10_000, "breast cancer": 699, "votes": 435}[published]
    assert list(spec) == table.column_names
    assert spec.class_attribute == "class"
    for name in spec:
        codes = spec[name].conform(table[name])
        assert len(spec[name].values) == 2
        assert np.isin(codes, (0, 1)).all()


def test_a_published_table_is_learned_as_measured_before(published):
    """The bounds are three standard deviations of one split on either side."""
    rows = mrr_figures(
        datasets=[published],
        methods=["clean", "inversion", "uncorrected"],
        groups=[3],
        keeps=[0.0, 0.9],
        seeds=[1],
    )
    clean, at_0, wrong_at_0, at_9, _ = [row.accuracy for row in rows]
    low, high = {"adult": (0.79, 0.84), "breast cancer": (0.9, 0.98), "votes": (0.88, 1.0)}[
        published
    ]

    assert low < clean < high
    assert at_0 == clean > wrong_at_0
    assert at_9 == pytest.approx(clean, abs=0.08)
