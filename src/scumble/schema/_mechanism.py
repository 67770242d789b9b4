"""What a mechanism must state: the contract of every channel."""

from abc import ABC, abstractmethod
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from scumble.entropy import Stream
from scumble.schema._channel import Channel, Mixture
from scumble.schema._named import Named

if TYPE_CHECKING:
    from scumble.schema._attribute import Domain
    from scumble.schema._cells import CellSet


class Mechanism(Named, ABC):
    """A channel P(report | truth), stated once.

    A mechanism is a frozen dataclass of parameters. It knows no data: the domain
    of the attribute that it disguises is handed to it. Declaring a subclass with a
    `name` is enough to make it known to specifications.
    """

    noun: ClassVar[str] = "mechanism"
    verb: ClassVar[str] = "disguises"
    home: ClassVar[str] = "scumble.mechanisms"

    @abstractmethod
    def report_domain(self, domain: "Domain") -> "Domain":
        """Return the domain in which reports lie.

        Where it is that of the truths, `domain.told`: a report is a declared value,
        whatever raw value is behind it.
        """

    @abstractmethod
    def disguise(
        self,
        truth: NDArray[Any],
        domain: "Domain",
        stream: Stream,
        *,
        coin: Stream | None = None,
    ) -> NDArray[Any]:
        """Return one report for each truth, in one vectorised pass.

        Numeric truths are floats, with nan for missing; categorical truths are
        codes, with -1 for missing. Reports are of the same type, and a missing
        truth gives a missing report. Every record uses the same number of draws.

        Parameters
        ----------
        truth : array
            The truths, checked to lie in the domain.
        domain : Numeric or Categorical
            The declared domain.
        stream : Stream
            The draws of this attribute.
        coin : Stream, optional
            The draws that decide whether to tell the truth, where attributes share
            them; by default they come from `stream`.
        """

    @abstractmethod
    def report_cells(self, domain: "Domain", truth: "CellSet") -> "CellSet":
        """Return the cells in which reports are best counted for these truth cells."""

    @abstractmethod
    def matrix(self, domain: "Domain", truth: "CellSet", report: "CellSet") -> NDArray[np.float64]:
        """Return P(report cell | truth cell), one row for each truth cell.

        Within an interval the truth is taken to be uniform, and the channel is
        integrated over it; at a point it is exact.
        """

    @abstractmethod
    def epsilon_on(self, domain: "Domain") -> float:
        """Return the worst log-ratio of the probabilities of a report under two truths."""

    @abstractmethod
    def interval_privacy(self, domain: "Domain", *, confidence: float = 0.95) -> float | None:
        """Return the width of the interval that holds the truth with this confidence.

        Where the width depends on the truth it is the narrowest one. None where
        intervals have no meaning (categories).
        """

    @abstractmethod
    def with_noise(self, factor: float) -> Self:
        """Return the same mechanism with its noise multiplied by a factor.

        A mechanism without noise returns itself.
        """

    def mixture(self, domain: "Domain") -> Mixture | None:
        """Return a and b where P(report | truth) = a [report = truth] + b[report].

        None, the default, where the channel is not of this form.
        """
        return None

    def channel(self, domain: "Domain", truth: "CellSet | None" = None) -> Channel:
        """Return this mechanism on cells (by default the domain's own).

        Examples
        --------
        >>> from scumble import Categorical
        >>> from scumble.mechanisms import Warner
        >>> Warner(keep=0.8).channel(Categorical(["no", "yes"])).matrix.round(2).tolist()
        [[0.8, 0.2], [0.2, 0.8]]
        """
        self.check(domain)
        truth = domain.cells() if truth is None else truth
        report = self.report_cells(domain, truth)
        rows = partial(self.matrix, domain, report=report)
        return Channel(truth, report, rows, self.mixture(domain))


def mechanism_names() -> list[str]:
    """Return the names that a specification may use."""
    return Mechanism.names()


def mechanism_from_dict(given: Any) -> Mechanism:
    """Return the mechanism that a table of a specification describes.

    Examples
    --------
    >>> import scumble.mechanisms
    >>> mechanism_from_dict({"name": "warner", "keep": 0.8})
    Warner(keep=0.8, group=None)
    """
    return Mechanism.from_dict(given)
