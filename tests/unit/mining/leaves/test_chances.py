import numpy as np
import pyarrow as pa
import pytest

from scumble import Categorical, Numeric, Specification
from scumble.mechanisms import GaussianNoise, Warner
from scumble.mining.leaves import Box, counted, leaf_chances
from scumble.mining.leaves._model import one_leaf
from scumble.population import Population, code_reports, cut_at
from scumble.tables import Table

SPEC = Specification(
    {
        "smoker": Categorical(["no", "yes"], mechanism=Warner(keep=0.8)),
        "age": Numeric(0, 100, mechanism=GaussianNoise(privacy=0.5)),
    }
)


@pytest.fixture
def model():
    """Smokers are of class 1 from 33 on, others never."""
    table = Table(pa.table({"smoker": ["no", "yes"] * 50, "age": np.linspace(0, 99, 100)}))
    labels = np.tile([0, 1], 50)
    reports = code_reports(table, SPEC, names=["smoker", "age"], labels=labels)
    others, smokers = Box().cut(0, (True, False))
    boxes = [others, *smokers.cut(1, 33.0)]
    return one_leaf(counted(reports)).with_boxes(boxes, np.array([[1, 0], [1, 0], [0.25, 0.75]]))


@pytest.fixture
def population():
    """Return people whose attributes stand in another order than the model has them."""
    age, smoker = SPEC["age"], SPEC["smoker"]
    return Population(
        {"age": age, "smoker": smoker},
        [age.cells(10), smoker],
        np.array([0.5, 0.5]),
        np.array([0, 1]),
        [np.full((2, 10), 0.1), np.full((2, 2), 0.5)],
        2,
    )


def test_a_truth_has_the_chances_of_its_leaf(model, population):
    codes = np.array([[10, 1], [1, 2], [10, 2]], dtype=np.uint16)

    assert leaf_chances(model, population, codes).tolist() == [[1, 0], [1, 0], [0.25, 0.75]]


def test_a_cell_that_is_parted_has_a_share_of_both_and_none_is_once_it_is_cut(model, population):
    parted = np.array([[4, 2]], dtype=np.uint16)  # from 30 to 40

    assert leaf_chances(model, population, parted)[0, 1] == pytest.approx(0.7 * 0.75)
    cut, _ = cut_at(population, model.named_thresholds)
    both = np.array([[4, 2], [5, 2]], dtype=np.uint16)
    assert leaf_chances(model, cut, both)[:, 1].tolist() == [0, 0.75]


def test_what_is_missing_lies_in_each_leaf_as_often_as_people_do(model, population):
    young = model.confined(model.boxes[1], [1])[1].sum()

    chances = leaf_chances(model, population, np.array([[0, 2]], dtype=np.uint16))

    assert chances[0, 1] == pytest.approx((1 - young) * 0.75)


def test_thresholds_are_named_by_attribute(model):
    assert model.named_thresholds == {"age": [33.0]}
