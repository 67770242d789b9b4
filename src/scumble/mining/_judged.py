"""How well those who answer by truths foretell the classes of records held out."""

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from scumble.population import CodedReports, Population, Reports, draw_again

FloatArray = NDArray[np.float64]
Codes = NDArray[np.uint16]
Judges = Sequence[tuple[Population, Reports]]
"""Populations, and records that each of them has not seen."""
_MOST_JUDGED = 20_000
_DRAWS = 4
_NONE = 0.005
_MOST_CORRECTED = 0.5


class Answers(Protocol):
    """Who answers by truths."""

    def chances(self, codes: Codes, /) -> FloatArray:
        """Return P(class | truths), one row for each record, from the cells of the truths."""


def judged(
    answers: Mapping[str, Answers], judges: Judges, *, seed: int | None = None, workers: int = 1
) -> dict[str, FloatArray] | None:
    """Return the log-probability that each gives to the reported classes of records held out.

    Parameters
    ----------
    answers : mapping of str to Answers
        Who is judged; none of them should have seen the records.
    judges : sequence of (Population, reports)
        Populations, and records held out from each.
    seed : int, optional
        Makes it repeatable.
    workers : int
        How many threads may work.

    Returns
    -------
    dict of str to array, or None
        None where nobody can judge: no record tells its class, or one that shares a coin
        with attributes.

    Notes
    -----
    P(class | report) is the mean of P(class | truths) over truths behind the report. That
    of the population is known without draws; only by how much the answers of another differ
    from it is drawn, which differs less from draw to draw than the answers do. The logarithm
    of a mean of few draws is still too low by half its variance over its square, which is
    given back: else the unsure would win.
    """
    parts = [(own, part) for own, held_out in judges for part in held_out.parts]
    if any(part.class_factor is not None for _, part in parts):
        return None
    parts = [(own, part.some(np.flatnonzero(part.labels >= 0))) for own, part in parts]
    parts = [(own, part) for own, part in parts if len(part)]
    if not parts:
        return None
    rng = np.random.default_rng(None if seed is None else [seed, 4])
    step = -(-sum(len(part) for _, part in parts) // _MOST_JUDGED)
    found: dict[str, list[FloatArray]] = {name: [] for name in answers}
    for population, part in parts:
        some = part.some(np.arange(0, len(part), step))
        for name, own in _scores(answers, population, some, rng, workers).items():
            found[name].append(own)
    return {name: np.concatenate(own) for name, own in found.items()}


def _scores(
    answers: Mapping[str, Answers],
    population: Population,
    reports: CodedReports,
    rng: np.random.Generator,
    workers: int,
) -> dict[str, FloatArray]:
    told = reports.label_matrix.T[reports.labels]
    known = (population.report_class_probabilities(reports) * told).sum(axis=1)
    bare = reports.without_class()

    def further(draw: tuple[Codes, NDArray[np.int64]]) -> dict[str, FloatArray]:
        codes, _ = draw
        own = population.class_probabilities(codes)
        return {
            name: ((who.chances(codes) - own) * told).sum(axis=1) for name, who in answers.items()
        }

    draws = draw_again(population, bare, times=_DRAWS, seed=int(rng.integers(2**31)))
    with ThreadPoolExecutor(max(1, workers)) as pool:
        found = list(pool.map(further, draws))
    return {name: _log_mean(known, np.stack([draw[name] for draw in found])) for name in answers}


def _log_mean(known: FloatArray, further: FloatArray) -> FloatArray:
    """Return the logarithm of what is known and the mean of what is drawn, made unbiased."""
    mean = np.maximum(known + further.mean(axis=0), _NONE)
    variance = further.var(axis=0, ddof=1) / len(further)
    return np.asarray(np.log(mean) + np.minimum(variance / (2 * mean**2), _MOST_CORRECTED))
