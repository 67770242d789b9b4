import datetime

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from scumble.datasets import load_pima
from scumble.entropy import Seeded
from scumble.errors import DatasetError, SpecificationError, TableError
from scumble.schema import Treatment
from scumble.treatments import Shuffle, Treat
from scumble.treatments._shuffle import shuffled_within


@pytest.fixture
def pima():
    try:
        X, y = load_pima(backend="pandas")
    except DatasetError:
        pytest.skip("the data set was not found")
    return X.assign(diabetes=y)


def test_a_shuffled_column_has_the_same_values(pima):
    treated = Treat({"age": Shuffle()}).fit_transform(pima)

    assert sorted(treated["age"]) == sorted(pima["age"])
    assert (treated["age"] != pima["age"]).mean() > 0.9
    pd.testing.assert_frame_equal(treated.drop(columns="age"), pima.drop(columns="age"))


def test_by_class_each_class_keeps_its_values(pima):
    treated = Treat({"age": Shuffle(within=["diabetes"])}).fit_transform(pima)

    for _, rows in pima.groupby("diabetes"):
        assert sorted(treated["age"][rows.index]) == sorted(rows["age"])


def test_a_conditional_shuffle_keeps_the_dependence(pima):
    """Judged: a correlation of at least .4, of .54; by class alone it falls to .05."""
    kept, lost, own = [], [], []
    for seed in range(5):
        like = Shuffle(within=["diabetes"], like=["pregnancies"])
        treated = Treat({"age": like}, seed=seed).fit_transform(pima)
        kept.append(treated["age"].corr(treated["pregnancies"]))
        own.append((treated["age"] == pima["age"]).mean())
        by_class = Treat({"age": Shuffle(within=["diabetes"])}, seed=seed).fit_transform(pima)
        lost.append(by_class["age"].corr(by_class["pregnancies"]))

    assert min(kept) >= 0.4
    assert max(own) <= 0.10
    assert max(lost) < 0.2


@pytest.mark.parametrize(
    "values",
    [
        [1, 2, 3, 4],
        [1.5, None, 2.5, 3.5],
        ["a", "b", None, "d"],
        [datetime.date(2020, 1, day) for day in (1, 2, 3, 4)],
        [b"picture", b"another", b"x", b"y"],
        [[1, 2], [3], [], [4]],
        [True, False, None, True],
    ],
)
@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame, pa.table])
def test_any_type_of_column_can_be_shuffled(values, make):
    table = make({"x": values, "y": [1, 2, 3, 4]})

    treated = Treat({"x": Shuffle()}).fit_transform(table)

    assert type(treated) is type(table)
    before, after = (pa.table(t)["x"] if make is pa.table else t["x"] for t in (table, treated))
    assert str(getattr(before, "dtype", None)) == str(getattr(after, "dtype", None))
    texts = [sorted(str(value) for value in column.__iter__()) for column in (before, after)]
    assert texts[0] == texts[1]


def test_categories_of_pandas_stay_categories():
    table = pd.DataFrame({"x": pd.Categorical(["a", "b", "a"], categories=["b", "a"])})

    treated = Treat({"x": Shuffle()}).fit_transform(table)

    assert treated["x"].dtype == table["x"].dtype


def test_an_array_can_be_shuffled():
    table = np.arange(20.0).reshape(10, 2)

    treated = Treat({"x1": Shuffle()}).fit_transform(table)

    assert (treated[:, 0] == table[:, 0]).all()
    assert sorted(treated[:, 1]) == table[:, 1].tolist()


def test_a_record_that_is_alone_in_its_class_is_refused():
    table = pd.DataFrame({"age": [30, 40, 50], "ill": ["no", "no", "yes"]})

    with pytest.raises(TableError, match=r"1 records are alone in their stratum.*; shuffle within"):
        Treat({"age": Shuffle(within=["ill"])}).fit_transform(table)


def test_classes_may_come_beside_the_table():
    table = pd.DataFrame({"age": [30, 40, 50, 60]})

    treated = Treat({"age": Shuffle(within=["class"])}).fit_transform(table, [0, 0, 1, 1])

    assert sorted(treated["age"][:2]) == [30, 40]
    with pytest.raises(TableError, match="no column 'class', which a treatment reads"):
        Treat({"age": Shuffle(within=["class"])}).fit_transform(table)


def test_a_seed_repeats_a_shuffle_and_no_seed_does_not():
    table = pd.DataFrame({"x": range(100)})

    first, again = (Treat({"x": Shuffle()}, seed=7).fit_transform(table) for _ in range(2))
    fresh, other = (Treat({"x": Shuffle()}).fit_transform(table) for _ in range(2))

    assert first.equals(again)
    assert not fresh.equals(other)


def test_every_permutation_within_a_group_is_possible():
    """Six permutations of three, in 6,000 draws: error rate below 1e-6 by the union bound."""
    counts = {}
    for seed in range(6000):
        order = shuffled_within(np.array([1, 0, 1, 1]), Seeded(seed).stream("x"))
        assert order[1] == 1
        counts[tuple(order)] = counts.get(tuple(order), 0) + 1

    assert len(counts) == 6
    assert all(abs(count - 1000) < 5.5 * np.sqrt(1000 * 5 / 6) for count in counts.values())


@pytest.mark.parametrize(
    "make",
    [
        lambda: Shuffle(within="class"),
        lambda: Shuffle(like=[1]),
        lambda: Shuffle(block=1),
        lambda: Shuffle(block=2.5),
    ],
)
def test_parameters_that_make_no_sense_are_refused(make):
    with pytest.raises(SpecificationError):
        make()


def test_a_shuffle_has_a_name_in_a_specification():
    shuffle = Shuffle(within=["class"], block=30)

    assert Treatment.from_dict(shuffle.to_dict()) == shuffle
