import numpy as np
import pandas as pd
import pytest
from scipy import stats

from scumble import Numeric
from scumble.errors import SpecificationError, TableError
from scumble.schema import Treatment
from scumble.treatments import Distribution, Treat


def _learned(values, **options):
    return Treat({"x": Distribution(**options)}).fit(pd.DataFrame({"x": values})).treatments_["x"]


@pytest.mark.parametrize(
    ("family", "law"),
    [
        ("norm", stats.norm(-5, 2)),
        ("uniform", stats.uniform(10, 5)),
        ("expon", stats.expon(scale=3)),
        ("gamma", stats.gamma(6, scale=2)),
        ("lognorm", stats.lognorm(1.2, scale=4)),
    ],
)
def test_the_density_is_identified(family, law):
    """BIC picks a wrong family of this size with a chance far below one in a million."""
    values = law.rvs(5000, random_state=np.random.default_rng(1))

    assert _learned(values).family == family


def test_a_sample_of_the_density_takes_the_place_of_the_values_in_rank_order():
    values = np.random.default_rng(0).normal(50, 10, 500)
    table = pd.DataFrame({"x": values})

    treated = Treat({"x": Distribution(family="norm")}).fit_transform(table)["x"].to_numpy()

    assert (np.argsort(values) == np.argsort(treated)).all()
    assert not np.isin(treated, values).any()
    # Kolmogorov-Smirnov at an error rate of 1e-6.
    assert stats.kstest(treated, "norm", args=(values.mean(), values.std())).pvalue > 1e-6


def test_what_is_fitted_tells_nobodys_value():
    """The likeliest uniform density ends at the values of two people, for all to read."""
    values = np.random.default_rng(2).uniform(10, 15, 5000)

    start, width = _learned(values, family="uniform").parameters

    assert not np.isclose([start, start + width], [values.min(), values.max()], atol=1e-6).any()
    # The error of mean and deviation, over 5,000 records, by far.
    assert start == pytest.approx(10, abs=0.3)
    assert width == pytest.approx(5, abs=0.3)


def test_draws_keep_to_the_declared_domain_and_its_steps():
    values = np.random.default_rng(0).integers(0, 10, 300)
    treat = Treat({"x": Distribution(family="norm")}, domains={"x": Numeric(0, 9, step=1)})

    treated = treat.fit_transform(pd.DataFrame({"x": values}))["x"]

    assert set(treated) <= set(range(10))


def test_missing_values_stay_missing():
    treated = Treat({"x": Distribution()}).fit_transform(pd.DataFrame({"x": [1, None, 2, 5]}))

    assert treated["x"].isna().tolist() == [False, True, False, False]


def test_what_cannot_be_fitted_is_refused():
    with pytest.raises(TableError, match="three different numbers"):
        _learned([1, 1, 1, 2])
    with pytest.raises(TableError, match="for positive numbers"):
        _learned([-1, 1, 2, 5], family="gamma")
    with pytest.raises(SpecificationError, match="did you mean 'gamma'"):
        Distribution(family="gama")
    with pytest.raises(SpecificationError, match="the family"):
        Distribution(parameters=[1, 2])


def test_it_has_a_name_in_a_specification():
    learned = Distribution(family="norm", parameters=[0, 1])

    assert Treatment.from_dict(learned.to_dict()) == learned


def test_parameters_that_are_no_density_are_refused():
    for wrong in ([1, 2, 3, 4], [1, -2], [1]):
        with pytest.raises(SpecificationError, match=r"parameters: expected the 2 of 'norm'"):
            Distribution(family="norm", parameters=wrong)


def test_a_column_that_begins_with_one_value_is_fitted():
    values = np.r_[np.ones(20_000), np.random.default_rng(0).lognormal(size=20_000)]

    fitted = Treat({"x": Distribution()}).fit(pd.DataFrame({"x": values})).treatments_["x"]

    assert fitted.family is not None
