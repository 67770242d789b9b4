"""Attributes dealt out to groups, and coins to the groups."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import numpy as np

from scumble.entropy import entropy_from
from scumble.errors import SpecificationError
from scumble.schema._named import suggestion

Groups = int | Literal["each"] | Sequence[Sequence[str]] | Mapping[str, Sequence[str]]


def members_of(groups: Groups, names: list[str], *, seed: int | None) -> dict[str, list[str]]:
    """Return the members of each group, by the name of the group.

    Parameters
    ----------
    groups : int, "each", sequence of sequences or mapping
        As for `grouped`.
    names : list of str
        Those that must be in a group.
    seed : int, optional
        As for `grouped`.

    Examples
    --------
    >>> members_of("each", ["a", "b"], seed=None)
    {'group 1': ['a'], 'group 2': ['b']}
    """
    if isinstance(groups, str) or not isinstance(groups, Sequence | Mapping):
        parts = _drawn(groups, names, seed)
        return {f"group {place}": part for place, part in enumerate(parts, start=1)}
    if not isinstance(groups, Mapping):
        groups = {f"group {place}": part for place, part in enumerate(groups, start=1)}
    members = {}
    for group, given in groups.items():
        if isinstance(given, str) or not isinstance(given, Sequence) or not given:
            raise SpecificationError(f"groups: expected names of attributes in {group!r}")
        members[group] = list(given)
    _check_each_once([name for part in members.values() for name in part], names)
    return members


def _drawn(count: Any, names: list[str], seed: int | None) -> list[list[str]]:
    """Return so many groups at random; their members stand in the order of the columns."""
    if count == "each":
        count = len(names)
    whole = isinstance(count, int | np.integer) and not isinstance(count, bool)
    if not whole or not 1 <= count <= len(names):
        raise SpecificationError(
            f"groups: expected a number from 1 to {len(names)}, 'each', or lists of names, "
            f"got {count!r}"
        )
    if count in (1, len(names)):
        return [list(part) for part in np.array_split(np.array(names, dtype=object), count)]
    order = np.argsort(entropy_from(seed).stream("groups").words(len(names)), kind="stable")
    return [[names[place] for place in sorted(part)] for part in np.array_split(order, count)]


def _check_each_once(listed: list[str], names: list[str]) -> None:
    for name in listed:
        if name not in names:
            raise SpecificationError(
                f"groups: no attribute {name!r} to disguise{suggestion(name, names)}"
            )
        if listed.count(name) > 1:
            raise SpecificationError(f"groups: expected {name!r} in one group, got it in several")
    absent = [name for name in names if name not in listed]
    if absent:
        raise SpecificationError(
            f"groups: expected each attribute in a group or in clear, got {len(absent)} in "
            f"neither, such as {absent[0]!r}"
        )


def keep_of(
    keep: float | Sequence[float] | Mapping[str, float], groups: list[str]
) -> dict[str, float]:
    """Return the coin of each group.

    Examples
    --------
    >>> keep_of([0.7, 0.9], ["group 1", "group 2"])
    {'group 1': 0.7, 'group 2': 0.9}
    """
    if isinstance(keep, Mapping):
        if sorted(keep) != sorted(groups):
            raise SpecificationError(f"keep: expected one for each of {groups}, got {list(keep)}")
        return {group: keep[group] for group in groups}
    if isinstance(keep, Sequence | np.ndarray) and not isinstance(keep, str):
        if len(keep) != len(groups):
            raise SpecificationError(
                f"keep: expected one for each of the {len(groups)} groups, got {len(keep)}"
            )
        return dict(zip(groups, keep, strict=True))
    return dict.fromkeys(groups, keep)
