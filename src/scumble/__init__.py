"""Privacy-preserving data mining: disguise the answers, learn from the crowd.

A mechanism is a channel P(report | truth) over declared cells; everything else is
derived from it.
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from scumble._disguise import disguise
    from scumble.binarise import binary_specification
    from scumble.inversion import probability
    from scumble.mining import DisguisedForestClassifier, DisguisedTreeClassifier
    from scumble.reconstruction import Reconstruction, reconstruct
    from scumble.schema import Categorical, Coding, Criteria, Date, Numeric, Specification, Text
    from scumble.tables import Provenance, provenance

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

_HOMES = {
    "_disguise": ("disguise",),
    "binarise": ("binary_specification",),
    "inversion": ("probability",),
    "mining": ("DisguisedForestClassifier", "DisguisedTreeClassifier"),
    "reconstruction": ("Reconstruction", "reconstruct"),
    "schema": ("Categorical", "Coding", "Criteria", "Date", "Numeric", "Specification", "Text"),
    "tables": ("Provenance", "provenance"),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}
_PARTS = (
    *_HOMES,
    *("audit", "datasets", "engines", "entropy", "errors", "experiments", "mechanisms"),
    *("population", "release", "relevance", "report", "testing", "treatments"),
)


def __getattr__(name: str) -> Any:
    # What is imported is what is used: a command that only says how it is used loads nothing.
    if name in _HOME_OF:
        value = getattr(importlib.import_module(f"scumble.{_HOME_OF[name]}"), name)
        globals()[name] = value
        return value
    if name in _PARTS:
        return importlib.import_module(f"scumble.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
