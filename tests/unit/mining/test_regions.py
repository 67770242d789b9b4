import numpy as np
import pandas as pd

from scumble import Categorical, DisguisedTreeClassifier, Numeric, Specification
from scumble.mining._regions import leaf_boxes, thresholds_by_name
from scumble.population import code_reports
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
