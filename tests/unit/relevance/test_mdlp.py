import numpy as np
import pandas as pd
import pytest
from error_texts import all_texts

from scumble.datasets import load_pima
from scumble.errors import DatasetError, DomainError, SpecificationError, TableError
from scumble.relevance import best_cut, mdlp_cuts

PIMA = {
    "pregnancies": [6.5],
    "glucose": [99.5, 127.5, 154.5],
    "blood_pressure": [],
    "skin_thickness": [],
    "insulin": [14.5, 121],
    "bmi": [27.85],
    "pedigree": [0.5275],
    "age": [28.5],
}


def _entropy(labels):
    shares = np.unique(labels, return_counts=True)[1] / len(labels)
    return -np.sum(shares * np.log2(shares))


def _plain(values, labels, minimum=1):
    """Return the cuts as the definition reads, cut by cut and record by record."""
    order = np.argsort(values, kind="stable")
    values, labels = values[order], labels[order]
    n, best = len(values), None
    for place in range(minimum, n - minimum + 1):
        if 0 < place < n and values[place - 1] < values[place]:
            left, right = labels[:place], labels[place:]
            rest = (place * _entropy(left) + (n - place) * _entropy(right)) / n
            if best is None or rest < best[0] - 1e-12:
                best = rest, place
    if best is None:
        return []
    left, right = labels[: best[1]], labels[best[1] :]
    k, k1, k2 = (len(set(part)) for part in (labels, left, right))
    spread = k * _entropy(labels) - k1 * _entropy(left) - k2 * _entropy(right)
    price = (np.log2(n - 1) + np.log2(3**k - 2) - spread) / n
    if _entropy(labels) - best[0] <= price:
        return []
    cut = (values[best[1] - 1] + values[best[1]]) / 2
    below, above = values <= cut, values > cut
    return [
        *_plain(values[below], labels[below], minimum),
        cut,
        *_plain(values[above], labels[above], minimum),
    ]


def test_pima_is_cut_as_others_cut_it():
    try:
        X, y = load_pima()
    except DatasetError:
        pytest.skip("the data set was not found")

    for name, cuts in PIMA.items():
        assert mdlp_cuts(X[name], y) == pytest.approx(cuts), name


@pytest.mark.parametrize("minimum", [1, 2, 5, 40])
@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("different", [8, 40, 1000])
def test_cuts_are_those_of_the_definition(minimum, classes, different):
    rng = np.random.default_rng(different + classes)
    for _ in range(10):
        values = np.floor(rng.random(150) * different)
        waves = (3 * values / different + rng.normal(0, 0.2, 150)).astype(int)
        labels = np.clip(waves, 0, 2) % classes

        assert mdlp_cuts(values, labels, minimum=minimum) == pytest.approx(
            _plain(values, labels, minimum)
        )


def test_where_the_best_cut_leaves_too_few_the_best_of_the_others_is_tried():
    values = np.arange(60.0)
    labels = values < 4

    assert mdlp_cuts(values, labels) == (3.5,)
    # Inside a run of one class: no boundary, but the best cut that is allowed.
    assert mdlp_cuts(values, labels, minimum=6) == (5.5,)
    assert mdlp_cuts(values, labels, minimum=31) == ()


def test_each_cell_holds_the_minimum():
    rng = np.random.default_rng(1)
    values = rng.normal(size=5000)
    labels = np.sin(20 * values) > 0

    for minimum in (1, 50, 300):
        cells = np.digitize(values, mdlp_cuts(values, labels, minimum=minimum), right=True)
        assert np.bincount(cells).min() >= minimum
        assert cells.max() > 1


def test_missing_values_are_left_out():
    values = pd.Series([1.0, 2.0, np.nan, 3.0, 4.0, 5.0, 6.0, np.nan, 7.0, 8.0])

    assert mdlp_cuts(values, list("aabaabbabb")) == (4.5,)


@pytest.mark.parametrize(
    ("values", "labels"),
    [
        ([1, 2, 3, 4], ["a"] * 4),
        ([5, 5, 5, 5], list("abab")),
        ([None] * 4, list("abab")),
        ([np.nan, 1.0, np.nan, np.nan], list("abab")),
        ([1], ["a"]),
    ],
)
def test_what_cannot_be_cut_stays_whole(values, labels):
    assert mdlp_cuts(values, labels) == ()


def test_cuts_are_finite_and_part_what_they_should_whatever_the_numbers():
    low, high = np.nextafter(1.0, 0.0), 1.0
    huge = np.finfo(float).max
    for pair in ((low, high), (-np.inf, 0.0), (0.0, np.inf), (-np.inf, np.inf), (huge / 2, huge)):
        (cut,) = mdlp_cuts(np.repeat(pair, 20), np.repeat(["a", "b"], 20))
        assert np.isfinite(cut)
        assert pair[0] <= cut < pair[1]


def test_many_classes_and_many_cuts_are_no_trouble():
    values = np.repeat(np.arange(900), 30)
    cuts = mdlp_cuts(values, values)

    assert len(cuts) == 899
    assert cuts[:2] == (0.5, 1.5)


@pytest.mark.parametrize("minimum", [0, -1, 1.5, True, None, "5"])
def test_a_minimum_is_a_whole_number(minimum):
    with pytest.raises(SpecificationError, match="minimum: expected a whole number from 1 on"):
        mdlp_cuts([1, 2], [0, 1], minimum=minimum)


def test_errors_show_no_record():
    with pytest.raises(TableError, match="one for each of 3 values, got 2"):
        mdlp_cuts([1, 2, 3], [0, 1])
    with pytest.raises(TableError, match="got none for 1 of 2"):
        mdlp_cuts([1, 2], [None, "secret"])
    with pytest.raises(DomainError) as caught:
        mdlp_cuts(["secret", "other"], [0, 1])
    assert "secret" not in all_texts(caught.value)


def test_the_best_cut_is_the_first_that_is_made():
    rng = np.random.default_rng(2)
    values = rng.integers(20, size=2000)
    labels = (rng.random(2000) < np.where(values > 12, 0.9, 0.2)).astype(int)
    counts = np.bincount(values * 2 + labels, minlength=40).reshape(20, 2)

    assert best_cut(counts) == 13
    assert 12.5 in mdlp_cuts(values, labels)
    assert best_cut(np.full((20, 2), 50)) is None
    assert best_cut(counts[:1]) is None
