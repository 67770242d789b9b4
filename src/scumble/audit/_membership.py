"""Who was among those whom a shipped model was learned from."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from scumble.audit._attack import AttackResult, attack_result
from scumble.audit._two_tables import FloatArray, table_of
from scumble.errors import TableError

# A weight of training records is that of one record up to here: shares of missing values.
_SINGLE = 1.0 + 1e-9
_FEWEST = 4


def membership_inference(
    model: Any,
    *,
    members: tuple[Any, Any],
    others: tuple[Any, Any],
    records: int = 10_000,
    seed: int | None = None,
) -> list[AttackResult]:
    """Tell from a shipped model who was in its training set.

    Parameters
    ----------
    model : fitted classifier
        What was shipped: a `DisguisedTreeClassifier`, a `C45Classifier`, or anything that
        has `classes_` and `predict_proba`.
    members : (table, classes)
        True records of people whose records, or reports, the model was learned from.
    others : (table, classes)
        True records of people of the same population who were not among them.
    records : int
        How many people are tried, at the most: as many members as others.
    seed : int, optional
        Makes the sample repeatable.

    Returns
    -------
    list of AttackResult
        By the confidence of the model in the true class; and, of a tree that has its counts,
        by the size of leaves. The success is the balanced accuracy, its base one half; twice
        the `gain` is known as the advantage.

    Raises
    ------
    TableError
        If there are fewer than four members or others.

    Examples
    --------
    >>> import numpy as np
    >>> from scumble.audit import membership_inference
    >>> from scumble.mining import C45Classifier
    >>> rng = np.random.default_rng(0)
    >>> X, y = rng.normal(size=(2000, 3)), rng.integers(0, 2, 2000)
    >>> tree = C45Classifier().fit(X[:1000], y[:1000])
    >>> found = membership_inference(tree, members=(X[:1000], y[:1000]),
    ...     others=(X[1000:], y[1000:]), seed=0)
    >>> [result.attack for result in found]
    ['membership by confidence', 'membership by leaves']

    Notes
    -----
    The attack of Yeom et al. (2018), with a threshold: the intruder has a record with its
    class and says "member" where the model is at least so sure of the class. The threshold is
    the best one on half of the people, the success is counted on the other half. By leaves,
    it says "member" where all training records of the leaf have the person's class, and are
    at most so many.
    """
    parts = _halves(members, others, records=records, seed=seed)
    scores = [[_confidence(model, X, y) for X, y in half] for half in parts]
    results = [
        _result(
            "membership by confidence",
            scores,
            "says that a person was in the training set where the model is sure of the person's "
            "class",
        )
    ]
    if not hasattr(getattr(model, "tree_", None), "counts"):
        return results
    scores = [[_smallness(model, X, y) for X, y in half] for half in parts]
    own = np.concatenate([half[0] for half in scores]) >= -_SINGLE
    results.append(
        _result(
            "membership by leaves",
            scores,
            "says that a person was in the training set where the leaf of the tree holds few "
            f"training records, all of the person's class ({100 * own.mean():.1f} % of the "
            "members are in a leaf of one record)",
        )
    )
    return results


Half = tuple[tuple[Any, NDArray[Any]], tuple[Any, NDArray[Any]]]


def _halves(
    members: tuple[Any, Any], others: tuple[Any, Any], *, records: int, seed: int | None
) -> tuple[Half, Half]:
    """Return as many members as others, in two halves: to choose the threshold, and to test it."""
    rng = np.random.default_rng(seed)
    tables = [(table_of(X), np.asarray(y)) for X, y in (members, others)]
    size = min(len(tables[0][0]), len(tables[1][0]), max(records, 0) // 2)
    if size < _FEWEST or any(len(table) != len(y) for table, y in tables):
        raise TableError(
            f"members: expected at least {_FEWEST} people with their classes, and as many others, "
            f"got {len(tables[0][0])} and {len(tables[1][0])} records with "
            f"{len(tables[0][1])} and {len(tables[1][1])} classes"
        )
    drawn = [rng.permutation(len(table))[:size] for table, _ in tables]
    first, second = (
        tuple(
            (_rows(table, rows[part]), y[np.sort(rows[part])])
            for (table, y), rows in zip(tables, drawn, strict=True)
        )
        for part in (slice(0, size // 2), slice(size // 2, size))
    )
    return first, second  # type: ignore[return-value]


def _rows(table: Any, rows: NDArray[np.int64]) -> Any:
    kept = np.zeros(len(table), dtype=bool)
    kept[rows] = True
    return table.where(kept).native


def _places(model: Any, y: NDArray[Any]) -> NDArray[np.int64]:
    """Return the place of each class among those of the model; -1 where it has none."""
    known = {label: place for place, label in enumerate(np.asarray(model.classes_).tolist())}
    return np.array([known.get(label, -1) for label in y.tolist()], dtype=np.int64)


def _confidence(model: Any, X: Any, y: NDArray[Any]) -> FloatArray:
    """Return how likely the model holds the class of each record."""
    places = _places(model, y)
    chances = np.pad(np.asarray(model.predict_proba(X)), ((0, 0), (0, 1)))
    return np.asarray(chances[np.arange(len(y)), places])


def _smallness(model: Any, X: Any, y: NDArray[Any]) -> FloatArray:
    """Return minus the size of the leaf of each record; minus infinity where it is mixed."""
    leaves, counts = model.apply(X), model.tree_.counts
    own = np.pad(counts, ((0, 0), (0, 1)))[leaves, _places(model, y)]
    size = counts.sum(axis=1)[leaves]
    return np.where((own > 0) & (own >= size * (1 - 1e-9)), -size, -np.inf)


def best_threshold(members: FloatArray, others: FloatArray) -> float:
    """Return the threshold of best balanced accuracy; a member scores at least as much.

    Examples
    --------
    >>> best_threshold(np.array([0.9, 1.0, 0.4]), np.array([0.2, 0.5, 0.4]))
    0.9
    """
    candidates = np.append(np.unique(np.append(members, others)), np.inf)
    said = [
        1 - np.searchsorted(np.sort(scores), candidates) / len(scores)
        for scores in (members, others)
    ]
    return float(candidates[np.argmax(said[0] - said[1])])


def _result(attack: str, scores: list[list[FloatArray]], does: str) -> AttackResult:
    threshold = best_threshold(*scores[0])
    members, others = scores[1]
    right = np.count_nonzero(members >= threshold) + np.count_nonzero(others < threshold)
    return attack_result(
        int(right),
        len(members) + len(others),
        attack=attack,
        base=0.5,
        explanation=(
            f"An intruder who has the shipped model and a person's true record with its class "
            f"{does}; half of those tried were, so that a coin is right in half of the cases."
        ),
    )
