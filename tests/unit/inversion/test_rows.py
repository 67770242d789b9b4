"""Counts of nodes, inverted: each is a probability of a conjunction."""

import numpy as np
import pandas as pd
import pytest

from scumble import Categorical, Specification, disguise, probability
from scumble.engines import Rows, Splits
from scumble.inversion import _rows
from scumble.inversion._evidence import evidence_of_splits
from scumble.inversion._factors import inverse_factors
from scumble.inversion._probability import category_codes
from scumble.inversion._rows import InvertedRows
from scumble.mechanisms import RandomizedResponse, UnrelatedQuestion, Warner
from scumble.tables import Table

ANSWERS, COLOURS = ["no", "yes"], ["red", "green", "blue", "grey"]
N = 600
# Cells that go left at each node, two levels of splits: an attribute is tested twice.
LEFT = {
    "colour": [[1, 0, 1, 1, 0], [0, 0, 1, 0, 0]],
    "kind": [[0, 1, 1, 0, 0], [0, 1, 0, 0, 0]],
    "a": [[1, 1, 0], [0, 1, 0]],
}


def _spec(group_of_class):
    coin = Warner(keep=0.7, group="g")
    harmless = UnrelatedQuestion(keep=0.6, group="h")
    label = {"g": coin, "alone": RandomizedResponse(keep=0.8), "clear": None}
    return Specification(
        {
            "a": Categorical(ANSWERS, mechanism=coin),
            "colour": Categorical(COLOURS, mechanism=harmless),
            "b": Categorical(ANSWERS, mechanism=coin),
            "kind": Categorical(COLOURS, mechanism=RandomizedResponse(keep=0.6)),
            "c": Categorical(ANSWERS, mechanism=harmless),
            "plain": Categorical(COLOURS),
            "label": Categorical(ANSWERS, mechanism=label[group_of_class]),
        },
        class_attribute="label",
    )


def _reports(spec, n=N):
    rng = np.random.default_rng(3)
    table = {
        name: np.array(spec[name].values)[rng.integers(0, len(spec[name]), n)] for name in spec
    }
    reports = disguise(pd.DataFrame(table), spec, seed=1)
    reports.loc[rng.random(n) < 0.1, "colour"] = None
    reports.loc[rng.random(n) < 0.1, "a"] = None
    return reports


def _rows_of(spec, reports):
    codes = category_codes(Table(reports), spec, list(spec))
    return InvertedRows(codes, inverse_factors(spec, list(spec), [len(spec[n]) for n in spec]))


def _values(spec, name, cells):
    """Return the values of some cells, the first of which is the missing."""
    known = [None, *spec[name].values]
    return [known[place] for place in np.flatnonzero(cells).tolist()]


def _split(rows, spec, name, left):
    """Split every node on one attribute."""
    place = list(spec).index(name)
    width = int(np.diff(rows.offsets).max())
    flags = np.zeros((len(rows), width), dtype=np.uint8)
    flags[:, : len(left)] = left
    list(rows.counts())
    rows.split(Splits.in_two(np.full(len(rows), place), flags))


def _check(rows, spec, reports, boxes):
    """Compare the estimates of every third node with probabilities, cell by cell."""
    totals, counts = rows.estimates(slice(0, len(rows)))
    for node, box in list(enumerate(boxes))[::3]:
        wanted = {name: _values(spec, name, cells) for name, cells in box.items()}
        for c, label in enumerate(ANSWERS):
            found = probability(reports, spec, {**wanted, "label": label})
            assert totals[node, c] == pytest.approx(N * found.probability, abs=1e-8)
            for j, name in enumerate(list(spec)[:-1]):
                allowed = rows.allowed[node, rows.offsets[j] : rows.offsets[j + 1]]
                if allowed.sum() < 2:
                    continue
                for cell in np.flatnonzero(allowed).tolist():
                    [value] = _values(spec, name, np.arange(len(allowed)) == cell)
                    asked = {**wanted, "label": label, name: value}
                    found = probability(reports, spec, asked).probability
                    place = rows.offsets[j] + cell
                    assert counts[node, place, c] == pytest.approx(N * found, abs=1e-8)


