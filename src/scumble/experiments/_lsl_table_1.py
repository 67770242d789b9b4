"""Table 1 of the custodian's framework (LSL): the relevance of the attributes of Pima."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from scumble.datasets import load_pima
from scumble.relevance import relevance

# In the order of the table.
_PAPER = (0.061825, 0.304201, 0.05931, 0.081664, 0.232564, 0.123164, 0.010896, 0.140941)
_HEADS = ("paper", "bytes", "values", "MDLP", "corrected")


@dataclass(frozen=True)
class LslTable1Row:
    """One attribute of the table.

    Attributes
    ----------
    attribute : str
        Its name in the data set.
    paper : float
        The information gain that is printed, in bits.
    as_bytes : float
        Ours, of the values as unsigned bytes.
    of_values : float
        The gain of the true values, each a category.
    mdlp : float
        The gain of the intervals between cuts by description length.
    corrected : float
        The gain of the true values minus what they gain by chance.
    """

    attribute: str
    paper: float
    as_bytes: float
    of_values: float
    mdlp: float
    corrected: float

    @property
    def agrees(self) -> bool:
        """Whether the paper's figure is ours of the bytes, to the digits that are printed.

        Examples
        --------
        >>> LslTable1Row("age", 0.140941, 0.1409408, 0.14, 0.07, 0.09).agrees
        True
        """
        return abs(self.paper - self.as_bytes) < 1e-6


def lsl_table_1(*, directory: Any = None) -> list[LslTable1Row]:
    """Return Table 1, the paper's figures beside ours, and what the attributes tell truly.

    Parameters
    ----------
    directory : path, optional
        Where the data set lies: see `load_pima`.

    Raises
    ------
    DatasetError
        If the data set cannot be found, fetched or trusted.

    Examples
    --------
    >>> from scumble.errors import DatasetError
    >>> from scumble.experiments import lsl_table_1
    >>> try:
    ...     rows = lsl_table_1()
    ... except DatasetError:
    ...     rows = []
    >>> all(row.agrees for row in rows)
    True

    Notes
    -----
    All eight figures reproduce, on all 768 cases, if each value is cast to an unsigned
    byte, and each byte is a category. The bytes are an accident: a pedigree, from 0.08 to
    2.42, has three of them. Of the true values the gain is another for insulin, body mass
    and pedigree, and it rewards many different values: of pedigree, which has 517, it is
    .65 of .93 bits, and all but .02 of that is chance.
    """
    X, y = load_pima(directory=directory)
    as_bytes, of_values = (relevance(X, y, discretization=c) for c in ("bytes", "values"))
    return [
        LslTable1Row(
            row.name,
            paper,
            as_bytes=as_bytes[row.name].gain,
            of_values=of_values[row.name].gain,
            mdlp=row.gain,
            corrected=row.corrected_gain,
        )
        for row, paper in zip(relevance(X, y), _PAPER, strict=True)
    ]


def lsl_table_1_text(rows: Sequence[LslTable1Row]) -> str:
    """Return the table as plain text.

    Examples
    --------
    >>> from scumble.experiments import LslTable1Row, lsl_table_1_text
    >>> print(lsl_table_1_text([LslTable1Row("age", 0.140941, 0.1409408, 0.1409408, 0.07, 0.09)]))
    attribute           paper     bytes    values      MDLP corrected
    age              0.140941  0.140941  0.140941  0.070000  0.090000
    """
    lines = [f"{'attribute':15}" + "".join(f"{head:>10}" for head in _HEADS)]
    for row in rows:
        figures = (row.paper, row.as_bytes, row.of_values, row.mdlp, row.corrected)
        lines.append(f"{row.attribute:15}" + "".join(f"{figure:>10.6f}" for figure in figures))
    return "\n".join(lines)
