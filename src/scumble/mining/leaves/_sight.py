"""What is seen of the attributes that leaves know: their reports, and what witnesses tell."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from scumble.mining.leaves._apart import only
from scumble.mining.leaves._coarser import in_fewer_cells
from scumble.mining.leaves._witnesses import Witness
from scumble.population import CodedReports, Factor, Single
from scumble.schema import Categorical, CellSet, Channel

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]
# Before a witness is heard, reports are in so many times fewer cells.
_PARTS = 2


class Sight:
    """Reports of some attributes, each as one code with what its witnesses say.

    Codes that tell nearly the same of the truth are joined, so that there are few. The chance
    of a joined code is the sum of theirs: nothing is lost but what told them apart.

    Parameters
    ----------
    reports : CodedReports
        The reports of all attributes; how often they occur decides which are joined.
    factors : list of int
        The factors that leaves know.
    witnesses : sequence of Witness
        What others tell of them.
    most : int
        The most codes of a factor that has witnesses.
    """

    def __init__(
        self,
        reports: CodedReports,
        factors: list[int],
        witnesses: Sequence[Witness] = (),
        *,
        most: int,
    ) -> None:
        self.factors = factors
        self._folds = [
            _Fold(reports, of, [w for w in witnesses if w.of == of], most)
            for of in sorted({w.of for w in witnesses})
        ]

    def of(self, reports: CodedReports) -> CodedReports:
        """Return what is seen of records."""
        own = only(reports, self.factors)
        factors: list[Factor] = list(own.factors)
        codes = own.codes.copy()
        for fold in self._folds:
            place = self.factors.index(fold.of)
            factors[place] = Single(own.factors[place].attributes[0], fold.channel)
            codes[:, place] = fold.codes(reports)
        return replace(own, factors=factors, codes=codes)


class _Fold:
    """One factor and its witnesses: which codes are joined, and what these tell."""

    def __init__(
        self, reports: CodedReports, of: int, witnesses: Sequence[Witness], most: int
    ) -> None:
        self.of, self._witnesses = of, witnesses
        single = only(reports, [of])
        seen = np.bincount(single.codes[:, 0], minlength=single.factors[0].size)
        every = np.arange(len(seen), dtype=single.codes.dtype)[:, None]
        alone = replace(single, codes=every, labels=np.zeros(len(seen), dtype=np.int64))
        few = in_fewer_cells(alone, seen.astype(np.float32), most=most // _PARTS)
        self._places = few.codes[:, 0].astype(np.int64)
        factor = few.factors[0]
        assert isinstance(factor, Single)
        self._base = factor.channel
        self._joined: list[IntArray] = []
        for witness in witnesses:
            rows = self._rows(self._base.truth)
            both = _both(rows, witness.given_in(self._base.truth))
            self._joined.append(_alike(both * witness.shares[:, None], most))

    @property
    def channel(self) -> Channel:
        """What truths lead to, in codes that are joined."""
        report = Categorical(tuple(range(int(self._joined[-1].max()) + 1)))
        return Channel(self._base.truth, report, self._rows)

    def codes(self, reports: CodedReports) -> IntArray:
        """Return the code of each record; who reports nothing of the attribute is left so."""
        codes = self._places[reports.codes[:, self.of]]
        for witness, joined in zip(self._witnesses, self._joined, strict=True):
            bins = witness.bins[reports.codes[:, witness.factor]]
            places = np.maximum(codes - 1, 0) * witness.given.shape[1] + bins
            codes = np.where(codes == 0, 0, 1 + joined[places])
        return np.asarray(codes)

    def _rows(self, truth: CellSet) -> FloatArray:
        """Return P(code | truth), with the witnesses that are folded in so far."""
        rows = self._base.rows(truth)
        for witness, joined in zip(self._witnesses, self._joined, strict=False):
            both = _both(rows, witness.given_in(truth))
            rows = both @ np.eye(joined.max() + 1)[joined]
        return np.asarray(rows)


def _both(rows: FloatArray, given: FloatArray) -> FloatArray:
    """Return P(code and bin | truth), (cells, codes times bins)."""
    return (rows[:, :, None] * given[:, None, :]).reshape(len(rows), -1)


def _alike(behind: FloatArray, most: int) -> IntArray:
    """Return groups of codes that tell nearly the same, from P(truth and code), (cells, codes)."""
    from sklearn.cluster import KMeans
    from threadpoolctl import threadpool_limits

    weights = behind.sum(axis=0)
    if len(weights) <= most:
        return np.arange(len(weights))
    told = np.sqrt(behind / np.maximum(weights, 1e-300)).T
    # Sums of several threads would depend on how many there are.
    with threadpool_limits(1, user_api="openmp"):
        found = KMeans(most, n_init=1, random_state=0).fit(told, sample_weight=weights)
    return np.unique(found.labels_, return_inverse=True)[1].astype(np.int64)
