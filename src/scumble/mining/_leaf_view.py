"""What leaves see of records: reports of their attributes, and what others tell of these."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial

from scumble.mining.fields import FieldAxis, Fields, draw_fields
from scumble.mining.leaves import LeafModel, Patterns, Sight, coarser, counted, finer, witnesses_of
from scumble.population import CodedReports, Population

# In so many codes attributes are seen that have witnesses, and in so many times as many as others
# where these are few.
_CODES = 60
_TELL_MORE = 2
# Each of two walks is so long beside one alone.
_OF_TWO = 0.6


class View:
    """Reports of some attributes, with witnesses or without.

    Parameters
    ----------
    reports : CodedReports
        The records to learn from.
    factors : list of int
        The factors of the attributes.
    population : Population
        Who says how the others hang on them.
    """

    def __init__(self, reports: CodedReports, factors: list[int], population: Population) -> None:
        self.reports, self.factors = reports, factors
        self.witnesses = witnesses_of(reports, factors, population)
        self._sights: dict[int, Sight] = {}

    def of(self, reports: CodedReports, most: int = _CODES) -> CodedReports:
        """Return what is seen of records; of what has witnesses in so many codes at the most."""
        if most not in self._sights:
            self._sights[most] = Sight(self.reports, self.factors, self.witnesses, most=most)
        return self._sights[most].of(reports)

    def patterns(self, reports: CodedReports, most: int) -> Patterns:
        """Return the same counted, all reports of numbers in about so many codes."""
        return coarser(counted(finer(self.of(reports, _TELL_MORE * most))), most=most)

    def walks(
        self,
        start: LeafModel,
        reports: CodedReports,
        *,
        rounds: int,
        axes: Sequence[FieldAxis] | None = None,
        seed: int | None = None,
        workers: int = 1,
    ) -> list[Fields]:
        """Return rules drawn from the reports alone and, if there are any, with witnesses.

        None where there are none of the first.

        Parameters
        ----------
        start : LeafModel
            Where the walks begin, with the reports alone.
        reports : CodedReports
            All reports of the records.
        rounds : int
            How long each walk is.
        axes : sequence of FieldAxis, optional
            As for `draw_fields`.
        seed : int, optional
            Makes it repeatable.
        workers : int
            How many threads may work.
        """
        told = [None, *([partial(self.patterns, reports)] if self.witnesses else [])]
        rounds = rounds if len(told) == 1 else round(_OF_TWO * rounds)
        with ThreadPoolExecutor(max(1, workers)) as pool:
            alone, *helped = pool.map(
                lambda own: draw_fields(start, rounds=rounds, axes=axes, told=own, seed=seed), told
            )
        return [] if alone is None else [alone, *(own for own in helped if own is not None)]
