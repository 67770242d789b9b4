import numpy as np
import pytest
from matplotlib import pyplot
from mrr_rows import as_claimed, rows_of

from scumble.experiments import plot_mrr_figure, plot_mrr_figure_6

ROWS = rows_of(as_claimed, seeds=[1, 2])


@pytest.fixture(autouse=True)
def _closed():
    yield
    pyplot.close("all")


def test_a_figure_has_the_mean_and_the_variance_of_three_schemes_and_their_baselines():
    figure = plot_mrr_figure(ROWS, "votes")
    means, variances = figure.axes

    assert [ax.get_title() for ax in figure.axes] == ["Mean, votes", "Variance, votes"]
    assert len(means.lines) == len(variances.lines) == 3 * 2 + 1
    assert variances.get_yscale() == "log"
    names = [text.get_text() for text in figure.legends[0].get_texts()]
    assert "corrected, as published, 3 groups" in names
    assert "uncorrected, pruned, 1 group" in names
    assert names[-1] == "ID3 on truths"


def test_curves_are_broken_at_a_half():
    line = plot_mrr_figure(ROWS, "adult").axes[0].lines[0]

    x, y = line.get_data()
    assert len(x) == 14
    assert x[np.isnan(y)].tolist() == [0.5]


def test_other_methods_can_be_drawn_and_what_is_missing_is_left_out():
    rows = [row for row in ROWS if row.method in ("clean", "significance")]
    figure = plot_mrr_figure(rows, "adult", corrected="significance")

    assert len(figure.axes[0].lines) == 3 + 1


def test_figure_6_shows_a_number_for_each_scheme_and_coin():
    figure = plot_mrr_figure_6(ROWS)
    ax = figure.axes[0]

    assert len(ax.texts) == 3 * 13
    assert [label.get_text() for label in ax.get_yticklabels()] == [
        "1 group",
        "2 groups",
        "3 groups",
    ]
    assert ax.texts[0].get_text() == "95.0"
