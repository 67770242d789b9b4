import pytest
from matplotlib import pyplot

from scumble.experiments import (
    TreeRow,
    as_figure_6,
    as_figure_6_claims,
    plot_as_figure_6,
    tree_cases,
)

LEVELS = [0.1, 0.25, 0.5, 1.0, 1.5, 2.0]


def _rows(accuracy, *, functions=(1, 2, 3, 5)):
    """Return rows whose accuracy is a function of algorithm, noise and privacy."""
    cases = tree_cases(
        functions=functions,
        algorithms=["Original", "Local", "ByClass", "Randomized"],
        privacies=LEVELS,
        seeds=[1, 2],
    )
    return [
        TreeRow(c.function, c.algorithm, c.noise, c.privacy, c.seed, c.n,
            accuracy(c.algorithm, c.noise, c.privacy), 3, 0.1)
        for c in cases
    ]  # fmt: skip


def _as_claimed(algorithm, noise, privacy):
    loss = {"Original": 0.0, "Local": 0.05, "ByClass": 0.05, "Randomized": 0.1}[algorithm]
    return 0.95 - loss * privacy * (2 if (algorithm, noise) == ("Randomized", "uniform") else 1)


@pytest.fixture(scope="module")
def rows():
    return as_figure_6(functions=[1], seeds=[1], n=2000)


def test_the_rows_run_from_10_to_200_percent(rows):
    assert len(rows) == 1 + 6 * 2 * 3
    assert sorted({row.privacy for row in rows}) == [0.0, *LEVELS]
    assert {row.algorithm for row in rows} == {"Original", "Local", "ByClass", "Randomized"}


def test_the_file_of_figure_5_serves_again(tmp_path, monkeypatch):
    """Original, and three algorithms at 25 and 100 %, are in both figures."""
    from scumble.experiments import as_figure_5
    from scumble.mining import DisguisedTreeClassifier

    options = {"functions": [1], "seeds": [1], "n": 500, "resume": tmp_path / "rows"}
    as_figure_5(**options)
    fit, made = DisguisedTreeClassifier.fit, []

    def counted(self, X, y):
        made.append(self)
        return fit(self, X, y)

    monkeypatch.setattr(DisguisedTreeClassifier, "fit", counted)
    rows = as_figure_6(**options)

    assert len(rows) - len(made) == 1 + 2 * 2 * 3


def test_all_claims_hold_where_the_rows_are_as_claimed():
    claims = as_figure_6_claims(_rows(_as_claimed))

    assert len(claims) == 5 * 4
    assert all(claim.holds for claim in claims)


def _steep(algorithm, noise, privacy):
    return 0.95 - (0.15 * privacy if algorithm == "ByClass" else 0)


def test_trees_far_from_original_fail_where_they_are_far():
    claims = as_figure_6_claims(_rows(_steep, functions=[1]))

    assert [(c.statement, c.where) for c in claims if not c.holds][:2] == [
        ("function 1: corrected trees come near Original at 50 %", "ByClass, gaussian, 50 %"),
        (
            "function 1: corrected trees come near Original up to 200 %",
            "ByClass, gaussian, 200 %",
        ),
    ]


def test_noises_that_part_after_correction_fail_at_the_widest():
    def parting(algorithm, noise, privacy):
        gain = 0.06 * privacy if (algorithm, noise) == ("ByClass", "uniform") else 0
        return _as_claimed(algorithm, noise, privacy) + gain

    (failing,) = [c for c in as_figure_6_claims(_rows(parting, functions=[1])) if not c.holds]

    assert failing.where == "ByClass, gaussian less uniform, 200 %"
    assert failing.ours.mean == pytest.approx(-12)


def test_the_picture_has_a_panel_for_each_function():
    figure = plot_as_figure_6(_rows(_as_claimed))

    titles = [ax.get_title() for ax in figure.axes]
    assert titles == ["Function 1", "Function 2", "Function 3", "Function 5"]
    pyplot.close(figure)


def test_every_column_of_the_picture_ends_in_a_labelled_axis():
    figure = plot_as_figure_6(_rows(_as_claimed, functions=[1, 2, 3]))

    assert [bool(ax.get_xlabel()) for ax in figure.axes] == [False, True, True]
    pyplot.close(figure)


def test_local_can_be_drawn_instead(rows):
    figure = plot_as_figure_6(rows, corrected="Local")

    assert figure.legends[0].get_texts()[1].get_text() == "Local, Gaussian"
    pyplot.close(figure)


def test_a_panel_has_four_curves_and_original_as_a_line(rows):
    figure = plot_as_figure_6(rows)
    (ax,), (legend,) = figure.axes, figure.legends

    assert [text.get_text() for text in legend.get_texts()] == [
        "Original",
        "ByClass, Gaussian",
        "ByClass, uniform",
        "Randomized, Gaussian",
        "Randomized, uniform",
    ]
    assert len(ax.containers) == 4
    assert "privacy" in ax.get_xlabel()
    assert "accuracy" in ax.get_ylabel()
    pyplot.close(figure)
