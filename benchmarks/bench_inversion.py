"""Trees by inversion from bits in three groups, the class among them, against scikit-learn's.

The peer grows an unrestricted tree from the same reports, which it takes for truths: as the
published tree does, it stops for nothing but purity. One core; compiling is done before.
"""

import numpy as np
import pyarrow as pa
from sklearn.tree import DecisionTreeClassifier

from benchmarks._clock import Result, best
from scumble import Categorical, DisguisedTreeClassifier, Specification, disguise, probability
from scumble.mechanisms import Warner

BITS = np.array(["0", "1"])


def run() -> list[Result]:
    """Return the figures for a table like Adult, and for a million records of twenty bits."""
    return [
        *_tree("7,000 records of 14 bits", *bit_reports(7_000, 14), bars=(4.0, 1.0), repeats=5),
        *_tree("1,000,000 of 20", *bit_reports(1_000_000, 20), bars=(2.5, 10.0), repeats=1),
        _conjunction(),
    ]


def bit_reports(n: int, attributes: int, *, keep: float = 0.7) -> tuple[Specification, pa.Table]:
    """Return bits that hang together, and a class, disguised in three groups."""
    rng = np.random.default_rng(0)
    hidden = 2 * (rng.random((n, 3)) < 0.5) - 1
    slope = hidden @ rng.uniform(-1.2, 1.2, (3, attributes)) + rng.normal(0, 0.7, attributes)
    bits = (rng.random((n, attributes)) < 1 / (1 + np.exp(-slope))).astype(int)
    score = 3 * bits[:, 0] * bits[:, 1] + 1.5 * bits[:, 2] - 3 * bits[:, 3] * bits[:, 4] - 1
    label = (rng.random(n) < 1 / (1 + np.exp(-score))).astype(int)
    names = [*(f"a{j}" for j in range(attributes)), "class"]
    spec = Specification(
        {
            name: Categorical(["0", "1"], mechanism=Warner(keep=keep, group=f"group {j % 3}"))
            for j, name in enumerate(names)
        },
        class_attribute="class",
    )
    columns = [BITS[column] for column in np.column_stack((bits, label)).T]
    return spec, disguise(pa.table(columns, names=names), spec, seed=1)


def _tree(
    what: str, spec: Specification, table: pa.Table, *, bars: tuple[float, float], repeats: int
) -> list[Result]:
    matrix = np.column_stack([table[name].to_numpy() == "1" for name in table.column_names])
    peer = DecisionTreeClassifier(criterion="entropy", random_state=0)
    tree = DisguisedTreeClassifier(spec, method="inversion", criterion="entropy", pruning=None)
    theirs = best(lambda: peer.fit(matrix[:, :-1], matrix[:, -1]), repeats=repeats)
    ours = best(lambda: tree.fit(table), repeats=repeats)
    return [
        Result(f"inversion, {what}, by scikit-learn's", ours / theirs, "x", bars[0]),
        Result("the same", ours, "s", bars[1]),
    ]


def _conjunction() -> Result:
    """Return what a probability takes, by what it takes to count the same reports in clear."""
    spec, table = bit_reports(1_000_000, 9)
    wanted = dict.fromkeys([f"a{j}" for j in range(9)], "1")

    def count() -> object:
        return np.mean(np.all([table[name].to_numpy() == "1" for name in wanted], axis=0))

    ours = best(lambda: probability(table, spec, wanted), repeats=3)
    return Result(
        "a probability, nine of 1,000,000, by counting", ours / best(count, repeats=3), "x", 3
    )
