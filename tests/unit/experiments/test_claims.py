import math

import pytest

from scumble.experiments import Claim, Points


def _claim(margin, spread):
    return Claim.by(margin, statement="s", paper="p", ours=Points(3.0, spread), where="somewhere")


@pytest.mark.parametrize(
    ("margin", "holds", "clear"),
    [
        (2.0, True, True),
        (0.5, True, False),
        (0.0, False, False),
        (-0.5, False, False),
        (-2.0, False, True),
    ],
)
def test_a_margin_decides_and_the_spread_says_how_surely(margin, holds, clear):
    claim = _claim(margin, 1.0)

    assert (claim.holds, claim.clear) == (holds, clear)
    assert str(claim).startswith("holds" if holds else "does not hold")
    assert ("within the spread" in str(claim)) is not clear


def test_a_single_seed_makes_nothing_clear():
    assert not _claim(0.1, math.nan).clear


def test_a_claim_reads_as_a_line():
    assert str(_claim(2.0, 1.0)) == "holds: s (paper: p; ours: 3.0 ±1.0 points, somewhere)"
