"""Loaders of published data sets."""

import os
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from scumble.datasets import _catalogue
from scumble.datasets._described import Description
from scumble.datasets._frames import checked_backend, frame_from_arrow
from scumble.datasets._local import local_file, read_local
from scumble.datasets._openml import read_openml
from scumble.errors import DatasetError

Directory: TypeAlias = str | os.PathLike[str] | None


def load_pima(
    *, directory: Directory = None, backend: str = "pyarrow"
) -> tuple[Any, NDArray[np.str_]]:
    """Load Pima Indians Diabetes: 768 women, eight numbers, class "neg" or "pos".

    Parameters
    ----------
    directory : path, optional
        Where the file pima.csv lies. By default the directory that the environment
        variable SCUMBLE_DATA names; if the file is not there, the data set is
        fetched from OpenML into scikit-learn's cache.
    backend : str, default "pyarrow"
        The kind of table returned: "pyarrow", "pandas" or "polars".

    Returns
    -------
    X : table
        The attributes; a missing cell is null.
    y : array
        The class.

    Raises
    ------
    DatasetError
        If the data set cannot be found, fetched or trusted.

    Examples
    --------
    >>> from scumble.datasets import load_pima
    >>> load_pima(directory="no such place")
    Traceback (most recent call last):
    scumble.errors.DatasetError: pima: expected the file pima.csv in no such place, got no \
such file; put it there or pass another directory

    Notes
    -----
    A zero in glucose, blood_pressure, skin_thickness, insulin or bmi means that it was
    not measured; the zeros are left as they are in the original.
    """
    return _load(_catalogue.PIMA, directory=directory, backend=backend)


def load_boston(
    *, directory: Directory = None, backend: str = "pyarrow"
) -> tuple[Any, NDArray[np.float64]]:
    """Load Boston Housing: 506 census tracts, 13 numbers, y the median value.

    See `load_pima` for the parameters; the file is boston.csv.

    Notes
    -----
    The column b encodes the racial make-up of the tract. It is kept, since studies of
    disguise used it; do not build models of prices on it.
    """
    return _load(_catalogue.BOSTON, directory=directory, backend=backend)


def load_breast_cancer_wisconsin(
    *, directory: Directory = None, backend: str = "pyarrow", identifiers: bool = False
) -> tuple[Any, NDArray[np.str_]]:
    """Load Breast Cancer Wisconsin (Original): 699 samples, nine grades from 1 to 10.

    The class is "benign" or "malignant"; 16 cells of bare_nuclei are missing. See
    `load_pima` for the other parameters; the file is breast_cancer_wisconsin.csv.

    Parameters
    ----------
    identifiers : bool, default False
        Whether to keep sample_id, which names a sample and describes nothing. Only
        the file has it, OpenML has not.
    """
    return _load(
        _catalogue.BREAST_CANCER_WISCONSIN,
        directory=directory,
        backend=backend,
        identifiers=identifiers,
    )


def load_adult(
    *, directory: Directory = None, backend: str = "pyarrow"
) -> tuple[Any, NDArray[np.str_]]:
    """Load Adult (Census Income): 48,842 persons, class "<=50K" or ">50K".

    The first 32,561 rows are the standard training set, the rest the test set. See
    `load_pima` for the parameters; the file is adult.csv.gz.
    """
    return _load(_catalogue.ADULT, directory=directory, backend=backend)


def load_house_votes(
    *, directory: Directory = None, backend: str = "pyarrow"
) -> tuple[Any, NDArray[np.str_]]:
    """Load Congressional Voting Records 1984: 435 members, 16 votes, class the party.

    A vote is "y" or "n"; a missing one was neither, which is an outcome of its own.
    See `load_pima` for the parameters; the file is house_votes_84.csv.
    """
    return _load(_catalogue.HOUSE_VOTES, directory=directory, backend=backend)


def _load(
    description: Description,
    *,
    directory: Directory,
    backend: str,
    identifiers: bool = False,
) -> tuple[Any, NDArray[Any]]:
    checked_backend(backend)
    path = local_file(description, directory=directory)
    if path is None and identifiers:
        raise DatasetError(
            f"{description.name}: expected the file {description.file} for its identifiers, got "
            "none; set SCUMBLE_DATA or pass directory, since OpenML does not keep them"
        )
    table = read_openml(description) if path is None else read_local(path, description)
    if not identifiers:
        table = table.select([n for n in table.column_names if n not in description.identifiers])
    y = np.array(table[description.target].to_pylist())
    return frame_from_arrow(table.drop_columns([description.target]), backend=backend), y
