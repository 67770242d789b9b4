import pytest
from ib_rows import as_claimed, rows_of
from matplotlib import pyplot

from scumble.experiments import IbFigures, ib_claims, ib_table_text, plot_ib_similarity


def _failing(**given):
    return [claim.statement for claim in ib_claims(rows_of(**given)) if not claim.holds]


def test_all_claims_hold_where_the_rows_are_as_claimed():
    claims = ib_claims(rows_of())

    assert len(claims) == 2 * (4 + 2 + 3 + 2 + 1)
    assert [str(claim) for claim in claims if not claim.holds] == []
    assert all(claim.clear for claim in claims)


def test_a_technique_that_is_no_better_than_natural_noise_is_named():
    def recall(case):
        return 0.3 if case.method == "probabilistic" else as_claimed(case)

    assert _failing(recall=recall, datasets=["boston"]) == [
        "boston: recall of probabilistic is above that of all leaves",
        "boston: soft Jaccard of probabilistic is above that of all leaves",
        "boston: recall of probabilistic is above that of subsample",
    ]


def test_a_recall_below_the_bound_is_named():
    def recall(case):
        return as_claimed(case) - 0.16 * (case.method == "permutation")

    assert _failing(recall=recall) == [
        f"{name}: recall of permutation is at least 0.80" for name in ("boston", "breast cancer")
    ]


def test_another_root_and_a_record_that_moves_are_named():
    assert _failing(same_root=False, moved=1, datasets=["boston"]) == [
        "boston: noise on TIA keeps the root",
        "boston: noise on LIA keeps the root",
        "boston: no record leaves its leaf in the original tree",
    ]


def test_means_by_subset_are_over_repeats():
    found = IbFigures(rows_of(lambda case: 0.1 * case.subset + 0.01 * case.repeat))

    assert found.by_subset("boston", "random", "recall") == pytest.approx([0.115, 0.215, 0.315])
    assert found.values("boston", "random", "linked") == []


def test_the_table_has_a_line_for_each_method_and_table():
    lines = ib_table_text(rows_of(methods=["random", "subsample"])).splitlines()

    assert len(lines) == 2 * 3
    assert max(map(len, lines)) <= 100


def test_the_picture_has_a_panel_for_each_table():
    figure = plot_ib_similarity(rows_of())

    assert [ax.get_title() for ax in figure.axes] == ["Boston, 300", "Wisconsin, 350"]
    pyplot.close(figure)
