"""Loops over whole rows of numbers, eight or sixteen of which are taken at once.

Each loop runs over rows from their first place to their last and does one thing: then the
compiler sees that it may. Importing this file imports numba, so it is imported where it is used.
"""

from typing import Any

import numba
import numpy as np

# Not fastmath: the order of sums would depend on where in memory numbers lie. What is compiled is
# kept on disk by file: after a change here, delete what was kept of the files that use it.
compiled = numba.njit(nogil=True, cache=True)
_NONE, _ONE = np.float32(0), np.float32(1)
_LN2 = np.float32(np.log(2.0))
# The logarithm of numbers from 1 to 2, to 1e-6.
_NODES = 1.5 + 0.5 * np.cos(np.pi * (np.arange(200) + 0.5) / 200)
_LOG = np.polynomial.polynomial.polyfit(_NODES - 1, np.log(_NODES), 7).astype(np.float32)
# So few numbers are added one after the other.
_LAST = 64


@compiled
def set_row(row: Any, value: Any) -> None:
    """Set all of a row."""
    for i in range(len(row)):
        row[i] = value


@compiled
def add_row(row: Any, other: Any) -> None:
    """Add a row to another."""
    for i in range(len(row)):
        row[i] += other[i]


@compiled
def set_scaled(row: Any, other: Any, by: Any) -> None:
    """Set a row to so many times another."""
    for i in range(len(row)):
        row[i] = by * other[i]


@compiled
def add_scaled(row: Any, other: Any, by: Any) -> None:
    """Add so many times a row to another."""
    for i in range(len(row)):
        row[i] += by * other[i]


@compiled
def set_difference(row: Any, high: Any, low: Any) -> None:
    """Set a row to the difference of two."""
    for i in range(len(row)):
        row[i] = high[i] - low[i]


@compiled
def add_likelihoods(found: Any, masses: Any, change: Any, whole: Any, own: Any, other: Any) -> None:
    """Add what a class reports of its own cells, with a change, and of all others."""
    for i in range(len(found)):
        mass = masses[i] + change[i]
        found[i] += own * (mass if mass > _NONE else _NONE) + other * whole[i]


@compiled
def sum_of_logs(counts: Any, values: Any, exponents: Any, mantissas: Any) -> Any:
    """Return the sum of counts times the logarithms of values, both of which are used up.

    A logarithm is read off the bits of a number. `values` and `mantissas` are pairs: numbers,
    and the bits of the same numbers.
    """
    _split(values[1], exponents, mantissas[1])
    _weighed_logs(exponents, mantissas[0], counts, values[0])
    return _sum(values[0])


@compiled
def _split(bits: Any, exponents: Any, mantissa_bits: Any) -> None:
    for i in range(len(bits)):
        exponents[i] = (bits[i] >> 23) - 127
        mantissa_bits[i] = (bits[i] & 0x7FFFFF) | 0x3F800000


@compiled
def _weighed_logs(exponents: Any, mantissas: Any, counts: Any, out: Any) -> None:
    a, b, c, d, e, f, g, h = _LOG
    for i in range(len(out)):
        x = mantissas[i] - _ONE
        log = a + x * (b + x * (c + x * (d + x * (e + x * (f + x * (g + x * h))))))
        out[i] = counts[i] * (np.float32(exponents[i]) * _LN2 + log)


@compiled
def _sum(row: Any) -> Any:
    """Return the sum of a row, which is folded until it is short."""
    size = len(row)
    while size > _LAST:
        half = (size + 1) // 2
        add_row(row[: size - half], row[half:size])
        size = half
    total = 0.0
    for i in range(size):
        total += row[i]
    return total
