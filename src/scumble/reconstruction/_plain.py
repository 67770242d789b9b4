"""A reconstruction as plain values, for JSON."""

from typing import TYPE_CHECKING, Any

import numpy as np

from scumble.schema import Cells

if TYPE_CHECKING:
    from scumble.reconstruction._result import Reconstruction


def reconstruction_as_dict(found: "Reconstruction") -> dict[str, Any]:
    """Return the shares of the cells, and for numbers and dates what follows from them."""
    given: dict[str, Any] = {
        "reports": int(found.counts.total),
        "missing": int(found.missing),
        "method": found.method.name,
        "converged": bool(found.converged),
    }
    shares = [float(share) for share in found.shares]
    if not isinstance(found.cells, Cells):
        pairs = zip(found.cells.values, shares, strict=True)
        return given | {"shares": [{"value": value, "share": share} for value, share in pairs]}
    ends = [_plain(found.cells.shown(side)) for side in (found.cells.lower, found.cells.upper)]
    return given | {
        "mean": _plain(found.mean),
        "median": _plain(found.quantile(0.5)),
        "sd": found.sd,
        "shares": [
            {"low": low, "high": high, "share": share}
            for low, high, share in zip(*ends, shares, strict=True)
        ],
    }


def _plain(value: Any) -> Any:
    """Return numbers as they are, dates as text."""
    array = np.asarray(value)
    return array.tolist() if array.dtype.kind == "f" else array.astype(str).tolist()
