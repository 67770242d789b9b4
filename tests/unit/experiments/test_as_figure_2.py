import numpy as np
import pytest
from matplotlib import pyplot

from scumble.experiments import as_figure_2, plot_as_figure_2


@pytest.fixture(scope="module")
def panels():
    return as_figure_2(n=50_000)


def test_the_panels_are_those_of_the_paper(panels):
    assert [(panel.noise, panel.shape) for panel in panels] == [
        ("Gaussian", "plateau"),
        ("Gaussian", "triangles"),
        ("uniform", "plateau"),
        ("uniform", "triangles"),
    ]
    assert all(len(panel.recovered.cells) == 20 for panel in panels)


def test_the_recovered_shape_is_several_times_nearer(panels):
    """Fresh noise each run. In 150 runs the least gain of a panel was 4.7, the least
    mean of four 16; their means are 13, 10, 43 and 26."""
    assert all(panel.gain > 3 for panel in panels)
    assert np.mean([panel.gain for panel in panels]) > 8


def test_the_published_method_is_nearer_too():
    """In 60 runs the least gain was 2.3."""
    assert all(panel.gain > 1.5 for panel in as_figure_2(n=50_000, method="bayes"))


def test_the_picture_has_four_panels(panels):
    figure = plot_as_figure_2(panels)

    assert len(figure.axes) == 4
    pyplot.close(figure)
