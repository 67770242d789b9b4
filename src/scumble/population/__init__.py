"""The joint distribution of truths and class, fitted from reports through the channels.

One model for noisy numbers, randomized categories, coins shared by a group, missing values
and clear columns: a mixture of products. Models, tests and attacks are read off it.
"""

from scumble.population._factors import Coin, Factor, Single
from scumble.population._fit import (
    MixtureFit,
    averaged,
    em_step,
    fit_population,
    mean_log_likelihood,
)
from scumble.population._population import Population
from scumble.population._reports import CodedReports, attribute_codes, code_reports

__all__ = [
    "CodedReports",
    "Coin",
    "Factor",
    "MixtureFit",
    "Population",
    "Single",
    "attribute_codes",
    "averaged",
    "code_reports",
    "em_step",
    "fit_population",
    "mean_log_likelihood",
]
