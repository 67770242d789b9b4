"""Leaves by likelihood, as one of the learners that compete for a tree."""

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from scumble.mining._contest import HOPELESS, Contest, Trial
from scumble.mining._leaf_view import View
from scumble.mining.fields import Fields
from scumble.mining.leaves import (
    Box,
    LeafModel,
    Patterns,
    apart,
    coarser,
    counted,
    finer,
    first_boxes,
    improve,
    only,
    regridded,
    rough_leaves,
    search_leaves,
    simplified,
    start_leaves,
    worth,
)
from scumble.population import CodedReports, Population

FloatArray = NDArray[np.float64]
# A search begins at trees of so many leaves, a walk at the first.
_FIRST, _SECOND = 24, 36
_MOST_GRIDS = 2
_LEAST_RECORDS = 2_000
_MOST_CLASSES = 12
_MOST_RECORDS = 200_000
# Where a walk begins, leaves are fitted to reports of a number in so many cells.
_ROUGH_CELLS = 16
# How long rules are walked through: until they are found, and then, on all records, further.
_ROUNDS = 1_500
_MORE_ROUNDS = 600
# Where leaves explain too little of what other attributes add, and are not borne out all the same,
# a search is not worth its time; so many records tell. Those that are borne out by so many standard
# errors are, though they are behind at what they know. But where leaves are behind at what they
# know by more standard errors than this, it is the search that they lack; where they are so after
# it, more of it is no use.
_WORTH = 3.0
_FAR = 8.0
_A_LOOK = 20_000
# Rules that are borne out by less than so many standard errors below nothing are not the last.
_HARDLY = 2.0


