"""What people do with a fitted tree: read it, draw it, ship it."""

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from scumble.atomic import write_whole
from scumble.errors import ModelError, SpecificationError
from scumble.mining._tree import Tree
from scumble.mining.export import (
    Model,
    Rule,
    draw_tree,
    model_from_json,
    model_to_json,
    tree_dot,
    tree_rules,
    tree_text,
)
from scumble.schema import Specification
from scumble.schema._named import suggestion

if TYPE_CHECKING:
    from matplotlib.axes import Axes


class ReadableTree:
    """The methods of a tree classifier that show its tree, or write it down and read it."""

    spec: Specification | None
    tree_: Tree
    classes_: NDArray[Any]
    n_features_in_: int
    feature_names_in_: NDArray[Any]

    def to_text(self, depth: int | None = None) -> str:
        """Return the tree as text: a line for each branch, with the outcome where it ends.

        Parameters
        ----------
        depth : int, optional
            How many tests on a path are shown; what lies deeper is counted. None: all.

        Examples
        --------
        >>> from scumble import DisguisedTreeClassifier
        >>> tree = DisguisedTreeClassifier(pruning=None).fit([[1], [2], [3]], ["no", "yes", "no"])
        >>> print(tree.to_text())
        x0 < 1.5: no (1 record, 100.0 %)
        x0 >= 1.5:
        |  x0 < 2.5: yes (1 record, 100.0 %)
        |  x0 >= 2.5: no (1 record, 100.0 %)
        """
        check_is_fitted(self, "tree_")
        return tree_text(self.tree_, depth=depth)

    def rules(self) -> list[Rule]:
        """Return the tree as rules, that with the largest support first.

        Every record satisfies the conditions of exactly one of them.

        Examples
        --------
        >>> from scumble import DisguisedTreeClassifier
        >>> tree = DisguisedTreeClassifier(pruning=None).fit([[1], [2], [3]], ["no", "yes", "no"])
        >>> for rule in tree.rules():
        ...     print(rule)
        if x0 < 1.5 then no (support 33.3 %, confidence 100.0 %)
        if 1.5 <= x0 < 2.5 then yes (support 33.3 %, confidence 100.0 %)
        if x0 >= 2.5 then no (support 33.3 %, confidence 100.0 %)
        """
        check_is_fitted(self, "tree_")
        return tree_rules(self.tree_)

    def plot(self, ax: "Axes | None" = None, *, depth: int | None = 4) -> "Axes":
        """Draw the tree from left to right; the upper edge is taken where a test holds.

        Parameters
        ----------
        ax : Axes, optional
            Where to draw. By default a new figure, as large as the tree needs.
        depth : int, optional
            How many tests on a path are shown; what lies deeper is counted. None: all.

        Examples
        --------
        >>> from scumble import DisguisedTreeClassifier
        >>> tree = DisguisedTreeClassifier(pruning=None).fit([[1], [2], [3]], ["no", "yes", "no"])
        >>> tree.plot().texts[0].get_text()
        'x0 < 1.5'
        """
        check_is_fitted(self, "tree_")
        return draw_tree(self.tree_, ax=ax, depth=depth)

    def to_graphviz(self, depth: int | None = None) -> str:
        """Return the tree as a graph in the DOT language of Graphviz.

        Parameters
        ----------
        depth : int, optional
            How many tests on a path are shown; what lies deeper is counted. None: all.

        Examples
        --------
        >>> from scumble import DisguisedTreeClassifier
        >>> tree = DisguisedTreeClassifier(pruning=None).fit([[1], [2], [3]], ["no", "yes", "no"])
        >>> tree.to_graphviz().splitlines()[0]
        'digraph tree {'
        """
        check_is_fitted(self, "tree_")
        return tree_dot(self.tree_, depth=depth)

    def to_json(self, path: str | os.PathLike[str] | None = None) -> str:
        """Return the fitted tree as JSON, and write it to a file if one is named.

        The file holds the specification, the parameters and the tree with the counts
        of the classes in its nodes; no record.

        Parameters
        ----------
        path : path, optional
            The file. It is written whole or not at all.

        Raises
        ------
        ModelError
            If a label or a parameter is none that a file can hold.

        Examples
        --------
        >>> from scumble import DisguisedTreeClassifier
        >>> tree = DisguisedTreeClassifier(pruning=None).fit([[1], [2], [3]], ["no", "yes", "no"])
        >>> print(tree.to_json().splitlines()[-4].strip())
        {"id": 3, "counts": [0.0, 1.0]},
        """
        check_is_fitted(self, "tree_")
        parameters: dict[str, Any] = self.get_params(deep=False)  # type: ignore[attr-defined]
        names = getattr(self, "feature_names_in_", None)
        model = Model(
            spec=parameters.pop("spec", None),
            parameters=parameters,
            tree=self.tree_,
            columns=int(self.n_features_in_),
            column_names=None if names is None else tuple(str(name) for name in names),
        )
        text = model_to_json(model)
        if path is not None:
            write_whole(path, text)
        return text

    @classmethod
    def from_json(cls, path: str | os.PathLike[str]) -> Self:
        """Read a fitted tree from a JSON file; it predicts as the one that was written.

        Parameters
        ----------
        path : path
            The file.

        Raises
        ------
        ModelError
            If the file is not a model that this version reads.

        Examples
        --------
        >>> import tempfile
        >>> from pathlib import Path
        >>> from scumble import DisguisedTreeClassifier
        >>> tree = DisguisedTreeClassifier(pruning=None).fit([[1], [2], [3]], ["no", "yes", "no"])
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = Path(folder, "model.json")
        ...     text = tree.to_json(path)
        ...     shipped = DisguisedTreeClassifier.from_json(path)
        >>> shipped.predict([[1], [2], [9]]).tolist()
        ['no', 'yes', 'no']
        """
        model = model_from_json(path)
        try:
            estimator = cls._from_model(model)
        except (ModelError, SpecificationError) as error:
            raise ModelError(f"{Path(path).name}: parameters.{error}") from None
        return estimator

    @classmethod
    def _from_model(cls, model: Model) -> Self:
        """Return a fitted estimator; its parameters are checked as `fit` would."""
        known = [name for name in cls._get_param_names() if name != "spec"]  # type: ignore[attr-defined]
        for name in model.parameters:
            if name not in known:
                raise ModelError(f"{name}: unknown{suggestion(name, known)}")
        given = {} if model.spec is None else {"spec": model.spec}
        estimator = cls(**given, **model.parameters)
        estimator._check_parameters()  # type: ignore[attr-defined]
        estimator.tree_, estimator.classes_ = model.tree, model.tree.classes
        estimator.n_features_in_ = model.columns
        if model.column_names is not None:
            estimator.feature_names_in_ = np.array(model.column_names, dtype=object)
        return estimator
