from itertools import product

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from scumble import Categorical, Numeric, Specification, disguise
from scumble.audit import Lattice, link_records
from scumble.audit._laws import Costs
from scumble.audit._linkage import found_by
from scumble.datasets import load_boston, load_breast_cancer_wisconsin
from scumble.errors import DatasetError, SpecificationError, TableError
from scumble.mechanisms import GaussianNoise, RandomizedResponse
from scumble.mining import C45Classifier
from scumble.treatments import InnocentNoise, InnocentShuffle, Shuffle, Treat
from scumble.treatments._proportional import noise_of, snapped


def _numbers(n, columns=3, seed=1):
    rng = np.random.default_rng(seed)
    return pa.table({f"x{j}": rng.normal(50, 10, n) for j in range(columns)})


def test_a_table_in_clear_links_everyone():
    truth = _numbers(500)

    found = link_records(truth, truth, known=["x0"])

    assert found.success == 1.0
    assert found.base == 1 / 500
    assert found.attribute is None


def test_people_who_are_alike_are_found_as_often_as_they_are_many():
    truth = pa.table({"size": ["s"] * 4 + ["l"], "age": [30.0] * 4 + [70.0]})

    found = link_records(truth, truth, known=["size", "age"])

    assert found.success == pytest.approx((4 * 1 / 4 + 1) / 5)
    # By the law the same: without one, values are released as they are.
    assert link_records(truth, truth, known=["size", "age"], noise={}).success == found.success


def test_the_alignment_says_whose_record_is_where():
    truth = _numbers(100)
    order = np.random.default_rng(2).permutation(100)
    place = np.argsort(order)
    place[:10] = -1

    found = link_records(truth, truth.take(order), known=["x0"], alignment=place)

    assert found.success == 1.0
    assert found.records == 90


def test_a_shuffled_table_links_nobody_but_by_chance():
    truth = _numbers(400)
    released = Treat(dict.fromkeys(truth.column_names, Shuffle()), seed=1).fit_transform(truth)

    # That the rows are in the same order has to be said: nothing shows it.
    found = link_records(truth, released, known=truth.column_names, alignment=np.arange(len(truth)))

    # 400 trials of probability 1/400: more than 12 happen less often than once in a million.
    assert found.success * 400 <= 12


def _spec(sd):
    noise = GaussianNoise(sd=sd)
    return Specification({f"x{j}": Numeric(-50, 150, mechanism=noise) for j in range(3)})


def test_normal_noise_links_as_the_nearest_record_does():
    # Of equal normal noise the likeliest record is the nearest; cells are 0.5 wide.
    truth, spec = _numbers(1000), _spec(5)
    reports = disguise(truth, spec, seed=1)

    law = link_records(truth, reports, known=list(spec), noise=spec)
    near = link_records(truth, reports, known=list(spec))

    assert law.success == pytest.approx(near.success, abs=0.05)
    assert law.beats_base


def test_the_more_noise_the_fewer_are_found():
    truth = _numbers(1000)
    rates = [
        link_records(truth, disguise(truth, _spec(sd), seed=1), known=["x0", "x1", "x2"]).success
        for sd in (0.1, 2, 30)
    ]

    assert rates[0] > 0.95
    assert rates[0] > rates[1] > rates[2]


def test_who_knows_the_law_does_better_where_noise_differs():
    rng = np.random.default_rng(1)
    truth = pa.table({"a": rng.normal(size=800), "b": rng.normal(size=800)})
    spec = Specification(
        {
            "a": Numeric(-5, 5, mechanism=GaussianNoise(sd=0.02)),
            "b": Numeric(-5, 5, mechanism=GaussianNoise(sd=3)),
        }
    )
    reports = disguise(truth, spec, seed=2)

    law = link_records(truth, reports, known=["a", "b"], noise=spec)
    near = link_records(truth, reports, known=["a", "b"])

    assert law.low > near.high


