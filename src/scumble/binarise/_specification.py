"""The specification that makes a table binary."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from scumble.binarise._gain import gain_cut_of_numbers, gain_lists
from scumble.binarise._look import Look
from scumble.binarise._pilot import Pilot, is_reported
from scumble.binarise._sides import (
    Cut,
    cut_of_days,
    cut_of_numbers,
    sides_of_categories,
    sides_of_lists,
    sides_of_numbers,
)
from scumble.columns import as_numbers
from scumble.dates import as_days
from scumble.errors import DomainError, SpecificationError
from scumble.schema import (
    Attribute,
    Categorical,
    Coding,
    Date,
    Day,
    Numeric,
    Specification,
    Text,
    with_mechanism,
)
from scumble.schema._named import column_suggestion, suggestion
from scumble.tables import Table

_NO_ORDERS: Mapping[str, Sequence[Any]] = {}


def binary_specification(
    X: Any,
    *,
    cut: Cut = "middle",
    orders: Mapping[str, Sequence[Any]] = _NO_ORDERS,
    domains: Specification | Mapping[str, Attribute] | None = None,
    class_attribute: str | None = None,
    missing: Literal["first"] | None = "first",
    infer: bool = False,
) -> Specification:
    """Return a specification under which every attribute of a table has two values.

    Nothing is converted: the specification holds a `Coding` for each attribute, so that
    `disguise` reads the table as it is, and so do models that are applied to truths. All
    attributes are public; `grouped` of `scumble.mechanisms` disguises them.

    Parameters
    ----------
    X : DataFrame, array or None
        The table, or the reports of a pilot. None: all that is needed is declared in `domains`.
    cut : {"middle", "median", "values", "gain"}
        Where numbers are cut in two: in the middle of the range; at the median, so that
        half of the records lie on each side; or at the median of the different values,
        so that half of these do. The cut itself belongs to the first side. Categories
        are numbered from 0 in their order and cut likewise. "gain": where the sides
        tell most of the class, which must be in the table; categories in an order that
        `orders` or the column states are cut in it, of others any may be on either side.
        It can be found on reports: then nobody's truth is read.
    orders : mapping of str to sequence, optional
        The categories of a column in the order that is cut: by default that of their
        domain, or of a column that states one, else sorted.
    domains : Specification or mapping of str to Numeric or Categorical, optional
        What is declared of the columns. A mechanism says that a column holds reports, and
        what disguised them; `cut="gain"` alone reads these.
    class_attribute : str, optional
        The class; by default that of `domains`. It is declared as it is, without a coding,
        if it is in the table or in `domains`.
    missing : {"first"} or None
        What a missing value counts as: the first side, or nothing: it stays missing.
    infer : bool
        Whether records may be read, to find the range, the median or the categories of
        a column. What is found is written into the specification, which everyone sees,
        and the middle of a range tells of single records: hence a warning.

    Returns
    -------
    Specification
        Each attribute with two values: of numbers "<= 37" and "> 37", of categories the
        only one of a side, or "first..last".

    Raises
    ------
    SpecificationError
        If records would have to be read and `infer` does not allow it.

    Examples
    --------
    >>> import pyarrow as pa
    >>> from scumble import Categorical, Numeric, Specification, binary_specification, disguise
    >>> people = pa.table({"age": [34, 51, None], "size": ["m", "l", "s"]})
    >>> sizes = Categorical(["s", "m", "l"])
    >>> spec = binary_specification(people, domains={"age": Numeric(18, 90), "size": sizes})
    >>> disguise(people, spec).to_pydict()
    {'age': ['<= 54', '<= 54', '<= 54'], 'size': ['s..m', 'l', 's..m']}
    >>> spec["age"].coding.behind(1), spec["size"].coding.behind(0)
    ((54.0, inf), ('s', 'm'))

    A pilot tells where to cut, and its answers are disguised too:

    >>> import numpy as np
    >>> from scumble.mechanisms import RandomizedResponse
    >>> town = Categorical(["Rome", "Oslo", "Paris"], mechanism=RandomizedResponse(keep=0.6))
    >>> ill = Categorical(["no", "yes"])
    >>> pilot = Specification({"town": town, "ill": ill}, class_attribute="ill")
    >>> towns, ills = np.repeat(["Rome", "Paris", "Oslo"], 200), ["no"] * 250 + ["yes"] * 350
    >>> reports = disguise(pa.table({"town": towns, "ill": ills}), pilot, seed=1)
    >>> binary_specification(reports, cut="gain", domains=pilot)["town"].values
    ('Rome', 'Oslo or Paris')

    Notes
    -----
    The multi-group paper splits each attribute "from the median point of the range",
    which can be read as "middle" and as "values". Where a median leaves no record above
    it, the cut is made at the next lower value, so that both sides hold records if the
    column has two values. A column of one value has an empty side.

    "gain" reads classes, so the table should hold none of the records that are disguised
    afterwards: let it be a pilot, or a public table. Numbers are cut half-way between two
    values, by information gain, as `mdlp_cuts` makes its first cut; where that would not pay
    for its description, at the median. From reports the counts of each attribute with the
    class are estimated through the channels of the two, by maximum likelihood. These are
    noisier than as many records, so that an attribute which tells nothing may be cut anywhere.
    Columns in clear beside them are cut by the class that is reported.
    """
    if cut not in get_args(Cut):
        raise SpecificationError(f"cut: unknown {cut!r}{suggestion(cut, get_args(Cut))}")
    if missing not in ("first", None):
        raise SpecificationError(f"missing: expected 'first' or None, got {missing!r}")
    declared = dict(domains.attributes if isinstance(domains, Specification) else domains or {})
    if class_attribute is None and isinstance(domains, Specification):
        class_attribute = domains.class_attribute
    look = Look(_table(X, list(declared), class_attribute), cut, bool(infer), class_attribute)
    pilot = Pilot.of(look.table, declared if cut == "gain" else {}, class_attribute)
    columns = [] if look.table is None else look.table.names
    attributes: dict[str, Attribute] = {}
    for name in dict.fromkeys([*columns, *declared]):
        try:
            own, order = declared.get(name), orders.get(name)
            if isinstance(own, Categorical) and order is not None and set(order) != set(own.values):
                raise SpecificationError("expected the values of its domain in orders, got others")
            if is_reported(own) and cut != "gain":
                raise SpecificationError(
                    "expected no mechanism in domains; disguise it afterwards, or take cut='gain', "
                    "which reads the reports of a pilot"
                )
            if name == class_attribute and own is not None:
                attributes[name] = with_mechanism(own, None)
            elif name == class_attribute:
                attributes[name] = Categorical(tuple(order or look.categories(name)))
            elif own is not None and own.sensitivity == "withheld":
                attributes[name] = own
            elif is_reported(own):
                attributes[name] = pilot.sides(name, order, missing=missing == "first")
            else:
                attributes[name] = _binary(name, own, order, look, missing=missing == "first")
        except SpecificationError as error:
            raise error.within("attributes", name) from None
        except DomainError as error:
            raise DomainError(f"column {name!r}: {error}") from None
    look.warn()
    return Specification(attributes, class_attribute=class_attribute)


def _table(X: Any, declared: list[str], class_attribute: str | None) -> Table | None:
    """Return the table; the columns of an array have the declared names, or numbers."""
    if X is None:
        return None
    names = declared
    if isinstance(X, np.ndarray) and X.ndim == 2 and X.shape[1] != len(declared):
        names = [name for name in declared if name != class_attribute]
        names = names or [f"x{j}" for j in range(X.shape[1])]
    table = Table(X, names=names)
    unknown = [name for name in declared if name not in table.names and name != class_attribute]
    if unknown:
        meant = column_suggestion(unknown[0], table.names)
        raise SpecificationError(f"domains: no column {unknown[0]!r}{meant}")
    return table


def _binary(
    name: str, own: Attribute | None, order: Sequence[Any] | None, look: Look, *, missing: bool
) -> Categorical:
    """Return the attribute of two values that a column becomes."""
    if isinstance(own, Categorical) and own.coding is not None:
        raise SpecificationError("expected no coding in domains; leave it to this function")
    if isinstance(own, Text):
        raise SpecificationError(
            "expected numbers, dates or categories, got text; declare it withheld"
        )
    dates = own is None and order is None and look.holds_dates(name)
    numbers = own is None and order is None and look.holds_numbers(name)
    if isinstance(own, Numeric) or dates or numbers:
        if order is not None:
            raise SpecificationError("expected no order of a number; leave it out of orders")
        return sides_of_numbers(_place(name, own, look, missing=missing), missing=missing)
    stated = order is not None or (own is None and look.order(name) is not None)
    if order is None:
        order = own.values if isinstance(own, Categorical) else look.categories(name)
    return _binary_categories(name, tuple(order), look, stated=stated, missing=missing)


def _binary_categories(
    name: str, order: tuple[Any, ...], look: Look, *, stated: bool, missing: bool
) -> Categorical:
    """Return the attribute of two values that a column of categories becomes."""
    if look.cut in ("middle", "values"):
        return sides_of_categories(order, (len(order) + 1) // 2, missing=missing)
    places = _places(order, look.column(name))
    if look.cut == "gain":
        lists = gain_lists(places, look.classes, order, stated=stated, missing=missing)
        if lists is not None and stated:
            return sides_of_categories(order, len(lists[0]), missing=missing)
        if lists is not None:
            return sides_of_lists(*lists, missing=missing)
    return sides_of_categories(order, _median_count(order, places), missing=missing)


def _place(name: str, own: Attribute | None, look: Look, *, missing: bool) -> float:
    """Return where a number is cut in two."""
    dates = isinstance(own, Date) or (own is None and look.holds_dates(name))
    if look.cut != "middle" or not isinstance(own, Numeric):
        column = look.column(name)
        numbers = as_days(column) if dates else as_numbers(column)
        cut = look.cut
        if cut == "gain":
            place = gain_cut_of_numbers(numbers, look.classes, missing=missing)
            if place is not None:
                return Day(np.floor(place)) if dates else place
            cut = "median"
        return cut_of_days(numbers, cut=cut) if dates else cut_of_numbers(numbers, cut=cut)
    if not np.isfinite(own.width):
        raise SpecificationError("expected finite bounds, which have a middle; declare them")
    return (
        cut_of_days(np.array([own.low, own.high]), cut="middle")
        if dates
        else own.low + own.width / 2
    )


def _places(order: Sequence[Any], column: Any) -> NDArray[np.int32]:
    """Return the place of each record's category in an order, -1 where it is missing."""
    places, unknown = Coding(lists=tuple((value,) for value in order)).places(column)
    outside = int(np.count_nonzero((places < 0) & ~unknown))
    if outside:
        raise DomainError(
            f"{outside} of {len(places)} values are not in the order that is given; add them to it"
        )
    return places


def _median_count(order: Sequence[Any], places: NDArray[np.int32]) -> int:
    """Return how many categories lie on the first side of the median of the records."""
    codes: NDArray[np.float64] = places[places >= 0].astype(float)
    count = int(cut_of_numbers(codes, cut="median")) + 1
    return min(count, max(1, len(order) - 1))
