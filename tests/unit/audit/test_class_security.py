import numpy as np
import pyarrow as pa
import pytest

from scumble.audit import class_security
from scumble.datasets import load_boston
from scumble.errors import DatasetError, TableError
from scumble.mining import C45Classifier
from scumble.treatments import ClassNoise, Treat, expected_changes


class _Guide:
    """A tree of which the leaf of a record is its column."""

    feature_names_in_ = ("leaf",)

    def apply(self, X):
        return np.asarray(X["leaf"])


def _by_part(found):
    return {result.attack.partition(", ")[2]: result for result in found}


def test_classes_that_change_places_are_kept_by_the_closed_form():
    # A leaf of 80 and 20, and one of a single class.
    truth = pa.table({"leaf": [1] * 5000 + [2] * 1000, "class": [*"aaaab"] * 1000 + ["b"] * 1000})
    rng = np.random.default_rng(1)
    mixed = rng.permutation(np.array(truth["class"])[:5000])
    released = truth.set_column(1, "class", pa.array([*mixed, *["b"] * 1000]))

    found = _by_part(class_security(truth, released, class_attribute="class", guide=_Guide()))

    # Five standard errors of 4000 and 1000 records.
    assert found["leaf majority"].success == pytest.approx(0.8, abs=5 * np.sqrt(0.16 / 4000))
    assert found["leaf minority"].success == pytest.approx(0.2, abs=5 * np.sqrt(0.16 / 1000))
    assert found["homogeneous leaves"].success == 1.0
    assert (found["leaf minority"].base, found["leaf majority"].base) == (0.0, 1.0)
    assert found[""].records == 6000


def test_without_a_guide_all_records_count():
    truth = pa.table({"class": ["a", "a", None, "b"]})
    released = pa.table({"class": ["a", "b", "a", "b"]})

    (found,) = class_security(truth, released, class_attribute="class")

    assert (found.success, found.records) == (pytest.approx(2 / 3), 3)


def test_tables_must_have_the_same_records():
    truth = pa.table({"class": ["a", "b"]})

    with pytest.raises(TableError, match="same order"):
        class_security(truth, truth.slice(0, 1), class_attribute="class")


def test_on_boston_minority_cases_are_safe_and_homogeneous_leaves_are_not():
    try:
        X, prices = load_boston()
    except DatasetError as error:
        pytest.skip(str(error))
    y = np.where(prices > np.quantile(prices, 0.8), "top", "bottom")
    table = X.append_column("class", pa.array(y))
    guide = C45Classifier().fit(X, y)
    found = {}
    for technique in ("random", "all-leaves"):
        noise = Treat(
            {"class": ClassNoise(technique=technique)}, class_attribute="class", seed=1
        ).fit_transform(table)
        found[technique] = _by_part(
            class_security(table, noise, class_attribute="class", guide=guide)
        )

    assert found["random"]["leaf minority"].success < 0.2
    assert found["random"]["homogeneous leaves"].success == 1.0
    # For everyone 1 - E(N) / N.
    kept = 1 - expected_changes(guide.apply(X), (y == "top").astype(int)) / len(y)
    for result in found["all-leaves"].values():
        assert result.low <= kept <= result.high or result.records < 20
