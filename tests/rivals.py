"""Populations that leaves compete with, for tests."""

import numpy as np

from scumble import Numeric, Specification, disguise
from scumble.mechanisms import UniformNoise
from scumble.mining._contest import class_log_scores
from scumble.population import MixtureFit, code_reports, fit_population
from scumble.tables import Table

NOISY = Numeric(0, 1, mechanism=UniformNoise(privacy=0.5))
SPEC = Specification({"x": NOISY, "y": NOISY})


def rivals(truths, labels):
    """Return records to learn from, others to compare by, and a population that competes."""
    table = Table(disguise(truths, SPEC, seed=8))
    reports = code_reports(table, SPEC, names=["x", "y"], labels=labels, label_matrix=np.eye(2))
    training, held_out = (reports.some(np.arange(k, len(labels), 2)) for k in (0, 1))
    population = fit_population(training, fit=MixtureFit(components=8, runs=1), seed=9)
    return training, held_out, {"mixture": (population, class_log_scores(population, held_out))}
