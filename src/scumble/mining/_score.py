"""The accuracy of a tree on truths, estimated from reports of them."""

import math
import warnings
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from scumble.errors import DomainError, ScumbleWarning, SpecificationError
from scumble.mining._accuracy_views import seen_accuracy
from scumble.mining._labels import encoded_labels
from scumble.mining._regions import thresholds_by_name
from scumble.mining._sources import is_disguised
from scumble.mining._stages import Stages
from scumble.mining._training import truth_blocks
from scumble.mining._tree import Tree
from scumble.population import code_reports
from scumble.schema import Categorical, Specification, own_mechanism
from scumble.tables import Table

ScoreMethod = Literal["likelihood", "inversion"]
FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]
_CLEAR_CELLS = 10
# From this standard error on, a user is told that little is known.
_OPEN = 0.1


@dataclass(frozen=True)
class DisguisedScore:
    """The accuracy of a model on truths, as far as reports of them tell.

    Attributes
    ----------
    accuracy : float
        The estimate, from 0 to 1; by inversion it is unbiased, and so may lie outside.
    error : float
        Its standard error.
    records : int
        The number of records that it rests on.
    drawn_from : int, optional
        How many there were, where these are a sample: all would hardly tell more.

    Examples
    --------
    >>> score = DisguisedScore(0.913, 0.0125, 5000)
    >>> print(score)
    0.913 +- 0.013 (5,000 records)
    >>> float(score)
    0.913
    >>> print(DisguisedScore(0.913, 0.025, 100_000, drawn_from=2_000_000))
    0.913 +- 0.025 (100,000 of 2,000,000 records)
    """

    accuracy: float
    error: float
    records: int
    drawn_from: int | None = None

    def __float__(self) -> float:
        return self.accuracy

    def __str__(self) -> str:
        among = "" if self.drawn_from is None else f" of {self.drawn_from:,}"
        return f"{self.accuracy:.3f} +- {self.error:.3f} ({self.records:,}{among} records)"


@dataclass(frozen=True, eq=False)
class Labels:
    """The classes that records report.

    Attributes
    ----------
    places : array of int
        The reported class of each record.
    answers : array of int
        The place of each class of the tree.
    matrix : array
        P(reported class | class).
    """

    places: IntArray
    answers: IntArray
    matrix: FloatArray

    @property
    def in_clear(self) -> bool:
        """Whether the reported class is the class."""
        return np.array_equal(self.matrix, np.eye(len(self.matrix)))


def reported_labels(y: Any, tree: Tree, spec: Specification | None) -> Labels:
    """Return classes as places: of those that are declared, or of the tree's and one other."""
    values, places = encoded_labels(y)
    declared = None if spec is None else spec.declared_class
    if isinstance(declared, Categorical) and is_disguised(declared):
        matrix = own_mechanism(declared).channel(declared).matrix
        try:
            own, answers = (declared.conform(c).astype(np.int64) for c in (values, tree.classes))
        except DomainError as error:
            raise DomainError(f"class: {error}") from None
        return Labels(own[places], answers, matrix)
    known = {value: place for place, value in enumerate(tree.classes.tolist())}
    own = np.array([known.get(value, len(known)) for value in values.tolist()])
    return Labels(own[places], np.arange(len(known)), np.eye(max(len(known), own.max() + 1)))


def clear_score(tree: Tree, table: Table, labels: Labels, *, lenient: bool) -> DisguisedScore:
    """Return the accuracy on truths, and its binomial standard error."""
    blocks = truth_blocks(table, tree, lenient=lenient)
    answers = np.concatenate([tree.predicted(block) for block in blocks])
    right = labels.answers[answers] == labels.places
    accuracy = float(right.mean())
    return DisguisedScore(accuracy, math.sqrt(accuracy * (1 - accuracy) / len(right)), len(right))


