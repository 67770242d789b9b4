"""Arguments that generators of truths share: how many records, from which seed."""

import numpy as np

from scumble.errors import SpecificationError


def checked_count(n: int) -> int:
    """Return a number of records, or raise."""
    if isinstance(n, bool) or not isinstance(n, (int, np.integer)) or n < 1:
        raise SpecificationError(
            f"n: expected a positive integer, got {n!r}; state how many records to generate"
        )
    return int(n)


def generator_from(seed: int | None) -> np.random.Generator:
    """Return a generator: repeatable from a seed, fresh from the system without one."""
    if seed is not None and (
        isinstance(seed, bool) or not isinstance(seed, (int, np.integer)) or seed < 0
    ):
        raise SpecificationError(
            f"seed: expected a non-negative integer or None, got {seed!r}; "
            "pass None for fresh randomness"
        )
    return np.random.default_rng(seed)
