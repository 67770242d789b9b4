from dataclasses import replace

import numpy as np
import pyarrow as pa
import pytest

from scumble import Categorical, Numeric, Specification, disguise
from scumble.mechanisms import GaussianNoise, RandomizedResponse
from scumble.mining.fields import draw_fields
from scumble.mining.fields._axis import field_axes
from scumble.mining.leaves import Box, counted, finer, leaf_chances, rough_leaves
from scumble.population import Population, code_reports, cut_at
from scumble.tables import Table

SPEC = Specification(
    {
        "age": Numeric(0, 100, mechanism=GaussianNoise(privacy=0.5)),
        "salary": Numeric(0, 100, mechanism=GaussianNoise(privacy=0.5)),
        "town": Categorical(["a", "b", "c"], mechanism=RandomizedResponse(keep=0.8)),
        "height": Numeric(0, 100, mechanism=GaussianNoise(privacy=0.5)),
    }
)
NAMES = ["age", "salary", "town", "height"]


@pytest.fixture(scope="module")
def truths():
    """Return 30,000 people, of class 1 in town a and among the old or rich of the others."""
    rng = np.random.default_rng(3)
    columns = {name: rng.uniform(0, 100, 30_000) for name in ("age", "salary", "height")}
    columns["town"] = rng.choice(list("abc"), 30_000)
    rule = (columns["town"] == "a") | ((columns["age"] > 40) & (columns["salary"] > 60))
    return columns, rule.astype(np.int64)


@pytest.fixture(scope="module")
def model(truths):
    columns, labels = truths
    table = Table(disguise(pa.table(columns), SPEC, seed=1))
    reports = finer(code_reports(table, SPEC, names=NAMES, labels=labels))
    town, rest = Box().cut(2, (True, False, False))
    low, high = rest.cut(0, 30.0)
    return rough_leaves(counted(reports), [town, low, *high.cut(1, 75.0)])


@pytest.fixture(scope="module")
def fields(model):
    return draw_fields(model, rounds=100, seed=1)


@pytest.fixture(scope="module")
def people(model, fields):
    """Return a population whose cells no threshold parts, and 4,000 people of it."""
    reports = model.reports
    shares = [density.shares[None] for density in model.densities]
    one = Population(reports.attributes, reports.cells, np.ones(1), np.zeros(1, int), shares, 2)
    cut, _ = cut_at(one, fields.named_thresholds)
    return cut, cut.sample(4_000, seed=2)[0]


def _rule(population, codes):
    age, salary = (population.cells[j].middles[codes[:, j] - 1] for j in (0, 1))
    return ((codes[:, 2] == 1) | ((age > 40) & (salary > 60))).astype(int)


def test_rules_agree_on_what_the_reports_tell(fields, people):
    chances = fields.chances_of(*people)

    right = chances.argmax(axis=1) == _rule(*people)
    assert right.mean() > 0.97
    assert chances.max(axis=1).mean() == pytest.approx(right.mean(), abs=0.02)


def test_the_likeliest_rule_is_a_tree_of_the_same_thresholds(fields, people):
    found = fields.likeliest

    assert len(found.boxes) >= 3
    assert min(abs(at - 40) for at in found.named_thresholds["age"]) < 3
    assert min(abs(at - 60) for at in found.named_thresholds["salary"]) < 3
    alone = replace(fields, draws=[fields.best]).chances_of(*people).argmax(axis=1)
    assert np.mean(leaf_chances(found, *people).argmax(axis=1) == alone) > 0.999


def test_what_is_missing_is_told_by_the_likeliest(fields, people):
    population, codes = people
    missing = codes[:5].copy()
    missing[:, 0] = 0

    found = fields.chances_of(population, missing)

    assert found == pytest.approx(leaf_chances(fields.likeliest, population, missing))


def test_reports_with_their_class_are_likely_in_all_once(model, fields):
    """All reports of a record with all classes, one after the other, sum to one."""
    few = replace(fields, model=model, draws=fields.draws[:2])
    sizes = [range(1, factor.size) for factor in model.reports.factors[:3]]
    grid = np.array(np.meshgrid(*sizes, indexing="ij")).reshape(3, -1).T
    codes = np.column_stack((grid, np.full(len(grid), 40)))
    height = model.reports.factors[3].tables([d.shares[None] for d in model.densities])[40, 0]
    total = 0.0
    for label in (0, 1):
        labels = np.full(len(codes), label)
        reports = replace(model.reports, codes=codes.astype(np.uint16), labels=labels)
        joint, classes = few.log_scores(reports)
        assert (classes <= 1e-9).all()
        total += np.exp(joint).sum() / height

    assert total == pytest.approx(1, abs=1e-3)


