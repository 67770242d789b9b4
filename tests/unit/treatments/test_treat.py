import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline

from scumble import Categorical, Numeric, Text
from scumble.errors import SpecificationError, TableError
from scumble.mechanisms import GaussianNoise, MultiplicativeNoise, Warner
from scumble.mining import C45Classifier
from scumble.treatments import Discretize, Shuffle, Treat


@pytest.fixture
def people():
    rng = np.random.default_rng(0)
    ill = rng.random(300) < 0.5
    return pd.DataFrame(
        {
            "name": [f"person {place}" for place in range(300)],
            "age": rng.integers(20, 60, 300) + 20.0 * ill,
            "income": rng.uniform(10, 100, 300),
            "smokes": np.where(rng.random(300) < 0.3 + 0.4 * ill, "yes", "no"),
            "ill": np.where(ill, "yes", "no"),
        }
    )


def test_noise_is_a_treatment_too(people):
    """Fixed-data perturbation: additive, multiplicative, and coins for categories."""
    treat = Treat(
        {
            "age": Numeric(20, 80, mechanism=GaussianNoise(privacy=0.5)),
            "income": Numeric(10, 100, mechanism=MultiplicativeNoise(sd=0.2)),
            "smokes": Categorical(["no", "yes"], mechanism=Warner(keep=0.8)),
        }
    )

    treated = treat.fit_transform(people)

    assert (treated["age"] != people["age"]).mean() > 0.95
    assert (treated["income"] != people["income"]).all()
    assert 0.6 < (treated["smokes"] == people["smokes"]).mean() < 0.95
    assert treated["ill"].equals(people["ill"])


def test_what_is_withheld_is_removed(people):
    treat = Treat({"name": Text(sensitivity="withheld")})

    assert list(treat.fit_transform(people).columns) == ["age", "income", "smokes", "ill"]
    assert list(treat.get_feature_names_out()) == ["age", "income", "smokes", "ill"]


def test_attributes_of_a_group_share_the_coin(people):
    coin = Warner(keep=0.6, group="both")
    both = Categorical(["no", "yes"], mechanism=coin)

    treated = Treat({"smokes": both, "ill": both}).fit_transform(people)

    told = [(treated[name] == people[name]).to_numpy() for name in ("smokes", "ill")]
    assert (told[0] == told[1]).all()


def test_a_pipeline_learns_from_treated_records(people):
    model = make_pipeline(Treat({"age": Discretize(method="mdlp")}), C45Classifier())
    X = people[["age", "income"]]

    assert cross_val_score(model, X, people["ill"], cv=3).mean() > 0.7


def test_a_copy_has_the_same_parameters(people):
    treat = Treat({"age": Shuffle()}, seed=3)

    copy = clone(treat.fit(people))

    assert copy.get_params()["treatments"] == {"age": Shuffle()}
    assert not hasattr(copy, "treatments_")


def test_what_cannot_be_done_is_refused(people):
    with pytest.raises(SpecificationError, match="expected a treatment of 'age'"):
        Treat({"age": Numeric(0, 100)}).fit(people)
    with pytest.raises(SpecificationError, match="got str"):
        Treat({"age": "shuffle"}).fit(people)
    with pytest.raises(TableError, match="no column 'aeg' to treat; did you mean 'age'"):
        Treat({"aeg": Shuffle()}).fit(people)
    with pytest.raises(TableError, match="at least one record"):
        Treat({"age": Shuffle()}).fit(people[:0])
