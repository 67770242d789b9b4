"""Functions 4 and 5 with their constants left open: income against loan and house."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scumble.experiments._limit_reports import FloatArray, Seen
from scumble.experiments._limit_rules import Rule

_K = 1_000.0
_LOAN_HIGH = 500 * _K
_HOUSE_WIDTH = 50 * _K
_YEAR_WIDTH = 0.5
# House value times years; closer together near none.
_EQUITY_KNOTS = 14_000 * _K * np.linspace(0, 1, 25) ** 2
# Equity beyond these many years only: what is paid off before counts nothing.
_FIRST_YEAR = 15.0


class IncomeRule(Rule):
    """Function 4: group A where salary + commission > constant + weight * loan.

    The function is 0.67 (salary + commission) - 0.2 loan - 10,000 > 0; only two of its
    three numbers matter, since all can be scaled.

    Examples
    --------
    >>> rule = IncomeRule()
    >>> rule.constants.round(3).tolist(), round(rule.prior(rule.constants), 2)
    ([14925.373, 0.299], 0.59)
    """

    attributes: tuple[str, ...] = ("salary", "commission", "loan")
    related: tuple[str, ...] = ()
    width = 2.5 * _K

    def __init__(self) -> None:
        self.constants = np.array([10 * _K, 0.2]) / 0.67
        self.ranges = np.array([50 * _K, 0.5])

    def share(self, seen: Mapping[str, Seen], constants: FloatArray) -> FloatArray:
        incomes, weights = _income_law(seen, self.width)
        equities, shares = self._equity_law(seen, constants)
        inside = np.zeros(len(weights))
        for equity, portion in zip(equities, shares.T, strict=True):
            most = (incomes + equity - constants[0]) / constants[1]
            below = seen["loan"].between(0.0, np.clip(most, 0, _LOAN_HIGH)[None, :])
            inside += portion * (weights * below).sum(axis=1)
        total = weights.sum(axis=1) * shares.sum(axis=1)
        return np.asarray(inside / (total * seen["loan"].between(0.0, _LOAN_HIGH)[:, 0]))

    def _equity_law(
        self, seen: Mapping[str, Seen], constants: FloatArray
    ) -> tuple[FloatArray, FloatArray]:
        """Return what a house may add to the income, and how likely that makes the reports."""
        return np.zeros(1), np.ones((1, 1))

    def in_a(self, columns: Mapping[str, NDArray[Any]], constants: FloatArray) -> NDArray[np.bool_]:
        score = columns["salary"] + columns["commission"] + self._equity(columns, constants)
        return np.asarray(score > constants[0] + constants[1] * columns["loan"])

    def _equity(self, columns: Mapping[str, NDArray[Any]], constants: FloatArray) -> Any:
        return 0.0


class EquityRule(IncomeRule):
    """Function 5: as function 4, with a weight on the equity of the house added.

    Four constants: that and the weight of the loan, the weight of the equity, and the
    years after which it grows.

    Examples
    --------
    >>> rule = EquityRule()
    >>> rule.constants.round(3).tolist(), round(rule.prior(rule.constants), 2)
    ([14925.373, 0.299, 0.03, 20.0], 0.68)
    """

    attributes = ("salary", "commission", "loan", "hvalue", "zipcode", "hyears")
    related = ("zipcode",)
    sample = 10_000
    width = 5 * _K

    def __init__(self) -> None:
        self.constants = np.array([*np.array([10 * _K, 0.2, 0.02]) / 0.67, 20.0])
        self.ranges = np.array([50 * _K, 0.5, 0.05, 10.0])

    def _equity_law(
        self, seen: Mapping[str, Seen], constants: FloatArray
    ) -> tuple[FloatArray, FloatArray]:
        houses, of_house = _house_law(seen)
        starts = np.arange(_FIRST_YEAR, 30, _YEAR_WIDTH)
        of_years = seen["hyears"].between(starts[None, :], starts[None, :] + _YEAR_WIDTH)
        grown = np.maximum(starts + _YEAR_WIDTH / 2 - constants[3], 0.0)
        equities = np.multiply.outer(houses, grown).ravel()
        joint = (of_house[:, :, None] * of_years[:, None, :]).reshape(len(of_house), -1)
        shares = joint @ _between_knots(equities)
        shares[:, 0] += of_house.sum(axis=1) * seen["hyears"].between(1.0, _FIRST_YEAR)[:, 0]
        return constants[2] * _EQUITY_KNOTS, shares

    def _equity(self, columns: Mapping[str, NDArray[Any]], constants: FloatArray) -> Any:
        years = np.maximum(columns["hyears"] - constants[3], 0.0)
        return constants[2] * columns["hvalue"] * years


def _income_law(seen: Mapping[str, Seen], width: float) -> tuple[FloatArray, FloatArray]:
    """Return incomes on a grid, and for each how likely it makes the reports.

    Commission is uniform below a salary of 75,000 and none from there on.
    """
    low, high = np.arange(20 * _K, 75 * _K, width), np.arange(75 * _K, 150 * _K, width)
    paid = np.arange(10 * _K, 75 * _K, width)
    salaries = seen["salary"].between(low[None, :], low[None, :] + width)
    commissions = seen["commission"].between(paid[None, :], paid[None, :] + width) / (65 * _K)
    together = np.zeros((len(salaries), len(low) + len(paid) - 1))
    for j in range(len(low)):
        together[:, j : j + len(paid)] += salaries[:, j, None] * commissions
    alone = seen["salary"].between(high[None, :], high[None, :] + width)
    alone = alone * seen["commission"].at(0.0)
    sums = low[0] + paid[0] + width * (1 + np.arange(together.shape[1]))
    return np.concatenate([sums, high + width / 2]), np.concatenate([together, alone], axis=1)


def _house_law(seen: Mapping[str, Seen]) -> tuple[FloatArray, FloatArray]:
    """Return values of houses on a grid, and for each how likely it makes the reports.

    Given the zip code k, a value is uniform on 50,000 k to 150,000 k.
    """
    starts = np.arange(50 * _K, 1_350 * _K, _HOUSE_WIDTH)
    zips = np.arange(1, 10)
    possible = (starts >= 50 * _K * zips[:, None]) & (starts < 150 * _K * zips[:, None])
    of_zip = seen["zipcode"].at(zips[None, :].astype(float))
    of_value = seen["hvalue"].between(starts[None, :], starts[None, :] + _HOUSE_WIDTH)
    return starts + _HOUSE_WIDTH / 2, of_value * (of_zip @ (possible / zips[:, None]))


def _between_knots(values: FloatArray) -> FloatArray:
    """Return a matrix that parts each value's mass among the knots on both sides.

    The mean is kept, and the masses are continuous in the value: a constant can be
    differentiated by.
    """
    right = np.clip(np.searchsorted(_EQUITY_KNOTS, values), 1, len(_EQUITY_KNOTS) - 1)
    gap = _EQUITY_KNOTS[right] - _EQUITY_KNOTS[right - 1]
    portion = (values - _EQUITY_KNOTS[right - 1]) / gap
    matrix = np.zeros((len(values), len(_EQUITY_KNOTS)))
    matrix[np.arange(len(values)), right] = portion
    matrix[np.arange(len(values)), right - 1] = 1 - portion
    return matrix
