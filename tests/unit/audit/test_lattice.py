import numpy as np
import pyarrow as pa
import pytest

from scumble.audit import Lattice, lattice_attack, link_records
from scumble.errors import SpecificationError
from scumble.treatments._proportional import noise_of


def _noisy(law):
    rng = np.random.default_rng(1)
    truth = rng.lognormal(3, 0.5, (500, 2))
    noise = noise_of(rng.random((500, 2)), law=law, sd=0.276)
    names = ["a", "b"]
    return [
        pa.table(dict(zip(names, values.T, strict=True))) for values in (truth, truth * (1 + noise))
    ]


def test_few_factors_give_nearly_everyone_away():
    found = lattice_attack(*_noisy("discrete"), known=["a", "b"])

    assert found.success > 0.99
    assert "lattice" in found.attack


def test_a_normal_factor_fits_no_lattice():
    assert lattice_attack(*_noisy("normal"), known=["a", "b"]).success == 0.0


def test_who_knows_how_likely_factors_are_does_no_worse():
    # Of whole numbers many products are the same, so that chances decide.
    rng = np.random.default_rng(1)
    truth = rng.integers(1, 11, (400, 3)).astype(float)
    released = truth * (1 + noise_of(rng.random((400, 3)), law="discrete", sd=0.276))
    names = ["x0", "x1", "x2"]
    law = dict.fromkeys(names, Lattice.published())

    possible = lattice_attack(truth, released, known=names).success
    likely = link_records(truth, released, known=names, noise=law).success

    assert 1 / 400 < possible < likely < 0.9


def test_rounding_is_within_a_tolerance():
    truth = np.array([[100.0], [37.0]])
    released = np.array([[110.04], [33.3]])

    assert lattice_attack(truth, released, known=["x0"]).success == 0.5
    rounded = Lattice(tolerance=1e-3)
    assert lattice_attack(truth, released, known=["x0"], lattice=rounded).success == 1.0


def test_a_lattice_is_checked():
    with pytest.raises(SpecificationError, match="ascending"):
        Lattice((1.1, 0.9))
    with pytest.raises(SpecificationError, match="2 probabilities"):
        Lattice((0.9, 1.1), chances=(0.5, 0.6))
