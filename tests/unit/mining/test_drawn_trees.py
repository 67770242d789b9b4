import numpy as np
import pyarrow as pa

from scumble import Categorical, Specification, disguise
from scumble.mechanisms import grouped
from scumble.mining._drawn_trees import drawn_trees
from scumble.population import MixtureFit, code_reports, fit_population
from scumble.tables import Table

MEMBERS = [f"member {k}" for k in range(12)]
CLEAR = Specification(
    dict.fromkeys(["key", *MEMBERS, "class"], Categorical(["n", "y"])), class_attribute="class"
)
SPEC = grouped(CLEAR, groups=1, keep=0.7, class_in="group", seed=0)


def _people(n, *, seed):
    """Return people whose class is that of one answer; a dozen others follow a party."""
    rng = np.random.default_rng([seed, 3])
    party = rng.random(n) < 0.6
    answers = {"key": party ^ (rng.random(n) < 0.2)}
    answers |= {name: party ^ (rng.random(n) < 0.25) for name in MEMBERS}
    answers["class"] = answers["key"] ^ (rng.random(n) < 0.03)
    return pa.table({name: np.where(own, "y", "n") for name, own in answers.items()})


def _coded(table, spec):
    labels = (np.array(table["class"].to_pylist()) == "y").astype(np.int64)
    names = ["key", *MEMBERS]
    matrix = np.array([[0.7, 0.3], [0.3, 0.7]]) if spec is SPEC else None
    return code_reports(Table(table), spec, names=names, labels=labels, label_matrix=matrix)


def _learned(seed):
    reports = _coded(disguise(_people(300, seed=seed), SPEC, seed=seed), SPEC)
    fit = MixtureFit(components=2, smooth=True, prior=5, paired=True, runs=1)
    return reports, fit_population(reports, fit=fit, seed=1)


def test_beside_a_mixture_that_listens_to_all_they_find_the_one_that_tells():
    ahead = []
    for seed in (1, 2, 3):
        reports, population = _learned(seed)
        test = _coded(_people(3000, seed=seed + 50), CLEAR)
        alone = population.class_probabilities(test.codes)
        both = (drawn_trees(population, reports, seed=1).chances(test.codes) + alone) / 2
        right = [(own.argmax(axis=1) == test.labels).mean() for own in (both, alone)]
        ahead.append(right[0] - right[1])

    assert min(ahead) >= 0
    assert np.mean(ahead) > 0.01


def test_a_seed_makes_them_repeatable():
    reports, population = _learned(1)
    codes, _ = population.sample(100, seed=3)

    one, two = (drawn_trees(population, reports, seed=5).chances(codes) for _ in range(2))

    assert np.array_equal(one, two)
