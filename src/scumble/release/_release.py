"""From a custodian's table to one that is fit to publish."""

import hashlib
import os
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from importlib.metadata import version
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from scumble.atomic import whole_files
from scumble.columns import as_arrow, taken
from scumble.declared import declared_table
from scumble.engines import (
    TABLE_ENDINGS,
    check_not_source,
    number_names,
    read_table,
    table_kind,
    text_types,
    write_table,
)
from scumble.entropy import Cryptographic
from scumble.errors import ReleaseError, TableError
from scumble.progress import bar
from scumble.release._column import ReleasedColumn, released_column
from scumble.release._criteria import Check, checks_of
from scumble.release._manifest import Manifest
from scumble.release._measures import rank_correlation, unchanged
from scumble.release._shared_coins import with_shared_coins
from scumble.relevance import identifier_kind
from scumble.schema import Criteria, Specification
from scumble.tables import Table
from scumble.treatments import ColumnTreatment
from scumble.treatments._records import Records
from scumble.treatments._together import Combinations

# These publish every value, though not whose it is.
_SHUFFLED = ("shuffle", "innocent-shuffle")


@dataclass(frozen=True, eq=False)
class Release:
    """A table that is fit to publish, and what to publish beside it.

    Attributes
    ----------
    table : DataFrame or array
        The table, of the kind that was given; of a file a pyarrow Table.
    manifest : Manifest
        What was done to it, and what that protects.
    """

    table: Any
    manifest: Manifest


def release(
    source: Any,
    spec: Specification,
    *,
    output: str | os.PathLike[str] | None = None,
    progress: bool = False,
) -> Release:
    """Treat a table as a specification says, check what is left to see, and write it.

    Parameters
    ----------
    source : path, DataFrame or array
        The table in clear: a .csv, .csv.gz or .parquet file, or any table.
    spec : Specification
        What is done to each attribute, and the criteria in `release`.
    output : path, optional
        A file for the table, .csv, .csv.gz or .parquet; beside it the manifest is written,
        with .manifest.json in place of the ending. Both are written whole or not at all.
    progress : bool
        Whether to show how far the work has come.

    Returns
    -------
    Release
        The table and its manifest.

    Raises
    ------
    ReleaseError
        If a criterion is not fulfilled, or a public column names the records. Nothing is
        written.

    Examples
    --------
    >>> import numpy as np
    >>> import pandas as pd
    >>> from scumble import Categorical, Numeric, Specification
    >>> from scumble.release import release
    >>> from scumble.treatments import Shuffle
    >>> rng = np.random.default_rng(0)
    >>> people = pd.DataFrame({"age": rng.integers(20, 80, 500), "ill": rng.random(500) < 0.5})
    >>> spec = Specification({
    ...     "age": Numeric(20, 80, step=1, treatment=Shuffle(within=["ill"])),
    ...     "ill": Categorical([False, True]),
    ... }, class_attribute="ill")
    >>> released = release(people, spec)
    >>> sorted(released.table["age"]) == sorted(people["age"])
    True
    >>> print(released.manifest.to_text().splitlines()[0])
    attribute             method                     guess   blind    group

    Notes
    -----
    Columns keep their order; withheld ones are left out. A column that is public, shuffled
    or has noise on its class keeps its type; discretized and grouped ones are text; those
    that a mechanism disguises are as `disguise` returns them. Rows are in a random order,
    unless the criteria say otherwise. Randomness is cryptographic and not kept: nobody can
    undo or repeat a release. Two releases of one table tell more than one.
    """
    if output is not None:
        _check_output(source, Path(output))
    table = declared_table(_told(source, spec, progress=progress), spec)
    if not len(table):
        raise TableError("table: expected at least one record, got none")
    records = Records(table, attributes=spec.attributes, class_name=spec.class_attribute)
    _check_classes(records, spec)
    del table  # the records let go of columns; nobody else is to hold them
    treated = _treated(records, spec, progress=progress)
    return treated if output is None else _written(treated, output)


def _check_classes(records: Records, spec: Specification) -> None:
    """Raise where a class that is told as it is has one record, whom it names."""
    name = spec.class_attribute
    if name is None or name not in records.table.names or name not in spec.attributes:
        return
    own = spec[name]
    if own.sensitivity != "public" or own.treatment is not None:
        return
    alone = int(np.count_nonzero(np.bincount(records.places(name) + 1)[1:] == 1))
    if alone:
        raise ReleaseError(
            f"release: class {name!r}: expected at least two records of each class, got {alone} "
            "with one, which it names; drop these records, put classes together, or treat the class"
        )


def _is_path(source: Any) -> bool:
    return isinstance(source, str | os.PathLike)


def _told(source: Any, spec: Specification, *, progress: bool) -> Any:
    return (
        read_table(source, types=text_types(spec), numbers=number_names(spec), progress=progress)
        if _is_path(source)
        else source
    )


def _check_output(source: Any, target: Path) -> None:
    """Raise before the work is done where its result could not be written, or must not."""
    table_kind(target)
    if not target.parent.is_dir():
        raise TableError(f"{target.name}: there is no folder to write it to; make the folder first")
    for path in (target, manifest_path(target)):
        if path.is_dir():
            raise TableError(f"{path.name}: is a folder; take another name for the output")
    check_not_source(target, source)


