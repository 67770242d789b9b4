"""A stable sort, compiled.

In plain loops, as all that is compiled for growing a tree: sorting, slicing and arithmetic of
whole arrays cost the first run on a machine seconds each to compile.
"""

from typing import Any

import numpy as np

from scumble.engines._kernels import compiled


@compiled
def sort_by(keys: Any, items: Any, size: int) -> None:
    """Put the first items in ascending order of their keys; both are moved.

    Of equal keys the first comes first.
    """
    spare_keys, spare = np.empty(size), np.empty(size, np.int64)
    width = 1
    while width < size:
        for start in range(0, size, 2 * width):
            middle, stop = min(start + width, size), min(start + 2 * width, size)
            a, b = start, middle
            for place in range(start, stop):
                if a < middle and (b >= stop or keys[a] <= keys[b]):
                    spare_keys[place], spare[place] = keys[a], items[a]
                    a += 1
                else:
                    spare_keys[place], spare[place] = keys[b], items[b]
                    b += 1
        for place in range(size):
            keys[place], items[place] = spare_keys[place], spare[place]
        width *= 2
