from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from scumble import Categorical, Numeric, Specification, disguise
from scumble.errors import DomainError
from scumble.mechanisms import GaussianNoise, RandomizedResponse, Warner
from scumble.population import (
    MixtureFit,
    Population,
    code_reports,
    em_step,
    fit_population,
    mean_log_likelihood,
    pair_tables,
)
from scumble.population._records import counted
from scumble.population._starts import known_of, start
from scumble.tables import Table

SPEC = Specification(
    {
        "age": Numeric(0, 100, mechanism=GaussianNoise(privacy=0.5)),
        "colour": Categorical(["red", "green", "blue"], mechanism=RandomizedResponse(keep=0.7)),
        "smoker": Categorical(["no", "yes"], mechanism=Warner(keep=0.75, group="health")),
        "drinker": Categorical(["no", "yes"], mechanism=Warner(keep=0.75, group="health")),
        "size": Numeric(0, 10),
        "flag": Categorical(["no", "yes"]),
    }
)
NAMES = list(SPEC)
FEW = MixtureFit(components=6, runs=1)


def _truths(n=20_000, *, seed=1):
    """Two kinds of people: all attributes depend on the kind, and so on each other."""
    rng = np.random.default_rng(seed)
    kind = rng.random(n) < 0.4
    yes = np.array(["no", "yes"])
    table = pd.DataFrame(
        {
            "age": np.where(kind, rng.beta(8, 3, n), rng.beta(3, 8, n)) * 100,
            "colour": np.where(kind, "red", rng.choice(["green", "blue"], n)),
            "smoker": yes[(rng.random(n) < np.where(kind, 0.9, 0.1)).astype(int)],
            "drinker": yes[(rng.random(n) < np.where(kind, 0.8, 0.3)).astype(int)],
            "size": np.where(kind, rng.uniform(5, 10, n), rng.uniform(0, 6, n)),
            "flag": yes[(rng.random(n) < np.where(kind, 0.7, 0.2)).astype(int)],
        }
    )
    return table, kind


def _coded(n=20_000, *, seed=1, labels=None, missing=0.0, **options):
    truths, kind = _truths(n, seed=seed)
    rng = np.random.default_rng(seed)
    reports = disguise(truths, SPEC, seed=seed)
    for name in NAMES:
        reports.loc[rng.random(n) < missing, name] = None
    given = kind.astype(np.int64) if labels is None else labels(kind, rng)
    return code_reports(Table(reports), SPEC, names=NAMES, labels=given, **options), truths, kind


@pytest.mark.parametrize("missing", [0.0, 0.3])
def test_a_step_never_lowers_the_likelihood(missing):
    reports, _, _ = _coded(3000, missing=missing)
    population = start(reports, FEW, known_of(reports, paired=False), np.random.default_rng(1))

    scores = []
    for _ in range(15):
        scores.append(mean_log_likelihood(population, reports))
        population = em_step(population, reports)

    assert (np.diff(scores) > -1e-6).all()
    assert scores[-1] > scores[0] + 0.1


def test_counts_of_parts_add_up():
    reports, _, _ = _coded(3000)
    population = start(reports, FEW, known_of(reports, paired=False), np.random.default_rng(1))

    # In one scale, that of the whole: what is compared are counts.
    whole = counted(population, reports)
    parts = [counted(population, reports.some(np.arange(k, 3000, 3))) for k in range(3)]

    for k in range(2):
        assert sum(part[k] for part in parts) == pytest.approx(whole[k], rel=1e-3, abs=1e-3)


@pytest.mark.parametrize("missing", [0.0, 0.2])
def test_marginals_are_recovered_through_every_channel(missing):
    reports, truths, _ = _coded(missing=missing)

    population = fit_population(reports, fit=FEW, seed=1)

    for name in ("colour", "smoker", "drinker", "flag"):
        values = SPEC[name].values
        true = [np.mean(truths[name] == value) for value in values]
        assert population.marginal(name) == pytest.approx(true, abs=0.03)
    age = population.cells[0]
    assert population.marginal("age") @ age.middles == pytest.approx(truths["age"].mean(), abs=1)
    size = population.cells[4]
    assert population.marginal("size") @ size.middles == pytest.approx(
        truths["size"].mean(), abs=0.2
    )


def test_attributes_hang_together_as_they_do_in_truth():
    reports, truths, _ = _coded(labels=lambda kind, rng: np.zeros(len(kind), dtype=np.int64))

    population = fit_population(reports, fit=FEW, seed=1)

    codes, _ = population.sample(50_000, seed=1)
    red, smokes = codes[:, 1] == 1, codes[:, 2] == 2
    true = np.mean((truths["colour"] == "red") & (truths["smoker"] == "yes"))
    assert np.mean(red & smokes) == pytest.approx(true, abs=0.03)
    assert np.mean(red) * np.mean(smokes) < true - 0.1


