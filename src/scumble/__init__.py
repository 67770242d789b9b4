"""Privacy-preserving data mining: disguise the answers, learn from the crowd.

A mechanism is a channel P(report | truth) over declared cells; everything else is
derived from it.
"""

import scumble.mechanisms  # noqa: F401  makes the mechanisms known to specifications
from scumble._disguise import disguise
from scumble.reconstruction import Reconstruction, reconstruct
from scumble.schema import Categorical, Numeric, Specification
from scumble.tables import Provenance, provenance

__version__ = "0.1.0"

__all__ = [
    "Categorical",
    "Numeric",
    "Provenance",
    "Reconstruction",
    "Specification",
    "disguise",
    "provenance",
    "reconstruct",
]
