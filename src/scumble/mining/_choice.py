"""Which learner says best what the reports say, judged by records that it has not seen."""

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from scumble.mining._candidate import Candidate, compared, mean_weights
from scumble.mining._contest import SIMPLE, Trial, class_log_scores
from scumble.mining._judged import Judges
from scumble.mining._leaf_learner import LeafLearner, learn_leaves
from scumble.mining._stages import Stages
from scumble.mining._teacher import Rules, Teacher, with_rules
from scumble.mining.leaves import LeafModel
from scumble.population import (
    CodedReports,
    DrawnFit,
    MixtureFit,
    Population,
    Reports,
    averaged,
    fit_population,
)
from scumble.schema import Categorical

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]
Fit = MixtureFit | DrawnFit
LEARNERS = {
    "mixture": MixtureFit(smooth=False, runs=1),
    "smooth mixture": MixtureFit(smooth=True, runs=1),
    "bound mixture": MixtureFit(smooth=True, prior=5, runs=1),
    "small mixture": MixtureFit(components=4, smooth=True, runs=1),
    "naive Bayes": MixtureFit(components=1, smooth=True, runs=1),
}
# Where the class is disguised, too, a start must say which class is which.
_SAID = MixtureFit(smooth=True, paired=True, tries=8, runs=1)
LEARNERS_OF_DISGUISED_CLASSES = {
    "mixture": replace(_SAID, smooth=False, tries=2),
    "smooth mixture": replace(_SAID, tries=2),
    "bound mixture": replace(_SAID, components=4, prior=5),
    "small mixture": replace(_SAID, components=2, prior=5),
    "latent classes": replace(_SAID, components=20, prior=5, shared=True),
    "few latent classes": replace(_SAID, components=4, shared=True),
    "naive Bayes": replace(_SAID, components=1, most=0, tries=1),
}
# What is drawn needs no rivals: it is as simple as the reports ask for. Of fewer records it is too
# often not known which way round a group is.
_DRAWN: Mapping[str, Fit] = {"drawn latent classes": DrawnFit()}
_ENOUGH_TO_DRAW, _MOST_VALUES = 2_000, 30
_FOR_FEW_DISGUISED = ("small mixture", "few latent classes", "naive Bayes")
_FOR_FEW = ("bound mixture",)
_FOR_MANY = ("mixture", "smooth mixture")
_NOT_FEW = 20_000
# Of few records of categories, before they speak, the simpler are listened to more; who weighs less
# than this is not heard.
_SIMPLER = {"bound mixture": 3.0, "naive Bayes": 6.0}
_HEARD = 0.05
# So many steps where the class shares a coin, and of simple populations of many records.
_PATIENT, _BRIEF = 300, 80
# With few records all are held out once, a fifth at a time; of many, some suffice.
_FOLDS = 5
_FEW = {False: 5_000, True: _NOT_FEW}
_MOST = 100_000
# Of so many, a fifth says enough of rules.
_MANY_HELD_OUT = 50_000
_APART = 1_000_003
# New runs on all records, by whether these are few.
_FINAL_RUNS = {True: 4, False: 2}
# Leaves that weigh so much need no company where they have their way with it: so often, among so
# many draws.
_ALONE, _SAME = 0.8, 0.99
_LOOKED_AT = 20_000


@dataclass(frozen=True, eq=False)
class Choice:
    """What won: a population, leaves, or both, to be averaged.

    Attributes
    ----------
    candidates : list of Candidate
        Everything that was compared.
    population : Population, optional
        The population, if one is needed.
    leaves : LeafModel, optional
        The leaves, if they are not clearly behind.
    rules : Rules, optional
        What is listened to in their stead: the leaves, or rules as likely as they are.
    tried : LeafLearner, optional
        What was compared, and how much it is to be listened to: it has not seen the records
        held out.
    judges : sequence of (Population, reports)
        The best of the populations as they were compared, and the records that were held
        out from them.
    rest : Reports, optional
        The records that were not held out, where there are many of them.
    """

    candidates: list[Candidate]
    population: Population | None = None
    leaves: LeafModel | None = None
    rules: Rules | None = None
    tried: LeafLearner | None = None
    judges: Judges = ()
    rest: Reports | None = None


