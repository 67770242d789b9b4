import re

import numpy as np
import pandas as pd
import pytest

from scumble import DisguisedTreeClassifier, disguise
from scumble.datasets import make_quest, quest_specification
from scumble.errors import SpecificationError
from scumble.mechanisms import GaussianNoise
from scumble.mining.export._text import tree_text


@pytest.fixture(scope="module")
def disguised():
    X, y = make_quest(function=2, n=20_000, seed=0)
    spec = quest_specification(GaussianNoise(privacy=0.5))
    return DisguisedTreeClassifier(spec, method="byclass").fit(disguise(X, spec, seed=1), y).tree_


def test_there_is_a_line_for_each_branch(disguised):
    lines = tree_text(disguised).splitlines()

    assert len(lines) == len(disguised) - 1
    assert sum(" records, " in line for line in lines) == disguised.leaf_count


def test_an_ordinary_tree_fits_eighty_columns(disguised):
    assert max(len(line) for line in tree_text(disguised).splitlines()) <= 80


def test_long_lists_of_categories_fit_eighty_columns():
    values = [f"country {place:02}" for place in range(60)]
    X = pd.DataFrame({"country": values * 4, "age": np.tile([20, 30, 40, 50], 60)})
    y = (np.arange(240) % 60 % 3 == 0) & (X["age"] > 25)

    tree = DisguisedTreeClassifier(pruning=None).fit(X, y).tree_

    text = tree_text(tree)
    assert " more}" in text
    assert max(len(line) for line in text.splitlines()) <= 80


def test_a_leaf_tells_class_number_and_share():
    X, y = [[1], [1], [1], [1], [2]], ["no", "no", "no", "yes", "yes"]

    tree = DisguisedTreeClassifier(pruning=None).fit(X, y).tree_

    assert tree_text(tree) == "x0 < 1.5: no (4 records, 75.0 %)\nx0 >= 1.5: yes (1 record, 100.0 %)"


@pytest.mark.parametrize("depth", [0, 1, 2, 3, 100])
def test_what_lies_too_deep_is_counted(disguised, depth):
    lines = tree_text(disguised, depth=depth).splitlines()

    hidden = [int(line.split("(")[1].split()[0]) for line in lines if "... (" in line]
    shown = sum(" records, " in line for line in lines)
    assert sum(hidden) + shown == disguised.leaf_count
    assert max(line.count("|") for line in lines) <= depth


def test_a_single_leaf_is_one_line():
    tree = DisguisedTreeClassifier().fit([[1], [2]], [True, True]).tree_

    assert tree_text(tree) == "True (2 records, 100.0 %)"
    assert tree_text(tree, depth=0) == "True (2 records, 100.0 %)"


def test_weights_need_not_be_whole():
    model = DisguisedTreeClassifier(pruning=None)

    tree = model.fit([[1], [2]], [1.0, 2.0], sample_weight=[0.25, 0.5]).tree_

    assert re.match(r"x0 < 1\.5: 1\.0 \(0\.\d+ records, 100\.0 %\)", tree_text(tree))


def test_a_deep_tree_is_no_trouble():
    X = np.arange(3000)[:, None]
    model = DisguisedTreeClassifier(pruning=None, criterion="entropy")

    tree = model.fit(X, np.arange(3000) % 2).tree_

    assert len(tree_text(tree).splitlines()) == len(tree) - 1


@pytest.mark.parametrize("depth", [-1, 1.5, True, "2"])
def test_a_depth_is_a_whole_number(disguised, depth):
    with pytest.raises(SpecificationError, match="depth: expected a whole number"):
        tree_text(disguised, depth=depth)
