"""A table beside its specification: every column declared, none forgotten."""

from typing import Any

import numpy as np

from scumble.errors import DomainError, TableError
from scumble.schema import Attribute, Specification, is_mined
from scumble.tables import Table


def declared_table(X: Any, spec: Specification, *, withheld: bool = True) -> Table:
    """Return a table, checked to have the columns of a specification.

    Parameters
    ----------
    X : DataFrame or array
        The table. The columns of an array stand in the order of the specification.
        The class column may be absent.
    spec : Specification
        What is declared.
    withheld : bool
        Whether the columns that are withheld must be there; of text neither, since nothing
        is mined from it.

    Raises
    ------
    TableError
        If a column is not declared, or a declared one is not there.

    Examples
    --------
    >>> from scumble import Numeric
    >>> spec = Specification({"age": Numeric(20, 80)}, class_attribute="group")
    >>> declared_table(np.array([[30.0], [40.0]]), spec).names
    ['age']
    """
    optional = {spec.class_attribute}
    if not withheld:
        optional |= {name for name in spec if not is_mined(spec[name])}
    table = Table(X, names=_array_names(X, spec, optional))
    extra = [n for n in table.names if n not in spec.attributes and n != spec.class_attribute]
    if withheld:
        # A class that is not declared must not be passed on in silence.
        extra = [n for n in table.names if n not in spec.attributes]
    absent = [name for name in spec if name not in table.names and name not in optional]
    if extra or absent:
        # Only declared names are shown: without a header a name may be a value.
        which = ": " + ", ".join(map(repr, absent[:3])) if absent else ""
        raise TableError(
            f"table: expected the columns of the specification, got {len(extra)} that it does not "
            f"declare and {len(absent)} of its own missing{which}; declare every column, the class "
            "too, as public, private or withheld, or drop it"
        )
    return table


def conformed(table: Table, name: str, domain: Attribute) -> Any:
    """Return a column as its domain has it; an error names the column.

    Raises
    ------
    DomainError
        If values lie outside the domain; it tells how many.
    """
    try:
        return domain.conform(table.column(name))
    except DomainError as error:
        raise DomainError(f"column {name!r}: {error}") from None


def _array_names(X: Any, spec: Specification, optional: set[str | None]) -> list[str]:
    """Return the names of an array's columns, by how many there are."""
    names = list(spec)
    needed = [name for name in names if name not in optional]
    width = X.shape[1] if isinstance(X, np.ndarray) and X.ndim == 2 else len(names)
    if width == len(names) - 1 and spec.class_attribute in spec.attributes:
        return [name for name in names if name != spec.class_attribute]
    return needed if width == len(needed) else names
