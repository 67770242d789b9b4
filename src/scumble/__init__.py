"""Privacy-preserving data mining: disguise the answers, learn from the crowd.

A mechanism is a channel P(report | truth) over declared cells; everything else is
derived from it.
"""

from typing import TYPE_CHECKING, Any

import scumble.mechanisms
import scumble.treatments  # noqa: F401  both make their names known to specifications
from scumble._disguise import disguise
from scumble.binarise import binary_specification
from scumble.inversion import probability
from scumble.reconstruction import Reconstruction, reconstruct
from scumble.schema import Categorical, Coding, Criteria, Date, Numeric, Specification, Text
from scumble.tables import Provenance, provenance

if TYPE_CHECKING:
    from scumble.mining import DisguisedForestClassifier, DisguisedTreeClassifier

__version__ = "0.1.0"

__all__ = [
    "Categorical",
    "Coding",
    "Criteria",
    "Date",
    "DisguisedForestClassifier",
    "DisguisedTreeClassifier",
    "Numeric",
    "Provenance",
    "Reconstruction",
    "Specification",
    "Text",
    "binary_specification",
    "disguise",
    "probability",
    "provenance",
    "reconstruct",
]


def __getattr__(name: str) -> Any:
    # scikit-learn takes longer to import than all the rest: those who mine wait for it.
    if name in ("DisguisedForestClassifier", "DisguisedTreeClassifier"):
        import scumble.mining

        return getattr(scumble.mining, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
