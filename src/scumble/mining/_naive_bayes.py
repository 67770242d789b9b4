"""Naive Bayes from pairs of reports: of one attribute and the class at a time."""

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_consistent_length, check_is_fitted

from scumble.declared import declared_table
from scumble.errors import SpecificationError, TableError
from scumble.mining._checks import check_classes, warn_of_another_specification
from scumble.mining._labelled import label_matrix
from scumble.mining._labels import encoded_labels
from scumble.mining._training import declared_attributes
from scumble.mining._truth_codes import truth_codes
from scumble.population import MixtureFit, code_reports, fit_population
from scumble.schema import Specification

FloatArray = NDArray[np.float64]
_FIT = MixtureFit(components=1, most=0, runs=1, held_out=0, paired=True)


class DisguisedNaiveBayesClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Naive Bayes learned from disguised records, to be applied to truths.

    The joint distribution of each attribute with the class is estimated through the
    channels of the two, by maximum likelihood; within a class attributes are taken to be
    independent. With few records it is the safest of learners, and it works with a coin of
    its own for each attribute, which is the only grouping that is locally private.

    Parameters
    ----------
    spec : Specification
        What disguised the records.

    Attributes
    ----------
    population_ : Population
        One component for each class.
    classes_ : array
        The labels.

    Examples
    --------
    >>> import numpy as np
    >>> import pandas as pd
    >>> from scumble import Categorical, Specification, disguise
    >>> from scumble.mechanisms import grouped
    >>> from scumble.mining import DisguisedNaiveBayesClassifier
    >>> rng = np.random.default_rng(0)
    >>> ill = rng.random(2000) < 0.5
    >>> people = pd.DataFrame({"smoker": ill ^ (rng.random(2000) < 0.2),
    ...     "sports": ill ^ (rng.random(2000) < 0.7), "ill": ill})
    >>> spec = Specification(dict.fromkeys(people, Categorical([False, True])),
    ...     class_attribute="ill")
    >>> coins = grouped(spec, keep=0.7, groups="each")
    >>> model = DisguisedNaiveBayesClassifier(coins).fit(disguise(people, coins, seed=1))
    >>> bool(model.score(people[["smoker", "sports"]], people["ill"]) > 0.7)
    True

    Notes
    -----
    Pairs are noisy where two coins are asked; which of the mirror images of a group is the
    truth is then decided by the likelihood of whole records.
    """

    def __init__(self, spec: Specification | None = None) -> None:
        self.spec = spec

    def fit(self, X: Any, y: Any = None) -> Self:
        """Learn from reports and their classes.

        Parameters
        ----------
        X : DataFrame or array
            The reports.
        y : array or Series, optional
            The class that each record reports. By default the class column of X.
        """
        if not isinstance(self.spec, Specification):
            raise SpecificationError(
                f"spec: expected a Specification, got {type(self.spec).__name__}; for records in "
                "clear take scikit-learn's CategoricalNB"
            )
        warn_of_another_specification(X, self.spec, what="the model")
        table = declared_table(X, self.spec, withheld=False)
        if y is None and self.spec.class_attribute not in table.names:
            raise TableError(f"{type(self).__name__} requires y to be passed, but it is None")
        given = table.column(str(self.spec.class_attribute)) if y is None else y
        classes, labels = encoded_labels(given)
        check_consistent_length(table, labels)
        check_classes(classes, self.spec, method="likelihood")
        attributes = declared_attributes(self.spec)
        reports = code_reports(
            table,
            self.spec,
            names=list(attributes),
            labels=labels.astype(np.int64),
            label_matrix=label_matrix(self.spec, classes),
        )
        self.classes_ = classes
        self.n_features_in_ = len(attributes)
        self.feature_names_in_ = np.array(list(attributes), dtype=object)
        self.population_ = fit_population(reports, fit=_FIT, seed=0)
        return self

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the likeliest class of each truth.

        Parameters
        ----------
        X : DataFrame or array
            The truths.
        """
        return np.asarray(self.classes_[self.predict_proba(X).argmax(axis=1)])

    def predict_proba(self, X: Any) -> FloatArray:
        """Return the probability of each class, for each truth.

        Parameters
        ----------
        X : DataFrame or array
            The truths.
        """
        check_is_fitted(self, "population_")
        assert self.spec is not None
        table = declared_table(X, self.spec, withheld=False)
        population = self.population_
        parts = [population.class_probabilities(own) for own in truth_codes(table, population)]
        return np.concatenate([np.empty((0, len(self.classes_))), *parts])
