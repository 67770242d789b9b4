from matplotlib import pyplot

from scumble.experiments import LimitRow, TreeRow, plot_information_limit


def test_the_picture_has_a_panel_for_each_function_and_the_limits_dashed():
    limits = [
        LimitRow(function, noise, privacy, 1000, 0.99)
        for function in (1, 2, 3, 4)
        for noise in ("gaussian", "uniform")
        for privacy in (0.5, 1.0)
    ]
    rows = [TreeRow(1, "ByClass", "uniform", p, 1, 1000, 0.9, 5, 0.1) for p in (0.5, 1.0)]
    figure = plot_information_limit(rows, limits)

    assert [ax.get_title() for ax in figure.axes] == [f"Function {f}" for f in (1, 2, 3, 4)]
    assert [line.get_linestyle() for line in figure.axes[1].lines] == ["--", "--"]
    assert "ByClass, uniform" in figure.axes[0].get_legend_handles_labels()[1]
    pyplot.close(figure)


def test_algorithms_that_are_not_asked_for_are_not_drawn():
    limits = [LimitRow(1, noise, 1.0, 1000, 0.99) for noise in ("gaussian", "uniform")]
    rows = [
        TreeRow(1, algorithm, "uniform", 1.0, 1, 1000, 0.9, 5, 0.1)
        for algorithm in ("ByClass", "Local")
    ]
    figure = plot_information_limit(rows, limits, algorithms=["Local"])

    labels = figure.axes[0].get_legend_handles_labels()[1]
    assert sorted(labels) == ["Local, uniform", "limit, Gaussian", "limit, uniform"]
    pyplot.close(figure)
