from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from golf import golf

from scumble import Categorical, DisguisedTreeClassifier, Numeric, Specification
from scumble.mining import C45Classifier
from scumble.mining._regions import leaf_boxes, thresholds_by_name
from scumble.population import OrMissing, code_reports
from scumble.tables import Table

SPEC = Specification({"size": Numeric(0, 10), "colour": Categorical(["red", "green", "blue"])})


def _table(n=400, *, seed=1):
    rng = np.random.default_rng(seed)
    size, colour = rng.uniform(0, 10, n), rng.choice(["red", "green", "blue"], n)
    y = np.where((size > 3) & (size < 7) & (colour != "green"), "in", "out")
    table = pd.DataFrame({"size": size, "colour": colour})
    table[rng.random((n, 2)) < 0.1] = None
    return table, y


def test_every_clear_record_lies_in_the_box_of_its_leaf_and_in_no_other():
    table, y = _table()
    tree = DisguisedTreeClassifier(SPEC, method="byclass", pruning=None).fit(table, y)
    reports = code_reports(
        Table(table),
        SPEC,
        names=list(SPEC),
        cuts=thresholds_by_name(tree.tree_),
        missing_cells=True,
    )

    boxes, answers = leaf_boxes(
        tree.tree_, dict(zip(reports.attributes, reports.cells, strict=True))
    )

    inside = np.ones((len(table), len(boxes)))
    for b, box in enumerate(boxes):
        for j, parts in box.items():
            inside[:, b] *= parts[reports.codes[:, j].astype(int) - 1]
    leaves = np.flatnonzero(tree.tree_.attribute < 0)
    assert (inside.sum(axis=1) == 1).all()
    assert (leaves[inside.argmax(axis=1)] == tree.apply(table)).all()
    assert (tree.classes_[answers[inside.argmax(axis=1)]] == tree.predict(table)).all()


def test_a_missing_value_that_goes_down_all_branches_lies_in_part_in_each_box():
    X, y = golf(unknown=True)
    tree = C45Classifier().fit(X, y).tree_
    cells = {"outlook": OrMissing(tree.attributes["outlook"])}

    boxes, _ = leaf_boxes(_cut_below(tree), cells)

    inside = np.array([box[0] for box in boxes])
    assert inside[:, 0] == pytest.approx(np.array([3, 5, 5]) / 13)
    assert (inside[:, 1:] == np.eye(3)).all()


def _cut_below(tree):
    """Return a tree without what lies below its first test."""
    leaf = np.arange(4) > 0
    return replace(
        tree,
        attribute=np.where(leaf, -1, tree.attribute[:4]),
        child=np.where(leaf, -1, tree.child[:4]),
        ways=np.where(leaf, 0, tree.ways[:4]),
        threshold=tree.threshold[:4],
        branches={0: tree.branches[0]},
        missing=tree.missing[:4],
        counts=tree.counts[:4],
    )
