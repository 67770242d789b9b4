import numpy as np
import pytest

from scumble import Categorical, Numeric
from scumble.audit._guess import best_guesses, is_right, right_in_words
from scumble.errors import SpecificationError


def _mass(guess, chances, cells, half):
    """How much lies within half of a guess, cell by cell: written anew, slowly."""
    total = 0.0
    for chance, low, high in zip(chances, cells.lower, cells.upper, strict=True):
        if low == high:
            total += chance * (guess - half - 1e-9 <= low <= guess + half + 1e-9)
        else:
            total += (
                chance * max(0, min(guess + half, high) - max(guess - half, low)) / (high - low)
            )
    return total


@pytest.mark.parametrize(
    "domain", [Numeric(-5, 15), Numeric(0, 30, step=1), Numeric(0, 100, atoms=[0, 40])]
)
def test_no_window_holds_more_than_that_around_the_guess(domain):
    rng = np.random.default_rng(1)
    cells = domain.cells(40)
    chances = rng.dirichlet(np.full(len(cells), 0.3), size=5)
    guesses = best_guesses(chances, domain, cells, tolerance=0.07)

    half = 0.07 * domain.width
    for own, guess in zip(chances, guesses, strict=True):
        best = _mass(guess, own, cells, half)
        others = [
            _mass(other, own, cells, half) for other in np.linspace(domain.low, domain.high, 500)
        ]
        assert best >= max(others) - 1e-9


def test_of_categories_the_likeliest_is_guessed():
    domain = Categorical(["a", "b", "c"])

    assert best_guesses(np.array([[0.2, 0.5, 0.3]]), domain, domain, tolerance=0.05) == [1]


def test_a_guess_at_the_very_tolerance_is_right():
    domain = Numeric(0, 1)
    right = is_right(np.array([0.3, 0.3]), np.array([0.35, 0.351]), domain, tolerance=0.05)

    assert right.tolist() == [True, False]


def test_categories_have_no_tolerance():
    domain = Categorical(["a", "b"])

    assert is_right(np.array([0, 1]), np.array([0, 0]), domain, tolerance=0.9).tolist() == [
        True,
        False,
    ]
    assert right_in_words(domain, tolerance=0.9) == "the true value"


@pytest.mark.parametrize("tolerance", [0, 1, -0.1, float("nan")])
def test_the_tolerance_is_a_share(tolerance):
    domain = Numeric(0, 1)
    with pytest.raises(SpecificationError, match="tolerance"):
        best_guesses(np.ones((1, 100)), domain, domain.cells(), tolerance=tolerance)
