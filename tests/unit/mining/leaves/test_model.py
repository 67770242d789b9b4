from dataclasses import replace

import numpy as np
import pyarrow as pa
import pytest

from scumble import Categorical, Numeric, Specification, disguise
from scumble.mechanisms import GaussianNoise, Warner
from scumble.mining.leaves import Box, counted, finer, improve, joint_log_scores, own_log_scores
from scumble.mining.leaves._classes import fit_classes
from scumble.mining.leaves._model import one_leaf
from scumble.mining.leaves._patterns import Patterns
from scumble.population import code_reports
from scumble.tables import Table

SPEC = Specification(
    {
        "age": Numeric(0, 100, mechanism=GaussianNoise(privacy=0.5)),
        "smoker": Categorical(["no", "yes"], mechanism=Warner(keep=0.8)),
    }
)


def _reports(n=4000, *, seed=1, keep_of_young=1.0, names=("age", "smoker")):
    """Return people of class 1 below 40; of these only some may be in the table."""
    rng = np.random.default_rng(seed)
    age = rng.uniform(0, 100, n)
    label = (age < 40).astype(np.int64)
    kept = (label == 0) | (rng.random(n) < keep_of_young)
    table = pa.table({"age": age, "smoker": rng.choice(["no", "yes"], n)}).filter(pa.array(kept))
    found = disguise(table, SPEC, seed=seed)
    return code_reports(Table(found), SPEC, names=list(names), labels=label[kept])


def _two_leaves(patterns, at):
    start = one_leaf(patterns)
    return fit_classes(start.with_boxes(Box().cut(0, at), np.tile(start.chances, (2, 1))), steps=8)


def test_a_pattern_stands_for_all_records_that_report_it():
    reports = _reports()
    together = counted(reports)
    apart = Patterns(reports, np.ones(len(reports), dtype=np.float32))

    assert together.total == apart.total == len(reports)
    assert len(together.counts) < len(reports)
    assert together.code_counts() == pytest.approx(apart.code_counts())
    assert _two_leaves(together, 40.0).log_likelihood == pytest.approx(
        _two_leaves(apart, 40.0).log_likelihood, rel=1e-5
    )


def test_records_without_a_class_are_left_out():
    reports = _reports(n=100)
    labels = reports.labels.copy()
    labels[:30] = -1

    assert counted(replace(reports, labels=labels)).total == 70


def test_the_likelihood_is_that_of_the_joint_distribution():
    """Summed over all reports and classes, probabilities are one."""
    reports = _reports(n=500)
    model = _two_leaves(counted(reports), 40.0)
    sizes = [factor.size for factor in reports.factors]
    codes = np.array([(a, b) for a in range(1, sizes[0]) for b in range(1, sizes[1])])
    total = 0.0
    for label in (0, 1):
        every = replace(reports, codes=codes.astype(np.uint16), labels=np.full(len(codes), label))
        total += float(np.exp(joint_log_scores(model, every)).sum())

    assert total == pytest.approx(1, abs=1e-3)


def test_chances_are_those_of_the_classes_on_each_side():
    model = _two_leaves(counted(finer(_reports(n=20_000))), 40.0)

    assert model.chances == pytest.approx(np.array([[0, 1], [1, 0]]), abs=0.02)


def test_a_threshold_moves_to_where_the_class_changes():
    found = improve(_two_leaves(counted(finer(_reports(n=20_000))), 30.0), rounds=10)

    ((_, at),) = found.keys
    error = np.sqrt(found.covariance[0, 0])
    assert abs(at - 40) < 5 * error  # about one in a million
    assert error < 1


def test_classes_drawn_unequally_do_not_misplace_it():
    """Had the table itself a smooth density, the threshold would lie beside the jump."""
    reports = _reports(n=60_000, keep_of_young=0.3)
    found = improve(_two_leaves(counted(finer(reports)), 35.0), rounds=15)

    ((_, at),) = found.keys
    assert abs(at - 40) < 5 * np.sqrt(found.covariance[0, 0])
    odds = found.model.scales[1] / found.model.scales[0]
    assert odds == pytest.approx(0.3, abs=0.1)
    held = replace(found.model, scales=np.ones(2))
    assert held.log_likelihood < found.model.log_likelihood - 10


def test_a_step_never_makes_it_worse():
    model = _two_leaves(counted(_reports(n=2000)), 70.0)

    better = improve(model, rounds=1).model

    assert better.log_likelihood > model.log_likelihood


def test_the_right_leaves_foretell_classes_better_than_wrong_ones():
    reports = _reports(n=5000)
    right, wrong = (_two_leaves(counted(reports), at) for at in (40.0, 75.0))

    fresh = _reports(n=2000, seed=9)

    assert own_log_scores(right, fresh).mean() > own_log_scores(wrong, fresh).mean() + 0.01


def test_a_disguised_class_is_seen_through():
    reports = _reports(n=40_000)
    rng = np.random.default_rng(3)
    flipped = np.where(rng.random(len(reports)) < 0.2, 1 - reports.labels, reports.labels)
    matrix = np.array([[0.8, 0.2], [0.2, 0.8]])
    told = replace(reports, labels=flipped, label_matrix=matrix)

    found = improve(_two_leaves(counted(finer(told)), 45.0), rounds=10)

    ((_, at),) = found.keys
    assert abs(at - 40) < 5 * np.sqrt(found.covariance[0, 0])
    assert found.model.chances == pytest.approx(np.array([[0, 1], [1, 0]]), abs=0.05)
