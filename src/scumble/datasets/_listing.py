"""What data sets there are, and where they were found."""

import os
from dataclasses import dataclass
from pathlib import Path

from scumble.datasets import _catalogue
from scumble.datasets._local import DATA_VARIABLE, local_file

_ALL = (
    _catalogue.ADULT,
    _catalogue.BOSTON,
    _catalogue.BREAST_CANCER_WISCONSIN,
    _catalogue.HOUSE_VOTES,
    _catalogue.PIMA,
)


@dataclass(frozen=True)
class DatasetState:
    """A published data set, and whether it is at hand.

    Attributes
    ----------
    name : str
        What it is called; `load_` and the name is its loader.
    rows, columns : int
        Its size, the class included.
    file : str
        What its file is called.
    found : Path, optional
        Where the file is.
    source : str
        Where it comes from otherwise.
    """

    name: str
    rows: int
    columns: int
    file: str
    found: Path | None
    source: str


def dataset_states() -> list[DatasetState]:
    """Return all published data sets that scumble can load.

    Examples
    --------
    >>> [state.name for state in dataset_states()][:2]
    ['adult', 'boston']
    """
    return [
        DatasetState(
            name=own.name,
            rows=own.rows,
            columns=len(own.columns),
            file=own.file,
            found=local_file(own, directory=None),
            source=f"OpenML {own.openml.data_id}",
        )
        for own in _ALL
    ]


def data_directory() -> str | None:
    """Return the directory that the environment names for data files, if it does."""
    return os.environ.get(DATA_VARIABLE)
