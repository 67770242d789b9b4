"""Loops over whole rows of numbers, eight or sixteen of which are taken at once.

Each loop runs over rows from their first place to their last and does one thing: then the
compiler sees that it may. Importing this file imports numba, so it is imported where it is used.
"""

from collections.abc import Callable
from typing import Any

import numba
import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

_Compiler = Callable[[Callable[..., Any]], Callable[..., Any]]
# Not fastmath: the order of sums would depend on where in memory numbers lie. What is compiled is
# kept on disk by file: after a change here, delete what was kept of the files that use it.
# Who uses an array is not counted (`_nrt`): nothing is made in these loops, and each row that is
# cut out of an array would cost two locked counts, more than half of all time. So they are given
# room for all they need, and return no arrays.
_OPTIONS: dict[str, Any] = {"nogil": True, "cache": True, "_nrt": False}
# Who enters from outside counts, or what it was given would never be let go.
entered: _Compiler = numba.njit(nogil=True, cache=True)
compiled: _Compiler = numba.njit(**_OPTIONS)
_contracted: _Compiler = numba.njit(fastmath={"contract"}, **_OPTIONS)
_built: _Compiler = intrinsic
_NONE, _ONE = np.float32(0), np.float32(1)
# Where the exponent of a number stands among its bits, what it has more than it is, the bits after
# it, and those of the exponent of numbers from 1 to 2.
_AFTER, _MORE = np.int32(23), np.int32(127)
_FRACTION, _FROM_ONE = np.int32(0x7FFFFF), np.int32(0x3F800000)
_LN2 = np.float32(np.log(2.0))
# The logarithm of numbers from 1 to 2, to 1e-6.
_NODES = 1.5 + 0.5 * np.cos(np.pi * (np.arange(200) + 0.5) / 200)
_LOG = np.polynomial.polynomial.polyfit(_NODES - 1, np.log(_NODES), 7).astype(np.float32)
# So few numbers are added one after the other.
_LAST = 64


@_built
def _bits_of(_typing: Any, _number: Any) -> Any:
    """Return the bits of a number."""
    return types.int32(types.float32), _with_the_bits(ir.IntType(32))


@_built
def _number_of(_typing: Any, _bits: Any) -> Any:
    """Return the number of some bits."""
    return types.float32(types.int32), _with_the_bits(ir.FloatType())


def _with_the_bits(kind: Any) -> Any:
    """Return what makes the same bits a value of another kind."""
    return lambda _context, builder, _signature, values: builder.bitcast(values[0], kind)


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


@_contracted
def set_logs(
    found: Any, counts: Any, masses: Any, change: Any, whole: Any, own: Any, other: Any
) -> None:
    """Add what the last class reports, and take the logarithms of it all, so many times each.

    A logarithm is read off the bits of a number.
    """
    a, b, c, d, e, f, g, h = _LOG
    for i in range(len(found)):
        mass = masses[i] + change[i]
        value = found[i] + (own * (mass if mass > _NONE else _NONE) + other * whole[i])
        bits = _bits_of(value)
        exponent = np.float32((bits >> _AFTER) - _MORE)
        x = _number_of((bits & _FRACTION) | _FROM_ONE) - _ONE
        log = a + x * (b + x * (c + x * (d + x * (e + x * (f + x * (g + x * h))))))
        found[i] = counts[i] * (exponent * _LN2 + log)


@compiled
def sum_of(row: Any) -> Any:
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
