"""Leaves against populations, judged by records that neither has seen."""

from functools import partial

import numpy as np
import pandas as pd
import pytest
from rivals import rivals

from scumble.mining._contest import Contest
from scumble.mining.leaves import Box, counted, finer, start_leaves
from scumble.mining.leaves._model import one_leaf


@pytest.fixture(scope="module")
def contest():
    """Return a contest about people of class 1 where x and y, which hang together, are large."""
    rng = np.random.default_rng(7)
    x = rng.random(12_000)
    truths = pd.DataFrame({"x": x, "y": 0.6 * x + 0.4 * rng.random(12_000)})
    labels = (truths > 0.4).all(axis=1).to_numpy(dtype=np.int64)
    return Contest(*rivals(truths, labels), [0, 1])


def _errors(contest, boxes, chances):
    """By how many standard errors classes are likelier where they hang on boxes alone."""
    patterns = counted(finer(contest.training))
    model = one_leaf(patterns).with_boxes(boxes, np.array(chances))
    trial = (contest.training, contest.held_out, contest.population)
    ahead = contest.borne_out(model, trial)
    return ahead.mean() / ahead.std() * np.sqrt(len(ahead))


def test_a_rule_that_knows_too_little_is_found_out(contest):
    assert _errors(contest, list(Box().cut(0, 0.45)), [[1, 0], [0, 1]]) < -4


def test_the_true_rule_is_borne_out_though_attributes_hang_together(contest):
    low, high = Box().cut(0, 0.4)

    assert _errors(contest, [low, *high.cut(1, 0.4)], [[1, 0], [1, 0], [0, 1]]) > -1


def test_where_records_are_few_all_are_held_out_in_turn():
    rng = np.random.default_rng(8)
    truths = pd.DataFrame(rng.random((6_000, 2)), columns=["x", "y"])
    labels = (truths["x"] > 0.5).to_numpy(dtype=np.int64)
    training, held_out, found = rivals(truths, labels)
    asked = []

    def again(trials, name):
        asked.append(name)
        return trials

    population = next(iter(found.values()))[0]
    trials = [(held_out, training, population)]
    contest = Contest(training, held_out, found, [0, 1], partial(again, trials))
    model = start_leaves(contest.alone.patterns, list(Box().cut(0, 0.5))).model

    contest.verdict(model, contest.explained(model))

    assert asked == [max(found, key=lambda name: found[name][1].mean())]