@dataclass(frozen=True, eq=False)
class LeafLearner:
    """Leaves fitted to some records, and how well they foretell the classes of others.

    Attributes
    ----------
    model : LeafModel
        The leaves.
    fields : Fields, optional
        Rules as likely as these leaves, where they could be drawn: they are sure of what
        they say only where they agree.
    view : View
        What they see of the records.
    scores : array
        The log-probability of the class of each record held out, given all its reports.
    joins : bool
        Whether the leaves are to be listened to: they are not clearly behind the
        populations that they compete with.
    weight : float
        How much they are listened to, from 0 to 1; less where they are hardly borne out.
    borne_out : float
        By how many standard errors they are, with what is granted; -inf where nobody asked.
    granted : float
        What is granted, in nats for each record.
    why : str
        The reason, in words.
    helped : float
        Which part of the rules is drawn with witnesses.
    """

    model: LeafModel
    fields: Fields | None
    view: View
    scores: FloatArray
    joins: bool
    weight: float
    borne_out: float
    granted: float
    why: str
    helped: float = 0.0

    @property
    def rules(self) -> "LeafModel | Fields":
        """What is listened to."""
        return self.fields or self.model

    def fitted(self, reports: CodedReports) -> LeafModel:
        """Return the leaves fitted to all reports; what rules were drawn for is found."""
        own = only(reports, self.view.factors)
        if len(own) > _MOST_RECORDS and len(own.factors) > 2:
            # More would not be patterns, and their scores not fit in memory.
            own = own.some(np.arange(0, len(own), -(-len(own) // _MOST_RECORDS)))
        improved = improve(self.model.on(counted(finer(own))), rounds=4)
        return improved.model if self.fields is not None else search_leaves(improved)

    def drawn(
        self, fitted: LeafModel, reports: CodedReports, seed: int | None, workers: int = 1
    ) -> "LeafModel | Fields":
        """Return what is listened to, given all reports.

        Rules that were drawn before stay: they knew most of the reports, and under much noise
        those of one walk alone are surer than they may be.
        """
        fields = self.fields
        if fields is None:
            return fitted.without_reports()
        start = replace(fields.likeliest.on(fitted.patterns), densities=fitted.densities)
        more = _mixed(
            self.view.walks(
                start, reports, rounds=_MORE_ROUNDS, axes=fields.axes, seed=seed, workers=workers
            ),
            self.helped,
        )
        return (fields if more is None else more.joined(fields)).without_reports()


def learn_leaves(
    training: CodedReports,
    held_out: CodedReports,
    rivals: Mapping[str, tuple[Population, FloatArray]],
    *,
    again: Callable[[str], Sequence[Trial]] | None = None,
    seed: int | None = None,
    workers: int = 1,
) -> LeafLearner | None:
    """Fit leaves to some records, and compare them with populations on others.

    Parameters
    ----------
    training, held_out : CodedReports
        The records to learn from and to compare by.
    rivals : mapping of str to (Population, array)
        The populations, and their scores on the records held out.
    again : callable, optional
        Holds out other records, in turn, from the population of that name; not from leaves.
    seed : int, optional
        Makes it repeatable.
    workers : int
        How many threads may work.

    Returns
    -------
    LeafLearner or None
        None where there is too little to learn from, or the class shares a coin.

    Notes
    -----
    The leaves know only attributes that are independent of each other. So they are
    compared in two steps. The reports of these, with the class, must be no less likely than
    by the populations: reports and class together show a wrong tree where the class alone,
    under much noise, does not. Where leaves are not pure, neither must the class alone be,
    since steps describe a smooth law badly. And what the other attributes add must be
    explained by what these tell of the attributes that the leaves test. Last, a population in
    which the class hangs on the leaves alone must foretell it nearly as well as any other, given
    all reports: there attributes may hang together as they will. If that and the first of these
    questions are together answered clearly better, it is all that is asked.

    Attributes may hang together a little, and not for the sake of the class. Rules that are
    not listened to, or hardly borne out, begin anew with such as do not at all; those that are
    borne out better have their way.
    """
    few = len(training) < _LEAST_RECORDS
    if few or len(training.label_matrix) > _MOST_CLASSES or training.class_factor is not None:
        return None
    contest = Contest(training, held_out, rivals, apart(training), again)
    learner = _learned(contest, seed=seed, workers=workers)
    if learner.fields is None or (learner.joins and learner.borne_out > -_HARDLY):
        return learner
    strictly = apart(training, strictly=True)
    if strictly == contest.view.factors:
        return learner
    contest = Contest(training, held_out, rivals, strictly, again)
    other = _learned(contest, seed=seed, workers=workers)
    return max(other, learner, key=lambda own: (own.joins, own.borne_out))


def _learned(contest: Contest, *, seed: int | None, workers: int) -> LeafLearner:
    """Return leaves fitted to what a contest is about."""
    alone = contest.alone
    boxes = first_boxes(alone.marginal, most=_FIRST, seed=seed)
    first = start_leaves(alone.some(_A_LOOK), boxes).model
    look: LeafLearner | None = None
    if alone.ahead(alone.scores(first))[0] > -_FAR:
        explained = contest.explained(first)
        if explained[0] < HOPELESS:
            look = _learner(contest, first, explained)
            if not look.joins and look.borne_out < _WORTH:
                return look
    found = _walked(contest, boxes, seed=seed, workers=workers)
    return look if look is not None and not found.joins else found


def _walked(
    contest: Contest, boxes: Sequence[Box], *, seed: int | None, workers: int
) -> LeafLearner:
    """Return leaves that a walk or, where more attributes decide, a search leads to."""
    alone = contest.alone
    rough = rough_leaves(coarser(alone.patterns, most=_ROUGH_CELLS), boxes)
    start = rough.on(alone.patterns)
    walks = contest.view.walks(start, contest.training, rounds=_ROUNDS, seed=seed, workers=workers)
    helped = contest.helped(walks, workers)
    fields = _mixed(walks, helped)
    if fields is None:
        coarse = coarser(alone.some(_A_LOOK) if alone.are_all_different else alone.patterns)
        starts = [boxes, first_boxes(alone.marginal, most=_SECOND, seed=seed)]
        with ThreadPoolExecutor(max(1, workers)) as pool:
            best = max(pool.map(partial(_searched, coarse), starts), key=worth)
        model = best.on(alone.patterns)
        if alone.ahead(alone.scores(model))[0] > -_FAR:
            model = simplified(search_leaves(improve(model, rounds=4)))
        return _learner(contest, model, contest.explained(model))
    fields = replace(fields, model=fields.model.on(contest.seen.patterns))
    best = fields.likeliest
    model = improve(best.on(alone.patterns), rounds=4).model
    told = contest.explained(best)
    learner = _learner(contest, model, told, fields)
    return replace(learner, helped=helped)


def _learner(
    contest: Contest,
    model: LeafModel,
    told: tuple[float, FloatArray],
    fields: Fields | None = None,
) -> LeafLearner:
    found = contest.verdict(model, told, fields)
    return LeafLearner(
        model,
        found.fields,
        contest.view,
        found.scores,
        found.joins,
        found.weight,
        found.borne_out,
        found.granted,
        found.why,
    )


def _mixed(walks: Sequence[Fields], helped: float) -> Fields | None:
    """Return rules drawn without witnesses and, so many of them, with them."""
    if len(walks) < 2:
        return walks[0] if walks else None
    return walks[0].mixed(walks[1], helped)


def _searched(few: Patterns, boxes: Sequence[Box]) -> LeafModel:
    """Return the leaves that a first guess leads to; which they are, few patterns tell.

    Grids are made before leaves are merged, which takes away room to move.
    """
    start: LeafModel | None = rough_leaves(few, boxes)
    found: list[LeafModel] = []
    while start is not None:
        searched = search_leaves(improve(start, rounds=4))
        found.append(simplified(searched))
        start = regridded(searched) if len(found) <= _MOST_GRIDS else None
    return max(found, key=worth)
