"""Figure 2 of Agrawal and Srikant: two shapes, two noises, the shape recovered."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from scumble._disguise import disguise
from scumble.datasets import PLATEAU, TRIANGLES, PiecewiseLinear
from scumble.mechanisms import GaussianNoise, UniformNoise
from scumble.reconstruction import MethodName, Reconstruction, reconstruct
from scumble.schema import Mechanism, Numeric, Specification, with_mechanism

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_SHAPES = {"plateau": PLATEAU, "triangles": TRIANGLES}
_NOISES: dict[str, Mechanism] = {
    "Gaussian": GaussianNoise(sd=0.25),
    "uniform": UniformNoise(half_width=0.5),
}
_CELLS = 20


@dataclass(frozen=True, eq=False)
class Figure2Panel:
    """One panel: a shape, a noise, and how far from the truth each line lies.

    Attributes
    ----------
    shape, noise : str
        What was disguised, and by what.
    reported_distance, recovered_distance : float
        The Wasserstein distance between the reports, or the recovered distribution,
        and the truths.
    truth : array
        The truths behind the panel.
    recovered : Reconstruction
        What was recovered from the reports.
    """

    shape: str
    noise: str
    reported_distance: float
    recovered_distance: float
    truth: NDArray[np.float64]
    recovered: Reconstruction

    @property
    def gain(self) -> float:
        """How many times nearer to the truth the recovered distribution is."""
        return self.reported_distance / self.recovered_distance


def as_figure_2(
    *, n: int = 100_000, seed: int | None = None, method: MethodName = "auto"
) -> list[Figure2Panel]:
    """Return the four panels of Figure 2.

    Parameters
    ----------
    n : int
        The number of records; the paper does not state its own.
    seed : int, optional
        Makes the panels repeatable.
    method : str
        How to reconstruct; "bayes" is the paper's own.

    Examples
    --------
    >>> from scumble.experiments import as_figure_2
    >>> panels = as_figure_2(n=50_000, seed=1)
    >>> [panel.shape for panel in panels]
    ['plateau', 'triangles', 'plateau', 'triangles']
    >>> all(panel.gain > 3 for panel in panels)
    True
    """
    return [
        _panel(shape, noise, n=n, seed=seed, method=method)
        for noise in _NOISES
        for shape in _SHAPES
    ]


def _panel(shape: str, noise: str, *, n: int, seed: int | None, method: MethodName) -> Figure2Panel:
    law: PiecewiseLinear = _SHAPES[shape]
    domain = with_mechanism(Numeric(0, 1), _NOISES[noise])
    spec = Specification({"x": domain})
    truth = law.sample(n, seed=seed)
    reports = disguise(truth[:, None], spec, seed=seed)[:, 0]
    recovered = reconstruct(reports, domain, cells=_CELLS, method=method)
    # With equally many values the distance of two samples is that of their ranks.
    reported_distance = float(np.abs(np.sort(reports) - np.sort(truth)).mean())
    return Figure2Panel(
        shape, noise, reported_distance, recovered.wasserstein(truth), truth, recovered
    )


def plot_as_figure_2(panels: list[Figure2Panel]) -> "Figure":
    """Draw the panels as in the paper: original, randomized, reconstructed."""
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(2, 2, figsize=(10, 6.5), layout="constrained", sharex=True)
    for letter, panel, ax in zip("abcd", panels, axes.flat, strict=True):
        panel.recovered.plot(truth=panel.truth, ax=ax)
        ax.set_title(
            f"({letter}) {panel.noise} noise, {panel.shape}: {panel.gain:.0f} times nearer",
            fontsize=10,
        )
        ax.set_xlim(-0.75, 1.75)
    return figure
