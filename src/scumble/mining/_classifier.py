"""A decision tree classifier in the contract of scikit-learn."""

from typing import Any, Self, cast

import narwhals as nw
import numpy as np
from joblib import effective_n_jobs
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import Tags
from sklearn.utils.validation import check_consistent_length, check_is_fitted, validate_data

from scumble.declared import declared_table
from scumble.errors import SpecificationError, TableError
from scumble.mining._answers import inverted_score
from scumble.mining._checks import (
    check_classes,
    check_parameters,
    check_score_method,
    warn_of_another_specification,
)
from scumble.mining._grow import CriterionName, Growth, grow
from scumble.mining._inverted import read_inverted
from scumble.mining._labels import encoded_labels
from scumble.mining._likelihood import Labelled, Teacher, likelihood_tree
from scumble.mining._prune import PRUNINGS, PruningName
from scumble.mining._readable import ReadableTree
from scumble.mining._reduced_error import grow_inverted
from scumble.mining._score import (
    DisguisedScore,
    ScoreMethod,
    class_shares_a_coin,
    clear_score,
    disguised_score,
    reported_labels,
)
from scumble.mining._sources import MethodName, Reading, is_disguised, read
from scumble.mining._stages import Stages
from scumble.mining._training import (
    Training,
    declared_attributes,
    inferred_attributes,
    plain_numbers,
    training_records,
    truth_blocks,
)
from scumble.mining._tree import tree_from_nodes
from scumble.mining._undecided import knowledge_of_the_class, refused
from scumble.reconstruction import Method
from scumble.schema import Categorical, Specification, own_mechanism
from scumble.tables import Table

FloatArray = NDArray[np.float64]
# Below this share of the records a node of disguised ones is not split.
_LEAST_SHARE = 1 / 2000


