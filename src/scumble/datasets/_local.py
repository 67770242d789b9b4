"""Data files in a directory of the user's own."""

import hashlib
import os
from pathlib import Path
from typing import TYPE_CHECKING

from scumble.datasets._described import Description
from scumble.errors import DatasetError

if TYPE_CHECKING:
    import pyarrow as pa

#: The environment variable that names the directory of the data files.
DATA_VARIABLE = "SCUMBLE_DATA"


def local_file(
    description: Description, *, directory: str | os.PathLike[str] | None
) -> Path | None:
    """Return the file of a data set, or None if there is none to be found.

    A directory that was passed must hold the file; one that the environment names
    may hold some of the files only.
    """
    if directory is not None:
        path = Path(directory) / description.file
        if not path.is_file():
            raise DatasetError(
                f"{description.name}: expected the file {description.file} in {directory}, "
                "got no such file; put it there or pass another directory"
            )
        return path
    named = os.environ.get(DATA_VARIABLE)
    path = Path(named or "") / description.file
    return path if named and path.is_file() else None


def read_local(path: Path, description: Description) -> "pa.Table":
    """Return the table in a file, after checking that it is the very file described."""
    import pyarrow as pa
    from pyarrow import csv

    content = path.read_bytes()
    digest = hashlib.sha256(content).hexdigest()
    if digest != description.sha256:
        raise DatasetError(
            f"{description.name}: expected {path} to have the SHA-256 checksum "
            f"{description.sha256}, got {digest}; replace the file by an unchanged copy"
        )
    types = {"integer": pa.int64(), "real": pa.float64(), "text": pa.string()}
    options = csv.ConvertOptions(
        column_types={name: types[kind] for name, kind in description.columns.items()},
        null_values=[""],
        strings_can_be_null=True,
    )
    # Reading the checked bytes, not the path again, leaves no gap between the two.
    with pa.input_stream(pa.py_buffer(content), compression=_compression(path)) as stream:
        return csv.read_csv(stream, convert_options=options)


def _compression(path: Path) -> str | None:
    return "gzip" if path.suffix == ".gz" else None
