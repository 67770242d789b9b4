import matplotlib
import numpy as np
import pandas as pd
import pytest
from golf import golf
from matplotlib import pyplot
from matplotlib.patches import FancyBboxPatch

from scumble import DisguisedTreeClassifier, disguise
from scumble.datasets import make_quest, quest_specification
from scumble.mechanisms import GaussianNoise
from scumble.mining import C45Classifier
from scumble.mining.export._colours import node_colour
from scumble.mining.export._draw import draw_tree


@pytest.fixture(autouse=True)
def _close_figures():
    yield
    pyplot.close("all")


@pytest.fixture(scope="module")
def large():
    X, y = make_quest(function=5, n=20_000, seed=0)
    return DisguisedTreeClassifier().fit(X, y).tree_


def _boxes(ax):
    return [patch for patch in ax.patches if isinstance(patch, FancyBboxPatch)]


def _texts(ax):
    return [text.get_text() for text in ax.texts]


def test_every_node_has_a_box_and_every_branch_an_edge():
    X, y = make_quest(function=2, n=10_000, seed=0)
    tree = DisguisedTreeClassifier().fit(X, y).tree_

    ax = draw_tree(tree, depth=None)

    assert len(_boxes(ax)) == len(tree)
    assert len(ax.lines) == len(tree) - 1
    assert _texts(ax).count("yes") == _texts(ax).count("no") == tree.leaf_count - 1


def test_deeper_parts_are_boxes_with_the_number_of_leaves(large):
    ax = draw_tree(large, depth=3)

    hidden = [int(text.split()[1]) for text in _texts(ax) if text.startswith("... ")]
    leaves = int(np.count_nonzero((large.depths <= 3) & (large.attribute < 0)))
    assert sum(hidden) + leaves == large.leaf_count
    assert len(_boxes(ax)) <= 15


@pytest.mark.parametrize("size", [None, (7, 5), (20, 3), (3, 10)])
def test_text_stays_within_its_box(large, size):
    given = None if size is None else pyplot.figure(figsize=size).add_subplot()

    ax = draw_tree(large, ax=given, depth=5)

    assert given is None or ax is given
    ax.figure.canvas.draw()
    boxes = [patch.get_window_extent() for patch in _boxes(ax)]
    captions = [text for text in ax.texts if text.get_text() not in ("yes", "no")]
    assert len(captions) == 2 * len(boxes)
    for place, text in enumerate(captions):
        extent, box = text.get_window_extent(), boxes[place // 2]
        assert box.x0 <= extent.x0
        assert extent.x1 <= box.x1
        assert box.y0 <= extent.y0
        assert extent.y1 <= box.y1


def test_boxes_do_not_overlap(large):
    ax = draw_tree(large, depth=5)

    ax.figure.canvas.draw()
    boxes = [patch.get_window_extent() for patch in _boxes(ax)]
    for place, box in enumerate(boxes):
        assert not any(box.overlaps(other) for other in boxes[place + 1 :])


def test_thirty_two_leaves_are_readable_at_the_default_size(large):
    ax = draw_tree(large, depth=5)

    assert max(ax.figure.get_size_inches()) <= 18
    assert ax.texts[0].get_fontsize() >= 8


def test_a_purer_node_has_a_stronger_colour_of_its_class():
    tree = DisguisedTreeClassifier(pruning=None).fit([[1], [2], [2]], ["no", "yes", "yes"]).tree_

    root, no, yes = (matplotlib.colors.to_rgb(node_colour(tree, node)) for node in range(3))

    assert min(root) > min(yes)
    assert no[2] > no[0]
    assert yes[0] > yes[2]
    assert root[0] > root[2]


def test_a_single_leaf_is_a_single_box():
    tree = DisguisedTreeClassifier().fit([[1], [2]], ["only", "only"]).tree_

    ax = draw_tree(tree)

    assert len(_boxes(ax)) == 1
    assert _texts(ax) == ["only", "100.0 % of 2"]


def test_a_dollar_sign_is_no_formula():
    X = pd.DataFrame({"in $ or c$": [1, 2]})

    ax = DisguisedTreeClassifier(pruning=None).fit(X, ["$a_{$", "b"]).plot()

    ax.figure.canvas.draw()
    assert _texts(ax)[0] == "in $ or c$ < 1.5"


def test_the_tree_of_a_disguised_table_is_drawn():
    X, y = make_quest(function=2, n=10_000, seed=0)
    spec = quest_specification(GaussianNoise(privacy=0.5))
    model = DisguisedTreeClassifier(spec, method="byclass").fit(disguise(X, spec, seed=1), y)

    ax = model.plot(depth=2)

    assert len(_boxes(ax)) <= 7


def test_several_branches_tell_the_value_that_takes_each():
    tree = C45Classifier().fit(*golf()).tree_

    ax = draw_tree(tree, depth=None)

    assert _texts(ax)[0] == "outlook?"
    assert {"overcast", "rain", "sunny"} <= set(_texts(ax))
    assert _texts(ax).count("yes") == _texts(ax).count("no") == 2
    assert len(ax.lines) == len(tree) - 1