def choose(
    reports: Reports,
    *,
    times: int = 1,
    stages: Stages | None = None,
    seed: int | None = None,
    workers: int = 1,
) -> Choice:
    """Fit every learner on some records, choose by the others, and fit the chosen anew.

    The score of a learner is the mean log-probability that it gives to the reported
    class, given the reports: no truth is needed. The chosen is fitted to all records, so
    many times as often as a single tree needs: more fits to be averaged are better. Of many
    records whose class is in clear a single tree does without.
    """
    stages = stages or Stages(shown=False)
    disguised = reports.class_is_disguised
    few = len(reports) <= _FEW[disguised]
    learners = learners_for(reports)
    rng = np.random.default_rng(None if seed is None else [seed, 1])
    order = rng.permutation(len(reports))
    folds = _folds(reports, order, few=few)
    stages.expect(len(learners) + 2)
    found = _tried(learners, folds, stages, seed, workers)
    scores = _competing(found, reports)
    weights, candidates = _weighed(scores, reports)
    rivals = {name: (fits[0], own) for name, (fits, own) in found.items()}
    again = partial(_held_out_again, reports, order, learners, seed)
    leaves = None if few else _tried_leaves(folds[0], rivals, again, seed, workers)
    stages.done("tried leaves")
    chosen = list(weights)
    fitted: LeafModel | None = None
    rules: Rules | None = None
    if leaves is not None:
        others = averaged([found[name][0][0] for name in chosen])
        alone = leaves.joins and leaves.weight >= _ALONE and _same_answers(others, leaves, seed)
        candidates = _with_leaves(candidates, scores, leaves, alone=alone)
        if leaves.joins and isinstance(reports, CodedReports):
            fitted = leaves.fitted(reports)
            rules = leaves.drawn(fitted, reports, seed, workers)
            stages.done("fitted the leaves to all records")
        if alone:
            return Choice(candidates, leaves=fitted, rules=rules)
        stages.expect(int(leaves.joins))
    fits: dict[str, list[Population]] = {name: [] for name in chosen}
    if disguised or not few or _are_weighed(reports):
        # Those that were compared knew most of the records; they are averaged with the new ones.
        fits = {name: list(found[name][0]) for name in chosen}
    # Of many in clear, who is taught on draws needs no more fits, but for the last points.
    many = not few and len(reports) >= _NOT_FEW
    enough = many and not disguised and times == 1
    if not enough:
        for name in chosen:
            final = _final(learners[name], reports, len(chosen), times=times)
            fits[name].append(fit_population(reports, fit=final, seed=seed, workers=workers))
    stages.done("fitted the best")
    best = max(chosen, key=lambda name: float(scores[name].mean()))
    judges = [(p, held) for p, (_, held) in zip(found[best][0], folds, strict=True)]
    rest = reports.some(np.sort(order[len(folds[0][1]) :])) if many else None
    population = averaged(
        [averaged(own) for own in fits.values()], [weights[name] for name in fits]
    )
    return Choice(candidates, population, fitted, rules, leaves, judges, rest)


def _tried(
    learners: Mapping[str, Fit],
    folds: Sequence[tuple[Reports, Reports]],
    stages: Stages,
    seed: int | None,
    workers: int,
) -> dict[str, tuple[list[Population], FloatArray]]:
    """Return what each learner makes of each fold, and the scores of the records held out."""

    def tried(name: str) -> tuple[list[Population], FloatArray]:
        fits = _scored(learners[name], folds, seed)
        stages.done(f"tried the {name}")
        return fits

    with ThreadPoolExecutor(max(1, workers)) as pool:
        return dict(zip(learners, pool.map(tried, learners), strict=True))


def _competing(
    found: Mapping[str, tuple[list[Population], FloatArray]], reports: Reports
) -> dict[str, FloatArray]:
    """Return the scores of those that may be chosen.

    Of many records, simple populations only stand beside rules.
    """
    many = len(reports) > _NOT_FEW
    return {name: own for name, (_, own) in found.items() if not (many and name in SIMPLE)}


def _weighed(
    scores: Mapping[str, FloatArray], reports: Reports
) -> tuple[dict[str, float], list[Candidate]]:
    """Return how much each of those chosen is listened to, and all that were compared.

    Those that cannot be told apart alike; but of few records of categories, all by what
    these say of them: there is more to lose by one that is too large.
    """
    candidates = compared(scores)
    if not _are_weighed(reports):
        chosen = [candidate.name for candidate in candidates if candidate.chosen]
        return dict.fromkeys(chosen, 1 / len(chosen)), candidates
    weights = mean_weights(scores, _SIMPLER)
    heard = {name: own for name, own in weights.items() if own >= _HEARD}
    candidates = [
        replace(own, chosen=own.name in heard, why=f"weighs {100 * weights[own.name]:.0f} %")
        for own in candidates
    ]
    return {name: own / sum(heard.values()) for name, own in heard.items()}, candidates


def _are_weighed(reports: Reports) -> bool:
    """Say whether there are few records, of categories alone, with a class in clear.

    There populations are averaged by weight, and those of all folds are.
    """
    categories = all(isinstance(cells, Categorical) for cells in reports.cells)
    return categories and not reports.class_is_disguised and len(reports) < _NOT_FEW


def _scored(
    fit: Fit, folds: Sequence[tuple[Reports, Reports]], seed: int | None
) -> tuple[list[Population], FloatArray]:
    """Return a population of each fold, and the scores of the records held out from them."""
    fits = [
        fit_population(training, fit=fit, seed=_numbered(seed, fold))
        for fold, (training, _) in enumerate(folds)
    ]
    scores = [class_log_scores(p, held) for p, (_, held) in zip(fits, folds, strict=True)]
    return fits, np.concatenate(scores)


def _tried_leaves(
    fold: tuple[Reports, Reports],
    rivals: Mapping[str, tuple[Population, FloatArray]],
    again: Callable[[str], Sequence[Trial]],
    seed: int | None,
    workers: int,
) -> LeafLearner | None:
    """Return leaves that compete with populations; none of several parties."""
    training, held_out = fold
    if not (isinstance(training, CodedReports) and isinstance(held_out, CodedReports)):
        return None
    return learn_leaves(training, held_out, rivals, again=again, seed=seed, workers=workers)


