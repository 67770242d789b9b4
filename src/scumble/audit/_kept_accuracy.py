"""How accurate a model is that was learned from another table than the truth."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scumble.audit._paired_rows import goes_together
from scumble.audit._two_tables import TwoTables
from scumble.columns import as_arrow
from scumble.errors import TableError
from scumble.tables import Table

_FEWEST = 4


@dataclass(frozen=True, kw_only=True)
class KeptAccuracy:
    """Two models on the same true records.

    The one from the truth has not learned from these.

    Attributes
    ----------
    truth : float
        The accuracy of the model that was learned from truths.
    other : float
        That of the model from the other table.
    error : float
        The standard error of their difference.
    frequent : float
        The accuracy of the most frequent class, without any model.
    records : int
        The number of records that they were tested on.
    held_out : bool
        Whether none of them has taught the model from the other table. Where the rows of the
        tables do not go together, as after a release, which shuffles them, that cannot be known;
        some have, and its accuracy may be too high.

    Examples
    --------
    >>> from scumble.audit import KeptAccuracy
    >>> KeptAccuracy(truth=0.9, other=0.8, error=0.01, frequent=0.5, records=500).loss
    0.1
    """

    truth: float
    other: float
    error: float
    frequent: float
    records: int
    held_out: bool = True

    @property
    def loss(self) -> float:
        """By how much the model from the other table is less accurate."""
        return round(self.truth - self.other, 12)


def kept_accuracy(
    both: TwoTables,
    names: list[str],
    *,
    class_attribute: str,
    model: Any = None,
    miner: Any = None,
    told: Table | None = None,
    records: int = 20_000,
    seed: int | None = None,
) -> KeptAccuracy:
    """Learn from one half of the truth, and of the other table, and test on the other half.

    Parameters
    ----------
    both : TwoTables
        Truth and other table. Where their rows go together, the same people are left out of
        both; else as many of the other table teach, drawn at random.
    names : list of str
        The attributes that models may use.
    class_attribute : str
        The class.
    model, miner : classifier, optional
        What learns from the truth and from the other table; by default C4.5 for both.
    told : Table, optional
        The truth as the other table tells it, with intervals in place of numbers say, in the
        order of the truth: what the model from the other table is asked.
    records : int
        How many records there are in all, at the most.
    seed : int, optional
        Makes the halves repeatable.
    """
    from sklearn.base import clone

    from scumble.mining import C45Classifier

    train, test = _halves(both.truth, records=records, seed=seed)
    paired = goes_together(both)
    taught = train if paired else _some(len(both.other), records, seed)
    model = C45Classifier() if model is None else clone(model)
    miner = C45Classifier() if miner is None else clone(miner)
    model.fit(*_parts(both.truth, names, class_attribute, train))
    miner.fit(*_parts(both.other, names, class_attribute, taught))
    X, y = _parts(both.truth, names, class_attribute, test)
    asked = X if told is None else _parts(told, names, class_attribute, test)[0]
    right = [_right(model.predict(X), y), _right(miner.predict(asked), y)]
    difference = right[0] - right[1]
    return KeptAccuracy(
        truth=float(right[0].mean()),
        other=float(right[1].mean()),
        error=float(difference.std() / np.sqrt(len(y))),
        frequent=float(np.unique(y.astype(str), return_counts=True)[1].max() / len(y)),
        records=len(y),
        held_out=paired,
    )


def _right(answers: Any, y: NDArray[Any]) -> NDArray[np.float64]:
    return np.array([a == b for a, b in zip(answers.tolist(), y.tolist(), strict=True)], float)


def _some(size: int, records: int, seed: int | None) -> NDArray[np.bool_]:
    chosen = np.zeros(size, dtype=bool)
    chosen[np.random.default_rng(seed).permutation(size)[: max(1, records // 2)]] = True
    return chosen


def _halves(
    table: Table, *, records: int, seed: int | None
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Return which records of the truth teach and which test."""
    size = min(len(table), records)
    if size < _FEWEST:
        raise TableError(f"truth: expected at least {_FEWEST} records to learn from, got {size}")
    order = np.random.default_rng(seed).permutation(len(table))[:size]
    train, test = np.zeros((2, len(table)), dtype=bool)
    train[order[: size // 2]], test[order[size // 2 :]] = True, True
    return train, test


def _parts(
    table: Table, names: list[str], class_attribute: str, rows: NDArray[np.bool_]
) -> tuple[Any, NDArray[Any]]:
    """Return some records and their classes; those without a class are left out."""
    classes = as_arrow(table.column(class_attribute))
    kept = rows & ~np.asarray(classes.is_null()).astype(bool)
    if not kept.any():
        raise TableError(f"column {class_attribute!r}: expected a class for some records, got none")
    labels = np.array(classes.to_pylist(), dtype=object)[kept]
    plain = np.array(labels.tolist())
    return table.chosen(names).where(kept).native, plain
