"""Records that report the same are one kind, written in few bits.

Nodes look up their kinds in any order: so a kind takes as little memory as it can.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

IntArray = NDArray[np.int64]
Codes = NDArray[np.uint16]
WordArray = NDArray[np.uint64]
_BITS = 64


class Kinds(NamedTuple):
    """Different rows of codes, the codes of each side by side in words of 64 bits.

    The code of kind k in column j is words[k, place[j]] >> shift[j] & mask[j].

    Attributes
    ----------
    words : array of uint64, (kinds, words)
        The codes.
    place : array of int
        The word of each column.
    shift, mask : arrays of uint64
        Where in the word it is, and how wide.
    """

    words: WordArray
    place: IntArray
    shift: WordArray
    mask: WordArray

    def codes(self, column: int) -> WordArray:
        """Return the codes of one column."""
        own = self.words[:, self.place[column]]
        return np.asarray(own >> self.shift[column] & self.mask[column])


def kinds_of(codes: Codes, sizes: NDArray[Any]) -> tuple[Kinds, IntArray]:
    """Return the different rows of codes, and which of them each row is.

    They stand in the order in which they come first.

    Parameters
    ----------
    codes : array of uint16, (records, columns)
        From 0 on.
    sizes : array of int
        The number of different codes of each column.

    Examples
    --------
    >>> codes = np.array([[1, 0], [2, 1], [1, 0]], dtype=np.uint16)
    >>> kinds, kind_of = kinds_of(codes, np.array([3, 2]))
    >>> kind_of.tolist(), kinds.codes(0).tolist(), kinds.codes(1).tolist()
    ([0, 1, 0], [1, 2], [0, 1])
    """
    widths = [max(1, int(size - 1).bit_length()) for size in sizes]
    places, shifts = _side_by_side(widths)
    words = np.zeros((len(codes), places[-1] + 1), dtype=np.uint64)
    for j, (place, shift) in enumerate(zip(places, shifts, strict=True)):
        words[:, place] |= codes[:, j].astype(np.uint64) << np.uint64(shift)
    kind_of = _places(words)
    first = np.full(int(kind_of.max()) + 1, len(codes), dtype=np.int64)
    np.minimum.at(first, kind_of, np.arange(len(codes)))
    kinds = Kinds(
        words[first],
        np.array(places),
        np.array(shifts, dtype=np.uint64),
        np.array([(1 << width) - 1 for width in widths], dtype=np.uint64),
    )
    return kinds, kind_of


def _side_by_side(widths: list[int]) -> tuple[list[int], list[int]]:
    """Return the word and the first bit of each column; none stands in two words."""
    places, shifts, free = [0], [0], _BITS - widths[0]
    for width in widths[1:]:
        if width > free:
            places.append(places[-1] + 1)
            free = _BITS
        else:
            places.append(places[-1])
        shifts.append(_BITS - free)
        free -= width
    return places, shifts


def _places(words: WordArray) -> IntArray:
    """Return which of the different rows each row is, in the order in which they come first."""
    import pyarrow as pa

    def looked_up(keys: NDArray[Any]) -> IntArray:
        # Looked up, not sorted.
        return np.asarray(pa.array(keys).dictionary_encode().indices).astype(np.int64)

    found = looked_up(words[:, 0])
    for word in words.T[1:]:
        found = looked_up(found * len(words) + looked_up(word))
    return found