def _held_out_again(
    reports: Reports,
    order: IntArray,
    learners: Mapping[str, Fit],
    seed: int | None,
    name: str,
) -> list[Trial]:
    """Return what a learner makes of all folds but the first; of many records, of none."""
    if len(reports) >= _MANY_HELD_OUT:
        return []
    folds = _folds(reports, order, few=True)
    return [
        (held_out, fit_population(training, fit=learners[name], seed=_numbered(seed, k)))
        for k, (training, held_out) in enumerate(folds)
        if k and isinstance(training, CodedReports) and isinstance(held_out, CodedReports)
    ]


def learners_for(reports: Reports) -> Mapping[str, Fit]:
    """Return the populations that are tried, by how many records there are.

    Of those that come to the same, one is: else it would count for several.
    """
    many = len(reports) > _NOT_FEW
    if _are_drawn(reports):
        return _DRAWN
    skipped: Sequence[str] = _FOR_FEW if many else ()
    learners = LEARNERS
    if reports.class_is_disguised:
        skipped = _FOR_FEW_DISGUISED if many else _FOR_MANY
        learners = LEARNERS_OF_DISGUISED_CLASSES
    # The first one keeps its name.
    distinct = {
        learners[name].for_records(reports): name
        for name in reversed(learners)
        if name not in skipped
    }
    found = {name: learners[name] for name in learners if name in distinct.values()}
    if many:
        found |= {name: replace(found[name], most=_BRIEF) for name in SIMPLE if name in found}
    if many or reports.parts[0].class_factor is None:
        return found
    return {name: _patient(fit) for name, fit in found.items()}


def _are_drawn(reports: Reports) -> bool:
    """Say whether populations are drawn: of not too few and not too many records of categories.

    Where the class shares a coin. What it hangs on in other groups, and which way round these are,
    hardly a report tells: many populations are as likely, and steps of EM end at one of them.
    """
    few_values = all(
        isinstance(cells, Categorical) and len(cells) <= _MOST_VALUES for cells in reports.cells
    )
    shared = any(part.class_factor is not None for part in reports.parts)
    return shared and few_values and _ENOUGH_TO_DRAW <= len(reports) <= _NOT_FEW


def _patient(fit: MixtureFit) -> MixtureFit:
    """Return a fit that makes more steps, whatever records held out say of them.

    What a class hangs on beyond its group is learned last and in many small steps, when
    records held out, of which these tell next to nothing, have long told to stop.
    """
    return replace(fit, most=_PATIENT if fit.most else 0, held_out=0.0)


def _final(fit: Fit, reports: Reports, chosen: int, *, times: int) -> Fit:
    """Return how one of those chosen is fitted to all records.

    Many records can tell twice as many components apart, where time is no matter.
    """
    if reports.class_is_disguised or isinstance(fit, DrawnFit):
        return fit
    few = len(reports) <= _FEW[False]
    runs = times * -(-_FINAL_RUNS[few] // chosen)
    if few or times == 1:
        return replace(fit, runs=runs)
    return replace(fit, runs=runs, components=2 * fit.components)


def _numbered(seed: int | None, fold: int) -> int | None:
    """Return a seed for each fold: where starts differ, not all go wrong the same way."""
    return None if seed is None else seed + fold * _APART


def _folds(reports: Reports, order: IntArray, *, few: bool) -> list[tuple[Reports, Reports]]:
    """Return records to fit and others to score, all of them once where they are few."""
    parts = np.array_split(order[:_MOST], _FOLDS)
    return [
        (
            reports.some(np.sort(np.concatenate(parts[:k] + parts[k + 1 :]))),
            reports.some(np.sort(part)),
        )
        for k, part in enumerate(parts if few else parts[:1])
    ]


def _with_leaves(
    without: Sequence[Candidate],
    scores: Mapping[str, FloatArray],
    leaves: LeafLearner,
    *,
    alone: bool,
) -> list[Candidate]:
    """Return candidates, leaves among them: these are chosen by a rule of their own."""
    own = leaves.scores
    best = max(without, key=lambda candidate: candidate.score).name
    behind = scores[best] - own
    error = float(behind.std() / np.sqrt(max(1, len(own))))
    mean, lag = float(own.mean()), float(behind.mean())
    candidate = Candidate("leaves", mean, lag, error, leaves.joins, leaves.why)
    return [replace(c, chosen=c.chosen and not alone) for c in without] + [candidate]


def _same_answers(population: Population, leaves: LeafLearner, seed: int | None) -> bool:
    """Say whether the average of leaves and a population answers as the leaves alone."""
    both = with_rules(Teacher(population), leaves.rules, leaves.weight)
    codes, _ = both.population.sample(_LOOKED_AT, seed=seed)
    answers = leaves.model.chances_of(both.population, codes).argmax(axis=1)
    return bool(np.mean(both.chances(codes).argmax(axis=1) == answers) >= _SAME)
