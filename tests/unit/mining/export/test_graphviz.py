import re
import shutil
import subprocess

import numpy as np
import pandas as pd
import pytest
from golf import golf

from scumble import DisguisedTreeClassifier
from scumble.datasets import make_quest
from scumble.mining import C45Classifier
from scumble.mining.export._graphviz import escaped, tree_dot

NASTY = ['say "yes"', "back\\slash \\N", "R&D &lt; &#65;", "new\nline", "{a|b}", "<b>", "ü €"]
QUOTED = r'"(?:[^"\\]|\\.)*"'


@pytest.fixture(scope="module")
def nasty():
    """A tree whose names, values and labels are all hard to write down."""
    rows = pd.Series(NASTY * 4)
    X = pd.DataFrame({'the "name" \\ & <of> it': rows, "other\nname": np.arange(28) // 7})
    return (
        DisguisedTreeClassifier(pruning=None).fit(X, rows + (X["other\nname"] > 1).map(str)).tree_
    )


def test_every_node_and_branch_is_a_statement():
    X, y = make_quest(function=2, n=10_000, seed=0)
    tree = DisguisedTreeClassifier().fit(X, y).tree_

    text = tree_dot(tree)

    assert len(re.findall(r"^  n\d+ \[label=", text, re.MULTILINE)) == len(tree)
    assert len(re.findall(r"^  n\d+ -> n\d+ ", text, re.MULTILINE)) == len(tree) - 1


def test_deeper_parts_are_counted():
    X, y = make_quest(function=5, n=10_000, seed=0)
    tree = DisguisedTreeClassifier().fit(X, y).tree_

    text = tree_dot(tree, depth=2)

    hidden = [int(count) for count in re.findall(r'label="\.\.\. (\d+) leaves', text)]
    assert hidden
    assert sum(hidden) <= tree.leaf_count
    assert len(re.findall(r"^  n\d+ \[label=", text, re.MULTILINE)) <= 7


@pytest.mark.parametrize("text", NASTY)
def test_an_escaped_text_is_read_back_as_it_was(text):
    label = escaped(text)

    assert re.fullmatch(QUOTED, f'"{label}"')
    assert "\n" not in label
    read = re.sub(r"\\(.)", lambda m: "\n" if m[1] == "n" else m[1], label)
    assert read.replace("&amp;", "&") == text


def test_names_cannot_break_out_of_their_quotes(nasty):
    statement = rf'  n\d+ (-> n\d+ )?\[label={QUOTED}(, fillcolor="#[0-9a-f]{{6}}")?\];'

    for line in tree_dot(nasty).splitlines()[3:-1]:
        assert re.fullmatch(statement, line), line


@pytest.mark.skipif(shutil.which("dot") is None, reason="the dot program is not installed")
def test_graphviz_draws_every_label_as_it_was(nasty):
    from xml.etree import ElementTree

    done = subprocess.run(
        ["dot", "-Tsvg"],
        input=tree_dot(nasty).encode(),
        capture_output=True,
        check=True,
        timeout=60,
    )

    assert done.stderr == b""
    svg = ElementTree.fromstring(done.stdout)
    drawn = {element.text for element in svg.iter("{http://www.w3.org/2000/svg}text")}
    heads = {line for line in drawn if line not in ("yes", "no")}
    assert any("R&D &lt; &#65;" in line for line in heads)
    assert any(r"back\slash \N" in line for line in heads)
    assert len(svg.findall(".//*[@class='node']")) == len(nasty)


def test_a_single_leaf_is_a_graph_of_one_node():
    model = DisguisedTreeClassifier().fit([[1], [2]], [1, 1])

    assert '  n0 [label="1\\n100.0 % of 2", fillcolor="#59a3cd"];' in model.to_graphviz()


def test_several_branches_tell_the_value_that_takes_each():
    lines = tree_dot(C45Classifier().fit(*golf()).tree_).splitlines()

    assert lines[3].startswith('  n0 [label="outlook?\\n')
    assert lines[4:7] == [f'  n0 -> n{n} [label="{value}"];' for n, value in
                          enumerate(["overcast", "rain", "sunny"], 1)]  # fmt: skip


def test_a_value_that_is_hard_to_write_down_is_escaped_at_a_branch():
    values = ['say "yes"', "R&D", "plain"]
    X = pd.DataFrame({"it": values * 4})

    text = tree_dot(C45Classifier().fit(X, values * 4).tree_)

    assert r'n0 -> n3 [label="\"say \\\"yes\\\"\""];' in text
    assert 'n0 -> n1 [label="R&amp;D"];' in text
