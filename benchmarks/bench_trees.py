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
from scumble.mining import C45Classifier

SPEC = quest_specification(GaussianNoise(privacy=1.0))


def run() -> list[Result]:
    """Return the figures for ByClass, Local and likelihood, and what millions of records take."""
    return [
        *_compiling(),
        *_against_scikit_learn(),
        _c45_against_gini(),
        _against_lightgbm(),
        *_ten_million(),
        *_likelihood_of_a_million(),
    ]


def quest_reports(n: int, *, function: int = 2):
    """Return disguised records of a function, by default the second, and their groups."""
    X, y = make_quest(function, n=n, seed=1)
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
        "DisguisedTreeClassifier(SPEC, method='byclass').fit(*table)\n"
        "print(time.perf_counter() - start)"
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
    three, other = (quest_reports(100_000, function=function) for function in (3, 5))
    for what, (reports, labels), jobs, bar in (
        ("leaves win", (table, y), 1, 8),
        ("rules of three attributes", three, 1, 8),
        ("the same, both cores", three, 2, 4),
        ("a mixture wins", other, 1, 8),
        ("a mixture wins, both cores", other, 2, 4),
    ):
        tree = DisguisedTreeClassifier(SPEC, random_state=1, n_jobs=jobs)
        ratio = best(lambda t=tree, X=reports, c=labels: t.fit(X, c), repeats=1) / theirs
        name = f"likelihood, {what}, 100,000 records, by scikit-learn's"
        results.append(Result(name, ratio, "x", bar))
    return results


def _c45_against_gini() -> Result:
    X, y = make_quest(5, n=100_000, seed=1)
    ours, plain = C45Classifier(), DisguisedTreeClassifier()
    ratio = best(lambda: ours.fit(X, y), repeats=3) / best(lambda: plain.fit(X, y), repeats=3)
    return Result("C4.5, 100,000 clear records, by the clear tree's", ratio, "x", 4)


def _against_lightgbm() -> Result:
    import lightgbm

    table, y = quest_reports(1_000_000)
    matrix, labels = _matrix(table), (y == "B").astype(int)
    options = {"objective": "binary", "num_leaves": 500, "num_threads": 1, "verbose": -1}

    def theirs() -> None:
        lightgbm.train(options, lightgbm.Dataset(matrix, labels), num_boost_round=1)

    tree = DisguisedTreeClassifier(SPEC, method="byclass")
    ratio = best(lambda: tree.fit(table, y), repeats=3) / best(theirs, repeats=3)
    return Result("byclass, 1,000,000 records, by LightGBM's", ratio, "x", 1.0)


def _fitted_once(method: str, sizes: tuple[int, ...]) -> tuple[dict[int, float], dict[int, float]]:
    """Return the seconds and the gigabytes above the input that a fit takes, by records."""
    seconds, gigabytes = {}, {}
    for n in sizes:
        output = subprocess.run(
            [sys.executable, "-m", "benchmarks._fit_once", method, str(n)],
            capture_output=True,
            check=True,
        ).stdout
        seconds[n], gigabytes[n] = json.loads(output)
    return seconds, gigabytes


def _likelihood_of_a_million() -> list[Result]:
    """Return how time grows to a million records, and the memory of each value."""
    seconds, gigabytes = _fitted_once("likelihood", (10**5, 10**6))
    bytes_each = gigabytes[10**6] * 2**30 / (10**6 * 9)
    grown = seconds[10**6] / seconds[10**5]
    return [
        Result("likelihood, 1,000,000 records, seconds by those of 100,000", grown, "x", 11),
        Result("the same, memory by record and attribute", bytes_each, "bytes", 100),
    ]


def _ten_million() -> list[Result]:
    """Return memory above the input, and how time grows from one to ten million records."""
    seconds, gigabytes = _fitted_once("byclass", (10**6, 10**7))
    return [
        Result("byclass, 10,000,000 records, above the input", gigabytes[10**7], "GB", 2),
        Result("the same, seconds by those of 1,000,000", seconds[10**7] / seconds[10**6], "x", 11),
    ]
