"""A decision tree classifier in the contract of scikit-learn."""

from collections.abc import Sequence
from typing import Any, Self

import numpy as np
from joblib import effective_n_jobs
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import Tags
from sklearn.utils.validation import check_consistent_length
from threadpoolctl import threadpool_limits

from scumble.errors import SpecificationError
from scumble.mining._checks import (
    check_classes,
    check_parameters,
    warn_of_another_specification,
)
from scumble.mining._cuts import Column
from scumble.mining._grow import CriterionName, Growth, grow
from scumble.mining._inverted import read_inverted
from scumble.mining._labelled import Labelled, Told, label_matrix
from scumble.mining._labels import encoded_labels
from scumble.mining._likelihood import likelihood_tree
from scumble.mining._nodes import Nodes
from scumble.mining._parties import Party, labelled_parties
from scumble.mining._prune import PRUNINGS, PruningName
from scumble.mining._readable import ReadableTree
from scumble.mining._reduced_error import grow_inverted
from scumble.mining._report_tested import ReportTestedTree
from scumble.mining._sources import MethodName, Reading, is_disguised, read
from scumble.mining._stages import Stages
from scumble.mining._teacher import Teacher
from scumble.mining._training import (
    Training,
    declared_attributes,
    inferred_attributes,
    training_records,
)
from scumble.mining._tree_of_nodes import tree_from_nodes
from scumble.mining._undecided import LEAST_KNOWN, known_of, refused, righted
from scumble.reconstruction import Method
from scumble.schema import Specification

FloatArray = NDArray[np.float64]
# Below this share of the records a node of disguised ones is not split.
_LEAST_SHARE = 1 / 2000
# For the bar: about so many levels a tree has.
_LEVELS = 16


class DisguisedTreeClassifier(ReportTestedTree, ReadableTree, ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """A decision tree learned from disguised records, to be applied to truths.

    Parameters
    ----------
    spec : Specification, optional
        What disguised the records. None: they are in clear, and this is an ordinary
        decision tree, of numbers, dates (without the time of day) and categories.
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
    sent to the side that suits the split better; by likelihood down every branch, by share:
    `apply` and `decision_path` then name the leaf of most weight.

    Where leaves by likelihood are chosen alone (`selection_` tells), they are the tree:
    `max_depth` and `min_samples_leaf` hold, what else tells how a tree is grown and pruned
    has no meaning.
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

    def fit_parties(self, parties: Sequence[Party]) -> Self:
        """Learn one tree from the records of several parties, by their joint likelihood.

        Each party disguises as its own specification says, or not at all. Every record
        counts for what it tells: a party that tells little adds little, and does not spoil
        what the others tell.

        Parameters
        ----------
        parties : sequence of Party
            The records of each. They know the same columns of other people; those who know
            other columns of the same people are joined by `side_by_side` first.

        Examples
        --------
        >>> import numpy as np
        >>> import pandas as pd
        >>> from scumble import Categorical, DisguisedTreeClassifier, Specification, disguise
        >>> from scumble.mechanisms import grouped
        >>> from scumble.mining import Party
        >>> rng = np.random.default_rng(0)
        >>> ill = rng.random(600) < 0.5
        >>> people = pd.DataFrame({"smoker": ill ^ (rng.random(600) < 0.1), "ill": ill})
        >>> clear = Specification(dict.fromkeys(people, Categorical([False, True])),
        ...     class_attribute="ill")
        >>> coins = grouped(clear, keep=0.7)
        >>> tree = DisguisedTreeClassifier(clear, random_state=0).fit_parties([
        ...     Party(people[:100], clear), Party(disguise(people[100:], coins, seed=1), coins)])
        >>> bool(tree.score(people[["smoker"]], people["ill"]) > 0.85)
        True
        """
        self._check_parameters()
        if self.spec is None or self.method != "likelihood":
            raise SpecificationError(
                "fit_parties: expected a specification and method='likelihood', which alone "
                "weighs records by what they tell"
            )
        for place, party in enumerate(parties, 1):
            warn_of_another_specification(
                party.reports, party.spec, where=f"fit_parties: party {place}"
            )
        labelled = labelled_parties(parties, self.spec)
        self.classes_ = labelled.classes
        self.n_features_in_ = len(labelled.attributes)
        self.feature_names_in_ = np.array(labelled.names, dtype=object)
        self._learn_labelled(labelled, self._growth_from(self.min_samples_split or 0))
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
            if training.weights is not None:
                raise SpecificationError(
                    "sample_weight: expected none with method='likelihood'; repeat the records "
                    "instead"
                )
            known = known_of(self.spec.class_attribute or "", [(self.spec, len(training))])
            if known >= LEAST_KNOWN:
                return self._learn_by_likelihood(training, self.spec, ensembles)
            self.selection_ = [refused(known)]
            method, training = "uncorrected", righted(training, self.spec)
        nodes, columns, missing = self._grown(training, method)
        self.tree_ = tree_from_nodes(
            nodes, columns, attributes, classes=classes, missing_seen=missing
        )
        return None

    def _grown(
        self, training: Training, method: MethodName
    ) -> tuple[Nodes, list[Column], frozenset[str]]:
        """Return a tree that is grown level by level."""
        growth = self._growth(training)
        levels = min(growth.depth or _LEVELS, _LEVELS)
        with Stages(shown=bool(self.verbose)) as stages:
            stages.expect(1)
            if method == "inversion":
                inverted = read_inverted(training, self.spec, self.classes_)
                stages.done("read the reports")
                # An attribute of two values is tested but once on a way.
                levels = min(levels, sum(len(column) - 1 for column in inverted.columns))
                tested, seed = self.pruning == "reduced-error", self.random_state or 0
                with stages.about(levels) as told:
                    return grow_inverted(inverted, growth, tested=tested, seed=seed, told=told)
            source, columns, missing = read(training, self._reading(method))
            stages.done("read the reports")
            with stages.about(levels) as told:
                return grow(source, columns, growth, told=told), columns, missing

    def _learn_by_likelihood(
        self, training: Training, spec: Specification, ensembles: int
    ) -> Teacher | None:
        labels = training.labels.astype(np.int64)
        told = Told(training.table, spec, labels, label_matrix(spec, self.classes_))
        labelled = Labelled([told], training.attributes, self.classes_)
        return self._learn_labelled(labelled, self._growth(training), ensembles)

    def _learn_labelled(
        self, labelled: Labelled, growth: Growth, ensembles: int = 1
    ) -> Teacher | None:
        # Matrices are small: threads of the library that multiplies them would only wait.
        with threadpool_limits(1, "blas"), Stages(shown=bool(self.verbose)) as stages:
            chosen = likelihood_tree(
                labelled,
                growth,
                ensembles=ensembles,
                stages=stages,
                seed=self.random_state,
                workers=effective_n_jobs(self.n_jobs),
            )
        self.selection_ = chosen.candidates
        self.tree_ = chosen.tree
        return chosen.teacher

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags

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
            rough = disguised and self.method not in ("inversion", "likelihood")
            split = _LEAST_SHARE * training.weight if rough else 2
        return self._growth_from(split)

    def _growth_from(self, split: float) -> Growth:
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
