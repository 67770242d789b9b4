"""Is the noise right? Error rate: 1e-6 for each case, either way."""

import numpy as np
import pytest
from mechanism_cases import ALL, NOISY, name

from scumble.entropy import Cryptographic, Fixed
from scumble.errors import MechanismCheckError
from scumble.testing import check_mechanism
from scumble.testing._goodness import agrees


@pytest.mark.parametrize(("mechanism", "domain"), ALL, ids=name)
def test_a_mechanism_does_what_it_states(mechanism, domain):
    check_mechanism(mechanism, domain)


@pytest.mark.parametrize("factor", [0.9, 1.1])
@pytest.mark.parametrize(("mechanism", "domain"), NOISY, ids=name)
def test_a_tenth_too_much_or_too_little_noise_is_caught(mechanism, domain, factor, monkeypatch):
    wrong = mechanism.with_noise(factor)
    honest = type(mechanism).disguise

    def disguise(self, truth, domain, stream, *, coin=None):
        return honest(wrong, truth, domain, stream, coin=coin)

    monkeypatch.setattr(type(mechanism), "disguise", disguise)
    with pytest.raises(MechanismCheckError, match=r"do not follow|outside the report domain"):
        check_mechanism(mechanism, domain)


@pytest.mark.parametrize("label", ["age", "salary"])
def test_fixed_noise_is_uniform_over_entities(label):
    draws = Fixed(b"sixteen bytes or more", entities=np.arange(200_000)).stream(label)

    counts = np.histogram(draws.uniform(200_000), bins=100, range=(0, 1))[0]

    assert agrees(counts, np.full(100, 0.01), alpha=1e-6)


@pytest.mark.parametrize("change", ["entity", "attribute", "secret", "draw"])
def test_fixed_noise_of_two_entities_attributes_or_secrets_is_independent(change):
    """100 cells of two draws; a dependence of a tenth in one cell row would show."""
    n, secret = 400_000, b"sixteen bytes or more"
    stream = Fixed(secret, entities=np.arange(n)).stream("age")
    one = stream.uniform(n)
    other = {
        "entity": lambda: Fixed(secret, entities=np.arange(n) + 1).stream("age").uniform(n),
        "attribute": lambda: Fixed(secret, entities=np.arange(n)).stream("pay").uniform(n),
        "secret": lambda: Fixed(secret + b"!", entities=np.arange(n)).stream("age").uniform(n),
        "draw": lambda: stream.uniform(n),
    }[change]()

    counts = np.histogram2d(one, other, bins=10, range=[(0, 1), (0, 1)])[0].ravel().astype(int)

    assert agrees(counts, np.full(100, 0.01), alpha=1e-6)


def test_dependent_draws_would_be_caught():
    one = Cryptographic().stream("a").uniform(400_000)
    other = np.where(Cryptographic().stream("b").uniform(400_000) < 0.05, one, one[::-1])

    counts = np.histogram2d(one, other, bins=10, range=[(0, 1), (0, 1)])[0].ravel().astype(int)

    assert not agrees(counts, np.full(100, 0.01), alpha=1e-6)