def test_the_class_is_told_from_truths_and_from_reports():
    reports, _, _ = _coded()
    population = fit_population(reports, fit=FEW, seed=1)
    others, truths, kind = _coded(5000, seed=2)
    codes = np.column_stack(
        [
            cells.codes(SPEC[name].conform(truths[name])) + 1
            for name, cells in zip(NAMES, population.cells, strict=True)
        ]
    ).astype(np.uint16)

    from_truths = population.class_probabilities(codes)
    from_reports = population.report_class_probabilities(others)

    assert np.mean(from_truths.argmax(axis=1) == kind) > 0.98
    assert np.mean(from_reports.argmax(axis=1) == kind) > 0.93
    # Probabilities that mean what they say: the mean of those of a class is its share.
    assert from_reports[:, 1].mean() == pytest.approx(kind.mean(), abs=0.02)


def test_a_disguised_class_is_fitted_through_its_channel():
    matrix = np.array([[0.7, 0.3], [0.3, 0.7]])

    def flipped(kind, rng):
        return np.where(rng.random(len(kind)) < 0.7, kind, ~kind).astype(np.int64)

    reports, _, _ = _coded(labels=flipped, label_matrix=matrix)
    population = fit_population(reports, fit=FEW, seed=1)

    others, _, kind = _coded(5000, seed=2)
    found = population.report_class_probabilities(others).argmax(axis=1)
    assert population.class_shares == pytest.approx([0.6, 0.4], abs=0.05)
    assert np.mean(found == kind) > 0.9


def test_records_without_a_class_are_learned_from_too():
    def mostly_unknown(kind, rng):
        return np.where(rng.random(len(kind)) < 0.9, -1, kind)

    reports, _, _ = _coded(labels=mostly_unknown)
    population = fit_population(reports, fit=FEW, seed=1)

    others, _, kind = _coded(5000, seed=2)
    assert np.mean(population.report_class_probabilities(others).argmax(axis=1) == kind) > 0.9


def test_a_seed_makes_it_repeatable():
    reports, _, _ = _coded(2000)

    one, two = (fit_population(reports, fit=FEW, seed=3) for _ in range(2))

    assert (one.weights == two.weights).all()
    assert all((a == b).all() for a, b in zip(one.shares, two.shares, strict=True))


def test_runs_are_averaged():
    reports, _, _ = _coded(2000)

    population = fit_population(reports, fit=MixtureFit(components=2, runs=3), seed=1)

    assert len(population) == 3 * 2 * 2
    assert population.weights.sum() == pytest.approx(1)


def test_many_attributes_do_not_leave_the_range_of_single_precision():
    n, d = 500, 120
    rng = np.random.default_rng(1)
    kind = rng.random(n) < 0.5
    table = pd.DataFrame(
        {
            f"a{j}": np.where(rng.random(n) < np.where(kind, 0.99, 0.01), "yes", "no")
            for j in range(d)
        }
    )
    spec = Specification({name: Categorical(["no", "yes"]) for name in table})
    reports = code_reports(Table(table), spec, names=list(table), labels=kind.astype(np.int64))

    population = fit_population(reports, fit=FEW, seed=1)

    assert np.isfinite(mean_log_likelihood(population, reports))
    assert np.mean(population.report_class_probabilities(reports).argmax(axis=1) == kind) == 1


def test_reports_of_another_kind_are_counted_and_not_shown():
    table = pd.DataFrame({"colour": ["red", "secret"]})

    with pytest.raises(DomainError, match="column 'colour': 1 of 2 values") as error:
        code_reports(Table(table), SPEC, names=["colour"])
    assert "secret" not in str(error.value)


def test_a_group_may_be_large():
    names = [f"a{j}" for j in range(30)]
    spec = Specification(
        {name: Categorical(["no", "yes"], mechanism=Warner(keep=0.7, group="g")) for name in names}
    )
    table = Table(pd.DataFrame({name: ["no", "yes"] for name in names}))

    reports = code_reports(table, spec, names=names)

    assert reports.codes.tolist() == [[1], [2]]
    assert reports.factors[0].size == 3


def test_what_no_class_can_have_made_has_probabilities_all_the_same():
    colour = Categorical(["red", "green", "blue"])
    sure = np.array([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])
    population = Population(
        {"a": colour, "b": colour},
        [colour, colour],
        np.array([0.75, 0.25]),
        np.array([0, 1]),
        [sure, sure],
        2,
    )

    chances = population.class_probabilities(np.array([[3, 3], [1, 2]], dtype=np.uint16))

    assert np.isfinite(chances).all()


def test_components_bound_to_their_class_are_more_alike():
    reports, _, _ = _coded(3000)

    free, bound = (
        fit_population(reports, fit=MixtureFit(components=6, runs=1, prior=prior), seed=1)
        for prior in (0.0, 1000.0)
    )

    assert bound.shares[0].std(axis=0).sum() < free.shares[0].std(axis=0).sum()


