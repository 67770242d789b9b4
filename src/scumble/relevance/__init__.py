"""How much each attribute of a table in clear tells about a class.

For the custodian, who holds the table and decides what of it is disguised, and who
wants to know what that costs. Measures come from counts of cells by classes; numbers are
cut into cells by description length (MDLP), so that many different values are no merit.
"""

from scumble.relevance._association import class_correlation, cramers_v, gini_decrease
from scumble.relevance._column import identifier_kind
from scumble.relevance._expected import corrected_gain, expected_gain
from scumble.relevance._gain import gain_ratio, information_gain, symmetric_uncertainty
from scumble.relevance._mdlp import best_cut, mdlp_cuts
from scumble.relevance._relevance import relevance
from scumble.relevance._result import MEASURES, Relevance, Relevances

__all__ = [
    "MEASURES",
    "Relevance",
    "Relevances",
    "best_cut",
    "class_correlation",
    "corrected_gain",
    "cramers_v",
    "expected_gain",
    "gain_ratio",
    "gini_decrease",
    "identifier_kind",
    "information_gain",
    "mdlp_cuts",
    "relevance",
    "symmetric_uncertainty",
]
