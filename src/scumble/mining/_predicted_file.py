"""A file of truths in, a file of classes out, in constant memory."""

from collections.abc import Callable
from contextlib import ExitStack
from typing import Any

from scumble.engines import BatchWriter, opened, table_batches
from scumble.engines._csv import PathOrFile
from scumble.mining._classifier import DisguisedTreeClassifier
from scumble.mining._from_tables import own_columns, own_types


def predict_file(
    tree: DisguisedTreeClassifier,
    source: PathOrFile,
    *,
    output: PathOrFile,
    progress: Callable[[int], Any] | None = None,
) -> int:
    """Apply a tree to a file of truths part by part, and write the class of each record.

    Parameters
    ----------
    tree : DisguisedTreeClassifier
        The tree.
    source : path or binary file
        The truths: .csv, .csv.gz or .parquet; an open file is CSV.
    output : path or binary file
        Where the classes go, in the order of the records, each with its chance.
    progress : callable, optional
        Told the number of rows of each part that is done.

    Returns
    -------
    int
        The number of records.
    """
    types = own_types(tree)
    total = 0
    with opened(output, source=source) as (file, kind, compressed):
        writer: BatchWriter | None = None
        with ExitStack() as stack:
            for part in table_batches(source, types=types):
                answers = _predicted(tree, part)
                if writer is None:
                    writer = stack.enter_context(
                        BatchWriter(file, answers.schema, kind=kind, compressed=compressed)
                    )
                writer.write(answers)
                total += part.num_rows
                if progress is not None:
                    progress(part.num_rows)
    return total


def _predicted(tree: DisguisedTreeClassifier, part: Any) -> Any:
    """Return the class of each truth, and how often records of its leaf have it."""
    import pyarrow as pa

    X = own_columns(part, tree) if tree.spec is None else part
    if not part.num_rows:
        empty = pa.array(tree.classes_)[:0]
        return pa.table({"predicted": empty, "chance": pa.array([], pa.float64())})
    chances = tree.predict_proba(X)
    best = chances.argmax(axis=1)
    return pa.table(
        {"predicted": pa.array(tree.classes_[best]), "chance": chances.max(axis=1).round(4)}
    )
