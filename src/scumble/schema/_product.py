"""Several categorical attributes taken together."""

from collections.abc import Iterable, Sequence
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scumble.errors import DomainError
from scumble.schema._categorical import Categorical
from scumble.schema._cells import MISSING


class Product(Categorical):
    """The combinations of the values of several attributes, the last one fastest.

    Parameters
    ----------
    parts : sequence of Categorical
        The attributes.

    Examples
    --------
    >>> from scumble.schema import Categorical, Product
    >>> answer = Categorical(["no", "yes"])
    >>> both = Product([answer, answer])
    >>> both.values[1]
    ('no', 'yes')
    >>> both.conform([["no", "yes", None], ["yes", "yes", "no"]]).tolist()
    [1, 3, -1]
    """

    parts: tuple[Categorical, ...]

    def __init__(self, parts: Iterable[Categorical]) -> None:
        object.__setattr__(self, "parts", tuple(parts))
        super().__init__(tuple(product(*(part.values for part in self.parts))))

    @property
    def told(self) -> "Product":
        """The domain of what is told of the truths: the declared values of each part."""
        return Product(part.told for part in self.parts)

    def conform(self, values: Sequence[Any]) -> NDArray[np.int32]:
        """Return the combination in each record, -1 where one of its values is missing.

        Parameters
        ----------
        values : sequence of columns
            One column for each part.
        """
        if len(values) != len(self.parts):
            raise DomainError(f"expected a list of {len(self.parts)} columns, one for each part")
        columns = [part.conform(column) for part, column in zip(self.parts, values, strict=True)]
        if len({len(column) for column in columns}) > 1:
            raise DomainError("expected columns of one length")
        codes = np.zeros_like(columns[0])
        for part, column in zip(self.parts, columns, strict=True):
            codes = codes * len(part) + column
        return np.where(np.min(columns, axis=0) == MISSING, MISSING, codes).astype(np.int32)
