"""Leaves that compete with populations."""

import numpy as np
import pandas as pd
import pytest
from rivals import rivals
from sklearn.datasets import make_moons

from scumble.mining import _leaf_learner
from scumble.mining._contest import Contest
from scumble.mining._leaf_learner import LeafLearner, learn_leaves


def test_rules_of_one_attribute_do_not_have_their_way_where_two_decide():
    """Two half moons: the attributes depend on each other within the classes."""
    truths, labels = make_moons(10_000, noise=0.15, random_state=4)
    low, high = truths.min(axis=0), truths.max(axis=0)
    truths = pd.DataFrame((truths - low) / (high - low), columns=["x", "y"])

    leaves = learn_leaves(*rivals(truths, labels), seed=1)

    # Else they would, with 84 % instead of 95: at what they know they are ahead.
    assert len(leaves.model.reports.attributes) == 1
    assert not leaves.joins


def test_a_rule_is_found_though_another_attribute_hangs_on_what_it_tests():
    """Five draws: a right rule may by chance be refused, and leaves of a first look stand in."""
    rules = 0
    for seed in range(7, 12):
        rng = np.random.default_rng(seed)
        x = rng.random(20_000)
        # So little that it might come from the class, but leaves that know both are contradicted.
        y = np.where(rng.random(20_000) < 0.2, x, rng.random(20_000))
        labels = ((x < 0.4) | (x >= 0.6)).astype(np.int64)

        leaves = learn_leaves(*rivals(pd.DataFrame({"x": x, "y": y}), labels), seed=1)

        assert leaves.joins
        assert list(leaves.model.reports.attributes) == ["x"]
        found = sorted({end for box in leaves.model.boxes for end in box.bounds[0]})
        rules += len(found) == 4 and np.allclose(found, [-np.inf, 0.4, 0.6, np.inf], atol=0.02)
    assert rules >= 3


@pytest.mark.parametrize(("borne_out", "walks"), [(6.0, True), (0.0, False)])
def test_leaves_of_a_first_look_that_are_borne_out_are_walked_for(monkeypatch, borne_out, walks):
    """Though they explain little, and are behind at what they know: 24 leaves know it roughly."""
    x = np.random.default_rng(3).random((6_000, 2))
    parts = rivals(pd.DataFrame(x, columns=["x", "y"]), (x[:, 0] > 0.5).astype(np.int64))
    monkeypatch.setattr(Contest, "explained", lambda *_: (0.0, np.zeros(1)))
    look = LeafLearner(None, None, None, np.zeros(1), False, 0.5, borne_out, 0.0, "")
    monkeypatch.setattr(_leaf_learner, "_learner", lambda *_: look)
    walked = []
    monkeypatch.setattr(_leaf_learner, "_walked", lambda *_, **__: walked.append(1) or look)

    learn_leaves(*parts, seed=1)

    assert bool(walked) == walks
