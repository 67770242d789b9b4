import numpy as np
import pandas as pd
import polars as pl
import pytest

from scumble import DisguisedTreeClassifier
from scumble.audit import natural_instability
from scumble.errors import SpecificationError


def _noise(rows=200):
    rng = np.random.default_rng(3)
    return rng.random((rows, 4)), rng.random(rows) < 0.5


def _make():
    return DisguisedTreeClassifier(pruning=None)


def test_a_tree_from_all_records_is_the_same():
    X, y = _noise()

    (found,) = natural_instability(_make, X, y, share=1.0, repeats=1, seed=1)

    assert (found.recall, found.precision, found.agreement) == (1, 1, 1)


def test_a_tree_on_nothing_but_chance_is_unstable():
    X, y = _noise()

    found = natural_instability(_make, X, y, repeats=3, seed=1)

    assert len(found) == 3
    assert max(one.recall for one in found) < 0.6


def test_the_seed_repeats_the_parts_whatever_the_kind_of_table():
    X, y = _noise()
    kinds = (pd.DataFrame(X, columns=list("abcd")), pl.DataFrame(X, schema=list("abcd")))
    first, again = (
        natural_instability(_make, kind, labels, repeats=2, seed=5)
        for kind, labels in zip(kinds, (pd.Series(y, index=range(7, 207)), y), strict=True)
    )

    assert first == again
    assert first != natural_instability(_make, kinds[0], y, repeats=2, seed=6)


def test_a_share_must_be_one():
    with pytest.raises(SpecificationError, match="share"):
        natural_instability(_make, *_noise(), share=1.5)
