import numpy as np
import pandas as pd
import pytest

from scumble import Categorical, Numeric
from scumble.errors import SpecificationError
from scumble.mechanisms import GaussianNoise, RandomizedResponse
from scumble.schema import mechanism_from_dict, own_mechanism, with_mechanism


def test_sensitivity_follows_the_mechanism():
    assert Numeric(0, 1).sensitivity == "public"
    assert Numeric(0, 1, mechanism=GaussianNoise(sd=1)).sensitivity == "private"


@pytest.mark.parametrize(
    "options",
    [
        {"sensitivity": "private"},
        {"sensitivity": "public", "mechanism": GaussianNoise(sd=1)},
        {"sensitivity": "withheld", "mechanism": GaussianNoise(sd=1)},
        {"sensitivity": "secret"},
        {"mechanism": "gaussian"},
        {"mechanism": RandomizedResponse(keep=0.5)},
    ],
)
def test_contradictions_are_refused(options):
    with pytest.raises(SpecificationError):
        Numeric(0, 1, **options)


def test_every_sensitivity_has_a_mechanism():
    noise = GaussianNoise(sd=1)

    assert own_mechanism(Numeric(0, 1)).name == "identity"
    assert own_mechanism(Numeric(0, 1, sensitivity="withheld")).name == "withheld"
    assert own_mechanism(with_mechanism(Numeric(0, 1), noise)) is noise


@pytest.mark.parametrize("name", ["identity", "withheld"])
def test_private_with_a_mechanism_that_hides_nothing_is_refused(name):
    with pytest.raises(SpecificationError, match="disguises nothing; declare the attribute as"):
        Numeric(0, 1, sensitivity="private", mechanism=mechanism_from_dict({"name": name}))


@pytest.mark.parametrize(
    "make",
    [
        lambda: Categorical([2**70, 1]),
        lambda: Categorical({"a": 1, "b": 2}),
        lambda: Categorical(["a", "b"], ordered="false"),
        lambda: Numeric(0, 10**400),
        lambda: Numeric(0, 1, atoms=5),
        lambda: Numeric(np.array([1, 2]), 3),
        lambda: Numeric(pd.NA, 3),
        lambda: Numeric(0, 1, step=1e-99),
        lambda: Numeric(0, 1e50, mechanism=GaussianNoise(privacy=1e60)),
        lambda: Numeric(0, 1, mechanism=GaussianNoise(sd=1e308)),
    ],
)
def test_odd_parameters_are_an_error_of_ours(make):
    with pytest.raises(SpecificationError):
        make()