def _treated(records: Records, spec: Specification, *, progress: bool) -> Release:
    """Return the treated table, which has passed its checks, and what was done to it."""
    from pyarrow import default_memory_pool

    criteria, size = spec.release or Criteria(), len(records)
    kind, names = records.table.empty(), records.table.names
    order = _row_order(size, criteria)
    entropy = Cryptographic()
    columns, parts, rows, combinations = [], {}, [], Combinations(spec, size)
    with bar("release", shown=progress, total=len(names), unit=" columns") as done:
        for name in names:
            column = _checked(released_column(name, records, spec, entropy), kind=spec[name].kind)
            rows.append(_described(column, records))
            if column.column is not None:
                parts[name] = kind.own_column(name, _in_order(column.column, order))
                combinations.add(name, parts[name])
            # The table is not to be held many times: what is done with goes.
            columns.append(replace(column, column=None))
            del column
            if not _asked_for(name, names[len(columns) :], spec):
                records.forget(name)
            default_memory_pool().release_unused()
            done.update()
    if not parts:
        raise ReleaseError("release: expected an attribute to release, but all are withheld")
    made = kind.made_of(parts)
    columns = with_shared_coins(columns, Table(made, names=list(parts)), spec)
    for row, column in zip(rows, columns, strict=True):
        if column.exposure is not None:
            row["exposure"] = asdict(column.exposure)
    together = combinations.counted()
    checks = _passed(checks_of(columns, criteria, together=together))
    manifest = Manifest(version("scumble"), spec, size, tuple(rows), checks, {}, together)
    return Release(made, manifest)


def _passed(checks: Sequence[Check]) -> tuple[Check, ...]:
    """Return the checks, all of them passed."""
    failed = [str(check) for check in checks if not check.passed]
    if failed:
        more = f" (and {len(failed) - 1} more)" if len(failed) > 1 else ""
        raise ReleaseError(f"release: {failed[0]}{more}")
    return tuple(checks)


def _asked_for(name: str, later: Sequence[str], spec: Specification) -> bool:
    """Say whether the treatment of a later column reads this one."""
    treatments = [spec[other].treatment for other in later if other in spec.attributes]
    return any(
        isinstance(treatment, ColumnTreatment)
        and (treatment.guided or name in (*treatment.reads, spec.class_attribute))
        for treatment in treatments
    )


def _checked(column: ReleasedColumn, *, kind: str) -> ReleasedColumn:
    """Return a column, unless it names the records: public as it is, or names that are shuffled."""
    plain = column.sensitivity == "public" and not column.method
    shuffled = column.method.get("name") in _SHUFFLED and kind in ("text", "categorical")
    found = identifier_kind(column.column) if plain or shuffled else None
    if found is not None:
        what = "public" if plain else "shuffled"
        raise ReleaseError(
            f"release: {column.name!r} is {what} and its values are {found}, so that they name the "
            "records; withhold it, or put its values into groups"
        )
    return column


def _described(column: ReleasedColumn, records: Records) -> dict[str, Any]:
    """Return what the manifest says of a column."""
    given: dict[str, Any] = {
        "name": column.name,
        "sensitivity": column.sensitivity,
        "method": column.method,
    }
    if column.exposure is not None:
        truth = records.told(column.name)
        given["unchanged"] = unchanged(truth, column.column)
        given["rank_correlation"] = rank_correlation(truth, column.column)
    return given


def _row_order(size: int, criteria: Criteria) -> NDArray[np.int64] | None:
    if not criteria.shuffle_rows:
        return None
    return np.argsort(Cryptographic().stream("rows").words(size))


def _in_order(column: Any, order: NDArray[np.int64] | None) -> Any:
    return column if column is None or order is None else taken(column, order)


def _written(made: Release, output: str | os.PathLike[str]) -> Release:
    """Write a release and return it, the manifest with what the file is."""
    target, kind = Path(output), table_kind(output)
    with whole_files(target, manifest_path(target)) as (file, beside):
        compressed = target.name.lower().endswith(".gz")
        table = as_arrow_table(made.table, made.manifest.spec)
        write_table(table, file, kind=kind, compressed=compressed)
        manifest = replace(made.manifest, file={"name": target.name} | _fingerprint(file))
        beside.write(manifest.to_json().encode())
    return Release(made.table, manifest)


def _fingerprint(file: BinaryIO) -> dict[str, Any]:
    """Return the size and the digest of what was written."""
    digest, size = hashlib.sha256(), file.tell()
    file.seek(0)
    while part := file.read(1 << 20):
        digest.update(part)
    return {"bytes": size, "sha256": digest.hexdigest()}


def manifest_path(path: Path) -> Path:
    """Return where the manifest of a released file stands.

    Examples
    --------
    >>> manifest_path(Path("people.csv.gz")).name, manifest_path(Path("people.2024.csv")).name
    ('people.manifest.json', 'people.2024.manifest.json')
    """
    ending = next(e for e in TABLE_ENDINGS if path.name.lower().endswith(e))
    return path.with_name(path.name[: -len(ending)] + ".manifest.json")


def as_arrow_table(table: Any, spec: Specification) -> Any:
    """Return any table as one of pyarrow."""
    import pyarrow as pa

    if isinstance(table, pa.Table):
        return table
    kept = [name for name in spec if spec[name].sensitivity != "withheld"]
    wrapped = Table(table, names=kept)
    return pa.table({name: as_arrow(wrapped.column(name)) for name in wrapped.names})
