"""The joint distribution of truths and class, fitted from reports through the channels.

One model for noisy numbers, randomized categories, coins shared by a group, missing values
and clear columns: a mixture of products. Models, tests and attacks are read off it.
"""

from scumble.population._behind import Draws, draw_again, draw_truths
from scumble.population._boxes import Box, box_chances, component_chances, confined
from scumble.population._coin import Coin
from scumble.population._cut_cells import cut_at, in_wider
from scumble.population._drawn import DrawnFit
from scumble.population._factors import Factor, Single
from scumble.population._fit import MixtureFit, em_step, fit_population
from scumble.population._joined import JoinedReports, Reports
from scumble.population._pairs import pair_tables
from scumble.population._population import Population, averaged
from scumble.population._raked import raked
from scumble.population._records import mean_log_likelihood
from scumble.population._reports import CodedReports, OrMissing, attribute_reports, code_reports
from scumble.population._ruled import ruled

__all__ = [
    "Box",
    "CodedReports",
    "Coin",
    "DrawnFit",
    "Draws",
    "Factor",
    "JoinedReports",
    "MixtureFit",
    "OrMissing",
    "Population",
    "Reports",
    "Single",
    "attribute_reports",
    "averaged",
    "code_reports",
    "component_chances",
    "confined",
    "cut_at",
    "box_chances",
    "draw_again",
    "draw_truths",
    "em_step",
    "fit_population",
    "in_wider",
    "mean_log_likelihood",
    "pair_tables",
    "raked",
    "ruled",
]
