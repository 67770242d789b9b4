"""Cuts by description length against Weka's, where Java and Weka are present."""

import re

import numpy as np
import pandas as pd
import pytest
from weka_runs import class_path, run_weka, write_arff

from scumble.datasets import load_adult, load_pima
from scumble.errors import DatasetError
from scumble.relevance import mdlp_cuts


def _pima():
    return load_pima(backend="pandas")


def _adult():
    X, y = load_adult(backend="pandas")
    numbers = X.select_dtypes("number")
    return numbers[:5000], np.where(y[:5000] == ">50K", "more", "less")


def _waves():
    rng = np.random.default_rng(3)
    x = np.round(rng.uniform(0, 9, size=(3000, 4)), 2)
    labels = np.array(["a", "b", "c"])[(x[:, 0] + rng.normal(0, 0.3, 3000)).astype(int) % 3]
    x[rng.random(x.shape) < 0.1] = np.nan
    return pd.DataFrame(x, columns=list("stuv")), labels


def _weka_cuts(X, y, folder):
    """Return the cuts of each column, as the names of the intervals tell them."""
    table = X.assign(label=y)
    kinds = ["numeric"] * X.shape[1] + [sorted(set(y))]
    write_arff(folder / "table.arff", table, kinds)
    filtered = run_weka(
        ["weka.filters.supervised.attribute.Discretize", "-i", "table.arff", "-c", "last"], folder
    )
    lines = re.findall(r"^@attribute (\S+) (.*)$", filtered, flags=re.MULTILINE)
    return {
        name: [float(cut) for cut in re.findall(r"-(-?[\d.]+)\]", values)]
        for name, values in lines
        if name != "label"
    }


@pytest.mark.parametrize("load", [_pima, _adult, _waves])
def test_numbers_are_cut_where_weka_cuts_them(load, tmp_path):
    class_path()
    try:
        X, y = load()
    except DatasetError:
        pytest.skip("the data set was not found")

    theirs = _weka_cuts(X, y, tmp_path)

    assert any(theirs.values())
    assert len(theirs) == X.shape[1]
    for name, cuts in theirs.items():
        assert mdlp_cuts(X[name], y) == pytest.approx(cuts, abs=1e-6), name
