"""What a treatment of a whole column must state."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, Self

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


class ColumnTreatment(Treatment, ABC):
    """A treatment that can be carried out: a frozen dataclass of parameters, and this."""

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
