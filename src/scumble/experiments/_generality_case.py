"""A case to try a method on: a law of truths, how they are disguised, and what may go wrong."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from scumble._disguise import disguise
from scumble.entropy import Seeded
from scumble.errors import SpecificationError
from scumble.schema import Specification

if TYPE_CHECKING:
    import pyarrow as pa

MOST_TEST_RECORDS = 5_000


@dataclass(frozen=True, eq=False)
class Truths:
    """Records in clear, their classes, and what is to disguise them.

    Attributes
    ----------
    X : pyarrow.Table
        The truths.
    y : array
        Their classes.
    spec : Specification
        What disguises them, and the class where it declares one.
    """

    X: "pa.Table"
    y: NDArray[Any]
    spec: Specification


@dataclass(frozen=True, eq=False)
class Problem:
    """What a method learns from, and what it is tested on.

    Attributes
    ----------
    spec : Specification
        What disguised the records.
    reports, y : table and array
        The disguised training records and their classes, disguised too where the
        specification says so.
    truths, y_true : table and array
        The same records and classes in clear: what a tree would learn from at best.
    X_test, y_test : table and array
        Other records, in clear.
    """

    spec: Specification
    reports: Any
    y: NDArray[Any]
    truths: Any
    y_true: NDArray[Any]
    X_test: Any
    y_test: NDArray[Any]

    @property
    def has_disguised_class(self) -> bool:
        """Whether the classes to learn from are disguised."""
        declared = self.spec.declared_class
        return declared is not None and declared.sensitivity == "private"


@dataclass(frozen=True)
class GeneralityCase:
    """A case on which a method for disguised records can go wrong.

    Attributes
    ----------
    name : str
        What it is called in tables.
    trap : str
        What may go wrong.
    draw : callable
        ``draw(n, seed)`` returns n records as `Truths`; fewer where a published table
        has no more, then in random order.
    n : int
        The number of training records. Up to 5,000 more are the test set.

    Examples
    --------
    >>> from scumble.experiments import generality_cases
    >>> case = generality_cases()[0]
    >>> case.name
    'skewed F1'
    >>> problem = case.with_records(100).problem(seed=1)
    >>> problem.reports.num_rows, problem.X_test.num_rows
    (100, 5000)
    """

    name: str
    trap: str
    draw: Callable[[int, int], Truths] = field(compare=False)
    n: int = 20_000

    def __post_init__(self) -> None:
        if self.n < 1:
            raise SpecificationError(f"n: expected at least one training record, got {self.n}")

    def with_records(self, n: int) -> "GeneralityCase":
        """Return the same case with another number of training records."""
        return GeneralityCase(self.name, self.trap, self.draw, n)

    def problem(self, *, seed: int) -> Problem:
        """Return the training reports and the test records of a seed."""
        drawn = self.draw(self.n + MOST_TEST_RECORDS, self._derived(seed, "truths"))
        if len(drawn.y) <= self.n:
            raise SpecificationError(
                f"{self.name}: expected records left over for a test, got {len(drawn.y)} in all "
                f"of which {self.n} are to train; take fewer"
            )
        training = drawn.X.slice(0, self.n), drawn.y[: self.n]
        reports, y = _disguised(*training, drawn.spec, seed=self._derived(seed, "noise"))
        return Problem(
            drawn.spec,
            reports,
            y,
            *training,
            X_test=drawn.X.slice(self.n),
            y_test=drawn.y[self.n :],
        )

    def _derived(self, seed: int, use: str) -> int:
        """Return a seed for one use, so that no two tables are drawn from the same numbers."""
        return int(Seeded(seed).stream(f"generality {self.name} {use}").words(1)[0])


def _disguised(
    X: "pa.Table", y: NDArray[Any], spec: Specification, *, seed: int
) -> tuple[Any, NDArray[Any]]:
    """Return the reports and the reported classes."""
    name = spec.class_attribute or ""
    if name not in spec.attributes:
        return disguise(X, spec, seed=seed), y
    reports = disguise(X.append_column(name, [y]), spec, seed=seed)
    return reports.drop_columns([name]), np.array(reports[name].to_pylist())
