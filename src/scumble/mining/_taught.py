"""Who is taught on draws of the truths behind the reports, and who of them is listened to."""

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from scumble.mining._boosted import boosted
from scumble.mining._candidate import SIMPLER, Candidate, compared, mean_weights
from scumble.mining._drawn_trees import drawn_trees
from scumble.mining._judged import Answers, Judges, judged
from scumble.mining._network import network
from scumble.mining._straight import straight
from scumble.population import Population, Reports, draw_again

FloatArray = NDArray[np.float64]
Codes = NDArray[np.uint16]
# So many draws there are in all, of each record so many, and so many of few records.
_ROWS = 320_000
_DRAWS = (2, 4)
_OF_FEW = 10
# Who weighs less is not heard; before records speak, trees, of thousands of numbers, weigh least.
_HEARD = 0.2
_STRAIGHT = "straight rule"
_BEFORE = {"boosted trees": 1.0, "networks": 1.0 + SIMPLER, _STRAIGHT: 1.0 + SIMPLER}


@dataclass(frozen=True, eq=False)
class Average:
    """The average of several answers.

    Attributes
    ----------
    members : sequence of Answers
        Who answers.
    weights : sequence of float, optional
        How much each weighs; by default all the same.
    """

    members: Sequence[Answers]
    weights: Sequence[float] | None = None

    def chances(self, codes: Codes) -> FloatArray:
        """Return P(class | truths), one row for each record, from the cells of the truths."""
        told = [own.chances(codes) for own in self.members]
        return np.asarray(np.average(told, axis=0, weights=self.weights))


def taught_of_many(
    population: Population,
    reports: Reports,
    judges: Judges,
    *,
    ensembles: int = 1,
    seed: int | None = None,
    workers: int = 1,
) -> tuple[tuple[Answers, ...], list[Candidate]]:
    """Return boosted trees, networks, a straight rule, or some, weighed by records held out.

    Parameters
    ----------
    population : Population
        The joint distribution of truths and class.
    reports : CodedReports or JoinedReports
        The reports with their classes; none of those held out.
    judges : sequence of (Population, reports)
        Populations, and records held out from each.
    ensembles : int
        How many of each are taught, to be averaged.
    seed : int, optional
        Makes it repeatable.
    workers : int
        How many threads may work.

    Returns
    -------
    taught, candidates
        Who answers; none where all draws are of one class. And how they were compared.
    """
    rng = np.random.default_rng(None if seed is None else [seed, 2])
    if len(reports) > _ROWS:
        reports = reports.some(rng.permutation(len(reports))[:_ROWS])
    found: dict[str, list[Answers]] = {"boosted trees": [], "networks": [], _STRAIGHT: []}
    for _ in range(ensembles):
        count = int(np.clip(_ROWS // len(reports), *_DRAWS))
        own = int(rng.integers(2**31))
        draws = draw_again(population, reports, times=count, seed=own)
        if len(np.unique(draws[0][1])) < 2:
            return (), []
        with ThreadPoolExecutor(max(1, workers)) as pool:
            trees = pool.submit(boosted, population, draws[:1], seed=own)
            networks = [
                pool.submit(network, population, draws, layers=layers, seed=own)
                for layers in (1, 2)
            ]
        found["boosted trees"].append(trees.result())
        found["networks"] += [net.result() for net in networks]
    line = straight(population, reports, draws)
    if line is not None:
        found[_STRAIGHT].append(line)
    taught = {name: Average(own) for name, own in found.items() if own}
    return _weighed(taught, judges, seed, workers)


def _weighed(
    taught: Mapping[str, Answers], judges: Judges, seed: int | None, workers: int
) -> tuple[tuple[Answers, ...], list[Candidate]]:
    """Return who is heard, weighed; but for the straight rule all alike where nobody can judge.

    Few rules are straight: one that is behind by more than its standard error is not.
    """
    scores = judged(taught, judges, seed=seed, workers=workers)
    if scores is None:
        return tuple(own for name, own in taught.items() if name != _STRAIGHT), []
    candidates = compared(scores)
    able = [own.name for own in candidates if own.chosen or own.name != _STRAIGHT]
    weights = mean_weights({name: scores[name] for name in able}, _BEFORE)
    heard = [name for name, own in weights.items() if own >= _HEARD]
    answer = Average([taught[name] for name in heard], [weights[name] for name in heard])
    candidates = [
        replace(own, chosen=own.name in heard, why=f"weighs {100 * weights.get(own.name, 0):.0f} %")
        for own in candidates
    ]
    return (answer,), candidates


def taught_of_few(
    population: Population, reports: Reports, *, seed: int | None = None, workers: int = 1
) -> tuple[Answers, ...]:
    """Return who is averaged with a population of few records.

    A network; where the class is disguised, trees: there it was no better than they are.
    """
    if reports.class_is_disguised:
        return (drawn_trees(population, reports, seed=seed, workers=workers),)
    rng = np.random.default_rng(None if seed is None else [seed, 2])
    draws = draw_again(population, reports, times=_OF_FEW, seed=int(rng.integers(2**31)))
    if len(np.unique(draws[0][1])) < 2:
        return ()
    return (network(population, draws, seed=seed),)
