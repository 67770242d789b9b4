import numpy as np
import pandas as pd
import pytest

from scumble import Categorical, Criteria, Numeric, Specification, Text
from scumble.audit import audit
from scumble.errors import ReleaseError, SpecificationError
from scumble.mechanisms import GaussianNoise
from scumble.release import release
from scumble.tables import Table
from scumble.treatments import Discretize, Shuffle
from scumble.treatments._together import telling_names, together_in

PEOPLE = pd.DataFrame(
    {
        "sex": ["f", "m"] * 50,
        "age": [30, 30, 50, 50] * 24 + [30, 50, 80, 81],
        "pay": np.linspace(1, 9, 100),
        "ill": ["no"] * 60 + ["yes"] * 40,
    }
)


def _spec(**changed):
    attributes = {
        "sex": Categorical(["f", "m"]),
        "age": Numeric(0, 100, step=1, sensitivity="public"),
        "pay": Numeric(0, 10, treatment=Shuffle()),
        "ill": Categorical(["no", "yes"]),
    }
    criteria = changed.pop("release", None)
    return Specification(attributes | changed, class_attribute="ill", release=criteria)


def test_records_that_are_alone_in_all_that_is_clear_are_counted():
    found = together_in(Table(PEOPLE), _spec())

    # Each sex has many, each age but two has many; 80 and 81 are one person each.
    assert found.attributes == ("sex", "age")
    assert (found.smallest, found.alone, found.records) == (1, 0.02, 100)
    assert "2 % of the records have a combination of their own" in found.sentence


@pytest.mark.parametrize("seed", range(10))
def test_groups_are_those_of_a_plain_count(seed):
    rng = np.random.default_rng(seed)
    size = 3000
    table = pd.DataFrame(
        {
            "sex": rng.choice(["f", "m", None], size),
            "age": np.where(rng.random(size) < 0.1, np.nan, rng.integers(0, 90, size)),
            "zeros": rng.choice([0.0, -0.0, 1.5], size),
            "year": rng.integers(-5, 5, size),
        }
    )
    spec = Specification(
        {
            "sex": Categorical(["f", "m"]),
            "age": Numeric(0, 100),
            "zeros": Numeric(0, 2),
            "year": Numeric(-5, 5, step=1),
        }
    )

    found = together_in(Table(table), spec)

    sizes = table.groupby(list(table), dropna=False).size()
    assert (found.smallest, found.alone) == (sizes.min(), (sizes == 1).sum() / size)


def test_what_is_disguised_shuffled_or_the_class_singles_nobody_out():
    spec = _spec(age=Numeric(0, 100, mechanism=GaussianNoise(sd=9)))

    assert telling_names(spec) == ["sex"]
    assert together_in(Table(PEOPLE), spec).smallest == 50


def test_a_missing_value_is_a_value_to_be_found_by():
    gap = PEOPLE.assign(sex=["f", "m"] * 49 + ["f", None])

    assert together_in(Table(gap), _spec(age=Numeric(0, 100, treatment=Shuffle()))).smallest == 1


def test_where_nothing_is_told_as_it_is_there_is_nothing_to_measure():
    spec = Specification({"pay": Numeric(0, 10, treatment=Shuffle())})

    assert together_in(Table(PEOPLE[["pay"]]), spec) is None


def test_text_in_clear_counts():
    spec = Specification({"sex": Text(sensitivity="public")})

    assert together_in(Table(PEOPLE[["sex"]]), spec).smallest == 50


def test_a_release_states_it_and_refuses_only_where_that_is_asked_for():
    manifest = release(PEOPLE, _spec()).manifest

    assert manifest.to_dict()["together"] == {
        "attributes": ["sex", "age"],
        "smallest": 1,
        "alone": 0.02,
        "records": 100,
    }
    assert "combination of their own" in " ".join(manifest.to_text().split())
    assert max(map(len, manifest.to_text().splitlines())) <= 80
    with pytest.raises(ReleaseError, match="'sex, age': expected minimum_together of at least 2"):
        release(PEOPLE, _spec(release=Criteria(minimum_together=2)))


def test_coarser_attributes_pass():
    age = Numeric(0, 100, step=1, sensitivity="public", treatment=Discretize(cuts=[40]))

    manifest = release(PEOPLE, _spec(age=age, release=Criteria(minimum_together=20))).manifest

    assert manifest.together.smallest >= 20
    assert manifest.together.alone == 0
    assert manifest.checks[-1].criterion == "minimum_together"


def test_criteria_of_the_combination_are_checked():
    with pytest.raises(SpecificationError, match="minimum_together: expected a whole number"):
        Criteria(minimum_together=0)


@pytest.mark.parametrize("given", ["truth", "reports", "released"])
def test_an_audit_tells_it_of_whatever_table_it_has(given):
    age = Numeric(0, 100, step=1, sensitivity="public", treatment=Discretize(cuts=[40]))
    coarse = _spec(age=age)
    told = release(PEOPLE, coarse).table
    tables = {
        "truth": {"truth": PEOPLE},
        "reports": {"reports": told},
        "released": {"truth": PEOPLE, "released": told},
    }

    found = audit(coarse, **tables[given], seed=1)

    assert found.together.attributes == ("sex", "age")
    assert found.together.smallest == 24
    assert found.together.sentence in found.not_protected
    assert found.to_dict()["together"]["smallest"] == 24


def test_a_pipeline_may_fail_by_it_but_not_pass_unmeasured():
    found = audit(_spec(), truth=PEOPLE, seed=1)

    assert found.failed(["alone > 0.01"]) == ["alone > 0.01: got 0.02 (sex, age)"]
    assert found.failed(["alone > 0.05"]) == []
    with pytest.raises(SpecificationError, match="'alone' was not measured"):
        audit(_spec()).failed(["alone > 0.01"])
