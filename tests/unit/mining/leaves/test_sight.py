import numpy as np
import pyarrow as pa
import pytest

from scumble import Categorical, Numeric, Specification, disguise
from scumble.mechanisms import GaussianNoise, Warner
from scumble.mining.leaves import (
    Box,
    Sight,
    counted,
    finer,
    only,
    own_log_scores,
    search_leaves,
    start_leaves,
    witnesses_of,
)
from scumble.mining.leaves._witnesses import Witness
from scumble.population import MixtureFit, code_reports, fit_population
from scumble.schema import Cells
from scumble.tables import Table

NOISE = GaussianNoise(privacy=1.0)
SPEC = Specification(
    {
        "salary": Numeric(0, 100, mechanism=NOISE),
        "tax": Numeric(0, 50, mechanism=NOISE),
        "clear": Numeric(0, 100, sensitivity="public"),
        "a": Categorical(["n", "y"], mechanism=Warner(keep=0.8, group="coin")),
        "b": Categorical(["n", "y"], mechanism=Warner(keep=0.8, group="coin")),
    }
)


def _truths(n=20_000, seed=1):
    rng = np.random.default_rng(seed)
    salary = rng.uniform(0, 100, n)
    rich = np.where(salary > 50, "y", "n")
    return {
        "salary": salary,
        "tax": np.where(salary > 50, salary / 2, 0.0),
        "clear": salary,
        "a": rich,
        "b": rich,
    }


def _coded(names, seed=1):
    truths = _truths(seed=seed)
    table = Table(disguise(pa.table(truths), SPEC, seed=seed))
    labels = (truths["salary"] < 50).astype(np.int64)
    return code_reports(table, SPEC, names=names, labels=labels)


def _population(reports):
    return fit_population(reports, fit=MixtureFit(components=8, runs=1), seed=1)


@pytest.fixture(scope="module")
def reports():
    return _coded(["salary", "tax"])


@pytest.fixture(scope="module")
def sight(reports):
    return Sight(reports, [0], witnesses_of(reports, [0], _population(reports)), most=40)


def test_what_a_witness_tells_is_a_channel(reports, sight):
    seen = finer(sight.of(reports))

    matrix = seen.factors[0].channel.matrix
    assert matrix.shape[1] <= 40
    assert matrix.sum(axis=1) == pytest.approx(1)
    assert len(matrix) == len(seen.cells[0]) > len(only(reports, [0]).cells[0])


def test_codes_occur_as_often_as_the_channel_says(reports, sight):
    """Total variation: .01 where salaries are uniform, .25 where the twin has half of them."""
    seen = sight.of(reports)

    counts = np.bincount(seen.codes[:, 0], minlength=seen.factors[0].size)[1:] / len(seen)
    matrix = seen.factors[0].channel.matrix
    assert np.abs(matrix.mean(axis=0) - counts).sum() / 2 < 0.05
    assert np.abs(matrix[: len(matrix) // 2].mean(axis=0) - counts).sum() / 2 > 0.2


def test_a_witness_adds_what_it_tells_of_an_attribute(reports, sight):
    fresh = _coded(["salary", "tax"], seed=7)
    start = start_leaves(counted(finer(only(reports, [0]))), list(Box().cut(0, 40.0)))
    model = search_leaves(start)

    alone = own_log_scores(model, only(fresh, [0])).mean()
    helped = own_log_scores(model.on(counted(finer(sight.of(reports)))), sight.of(fresh)).mean()

    assert helped > alone + 0.05


def test_without_witnesses_reports_are_seen_as_they_are(reports):
    seen = Sight(reports, [0], most=40).of(reports)

    assert np.array_equal(seen.codes, only(reports, [0]).codes)
    assert seen.factors[0].size == reports.factors[0].size


def test_who_reports_nothing_of_the_attribute_is_left_so(reports, sight):
    silent = reports.some(np.arange(5))
    silent.codes[:2, 0] = 0
    silent.codes[2, 1] = 0

    codes = sight.of(silent).codes[:, 0]

    assert codes[:2].tolist() == [0, 0]
    assert (codes[2:] > 0).all()


def test_an_interval_around_an_atom_is_not_taken_for_it():
    cells = Cells.between([-15.0, -5.0, 5.0, 15.0]).with_points([0.0])
    given = np.eye(4)

    found = Witness(1, 0, np.zeros(2, int), cells, np.full(4, 0.25), given).given_in(cells)

    assert np.array_equal(found, given)


def test_what_is_told_as_it_is_or_shares_a_coin_needs_no_witness():
    clear = _coded(["clear", "tax"])
    coin = _coded(["a", "b", "tax"])

    assert witnesses_of(clear, [0], _population(clear)) == []
    assert witnesses_of(coin, [0], _population(coin)) == []
