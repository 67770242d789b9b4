"""A step of EM over the shares of pieces, compiled.

Importing this file imports numba, so it is imported where it is used.
"""

from typing import Any

import numpy as np

from scumble.population._kernels import compiled

_AT_ONCE = 256


@compiled
def shared_out(table: Any, shares: Any, counts: Any, moved: Any) -> float:
    """Add to moved what each piece gets of the reports; return their log-likelihood.

    table[i] is P(report i | piece); each row is read once, which is what takes the time.
    """
    level = 0.0
    pieces = len(shares)
    part = np.zeros(pieces, np.float32)
    for i in range(len(table)):
        size = np.float32(0)
        for k in range(pieces):
            size += table[i, k] * shares[k]
        size = max(size, np.float32(1e-30))
        level += counts[i] * np.log(np.float64(size))
        ratio = counts[i] / size
        for k in range(pieces):
            part[k] += ratio * table[i, k]
        if i % _AT_ONCE == _AT_ONCE - 1 or i == len(table) - 1:
            # Sums of many in single precision would lose what each adds.
            for k in range(pieces):
                moved[k] += part[k]
                part[k] = 0
    return level
