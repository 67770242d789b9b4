"""Compile the loops before the tests run: `python tools/compile_loops.py`.

Compiled code is kept on disk, but two test processes that start without it each compile all
of it for themselves. `make test` does it once, while the types are checked on the other core.
A loop that is not met here is compiled by the first test that needs it.
"""

import numpy as np
import pandas as pd

from scumble import Categorical, DisguisedTreeClassifier, Specification, disguise
from scumble.datasets import make_quest, quest_specification
from scumble.mechanisms import UniformNoise, Warner
from scumble.mining import C45Classifier


def compile_published() -> None:
    """Grow C4.5's tree, with and without missing values."""
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"a": rng.normal(size=200), "b": rng.choice(list("pqr"), size=200)})
    y = np.where((X["a"] > 0) & (X["b"] == "p"), "yes", "no")
    C45Classifier().fit(X, y).predict(X)
    X.loc[::7, "a"], X.loc[::11, "b"] = np.nan, None
    C45Classifier().fit(X, y).predict(X)


def compile_noisy() -> None:
    """Grow trees from noisy numbers."""
    spec = quest_specification(UniformNoise(privacy=1.0))
    X, y = make_quest(1, n=1000, seed=0)
    reports = disguise(X, spec, seed=0)
    DisguisedTreeClassifier().fit(X.to_pandas().select_dtypes("number"), y)
    for method in ("byclass", "local", "likelihood"):
        DisguisedTreeClassifier(spec, method=method, random_state=0).fit(reports, y).predict(X)
    # Rules are drawn where records are not few.
    X, y = make_quest(1, n=6000, seed=0)
    DisguisedTreeClassifier(spec, random_state=0).fit(disguise(X, spec, seed=0), y).predict(X)


def compile_randomized() -> None:
    """Grow trees from answers that share coins."""
    rng = np.random.default_rng(0)
    names = ["a", "b", "c", "class"]
    coins = [Warner(keep=0.8, group=group) for group in "gghh"]
    spec = Specification(
        {name: Categorical([0, 1], mechanism=c) for name, c in zip(names, coins, strict=True)},
        class_attribute="class",
    )
    truths = pd.DataFrame(rng.integers(0, 2, (1000, 4)), columns=names)
    reports = disguise(truths, spec, seed=0)
    for method in ("inversion", "likelihood"):
        tree = DisguisedTreeClassifier(spec, method=method, random_state=0)
        tree.fit(reports.drop(columns="class"), reports["class"])


if __name__ == "__main__":
    compile_published()
    compile_noisy()
    compile_randomized()
