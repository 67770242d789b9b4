"""The main job, end to end: people disguise, a miner learns from the crowd."""

import time
from collections.abc import Callable
from typing import Any

import numpy as np

from scumble._disguise import disguise
from scumble.audit import audit
from scumble.datasets import make_quest, quest_specification
from scumble.mechanisms import GaussianNoise
from scumble.mining import DisguisedTreeClassifier
from scumble.reconstruction import reconstruct
from scumble.report import AttributeRow, Demo, TreeRow
from scumble.schema import Numeric, Specification

_PUBLISHED = ("uncorrected", "global", "byclass", "local")
_TEST = 5_000
_CELLS = 18


def demonstrate(
    records: int = 100_000,
    *,
    seed: int | None = None,
    said: Callable[[str], Any] = str,
) -> Demo:
    """Disguise generated people, recover their distributions, grow trees, test and audit.

    Parameters
    ----------
    records : int
        The number of people.
    seed : int, optional
        Makes all of it repeatable.
    said : callable
        Told what is done next.
    """
    seeds = [None] * 4 if seed is None else list(range(4 * seed, 4 * seed + 4))
    said("disguise")
    X, y = make_quest(function=2, n=records, seed=seeds[0])
    test, labels = make_quest(function=2, n=_TEST, seed=seeds[1])
    spec = quest_specification(GaussianNoise(privacy=1.0))
    reports = disguise(X, spec, seed=seeds[2])
    said("reconstruct")
    attributes = tuple(_attribute(name, X, reports, spec) for name in spec)
    trees = []
    for method in (*_PUBLISHED, "likelihood"):
        said(f"grow: {method}")
        grown, row = _tree(spec, method, reports, y, test, labels, seed)
        trees.append(row)
    said("grow: in clear")
    clear = _tree(None, "in clear", X, y, test, labels, seed)[1]
    said("test on disguised data")
    estimate = grown.score_disguised(disguise(test, spec, seed=seeds[3]), labels)
    said("audit")
    found = audit(spec, reports=reports, truth=X, seed=seed)
    return Demo(
        records=records,
        attributes=attributes,
        trees=tuple(trees),
        tree=grown,
        estimate=estimate,
        clear=clear,
        audit=found,
        truth=X,
    )


def _attribute(name: str, X: Any, reports: Any, spec: Specification) -> AttributeRow:
    domain = spec.domain(name)
    assert isinstance(domain, Numeric)
    truth, reported = X[name].to_numpy(), reports[name].to_numpy()
    found = reconstruct(reported, domain)
    edges = np.linspace(domain.low, domain.high, _CELLS + 1)
    counts = [np.histogram(values, edges)[0] for values in (truth, reported)]
    edges[:-1] -= 1e-9 * domain.width  # a cell holds its lower end
    shares = [count / count.sum() for count in counts]
    gain = np.abs(np.sort(reported) - np.sort(truth)).mean() / found.wasserstein(truth)
    recovered = np.diff(found.cdf(edges))
    true, told, own = (tuple(part.tolist()) for part in (*shares, recovered))
    return AttributeRow(name, true=true, reported=told, recovered=own, gain=float(gain))


def _tree(
    spec: Specification | None,
    method: Any,
    X: Any,
    y: Any,
    test: Any,
    labels: Any,
    seed: int | None,
) -> tuple[DisguisedTreeClassifier, TreeRow]:
    from numba.core.event import TimingListener, install_listener

    how: Any = "likelihood" if spec is None else method
    tree = DisguisedTreeClassifier(spec, method=how, n_jobs=-1, random_state=seed)
    # The first run on a machine compiles, which is not what a tree takes.
    listener = TimingListener()  # type: ignore[no-untyped-call]
    with install_listener("numba:compiler_lock", listener) as compiling:
        start = time.perf_counter()
        tree.fit(X, y)
        seconds = time.perf_counter() - start - (compiling.duration if compiling.done else 0.0)
    accuracy = float(tree.score(test, labels))
    return tree, TreeRow(method, accuracy, tree.get_n_leaves(), seconds)
