"""C4.5: the decision tree of Quinlan, in the contract of scikit-learn."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any, ClassVar, Literal, Self

import numpy as np
from joblib import effective_n_jobs
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import Tags
from sklearn.utils.validation import check_consistent_length

from scumble.engines import Rows, SharedRows
from scumble.errors import SpecificationError
from scumble.mining._applied import AppliedTree
from scumble.mining._cuts import MOST_CUTS, Column
from scumble.mining._error_based import ErrorBased, TrainingRows
from scumble.mining._grow import Growth, grow
from scumble.mining._labels import encoded_labels
from scumble.mining._readable import ReadableTree
from scumble.mining._sources import read_clear
from scumble.mining._training import Training, inferred_attributes, training_records
from scumble.mining._tree_of_nodes import tree_from_nodes

# A table of so many records has a cell for each value of a number.
_FEW_RECORDS = 10_000


class C45Classifier(AppliedTree, ReadableTree, ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """C4.5, the decision tree of Quinlan (1993), as Weka's J48 grows it.

    For tables in clear: a `DisguisedTreeClassifier` learns from reports.

    Parameters
    ----------
    confidence : float
        How sure the upper limit for the errors of a leaf is, by which the tree is cut back:
        the smaller, the more. Above 0 and at most 0.5.
    min_samples_leaf : float
        The least weight of records that at least two branches of a split hold.
    subtree_raising : bool
        Whether a subtree may be replaced by its largest branch.
    pruned : bool
        Whether the tree is cut back by `confidence`. Subtrees that make no fewer errors on
        the training records than a leaf are cut back anyway.
    n_jobs : int, optional
        How many threads may count; None is one, -1 all processors.

    Attributes
    ----------
    tree_ : Tree
        The tree.
    classes_ : array
        The labels.
    feature_importances_ : array
        How much each attribute decreases the entropy; they sum to one.
    n_features_in_ : int
        The number of columns.
    feature_names_in_ : array of str
        The names of the columns, where they have names.

    Examples
    --------
    >>> import pandas as pd
    >>> X = pd.DataFrame({"outlook": ["sunny"] * 5 + ["overcast"] * 4 + ["rain"] * 5,
    ...     "humidity": [70, 90, 85, 95, 70, 90, 78, 65, 75, 80, 70, 80, 80, 96],
    ...     "windy": [*"yynnn", *"ynyn", *"yynnn"]})
    >>> y = ["play", *["don't"] * 3, *["play"] * 5, *["don't"] * 2, *["play"] * 3]
    >>> print(C45Classifier().fit(X, y).to_text())
    outlook = overcast: play (4 records, 100.0 %)
    outlook = rain:
    |  windy = n: play (3 records, 100.0 %)
    |  windy = y: don't (2 records, 100.0 %)
    outlook = sunny:
    |  humidity <= 75: play (2 records, 100.0 %)
    |  humidity > 75: don't (3 records, 100.0 %)

    Notes
    -----
    A split is chosen by gain ratio among those whose gain is not below the average. Categories
    get a branch each, numbers are cut in two; the gain of a cut is less by the bits that choose
    it. A record with a missing value counts for every branch with its share of the others, when
    the tree is grown and when it is asked; `apply` names the leaf of most weight. A threshold is
    a value of the training table: what is not above it takes the first branch. On values that
    were not seen, this is not the same as a threshold half-way between two.

    Of numbers that have more than 1,000 values in a table of more than 10,000 records, 1,000
    equally full intervals are cut.
    """

    spec: ClassVar[None] = None  # type: ignore[misc]
    criterion: ClassVar[Literal["entropy"]] = "entropy"  # type: ignore[misc]

    def __init__(
        self,
        *,
        confidence: float = 0.25,
        min_samples_leaf: float = 2,
        subtree_raising: bool = True,
        pruned: bool = True,
        n_jobs: int | None = None,
    ) -> None:
        self.confidence = confidence
        self.min_samples_leaf = min_samples_leaf
        self.subtree_raising = subtree_raising
        self.pruned = pruned
        self.n_jobs = n_jobs

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Learn the tree from records and their classes.

        Parameters
        ----------
        X : DataFrame or array
            The records. Columns of numbers are numbers, all others categories.
        y : array or Series
            The class of each record.
        sample_weight : array, optional
            The weight of each record: how many it stands for. Weights of less than one
            on average are scaled to that.
        """
        self._check_parameters()
        table = self._read(X, reset=True)
        self.classes_, labels = encoded_labels(self._labels(table, y))
        check_consistent_length(table, labels)
        attributes = inferred_attributes(table)
        training = training_records(table, attributes, labels, len(self.classes_), sample_weight)
        codes, columns = self._coded(training)
        missing = ~codes.all(axis=0)
        growth = Growth(
            criterion="gain-ratio",
            leaf=self.min_samples_leaf,
            pruning=self._pruning(training, codes),
        )
        # Only what is missing is shared out, which takes weights and room.
        source = (SharedRows if missing.any() else Rows)(
            codes,
            training.labels,
            sizes=[len(column) + 1 for column in columns],
            classes=training.classes,
            weights=training.weights,
            workers=effective_n_jobs(self.n_jobs),
        )
        self.tree_ = tree_from_nodes(
            grow(source, columns, growth),
            columns,
            attributes,
            classes=self.classes_,
            missing_seen=frozenset(np.array(list(attributes), dtype=object)[missing].tolist()),
            at_values=True,
        )
        return self

    def _coded(self, training: Training) -> tuple[NDArray[np.uint16], list[Column]]:
        """Return the cell of each value, and the cells of each attribute."""
        names = list(training.attributes)
        codes = np.empty((len(training), len(names)), dtype=np.uint16)
        most = _FEW_RECORDS if len(training) <= _FEW_RECORDS else MOST_CUTS
        with ThreadPoolExecutor(effective_n_jobs(self.n_jobs)) as pool:
            columns = pool.map(
                lambda j: read_clear(training, names[j], codes[:, j], most=most), range(len(names))
            )
            return codes, list(columns)

    def _pruning(self, training: Training, codes: NDArray[np.uint16]) -> ErrorBased:
        if not self.pruned:
            return ErrorBased(confidence=None)
        if not self.subtree_raising:
            return ErrorBased(confidence=self.confidence)
        weights = np.ones(len(training)) if training.weights is None else training.weights.copy()
        # Copies, since the grower moves rows about.
        rows = TrainingRows(codes.copy(), training.labels.copy(), weights)
        return ErrorBased(confidence=self.confidence, records=rows)

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags

    def _check_parameters(self) -> None:
        for name, low, high in (("confidence", 0, 0.5), ("min_samples_leaf", 1, np.inf)):
            value = getattr(self, name)
            number = isinstance(value, int | float | np.number) and not isinstance(value, bool)
            if not number or not low <= value <= high or value == 0:
                most = f"above {low} and at most {high}" if high < 1 else f"from {low} on"
                raise SpecificationError(f"{name}: expected a number {most}, got {value!r}")
        for name in ("subtree_raising", "pruned"):
            if not isinstance(getattr(self, name), bool | np.bool_):
                raise SpecificationError(
                    f"{name}: expected True or False, got {getattr(self, name)!r}"
                )
