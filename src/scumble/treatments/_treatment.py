"""What a treatment of a whole column must state."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from scumble.entropy import Stream
from scumble.schema import Treatment
from scumble.treatments._exposure import Exposure
from scumble.treatments._records import Records


@dataclass(frozen=True, eq=False)
class Treated:
    """A column as it may be released.

    Attributes
    ----------
    column : array or Series
        The new values, in the order of the records.
    exposure : Exposure
        What an intruder can still tell.
    """

    column: Any
    exposure: Exposure


def labelled(codes: NDArray[np.integer[Any]], labels: Sequence[str], *, ordered: bool) -> Any:
    """Return a column of categories, an Arrow array: a label for each code, none where negative."""
    import pyarrow as pa

    places = pa.array(codes.astype(np.int32), mask=codes < 0)
    return pa.DictionaryArray.from_arrays(places, pa.array(labels, pa.string()), ordered=ordered)


class ColumnTreatment(Treatment, ABC):
    """A treatment that can be carried out: a frozen dataclass of parameters, and this.

    Attributes
    ----------
    guided : bool
        Whether a tree of all attributes guides it.
    coarsens : bool
        Whether it tells of each record a group of values that holds the true one.
    """

    guided: ClassVar[bool] = False
    coarsens: ClassVar[bool] = False

    def learned(self, name: str, records: Records) -> Self:
        """Return the same treatment with nothing left to be learned from records.

        By default nothing is.

        Parameters
        ----------
        name : str
            The attribute.
        records : Records
            The truths.
        """
        return self

    @abstractmethod
    def treated(self, name: str, records: Records, stream: Stream) -> Treated:
        """Return the treated column. What was to be learned has been.

        Parameters
        ----------
        name : str
            The attribute.
        records : Records
            The truths, of all attributes.
        stream : Stream
            The draws of this attribute.
        """
