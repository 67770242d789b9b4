import pytest
from scipy import stats

from scumble.experiments import Table1Row, as_table_1


def test_all_figures_but_one_agree_with_the_paper():
    rows = as_table_1()

    assert len(rows) == 9
    assert [(row.method, row.confidence) for row in rows if not row.agrees] == [("Gaussian", 0.999)]


def test_the_one_that_does_not_belongs_to_another_confidence():
    (row,) = [row for row in as_table_1() if not row.agrees]

    assert row.ours == pytest.approx(2 * stats.norm.ppf(0.9995))
    assert 1 - 2 * stats.norm.sf(row.paper / 2) == pytest.approx(0.99933, abs=1e-5)


@pytest.mark.parametrize(("ours", "agrees"), [(1.349, True), (1.336, True), (1.352, False)])
def test_a_figure_may_be_rounded_or_cut_off(ours, agrees):
    assert Table1Row("x", "y", 0.5, 1.34, ours).agrees is agrees
