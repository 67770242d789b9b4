"""From counts of reports and a channel to the distribution of truths.

One method per file; each turns counts into shares and sees nothing else.
"""

from scumble.reconstruction._bayes import Bayes, published_interval_count
from scumble.reconstruction._em import EM, EMS
from scumble.reconstruction._fit import Fit, Method, NormalErrors, Uncertainty
from scumble.reconstruction._inversion import Inversion
from scumble.reconstruction._penalised import Penalised
from scumble.reconstruction._reconstruct import MethodName, reconstruct, reconstruct_counts
from scumble.reconstruction._response import ResponseLikelihood
from scumble.reconstruction._result import Reconstruction

__all__ = [
    "EM",
    "EMS",
    "Bayes",
    "Fit",
    "Inversion",
    "Method",
    "MethodName",
    "NormalErrors",
    "Penalised",
    "Reconstruction",
    "ResponseLikelihood",
    "Uncertainty",
    "published_interval_count",
    "reconstruct",
    "reconstruct_counts",
]
