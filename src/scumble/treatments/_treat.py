"""Treatments as a transformer in the contract of scikit-learn."""

from collections.abc import Mapping
from typing import Any, Self, TypeGuard

import numpy as np
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from scumble._disguise import disguised_column
from scumble.entropy import Entropy, entropy_from
from scumble.errors import SpecificationError, TableError
from scumble.schema import Attribute, Specification
from scumble.schema._named import column_suggestion
from scumble.tables import Table
from scumble.treatments._records import Records
from scumble.treatments._treatment import ColumnTreatment


class Treat(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Treat some columns of a table; the others stay as they are.

    Parameters
    ----------
    treatments : mapping of str to Treatment, Numeric, Categorical, Date or Text
        What is done to each column: a treatment; or an attribute, whose mechanism disguises
        it (noise, randomized response), or which is withheld, and so removed. The columns of
        an array are called x0, x1 and so on.
    domains : mapping of str to Numeric or Categorical, optional
        What is declared of columns, where a treatment has use for it.
    class_attribute : str, optional
        The class, where a treatment reads it: a column of the table, or what `y` is called.
    seed : int, optional
        For experiments. Without it the randomness is cryptographic.

    Attributes
    ----------
    treatments_ : dict of str to Treatment or attribute
        The same with nothing left to be learned, cut-points for one.
    n_features_in_ : int
        The number of columns.
    feature_names_in_ : array of str
        Their names.

    Examples
    --------
    >>> import pandas as pd
    >>> from scumble.treatments import Discretize, Treat
    >>> people = pd.DataFrame({"age": [31, 45, 62, 70], "ill": ["no", "no", "yes", "yes"]})
    >>> treat = Treat({"age": Discretize(method="mdlp", minimum=1)}, class_attribute="ill")
    >>> treat.fit_transform(people)["age"].tolist()
    ['below 50', 'below 50', '50 and above', '50 and above']

    Notes
    -----
    `transform` treats other records by what was learned: the same cuts, but values that are
    shuffled are shuffled among the records given.
    """

    def __init__(
        self,
        treatments: Mapping[str, ColumnTreatment | Attribute],
        *,
        domains: Mapping[str, Attribute] | None = None,
        class_attribute: str | None = None,
        seed: int | None = None,
    ) -> None:
        self.treatments = treatments
        self.domains = domains
        self.class_attribute = class_attribute
        self.seed = seed

    def fit(self, X: Any, y: Any = None) -> Self:
        """Learn what there is to learn from a table, and from classes that are no column of it."""
        records = self._records(X, y)
        self.treatments_ = {
            name: given.learned(name, records) if isinstance(given, ColumnTreatment) else given
            for name, given in self.treatments.items()
        }
        self.feature_names_in_ = np.array(records.table.names, dtype=object)
        self.n_features_in_ = len(records.table.names)
        return self

    def transform(self, X: Any, y: Any = None) -> Any:
        """Return the treated table, of the same kind."""
        check_is_fitted(self, "treatments_")
        records = self._records(X, y)
        entropy = entropy_from(self.seed)
        attributes: dict[str, Any] = {n: a for n, a in self.treatments_.items() if not _treats(a)}
        spec = Specification(attributes) if attributes else None
        columns = {
            name: _treated(name, given, records, spec, entropy)
            for name, given in self.treatments_.items()
        }
        return records.table.replaced(columns)

    def fit_transform(self, X: Any, y: Any = None) -> Any:
        """Learn from a table, and return it treated."""
        return self.fit(X, y).transform(X, y)

    def get_feature_names_out(self, input_features: Any = None) -> Any:
        """Return the names of the columns that are left."""
        check_is_fitted(self, "treatments_")
        gone = [n for n, a in self.treatments_.items() if not _treats(a) and _is_removed(a)]
        return np.array([name for name in self.feature_names_in_ if name not in gone], dtype=object)

    def _records(self, X: Any, y: Any) -> Records:
        if isinstance(X, list):
            X = np.asarray(X)
        names = [f"x{j}" for j in range(X.shape[1])] if getattr(X, "ndim", 0) == 2 else []
        table = Table(X, names=names)
        if not len(table):
            raise TableError("table: expected at least one record, got none")
        for name, given in self.treatments.items():
            _check(name, given, table)
        class_name = self.class_attribute or ("class" if y is not None else None)
        return Records(table, attributes=self.domains, class_name=class_name, labels=y)


def _treats(given: Any) -> TypeGuard[ColumnTreatment]:
    return isinstance(given, ColumnTreatment)


def _is_removed(attribute: Any) -> bool:
    return bool(attribute.sensitivity == "withheld")


def _check(name: str, given: Any, table: Table) -> None:
    """Raise where something else than a treatment or a disguise is given, or for no column."""
    protects = _treats(given) or getattr(given, "mechanism", None) is not None
    if not protects and getattr(given, "sensitivity", None) != "withheld":
        raise SpecificationError(
            f"treatments: expected a treatment of {name!r} such as Shuffle(), or an attribute with "
            f"a mechanism or withheld, got {type(given).__name__}"
        )
    if name not in table.names:
        raise TableError(
            f"table: no column {name!r} to treat{column_suggestion(name, table.names)}"
        )


def _treated(
    name: str, given: Any, records: Records, spec: Specification | None, entropy: Entropy
) -> Any:
    """Return a column as it is left: None where it is removed."""
    if _treats(given):
        return given.treated(name, records, entropy.stream(f"treat {name!r}")).column
    if _is_removed(given):
        return None
    assert spec is not None
    return disguised_column(records.table, name, spec, entropy)
