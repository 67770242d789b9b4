"""C4.5 against Weka's J48, where Java and Weka are present: the same tree, the same answers."""

import re
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from weka_runs import class_path, run_classifier, write_coded_arff

from scumble.datasets import (
    load_adult,
    load_boston,
    load_breast_cancer_wisconsin,
    load_house_votes,
    load_pima,
)
from scumble.errors import DatasetError
from scumble.mining import C45Classifier

J48 = "weka.classifiers.trees.J48"


def _loaded(load):
    try:
        X, y = load(backend="pandas")
    except DatasetError:
        pytest.skip("the data set was not found")
    return X, _short(y)


def _short(y):
    """Return short names of classes: Weka cuts long ones off when it prints them."""
    return np.array([f"c{place}" for place in np.unique(y, return_inverse=True)[1]])


def _pima(*without):
    X, y = _loaded(load_pima)
    return X.drop(columns=list(without)), y


def _breast_cancer():
    return _loaded(load_breast_cancer_wisconsin)


def _adult():
    X, y = _loaded(load_adult)
    return X[:2000], y[:2000]


def _boston():
    try:
        X, price = load_boston(backend="pandas")
    except DatasetError:
        pytest.skip("the data set was not found")
    return X, _short(price >= np.quantile(price, 0.8))


def _votes():
    return _loaded(load_house_votes)


def _splits(n, size, *, count, seed=0):
    rng = np.random.default_rng(seed)
    for _ in range(count):
        order = rng.permutation(n)
        yield order[:size], order[size:]


def _written(X, y, train, test, folder):
    folder.mkdir()
    X = X.reset_index(drop=True)
    for name, rows in (("train", train), ("test", test)):
        write_coded_arff(folder / f"{name}.arff", X.iloc[rows], y[rows], like=X.iloc[train])
    return folder


def _summary(folder, *options):
    """Return the number of leaves of J48, and its accuracies in training and test."""
    printed = run_classifier(J48, *options, folder=folder)
    leaves = int(re.search(r"Number of Leaves\s*:\s*(\d+)", printed)[1])
    shares = re.findall(r"Correctly Classified Instances\s+\d+\s+([\d.]+)\s+%", printed)
    return leaves, *(float(share) for share in shares)


def _answers(folder, *options):
    printed = run_classifier(J48, *options, "-p", "0", folder=folder)
    found = re.findall(r"^\s*\d+\s+\d+:\S+\s+\d+:(\S+)", printed, flags=re.MULTILINE)
    return np.array(found)


@pytest.mark.parametrize("without", [(), ("pregnancies",), ("pregnancies", "age")])
def test_accuracies_on_random_splits_of_pima_are_those_of_j48(without, tmp_path):
    class_path()
    X, y = _pima(*without)
    splits = list(_splits(len(X), 576, count=50))
    folders = [
        _written(X, y, train, test, tmp_path / str(place))
        for place, (train, test) in enumerate(splits)
    ]
    with ThreadPoolExecutor(2) as pool:
        theirs = np.array(list(pool.map(_summary, folders)))
    ours = []
    for train, test in splits:
        tree = C45Classifier().fit(X.iloc[train], y[train])
        shares = (100 * tree.score(X.iloc[rows], y[rows]) for rows in (train, test))
        ours.append((tree.get_n_leaves(), *shares))
    ours = np.array(ours)

    assert ours.mean(axis=0) == pytest.approx(theirs.mean(axis=0), abs=0.1)
    # Weka rounds to four decimals.
    assert (np.abs(ours - theirs) < 1e-3).all(axis=1).mean() >= 0.95


@pytest.mark.parametrize(
    ("options", "parameters"),
    [
        ((), {}),
        (("-S",), {"subtree_raising": False}),
        (("-U",), {"pruned": False}),
        (("-C", "0.1", "-M", "5"), {"confidence": 0.1, "min_samples_leaf": 5}),
    ],
)
@pytest.mark.parametrize("load", [_pima, _breast_cancer, _votes, _adult, _boston])
def test_numbers_categories_and_missing_values_are_answered_as_j48_does(
    load, options, parameters, tmp_path
):
    class_path()
    X, y = load()
    [(train, test)] = _splits(len(X), 2 * len(X) // 3, count=1, seed=3)
    folder = _written(X, y, train, test, tmp_path / "tables")

    tree = C45Classifier(**parameters).fit(X.iloc[train], y[train])

    assert tree.get_n_leaves() == _summary(folder, *options)[0]
    # Of chances that are the same up to rounding J48 takes the first.
    agree = tree.predict(X.iloc[test]) == _answers(folder, *options)
    assert agree.mean() >= 0.995
