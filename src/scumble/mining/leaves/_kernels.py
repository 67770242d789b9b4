"""The loops over records of a model of leaves, compiled.

Importing this file imports numba, so it is imported where it is used.
"""

from typing import Any

import numba
import numpy as np

compiled = numba.njit(nogil=True, cache=True, fastmath=True)
_NEGLIGIBLE = 1e-3


@compiled
def box_products(codes: Any, offsets: Any, factors: Any, tables: Any, found: Any) -> None:
    """Set found[i, l] to the product over factors of tables[l, code of record i]."""
    boxes = tables.shape[0]
    for i in range(len(codes)):
        for box in range(boxes):
            found[i, box] = 1
        for f in factors:
            row = offsets[f] + codes[i, f]
            for box in range(boxes):
                found[i, box] *= tables[box, row]


@compiled
def count_by_box(
    codes: Any, offsets: Any, shares: Any, labels: Any, counts: Any, first: Any, second: Any
) -> None:
    """Add, by box, label and code, the shares of the records and their squares."""
    boxes = shares.shape[1]
    for i in range(len(codes)):
        for box in range(boxes):
            share = shares[i, box]
            if share < _NEGLIGIBLE:
                continue
            for f in range(codes.shape[1]):
                row = offsets[f] + codes[i, f]
                first[box, labels[i], row] += counts[i] * share
                second[box, labels[i], row] += counts[i] * share * share


@compiled
def record_scores(codes: Any, factors: Any, behind: Any, tables: Any, found: Any) -> None:
    """Set found[i, c] to the sum over boxes of behind[i, l] times tables[c, code, l]."""
    boxes = behind.shape[1]
    for i in range(len(codes)):
        for c in range(len(factors)):
            row = codes[i, factors[c]]
            total = np.float32(0)
            for box in range(boxes):
                total += behind[i, box] * tables[c, row, box]
            found[i, c] = total
