"""A fitted tree, tested on reports."""

from typing import Any

from sklearn.utils.validation import check_consistent_length, check_is_fitted

from scumble.mining._answers import inverted_score
from scumble.mining._applied import AppliedTree
from scumble.mining._checks import check_score_method, warn_of_another_specification
from scumble.mining._score import (
    DisguisedScore,
    ScoreMethod,
    class_shares_a_coin,
    clear_score,
    disguised_score,
    reported_labels,
)
from scumble.mining._stages import Stages


class ReportTestedTree(AppliedTree):
    """What a classifier that has learned a tree of two ways can do with it and with reports."""

    random_state: int | None
    verbose: bool

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
        low. A missing report is a missing truth. Where a missing value goes down every branch,
        it is open which leaf answers for it, which widens the error (by inversion such records
        are refused).
        """
        check_is_fitted(self, "tree_")
        check_score_method(method)
        warn_of_another_specification(reports, self.spec, where="score_disguised", what="the score")
        table = self._read(reports, reset=False)
        labels = reported_labels(self._labels(table, y), self.tree_, self.spec)
        check_consistent_length(table, labels.places)
        if self.spec is None:
            return clear_score(self.tree_, table.renamed(self.tree_.names), labels, lenient=True)
        with Stages(shown=bool(self.verbose)) as stages:
            if method == "inversion" or class_shares_a_coin(self.tree_, self.spec):
                return inverted_score(self.tree_, table, labels, self.spec, stages=stages)
            return disguised_score(
                self.tree_, table, labels, self.spec, seed=self.random_state or 0, stages=stages
            )
