"""Clean ID3 against Weka's Id3, where Java and Weka are present."""

import re

import numpy as np
import pandas as pd
import pytest
from weka_runs import class_path, run_weka, write_arff

from scumble import Categorical, DisguisedTreeClassifier, Specification
from scumble.errors import DatasetError
from scumble.experiments import BINARY_TABLES, binary_table
from scumble.mechanisms import Warner

BITS = ["0", "1"]


def _weka(train, test, folder):
    """Return what Weka's Id3 answers; nan where it does not answer."""
    for name, table in (("train", train), ("test", test)):
        write_arff(folder / f"{name}.arff", table, [BITS] * table.shape[1])
    printed = run_weka(
        ["weka.classifiers.trees.Id3", "-t", "train.arff", "-T", "test.arff", "-p", "0"], folder
    )
    # A line is: number, actual, predicted, perhaps a plus for an error, the probability.
    found = re.findall(r"^\s*\d+\s+\d+:\S+\s+(\d+:\S+|\?)", printed, flags=re.MULTILINE)
    assert len(found) == len(test), printed[:2000]
    return np.array([answer.partition(":")[2] for answer in found])


def _noise():
    rng = np.random.default_rng(6)
    bits = rng.random((1200, 8)) < 0.5
    label = (bits[:, 0] & bits[:, 3]) ^ bits[:, 5] ^ (rng.random(1200) < 0.1)
    values = np.column_stack((bits, label)).astype(int)
    return pd.DataFrame(np.array(BITS)[values], columns=[*(f"a{j}" for j in range(8)), "class"])


def _published(name):
    try:
        table, spec = binary_table(name)
    except DatasetError:
        pytest.skip("the data set was not found")
    values = np.column_stack([spec[own].conform(table[own]) for own in spec])
    assert set(np.unique(values)) == {0, 1}
    found = pd.DataFrame(np.array(BITS)[values], columns=[*spec]).rename(columns=_plain)
    return found[[*found.columns.drop("class"), "class"]]


def _plain(name):
    """Return a name that Weka takes without quotes."""
    return re.sub(r"\W", "_", name)


@pytest.mark.parametrize("name", ["noise", *BINARY_TABLES])
def test_clean_id3_answers_as_weka_does(name, tmp_path):
    class_path()
    table = _noise() if name == "noise" else _published(name)
    table = table.sample(frac=1, random_state=1).reset_index(drop=True)
    cut = int(0.7 * len(table))
    train, test = table[:cut], table[cut:]
    theirs = _weka(train, test, tmp_path)
    coin = Warner(keep=1.0, group="all")
    spec = Specification(
        {name: Categorical(BITS, mechanism=coin) for name in table.columns},
        class_attribute="class",
    )
    tree = DisguisedTreeClassifier(spec, method="inversion", criterion="entropy", pruning=None)

    ours = tree.fit(train).predict(test.drop(columns="class"))

    # Weka leaves a branch without records open; the published rule answers as the node above.
    answered = np.isin(theirs, BITS)
    assert answered.mean() > 0.9
    # Weka takes a gain below a millionth for none: on Adult it does not split 245 records whose
    # best gain is 6e-7, and 6 of 3,000 test records fall below.
    assert (ours != theirs)[answered].sum() <= (6 if name == "adult" else 0)
