"""Balancing by rejection, on a population that is cheap to draw from."""

from typing import Any

import numpy as np
import pytest

from scumble.datasets._quest_balance import draw_balanced
from scumble.errors import DatasetError


def balanced(share: float, *, n: int) -> tuple[dict[str, Any], Any]:
    rng = np.random.default_rng()
    return draw_balanced(
        lambda size: {"score": rng.random(size)},
        in_group_a=lambda records: records["score"] < share,
        n=n,
        rng=rng,
    )


@pytest.mark.parametrize("share", [0.5, 0.02, 0.999])
def test_both_groups_get_their_half(share: float) -> None:
    records, in_a = balanced(share, n=2_001)
    assert len(in_a) == len(records["score"]) == 2_001
    assert in_a.sum() == 1_001
    assert ((records["score"] < share) == in_a).all()


def test_no_record_is_used_twice() -> None:
    records, _ = balanced(0.01, n=5_000)
    assert len(np.unique(records["score"])) == 5_000


@pytest.mark.parametrize("share", [0.0, 1.0])
def test_a_group_that_never_comes_is_an_error(share: float) -> None:
    with pytest.raises(DatasetError, match=r"got 0 records .* pass balanced=False"):
        balanced(share, n=2 if share else 10)


def test_a_group_that_would_take_too_long_is_an_error() -> None:
    with pytest.raises(DatasetError, match="expected to fill both groups within 500,000,000"):
        balanced(1e-5, n=100_000)
