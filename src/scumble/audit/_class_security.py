"""How often the class in a released table is the true one, and of whom."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from scumble.audit._attack import AttackResult, attack_result
from scumble.audit._paired_rows import check_paired
from scumble.audit._two_tables import FloatArray, TwoTables

_ATTACK = "class as released"


def class_security(
    truth: Any, released: Any, *, class_attribute: str, guide: Any = None
) -> list[AttackResult]:
    """Take the released class of each record for the true one.

    Parameters
    ----------
    truth, released : DataFrame
        The auditor's truth and what was released of it, in the same order.
    class_attribute : str
        The class.
    guide : fitted tree, optional
        A tree on the true records, whose leaves part them: anything with `apply`. Of the
        truth it is handed the columns that it was fitted to.

    Returns
    -------
    list of AttackResult
        Of all records; and with a guide of those in leaves of one class, of those that have
        the most frequent class of their leaf, and of those that have another, as far as there
        are any. The success is the probability that the class is unchanged, so security is
        what it lacks to one. The base is the share of the most frequent class.

    Raises
    ------
    TableError
        If the tables do not belong together.

    Examples
    --------
    >>> import pyarrow as pa
    >>> from scumble.audit import class_security
    >>> truth = pa.table({"ill": ["no", "no", "no", "yes"]})
    >>> released = pa.table({"ill": ["no", "yes", "no", "no"]})
    >>> found, = class_security(truth, released, class_attribute="ill")
    >>> found.success, found.base
    (0.5, 0.75)

    Notes
    -----
    Islam and Brankovic. Where the classes of a leaf with m records of one class and n of
    another change places, a record of the first keeps its class with probability m / (m + n),
    one of the other with n / (m + n), and in a leaf of one class all do.
    """
    both = TwoTables(truth, released)
    (name,) = both.chosen([class_attribute], where="class_attribute")
    check_paired(both)
    column = both[name]
    known = ~np.isnan(column.truth)
    unchanged = column.truth == column.other
    found = [_result(unchanged, column.truth, known, "all records", name)]
    if guide is not None:
        for whose, part in leaf_parts(column.truth, _leaves(guide, both, name)).items():
            if (part & known).any():
                found.append(_result(unchanged, column.truth, part & known, whose, name))
    return found


def leaf_parts(
    classes: FloatArray, leaves: NDArray[np.integer[Any]]
) -> dict[str, NDArray[np.bool_]]:
    """Return which records lie in leaves of one class, and which have a frequent class or not.

    Of classes that are equally frequent in a leaf the first counts as the most frequent.

    Examples
    --------
    >>> parts = leaf_parts(np.array([0.0, 0, 1, 1]), np.array([5, 5, 5, 6]))
    >>> {whose: part.tolist() for whose, part in parts.items()}["leaf minority"]
    [False, False, True, False]
    """
    known = ~np.isnan(classes)
    codes = np.where(known, classes, 0).astype(np.int64)
    places = np.unique(leaves, return_inverse=True)[1].ravel()
    counts = np.zeros((int(places.max()) + 1, int(codes.max()) + 1))
    np.add.at(counts, (places[known], codes[known]), 1)
    single = (np.count_nonzero(counts, axis=1) <= 1)[places]
    frequent = counts.argmax(axis=1)[places] == codes
    return {
        "homogeneous leaves": known & single,
        "leaf majority": known & ~single & frequent,
        "leaf minority": known & ~single & ~frequent,
    }


def _leaves(guide: Any, both: TwoTables, name: str) -> NDArray[np.integer[Any]]:
    names = [str(own) for own in getattr(guide, "feature_names_in_", ())]
    names = names or [own for own in both.truth.names if own != name]
    return np.asarray(guide.apply(both.truth.chosen(names).native))


def _result(
    unchanged: NDArray[np.bool_],
    classes: FloatArray,
    part: NDArray[np.bool_],
    whose: str,
    name: str,
) -> AttackResult:
    known = classes[~np.isnan(classes)].astype(np.int64)
    frequent = np.bincount(known).argmax() if len(known) else -1
    size = int(np.count_nonzero(part))
    return attack_result(
        int(np.count_nonzero(unchanged & part)),
        size,
        attack=_ATTACK if whose == "all records" else f"{_ATTACK}, {whose}",
        attribute=name,
        base=float(np.mean(classes[part] == frequent)) if size else 0.0,
        explanation=(
            f"An intruder who knows which released record is a person's takes its {name!r} for "
            f"true ({whose}); it succeeds if the class was not changed."
        ),
    )
