"""What type a column of a CSV file has, as a specification says.

A type that is guessed from the first rows may be wrong for later ones, which a file that is
read once, part by part, cannot take back.
"""

from typing import Any

from scumble.schema import Attribute, Categorical, Date, Numeric, Specification


def truth_types(spec: Specification) -> dict[str, Any]:
    """Return the Arrow types of the columns of a table of truths.

    Numbers are floats; categories have the type of their values, whole numbers as floats
    too, since a column with gaps may spell 1 as 1.0; all else is text.

    Examples
    --------
    >>> from scumble import Categorical, Numeric
    >>> spec = Specification({"age": Numeric(20, 80), "smoker": Categorical(["no", "yes"])})
    >>> truth_types(spec)
    {'age': DataType(double), 'smoker': DataType(string)}
    """
    return {name: _read_as(attribute, raw=True) for name, attribute in spec.attributes.items()}


def text_types(spec: Specification) -> dict[str, Any]:
    """Return the types of those columns of a table of truths that are text, though dates are not.

    What keeps the type that it has in a file, as a column of a release does, is not to
    be changed to what holds any number.

    Examples
    --------
    >>> from scumble import Categorical, Numeric
    >>> text_types(Specification({"age": Numeric(20, 80), "code": Categorical(["007", "008"])}))
    {'code': DataType(string)}
    """
    import pyarrow as pa

    return {
        name: kind
        for name, kind in truth_types(spec).items()
        if pa.types.is_string(kind) and not isinstance(spec[name], Date)
    }


def number_names(spec: Specification) -> list[str]:
    """Return the columns of a table of truths that are numbers, however they are written.

    Examples
    --------
    >>> from scumble import Categorical, Numeric
    >>> number_names(Specification({"age": Numeric(20, 80), "code": Categorical(["007", "008"])}))
    ['age']
    """
    import pyarrow as pa

    return [name for name, kind in truth_types(spec).items() if pa.types.is_floating(kind)]


def report_types(spec: Specification) -> dict[str, Any]:
    """Return the Arrow types of the columns of a table of reports.

    Examples
    --------
    >>> from scumble import Categorical, Coding
    >>> age = Categorical(["young", "old"], coding=Coding(cuts=[37]))
    >>> spec = Specification({"age": age})
    >>> truth_types(spec), report_types(spec)
    ({'age': DataType(double)}, {'age': DataType(string)})
    """
    return {name: _read_as(attribute, raw=False) for name, attribute in spec.attributes.items()}


def with_whole_numbers(table: Any, spec: Specification) -> Any:
    """Return a table in which categories that are whole numbers are such, not floats."""
    import pyarrow as pa

    for place, name in enumerate(table.column_names):
        attribute = spec.attributes.get(name)
        if not isinstance(attribute, Categorical) or type(attribute.values[0]) is not int:
            continue
        if not pa.types.is_floating(table[name].type) or attribute.coding is not None:
            continue
        try:
            table = table.set_column(place, name, table[name].cast(pa.int64()))
        except pa.ArrowInvalid:
            continue  # not among the declared ones, which is found out where they are read
    return table


def written_type(attribute: Attribute, column: Any) -> Any:
    """Return the type in which a column of reports is written, whatever a part of it holds."""
    import pyarrow as pa

    if isinstance(attribute, Categorical):
        return pa.array(attribute.values).type
    if isinstance(attribute, Numeric) and not isinstance(attribute, Date):
        disguised = attribute.sensitivity != "public"
        return pa.float64() if disguised or pa.types.is_null(column.type) else column.type
    if pa.types.is_null(column.type):
        return pa.string()
    if isinstance(attribute, Date) and pa.types.is_string(column.type):
        return pa.date32()
    return column.type


def _read_as(attribute: Attribute, *, raw: bool) -> Any:
    import pyarrow as pa

    if attribute.sensitivity == "withheld":
        return pa.string()  # never looked at
    if isinstance(attribute, Categorical):
        coding = attribute.coding if raw else None
        if coding is None:
            return _of_values(attribute.values)
        if coding.cuts is not None:
            return pa.float64() if not _dated(coding.cuts) else pa.string()
        return _of_values([value for values in coding.lists or () for value in values])
    if isinstance(attribute, Date) or not isinstance(attribute, Numeric):
        return pa.string()
    return pa.float64()


def _of_values(values: Any) -> Any:
    import pyarrow as pa

    kind = pa.array(values).type
    return pa.float64() if pa.types.is_integer(kind) else kind


def _dated(cuts: tuple[float, ...]) -> bool:
    from scumble.schema._day import are_days

    return bool(are_days(cuts))
