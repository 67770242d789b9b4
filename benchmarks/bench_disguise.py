"""Reports per second, beside numpy's generator doing the same without secrecy."""

import numpy as np

from benchmarks._clock import Result, best
from scumble import Categorical, Numeric
from scumble.entropy import Cryptographic, Fixed
from scumble.mechanisms import GaussianNoise, RandomizedResponse

N = 1_000_000


def run() -> list[Result]:
    """Return the figures for categories, numbers and fixed noise."""
    return [*_randomized_response(), _gaussian(), *_fixed()]


def _randomized_response() -> list[Result]:
    domain = Categorical([str(value) for value in range(10)])
    mechanism = RandomizedResponse(keep=0.6)
    truth = np.random.default_rng(0).integers(0, 10, N).astype(np.int32)
    generator = np.random.default_rng(1)

    def peer() -> np.ndarray:
        other = generator.integers(0, 9, N, dtype=np.int32)
        other += other >= truth
        return np.where(generator.random(N) < 0.6, truth, other)

    ours = best(lambda: mechanism.disguise(truth, domain, Cryptographic().stream("x")))
    return [
        Result("randomized response, 10 values, a second", N / ours / 1e6, "M", 10, least=True),
        Result("  time against numpy's generator", ours / best(peer), "x", 3),
    ]


def _gaussian() -> Result:
    domain, mechanism = Numeric(20, 80), GaussianNoise(privacy=1.0)
    truth = np.random.default_rng(0).uniform(20, 80, N)
    generator = np.random.default_rng(1)
    ours = best(lambda: mechanism.disguise(truth, domain, Cryptographic().stream("x")))
    peer = best(lambda: truth + generator.normal(0, 15, N))
    return Result("Gaussian noise, time against Generator.normal", ours / peer, "x", 3)


def _fixed() -> list[Result]:
    domain, mechanism = Numeric(20, 80), GaussianNoise(privacy=1.0)
    truth = np.random.default_rng(0).uniform(20, 80, N)
    numbers, texts = np.arange(N), [f"person {number}" for number in range(N)]
    secret = b"sixteen bytes or more"

    def fixed(entities: object) -> float:
        def disguise() -> np.ndarray:
            stream = Fixed(secret, entities=entities).stream("age")  # type: ignore[arg-type]
            return mechanism.disguise(truth, domain, stream)

        return N / best(disguise, repeats=3) / 1e6

    return [
        Result("fixed Gaussian noise, numbered entities, a second", fixed(numbers), "M", 1, True),
        Result("fixed Gaussian noise, named entities, a second", fixed(texts), "M", 1, True),
    ]
