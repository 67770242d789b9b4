"""How accurate could the best miner be? The information limit of functions 1 to 5."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from types import MappingProxyType

import numpy as np

from scumble.errors import SpecificationError
from scumble.experiments._limit_diagonal import EquityRule, IncomeRule
from scumble.experiments._limit_inference import (
    Evidence,
    accuracy_of,
    information_at,
    most_likely_constants,
    quest_columns,
)
from scumble.experiments._limit_rules import Rule, box_rule
from scumble.experiments._tree_accuracy import NoiseName

_RULES: Mapping[int, Callable[[], Rule]] = MappingProxyType(
    {
        1: lambda: box_rule(1),
        2: lambda: box_rule(2),
        3: lambda: box_rule(3),
        4: IncomeRule,
        5: EquityRule,
    }
)
_NOISES: tuple[NoiseName, ...] = ("gaussian", "uniform")
_TEST_RECORDS = 200_000
_ESTIMATES = 200


@dataclass(frozen=True)
class LimitRow:
    """A disguise and how accurate the best miner can be.

    Attributes
    ----------
    function : int
        Which Quest function defines the classes, 1 to 5.
    noise : {"gaussian", "uniform"}
        What disguises the attributes.
    privacy : float
        The width of the 95 % interval as a share of each range.
    n : int
        The number of training records, half of each class.
    limit : float
        The expected share of test records, half of each class, that is put right.

    Examples
    --------
    >>> from scumble.experiments import LimitRow
    >>> LimitRow(1, "gaussian", 1.0, 100_000, limit=0.995).limit
    0.995
    """

    function: int
    noise: NoiseName
    privacy: float
    n: int
    limit: float

    def __post_init__(self) -> None:
        _check(self.function, self.noise, self.privacy)


def information_limit(
    function: int,
    *,
    noise: NoiseName,
    privacy: float,
    n: int = 100_000,
    related: bool = True,
    seed: int = 0,
) -> LimitRow:
    """Return how accurate a miner can be who lacks nothing but the constants of the rule.

    Parameters
    ----------
    function : int
        The Quest function, 1 to 5.
    noise : {"gaussian", "uniform"}
        What disguises every attribute.
    privacy : float
        The width of the 95 % interval as a share of each range.
    n : int
        The number of training records.
    related : bool
        Whether the miner also uses attributes that the rule does not look at, but that
        depend on those that it does: commission tells of salary, zip code of the house.
    seed : int
        Of the records that the information is averaged over.

    Examples
    --------
    >>> from scumble.experiments import information_limit
    >>> row = information_limit(1, noise="gaussian", privacy=1.0)
    >>> 0.993 < row.limit < 0.997
    True

    Notes
    -----
    *What the miner knows:* the channel, the distribution of the attributes, that
    classes are balanced, and the form of the rule. *What has to be learned:* the two
    bounds of age, and both ends of salary in every box (functions 1 to 3: 2, 8 and 14
    constants); the constant and the weight of the loan (function 4), also the weight
    of the equity and the years after which it grows (function 5). No real miner knows
    so much: a tree has to find the form too, and has no oblique boundaries.

    *How:* the Fisher information I of the constants is averaged over generated
    reports; the best estimates are then distributed as N(constants, 1 / (n I)), and
    draws from this are tested. To first order the loss is the sum over constants of
    E|error| times the density of test records at the boundary.

    *Uniform noise* gives likelihoods with edges, at which estimates converge faster
    than the root of n and the Fisher information is infinite, by a logarithm. It is
    therefore measured by square roots of likelihoods at steps as long as the errors
    themselves, which is finite, and the ordinary one where there are no edges.
    `most_likely_accuracy` is the check: what maximum likelihood attains.
    """
    _check(function, noise, privacy)
    rule = _RULES[function]()
    evidence = Evidence.drawn(
        rule,
        function,
        noise=noise,
        privacy=privacy,
        n=rule.sample,
        seed=seed,
        related=related,
    )
    found, _ = information_at(evidence, rule.constants, records=n)
    rng = np.random.default_rng([seed, 2])
    errors = rng.multivariate_normal(np.zeros(len(found)), np.linalg.inv(n * found), _ESTIMATES)
    test = quest_columns(rule, function, n=_TEST_RECORDS, seed=seed + 1)
    shares = [accuracy_of(rule, test, rule.constants + error) for error in errors]
    return LimitRow(function, noise, privacy, n, float(np.mean(shares)))


def information_limits(
    *,
    functions: Sequence[int] = (1, 2, 3, 4, 5),
    noises: Sequence[NoiseName] = _NOISES,
    privacies: Sequence[float] = (0.25, 0.5, 1.0, 1.5, 2.0),
    n: int = 100_000,
    related: bool = True,
    progress: bool = False,
) -> list[LimitRow]:
    """Return the limits of a grid of disguises, in some minutes.

    Parameters
    ----------
    functions, noises, privacies
        The grid.
    n, related
        As for `information_limit`.
    progress : bool, default False
        Whether to show a bar on stderr.

    Examples
    --------
    >>> from scumble.experiments import information_limits
    >>> rows = information_limits(functions=[1], noises=["uniform"], privacies=[1.0, 2.0])
    >>> rows[0].limit > rows[1].limit > 0.99
    True
    """
    from tqdm import tqdm

    grid = list(product(functions, noises, privacies))
    return [
        information_limit(function, noise=noise, privacy=privacy, n=n, related=related)
        for function, noise, privacy in tqdm(grid, unit="limit", disable=not progress)
    ]


def most_likely_accuracy(
    function: int,
    *,
    noise: NoiseName,
    privacy: float,
    seed: int,
    n: int = 100_000,
    related: bool = True,
) -> float:
    """Return what the constants of maximum likelihood attain on one set of reports.

    The check of `information_limit`: its mean over seeds should be the limit. The
    parameters are the same; the search starts at the true constants, so that it finds
    the maximum near them.

    Examples
    --------
    >>> from scumble.experiments import most_likely_accuracy
    >>> most_likely_accuracy(1, noise="uniform", privacy=1.0, seed=1, n=10_000) > 0.98
    True
    """
    _check(function, noise, privacy)
    rule = _RULES[function]()
    evidence = Evidence.drawn(
        rule, function, noise=noise, privacy=privacy, n=n, seed=seed, related=related
    )
    test = quest_columns(rule, function, n=_TEST_RECORDS, seed=seed + 1)
    return accuracy_of(rule, test, most_likely_constants(evidence))


def _check(function: int, noise: str, privacy: float) -> None:
    for name, value, fits, expected in (
        ("function", function, function in _RULES, "1 to 5"),
        ("noise", noise, noise in _NOISES, f"one of {', '.join(_NOISES)}"),
        ("privacy", privacy, privacy > 0, "more than 0"),
    ):
        if not fits:
            raise SpecificationError(f"{name}: expected {expected}, got {value}")