class DisguisedTreeClassifier(ReadableTree, ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """A decision tree learned from disguised records, to be applied to truths.

    Parameters
    ----------
    spec : Specification, optional
        What disguised the records. None: they are in clear, and this is an ordinary
        decision tree.
    method : {"likelihood", "byclass", "local", "global", "inversion", "uncorrected"}
        How the disguise is corrected for. "likelihood", the default, fits the truths and
        the class behind the reports through the channels, by several learners that
        compete; it takes longer and knows more. The others are as published:
        distributions are reconstructed for each class; for each class at each node; for
        all records at once; or not at all. "inversion" is for categories (MRR): the counts
        of a node are solved from the reports of all records; the class may be disguised
        too, and share a coin. With criterion="entropy" and pruning=None it is the
        published tree.
    criterion : {"gini", "entropy"}
        What a good split decreases.
    max_depth : int, optional
        How deep the tree may get.
    min_samples_split : float, optional
        The least number of records in a node that is split, by weight. By default 2; for
        disguised records one in 2000 of them, since a node of fewer tells nothing, but not
        for "inversion", as published.
    min_samples_leaf : float
        The least number of records in a leaf, by weight.
    min_impurity_decrease : float
        The least decrease of impurity by a split, weighted by its share of the records.
    pruning : {"both", "mdl", "sliq", "significance", "reduced-error"} or None
        How the tree is cut back: by the stochastic complexity of its leaves ("mdl"), by
        a bit for each error, as published ("sliq"), or where either says so. "mdl"
        alone keeps leaves that tell shares apart but not classes, which is better for
        `predict_proba`. None: not at all. With "inversion" also: "significance", a split
        must stand out from the noise of its own counts; "reduced-error", a subtree must
        answer better than a leaf on a third of the reports, held out (MRR 4.6).
    significance : float
        For "significance": by how many standard errors the classes of the two sides of a
        split must differ.
    cells : int, optional
        The number of intervals of a disguised number. By default as published: so
        many that each holds 100 records, from 10 to 100 of them.
    reconstruction : Method, optional
        How the distributions of numbers are reconstructed. By default the published
        rule, stopped at a fiftieth of the published tolerance, `Bayes(tolerance=0.0002)`,
        for "local" at a tenth.
        Those of categories are always reconstructed by maximum likelihood.
    min_samples_reconstruct : float
        For "local": a node of fewer records keeps the intervals of the node above.
    n_jobs : int, optional
        How many threads may work; None is one, -1 all processors.
    random_state : int, optional
        Makes "likelihood", which starts at random, repeatable; the other methods
        always are.
    verbose : bool
        Whether "likelihood", which takes some seconds, shows how far it has come.

    Attributes
    ----------
    tree_ : Tree
        The tree.
    classes_ : array
        The labels.
    selection_ : list of Candidate
        For "likelihood": the learners that were compared, and how.
    feature_importances_ : array
        How much each attribute decreases the impurity; they sum to one.
    n_features_in_ : int
        The number of columns.
    feature_names_in_ : array of str
        The names of the columns, where they have names.

    Examples
    --------
    >>> from scumble import DisguisedTreeClassifier, disguise
    >>> from scumble.datasets import make_quest, quest_specification
    >>> from scumble.mechanisms import GaussianNoise
    >>> X, y = make_quest(function=1, n=20_000, seed=0)
    >>> spec = quest_specification(GaussianNoise(privacy=0.5))
    >>> tree = DisguisedTreeClassifier(spec).fit(disguise(X, spec, seed=1), y)
    >>> X_test, y_test = make_quest(function=1, n=5_000, seed=2)
    >>> bool(tree.score(X_test, y_test) > 0.9)
    True

    Notes
    -----
    Agrawal and Srikant 2000, section 4. Reports are coded by cells; the reconstructed
    distribution says how many belong to each interval of the truth, the lowest
    reports to the first and so on; the tree is grown from counts of these. A report's
    interval is no estimate of the one person's truth. Randomized categories are not in
    the paper: here as many reports as reconstructed are sent to each value, and as few
    as can be are moved.

    The tree predicts from truths: it is shipped to where they are. Missing values are
    sent to the side that suits the split better; by likelihood to the larger one.

    Where leaves by likelihood win (`selection_` tells), they are the tree: `max_depth` and
    `min_samples_leaf` hold, what else tells how a tree is grown and pruned has no meaning.
    `cells`, `reconstruction` and `min_samples_reconstruct` are for the published methods.
    """

    def __init__(
        self,
        spec: Specification | None = None,
        *,
        method: MethodName = "likelihood",
        criterion: CriterionName = "gini",
        max_depth: int | None = None,
        min_samples_split: float | None = None,
        min_samples_leaf: float = 1,
        min_impurity_decrease: float = 0.0,
        pruning: PruningName | None = "both",
        significance: float = 2.0,
        cells: int | None = None,
        reconstruction: Method | None = None,
        min_samples_reconstruct: float = 5000,
        n_jobs: int | None = None,
        random_state: int | None = None,
        verbose: bool = False,
    ) -> None:
        self.spec = spec
        self.method = method
        self.criterion = criterion
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.min_impurity_decrease = min_impurity_decrease
        self.pruning = pruning
        self.significance = significance
        self.cells = cells
        self.reconstruction = reconstruction
        self.min_samples_reconstruct = min_samples_reconstruct
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Learn the tree from records and their classes.

        Parameters
        ----------
        X : DataFrame or array
            The reports; truths where there is no specification.
        y : array or Series, optional
            The class of each record. By default the class column of X.
        sample_weight : array, optional
            The weight of each record: how many it stands for. Weights of less than one
            on average are scaled to that.
        """
        self.learn(X, y, sample_weight)
        return self

    def learn(
        self, X: Any, y: Any = None, sample_weight: Any = None, *, ensembles: int = 1
    ) -> Teacher | None:
        """Do as `fit` does, and return what the tree was distilled from, where it was.

        Parameters
        ----------
        X, y, sample_weight
            As for `fit`.
        ensembles : int
            For "likelihood": how many ensembles teach the tree.
        """
        self._check_parameters()
        warn_of_another_specification(X, self.spec)
        table = self._read(X, reset=True)
        classes, labels = encoded_labels(self._labels(table, y))
        check_consistent_length(table, labels)
        check_classes(classes, self.spec, method=self.method)
        if self.spec is None:
            attributes = inferred_attributes(table)
        else:
            attributes = declared_attributes(self.spec)
            self.n_features_in_ = len(attributes)
            self.feature_names_in_ = np.array(list(attributes), dtype=object)
        training = training_records(table, attributes, labels, len(classes), sample_weight)
        self.classes_ = classes
        method = self.method
        if self.spec is not None and method == "likelihood":
            known = knowledge_of_the_class(self.spec, len(training))
            if known is None:
                return self._learn_by_likelihood(training, self.spec, ensembles)
            self.selection_ = [refused(known)]
            method = "uncorrected"
        growth = self._growth(training)
        if method == "inversion":
            nodes, columns, missing = grow_inverted(
                read_inverted(training, self.spec, classes),
                growth,
                tested=self.pruning == "reduced-error",
                seed=self.random_state or 0,
            )
        else:
            source, columns, missing = read(training, self._reading(method))
            nodes = grow(source, columns, growth)
        self.tree_ = tree_from_nodes(
            nodes, columns, attributes, classes=classes, missing_seen=missing
        )
        return None

    def _learn_by_likelihood(
        self, training: Training, spec: Specification, ensembles: int
    ) -> Teacher | None:
        if training.weights is not None:
            raise SpecificationError(
                "sample_weight: expected none with method='likelihood'; repeat the records instead"
            )
        labelled = Labelled(
            training.table,
            spec,
            training.attributes,
            self.classes_,
            training.labels.astype(np.int64),
            self._label_matrix(spec),
        )
        with Stages(shown=bool(self.verbose)) as stages:
            chosen = likelihood_tree(
                labelled,
                self._growth(training),
                ensembles=ensembles,
                stages=stages,
                seed=self.random_state,
                workers=effective_n_jobs(self.n_jobs),
            )
        self.selection_ = chosen.candidates
        self.tree_ = chosen.tree
        return chosen.teacher

    def _label_matrix(self, spec: Specification) -> FloatArray:
        """Return P(reported class | class), in the order of the classes."""
        declared = spec.attributes.get(spec.class_attribute or "")
        if declared is None or not is_disguised(declared):
            return np.eye(len(self.classes_))
        places = cast("Categorical", declared).conform(self.classes_)
        matrix = own_mechanism(declared).channel(declared).matrix
        return np.asarray(matrix[np.ix_(places, places)])

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the most frequent class of the leaf that each truth reaches.

        Parameters
        ----------
        X : DataFrame or array
            The truths.
        """
        leaves = self.apply(X)
        return np.asarray(self.classes_[self.tree_.counts.argmax(axis=1)[leaves]])

    def predict_proba(self, X: Any) -> FloatArray:
        """Return the share of each class in the leaf that each truth reaches.

        Parameters
        ----------
        X : DataFrame or array
            The truths.
        """
        leaves = self.apply(X)
        return np.asarray(self.tree_.probabilities[leaves])

    def predict_log_proba(self, X: Any) -> FloatArray:
        """Return the logarithm of `predict_proba`."""
        with np.errstate(divide="ignore"):
            return np.asarray(np.log(self.predict_proba(X)))

    def apply(self, X: Any) -> NDArray[np.int64]:
        """Return the leaf that each truth reaches, as the number of its node."""
        check_is_fitted(self, "tree_")
        table = self._read(X, reset=False)
        if self.spec is None:
            # Where one of the tables has no names, columns are known by their place.
            table = table.renamed(self.tree_.names)
        leaves = [
            self.tree_.leaves(block)
            for block in truth_blocks(table, self.tree_, lenient=self.spec is None)
        ]
        return np.concatenate([np.empty(0, dtype=np.int64), *leaves])

    def score_disguised(
        self, reports: Any, y: Any = None, *, method: ScoreMethod = "likelihood"
    ) -> DisguisedScore:
        """Estimate the accuracy on truths from a disguised test set.

        Parameters
        ----------
        reports : DataFrame or array
            The reports, disguised as the specification says; truths where there is none.
        y : array or Series, optional
            The class that each record reports. By default the class column of the reports.
        method : {"likelihood", "inversion"}
            By likelihood through the channels, or as published for shared coins (MRR
            Eq. 15): unbiased, not confined to 0..1, and rough where several coins are
            tested. Where the class shares a coin with attributes that the tree tests, it is
            always by inversion. Numbers that are disguised cannot be inverted.

        Returns
        -------
        DisguisedScore
            The accuracy, its standard error and the number of records.

        Examples
        --------
        >>> from scumble import DisguisedTreeClassifier, disguise
        >>> from scumble.datasets import make_quest, quest_specification
        >>> from scumble.mechanisms import GaussianNoise
        >>> X, y = make_quest(function=1, n=20_000, seed=0)
        >>> spec = quest_specification(GaussianNoise(privacy=0.25))
        >>> tree = DisguisedTreeClassifier(spec).fit(disguise(X, spec, seed=1), y)
        >>> X_test, y_test = make_quest(function=1, n=5_000, seed=2)
        >>> found = tree.score_disguised(disguise(X_test, spec, seed=3), y_test)
        >>> bool(abs(found.accuracy - tree.score(X_test, y_test)) < 3 * found.error)
        True

        Notes
        -----
        By maximum likelihood through the channels: of noise, randomized categories, coins
        that are shared, missing values, clear columns, and of a class that is disguised
        itself. What the noise hides, the error shows: it covers the sample, the noise, that
        the classes may be spread over the leaves in any way that the reports allow, and how
        far three ways to see the border between classes differ. It is a scale for what is
        not known, no exact standard deviation, and a very good tree is judged rather too
        low. A missing report is a missing truth.
        """
        check_is_fitted(self, "tree_")
        check_score_method(method)
        warn_of_another_specification(reports, self.spec, where="score_disguised", what="the score")
        table = self._read(reports, reset=False)
        labels = reported_labels(self._labels(table, y), self.tree_, self.spec)
        check_consistent_length(table, labels.places)
        if self.spec is None:
            return clear_score(self.tree_, table.renamed(self.tree_.names), labels, lenient=True)
        if method == "inversion" or class_shares_a_coin(self.tree_, self.spec):
            return inverted_score(self.tree_, table, labels, self.spec)
        return disguised_score(self.tree_, table, labels, self.spec, seed=self.random_state or 0)

    def decision_path(self, X: Any) -> Any:
        """Return which nodes each truth passes, as a sparse matrix of 0 and 1."""
        from scipy.sparse import csr_matrix

        leaves = self.apply(X)
        paths = {leaf: self.tree_.path(leaf) for leaf in np.unique(leaves).tolist()}
        passed = [paths[leaf] for leaf in leaves.tolist()]
        pointers = np.append(0, np.cumsum([len(path) for path in passed]))
        nodes = np.concatenate(passed)
        shape = (len(leaves), len(self.tree_))
        return csr_matrix((np.ones(len(nodes), dtype=np.int64), nodes, pointers), shape=shape)

    def get_depth(self) -> int:
        """Return how many tests lead to the deepest leaf."""
        check_is_fitted(self, "tree_")
        return int(self.tree_.depths.max())

    def get_n_leaves(self) -> int:
        """Return the number of leaves."""
        check_is_fitted(self, "tree_")
        return self.tree_.leaf_count

    @property
    def feature_importances_(self) -> FloatArray:
        """How much each attribute decreases the impurity; they sum to one."""
        check_is_fitted(self, "tree_")
        return self.tree_.importances(self.criterion)

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags

    def _read(self, X: Any, *, reset: bool) -> Table:
        """Return the columns of X, checked against the specification or what was fitted."""
        if self.spec is not None:
            return declared_table(X, self.spec, withheld=False)
        if nw.dependencies.is_into_dataframe(X):
            # First ours, whose errors show no name that might be a value.
            table = Table(X)
            validate_data(self, X, reset=reset, skip_check_array=True)
            if not len(table):
                raise TableError("table: expected at least one record, got none")
            return table
        array = validate_data(
            self, plain_numbers(X), reset=reset, dtype=np.float64, ensure_all_finite="allow-nan"
        )
        return Table(array, names=[f"x{j}" for j in range(array.shape[1])])

    def _labels(self, table: Table, y: Any) -> Any:
        """Return the classes as given, or as the table has them."""
        if y is not None:
            return y
        name = None if self.spec is None else self.spec.class_attribute
        if name is None or name not in table.names:
            raise TableError(
                f"{type(self).__name__} requires y to be passed, but the target y is None"
            )
        return table.column(name)

    def _check_parameters(self) -> None:
        check_parameters(self.get_params(deep=False))

    def _reading(self, method: MethodName) -> Reading:
        return Reading(
            method="uncorrected" if self.spec is None else method,
            cells=self.cells,
            reconstruction=self.reconstruction,
            least=self.min_samples_reconstruct,
            workers=effective_n_jobs(self.n_jobs),
        )

    def _growth(self, training: Training) -> Growth:
        split = self.min_samples_split
        if split is None:
            disguised = any(is_disguised(attribute) for attribute in training.attributes.values())
            rough = disguised and self.method != "inversion"
            split = _LEAST_SHARE * training.weight if rough else 2
        return Growth(
            criterion=self.criterion,
            depth=self.max_depth,
            # Two records can be parted and one be a leaf, however little they weigh.
            split=split if split > 2 else 0,
            leaf=self.min_samples_leaf if self.min_samples_leaf > 1 else 0,
            decrease=self.min_impurity_decrease,
            pruning=PRUNINGS.get(self.pruning or ""),
            significance=self.significance if self.pruning == "significance" else None,
        )
