"""An ensemble of trees learned from disguised records, for the last points of accuracy."""

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from scumble.declared import declared_table
from scumble.errors import SpecificationError
from scumble.mining._classifier import DisguisedTreeClassifier
from scumble.mining._truth_codes import truth_codes
from scumble.schema import Specification

FloatArray = NDArray[np.float64]


class DisguisedForestClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Boosted trees and networks learned from disguised records, to be applied to truths.

    What `DisguisedTreeClassifier` distils to one tree is used itself: draws of the truths
    behind the reports teach several of both, and these are averaged, as are more fits of
    the population that the draws come from.

    Parameters
    ----------
    spec : Specification
        What disguised the records.
    ensembles : int
        How many of each are averaged, of 20,000 records and more.
    n_jobs : int, optional
        How many threads may work; None is one, -1 all processors.
    random_state : int, optional
        Makes it repeatable.
    verbose : bool
        Whether to show how far it has come.

    Attributes
    ----------
    tree_ : DisguisedTreeClassifier
        One readable tree that says nearly the same: to be read, drawn, shipped, and
        tested on disguised data.
    classes_ : array
        The labels.
    selection_ : list of Candidate
        The learners that were compared, and how.

    Examples
    --------
    >>> from scumble import DisguisedForestClassifier, disguise
    >>> from scumble.datasets import make_quest, quest_specification
    >>> from scumble.mechanisms import GaussianNoise
    >>> X, y = make_quest(function=4, n=4_000, seed=0)
    >>> spec = quest_specification(GaussianNoise(privacy=0.5))
    >>> forest = DisguisedForestClassifier(spec, random_state=0)
    >>> forest = forest.fit(disguise(X, spec, seed=1), y)
    >>> X_test, y_test = make_quest(function=4, n=2_000, seed=2)
    >>> bool(forest.score(X_test, y_test) > 0.9)
    True

    Notes
    -----
    Where classes follow a rule of few thresholds, rules that are as likely as the tree are
    averaged, with the ensembles or alone, and with the tree: its thresholds lie anywhere, those
    of the rules on a grid. Of fewer than 20,000 records the population answers,
    averaged with a network, or where the class is disguised with pruned trees.
    """

    def __init__(
        self,
        spec: Specification | None = None,
        *,
        ensembles: int = 3,
        n_jobs: int | None = None,
        random_state: int | None = None,
        verbose: bool = False,
    ) -> None:
        self.spec = spec
        self.ensembles = ensembles
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose

    def fit(self, X: Any, y: Any = None) -> Self:
        """Learn the ensemble from reports and their classes.

        Parameters
        ----------
        X : DataFrame or array
            The reports.
        y : array or Series, optional
            The class of each record. By default the class column of X.
        """
        if self.spec is None:
            raise SpecificationError(
                "spec: expected a Specification, got None; for records in clear take "
                "scikit-learn's HistGradientBoostingClassifier"
            )
        if self.ensembles < 1 or self.ensembles % 1:
            raise SpecificationError(
                f"ensembles: expected a whole number from 1 on, got {self.ensembles!r}"
            )
        tree = DisguisedTreeClassifier(
            self.spec,
            method="likelihood",
            n_jobs=self.n_jobs,
            random_state=self.random_state,
            verbose=self.verbose,
        )
        self._teacher = tree.learn(X, y, ensembles=self.ensembles)
        self.tree_, self.classes_, self.selection_ = tree, tree.classes_, tree.selection_
        self.n_features_in_ = tree.n_features_in_
        self.feature_names_in_ = tree.feature_names_in_
        return self

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the likeliest class of each truth.

        Parameters
        ----------
        X : DataFrame or array
            The truths.
        """
        chances = self.predict_proba(X)
        return np.asarray(self.classes_[chances.argmax(axis=1)])

    def predict_proba(self, X: Any) -> FloatArray:
        """Return the probability of each class, for each truth.

        Parameters
        ----------
        X : DataFrame or array
            The truths.
        """
        check_is_fitted(self, "tree_")
        if self._teacher is None or self.spec is None:
            return self.tree_.predict_proba(X)
        table = declared_table(X, self.spec, withheld=False)
        parts = [
            self._teacher.chances(codes) for codes in truth_codes(table, self._teacher.population)
        ]
        told = np.concatenate([np.empty((0, len(self.classes_))), *parts])
        return (told + self.tree_.predict_proba(X)) / 2 if self._teacher.is_ruled else told