def _told(n, *, keep, groups, seed=0):
    """Return reports of five answers and a class that share coins, and the truths."""
    rng = np.random.default_rng(seed)
    kind = rng.random(n) < 0.4
    truths = {f"a{j}": rng.random(n) < np.where(kind, 0.85, 0.2 + 0.1 * j) for j in range(5)}
    table = pd.DataFrame({**truths, "class": kind})
    spec = Specification(
        {
            name: Categorical([False, True], mechanism=Warner(keep=keep, group=group))
            for name, group in zip(table, groups, strict=True)
        },
        class_attribute="class",
    )
    reports = disguise(table, spec, seed=seed)
    matrix = spec["class"].mechanism.channel(spec["class"]).matrix
    coded = code_reports(
        Table(reports.drop(columns="class")),
        spec,
        names=list(truths),
        labels=reports["class"].to_numpy().astype(np.int64),
        label_matrix=matrix,
    )
    return coded, table


@pytest.mark.parametrize("groups", ["aaaaaa", "ababab", "abcabc"], ids=["one", "two", "three"])
def test_pairs_of_reports_tell_of_the_class_through_shared_coins(groups):
    reports, table = _told(40_000, keep=0.7, groups=groups)

    for j, found in enumerate(pair_tables(reports)):
        true = pd.crosstab(table[f"a{j}"], table["class"], normalize=True).to_numpy()
        assert found == pytest.approx(true, abs=0.03)


@pytest.mark.parametrize("shared", [False, True], ids=["by class", "latent"])
@pytest.mark.parametrize("groups", ["aaaaaa", "abcabc"], ids=["one", "three"])
def test_a_class_that_shares_a_coin_is_learned(groups, shared):
    reports, table = _told(10_000, keep=0.7, groups=groups)
    fit = MixtureFit(components=2, paired=True, shared=shared, tries=3, runs=1)

    population = fit_population(reports, fit=fit, seed=1)

    truths = table.drop(columns="class").to_numpy().astype(np.uint16) + 1
    found = population.class_probabilities(truths).argmax(axis=1)
    assert reports.class_factor is not None
    assert population.class_shares[1] == pytest.approx(0.4, abs=0.06)
    assert np.mean(found == table["class"]) > 0.82  # the best rule has .87


def test_reports_without_the_class_are_as_likely_as_with_any():
    reports, _ = _told(200, keep=0.7, groups="aaabbb")
    population = fit_population(reports, fit=FEW, seed=1)
    coin = reports.factors[reports.class_factor]
    place = coin.attributes.index(5)
    codes = reports.codes.copy()
    seen = {tuple(row): code for code, row in enumerate(coin.reports.tolist())}
    other = [[*row[:place], 3 - row[place], *row[place + 1 :]] for row in coin.reports.tolist()]
    both = [
        i for i, code in enumerate(codes[:, reports.class_factor]) if tuple(other[code]) in seen
    ]
    flipped = codes[both].copy()
    flipped[:, reports.class_factor] = [
        seen[tuple(other[code])] for code in codes[both, reports.class_factor]
    ]

    one = population.report_log_likelihoods(reports.some(np.array(both)))
    two = population.report_log_likelihoods(
        replace(reports, codes=flipped, labels=np.full(len(both), -1))
    )
    without = population.report_log_likelihoods(reports.without_class().some(np.array(both)))

    assert len(both) > 20
    assert np.logaddexp(one, two) == pytest.approx(without, abs=1e-4)


def _answers(n):
    answer = Categorical(["no", "yes"], mechanism=Warner(keep=0.8))
    spec = Specification({"smoker": answer})
    labels = np.repeat([0, 1], [n - n // 4, n // 4])
    return code_reports(
        Table(pd.DataFrame({"smoker": ["no", "yes"] * (n // 2)})),
        spec,
        names=["smoker"],
        labels=labels,
    )


def test_categories_have_no_neighbours_to_be_made_alike():
    smooth, plain = (MixtureFit(smooth=own).for_records(_answers(400)) for own in (True, False))

    assert smooth == plain


def test_few_records_make_large_mixtures_small_ones():
    # 300 of the larger class: six components of fifty records.
    assert MixtureFit(components=32).for_records(_answers(400)).components == 6
    assert MixtureFit(components=4).for_records(_answers(400)).components == 4
    assert MixtureFit(components=32).for_records(_answers(8)).components == 1


def test_without_records_held_out_all_steps_are_made(monkeypatch):
    from scumble.population import _fit

    made = {0.0: 0, 0.1: 0}
    reports = code_reports(Table(_truths(500)[0][["flag"]]), SPEC, names=["flag"])
    for held_out in made:

        def stay(own, *_, held_out=held_out, **__):
            made[held_out] += 1
            return own

        monkeypatch.setattr(_fit, "em_step", stay)
        fit_population(reports, fit=replace(FEW, most=90, held_out=held_out), seed=1)

    # Nothing gets better: records held out say so after a while.
    assert made[0.0] == 90 > made[0.1]
