import numpy as np
import pandas as pd
import pytest

from scumble import Categorical, Numeric, Specification
from scumble.mechanisms import GaussianNoise, RandomizedResponse, Warner
from scumble.population import Population, box_chances, code_reports, confined
from scumble.tables import Table

SPEC = Specification(
    {
        "age": Numeric(0, 100, mechanism=GaussianNoise(privacy=0.5)),
        "colour": Categorical(["red", "green", "blue"], mechanism=RandomizedResponse(keep=0.7)),
        "smoker": Categorical(["no", "yes"], mechanism=Warner(keep=0.75, group="health")),
        "drinker": Categorical(["no", "yes"], mechanism=Warner(keep=0.75, group="health")),
    }
)
NAMES = list(SPEC)
HALF = {0: np.repeat([1.0, 0.0], 5)}
TABLE = pd.DataFrame(
    {
        "age": [10.0, 60.0, 90.0, np.nan],
        "colour": ["red", "blue", None, "green"],
        "smoker": ["yes", "no", "yes", None],
        "drinker": ["yes", "yes", None, None],
    }
)


def _coded(**options):
    return code_reports(Table(TABLE), SPEC, names=NAMES, cells=10, **options)


def _population(reports, *, components=3, seed=1):
    rng = np.random.default_rng(seed)
    shares = [rng.dirichlet(np.ones(len(cells)), components) for cells in reports.cells]
    weights = rng.dirichlet(np.ones(components))
    places = np.zeros(components, dtype=np.int64)
    return Population(reports.attributes, reports.cells, weights, places, shares, 1)


def _likelihood(population, reports):
    """P(report), record by record, written out."""
    found = np.zeros(len(reports))
    tables = [factor.tables(population.shares) for factor in reports.factors]
    for i, codes in enumerate(reports.codes):
        each = population.weights.copy()
        for table, code in zip(tables, codes, strict=True):
            each *= table[code]
        found[i] = each.sum()
    return found


BOXES = [
    HALF,
    {0: np.linspace(0, 1, 10), 2: np.array([0.0, 1.0])},
    {1: np.array([1.0, 0.0, 1.0]), 3: np.array([1.0, 0.0])},
    {},
]


@pytest.mark.parametrize("missing_cells", [False, True])
def test_a_chance_is_the_likelihood_inside_over_the_whole(missing_cells):
    reports = _coded()
    if missing_cells:
        reports = _coded(missing_cells=True)
        boxes = [{j: np.append(0.5, inside) for j, inside in box.items()} for box in BOXES]
    else:
        boxes = BOXES
    population = _population(reports)

    chances = box_chances(population, reports, boxes)

    whole = _likelihood(population, reports)
    for box, column in zip(boxes, chances.T, strict=True):
        inside = _likelihood(confined(population, box), reports)
        np.testing.assert_allclose(column, inside / whole, rtol=1e-4)


def test_chances_of_a_box_and_of_the_rest_sum_to_one():
    reports = _coded()
    rest = {0: 1 - HALF[0]}

    chances = box_chances(_population(reports), reports, [HALF, rest])

    np.testing.assert_allclose(chances.sum(axis=1), 1, rtol=1e-5)


def test_blocks_make_no_difference(monkeypatch):
    reports = _coded()
    whole = box_chances(_population(reports), reports, BOXES)

    monkeypatch.setattr("scumble.population._boxes._BLOCK", 3)

    np.testing.assert_allclose(box_chances(_population(reports), reports, BOXES), whole)


def test_missing_is_a_truth_with_a_cell_of_its_own():
    reports = _coded(missing_cells=True)
    box = {0: np.append(1.0, np.zeros(10))}

    chances = box_chances(_population(reports), reports, [box])

    assert [len(cells) for cells in reports.cells] == [11, 4, 3, 3]
    np.testing.assert_allclose(chances.ravel(), [0, 0, 0, 1], atol=1e-6)


def test_without_missing_reports_there_is_no_such_cell():
    whole = TABLE.dropna()

    reports = code_reports(Table(whole), SPEC, names=NAMES, cells=10, missing_cells=True)

    assert [len(cells) for cells in reports.cells] == [10, 3, 2, 2]


def test_no_clear_cell_has_values_on_both_sides_of_a_cut():
    values = np.random.default_rng(1).uniform(0, 10, 1000)
    spec = Specification({"size": Numeric(0, 10)})
    cuts = np.array([3.3, values.max(), np.inf])
    reports = code_reports(
        Table(pd.DataFrame({"size": values})), spec, names=["size"], cuts={"size": cuts[:2]}
    )

    codes = reports.codes[:, 0]

    for cut in cuts[:2]:
        assert not set(codes[values < cut]) & set(codes[values >= cut])