def disguised_score(
    tree: Tree,
    table: Table,
    labels: Labels,
    spec: Specification,
    *,
    seed: int = 0,
    stages: Stages | None = None,
) -> DisguisedScore:
    """Estimate the accuracy of a tree on truths from reports of them.

    Parameters
    ----------
    tree : Tree
        The tree.
    table : Table
        The reports.
    labels : Labels
        Their classes.
    spec : Specification
        What disguised them.
    seed : int
        Makes the fits repeatable.
    stages : Stages, optional
        Told how far it has come.

    Notes
    -----
    The leaves of the tree are boxes of truths. How truths are spread within each is taken
    from a `Population` fitted to the reports through the channels. How many of each class
    lie in each is found by maximum likelihood, once for each accuracy that might be: that
    gives the likelihood of an accuracy, all else being as likely as can be. The estimate
    is where it is greatest; the error is the root mean square distance from there, each
    accuracy counted by its likelihood. In clear both are the usual ones: the share of
    right answers and its binomial error.

    The error of that covers the sample, the noise, and that the classes may be spread over
    the leaves in any way that the reports allow, but takes the spread within a leaf for
    known. So there are three views: the population of all records says it, which makes
    the border between classes as sharp as the tree has it, and flatters the tree; the
    populations of each class say it; and the accuracy is read off the latter as they are,
    which blurs the border, and judges a good tree too low. The estimate is the mean of
    the three, and their variance is part of the error.

    How far the views differ does not shrink with more records, and is soon most of the
    error. So of more than 100,000 records (fewer where the tree has over 80 leaves of two
    classes) so many are taken, at random; and more of them only where all would lessen the
    error, by a fifth and by what is printed. The error is always that of the records taken.

    On Quest's functions 1, 2 and 4 with noise of 50 and 100 %, and on randomized categories
    and shared coins, (estimate - truth) / error had a root mean square of 0.1 to 1.5, case
    by case: an honest scale, but no exact standard deviation. Where noise is strong, a very
    good tree is judged too low, by about one error, since no view can lie above 1.
    """
    if labels.in_clear and not any(is_disguised(spec[tree.names[j]]) for j in tree.tested):
        told = {name: attribute.told for name, attribute in tree.attributes.items()}
        return clear_score(replace(tree, attributes=told), table, labels, lenient=False)
    reports = code_reports(
        table,
        spec,
        names=_telling(tree, spec),
        labels=labels.places,
        label_matrix=labels.matrix,
        cuts=thresholds_by_name(tree),
        clear_cells=_CLEAR_CELLS,
        missing_cells=True,
    )
    found = seen_accuracy(tree, reports, labels.answers, seed, stages or Stages(shown=False))
    if found.error > _OPEN:
        warnings.warn(
            f"score_disguised: the reports leave the accuracy open, its standard error is "
            f"{found.error:.2f}; more records, or less noise, would tell more",
            ScumbleWarning,
            stacklevel=3,
        )
    among = len(reports) if found.records < len(reports) else None
    return DisguisedScore(found.accuracy, found.error, found.records, drawn_from=among)


def class_shares_a_coin(tree: Tree, spec: Specification) -> bool:
    """Say whether the class is disguised together with attributes that the tree tests."""
    mates = next((set(m) for m in spec.groups.values() if spec.class_attribute in m), set())
    return bool(mates & set(_tested(tree)))


def _tested(tree: Tree) -> list[str]:
    """Return what a tree tests; of a single leaf one attribute stands for all."""
    return [name for j, name in enumerate(tree.names) if j in tree.tested] or tree.names[:1]


def _telling(tree: Tree, spec: Specification) -> list[str]:
    """Return what the tree tests, and what shares a coin with it: it tells how that fell."""
    tested = _tested(tree)
    kept = list(tested)
    for members in spec.groups.values():
        if not set(members) & set(tested):
            continue
        if spec.class_attribute in members:
            raise SpecificationError(
                "class: expected a coin of its own, but it shares one with attributes that the "
                "tree tests; take method='inversion'"
            )
        kept += [name for name in members if name in tree.names and name not in kept]
    return kept
