"""Cuts in two that tell most of the class."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scumble.relevance import best_cut
from scumble.relevance._mdlp import half_way

Codes = NDArray[np.intp]


def gain_cut_of_numbers(
    numbers: NDArray[np.float64], classes: Codes, *, missing: bool
) -> float | None:
    """Return where a cut tells most of the class, or None where none is worth it.

    Parameters
    ----------
    numbers : array
        The values of a column, nan where they are missing.
    classes : array
        The class of each record, from 0 on.
    missing : bool
        Whether those that are missing count as the first side.

    Examples
    --------
    >>> ages = np.array([20.0, 21, 22, 24, 60, 61, 65, 70])
    >>> gain_cut_of_numbers(ages, np.repeat([0, 1], 4), missing=True)
    42.0
    """
    known = np.isfinite(numbers)
    distinct, places = np.unique(numbers[known], return_inverse=True)
    if not len(distinct):
        return None
    counts = _counted(places, classes[known], (len(distinct), classes.max() + 1))
    if missing:
        counts[0] += np.bincount(classes[np.isnan(numbers)], minlength=counts.shape[1])
    place = best_cut(counts)
    return None if place is None else half_way(distinct[place - 1], distinct[place])


def gain_lists(
    places: NDArray[np.int32],
    classes: Codes,
    order: Sequence[Any],
    *,
    stated: bool,
    missing: bool,
) -> tuple[list[Any], list[Any]] | None:
    """Return the categories of either side of the cut that tells most of the class, or None.

    Parameters
    ----------
    places : array
        The place of each record's category in the order; -1 where it is missing.
    classes : array
        The class of each record, from 0 on.
    order : sequence
        The categories.
    stated : bool
        Whether they are cut in their order; else any of them may be on either side.
    missing : bool
        Whether those that are missing count as the first side.

    Examples
    --------
    >>> towns = ["Rome", "Oslo", "Bergen"]
    >>> places, ill = np.repeat([0, 1, 2], 20), np.repeat([1, 0, 1], 20)
    >>> gain_lists(places, ill, towns, stated=False, missing=True)
    (['Oslo'], ['Rome', 'Bergen'])
    """
    known = places >= 0
    counts = _counted(places[known], classes[known], (len(order), classes.max() + 1))
    line = np.arange(len(order)) if stated else _along_the_class(counts)
    if missing:
        counts[line[0]] += np.bincount(classes[~known], minlength=counts.shape[1])
    sides = parted(counts, line)
    return None if sides is None else ([order[k] for k in sides[0]], [order[k] for k in sides[1]])


def parted(
    counts: NDArray[np.int64], line: NDArray[np.intp] | None = None
) -> tuple[NDArray[np.intp], NDArray[np.intp]] | None:
    """Return the cells of either side of the cut that tells most of the class, or None.

    Parameters
    ----------
    counts : array, (cells, classes)
        How many records of each class lie in each cell.
    line : array, optional
        The cells in the order that is cut; by default as the class is, so that any may be
        on either side.

    Examples
    --------
    >>> counts = np.array([[9, 90], [80, 10], [8, 70]])
    >>> [side.tolist() for side in parted(counts)]
    [[1], [0, 2]]
    >>> [side.tolist() for side in parted(counts, np.arange(3))]
    [[0], [1, 2]]
    """
    if line is None:
        line = _along_the_class(counts)
    place = best_cut(counts[line])
    # In their own order, so that which side they are on is all that is told of them.
    return None if place is None else (np.sort(line[:place]), np.sort(line[place:]))


def _counted(places: NDArray[Any], classes: Codes, shape: tuple[int, int]) -> NDArray[np.int64]:
    flat = np.bincount(places.astype(np.intp) * shape[1] + classes, minlength=shape[0] * shape[1])
    return flat.reshape(shape)


def _along_the_class(counts: NDArray[np.int64]) -> NDArray[np.intp]:
    """Return the categories by the share of the last of two classes; none known: in the middle.

    Of two classes some cut of this order is the best of all ways to part them (Breiman et al.,
    1984). Of more, shares are put in line by their first principal component, where the best
    cut is near that (Coppersmith, Hong and Hosking, 1999).
    """
    sizes = counts.sum(axis=1, keepdims=True)
    away = counts / np.maximum(sizes, 1) - counts.sum(axis=0) / max(1, counts.sum())
    away[sizes[:, 0] == 0] = 0
    axis = np.linalg.svd(np.sqrt(sizes) * away, full_matrices=False)[2][0]
    line = away @ (axis if axis[-1] >= 0 else -axis)
    return np.argsort(np.round(line, 12), kind="stable")