def test_a_seed_makes_it_repeatable(model, fields):
    again = draw_fields(model, rounds=100, seed=1)

    assert [draw.log_posterior for draw in again.draws] == [
        draw.log_posterior for draw in fields.draws
    ]


def test_rules_are_not_those_of_the_coldest_walk_alone(model, fields, monkeypatch):
    """With the same seed the walks are the same, and every third rule is of the coldest."""
    monkeypatch.setattr("scumble.mining.fields._walk._HEARD", 1)

    cold = draw_fields(model, rounds=100, seed=1)

    assert len(cold.draws) == len(fields.draws)
    own, every = ([draw.log_posterior for draw in found.draws] for found in (cold, fields))
    assert own[::3] == every[::3]
    assert own != every


def test_more_rules_are_joined_on_the_same_axes(model, fields, people):
    """Categories stand in an order that leaves suggest; the axes of the older rules decide."""
    turned = [replace(axis, order=axis.order[::-1]) for axis in fields.axes[2:]]
    axes = [*fields.axes[:2], *turned]

    more = draw_fields(fields.likeliest, rounds=50, axes=axes, seed=2)
    both = draw_fields(fields.likeliest, rounds=50, axes=fields.axes, seed=2).joined(fields)

    assert more.axes is axes
    assert len(both.draws) == len(more.draws) + len(fields.draws)
    for found in (more, both):
        assert (found.chances_of(*people).argmax(axis=1) == _rule(*people)).mean() > 0.97


def test_an_axis_that_the_leaves_do_not_test_may_be_walked(fields, model):
    fewer = model.with_boxes(Box().cut(0, 40.0), np.array([[0.7, 0.3], [0.3, 0.7]]))

    assert len(draw_fields(fewer, rounds=12, axes=fields.axes, seed=1).best.lines) == 3


def test_what_is_kept_holds_no_reports(fields, people):
    kept = fields.without_reports()

    assert len(kept.model.reports) == len(kept.likeliest.reports) == 0
    assert np.array_equal(kept.chances_of(*people), fields.chances_of(*people))


def test_categories_stand_in_the_order_of_their_classes_however_many_share_a_leaf(model):
    boxes = Box().cut(2, (True, False, False))
    two = model.with_boxes(boxes, np.array([[0.4, 0.6], [0.6, 0.4]]))

    (axis,) = field_axes(two, most=3)

    assert axis.order.tolist() == [1, 2, 0]


def test_of_more_than_three_attributes_none_are_drawn(model):
    *kept, last = model.boxes
    more = model.with_boxes([*kept, *last.cut(3, 50.0)], np.vstack((model.chances, [[0.5, 0.5]])))

    assert draw_fields(more, rounds=10, seed=1) is None


def test_rules_of_two_walks_are_mixed_by_weight(model, fields):
    other = draw_fields(model, rounds=100, axes=fields.axes, seed=5)

    mixed = fields.mixed(other, 0.4)

    count = len(fields.draws)
    from_other = sum(any(draw is own for own in other.draws) for draw in mixed.draws)
    assert (from_other, len(mixed.draws)) == (round(0.4 * count), count)
    assert mixed.best is fields.best
    assert fields.mixed(other, 1.0).best is other.best


def test_a_class_of_hardly_anybody_does_not_lead_astray(truths):
    """Three people of each of six further classes are in no cell of the best rule."""
    columns, _ = truths
    labels = ((columns["age"] > 40) & (columns["salary"] > 60)).astype(np.int64)
    labels[:18] = np.repeat(np.arange(2, 8), 3)
    table = Table(disguise(pa.table(columns), SPEC, seed=1))
    reports = finer(code_reports(table, SPEC, names=NAMES[:2], labels=labels))
    low, high = Box().cut(0, 30.0)
    rough = rough_leaves(counted(reports), [low, *high.cut(1, 75.0)])

    found = draw_fields(rough, rounds=20, seed=1)

    assert found.best.log_posterior > -1e6
    assert set(np.unique(found.best.classes)) <= {0, 1}
