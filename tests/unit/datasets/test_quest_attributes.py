"""Values of the Quest attributes: domains, rules and laws.

Statistical checks draw fresh records, n fixed, alpha = 1e-6 each.
"""

from typing import Any

import numpy as np
import pytest
from scipy import stats

from scumble.datasets import QUEST_DOMAINS, make_quest

ALPHA = 1e-6
N = 50_000
LAWS = ["uniform", "skewed", "dependent"]
CONTINUOUS = ["salary", "age", "hyears", "loan"]
INTEGER = ["elevel", "car", "zipcode"]


def drawn(law: str) -> dict[str, Any]:
    X, _ = make_quest(n=N, attributes=law, balanced=False)
    return {name: X[name].to_numpy() for name in X.column_names}


def p_uniform(name: str, values: Any) -> float:
    domain = QUEST_DOMAINS[name]
    return float(stats.kstest(values, stats.uniform(domain.low, domain.width).cdf).pvalue)


def p_equal_counts(name: str, values: Any) -> float:
    low, high = int(QUEST_DOMAINS[name].low), int(QUEST_DOMAINS[name].high)
    return float(stats.chisquare(np.bincount(values - low, minlength=high - low + 1)).pvalue)


@pytest.mark.parametrize("law", LAWS)
def test_values_stay_in_their_domains(law: str) -> None:
    for name, values in drawn(law).items():
        domain = QUEST_DOMAINS[name]
        assert ((domain.low <= values) & (values <= domain.high)).all(), name


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("name", INTEGER)
def test_every_integer_of_a_domain_occurs(law: str, name: str) -> None:
    # Car 1 is so rare in the skewed law, 2.7e-4, that it could be missed; every other
    # value is expected at least 90 times.
    low, high = int(QUEST_DOMAINS[name].low), int(QUEST_DOMAINS[name].high)
    expected = set(range(low, high + 1))
    seen = set(drawn(law)[name].tolist())
    assert seen <= expected
    assert seen >= expected - ({1} if name == "car" else set())


@pytest.mark.parametrize("law", LAWS)
def test_commission_is_paid_below_a_salary_of_75000_only(law: str) -> None:
    table = drawn(law)
    rich = table["salary"] >= 75_000
    assert 0 < rich.sum() < N
    assert (table["commission"][rich] == 0).all()
    assert (table["commission"][~rich] >= 10_000).all()
    assert (table["commission"][~rich] <= 75_000).all()


@pytest.mark.parametrize("law", LAWS)
def test_a_house_is_worth_half_to_one_and_a_half_of_its_zip_codes_value(law: str) -> None:
    table = drawn(law)
    relative = table["hvalue"] / (100_000 * table["zipcode"])
    assert ((relative >= 0.5) & (relative <= 1.5)).all()


@pytest.mark.parametrize("law", ["uniform", "dependent"])
def test_marginal_laws_are_uniform(law: str) -> None:
    table = drawn(law)
    assert all(p_uniform(name, table[name]) > ALPHA for name in CONTINUOUS)
    assert all(p_equal_counts(name, table[name]) > ALPHA for name in INTEGER)
    relative = table["hvalue"] / (100_000 * table["zipcode"]) - 0.5
    paid = table["commission"][table["salary"] < 75_000]
    if law == "uniform":
        assert stats.kstest(relative, "uniform").pvalue > ALPHA
    assert stats.kstest((paid - 10_000) / 65_000, "uniform").pvalue > ALPHA


def test_skewed_attributes_follow_their_beta_laws() -> None:
    table = drawn("skewed")
    shapes = {"salary": (2, 4), "age": (2, 3), "hyears": (1.5, 3), "loan": (1.5, 4)}
    for name, shape in shapes.items():
        domain = QUEST_DOMAINS[name]
        scores = (table[name] - domain.low) / domain.width
        assert stats.kstest(scores, stats.beta(*shape).cdf).pvalue > ALPHA, name
    relative = table["hvalue"] / (100_000 * table["zipcode"]) - 0.5
    assert stats.kstest(relative, stats.beta(2, 5).cdf).pvalue > ALPHA


def test_skewed_attributes_are_far_from_uniform() -> None:
    # The twin of the uniformity check: the same tests, which must reject here. The
    # nearest law, Beta(2, 3), lies 0.22 from uniform; at n = 50,000 the critical
    # distance is 0.012.
    table = drawn("skewed")
    assert all(p_uniform(name, table[name]) < ALPHA for name in CONTINUOUS)
    assert all(p_equal_counts(name, table[name]) < ALPHA for name in INTEGER)


DEPENDENT_PAIRS = {
    ("salary", "age"): 0.4,
    ("salary", "loan"): 0.4,
    ("age", "hyears"): 0.5,
    ("age", "loan"): 0.0,
    ("salary", "hyears"): 0.0,
}


@pytest.mark.parametrize(("pair", "correlation"), DEPENDENT_PAIRS.items())
def test_dependent_attributes_have_the_documented_correlations(
    pair: tuple[str, str], correlation: float
) -> None:
    # The rank correlation of a Gaussian copula; its standard error is at most that of
    # independent pairs, n^-1/2, and 4.9 of them are left with probability 1e-6.
    table = drawn("dependent")
    expected = 6 / np.pi * np.arcsin(correlation / 2)
    rho = stats.spearmanr(table[pair[0]], table[pair[1]]).statistic
    assert abs(rho - expected) < 4.9 / np.sqrt(N)


@pytest.mark.parametrize(
    "pair",
    [("salary", "elevel"), ("salary", "zipcode"), ("salary", "car"), ("loan", "hvalue")],
)
def test_dependence_reaches_integers_and_house_values(pair: tuple[str, str]) -> None:
    table, twin = drawn("dependent"), drawn("uniform")
    assert stats.spearmanr(table[pair[0]], table[pair[1]]).statistic > 0.2
    assert abs(stats.spearmanr(twin[pair[0]], twin[pair[1]]).statistic) < 4.9 / np.sqrt(N)


def test_domains_declare_steps_and_atoms() -> None:
    steps = [name for name, domain in QUEST_DOMAINS.items() if domain.step == 1]
    assert steps == INTEGER
    assert QUEST_DOMAINS["commission"].atoms == (0.0,)
    assert (QUEST_DOMAINS["hvalue"].low, QUEST_DOMAINS["hvalue"].high) == (50_000, 1_350_000)
