"""Treatments as a transformer in the contract of scikit-learn."""

from collections.abc import Mapping
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from scumble.entropy import entropy_from
from scumble.errors import SpecificationError, TableError
from scumble.schema import Attribute
from scumble.schema._named import suggestion
from scumble.tables import Table
from scumble.treatments._records import Records
from scumble.treatments._treatment import ColumnTreatment


class Treat(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Treat some columns of a table; the others stay as they are.

    Parameters
    ----------
    treatments : mapping of str to Treatment
        What is done to each column; the columns of an array are called x0, x1 and so on.
    domains : mapping of str to Numeric or Categorical, optional
        What is declared of columns, where a treatment has use for it.
    class_attribute : str, optional
        The class, where a treatment reads it: a column of the table, or what `y` is called.
    seed : int, optional
        For experiments. Without it the randomness is cryptographic.

    Attributes
    ----------
    treatments_ : dict of str to Treatment
        The same with nothing left to be learned, cut-points for one.

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
        treatments: Mapping[str, ColumnTreatment],
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
            name: treatment.learned(name, records) for name, treatment in self.treatments.items()
        }
        self.n_features_in_ = len(records.table.names)
        return self

    def transform(self, X: Any, y: Any = None) -> Any:
        """Return the treated table, of the same kind."""
        check_is_fitted(self, "treatments_")
        records = self._records(X, y)
        entropy = entropy_from(self.seed)
        columns = {
            name: treatment.treated(name, records, entropy.stream(f"treat {name!r}")).column
            for name, treatment in self.treatments_.items()
        }
        return records.table.replaced(columns)

    def fit_transform(self, X: Any, y: Any = None) -> Any:
        """Learn from a table, and return it treated."""
        return self.fit(X, y).transform(X, y)

    def _records(self, X: Any, y: Any) -> Records:
        if isinstance(X, list):
            X = np.asarray(X)
        names = [f"x{j}" for j in range(X.shape[1])] if getattr(X, "ndim", 0) == 2 else []
        table = Table(X, names=names)
        if not len(table):
            raise TableError("table: expected at least one record, got none")
        for name, treatment in self.treatments.items():
            if not isinstance(treatment, ColumnTreatment):
                raise SpecificationError(
                    f"treatments: expected a treatment for {name!r}, such as Shuffle(), "
                    f"got {type(treatment).__name__}"
                )
            if name not in table.names:
                raise TableError(
                    f"table: no column {name!r} to treat{suggestion(name, self.treatments)}"
                )
        class_name = self.class_attribute or ("class" if y is not None else None)
        return Records(table, attributes=self.domains, class_name=class_name, labels=y)