def test_randomized_categories_are_linked_by_the_closed_form():
    # Two people, a and b. That of a is named where the reports are theirs, and by half where
    # both are alike; where they are exchanged, the other one is named.
    spec = Specification({"x": Categorical(["a", "b"], mechanism=RandomizedResponse(keep=0.6))})
    law = spec["x"].mechanism.channel(spec["x"]).matrix
    truth, rate = pa.table({"x": ["a", "b"]}), 0.0
    for first, second in product(range(2), repeat=2):
        released = pa.table({"x": ["ab"[first], "ab"[second]]})
        found = link_records(truth, released, known=["x"], noise=spec)
        rate += law[0, first] * law[1, second] * found.success

    own = law[0, 0]
    assert rate == pytest.approx(own**2 + 2 * own * (1 - own) / 2)


def test_a_density_is_a_law_too():
    truth, spec = _numbers(500), _spec(5)
    reports = disguise(truth, spec, seed=1)

    def density(true, shown):
        return np.exp(-(((shown - true) / 5) ** 2) / 2)

    noise = dict.fromkeys(spec, density)
    near = link_records(truth, reports, known=list(spec), noise=spec).success

    assert link_records(truth, reports, known=list(spec), noise=noise).success == pytest.approx(
        near, abs=0.03
    )


def test_missing_values_link_those_who_miss_them():
    truth = pa.table({"age": [None, 30.0, 40.0]})

    assert link_records(truth, truth, known=["age"]).success == 1.0
    noise = {"age": Numeric(0, 100, mechanism=GaussianNoise(sd=1))}
    assert link_records(truth, truth, known=["age"], noise=noise).success == 1.0
    assert link_records(truth, truth, known=["age"], noise={"age": Lattice()}).success == 1.0


def test_a_record_that_the_law_cannot_have_made_is_not_found():
    truth = pa.table({"age": [20.0, 30.0]})
    released = pa.table({"age": [20.5, 30.0]})

    assert link_records(truth, released, known=["age"], noise={}).success == 0.5


def test_the_first_look_does_not_change_the_result():
    rng = np.random.default_rng(3)
    truth, shown = rng.normal(size=(2, 1500))
    costs = [Costs(lambda person, rows: (shown[rows] - truth[person]) ** 2)]
    people = np.arange(200)

    found = found_by(costs, people=people, own=people, size=1500, seed=1)

    nearest = np.abs(shown[None, :] - truth[:200, None]).argmin(axis=1)
    assert found.tolist() == (nearest == people).astype(float).tolist()


def test_tables_that_do_not_belong_together_are_refused():
    truth = _numbers(10)

    with pytest.raises(TableError, match="the 10 records of the truth in the same order, got 5"):
        link_records(truth, truth.slice(0, 5), known=["x0"])
    with pytest.raises(TableError, match="rows from 0 to 9"):
        link_records(truth, truth, known=["x0"], alignment=np.full(10, 10))
    with pytest.raises(TableError, match="at least one"):
        link_records(truth, truth, known=["x0"], alignment=np.full(10, -1))
    with pytest.raises(SpecificationError, match="known"):
        link_records(truth, truth, known=["y"])


def test_a_law_must_be_one():
    truth = _numbers(10)

    with pytest.raises(SpecificationError, match=r"'x0'.*got float"):
        link_records(truth, truth, known=["x0"], noise={"x0": 0.3})
    with pytest.raises(SpecificationError, match="whole table"):
        link_records(truth, truth, known=["x0"], noise={"x0": Numeric(0, 99, treatment=Shuffle())})
    sizes = pd.DataFrame({"size": ["s", "m"]})
    with pytest.raises(SpecificationError, match="numbers in 'size'"):
        link_records(sizes, sizes, known=["size"], noise={"size": Lattice()})


