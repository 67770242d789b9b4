"""Leaves against populations, judged by records that neither has seen."""

from functools import partial

import numpy as np
import pandas as pd
import pytest
from rivals import rivals

from scumble.mining._contest import Contest, _better, _large
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
    ahead = contest.borne_out(model, (contest.held_out, contest.population))
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
    trials = [(held_out, population)]
    contest = Contest(training, held_out, found, [0, 1], partial(again, trials))
    model = start_leaves(contest.alone.patterns, list(Box().cut(0, 0.5))).model

    contest.verdict(model, contest.explained(model))

    assert asked == [max(found, key=lambda name: found[name][1].mean())]


@pytest.fixture(scope="module")
def halves():
    """Return a contest about people whose class hangs on x alone, and leaves that say so."""
    rng = np.random.default_rng(9)
    truths = pd.DataFrame(rng.random((12_000, 2)), columns=["x", "y"])
    contest = Contest(*rivals(truths, (truths["x"] > 0.5).to_numpy(dtype=np.int64)), [0, 1])
    return contest, start_leaves(contest.alone.patterns, list(Box().cut(0, 0.5))).model


@pytest.fixture(scope="module")
def quarter(halves):
    """Return the same contest, and leaves that test y too."""
    contest, _ = halves
    low, high = Box().cut(0, 0.5)
    return contest, start_leaves(contest.alone.patterns, [low, *high.cut(1, 0.01)]).model


def _verdict(halves, monkeypatch, explained, errors):
    """Return what is said of leaves that are borne out by so many standard errors."""
    contest, model = halves
    noise = np.tile([1.0, -1.0], len(contest.held_out) // 2)
    ahead = noise + errors / np.sqrt(len(noise))
    monkeypatch.setattr(contest, "borne_out", lambda *_: ahead)
    return contest.verdict(model, (explained, contest.explained(model)[1]))


@pytest.mark.parametrize(
    ("explained", "errors", "joins"),
    [(1.0, 0.0, True), (1.0, -2.5, True), (1.0, -4.5, False), (0.0, 8.0, True), (0.0, -2.5, False)],
)
def test_leaves_are_heard_if_they_are_borne_out(halves, monkeypatch, explained, errors, joins):
    assert _verdict(halves, monkeypatch, explained, errors).joins == joins


def test_of_leaves_of_several_attributes_less_is_asked(quarter, monkeypatch):
    """Of how these hang together less is known than of how one is spread."""
    assert _verdict(quarter, monkeypatch, 1.0, -7.0).joins
    assert not _verdict(quarter, monkeypatch, 1.0, -9.0).joins


def test_leaves_weigh_less_the_less_they_are_borne_out(halves, monkeypatch):
    weights = [_verdict(halves, monkeypatch, 1.0, errors).weight for errors in (0.0, -2.0, -3.0)]

    assert weights[0] > weights[1] > weights[2] > 0.3


def test_leaves_weigh_less_where_a_simple_population_is_as_good():
    rng = np.random.default_rng(10)
    leaves, alike, behind = rng.normal(0, 1, (3, 4_000))

    assert _better(leaves, {"mixture": alike}) == 1
    assert _better(leaves, {"mixture": alike, "naive Bayes": leaves + 0.01 * alike}) < 0.9
    assert _better(leaves, {"mixture": alike, "naive Bayes": behind - 0.5}) > 0.99


def test_walks_begin_from_large_populations_where_there_are_any():
    assert _large(["mixture", "naive Bayes"]) == ["mixture"]
    assert _large(["naive Bayes"]) == ["naive Bayes"]
