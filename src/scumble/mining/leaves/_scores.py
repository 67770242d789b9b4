"""How likely records are that the leaves have not seen."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from scumble.mining.leaves._model import LeafModel
from scumble.mining.leaves._patterns import Patterns
from scumble.population import CodedReports

FloatArray = NDArray[np.float64]


def own_log_scores(model: LeafModel, reports: CodedReports) -> FloatArray:
    """Return the log-probability of the class of each record, given the model's own reports."""
    masses = _on(model, reports).masses.astype(float)
    odds = masses @ model.label_weights.astype(float)
    known = np.flatnonzero(reports.labels >= 0)
    own = odds[known, reports.labels[known]] / np.maximum(odds[known].sum(axis=1), 1e-300)
    return np.asarray(np.log(np.maximum(own, 1e-12)))


def joint_log_scores(model: LeafModel, reports: CodedReports) -> FloatArray:
    """Return the log-probability of the model's own reports together with the class."""
    here = _on(model, reports)
    logs = np.log(here.likelihoods.astype(float)) - np.log(here.norm)
    return np.asarray(logs + model.root_logs(reports, model.factors.tolist()))


def _on(model: LeafModel, reports: CodedReports) -> LeafModel:
    """Return the model for other reports, each of one record."""
    own = replace(model.reports, codes=reports.codes, labels=reports.labels)
    here = model.on(Patterns(own, np.ones(len(own), dtype=np.float32)))
    here.__dict__["roots"] = model.roots
    return here