def test_who_knows_the_population_names_no_record_that_anyone_may_have_made():
    # For a truth of 0 both reports are equally likely, but 1 comes from nobody else.
    def law(true, shown):
        table = {0.0: {0.0: 0.5, 1.0: 0.5}, 5.0: {0.0: 0.5, 5.0: 0.5}}
        return np.array([table[true].get(value, 0.0) for value in shown.tolist()])

    truth, released = np.array([[0.0], [5.0]]), np.array([[1.0], [0.0]])

    assert link_records(truth, released, known=["x0"], noise={"x0": law}).success == 0.75
    found = link_records(truth, released, known=["x0"], noise={"x0": law}, population=True)
    assert found.success == 1.0
    with pytest.raises(SpecificationError, match="law of the noise"):
        link_records(truth, released, known=["x0"], population=True)


def _published(name):
    try:
        if name == "boston":
            X, prices = load_boston()
            y = np.where(prices > np.quantile(prices, 0.8), "top", "bottom")
        else:
            X, y = load_breast_cancer_wisconsin()
    except DatasetError as error:
        pytest.skip(str(error))
    rows = np.sort(np.random.default_rng(0).permutation(len(y))[: 300 if name == "boston" else 350])
    return X.append_column("class", pa.array(y)).take(rows)


def _released(table, treatment):
    names = table.column_names[:-1]
    treat = Treat(dict.fromkeys(names, treatment), class_attribute="class", seed=1)
    return treat.fit_transform(table)


def _innocent(table):
    names = table.column_names[:-1]
    tree = C45Classifier().fit(table.select(names), np.array(table["class"].to_pylist())).tree_
    return [name for place, name in enumerate(names) if place not in tree.tested]


def test_discrete_noise_links_every_tract_of_boston_and_normal_noise_some():
    table = _published("boston")
    known = _innocent(table)
    rates = {}
    for law in ("discrete", "normal"):
        noise = InnocentNoise(scope="total", law=law)
        released = _released(table, noise)
        rates[law] = link_records(
            table, released, known=known, noise=dict.fromkeys(known, noise)
        ).success

    better = link_records(
        table, released, known=known, noise=dict.fromkeys(known, noise), population=True
    ).success

    assert rates["discrete"] > 0.99
    assert better > rates["normal"]
    assert 0.05 < rates["normal"] < 0.6


@pytest.mark.parametrize("name", ["boston", "breast cancer"])
def test_a_permutation_within_leaf_and_class_links_far_less_than_noise(name):
    table = _published(name)
    names = table.column_names[:-1]

    noisy = link_records(table, _released(table, InnocentNoise()), known=names)
    permuted = link_records(table, _released(table, InnocentShuffle()), known=names)

    assert permuted.success < 0.5 * noisy.success
    assert noisy.beats_base


@pytest.mark.parametrize("law", ["discrete", "normal"])
def test_the_law_of_grades_that_stay_grades_is_known_to_the_intruder(law):
    """By the law of any number, 7 for a 9 would be a report that nobody can have made."""
    rng = np.random.default_rng(1)
    names = [f"x{j}" for j in range(6)]
    truth = pa.table({name: rng.integers(1, 11, 200).astype(float) for name in names})
    grade = Numeric(1, 10, step=1, treatment=InnocentNoise(law=law))
    noise = noise_of(rng.random((6, 200)), law=law, sd=0.276)
    told = {
        n: snapped(truth[n].to_numpy() * (1 + e), grade) for n, e in zip(names, noise, strict=True)
    }

    rounded = link_records(truth, pa.table(told), known=names, noise=dict.fromkeys(names, grade))

    nearest = link_records(truth, pa.table(told), known=names)
    assert rounded.success > nearest.success + 0.1


def test_a_grade_that_is_missing_is_released_as_missing():
    truth = pa.table({"grade": [1.0, 9.0, None]})
    released = pa.table({"grade": [1.0, 7.0, None]})
    for law in ("discrete", "normal"):
        grade = Numeric(1, 10, step=1, treatment=InnocentNoise(law=law))
        found = link_records(truth, released, known=["grade"], noise={"grade": grade})
        assert found.success == 1.0