@pytest.mark.parametrize(
    ("group_of_class", "kept"), [("g", True), ("g", False), ("alone", True), ("clear", True)]
)
def test_counts_of_nodes_are_probabilities_of_conjunctions(group_of_class, kept, monkeypatch):
    if not kept:
        # Without counts of the level above, both siblings are counted.
        monkeypatch.setattr(_rows, "_KEPT", 0)
    spec = _spec(group_of_class)
    reports = _reports(spec)
    rows = _rows_of(spec, reports)
    boxes = [{}]
    for step in (0, 1):
        for name in ("colour", "kind", "a"):
            left = np.array(LEFT[name][step], dtype=bool)
            _split(rows, spec, name, left)
            full = np.ones(len(left), dtype=bool)
            boxes = [
                {**box, name: box.get(name, full) & side} for box in boxes for side in (left, ~left)
            ]
            if (step, name) in ((0, "kind"), (1, "colour")):
                _check(rows, spec, reports, boxes)


def test_in_clear_they_are_the_counts_of_rows():
    spec = Specification(
        {"a": Categorical(COLOURS), "b": Categorical(ANSWERS), "label": Categorical(ANSWERS)}
    )
    codes = np.random.default_rng(1).integers(0, [5, 3, 2], (300, 3)).astype(np.uint16)
    codes[:, 2] += 1
    inverted = InvertedRows(codes, inverse_factors(spec, list(spec), [4, 2, 2]))
    rows = Rows(codes[:, :2].copy(), codes[:, 2] - np.uint16(1), sizes=[5, 3], classes=2)
    splits = Splits.in_two(np.array([0]), np.array([[1, 0, 1, 1, 0]], dtype=np.uint8))
    for _ in range(2):
        ours, theirs = (np.concatenate(list(source.counts())) for source in (inverted, rows))
        assert np.array_equal(ours, theirs)
        inverted.split(splits)
        rows.split(splits)
        splits = Splits.in_two(np.array([1, -1]), np.array([[1, 1, 0, 0, 0]] * 2, dtype=np.uint8))


def test_counts_are_not_negative_and_attributes_agree_on_the_classes():
    spec = _spec("g")
    rows = _rows_of(spec, _reports(spec, 60))
    _split(rows, spec, "b", [0, 1, 0])
    _split(rows, spec, "colour", LEFT["colour"][0])

    counts = np.concatenate(list(rows.counts()))

    assert counts.min() >= 0
    by_attribute = np.add.reduceat(counts, rows.offsets[:-1], axis=1)
    assert np.allclose(by_attribute, by_attribute[:, :1])


def test_a_node_without_records_answers_as_the_one_above():
    spec = Specification({"a": Categorical(COLOURS), "label": Categorical(ANSWERS)})
    codes = np.array([[1, 1]] * 3 + [[2, 2]] * 5, dtype=np.uint16)
    rows = InvertedRows(codes, inverse_factors(spec, ["a", "label"], [4, 2]))
    _split(rows, spec, "a", [0, 0, 0, 1, 0])

    [empty, full] = np.concatenate(list(rows.counts()))[:, :5].sum(axis=1)

    assert 0 < empty.sum() < 1e-6
    assert np.allclose(empty / empty.sum(), [3 / 8, 5 / 8])
    assert full.tolist() == [3, 5]


def test_records_of_one_kind_are_counted_once():
    spec = _spec("g")
    reports = _reports(spec, 50)
    once = _rows_of(spec, reports)
    thrice = _rows_of(spec, pd.concat([reports] * 3))

    assert len(once.weights) == len(thrice.weights)
    for own, other in zip(*(r.estimates(slice(0, 1)) for r in (once, thrice)), strict=True):
        assert np.allclose(3 * own, other)


