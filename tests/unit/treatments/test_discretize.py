import numpy as np
import pandas as pd
import pytest

from scumble import Categorical, Numeric
from scumble.errors import SpecificationError, TableError
from scumble.schema import Treatment
from scumble.treatments import Discretize, Treat
from scumble.treatments._discretize import interval_labels


def _counts(treatment, values, **options):
    treated = Treat({"x": treatment}, **options).fit_transform(pd.DataFrame({"x": values}))
    return treated["x"].value_counts().to_dict()


def test_cuts_of_long_numbers_have_names_of_their_own():
    labels = interval_labels((1e15 + 3.5, 1e15 + 4.5))

    assert labels[1] == "1000000000000003.5 to 1000000000000004.5"


def test_a_number_gives_way_to_its_interval():
    assert _counts(Discretize(cuts=[2, 4]), [1, 2, 3.9, 4, 9, None]) == {
        "below 2": 1,
        "2 to 4": 2,
        "4 and above": 2,
    }


def test_missing_values_stay_missing():
    treated = Treat({"x": Discretize(cuts=[2])}).fit_transform(pd.DataFrame({"x": [1, None]}))

    assert treated["x"].isna().tolist() == [False, True]


def test_intervals_of_equal_width_span_the_declared_domain():
    treat = Treat(
        {"x": Discretize(method="width", bins=4, minimum=1)}, domains={"x": Numeric(0, 8)}
    )

    assert treat.fit(pd.DataFrame({"x": [1, 2.5, 4.5, 7]})).treatments_["x"].cuts == (2, 4, 6)


def test_intervals_of_equal_frequency_lie_between_values():
    treat = Treat({"x": Discretize(method="frequency", bins=3, minimum=1)})

    cuts = treat.fit(pd.DataFrame({"x": [1, 1, 2, 3, 5, 5]})).treatments_["x"].cuts

    assert cuts == (1.5, 4.0)


@pytest.mark.parametrize("method", ["width", "frequency"])
@pytest.mark.parametrize("minimum", [1, 7, 40])
def test_no_interval_holds_fewer_than_the_minimum(method, minimum):
    values = np.random.default_rng(0).exponential(size=100)

    counts = _counts(Discretize(method=method, bins=10, minimum=minimum), values)

    assert min(count for count in counts.values() if count) >= minimum
    assert sum(counts.values()) == 100


def test_too_few_values_for_one_group_are_refused():
    with pytest.raises(TableError, match=r"'x': expected at least 5 known values.*got 2; lower"):
        _counts(Discretize(method="width"), [1, 2, None])


def test_mdlp_needs_a_class():
    with pytest.raises(TableError, match="expected a class"):
        _counts(Discretize(method="mdlp"), range(10))


def test_other_records_are_cut_where_the_first_were():
    train = pd.DataFrame({"x": range(20), "c": [0] * 10 + [1] * 10})
    treat = Treat({"x": Discretize(method="mdlp")}, class_attribute="c").fit(train)

    assert treat.treatments_["x"].cuts == (9.5,)
    assert treat.transform(pd.DataFrame({"x": [-5, 50]}))["x"].tolist() == [
        "below 9.5",
        "9.5 and above",
    ]


def test_a_column_that_tells_nothing_becomes_one_interval():
    table = pd.DataFrame({"x": range(20), "c": [0, 1] * 10})
    treated = Treat({"x": Discretize(method="mdlp")}, class_attribute="c").fit_transform(table)

    assert set(treated["x"]) == {"any"}


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"method": "mdlp", "cuts": [1]},
        {"method": "best"},
        {"cuts": [2, 1]},
        {"cuts": [np.inf]},
        {"method": "width", "bins": 1},
        {"method": "width", "minimum": 0},
    ],
)
def test_parameters_that_make_no_sense_are_refused(options):
    with pytest.raises(SpecificationError):
        Discretize(**options)


def test_it_has_a_name_in_a_specification():
    for treatment in (Discretize(method="mdlp", minimum=9), Discretize(cuts=[1.5, 3])):
        assert Treatment.from_dict(treatment.to_dict()) == treatment
    with pytest.raises(SpecificationError, match="treats numeric or date attributes"):
        Categorical(["a", "b"], treatment=Discretize(cuts=[1]))
