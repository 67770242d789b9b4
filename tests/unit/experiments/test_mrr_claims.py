import pytest
from mrr_rows import as_claimed, rows_of

from scumble.errors import SpecificationError
from scumble.experiments import MrrAccuracies, mrr_claims, mrr_table


def _failing(accuracy, **grid):
    return [claim for claim in mrr_claims(rows_of(accuracy, **grid)) if not claim.holds]


def test_all_claims_hold_where_the_rows_are_as_claimed():
    claims = mrr_claims(rows_of(as_claimed))

    assert len(claims) == 3 * 8 + 2 * 3 + 3 * 2
    assert [str(claim) for claim in claims if not claim.holds] == []


def _with(change):
    """Return accuracies as claimed, changed where the function returns a number."""

    def accuracy(case):
        changed = change(case) if case.method == "inversion" else None
        return as_claimed(case) + (changed or 0)

    return accuracy


def _small_end(case):
    return 0.001 if case.keep == 1 and case.groups == 2 and case.seed == 3 else 0


def test_one_repeat_that_differs_at_an_end_is_no_exactness():
    first, *_ = _failing(_with(_small_end), datasets=["adult"])

    assert first.statement == "adult: at 0 and 1 exactly the accuracy of ID3 on truths"
    assert first.ours.mean == pytest.approx(0.1)


def _bump(case):
    return 0.04 if case.keep == 0.8 and case.groups == 2 else 0


def test_a_rise_is_named_where_it_is():
    failing = {c.statement: c for c in _failing(_with(_bump), datasets=["adult"])}

    step = failing["adult: the mean falls at every step towards 0.5"]
    assert step.where == "2 groups, 0.9 to 0.8"
    assert step.ours.mean == pytest.approx(-3.7, abs=0.1)
    assert failing["adult: the mean falls with every group more"].where == "0.8, 1 to 2 groups"


def _collapse(case):
    return -0.1 if case.keep == 0.7 and case.groups == 3 else 0


def test_a_range_that_is_not_usable_is_named():
    failing = {c.statement: c for c in _failing(_with(_collapse), datasets=["votes"])}
    claim = failing["votes: two and three groups, fairly accurate up to 0.3 and from 0.7"]

    assert claim.where == "3 groups, 0.7"
    assert "votes: one group, fairly accurate up to 0.45 and from 0.55" not in failing


def _lame(case):
    return -0.2 if case.keep == 0.6 and case.groups == 1 else 0


def test_a_baseline_that_wins_is_named():
    failing = {c.statement: c for c in _failing(_with(_lame), datasets=["votes"])}

    for name in ("the same tree", "a pruned tree"):
        claim = failing[
            f"votes: where trees are usable, correction beats {name} from reports taken for truths"
        ]
        assert claim.where == "1 group, 0.6"
        assert claim.paper == "not asked"


def test_the_table_that_loses_least_is_not_the_worst():
    def robust(case):
        loss = 0.95 - as_claimed(case)
        return 0.95 - loss / 2 if case.dataset == "votes" else as_claimed(case)

    assert sum("few" in c.statement for c in _failing(robust)) == 6


def test_a_single_repeat_says_so_and_nothing_of_spreads():
    claims = mrr_claims(rows_of(as_claimed, seeds=[1], datasets=["votes"]))

    assert not any("spread" in claim.statement for claim in claims)
    assert any("on a single seed" in str(claim) for claim in claims)


def test_repeats_must_be_the_same():
    rows = rows_of(as_claimed, datasets=["votes"])

    with pytest.raises(SpecificationError, match="same seeds"):
        mrr_claims(rows[:1] + rows[2:])


def test_means_and_variances_are_over_repeats():
    found = MrrAccuracies(rows_of(as_claimed, seeds=[1, 2], datasets=["votes"]))

    # Two repeats 2 * 0.01 * harm apart; harm is 0.9 at 0.45 and two groups.
    assert found.variance("votes", "inversion", 2, 0.45) == pytest.approx(2 * 0.009**2)
    assert found.of("votes", "clean", 0, 1.0).mean == pytest.approx(95)


def test_the_table_of_figures_has_a_line_for_each_coin():
    lines = mrr_table(rows_of(as_claimed, datasets=["votes", "adult"])).splitlines()

    assert len(lines) == 1 + 2 * (1 + 4 * 13)
    assert max(map(len, lines)) <= 80
