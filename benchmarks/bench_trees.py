"""Trees from disguised records, against trees of others from the same table.

Function 2 of Quest, Gaussian noise of 100 %; one core. What is timed is all of `fit`: codes,
reconstruction, association, growth and pruning. Compiling is done before and reported apart.
"""

import json
import os
import subprocess
import sys
import tempfile

import numpy as np
from sklearn.tree import DecisionTreeClassifier

from benchmarks._clock import Result, best
from scumble import DisguisedTreeClassifier, disguise
from scumble.datasets import make_quest, quest_specification
from scumble.mechanisms import GaussianNoise

SPEC = quest_specification(GaussianNoise(privacy=1.0))


def run() -> list[Result]:
    """Return the figures for ByClass and Local, and what ten million records take."""
    return [*_compiling(), *_against_scikit_learn(), _against_lightgbm(), *_ten_million()]


def quest_reports(n: int):
    """Return disguised records of function 2, and their groups."""
    X, y = make_quest(2, n=n, seed=1)
    return disguise(X, SPEC, seed=1), y


def _matrix(table):
    return np.column_stack([np.asarray(table[name]) for name in table.column_names])


def _compiling() -> list[Result]:
    """Return how long the first fit of a new process takes, compiled before or not."""
    code = (
        "import time\n"
        "from benchmarks.bench_trees import SPEC, quest_reports\n"
        "from scumble import DisguisedTreeClassifier\n"
        "table = quest_reports(1000); start = time.perf_counter()\n"
        "DisguisedTreeClassifier(SPEC).fit(*table); print(time.perf_counter() - start)"
    )
    results = []
    for what, cached in (("compiling, once on a machine", False), ("loading compiled code", True)):
        environment = dict(os.environ)
        if not cached:
            # A folder of its own, so that nothing is found in it.
            environment["NUMBA_CACHE_DIR"] = tempfile.mkdtemp()
        output = subprocess.run(
            [sys.executable, "-c", code], env=environment, capture_output=True, check=True
        ).stdout
        results.append(Result(f"first fit: {what}", float(output), "s", 3 if cached else 60))
    return results


def _against_scikit_learn() -> list[Result]:
    table, y = quest_reports(100_000)
    matrix = _matrix(table)
    theirs = best(lambda: DecisionTreeClassifier(random_state=0).fit(matrix, y), repeats=4)
    results = []
    for method, bar in (("byclass", 0.12), ("local", 1.0)):
        tree = DisguisedTreeClassifier(SPEC, method=method)
        ratio = best(lambda tree=tree: tree.fit(table, y), repeats=4) / theirs
        results.append(Result(f"{method}, 100,000 records, by scikit-learn's", ratio, "x", bar))
    tree = DisguisedTreeClassifier(SPEC, method="likelihood", random_state=1)
    ratio = best(lambda: tree.fit(table, y), repeats=1) / theirs
    results.append(Result("likelihood, 100,000 records, by scikit-learn's", ratio, "x", 8))
    return results


def _against_lightgbm() -> Result:
    import lightgbm

    table, y = quest_reports(1_000_000)
    matrix, labels = _matrix(table), (y == "B").astype(int)
    options = {"objective": "binary", "num_leaves": 500, "num_threads": 1, "verbose": -1}

    def theirs() -> None:
        lightgbm.train(options, lightgbm.Dataset(matrix, labels), num_boost_round=1)

    tree = DisguisedTreeClassifier(SPEC)
    ratio = best(lambda: tree.fit(table, y), repeats=3) / best(theirs, repeats=3)
    return Result("byclass, 1,000,000 records, by LightGBM's", ratio, "x", 1.0)


def _ten_million() -> list[Result]:
    """Return memory above the input, and how time grows from one to ten million records."""
    seconds, gigabytes = {}, {}
    for n in (1_000_000, 10_000_000):
        output = subprocess.run(
            [sys.executable, "-m", "benchmarks._fit_once", str(n)], capture_output=True, check=True
        ).stdout
        seconds[n], gigabytes[n] = json.loads(output)
    return [
        Result("byclass, 10,000,000 records, above the input", gigabytes[10**7], "GB", 2),
        Result("the same, seconds by those of 1,000,000", seconds[10**7] / seconds[10**6], "x", 11),
    ]
