"""The same data sets from OpenML, through scikit-learn."""

import warnings
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import narwhals as nw

from scumble.datasets._described import Description, Kind, check_content, check_counts
from scumble.datasets._local import DATA_VARIABLE
from scumble.errors import DatasetError

if TYPE_CHECKING:
    import pyarrow as pa


def read_openml(description: Description) -> "pa.Table":
    """Return a data set from OpenML, or from scikit-learn's cache of it."""
    table = table_from_openml(_fetched(description), description)
    check_counts(table, description)
    check_content(table, description)
    return table


def table_from_openml(frame: Any, description: Description) -> "pa.Table":
    """Return OpenML's table with our names, order, types and values.

    Identifiers are left out, since OpenML does not keep them.
    """
    import pyarrow as pa

    source = description.openml
    theirs = nw.from_native(frame, eager_only=True)
    found = {_our_name(name, description): name for name in theirs.columns}
    wanted = [name for name in description.columns if name not in description.identifiers]
    absent = [name for name in wanted if name not in found]
    if absent:
        raise DatasetError(
            f"{description.name}: expected the columns {', '.join(absent)} in OpenML's data set "
            f"{source.data_id}, got none of that name; {_what_to_do(description)}"
        )
    columns = {name: _cells(theirs[found[name]], description.columns[name]) for name in wanted}
    target = columns[description.target]
    columns[description.target] = [source.values.get(value, value) for value in target]
    table = pa.table(columns)
    first = source.last_rows_first
    return pa.concat_tables([table.slice(first), table.slice(0, first)]).combine_chunks()


def _fetched(description: Description) -> Any:
    source = description.openml
    try:
        from sklearn.datasets import fetch_openml

        with warnings.catch_warnings():
            # Three retries would give three warnings before our one line.
            warnings.filterwarnings("ignore", message="A network error occurred")
            # The parser "pandas" fails on nominal numbers, of which Boston has two, from
            # pandas 3.1 on (scikit-learn's pull request 34902).
            return fetch_openml(data_id=source.data_id, as_frame=True, parser="liac-arff").frame
    # No network or a failed write (OSError), a corrupt or vanished data set
    # (ValueError), an answer of another form than scikit-learn knows (LookupError),
    # scikit-learn or pandas not installed (ImportError).
    except (OSError, ValueError, LookupError, ImportError) as error:
        reason = (str(error).splitlines() or [""])[0]
        raise DatasetError(
            f"{description.name}: expected OpenML's data set {source.name} "
            f"(number {source.data_id}), got {type(error).__name__}: {reason}; "
            f"{_what_to_do(description)}"
        ) from error


def _what_to_do(description: Description) -> str:
    return (
        f"set {DATA_VARIABLE} to the directory that holds {description.file}, "
        "or pass that directory"
    )


def _our_name(name: str, description: Description) -> str:
    plain = name.strip("'\" ").lower().replace("-", "_")
    return description.openml.names.get(plain, plain)


def _cells(series: Any, kind: Kind) -> list[Any]:
    """Return the cells of a column as plain values, None where one is missing."""
    convert = _CONVERSIONS[kind]
    # Missing cells are asked for, not compared: each kind of table has its own.
    pairs = zip(series.to_list(), series.is_null().to_list(), strict=True)
    return [None if missing else convert(value) for value, missing in pairs]


def _integer(value: Any) -> int:
    # A column with missing cells arrives as floats, a nominal one as text.
    return int(float(value))


def _text(value: Any) -> str:
    return str(value).strip("'\" ")


_CONVERSIONS: Mapping[Kind, Callable[[Any], Any]] = {
    "integer": _integer,
    "real": float,
    "text": _text,
}