def test_weights_say_how_many_a_record_stands_for():
    spec = _spec("g")
    codes = category_codes(Table(_reports(spec, 50)), spec, list(spec))
    factors = inverse_factors(spec, list(spec), [len(spec[n]) for n in spec])
    weights = np.arange(50) % 4

    weighted = InvertedRows(codes, factors, weights=weights.astype(float))

    repeated = InvertedRows(np.repeat(codes, weights, axis=0), factors)
    assert np.allclose(weighted.estimates(slice(0, 1))[1], repeated.estimates(slice(0, 1))[1])


def test_a_kind_that_counts_for_no_side_is_left_behind():
    spec = Specification(
        {c: Categorical(ANSWERS, mechanism=Warner(keep=0.7, group="g")) for c in "abc"}
    )
    codes = np.array([[1, 1, 1], [1, 2, 1], [2, 2, 1], [2, 1, 2]], dtype=np.uint16)
    rows = InvertedRows(codes, inverse_factors(spec, list(spec), [2, 2, 2]))
    _split(rows, spec, "a", [0, 1, 0])
    _split(rows, spec, "b", [0, 1, 0])

    # No, no: reported so, or both the other way round.
    first, last = rows.ends[0]
    assert rows.rows[first:last].tolist() == [0, 2]


def test_nodes_that_leave_no_kind_behind_share_a_list():
    alone = {c: Categorical(ANSWERS, mechanism=Warner(keep=0.7)) for c in "abcd"}
    spec = Specification(alone)
    codes = np.random.default_rng(0).integers(1, 3, (100, 4)).astype(np.uint16)
    rows = InvertedRows(codes, inverse_factors(spec, list(spec), [2] * 4))
    for name in "abc":
        _split(rows, spec, name, [0, 1, 0])

    assert len(rows) == 8
    assert len(rows.rows) == len(rows.weights)


@pytest.mark.parametrize("name", ["a", "kind", "plain"])
def test_evidence_is_the_delta_method_on_what_records_count(name):
    spec = _spec("g")
    reports = _reports(spec)
    rows = _rows_of(spec, reports)
    left = np.array(LEFT.get(name, LEFT["kind"])[0], dtype=bool)
    flags = np.zeros((1, 5), dtype=np.uint8)
    flags[0, : len(left)] = left

    [found] = rows.evidence(Splits.in_two(np.array([list(spec).index(name)]), flags))

    # The same by the spread of probabilities under small changes of the counts.
    def count(cells, label):
        wanted = {name: _values(spec, name, cells), "label": label}
        return N * probability(reports, spec, wanted).probability

    table = np.array([[count(side, label) for label in ANSWERS] for side in (left, ~left)])
    difference = table[0, 0] * table[1, 1] - table[0, 1] * table[1, 0]
    changes = []
    for part in np.array_split(np.arange(N), 50):
        less = reports.drop(index=part)
        t = [
            [
                probability(
                    less, spec, {name: _values(spec, name, side), "label": label}
                ).probability
                for label in ANSWERS
            ]
            for side in (left, ~left)
        ]
        changes.append(N**2 * (t[0][0] * t[1][1] - t[0][1] * t[1][0]))
    jackknife = np.sqrt(49 / 50 * ((np.array(changes) - np.mean(changes)) ** 2).sum())
    assert found == pytest.approx(abs(difference) / jackknife, rel=0.25)


def test_evidence_of_many_classes_is_a_chi_square():
    rng = np.random.default_rng(2)
    found = []
    for _ in range(400):
        counted = np.eye(6)[rng.integers(0, 6, 500)]
        found.append(
            evidence_of_splits(counted.sum(axis=0)[None], (counted.T @ counted)[None], records=500)
        )

    # Two of a hundred beyond 2.33, as of a bell curve on both sides.
    assert 0.002 < (np.concatenate(found) > 2.33).mean() < 0.05


def test_a_split_of_classes_that_are_surely_the_same_tells_nothing():
    assert evidence_of_splits(np.zeros((1, 4)), np.zeros((1, 4, 4)), records=10).tolist() == [0]
