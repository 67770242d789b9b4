"""Estimates by inversion are unbiased, and their errors are right.

Means of 150 draws, whose seeds are fixed, are allowed five of their standard errors: a bell curve
leaves these in six of ten million cases. The mean of the stated errors may differ by a quarter from
the spread of the estimates, which is known to one part in 17; people are drawn anew each time,
since stated errors count them as a sample too. The twin takes the coin for another than it is, and
must be found out by the same rule.
"""

import numpy as np
import pandas as pd
import pytest

from scumble import Categorical, DisguisedTreeClassifier, Specification, disguise, probability
from scumble.mechanisms import UnrelatedQuestion, Warner

BITS = ["0", "1"]
NAMES = [f"a{j}" for j in range(6)]
DRAWS = 150


def _spec(keep, groups, mechanism=Warner):
    columns = {
        name: Categorical(BITS, mechanism=mechanism(keep=keep, group=group))
        for name, group in zip([*NAMES, "class"], groups, strict=True)
    }
    return Specification(columns, class_attribute="class")


def _people(n, *, seed):
    rng = np.random.default_rng([seed, 11])
    bits = rng.random((n, 6)) < [0.5, 0.4, 0.6, 0.5, 0.3, 0.5]
    label = (bits[:, 0] & bits[:, 1]) ^ (rng.random(n) < 0.1)
    values = np.column_stack((bits, label)).astype(int)
    return pd.DataFrame(np.array(BITS)[values], columns=[*NAMES, "class"])


def _off(found, errors, truth):
    """Return by how many standard errors a mean is off, and by how much the stated errors are."""
    spread = np.std(found, ddof=1)
    return abs(np.mean(found) - truth) / (spread / np.sqrt(len(found))), np.mean(errors) / spread


CASES = [
    ("aaaaaaa", Warner, 0.7, 0.8),
    ("abcabca", Warner, 0.8, 0.9),
    ("abababb", UnrelatedQuestion, 0.5, 0.7),
]


@pytest.mark.parametrize(("groups", "mechanism", "keep", "other"), CASES)
def test_a_conjunction_is_estimated_without_bias(groups, mechanism, keep, other):
    spec, wrong = (_spec(coin, groups, mechanism) for coin in (keep, other))
    wanted, truth = {"a0": "0", "a1": "0", "class": "0"}, 0.5 * 0.6 * 0.9
    estimates, twins = [], []
    for seed in range(DRAWS):
        reports = disguise(_people(1000, seed=seed), spec, seed=seed)
        estimates.append(probability(reports, spec, wanted))
        twins.append(probability(reports, wrong, wanted))

    off, scale = _off([e.probability for e in estimates], [e.error for e in estimates], truth)
    assert off < 5
    assert 0.75 < scale < 1.34
    off, _ = _off([e.probability for e in twins], [e.error for e in twins], truth)
    assert off > 5


@pytest.mark.filterwarnings("ignore::scumble.errors.ScumbleWarning")
@pytest.mark.parametrize(("groups", "mechanism", "keep", "other"), CASES)
def test_the_accuracy_of_a_tree_is_estimated_without_bias(groups, mechanism, keep, other):
    spec, wrong = (_spec(coin, groups, mechanism) for coin in (keep, other))
    estimates, twins = [], []
    people = _people(100_000, seed=DRAWS)
    learnt = DisguisedTreeClassifier(criterion="entropy", max_depth=3)
    learnt.fit(people[NAMES], people["class"])
    trees = [DisguisedTreeClassifier(own, method="inversion") for own in (spec, wrong)]
    for tree in trees:
        tree.tree_, tree.classes_ = learnt.tree_, learnt.classes_
    truth = learnt.score(people[NAMES], people["class"])
    for seed in range(DRAWS):
        reports = disguise(_people(1000, seed=seed), spec, seed=seed)
        estimates.append(trees[0].score_disguised(reports))
        twins.append(trees[1].score_disguised(reports))

    off, scale = _off([e.accuracy for e in estimates], [e.error for e in estimates], truth)
    assert off < 5
    assert 0.75 < scale < 1.34
    off, _ = _off([e.accuracy for e in twins], [e.error for e in twins], truth)
    assert off > 5
