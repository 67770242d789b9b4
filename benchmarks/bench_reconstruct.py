"""Seconds to recover 100 cells from a million reports, counting included."""

import numpy as np

from benchmarks._clock import Result, best
from scumble import Categorical, Numeric, reconstruct
from scumble.entropy import Cryptographic
from scumble.mechanisms import GaussianNoise, RandomizedResponse, UniformNoise

N = 1_000_000


def run() -> list[Result]:
    """Return the figures for the published rule, the default and categories."""
    domain = Numeric(0, 1)
    truth = np.random.default_rng(0).beta(5, 2, N)
    results = []
    for mechanism in (GaussianNoise(privacy=1.0), UniformNoise(privacy=1.0)):
        reports = mechanism.disguise(truth, domain, Cryptographic().stream("x"))
        for method, bar in (("bayes", 0.1), ("auto", 0.3)):
            seconds = best(
                lambda m=mechanism, r=reports, method=method: reconstruct(
                    r, m, domain=domain, cells=100, method=method
                ),
                repeats=3,
            )
            results.append(Result(f"{mechanism.name} noise, method {method!r}", seconds, "s", bar))
    return [*results, _categories()]


def _categories() -> Result:
    domain = Categorical([f"value {value}" for value in range(1_000_000)])
    mechanism = RandomizedResponse(epsilon=14)
    truth = np.random.default_rng(0).zipf(1.3, N).clip(max=10**6).astype(np.int32) - 1
    codes = mechanism.disguise(truth, domain, Cryptographic().stream("x"))
    reports = domain.decode(codes)
    seconds = best(lambda: reconstruct(reports, mechanism, domain=domain), repeats=3)
    return Result("randomized response, a million categories", seconds, "s", 2)
