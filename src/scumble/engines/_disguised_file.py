"""A file of truths in, a file of reports out, in constant memory."""

import itertools
from collections.abc import Callable, Iterator
from typing import Any

from scumble._disguise import Disguiser
from scumble.engines._batches import BatchWriter, table_batches
from scumble.engines._csv import PathOrFile
from scumble.engines._csv_types import truth_types, written_type
from scumble.engines._opened import opened
from scumble.errors import TableError
from scumble.schema import Specification
from scumble.schema._named import column_suggestion
from scumble.tables import stamped


def disguise_file(
    source: PathOrFile,
    spec: Specification,
    *,
    output: PathOrFile,
    seed: int | None = None,
    secret: bytes | None = None,
    entity: str | None = None,
    rows: int = 1 << 16,
    progress: Callable[[int], Any] | None = None,
) -> int:
    r"""Disguise a file part by part, as `disguise` would the table in it.

    Parameters
    ----------
    source : path or binary file
        The truths: .csv, .csv.gz or .parquet; an open file, such as a pipe, is CSV.
    spec : Specification
        What is declared of each column.
    output : path or binary file
        Where the reports go, by name as above. A file is written whole or not at all, and
        says how it was made: Parquet in its own metadata, CSV in a file beside it.
    seed : int, optional
        For experiments. Without it the noise is cryptographic.
    secret, entity : bytes and str, optional
        Noise that is fixed per entity: the secret, and the column that names the entity. A
        column that the specification does not declare serves for that and is left out.
    rows : int
        The number of rows of a part; the reports do not depend on it.
    progress : callable, optional
        Told the number of rows of each part that is done.

    Returns
    -------
    int
        The number of records.

    Examples
    --------
    >>> import io
    >>> from scumble import Numeric, Specification
    >>> from scumble.mechanisms import UniformNoise
    >>> spec = Specification({"age": Numeric(20, 80, mechanism=UniformNoise(half_width=30))})
    >>> reports = io.BytesIO()
    >>> disguise_file(io.BytesIO(b"age\n34\n51\n"), spec, output=reports)
    2
    >>> reports.getvalue().decode().splitlines()[0]
    '"age"'
    """
    disguiser = Disguiser(spec, seed=seed, secret=secret)
    types = truth_types(spec)
    if entity is not None and entity not in types:
        import pyarrow as pa

        types[entity] = pa.string()
    reports = _reports(table_batches(source, types=types, rows=rows), disguiser, entity)
    first = next(reports)
    schema = _schema(first, disguiser)
    total = 0
    with (
        opened(output, source=source, made=disguiser.provenance) as (file, kind, compressed),
        BatchWriter(file, schema, kind=kind, compressed=compressed) as writer,
    ):
        for part in itertools.chain([first], reports):
            writer.write(part.cast(schema))
            total += part.num_rows
            if progress is not None:
                progress(part.num_rows)
    return total


def _reports(batches: Iterator[Any], disguiser: Disguiser, entity: str | None) -> Iterator[Any]:
    for batch in batches:
        if entity is None:
            yield disguiser.reports(batch)
            continue
        if entity not in batch.column_names:
            raise TableError(
                f"entity: no column {entity!r}{column_suggestion(entity, batch.column_names)}"
            )
        entities = batch[entity].to_pylist()
        own = batch if entity in disguiser.spec.attributes else batch.drop_columns([entity])
        yield disguiser.reports(own, entities=entities)


def _schema(first: Any, disguiser: Disguiser) -> Any:
    """Return the columns of all parts, with the note on how they were made."""
    import pyarrow as pa

    spec = disguiser.spec
    fields = [pa.field(f.name, written_type(spec[f.name], f)) for f in first.schema]
    return stamped(pa.schema(fields).empty_table(), disguiser.provenance).schema
