"""Class noise changes as many classes as stated, and keeps the class of whom it is stated to.

Means and variances of 2,000 draws are allowed five of their standard errors: a bell curve leaves
these in six of ten million cases. Each check has twins that must be found out by the same rule: a
technique taken for another, and noise that is a fifth too small or too large.
"""

import numpy as np
import pytest

from scumble.experiments import _ib_changes as changes
from scumble.experiments import changes_row
from scumble.treatments import ClassNoise

LIMIT = 5
DRAWS = 2000
LEAVES = np.repeat([0, 1, 2, 3], [60, 30, 8, 100])
CLASSES = np.concatenate([np.arange(60) < 12, np.arange(30) < 14, np.arange(8) < 1, np.ones(100)])
CLASSES = CLASSES.astype(np.int64)
TECHNIQUES = ["random", "probabilistic", "all-leaves"]


def _row(technique):
    return changes_row(LEAVES, CLASSES, technique=technique, draws=DRAWS, seed=7)


@pytest.mark.parametrize("technique", TECHNIQUES)
def test_mean_and_variance_are_as_stated(technique):
    row = _row(technique)

    assert abs(row.mean_off) < LIMIT
    assert abs(row.variance_off) < LIMIT


def _posing_as(technique, true):
    """Return the row of a technique whose draws are made by another one."""
    posing = ClassNoise(technique=true)

    class Twin(ClassNoise):
        def donors(self, leaves, classes, stream):
            return posing.donors(leaves, classes, stream)

    return Twin


@pytest.mark.parametrize(
    ("stated", "true"),
    [("random", "all-leaves"), ("probabilistic", "all-leaves"), ("all-leaves", "random")],
)
def test_a_technique_taken_for_another_is_found_out(stated, true, monkeypatch):
    monkeypatch.setattr(changes, "ClassNoise", _posing_as(stated, true))
    row = _row(stated)

    assert abs(row.variance_off) > LIMIT or abs(row.mean_off) > LIMIT


@pytest.mark.parametrize("technique", TECHNIQUES)
@pytest.mark.parametrize("share", [0.8, 1.2])
def test_a_fifth_too_little_or_too_much_noise_is_found_out(technique, share, monkeypatch):
    true = ClassNoise(technique=technique)

    class Twin(ClassNoise):
        def donors(self, leaves, classes, stream):
            first = true.donors(leaves, classes, stream)
            again = true.donors(leaves, classes, stream)
            chosen = stream.uniform(len(first)) < abs(1 - share)
            other = classes[again] if share > 1 else classes
            changed = np.where(chosen, other, classes[first])
            if share > 1:
                changed = np.where(chosen & (classes[first] != classes), classes[first], changed)
            # Any record of the class that is wanted will do as its donor.
            return np.array([np.flatnonzero(classes == 0)[0], np.flatnonzero(classes)[0]])[changed]

    monkeypatch.setattr(changes, "ClassNoise", Twin)

    assert abs(_row(technique).mean_off) > LIMIT


def _kept(technique):
    row = _row(technique)
    return np.array([row.minority, row.majority, row.homogeneous])


def test_who_keeps_the_class_is_as_stated():
    sizes = np.array([[48, 12], [16, 14], [7, 1]])
    shares = sizes / sizes.sum(axis=1, keepdims=True)
    minority, majority = (np.average(shares[:, j], weights=sizes[:, j]) for j in (1, 0))
    # Of 27 records that are not like their leaf, 2,000 draws each: .0033 is more than six
    # standard errors even where the draws of a leaf depend on each other wholly in pairs.
    error = LIMIT * np.sqrt(0.25 / (DRAWS * 27))

    for technique in TECHNIQUES[:2]:
        found = _kept(technique)
        assert found[:2] == pytest.approx([minority, majority], abs=error)
        assert found[2] == 1
    p = 1 - sum(2 * m * n / (m + n) for m, n in sizes) / len(LEAVES)
    assert _kept("all-leaves") == pytest.approx([p, p, p], abs=error)
    assert abs(minority - p) > 10 * error
