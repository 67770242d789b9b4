import numpy as np
import pandas as pd
import pytest

from scumble import Numeric
from scumble.errors import SpecificationError
from scumble.schema import Treatment
from scumble.tables import Table
from scumble.treatments import InnocentNoise, InnocentShuffle, Treat
from scumble.treatments._proportional import STEPS
from scumble.treatments._records import Records

RNG = np.random.default_rng(4)
SIZE = 400
AGE, WEIGHT = RNG.uniform(20, 80, SIZE), RNG.uniform(50, 100, SIZE)
PEOPLE = pd.DataFrame(
    {
        "age": AGE,
        "weight": WEIGHT,
        "town": RNG.choice(["Oslo", "Rome"], SIZE),
        "height": RNG.integers(150, 200, SIZE),
        "ill": np.where((AGE > 50) & (WEIGHT > 75), "yes", "no"),
    }
)
GUIDE = Records(Table(PEOPLE), class_name="ill").guide


def _treated(treatment, name, table=PEOPLE, **options):
    treat = Treat({name: treatment}, class_attribute="ill", seed=2, **options)
    return treat.fit_transform(table)[name].to_numpy()


def _leaf_innocent():
    """An attribute that the tree tests on some ways, and where it does not."""
    for name in sorted(GUIDE.anywhere):
        free = GUIDE.innocent(name, total=True, leaf=True)
        if free.any():
            return name, free
    raise AssertionError("the tree tests every attribute on every way")


@pytest.mark.parametrize("name", ["height", "town"])
def test_shuffled_values_stay_in_their_leaf_and_class(name):
    released = _treated(InnocentShuffle(), name)

    assert (released != PEOPLE[name].to_numpy()).any()
    groups = PEOPLE.groupby([GUIDE.leaves, PEOPLE["ill"]])
    for _, rows in groups:
        assert sorted(released[rows.index]) == sorted(rows[name])


@pytest.mark.parametrize("treatment", [InnocentShuffle(), InnocentNoise()])
def test_a_value_on_the_way_to_its_leaf_stays(treatment):
    name, free = _leaf_innocent()

    released = _treated(treatment, name)

    assert (released[~free] == PEOPLE[name].to_numpy()[~free]).all()
    assert (released[free] != PEOPLE[name].to_numpy()[free]).any()


@pytest.mark.parametrize("kind", [InnocentShuffle, InnocentNoise])
def test_a_scope_is_about_attributes_that_are_tested_elsewhere_or_nowhere(kind):
    name, _ = _leaf_innocent()

    assert (_treated(kind(scope="total"), name) == PEOPLE[name].to_numpy()).all()
    assert (_treated(kind(scope="leaf"), "height") == PEOPLE["height"].to_numpy()).all()


def test_noise_is_in_proportion_to_the_value():
    shares = _treated(InnocentNoise(sd=0.1), "height") / PEOPLE["height"] - 1

    # Deviations of mean and deviation of 400 draws: 0.005 and 0.0035.
    assert shares.mean() == pytest.approx(0, abs=0.03)
    assert shares.std() == pytest.approx(0.1, abs=0.02)


def test_noise_in_steps_is_one_of_thirteen_multiples():
    shares = _treated(InnocentNoise(law="discrete"), "height") / PEOPLE["height"].to_numpy() - 1

    assert np.abs(shares[:, None] - STEPS).min(axis=1).max() < 1e-9


def test_a_value_of_zero_gets_no_noise():
    table = PEOPLE.assign(height=np.where(np.arange(SIZE) < 50, 0, PEOPLE["height"]))

    assert (_treated(InnocentNoise(), "height", table)[:50] == 0).all()


def test_whole_numbers_stay_whole_where_they_are_declared_so():
    domains = {"height": Numeric(0, 400, step=1)}

    released = _treated(InnocentNoise(), "height", domains=domains)

    assert (released == np.rint(released)).all()


def test_missing_values_stay_missing():
    table = PEOPLE.assign(height=PEOPLE["height"].astype(float).where(np.arange(SIZE) % 9 > 0))

    released = _treated(InnocentNoise(), "height", table)

    assert (np.isnan(released) == table["height"].isna()).all()


def test_what_makes_no_sense_is_refused():
    with pytest.raises(SpecificationError, match="never innocent"):
        Treat({"ill": InnocentShuffle()}, class_attribute="ill").fit_transform(PEOPLE)
    with pytest.raises(SpecificationError, match="did you mean 'total'"):
        InnocentShuffle(scope="totl")
    with pytest.raises(SpecificationError, match="did you mean 'normal'"):
        InnocentNoise(law="norml")
    with pytest.raises(SpecificationError, match="sd"):
        InnocentNoise(sd=0)


@pytest.mark.parametrize("treatment", [InnocentShuffle(scope="leaf"), InnocentNoise(sd=0.2)])
def test_they_have_a_name_in_a_specification(treatment):
    assert Treatment.from_dict(treatment.to_dict()) == treatment
