"""Published tables and figures, reproduced: one file each, rows first, then a picture."""

from scumble.experiments._as_figure_2 import Figure2Panel, as_figure_2, plot_as_figure_2
from scumble.experiments._as_table_1 import Table1Row, as_table_1
from scumble.experiments._reconstruction_study import (
    NOISES,
    SHAPES,
    StudyRow,
    distance_by_case,
    mean_ratio,
    reconstruction_study,
)

__all__ = [
    "NOISES",
    "SHAPES",
    "Figure2Panel",
    "StudyRow",
    "Table1Row",
    "as_figure_2",
    "as_table_1",
    "distance_by_case",
    "mean_ratio",
    "plot_as_figure_2",
    "reconstruction_study",
]
