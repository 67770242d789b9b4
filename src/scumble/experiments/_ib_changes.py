"""How many classes does class noise change, and whose? Simulated beside the formulas."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scumble.entropy import Seeded
from scumble.experiments._ib_tables import IB_CLASS, IB_TABLES, IbTable, IbTableName, ib_table
from scumble.tables import Table
from scumble.treatments import ClassNoise, expected_changes
from scumble.treatments._class_noise import Technique
from scumble.treatments._records import Records

IntArray = NDArray[np.int64]
FloatArray = NDArray[np.float64]
IB_TECHNIQUES: tuple[Technique, ...] = ("random", "probabilistic", "all-leaves")


@dataclass(frozen=True)
class IbChangesRow:
    """How many classes a technique changes, and how often a record keeps its class.

    Attributes
    ----------
    dataset : str
        The table.
    subset : int
        Which draw of its records.
    technique : {"random", "probabilistic", "all-leaves"}
        Of `ClassNoise`.
    draws : int
        The number of simulations.
    expected, variance : float
        The mean and the variance of the number of changes, by formula.
    mean, sampled : float
        The same as simulated.
    mean_off, variance_off : float
        By how many standard errors they differ.
    minority, majority, homogeneous : float
        The probability that a record keeps its class, simulated: of records that have not
        the class of their leaf, of those that have it in a leaf of several classes, and in
        leaves of one class; nan where there are none.

    Examples
    --------
    >>> import numpy as np
    >>> from scumble.experiments import changes_row
    >>> leaves, classes = np.repeat([0, 1], 50), np.repeat([0, 1, 1], [40, 10, 50])
    >>> row = changes_row(leaves, classes, technique="random", draws=200, seed=1)
    >>> row.expected, row.homogeneous, abs(row.mean_off) < 5
    (16.0, 1.0, True)
    """

    dataset: str
    subset: int
    technique: Technique
    draws: int
    expected: float
    mean: float
    mean_off: float
    variance: float
    sampled: float
    variance_off: float
    minority: float
    majority: float
    homogeneous: float


def ib_changes(
    *,
    datasets: Sequence[IbTableName] = IB_TABLES,
    subsets: Sequence[int] = (1, 2, 3, 4, 5),
    draws: int = 1000,
    seed: int = 1,
    directory: Any = None,
) -> list[IbChangesRow]:
    """Simulate class noise on the tables of the paper.

    Parameters
    ----------
    datasets : sequence of {"boston", "breast cancer"}
        Which `ib_table`.
    subsets : sequence of int
        Which draws of their records.
    draws : int
        How often noise is drawn for each.
    seed : int
        What the noise is derived from.
    directory : path, optional
        Where the data sets lie.

    Examples
    --------
    >>> from scumble.experiments import ib_changes
    >>> ib_changes(datasets=[])
    []
    """
    return list(_rows(datasets, subsets, draws, seed, directory))


def _rows(
    datasets: Sequence[IbTableName], subsets: Sequence[int], draws: int, seed: int, directory: Any
) -> Iterator[IbChangesRow]:
    for dataset in datasets:
        for subset in subsets:
            guide = _records(ib_table(dataset, subset=subset, directory=directory)).guide
            for technique in IB_TECHNIQUES:
                yield changes_row(
                    guide.leaves.astype(np.int64),
                    guide.classes.astype(np.int64),
                    technique=technique,
                    draws=draws,
                    seed=seed,
                    dataset=dataset,
                    subset=subset,
                )


def _records(records: IbTable) -> Records:
    return Records(Table(records.table), class_name=IB_CLASS)


def changes_row(
    leaves: IntArray,
    classes: IntArray,
    *,
    technique: Technique,
    draws: int,
    seed: int,
    dataset: str = "",
    subset: int = 0,
) -> IbChangesRow:
    """Return the row of one table, given the leaf and the class, 0 or 1, of each record.

    See `IbChangesRow` for an example and for what is returned.
    """
    streams = (
        # Other draws for each table, so that one unlucky series is not seen many times.
        Seeded(seed).stream(f"ib changes {dataset} {subset} {technique} {draw}")
        for draw in range(draws)
    )
    treatment = ClassNoise(technique=technique)
    donors = np.array([treatment.donors(leaves, classes, stream) for stream in streams])
    changed = classes[donors] != classes
    counts = changed.sum(axis=1)
    expected = expected_changes(leaves, classes)
    variance = change_variance(leaves, classes, technique=technique)
    sampled = float(counts.var(ddof=1))
    fourth = float(((counts - counts.mean()) ** 4).mean())
    kept = 1 - changed.mean(axis=0)
    usual, alone = _places_in_leaf(leaves, classes)
    return IbChangesRow(
        dataset,
        subset,
        technique,
        draws,
        expected=expected,
        mean=float(counts.mean()),
        mean_off=_off(float(counts.mean() - expected), variance / draws),
        variance=variance,
        sampled=sampled,
        variance_off=_off(sampled - variance, (fourth - sampled**2) / draws),
        minority=_mean(kept[~usual]),
        majority=_mean(kept[usual & ~alone]),
        homogeneous=_mean(kept[alone]),
    )


def change_variance(leaves: IntArray, classes: IntArray, *, technique: Technique) -> float:
    """Return the variance of the number of classes that change, for two classes.

    Examples
    --------
    >>> leaves, classes = np.array([0, 0, 0, 0, 1]), np.array([0, 0, 0, 1, 1])
    >>> change_variance(leaves, classes, technique="random")
    0.75
    >>> change_variance(leaves, classes, technique="probabilistic")
    0.75

    Notes
    -----
    With m and n records of the two classes in a leaf, that of "random" is the sum of
    4 m^2 n^2 / ((m + n)^2 (m + n - 1)), by the hypergeometric law; "probabilistic" changes
    Bin(m, n / (m + n)) + Bin(n, m / (m + n)), which has half of the mean as its variance;
    "all-leaves" is binomial.
    """
    expected, size = expected_changes(leaves, classes), len(leaves)
    if technique == "probabilistic":
        return expected / 2
    if technique == "all-leaves":
        return expected * (1 - expected / size)
    m, n = _counts(leaves, classes).T
    both = np.maximum(m + n, 2)
    return float((4 * m**2 * n**2 / (both**2 * (both - 1))).sum())


def _counts(leaves: IntArray, classes: IntArray) -> FloatArray:
    """Return the number of records of each of two classes in each leaf."""
    _, place = np.unique(leaves, return_inverse=True)
    counts = np.zeros((int(place.max()) + 1, 2))
    np.add.at(counts, (place, classes), 1)
    return counts


def _places_in_leaf(
    leaves: IntArray, classes: IntArray
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Say which records have the most frequent class of their leaf, and which have no other."""
    _, place = np.unique(leaves, return_inverse=True)
    counts = _counts(leaves, classes)
    return counts.argmax(axis=1)[place] == classes, (counts.min(axis=1) == 0)[place]


def _off(gap: float, variance: float) -> float:
    """Return a difference in standard errors; where nothing can vary, none or infinitely many."""
    if variance <= 0:
        return 0.0 if abs(gap) < 1e-9 else math.copysign(math.inf, gap)
    return gap / math.sqrt(variance)


def _mean(shares: FloatArray) -> float:
    return float(shares.mean()) if len(shares) else math.nan
